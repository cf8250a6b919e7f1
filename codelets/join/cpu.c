/* The kernel of mosaics: the cells of a tile, copied from wherever they lie. */
#include "copy/assemble.h"
#include "join/cuda.h"
#include "join/mosaic.h"

struct copying {
    const struct sta__job *job;
    const struct sta__mosaic_arguments *arguments;
    int64_t to_stride[STA_MAXDIM]; /* of the result tile, along the axes of the pattern */
    bool (*visit)(const struct sta__mosaic_box *box, void *argument);
    void *argument;
};

/* The part of a cell that one source has: false where that is nothing. Gives its address and strides there. */
static bool clip(const struct copying *c, const struct sta__mosaic_source *source, const struct sta__cell *cell,
                 int64_t *from, int64_t *to, const char **data, int64_t *stride)
{
    const struct sta__view *view = &c->arguments->pattern->view[source->part];
    const struct sta__memory *memory = &c->job->memory[source->memory];
    int ndim = c->arguments->box.ndim;
    for (int a = 0; a < ndim; a++) {
        from[a] = cell->from[a];
        to[a] = cell->to[a];
        stride[a] = 0;
    }
    *data = memory->data;
    for (int s = 0; s < view->store_ndim; s++) {
        const struct sta__axis_map *map = &view->map[s];
        int axis = map->axis;
        /* in the tile: index i of the result is base + step * i */
        int64_t base = map->offset - source->from[s], step = 0;
        if (axis >= 0) {
            base += map->step * cell->offset[axis];
            step = map->step * cell->step[axis];
        }
        *data += base * memory->stride[s];
        if (step == 0) {
            if (base < 0 || base >= memory->shape[s])
                return false;
            continue;
        }
        struct sta__axis_map inverse = {base, step, axis};
        int64_t low = sta__view_cut(&inverse, 0), high = sta__view_cut(&inverse, memory->shape[s]);
        int64_t first = step > 0 ? low : high, end = step > 0 ? high : low;
        from[axis] = first > from[axis] ? first : from[axis];
        to[axis] = end < to[axis] ? end : to[axis];
        stride[axis] += step * memory->stride[s];
    }
    for (int a = 0; a < ndim; a++) {
        if (from[a] >= to[a])
            return false;
        *data += from[a] * stride[a];
    }
    return true;
}

static bool visit_cell(const struct sta__cell *cell, void *argument)
{
    const struct copying *c = argument;
    const struct sta__mosaic_arguments *a = c->arguments;
    int64_t from[STA_MAXDIM], to[STA_MAXDIM];
    struct sta__mosaic_box box = {.to_stride = c->to_stride};
    for (int i = 0; i < a->sources; i++) {
        if (a->source[i].part != cell->part || !clip(c, &a->source[i], cell, from, to, &box.from, box.from_stride))
            continue;
        box.to = c->job->memory[a->to].data;
        for (int d = 0; d < a->box.ndim; d++) {
            box.to += (from[d] - a->box.from[d]) * c->to_stride[d];
            box.shape[d] = to[d] - from[d];
        }
        if (!c->visit(&box, c->argument))
            return false;
    }
    return true;
}

bool sta__mosaic_boxes(const struct sta__job *job, const struct sta__box *share,
                       bool (*visit)(const struct sta__mosaic_box *box, void *argument), void *argument)
{
    const struct sta__mosaic_arguments *a = job->arguments;
    struct copying c = {.job = job, .arguments = a, .visit = visit, .argument = argument};
    int64_t step = (int64_t)sta_itemsize(job->memory[a->to].dtype);
    for (int d = a->box.ndim - 1; d >= 0; d--) {
        c.to_stride[d] = step;
        step *= a->box.to[d] - a->box.from[d];
    }
    return sta__cells(a->pattern, share, visit_cell, &c);
}

static bool copy_box(const struct sta__mosaic_box *box, void *argument)
{
    const struct sta__job *job = argument;
    const struct sta__mosaic_arguments *a = job->arguments;
    sta__copy_box(box->to, box->to_stride, box->from, box->from_stride, box->shape, a->box.ndim,
                  sta_itemsize(job->memory[a->to].dtype));
    return true;
}

static sta_error_code mosaic(struct sta__job *job)
{
    const struct sta__mosaic_arguments *a = job->arguments;
    int64_t team = job->threads > 1 ? job->threads : 1;
    int longest = 0;
    for (int d = 1; d < a->box.ndim; d++)
        if (a->box.to[d] - a->box.from[d] > a->box.to[longest] - a->box.from[longest])
            longest = d;
    team = a->box.ndim ? team : 1;
#pragma omp parallel for num_threads(job->threads) if (team > 1)
    for (int64_t m = 0; m < team; m++) {
        struct sta__box share = a->box;
        int64_t first = a->box.from[longest], length = a->box.to[longest] - first;
        if (team > 1) {
            share.from[longest] = first + length * m / team;
            share.to[longest] = first + length * (m + 1) / team;
        }
        if (!sta__mosaic_weave(job, &share))
            sta__mosaic_boxes(job, &share, copy_box, job);
    }
    return STA_ERROR_NONE;
}

static void mosaic_end(void *arguments)
{
    struct sta__mosaic_arguments *a = arguments;
    sta__pattern_drop(a->pattern);
}

const struct sta__kernel sta__mosaic_kernel = {
    .name = "mosaic", .cpu = mosaic, .end = mosaic_end, .cuda = sta__mosaic_cuda, .ready = sta__mosaic_ready};
