/* The program of a task that moves elements, evaluated on a GPU: index arrays, and the source where it is computed on the way, as
 * arrays in the device's memory. Contract: cuda_index.h. */
#include "codelets/index/cuda_index.h"

#include "cuda_worker.h"
#include "elementwise/cuda_layout.h"
#include "elementwise/program_cuda.h"

#include <string.h>

/* A number stays on the host: kernels get it with the launch. */
static bool on_host(const struct sta__job *job, const char *at)
{
    for (int i = 0; i < job->count; i++) {
        const struct sta__memory *memory = &job->memory[i];
        if (memory->on_host && at >= memory->data && at < memory->data + sta_itemsize(memory->dtype))
            return true;
    }
    return false;
}

/* The operand that a result is, if it lies in C order over all of the box; NULL: it is to be computed. */
static const char *direct(const struct sta__run *run, int slot)
{
    const struct sta__run_operand *operand = &run->operand[slot];
    if (slot >= run->program->inputs || operand->pieces != 1 || on_host(run->job, operand->piece->base))
        return NULL;
    int64_t step = (int64_t)operand->item;
    for (int a = run->ndim - 1; a >= 0; a--) {
        if (run->extent[a] != 1 && operand->piece->stride[a] != step)
            return NULL;
        step *= run->extent[a];
    }
    return operand->piece->base;
}

static void open_run(struct sta__run *run, struct sta__job *job)
{
    sta__run_open(run, job);
    if (run->ndim)
        return;
    run->ndim = 1; /* one element */
    run->extent[0] = 1;
    run->first[0] = 0;
    for (int o = 0; o < run->operands; o++)
        for (int p = 0; p < run->operand[o].pieces; p++) {
            run->operand[o].piece[p].from[0] = 0;
            run->operand[o].piece[p].to[0] = 1;
            run->operand[o].piece[p].stride[0] = 0;
        }
}

static int64_t elements(const struct sta__run *run)
{
    int64_t count = 1;
    for (int a = 0; a < run->ndim; a++)
        count *= run->extent[a];
    return count;
}

/* The run with results that are stored, in C order at `to`. */
static void store_results(struct sta__run *run, struct sta__program *program, char *const *to)
{
    struct sta__piece *piece = run->piece;
    for (int o = 0; o < run->operands; o++)
        piece += run->operand[o].pieces;
    *program = *run->program;
    for (int r = 0; r < program->outputs; r++, piece++) {
        size_t item = sta_itemsize(program->slot_dtype[program->output[r].slot]);
        int64_t step = (int64_t)item;
        program->output[r].reduce = false;
        *piece = (struct sta__piece){.base = to[r]};
        for (int a = run->ndim - 1; a >= 0; a--) {
            piece->to[a] = run->extent[a];
            piece->stride[a] = step;
            step *= run->extent[a];
        }
        run->operand[run->operands++] = (struct sta__run_operand){.piece = piece, .pieces = 1, .item = item};
    }
    run->program = program;
}

/* Whether all results are operands as they lie. */
static bool all_direct(const struct sta__run *run, const void **to)
{
    bool all = true;
    for (int r = 0; r < run->program->outputs; r++) {
        to[r] = direct(run, run->program->output[r].slot);
        all &= to[r] != NULL;
    }
    return all;
}

static bool bring_operands(struct sta__job *job)
{
    for (int i = 0; i < job->count; i++)
        if (job->memory[i].on_host && job->memory[i].value->size != 1 && !sta__cuda_upload(job, i))
            return false;
    return true;
}

static sta_error_code compute(struct sta__job *job, struct sta__cuda_nest *nest, const void **to)
{
    struct sta__program program;
    char *result[STA__MAXOUTPUTS];
    int64_t count = elements(&nest->run);
    for (int r = 0; r < nest->run.program->outputs; r++) {
        size_t item = sta_itemsize(nest->run.program->slot_dtype[nest->run.program->output[r].slot]);
        result[r] = sta__cuda_scratch(job, item * (size_t)count);
        if (!result[r])
            return STA_ERROR_MEMORY;
        to[r] = result[r];
    }
    store_results(&nest->run, &program, result);
    sta__cuda_nest_plan(nest);
    return sta__cuda_nest_launch(nest, job);
}

sta_error_code sta__cuda_results(struct sta__job *job, const void **to)
{
    struct sta__cuda_nest nest;
    sta_error_code code = STA_ERROR_NONE;
    if (!bring_operands(job))
        return STA_ERROR_MEMORY;
    open_run(&nest.run, job);
    if (!all_direct(&nest.run, to))
        code = compute(job, &nest, to);
    if (!code && !sta__cuda_upload_all(job))
        code = STA_ERROR_MEMORY;
    return code;
}

bool sta__cuda_results_ready(struct sta__job *job)
{
    struct sta__cuda_nest nest;
    struct sta__program program;
    const void *to[STA__MAXOUTPUTS];
    char *result[STA__MAXOUTPUTS];
    open_run(&nest.run, job);
    if (all_direct(&nest.run, to))
        return true;
    for (int r = 0; r < STA__MAXOUTPUTS; r++)
        result[r] = (char *)(uintptr_t)4096; /* as aligned as device memory is */
    store_results(&nest.run, &program, result);
    sta__cuda_nest_plan(&nest);
    return sta__cuda_nest_kernel(&nest, job) != NULL;
}
