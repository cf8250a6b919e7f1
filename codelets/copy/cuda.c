/* Copies on a GPU: the boxes of a re-cut, by the kernels of a program that only copies (elementwise/cuda_layout.h), and what an
 * assignment leaves of a tile. */
#include "copy/around.h"
#include "copy/assemble.h"
#include "copy/cuda_copy.h"

#include "cuda.h"
#include "cuda_worker.h"
#include "elementwise/cuda_layout.h"
#include "elementwise/program_cuda.h"

#include <string.h>

/* ---- boxes ---- */

/* Copies of elements of a size are all one program. */
static void copy_program(struct sta__program *program, size_t item)
{
    static const sta_dtype by_item[] = {
        [1] = STA_uint8, [2] = STA_uint16, [4] = STA_uint32, [8] = STA_uint64, [16] = STA_complex128};
    memset(program, 0, sizeof *program);
    program->inputs = program->slots = program->outputs = 1;
    program->slot_dtype[0] = by_item[item];
}

void sta__cuda_copy_run(struct sta__run *run, struct sta__program *program, struct sta__job *job, int ndim, size_t item)
{
    copy_program(program, item);
    memset(run, 0, offsetof(struct sta__run, piece));
    memset(run->piece, 0, 2 * sizeof *run->piece);
    run->program = program;
    run->job = job;
    run->ndim = ndim ? ndim : 1;
    run->extent[0] = run->piece[0].to[0] = run->piece[1].to[0] = 1;
    run->operands = 2;
    for (int o = 0; o < 2; o++)
        run->operand[o] = (struct sta__run_operand){.piece = &run->piece[o], .pieces = 1, .item = item};
}

/* Piece p as a run with one input and one output. */
static void piece_run(struct sta__job *job, int p, struct sta__program *program, struct sta__run *run)
{
    const struct sta__assemble_arguments *a = job->arguments;
    const struct sta__memory *to = &job->memory[a->to], *from = &job->memory[a->piece[p].memory];
    struct sta__piece *in = &run->piece[0], *out = &run->piece[1];
    sta__cuda_copy_run(run, program, job, a->ndim, sta_itemsize(to->dtype));
    in->base = from->data;
    out->base = to->data;
    for (int s = 0; s < a->store_ndim; s++) {
        in->base += a->piece[p].start[s] * from->stride[s];
        if (a->map[s].axis >= 0)
            in->stride[a->map[s].axis] += a->map[s].step * from->stride[s];
    }
    for (int d = 0; d < a->ndim; d++) {
        run->extent[d] = in->to[d] = out->to[d] = a->piece[p].to[d] - a->piece[p].from[d];
        out->base += a->piece[p].from[d] * to->stride[d];
        out->stride[d] = to->stride[d];
    }
}

sta_error_code sta__assemble_cuda(struct sta__job *job)
{
    const struct sta__assemble_arguments *a = job->arguments;
    struct sta__program program;
    struct sta__cuda_nest nest;
    sta_error_code code = sta__cuda_upload_all(job) ? STA_ERROR_NONE : STA_ERROR_MEMORY;
    for (int p = 0; p < a->count && !code; p++) {
        piece_run(job, p, &program, &nest.run);
        sta__cuda_nest_plan(&nest);
        code = sta__cuda_nest_launch(&nest, job);
    }
    return code;
}

bool sta__assemble_ready(struct sta__job *job)
{
    const struct sta__assemble_arguments *a = job->arguments;
    struct sta__program program;
    struct sta__cuda_nest nest;
    sta__cuda_imagine(job);
    for (int p = 0; p < a->count; p++) {
        piece_run(job, p, &program, &nest.run);
        sta__cuda_nest_plan(&nest);
        if (!sta__cuda_nest_kernel(&nest, job))
            return false;
    }
    return true;
}

/* ---- what an assignment leaves ---- */

/* Axes that the box holds whole are part of the run of bytes. */
static void make_rest(const struct sta__memory *to, const int64_t *from, const int64_t *end,
                      struct sta__cuda_rest *rest)
{
    int last = to->ndim - 1;
    while (last > 0 && from[last] == 0 && end[last] == to->shape[last])
        last--;
    rest->row = to->shape[last] * to->stride[last];
    rest->lower = from[last] * to->stride[last];
    rest->upper = end[last] * to->stride[last];
    rest->outer = last;
    for (int s = 0; s < last; s++) {
        rest->shape[s] = to->shape[s];
        rest->from[s] = from[s];
        rest->to[s] = end[s];
    }
}

sta_error_code sta__cuda_copy_rest(struct sta__job *job)
{
    const struct sta__program_arguments *arguments = job->arguments;
    const struct sta__memory *from = &job->memory[arguments->copy_from], *to = &job->memory[arguments->copy_to];
    struct sta__run run;
    struct sta__cuda_rest rest;
    int64_t begin[STA_MAXDIM], end[STA_MAXDIM], bytes = (int64_t)sta_itemsize(to->dtype);
    for (int s = 0; s < to->ndim; s++)
        bytes *= to->shape[s];
    sta__run_open(&run, job);
    if (to->ndim == 0 || !sta__written_box(&run, to, begin, end))
        return sta__cuda_check(
            job, cudaMemcpyAsync(to->data, from->data, (size_t)bytes, cudaMemcpyDeviceToDevice, job->cuda->stream),
            "copying a tile");
    make_rest(to, begin, end, &rest);
    return sta__cuda_check(job, (cudaError_t)sta__cuda_copy_around(&rest, to->data, from->data, job->cuda->stream),
                           "copying the rest of a tile");
}
