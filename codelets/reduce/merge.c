/* Merges the parts of a reduced axis that tiles gave, in index order. */
#include "reduce/cuda_reduce.h"
#include "reduce/program.h"

#include <stdio.h>
#include <string.h>

enum { STRIP = 256 }; /* cells at a time: a tree's levels stay in the cache */

struct merge {
    const struct sta__merge_arguments *arguments;
    struct sta__job *job;
    struct sta__tree tree;
    void *tree_memory;
    struct sta__state spare; /* of components that nobody wants */
};

static enum sta__reducer reducer_of(const struct sta__merge_arguments *a)
{
    return (enum sta__reducer)a->reducer;
}

/* Where a finished state goes. */
struct sta__state sta__target_state(const struct sta__job *job, const struct sta__reduce_target *target,
                                    enum sta__reduce_mode mode, int reducer, sta_dtype dtype, int64_t cells,
                                    int64_t cell, struct sta__state spare)
{
    if (mode == STA__REDUCE_STATES)
        return sta__partial_node((enum sta__reducer)reducer, dtype, job->memory[target->memory[0]].data, cells, 0,
                                 cell);
    for (int c = 0; c < STA__COMPONENTS; c++)
        if (target->memory[c] >= 0)
            spare.at[c] = job->memory[target->memory[c]].data +
                          (size_t)cell * sta_itemsize(sta__reducer_component((enum sta__reducer)reducer, dtype, c));
    return spare;
}

static void merge_strip(struct merge *m, int64_t cell, int64_t width)
{
    const struct sta__merge_arguments *a = m->arguments;
    sta__tree_begin(&m->tree, reducer_of(a), a->dtype, width, a->cut[0], a->unit, m->tree_memory);
    for (int i = 0; i < a->count; i++)
        sta__tree_push_partial(&m->tree, a->cut[i + 1], m->job->memory[i].data, a->cells, cell);
    if (a->mode == STA__REDUCE_PARTIAL) {
        sta__tree_emit(&m->tree, m->job->memory[a->target.memory[0]].data, a->cells, cell);
        return;
    }
    struct sta__state state =
        sta__target_state(m->job, &a->target, a->mode, a->reducer, a->dtype, a->cells, cell, m->spare);
    sta__tree_finish(&m->tree, &state);
}

static bool merge_share(struct sta__job *job, int64_t from, int64_t to)
{
    const struct sta__merge_arguments *a = job->arguments;
    struct merge m = {.arguments = a, .job = job};
    size_t bytes = sta__tree_bytes(reducer_of(a), a->dtype, STRIP, a->cut[0], a->cut[a->count]);
    bytes = (bytes + 63) & ~(size_t)63;
    char *memory = sta__allocate(bytes + (size_t)STRIP * 16 * STA__COMPONENTS);
    if (!memory)
        return false;
    m.tree_memory = memory;
    for (int c = 0; c < STA__COMPONENTS; c++)
        m.spare.at[c] = memory + bytes + (size_t)c * STRIP * 16;
    for (int64_t cell = from; cell < to; cell += STRIP)
        merge_strip(&m, cell, to - cell < STRIP ? to - cell : STRIP);
    sta__release(memory);
    return true;
}

static sta_error_code merge(struct sta__job *job)
{
    const struct sta__merge_arguments *a = job->arguments;
    int64_t strips = (a->cells + STRIP - 1) / STRIP;
    bool fine = true;
    if (job->threads <= 1 || strips <= 1)
        return merge_share(job, 0, a->cells) ? STA_ERROR_NONE : STA_ERROR_MEMORY;
#pragma omp parallel for num_threads(job->threads) reduction(&& : fine)
    for (int64_t s = 0; s < strips; s++)
        fine = merge_share(job, s * STRIP, s == strips - 1 ? a->cells : (s + 1) * STRIP) && fine;
    return fine ? STA_ERROR_NONE : STA_ERROR_MEMORY;
}

static double merge_cost(const struct sta__job *job)
{
    const struct sta__merge_arguments *a = job->arguments;
    return (double)a->cells * a->count * 2;
}

const struct sta__kernel sta__merge_kernel = {.name = "merge",
                                             .cpu = merge,
                                             .cost = merge_cost,
                                             .cuda = sta__merge_cuda,
                                             .ready = sta__merge_ready};
