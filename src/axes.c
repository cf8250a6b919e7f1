/* Operations that make a view from a view by its axes: transpose, squeeze, diagonal, ... Contract: slice.h. */
#include "slice.h"

#include <inttypes.h>
#include <stdio.h>

sta_error_code sta__axis(int64_t axis, int ndim, int *to, char *why)
{
    if (axis < -ndim || axis >= ndim) {
        snprintf(why, STA__WHY, "axis %" PRId64 " is out of range: ndim is %d", axis, ndim);
        return STA_ERROR_AXIS;
    }
    *to = (int)(axis < 0 ? axis + ndim : axis);
    return STA_ERROR_NONE;
}

sta_error_code sta__axes(const sta_dims *axes, int ndim, int *to, int *count, char *why)
{
    bool seen[STA_MAXDIM] = {false};
    if (axes->count < -1 || axes->count > ndim) {
        snprintf(why, STA__WHY, "%d axes are given, but ndim is %d", axes->count, ndim);
        return STA_ERROR_AXIS;
    }
    *count = axes->count < 0 ? ndim : axes->count;
    for (int i = 0; i < *count; i++) {
        sta_error_code error = sta__axis(axes->count < 0 ? i : axes->at[i], ndim, &to[i], why);
        if (error)
            return error;
        if (seen[to[i]]) {
            snprintf(why, STA__WHY, "axis %d is given twice", to[i]);
            return STA_ERROR_AXIS;
        }
        seen[to[i]] = true;
    }
    return STA_ERROR_NONE;
}

/* Axis i of the result is axis order[i]. */
static void permute(struct sta__view *view, const int *order)
{
    struct sta__axis_change change[STA_MAXDIM];
    struct sta__shape shape = {.ndim = view->shape.ndim};
    for (int i = 0; i < shape.ndim; i++) {
        change[order[i]] = (struct sta__axis_change){0, 1, i};
        shape.at[i] = view->shape.at[order[i]];
    }
    sta__view_change(view, change, &shape);
}

sta_error_code sta__view_transpose(struct sta__view *view, const sta_dims *axes, char *why)
{
    int order[STA_MAXDIM], count, ndim = view->shape.ndim;
    sta_error_code error = sta__axes(axes, ndim, order, &count, why);
    if (error)
        return error;
    if (count != ndim) {
        snprintf(why, STA__WHY, "%d axes are given, but ndim is %d", count, ndim);
        return STA_ERROR_AXIS;
    }
    for (int i = 0; i < ndim && axes->count < 0; i++)
        order[i] = ndim - 1 - i;
    permute(view, order);
    return STA_ERROR_NONE;
}

sta_error_code sta__view_swapaxes(struct sta__view *view, int64_t a, int64_t b, char *why)
{
    int first, second, order[STA_MAXDIM], ndim = view->shape.ndim;
    sta_error_code error = sta__axis(a, ndim, &first, why);
    if (!error)
        error = sta__axis(b, ndim, &second, why);
    if (error)
        return error;
    for (int i = 0; i < ndim; i++)
        order[i] = i == first ? second : i == second ? first : i;
    permute(view, order);
    return STA_ERROR_NONE;
}

sta_error_code sta__view_moveaxis(struct sta__view *view, const sta_dims *from, const sta_dims *to, char *why)
{
    int source[STA_MAXDIM], target[STA_MAXDIM], count, targets, ndim = view->shape.ndim;
    sta_error_code error = sta__axes(from, ndim, source, &count, why);
    if (!error)
        error = sta__axes(to, ndim, target, &targets, why);
    if (error)
        return error;
    if (count != targets) {
        snprintf(why, STA__WHY, "%d axes cannot move to %d places", count, targets);
        return STA_ERROR_AXIS;
    }
    bool moves[STA_MAXDIM] = {false};
    int order[STA_MAXDIM];
    for (int i = 0; i < ndim; i++)
        order[i] = -1;
    for (int i = 0; i < count; i++) {
        order[target[i]] = source[i];
        moves[source[i]] = true;
    }
    for (int i = 0, next = 0; i < ndim; i++) {
        if (order[i] >= 0)
            continue;
        while (moves[next])
            next++;
        order[i] = next++;
    }
    permute(view, order);
    return STA_ERROR_NONE;
}

sta_error_code sta__view_squeeze(struct sta__view *view, const sta_dims *axes, char *why)
{
    int list[STA_MAXDIM], count, ndim = view->shape.ndim;
    sta_error_code error = sta__axes(axes, ndim, list, &count, why);
    if (error)
        return error;
    bool goes[STA_MAXDIM] = {false};
    for (int i = 0; i < count; i++) {
        bool single = view->shape.at[list[i]] == 1;
        if (!single && axes->count >= 0) {
            snprintf(why, STA__WHY, "axis %d has length %" PRId64 ", not 1", list[i], view->shape.at[list[i]]);
            return STA_ERROR_SHAPE;
        }
        goes[list[i]] = single;
    }
    struct sta__axis_change change[STA_MAXDIM];
    struct sta__shape shape = {.ndim = 0};
    for (int i = 0; i < ndim; i++) {
        change[i] = (struct sta__axis_change){0, 1, goes[i] ? -1 : shape.ndim};
        if (!goes[i])
            shape.at[shape.ndim++] = view->shape.at[i];
    }
    sta__view_change(view, change, &shape);
    return STA_ERROR_NONE;
}

