/* The last stage where an axis outside the merged one is cut too: finished states of all its tiles are gathered into
 * one array, which is then reduced, the last axis first. */
#include "reduce/cuda_reduce.h"
#include "reduce/fold.h"
#include "reduce/program.h"

#include <string.h>

static size_t item_of(enum sta__reducer reducer, sta_dtype dtype, int component)
{
    sta_dtype part = sta__reducer_component(reducer, dtype, component);
    return part ? sta_itemsize(part) : 0;
}

static int64_t cells_of(const struct sta__outer_arguments *a)
{
    int64_t cells = 1;
    for (int d = 0; d < a->ndim; d++)
        cells *= a->extent[d];
    return cells;
}

/* Copies one state tile's box into the array of all states, a run of the last axis at a time. */
static void gather_box(const struct sta__outer_arguments *a, const struct sta__job *job, int i, int64_t cells)
{
    int64_t at[STA_MAXDIM], own = 1;
    for (int d = 0; d < a->ndim; d++) {
        at[d] = a->box[i].from[d];
        own *= a->box[i].to[d] - a->box[i].from[d];
    }
    int last = a->ndim - 1;
    int64_t run = a->box[i].to[last] - a->box[i].from[last];
    for (int64_t done = 0; done < own; done += run) {
        int64_t cell = 0;
        for (int d = 0; d < a->ndim; d++)
            cell = cell * a->extent[d] + at[d];
        struct sta__state to =
            sta__partial_node((enum sta__reducer)a->reducer, a->dtype, job->memory[a->gathered].data, cells, 0, cell);
        struct sta__state from =
            sta__partial_node((enum sta__reducer)a->reducer, a->dtype, job->memory[i].data, own, 0, done);
        sta__state_copy((enum sta__reducer)a->reducer, a->dtype, run, &to, &from);
        for (int d = last - 1; d >= 0 && ++at[d] == a->box[i].to[d]; d--)
            at[d] = a->box[i].from[d];
    }
}

/* Reduces one axis of an array of states: (before, length, after) -> (before, after). */
static bool reduce_axis(enum sta__reducer reducer, sta_dtype dtype, const struct sta__state *from,
                        const struct sta__state *to, const int64_t extent[3], int64_t unit)
{
    const int64_t before = extent[0], length = extent[1], after = extent[2];
    void *memory = sta__allocate(sta__tree_bytes(reducer, dtype, after, 0, length));
    if (!memory)
        return false;
    for (int64_t b = 0; b < before; b++) {
        struct sta__tree tree;
        struct sta__state leaves = sta__state_at(reducer, dtype, from, b * length * after);
        struct sta__state result = sta__state_at(reducer, dtype, to, b * after);
        sta__tree_begin(&tree, reducer, dtype, after, 0, unit, memory);
        sta__tree_push_states(&tree, &leaves, length);
        sta__tree_finish(&tree, &result);
    }
    sta__release(memory);
    return true;
}

const struct sta__state *sta__reduce_states(enum sta__reducer reducer, sta_dtype dtype, const struct sta__shape *shape,
                                            uint32_t axes, int64_t unit, const struct sta__state *from,
                                            const struct sta__state *spare)
{
    struct sta__shape left = *shape;
    for (int d = left.ndim - 1; d >= 0; d--) {
        if (!(axes >> d & 1))
            continue;
        int64_t extent[3] = {1, left.at[d], 1};
        for (int e = 0; e < left.ndim; e++)
            if (e != d)
                extent[e < d ? 0 : 2] *= left.at[e];
        if (!reduce_axis(reducer, dtype, from, spare, extent, unit))
            return NULL;
        unit *= left.at[d];
        left.at[d] = 1;
        const struct sta__state *swap = from;
        from = spare;
        spare = swap;
    }
    return from;
}

static bool reduce_outer(const struct sta__outer_arguments *a, const struct sta__job *job, int64_t cells)
{
    enum sta__reducer reducer = (enum sta__reducer)a->reducer;
    char *memory = sta__allocate(32 * (size_t)cells + 64);
    if (!memory)
        return false;
    struct sta__shape shape = {.ndim = a->ndim};
    int64_t left = 1;
    for (int d = 0; d < a->ndim; d++) {
        shape.at[d] = a->extent[d];
        left *= a->axes >> d & 1 ? 1 : a->extent[d];
    }
    struct sta__state gathered = sta__partial_node(reducer, a->dtype, job->memory[a->gathered].data, cells, 0, 0);
    struct sta__state spare = {{memory, memory + 16 * (size_t)cells}};
    const struct sta__state *done = sta__reduce_states(reducer, a->dtype, &shape, a->axes, a->unit, &gathered, &spare);
    for (int c = 0; c < STA__COMPONENTS && done; c++)
        if (a->target.memory[c] >= 0)
            memcpy(job->memory[a->target.memory[c]].data, done->at[c], item_of(reducer, a->dtype, c) * (size_t)left);
    sta__release(memory);
    return done != NULL;
}

static sta_error_code outer(struct sta__job *job)
{
    const struct sta__outer_arguments *a = job->arguments;
    int64_t cells = cells_of(a);
    for (int i = 0; i < a->count; i++)
        gather_box(a, job, i, cells);
    return !a->last || reduce_outer(a, job, cells) ? STA_ERROR_NONE : STA_ERROR_MEMORY;
}

const struct sta__kernel sta__outer_kernel = {
    .name = "reduce_outer", .cpu = outer, .cuda = sta__outer_cuda, .ready = sta__outer_ready};
