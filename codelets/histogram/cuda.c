/* Histograms on a GPU: edges, counts and sums of weights stay on the device, and are the same bits as on a CPU. */
#include "histogram/cuda.h"

#include "cuda_worker.h"
#include "histogram.h"

#include <inttypes.h>
#include <stdio.h>

static struct sta__cuda_array array_of(const struct sta__memory *memory)
{
    return (struct sta__cuda_array){memory->dtype, memory->data};
}

static int64_t elements(const struct sta__memory *memory)
{
    int64_t count = 1;
    for (int axis = 0; axis < memory->ndim; axis++)
        count *= memory->shape[axis];
    return count;
}

/* ---- edges ---- */

sta_error_code sta__histogram_edges_cuda(struct sta__job *job)
{
    const struct sta__histogram_edges_arguments *a = job->arguments;
    const struct sta__memory *edges = &job->memory[0];
    struct sta__cuda_edges e = {.bins = a->bins, .has_range = a->has_range, .lo = a->lo, .hi = a->hi};
    uint32_t *fault = sta__cuda_fault(job);
    if (!fault || !sta__cuda_upload_all(job))
        return STA_ERROR_MEMORY;
    if (!a->has_range) {
        e.lo_at = array_of(&job->memory[a->lo_at]);
        e.hi_at = array_of(&job->memory[a->hi_at]);
    }
    const int status = sta__cuda_histogram_edges(&e, edges->dtype, edges->data, fault, job->cuda->stream);
    return sta__cuda_check(job, (cudaError_t)status, "the edges of a histogram");
}

sta_error_code sta__histogram_edges_fault(const void *arguments, const uint32_t *words, char *text, size_t bytes)
{
    static const char *const ends[] = {"...", "nan", "inf", "-inf"};
    const struct sta__histogram_edges_arguments *a = arguments;
    const uint32_t word = words[0];
    if (word & STA__EDGES_NOT_FINITE)
        snprintf(text, bytes, "autodetected range of [%s, %s] is not finite", ends[word / STA__EDGES_LO % 4],
                 ends[word / STA__EDGES_HI % 4]);
    else
        snprintf(text, bytes, "too many bins for the range of the data: cannot make %" PRId64 " bins of finite size",
                 a->bins);
    return STA_ERROR_VALUE;
}

/* ---- counts ---- */

static bool is_single(sta_dtype dtype)
{
    return dtype == STA_float16 || dtype == STA_bfloat16 || dtype == STA_float32;
}

static enum sta__bin_precision precision_of(sta_dtype data, sta_dtype edges)
{
    if (is_single(data) && is_single(edges))
        return STA__BINS_F32;
    return data == edges && (data == STA_int64 || data == STA_uint64) ? STA__BINS_I64 : STA__BINS_F64;
}

static bool make_rule(struct sta__job *job, const struct sta__memory *data, const struct sta__memory *edges,
                      int64_t bins, int64_t *sums, struct sta__cuda_rule *rule, int *status)
{
    const struct sta__cuda_array given = array_of(edges);
    char *memory = sta__cuda_scratch(job, sizeof *rule->worst + (size_t)(bins + 1) * sizeof(double));
    if (!memory)
        return false;
    *rule = (struct sta__cuda_rule){
        .precision = (int)precision_of(data->dtype, edges->dtype),
        .bins = (int32_t)bins,
        .edges = memory + sizeof *rule->worst,
        .worst = (uint64_t *)(void *)memory,
    };
    *status = sta__cuda_histogram_rule(rule, &given, sums, job->cuda->stream);
    return true;
}

static bool weigh(struct sta__job *job, const struct sta__cuda_rule *rule, int *status)
{
    const struct sta__histogram_count_arguments *a = job->arguments;
    const struct sta__memory *sums = &job->memory[0];
    const struct sta__cuda_array data = array_of(&job->memory[a->data_at]),
                                 weights = array_of(&job->memory[a->weights_at]);
    const int64_t count = elements(&job->memory[a->data_at]), chunk = sta__histogram_chunk(a->bins);
    const int64_t chunks = (count + chunk - 1) / chunk;
    void *tables = sta__cuda_scratch(job, (size_t)(chunks * a->bins) * sta_itemsize(sums->dtype));
    if (!tables)
        return false;
    *status = sta__cuda_histogram_weigh(rule, &data, &weights, count, chunk, sums->dtype, tables, sums->data, a->add,
                                        job->cuda->stream);
    return true;
}

