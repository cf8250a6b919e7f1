/* Looking at indices on a GPU. Contract: survey.c. */
#include "codelets/index/cuda_index.h"
#include "codelets/index/move.h"

#include "cuda_worker.h"
#include "elementwise/program_cuda.h"

#include <string.h>

/* The axes that arrays take, numbered as survey.c numbers bits. False: no memory for where irregular tiles begin. */
static bool describe(struct sta__job *job, const struct sta__move *move, struct sta__cuda_move *c)
{
    int64_t weight = 1;
    for (int s = move->store_ndim - 1; s >= 0; s--) {
        if (move->by[s] < 0)
            continue;
        struct sta__cuda_outer *outer = &c->outer[c->outers++];
        *outer = (struct sta__cuda_outer){.by = move->by[s],
                                          .axis = -1,
                                          .offset = move->map[s].offset,
                                          .step = move->map[s].step,
                                          .edge = move->grid->cuts[s] ? 0 : move->grid->edge[s],
                                          .count = move->grid->count[s],
                                          .weight = weight};
        weight *= move->grid->count[s];
        if (!move->grid->cuts[s])
            continue;
        size_t bytes = sizeof *outer->cuts * (size_t)(outer->count + 1);
        int64_t *cuts = sta__cuda_scratch(job, bytes);
        if (!cuts ||
            sta__cuda_check(
                job, cudaMemcpyAsync(cuts, move->grid->cuts[s], bytes, cudaMemcpyHostToDevice, job->cuda->stream),
                "the cuts of tiles"))
            return false;
        outer->cuts = cuts;
    }
    return true;
}

sta_error_code sta__survey_cuda(struct sta__job *job)
{
    const struct sta__move *move = ((const struct sta__program_arguments *)job->arguments)->shared;
    struct sta__cuda_move c = {.count = 1, .arrays = move->arrays};
    struct sta__run run;
    const void *result[STA__MAXOUTPUTS] = {NULL};
    sta_error_code code = sta__cuda_results(job, result);
    if (code)
        return code;
    sta__run_open(&run, job);
    for (int a = 0; a < run.ndim; a++)
        c.count *= run.extent[a];
    for (int j = 0; j < move->arrays; j++) {
        c.ids[j] = result[j];
        c.length[j] = move->length[j];
    }
    const struct sta__memory *row = &job->memory[run.reduce_words[0]];
    c.bad = describe(job, move, &c) ? sta__cuda_scratch(job, sizeof *c.bad) : NULL;
    if (!c.bad)
        return STA_ERROR_MEMORY;
    int status = (int)cudaMemsetAsync(c.bad, 0xff, sizeof *c.bad, job->cuda->stream);
    if (!status)
        status =
            sta__cuda_survey(&c, run.reduce_words[1], (int64_t *)(void *)row->data, row->shape[1], job->cuda->stream);
    return sta__cuda_check(job, (cudaError_t)status, "looking at indices");
}

bool sta__survey_ready(struct sta__job *job)
{
    sta__cuda_imagine(job);
    return sta__cuda_results_ready(job);
}
