/* Indices and the operations that make a view from a view: plain arithmetic, no StarPU, no arrays.
 *
 * Functions return STA_ERROR_NONE, or a code with the reason, in the array's terms, in `why`; then the view is as it
 * was.
 */
#ifndef STA__SLICE_H
#define STA__SLICE_H

#include "internal.h"

#include <starray/shape.h>

#define STA__WHY 200                       /* bytes of `why` */
#define STA__MAXSPANS (2 * STA_MAXDIM + 1) /* every axis named, as many new ones, and "..." */

/* NumPy's index text. `to` has room for STA__MAXSPANS. */
sta_error_code sta__slice_parse(const char *text, sta_span *to, int *count, char *why);
sta_error_code sta__view_index(struct sta__view *view, const sta_span *spans, int count, char *why);
/* Python's clipping of a slice to an axis of `length`: what comes out has 0 <= start, and start + (count - 1) * step,
 * in the axis; where count < 2 the step is 1. False: the step is 0. */
bool sta__slice_clip(const sta_span *slice, int64_t length, int64_t *start, int64_t *step, int64_t *count);

/* Axes of the caller: negative ones counted from the end; in range; each once. all: what STA_ALL stands for. */
sta_error_code sta__axis(int64_t axis, int ndim, int *to, char *why);
sta_error_code sta__axes(const sta_dims *axes, int ndim, int *to, int *count, char *why);

sta_error_code sta__view_transpose(struct sta__view *view, const sta_dims *axes, char *why);
sta_error_code sta__view_swapaxes(struct sta__view *view, int64_t a, int64_t b, char *why);
sta_error_code sta__view_moveaxis(struct sta__view *view, const sta_dims *from, const sta_dims *to, char *why);
sta_error_code sta__view_squeeze(struct sta__view *view, const sta_dims *axes, char *why);
sta_error_code sta__view_expand_dims(struct sta__view *view, const sta_dims *axes, char *why);
sta_error_code sta__view_broadcast_to(struct sta__view *view, const sta_dims *shape, char *why);
sta_error_code sta__view_diagonal(struct sta__view *view, int64_t offset, int64_t a, int64_t b, char *why);
sta_error_code sta__view_flip(struct sta__view *view, const sta_dims *axes, char *why);
sta_error_code sta__view_rot90(struct sta__view *view, int64_t k, int64_t first, int64_t second, char *why);

/* What all of them are made of. For each array axis: the new index i of axis `axis` (-1: none) stands for the old index
 * start + step * i. */
struct sta__axis_change {
    int64_t start, step;
    int axis;
};
void sta__view_change(struct sta__view *view, const struct sta__axis_change *changes, const struct sta__shape *shape);

#endif
