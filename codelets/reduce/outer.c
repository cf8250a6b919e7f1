/* The last stage where an axis outside the merged one is cut too: finished states of all its tiles are gathered into one
 * array, which is then reduced, the last axis first. */
#include "reduce/program.h"

#include <string.h>

static size_t item_of(const struct sta__outer_arguments *a, int component)
{
    sta_dtype dtype = sta__reducer_component((enum sta__reducer)a->reducer, a->dtype, component);
    return dtype ? sta_itemsize(dtype) : 0;
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
        struct sta__state to = sta__partial_node((enum sta__reducer)a->reducer, a->dtype, job->memory[a->gathered].data,
                                                 cells, 0, cell);
        struct sta__state from =
            sta__partial_node((enum sta__reducer)a->reducer, a->dtype, job->memory[i].data, own, 0, done);
        for (int c = 0; c < STA__COMPONENTS; c++)
            if (item_of(a, c))
                memcpy(to.at[c], from.at[c], item_of(a, c) * (size_t)run);
        for (int d = last - 1; d >= 0 && ++at[d] == a->box[i].to[d]; d--)
            at[d] = a->box[i].from[d];
    }
}

/* Reduces one axis of an array of states: (before, length, after) -> (before, after). */
static bool reduce_axis(const struct sta__outer_arguments *a, struct sta__state from, struct sta__state to, int64_t before,
                        int64_t length, int64_t after, int64_t unit)
{
    enum sta__reducer reducer = (enum sta__reducer)a->reducer;
    void *memory = sta__allocate(sta__tree_bytes(reducer, a->dtype, after, 0, length));
    if (!memory)
        return false;
    for (int64_t b = 0; b < before; b++) {
        struct sta__tree tree;
        struct sta__state leaves = {{NULL}}, result = {{NULL}};
        for (int c = 0; c < STA__COMPONENTS; c++)
            if (item_of(a, c)) {
                leaves.at[c] = (char *)from.at[c] + item_of(a, c) * (size_t)(b * length * after);
                result.at[c] = (char *)to.at[c] + item_of(a, c) * (size_t)(b * after);
            }
        sta__tree_begin(&tree, reducer, a->dtype, after, 0, unit, memory);
        sta__tree_push_states(&tree, &leaves, length);
        sta__tree_finish(&tree, &result);
    }
    sta__release(memory);
    return true;
}

static bool reduce_outer(const struct sta__outer_arguments *a, const struct sta__job *job, int64_t cells)
{
    enum sta__reducer reducer = (enum sta__reducer)a->reducer;
    char *spare = sta__allocate(sizeof(char) * 32 * (size_t)cells + 64);
    if (!spare)
        return false;
    struct sta__state now = sta__partial_node(reducer, a->dtype, job->memory[a->gathered].data, cells, 0, 0);
    struct sta__state next = {{spare, spare + 16 * (size_t)cells}};
    int64_t extent[STA_MAXDIM], unit = a->unit;
    memcpy(extent, a->extent, sizeof extent);
    bool fine = true;
    for (int d = a->ndim - 1; d >= 0 && fine; d--) {
        if (!(a->axes >> d & 1))
            continue;
        int64_t before = 1, after = 1;
        for (int e = 0; e < a->ndim; e++)
            *(e < d ? &before : &after) *= e == d ? 1 : extent[e];
        fine = reduce_axis(a, now, next, before, extent[d], after, unit);
        unit *= extent[d];
        extent[d] = 1;
        struct sta__state swap = now;
        now = next;
        next = swap;
    }
    int64_t left = 1;
    for (int d = 0; d < a->ndim; d++)
        left *= extent[d];
    for (int c = 0; c < STA__COMPONENTS && fine; c++)
        if (a->target.memory[c] >= 0)
            memcpy(job->memory[a->target.memory[c]].data, now.at[c], item_of(a, c) * (size_t)left);
    sta__release(spare);
    return fine;
}

static sta_error_code outer(struct sta__job *job)
{
    const struct sta__outer_arguments *a = job->arguments;
    int64_t cells = cells_of(a);
    for (int i = 0; i < a->count; i++)
        gather_box(a, job, i, cells);
    return !a->last || reduce_outer(a, job, cells) ? STA_ERROR_NONE : STA_ERROR_MEMORY;
}

const struct sta__kernel sta__outer_kernel = {.name = "reduce_outer", .cpu = outer};