sta_error_code sta__view_expand_dims(struct sta__view *view, const sta_dims *axes, char *why)
{
    int list[STA_MAXDIM], count, ndim = view->shape.ndim + axes->count;
    if (axes->count < 0 || ndim > STA_MAXDIM) {
        snprintf(why, STA__WHY, "%d new axes for ndim %d: at most %d axes are possible", axes->count, view->shape.ndim,
                 STA_MAXDIM);
        return axes->count < 0 ? STA_ERROR_AXIS : STA_ERROR_SHAPE;
    }
    sta_error_code error = sta__axes(axes, ndim, list, &count, why);
    if (error)
        return error;
    bool fresh[STA_MAXDIM] = {false};
    for (int i = 0; i < count; i++)
        fresh[list[i]] = true;
    struct sta__axis_change change[STA_MAXDIM];
    struct sta__shape shape = {.ndim = ndim};
    for (int i = 0, old = 0; i < ndim; i++) {
        shape.at[i] = fresh[i] ? 1 : view->shape.at[old];
        if (!fresh[i])
            change[old++] = (struct sta__axis_change){0, 1, i};
    }
    sta__view_change(view, change, &shape);
    return STA_ERROR_NONE;
}

sta_error_code sta__view_broadcast_to(struct sta__view *view, const sta_dims *shape, char *why)
{
    char have[STA__WHY / 2], want[STA__WHY / 2];
    struct sta__shape to = {.ndim = shape->count};
    if (shape->count < 0 || shape->count > STA_MAXDIM) {
        snprintf(why, STA__WHY, "a shape of %d axes: 0 to %d are possible", shape->count, STA_MAXDIM);
        return STA_ERROR_SHAPE;
    }
    for (int i = 0; i < to.ndim; i++)
        to.at[i] = shape->at[i];
    int64_t size;
    struct sta__shape both = to;
    bool negative = false;
    for (int i = 0; i < to.ndim; i++)
        negative |= to.at[i] < 0;
    if (negative || !sta__broadcast(&both, &view->shape) || !sta__shape_equal(&both, &to)) {
        snprintf(why, STA__WHY, "shape %.80s cannot be broadcast to %.80s",
                 sta__shape_text(&view->shape, have, sizeof have), sta__shape_text(&to, want, sizeof want));
        return STA_ERROR_SHAPE;
    }
    if (!sta__shape_size(&to, &size)) {
        snprintf(why, STA__WHY, "the size of shape %.120s overflows 63 bits", sta__shape_text(&to, want, sizeof want));
        return STA_ERROR_TOO_LARGE;
    }
    sta__view_broadcast(view, &to);
    return STA_ERROR_NONE;
}

/* Where a diagonal begins and how long it is, for a start at -offset or offset along either axis. */
static int64_t diagonal_length(int64_t rows, int64_t columns, int64_t offset, int64_t *row, int64_t *column)
{
    if (offset > columns || offset < -rows)
        return 0;
    *row = offset < 0 ? -offset : 0;
    *column = offset > 0 ? offset : 0;
    int64_t down = rows - *row, right = columns - *column;
    return down < right ? down : right;
}

sta_error_code sta__view_diagonal(struct sta__view *view, int64_t offset, int64_t a, int64_t b, char *why)
{
    int axes[2], count, ndim = view->shape.ndim;
    sta_dims both = {2, {a, b}};
    if (ndim < 2) {
        snprintf(why, STA__WHY, "a diagonal needs two axes: ndim is %d", ndim);
        return STA_ERROR_SHAPE;
    }
    sta_error_code error = sta__axes(&both, ndim, axes, &count, why);
    if (error)
        return error;
    int64_t start[2] = {0, 0};
    int64_t length = diagonal_length(view->shape.at[axes[0]], view->shape.at[axes[1]], offset, &start[0], &start[1]);
    if (length == 0)
        start[0] = start[1] = 0;
    struct sta__axis_change change[STA_MAXDIM];
    struct sta__shape shape = {.ndim = 0};
    for (int i = 0; i < ndim; i++) {
        if (i == axes[0] || i == axes[1]) {
            change[i] = (struct sta__axis_change){start[i == axes[1]], 1, ndim - 2};
            continue;
        }
        change[i] = (struct sta__axis_change){0, 1, shape.ndim};
        shape.at[shape.ndim++] = view->shape.at[i];
    }
    shape.at[shape.ndim++] = length;
    sta__view_change(view, change, &shape);
    return STA_ERROR_NONE;
}

sta_error_code sta__view_flip(struct sta__view *view, const sta_dims *axes, char *why)
{
    int list[STA_MAXDIM], count;
    sta_error_code error = sta__axes(axes, view->shape.ndim, list, &count, why);
    if (error)
        return error;
    struct sta__shape shape = view->shape;
    struct sta__axis_change change[STA_MAXDIM];
    for (int i = 0; i < shape.ndim; i++)
        change[i] = (struct sta__axis_change){0, 1, i};
    for (int i = 0; i < count; i++)
        if (shape.at[list[i]] > 1)
            change[list[i]] = (struct sta__axis_change){shape.at[list[i]] - 1, -1, list[i]};
    sta__view_change(view, change, &shape);
    return STA_ERROR_NONE;
}

/* Two flips, or a flip before or after an exchange of the axes, as NumPy does it. */
sta_error_code sta__view_rot90(struct sta__view *view, int64_t k, int64_t first, int64_t second, char *why)
{
    int axes[2], count;
    sta_dims both = {2, {first, second}};
    sta_error_code error = sta__axes(&both, view->shape.ndim, axes, &count, why);
    if (error)
        return error;
    int turns = (int)((k % 4 + 4) % 4);
    sta_dims one = {1, {turns == 1 ? axes[1] : axes[0]}};
    sta_dims two = {2, {axes[0], axes[1]}};
    if (turns != 0)
        sta__view_flip(view, turns == 2 ? &two : &one, why);
    if (turns % 2 == 1)
        sta__view_swapaxes(view, first, second, why);
    return STA_ERROR_NONE;
}