static int count(const struct sta__job *job, const struct sta__cuda_rule *rule)
{
    const struct sta__histogram_count_arguments *a = job->arguments;
    const struct sta__memory *sums = &job->memory[0];
    const struct sta__cuda_array data = array_of(&job->memory[a->data_at]);
    return sta__cuda_histogram_count(rule, &data, elements(&job->memory[a->data_at]), (int64_t *)(void *)sums->data,
                                     job->cuda->processors, job->cuda->stream);
}

sta_error_code sta__histogram_count_cuda(struct sta__job *job)
{
    const struct sta__histogram_count_arguments *a = job->arguments;
    const struct sta__memory *data = &job->memory[a->data_at], *edges = &job->memory[a->edges_at];
    int64_t *empty = a->add || a->weights_at >= 0 ? NULL : (int64_t *)(void *)job->memory[0].data;
    struct sta__cuda_rule rule;
    int status = (int)cudaSuccess;
    if (a->bins == 0)
        return STA_ERROR_NONE;
    if (!sta__cuda_upload_all(job) || !make_rule(job, data, edges, a->bins, empty, &rule, &status))
        return STA_ERROR_MEMORY;
    if (status == (int)cudaSuccess && a->weights_at < 0)
        status = count(job, &rule);
    else if (status == (int)cudaSuccess && !weigh(job, &rule, &status))
        return STA_ERROR_MEMORY;
    return sta__cuda_check(job, (cudaError_t)status, "a histogram");
}

/* ---- sums of tables ---- */

sta_error_code sta__histogram_add_cuda(struct sta__job *job)
{
    const struct sta__histogram_add_arguments *a = job->arguments;
    const struct sta__memory *sum = &job->memory[0];
    const void *from[STA__MAXBUFFERS];
    for (int i = 1; i < job->count; i++)
        from[i - 1] = job->memory[i].data;
    const int64_t count = sum->dtype == STA_complex128 ? 2 * a->bins : a->bins;
    return sta__cuda_check(job,
                           (cudaError_t)sta__cuda_histogram_add(sum->dtype == STA_int64, count, job->count - 1, from,
                                                                sum->data, job->cuda->stream),
                           "the sum of a histogram");
}

/* ---- what becomes of them ---- */

sta_error_code sta__histogram_finish_cuda(struct sta__job *job)
{
    const struct sta__histogram_finish_arguments *a = job->arguments;
    if (!sta__cuda_upload_all(job))
        return STA_ERROR_MEMORY;
    struct sta__cuda_finish finish = {.bins = a->bins,
                                      .as = a->as,
                                      .dtype = job->memory[0].dtype,
                                      .sums = array_of(&job->memory[a->sums_at]),
                                      .edges = array_of(&job->memory[a->edges_at]),
                                      .to = job->memory[0].data};
    if (a->density && !(finish.total = sta__cuda_scratch(job, 2 * sizeof *finish.total)))
        return STA_ERROR_MEMORY;
    return sta__cuda_check(job, (cudaError_t)sta__cuda_histogram_finish(&finish, job->cuda->stream),
                           "the counts of a histogram");
}

sta_error_code sta__histogram_check_cuda(struct sta__job *job)
{
    const struct sta__histogram_check_arguments *a = job->arguments;
    uint32_t *fault = sta__cuda_fault(job);
    unsigned long long *bad = fault && sta__cuda_upload_all(job) ? sta__cuda_scratch(job, sizeof *bad) : NULL;
    if (!bad)
        return STA_ERROR_MEMORY;
    const struct sta__memory *given = &job->memory[a->given_at];
    const struct sta__cuda_array edges = array_of(given);
    cudaError_t status =
        cudaMemcpyAsync(job->memory[0].data, given->data, (size_t)a->edges * sta_itemsize(given->dtype),
                        cudaMemcpyDeviceToDevice, job->cuda->stream);
    if (status == cudaSuccess)
        status = (cudaError_t)sta__cuda_histogram_check(&edges, a->edges, bad, fault, job->cuda->stream);
    return sta__cuda_check(job, status, "the edges of a histogram");
}

sta_error_code sta__histogram_check_fault(const void *arguments, const uint32_t *words, char *text, size_t bytes)
{
    (void)arguments;
    snprintf(text, bytes, "the edges must increase monotonically: edge %" PRId64 " does not",
             (int64_t)((uint64_t)words[1] | (uint64_t)words[2] << 32));
    return STA_ERROR_VALUE;
}
