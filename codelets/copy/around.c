/* What an assignment to a part of a tile leaves of it: the old tile around the box that is written. Contract: around.h. */
#include "copy/around.h"

#include "copy/assemble.h"

#include <string.h>

/* The axis of the run that walks axis s of the target one by one; -1: none. */
static int axis_along(const struct sta__run *run, const struct sta__piece *piece, const struct sta__memory *to, int s)
{
    for (int a = 0; a < run->ndim; a++)
        if (run->extent[a] > 1 && to->shape[s] > 1 && piece->stride[a] == to->stride[s])
            return a;
    return -1;
}

bool sta__written_box(const struct sta__run *run, const struct sta__memory *to, int64_t *from, int64_t *end)
{
    const struct sta__piece *piece = run->operand[run->program->inputs].piece;
    int64_t offset = piece->base - to->data;
    int found = 0, axes = 0;
    for (int s = 0; s < to->ndim; s++) {
        int a = axis_along(run, piece, to, s);
        from[s] = offset / to->stride[s];
        offset -= from[s] * to->stride[s];
        end[s] = from[s] + (a < 0 ? 1 : run->extent[a]);
        found += a >= 0;
    }
    for (int a = 0; a < run->ndim; a++)
        axes += run->extent[a] > 1;
    return found == axes;
}

/* Of axis s the indices first .. last - 1, of the axes before it those of the box. */
static void copy_side(const struct sta__memory *to, const struct sta__memory *from, const int64_t *begin,
                      const int64_t *end, int s, int64_t first, int64_t last)
{
    int64_t shape[STA_MAXDIM], to_offset = first * to->stride[s], from_offset = first * from->stride[s];
    if (first >= last)
        return;
    memcpy(shape, to->shape, sizeof *shape * (size_t)to->ndim);
    shape[s] = last - first;
    for (int a = 0; a < s; a++) {
        shape[a] = end[a] - begin[a];
        to_offset += begin[a] * to->stride[a];
        from_offset += begin[a] * from->stride[a];
    }
    sta__copy_box(to->data + to_offset, to->stride, from->data + from_offset, from->stride, shape, to->ndim,
                  sta_itemsize(to->dtype));
}

void sta__copy_around(const struct sta__memory *to, const struct sta__memory *from, const int64_t *begin,
                      const int64_t *end)
{
    for (int s = 0; s < to->ndim; s++) {
        copy_side(to, from, begin, end, s, 0, begin[s]);
        copy_side(to, from, begin, end, s, end[s], to->shape[s]);
    }
}

void sta__copy_rest(struct sta__job *job)
{
    const struct sta__program_arguments *arguments = job->arguments;
    const struct sta__memory *from = &job->memory[arguments->copy_from], *to = &job->memory[arguments->copy_to];
    int64_t begin[STA_MAXDIM], end[STA_MAXDIM];
    struct sta__run run;
    bool box = to->ndim > 0 && !arguments->axes;
    if (box) {
        sta__run_open(&run, job);
        box = sta__written_box(&run, to, begin, end);
    }
    if (box)
        sta__copy_around(to, from, begin, end);
    else
        sta__memory_copy(to, from);
}
