/* Padding with numbers computed from x: one axis after the other, as NumPy does, made of the functions that users have.
 * Intermediate arrays live in a scope of their own. */
#include "composed.h"
#include "join/pad.h"

#include <starray/starray.h>

/* The indices from .. to of an axis. */
static sta_array part(sta_array x, int axis, int64_t from, int64_t to, bool backwards)
{
    sta_span spans[STA_MAXDIM];
    for (int a = 0; a < axis; a++)
        spans[a] = STA_SPAN_ALL;
    spans[axis] = STA_SPAN_RANGE(from, to);
    sta_array result = sta_index(x, spans, axis + 1);
    return backwards ? sta_flip(result, STA_AXES(axis)) : result;
}

/* An array with one index along the axis, repeated. */
static sta_array widened(sta_array x, int axis, int64_t width)
{
    sta_dims shape = sta_shape(x);
    shape.at[axis] = width;
    return sta_broadcast_to(x, shape);
}

static sta_array joined(sta_array before, sta_array x, sta_array after, int axis)
{
    const sta_array all[3] = {before, x, after};
    return sta_concat(all, 3, axis);
}

static int64_t length_of(sta_array x, int axis)
{
    return sta_shape(x).at[axis];
}

/* ---- reflections about the edge's value ---- */

static sta_array mirrored(sta_array chunk, sta_array edge, sta_dtype dtype)
{
    return sta_astype(sta_subtract(sta_multiply(edge, sta_int(2)), chunk), dtype);
}

/* One more reflection on both sides. `period` is the length that x had first. */
static sta_array reflect_once(sta_array x, int axis, int64_t period, int64_t *left, int64_t *right, bool symmetric)
{
    int64_t length = length_of(x, axis), whole;
    if (symmetric)
        whole = length / period * period;
    else
        whole = (length - 1) / (period - 1) * (period - 1);
    int64_t skip = symmetric ? 0 : 1, before = whole < *left ? whole : *left, after = whole < *right ? whole : *right;
    sta_dtype dtype = sta_dtype_of(x);
    sta_array first = mirrored(part(x, axis, skip, skip + before, true), part(x, axis, 0, 1, false), dtype);
    sta_array last = mirrored(part(x, axis, length - skip - after, length - skip, true),
                              part(x, axis, length - 1, length, false), dtype);
    *left -= before;
    *right -= after;
    return joined(first, x, last, axis);
}

static sta_array reflect(sta_array x, const struct sta__pad *pad, int axis)
{
    int64_t left = pad->width[axis][0], right = pad->width[axis][1], period = length_of(x, axis);
    bool symmetric = pad->options.mode == STA_PAD_SYMMETRIC;
    if (period == 1 && !symmetric) /* its edge is all that it has */
        return joined(widened(x, axis, left), x, widened(x, axis, right), axis);
    while ((left > 0 || right > 0) && !sta__in_error(x))
        x = reflect_once(x, axis, period, &left, &right, symmetric);
    return x;
}

/* ---- ramps ---- */

/* From `end` at the outer side to the edge of x, which is not part of it; as NumPy's linspace. */
static sta_array ramp(sta_array edge, sta_array end, int axis, int64_t width)
{
    if (sta__in_error(edge) || sta__in_error(end))
        return sta__in_error(edge) ? edge : end;
    sta_dims shape = {sta_ndim(edge), {0}};
    for (int a = 0; a < shape.count; a++)
        shape.at[a] = 1;
    shape.at[axis] = width;
    const sta_dtype real = STA_float64, dtype = sta_dtype_of(edge);
    sta_dims places = {shape.count - 1, {0}};
    for (int a = 0, n = 0; a < shape.count; a++)
        if (a != axis)
            places.at[n++] = a;
    sta_array at = sta_expand_dims(sta_arange(0, (double)width, 1, real), places);
    sta_dtype wide = sta_promote_types(sta_promote_types(dtype, sta_dtype_of(end)), real);
    sta_array start = sta_astype(end, wide), delta = sta_subtract(sta_astype(edge, wide), start);
    sta_array step = sta_divide(delta, sta_float((double)width));
    sta_array level = sta_any(sta_equal(step, sta_int(0)), STA_ALL, 0);
    sta_array one = sta_multiply(sta_divide(at, sta_float((double)width)), delta), other = sta_multiply(at, step);
    sta_array line = sta_add(sta_where(level, one, other), start);
    bool whole = sta_isdtype(dtype, "integral");
    return sta_astype(whole ? sta_floor(line) : line, dtype);
}

