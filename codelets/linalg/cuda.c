/* Products on a GPU: cuBLAS for floats and complex numbers, a kernel of ours for integers. Handles and their workspaces
 * are made before the first task is submitted. */
#include "linalg/cuda.h"

#include "cuda_worker.h"
#include "linalg.h"
#include "runtime.h"

#include <cublas_v2.h>
#include <pthread.h>
#include <stdio.h>

enum { WORKSPACE = 32 << 20 }; /* what cuBLAS wants on a Hopper card; smaller ones cost speed */

static struct tool {
    cublasHandle_t handle;
    void *workspace;
} * tools; /* by the worker's number */
static bool ready;

/* ---- handles ---- */

static void close_tools(void)
{
    for (int i = 0; tools && i < sta__cuda_workers(); i++) {
        if (tools[i].handle)
            cublasDestroy(tools[i].handle);
        if (tools[i].workspace)
            cudaFree(tools[i].workspace);
    }
    sta__release(tools);
    tools = NULL;
    ready = false;
}

static bool open_tool(const struct sta__cuda_worker *worker, struct tool *tool)
{
    const cublasMath_t math = sta__runtime.settings.tf32 ? CUBLAS_TF32_TENSOR_OP_MATH : CUBLAS_DEFAULT_MATH;
    return cudaSetDevice(worker->device) == cudaSuccess && cublasCreate(&tool->handle) == CUBLAS_STATUS_SUCCESS &&
           cudaMalloc(&tool->workspace, WORKSPACE) == cudaSuccess &&
           cublasSetStream(tool->handle, worker->stream) == CUBLAS_STATUS_SUCCESS && /* resets the workspace */
           cublasSetWorkspace(tool->handle, tool->workspace, WORKSPACE) == CUBLAS_STATUS_SUCCESS &&
           cublasSetMathMode(tool->handle, math) == CUBLAS_STATUS_SUCCESS;
}

bool sta__matmul_ready(struct sta__job *job)
{
    int before = 0;
    if (ready)
        return true;
    tools = sta__allocate(sizeof *tools * (size_t)sta__cuda_workers());
    if (!tools) {
        snprintf(job->text, sizeof job->text, "no memory for cuBLAS");
        return false;
    }
    sta__at_finish(close_tools);
    bool good = cudaGetDevice(&before) == cudaSuccess;
    for (int i = 0; good && i < sta__cuda_workers(); i++) {
        const struct sta__cuda_worker *worker = sta__cuda_worker(i);
        good = !worker || open_tool(worker, &tools[i]);
    }
    cudaSetDevice(before);
    ready = good;
    if (good)
        return true;
    cudaGetLastError();
    close_tools();
    snprintf(job->text, sizeof job->text, "cuBLAS could not be started");
    return false;
}

/* ---- products ---- */

static sta_error_code check(struct sta__job *job, cublasStatus_t status)
{
    if (status == CUBLAS_STATUS_SUCCESS)
        return STA_ERROR_NONE;
    cudaGetLastError();
    snprintf(job->text, sizeof job->text, "a product: cuBLAS says %s", cublasGetStatusString(status));
    return status == CUBLAS_STATUS_ALLOC_FAILED ? STA_ERROR_MEMORY : STA_ERROR_DEVICE;
}

