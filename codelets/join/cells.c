/* Cells of a mosaic: plain arithmetic. Contract: mosaic.h. */
#include "join/mosaic.h"

int64_t sta__strip_find(const struct sta__pattern *pattern, int axis, int64_t index)
{
    const struct sta__strip *strip = pattern->strip[axis];
    int64_t low = 0, high = pattern->count[axis] - 1;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (strip[middle].end <= index)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct walk {
    const struct sta__pattern *pattern;
    const struct sta__box *box;
    int64_t first[STA_MAXDIM]; /* the first strip of each axis */
    bool (*visit)(const struct sta__cell *cell, void *argument);
    void *argument;
    struct sta__cell cell;
};

static bool walk_axis(struct walk *w, int axis, int part)
{
    const struct sta__pattern *pattern = w->pattern;
    if (axis == pattern->shape.ndim) {
        w->cell.part = part;
        return w->visit(&w->cell, w->argument);
    }
    int64_t from = w->box->from[axis], end = w->box->to[axis];
    for (int64_t k = w->first[axis]; from < end; k++) {
        const struct sta__strip *strip = &pattern->strip[axis][k];
        int64_t to = strip->end < end ? strip->end : end;
        w->cell.from[axis] = from;
        w->cell.to[axis] = to;
        w->cell.offset[axis] = strip->start - strip->step * sta__strip_first(pattern, axis, k);
        w->cell.step[axis] = strip->step;
        if (!walk_axis(w, axis + 1, strip->part ? strip->part : part))
            return false;
        from = to;
    }
    return true;
}

bool sta__cells(const struct sta__pattern *pattern, const struct sta__box *box,
                bool (*visit)(const struct sta__cell *cell, void *argument), void *argument)
{
    struct walk w = {.pattern = pattern, .box = box, .visit = visit, .argument = argument};
    for (int a = 0; a < pattern->shape.ndim; a++)
        w.first[a] = box->from[a] < box->to[a] ? sta__strip_find(pattern, a, box->from[a]) : 0;
    return walk_axis(&w, 0, 0);
}

int64_t sta__cells_count(const struct sta__pattern *pattern, const struct sta__box *box)
{
    int64_t cells = 1;
    for (int a = 0; a < pattern->shape.ndim; a++) {
        if (box->from[a] >= box->to[a])
            return 0;
        int64_t strips = sta__strip_find(pattern, a, box->to[a] - 1) - sta__strip_find(pattern, a, box->from[a]) + 1;
        if (__builtin_mul_overflow(cells, strips, &cells))
            return INT64_MAX;
    }
    return cells;
}
