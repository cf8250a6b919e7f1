/* Mosaics whose last axis has one element of each part, as of arrays that are stacked along it: lines of the parts are woven
 * into one, where cells would be copied element by element, each with gaps. Contract: mosaic.h. */
#include "join/mosaic.h"

#include "copy/lines.h"

#include <string.h>

enum { MOST = 8 }; /* elements along the last axis */

struct woven {
    const struct sta__copy_loops *loops;
    int64_t item;
    int ndim, most, count;
    int64_t to_stride[STA_MAXDIM]; /* of all boxes: theirs lie with who visits them */
    struct sta__mosaic_box box[MOST];
};

static bool gather(const struct sta__mosaic_box *box, void *argument)
{
    struct woven *w = argument;
    if (w->count == w->most)
        return false;
    memcpy(w->to_stride, box->to_stride, sizeof *w->to_stride * (size_t)w->ndim);
    w->box[w->count] = *box;
    w->box[w->count++].to_stride = w->to_stride;
    return true;
}

/* Whether the boxes are lines of neighbours: each one element along the last axis, contiguous along the axis before it. */
static bool fits(const struct woven *w)
{
    const int last = w->ndim - 1;
    for (int k = 0; k < w->count; k++) {
        const struct sta__mosaic_box *box = &w->box[k];
        bool same =
            box->shape[last] == 1 && box->to == w->box[0].to + k * w->item && box->from_stride[last - 1] == w->item;
        for (int a = 0; a < last; a++)
            same = same && box->shape[a] == w->box[0].shape[a];
        if (!same)
            return false;
    }
    return true;
}

/* Whether lines along the axis after `axis`, of n elements, follow each other in all parts. */
static bool follows(const struct woven *w, int axis, int64_t n)
{
    bool follows = w->to_stride[axis] == n * w->count * w->item;
    for (int k = 0; k < w->count; k++)
        follows = follows && w->box[k].from_stride[axis] == n * w->item;
    return follows;
}

static void weave_axes(const struct woven *w, int axis, int axes, int64_t n, char *to, const char *const *from)
{
    if (axis == axes) {
        w->loops->weave(n, w->count, to, from);
        return;
    }
    const char *line[MOST];
    for (int64_t i = 0; i < w->box[0].shape[axis]; i++) {
        for (int k = 0; k < w->count; k++)
            line[k] = from[k] + i * w->box[k].from_stride[axis];
        weave_axes(w, axis + 1, axes, n, to + i * w->to_stride[axis], line);
    }
}

bool sta__mosaic_weave(const struct sta__job *job, const struct sta__box *share)
{
    const struct sta__mosaic_arguments *a = job->arguments;
    const int last = a->box.ndim - 1;
    const size_t item = sta_itemsize(job->memory[a->to].dtype);
    const int64_t width = last < 1 ? 0 : a->box.to[last] - a->box.from[last];
    if (width < 2 || width > MOST || a->pattern->count[last] < width || share->to[last] - share->from[last] != width)
        return false;
    struct woven w = {sta__copy_loops(item), (int64_t)item, a->box.ndim, (int)width, 0, {0}, {{0}}};
    if (!sta__mosaic_boxes(job, share, gather, &w) || w.count != width || !fits(&w))
        return false;
    int axes = last - 1;
    int64_t n = w.box[0].shape[axes];
    for (; axes > 0 && follows(&w, axes - 1, n); axes--)
        n *= w.box[0].shape[axes - 1];
    const char *from[MOST];
    for (int k = 0; k < w.count; k++)
        from[k] = w.box[k].from;
    weave_axes(&w, 0, axes, n, w.box[0].to, from);
    return true;
}