static sta_array ramps(sta_array x, const struct sta__pad *pad, int axis)
{
    const int64_t *width = pad->width[axis], length = length_of(x, axis);
    sta_array end[2] = {sta_int(0), sta_int(0)};
    sta_dims shape = {0, {0}};
    for (int side = 0; side < 2 && pad->options.values; side++)
        end[side] = sta_broadcast_to(pad->options.values[axis][side], shape);
    sta_array before = ramp(part(x, axis, 0, 1, false), end[0], axis, width[0]);
    sta_array after = ramp(part(x, axis, length - 1, length, false), end[1], axis, width[1]);
    return joined(before, x, sta_flip(after, STA_AXES(axis)), axis);
}

/* ---- statistics ---- */

static sta_array statistic(sta_array chunk, int axis, sta_pad_mode mode)
{
    const sta_dims axes = STA_AXES(axis);
    switch (mode) {
    case STA_PAD_MAXIMUM:
        return sta_max(chunk, axes, STA_KEEPDIMS);
    case STA_PAD_MINIMUM:
        return sta_min(chunk, axes, STA_KEEPDIMS);
    case STA_PAD_MEDIAN:
        return sta_median(chunk, axes, STA_KEEPDIMS);
    default:
        return sta_mean(chunk, axes, STA_KEEPDIMS);
    }
}

/* How many indices of the axis the statistic of one side is taken of. */
static int64_t taken(const struct sta__pad *pad, int axis, int which, int64_t length)
{
    const int64_t wanted = pad->options.stat_length ? pad->options.stat_length[axis][which] : length;
    return wanted < length ? wanted : length;
}

static sta_array side(sta_array x, const struct sta__pad *pad, int axis, int which)
{
    const sta_dtype dtype = sta_dtype_of(x);
    const int64_t length = length_of(x, axis), count = taken(pad, axis, which, length);
    sta_array chunk = which ? part(x, axis, length - count, length, false) : part(x, axis, 0, count, false);
    sta_array result = statistic(chunk, axis, pad->options.mode);
    if (sta_isdtype(dtype, "integral"))
        result = sta_rint(result);
    return sta_astype(result, dtype);
}

static sta_array statistics(sta_array x, const struct sta__pad *pad, int axis)
{
    const int64_t *width = pad->width[axis], length = length_of(x, axis);
    const bool same = taken(pad, axis, 0, length) == length && taken(pad, axis, 1, length) == length;
    const sta_array before = side(x, pad, axis, 0), after = same ? before : side(x, pad, axis, 1);
    return joined(widened(before, axis, width[0]), x, widened(after, axis, width[1]), axis);
}

/* ---- all axes ---- */

sta_array sta__pad_computed(sta_array x, const struct sta__pad *pad)
{
    const sta_pad_mode mode = pad->options.mode;
    sta_scope scope = sta_open();
    sta_array result = sta_copy(x);
    int ndim = sta_ndim(x);
    for (int a = 0; a < ndim && !sta__in_error(result); a++) {
        if (pad->width[a][0] == 0 && pad->width[a][1] == 0)
            continue;
        if (mode == STA_PAD_REFLECT || mode == STA_PAD_SYMMETRIC)
            result = reflect(result, pad, a);
        else if (mode == STA_PAD_LINEAR_RAMP)
            result = ramps(result, pad, a);
        else
            result = statistics(result, pad, a);
    }
    sta_keep(result);
    sta_close(scope);
    return result;
}