static int64_t largest(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* An operand as cuBLAS sees it: columns first, so that what is stored by rows is its transpose. */
struct operand {
    const char *data;
    int64_t pitch, step;
    cublasOperation_t operation;
};

static struct operand operand_of(const struct sta__job *job, const struct sta__matrix *x, int64_t rows, int64_t columns)
{
    const struct sta__memory *memory = &job->memory[x->at];
    return (struct operand){
        .data = memory->data + x->first * (int64_t)sta_itemsize(memory->dtype),
        .pitch = largest(x->pitch, x->transposed ? rows : columns), /* of a single row it may be anything */
        .step = x->step,
        .operation = x->transposed ? CUBLAS_OP_T : CUBLAS_OP_N,
    };
}

/* The types by the dtype of the operands. */
static const struct numbers {
    sta_dtype dtype;
    cudaDataType_t type, result;
    cublasComputeType_t compute;
} all_numbers[] = {
    {STA_float16, CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F},
    {STA_bfloat16, CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F},
    {STA_float32, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F},
    {STA_float64, CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F},
    {STA_complex64, CUDA_C_32F, CUDA_C_32F, CUBLAS_COMPUTE_32F},
    {STA_complex128, CUDA_C_64F, CUDA_C_64F, CUBLAS_COMPUTE_64F},
};

static const struct numbers *numbers_of(sta_dtype dtype)
{
    const struct numbers *x = all_numbers;
    while (x->dtype != dtype)
        x++;
    return x;
}

/* 1 or 0 as the scale of a product. */
static const void *scale_of(const struct numbers *x, bool one)
{
    static const float f32[] = {0, 0, 1, 0};
    static const double f64[] = {0, 0, 1, 0};
    return x->compute == CUBLAS_COMPUTE_32F ? (const void *)(f32 + 2 * one) : (const void *)(f64 + 2 * one);
}

/* c = a b by rows is c' = b' a' by columns. */
static sta_error_code by_blas(struct sta__job *job, const struct sta__matmul_arguments *p)
{
    const cublasHandle_t handle = tools[job->cuda->number].handle;
    const struct numbers *x = numbers_of(job->memory[p->a.at].dtype);
    const struct operand a = operand_of(job, &p->a, p->m, p->k), b = operand_of(job, &p->b, p->k, p->n);
    const void *alpha = scale_of(x, true), *beta = scale_of(x, p->add);
    char *c = job->memory[0].data;
    if (p->stack == 1)
        return check(job, cublasGemmEx_64(handle, b.operation, a.operation, p->n, p->m, p->k, alpha, b.data, x->type,
                                          b.pitch, a.data, x->type, a.pitch, beta, c, x->result, p->n, x->compute,
                                          CUBLAS_GEMM_DEFAULT));
    return check(job, cublasGemmStridedBatchedEx_64(handle, b.operation, a.operation, p->n, p->m, p->k, alpha, b.data,
                                                    x->type, b.pitch, b.step, a.data, x->type, a.pitch, a.step, beta, c,
                                                    x->result, p->n, p->m * p->n, p->stack, x->compute,
                                                    CUBLAS_GEMM_DEFAULT));
}

static sta_error_code by_kernel(struct sta__job *job, const struct sta__matmul_arguments *p)
{
    const struct sta__memory *c = &job->memory[0];
    const struct operand a = operand_of(job, &p->a, p->m, p->k), b = operand_of(job, &p->b, p->k, p->n);
    const int64_t a_row = p->a.transposed ? 1 : a.pitch, a_column = p->a.transposed ? a.pitch : 1;
    const int64_t b_row = p->b.transposed ? 1 : b.pitch, b_column = p->b.transposed ? b.pitch : 1;
    const int bytes = c->dtype == STA_bool ? 0 : (int)sta_itemsize(c->dtype);
    return sta__cuda_check(job,
                           (cudaError_t)sta__cuda_product(bytes, p->m, p->n, p->k, p->stack, a.data, a_row, a_column,
                                                          a.step, b.data, b_row, b_column, b.step, c->data, p->add,
                                                          job->cuda->stream),
                           "a product of integers");
}

sta_error_code sta__matmul_cuda(struct sta__job *job)
{
    const struct sta__matmul_arguments *p = job->arguments;
    const struct sta__memory *c = &job->memory[0];
    if (p->m == 0 || p->n == 0 || p->stack == 0)
        return STA_ERROR_NONE;
    if (p->k == 0)
        return p->add ? STA_ERROR_NONE
                      : sta__cuda_check(job,
                                        cudaMemsetAsync(c->data, 0,
                                                        (size_t)(p->stack * p->m * p->n) * sta_itemsize(c->dtype),
                                                        job->cuda->stream),
                                        "an empty product");
    if (!sta__cuda_upload(job, p->a.at) || !sta__cuda_upload(job, p->b.at))
        return STA_ERROR_MEMORY;
    if (sta__dtype_kind(c->dtype) < STA__KIND_FLOATING)
        return by_kernel(job, p);
    return by_blas(job, p);
}

/* ---- sums of partial products ---- */

static enum sta__cuda_word word_of(sta_dtype dtype)
{
    static const enum sta__cuda_word of_size[] = {
        [1] = STA__CUDA_8, [2] = STA__CUDA_16, [4] = STA__CUDA_32, [8] = STA__CUDA_64};
    if (sta__dtype_kind(dtype) >= STA__KIND_FLOATING)
        return sta__dtype_real(dtype) == STA_float32 ? STA__CUDA_F32 : STA__CUDA_F64;
    return dtype == STA_bool ? STA__CUDA_TRUTH : of_size[sta_itemsize(dtype)];
}

sta_error_code sta__matmul_add_cuda(struct sta__job *job)
{
    const struct sta__memory *sum = &job->memory[0];
    const void *from[STA__MAXBUFFERS];
    int64_t count = sta__dtype_kind(sum->dtype) == STA__KIND_COMPLEX ? 2 : 1;
    for (int axis = 0; axis < sum->ndim; axis++)
        count *= sum->shape[axis];
    for (int i = 1; i < job->count; i++)
        from[i - 1] = job->memory[i].data;
    return sta__cuda_check(
        job, (cudaError_t)sta__cuda_add(word_of(sum->dtype), count, job->count - 1, from, sum->data, job->cuda->stream),
        "a sum of partial products");
}
