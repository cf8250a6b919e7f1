/* Differences of neighbours, and what is made of them. */
#include "scan/difference.h"

#include "internal.h"

#include <math.h>
#include <string.h>

sta_array sta__across(sta_array x, int64_t axis, int ndim)
{
    sta_span spans[STA_MAXDIM];
    for (int a = 0; a < ndim - axis; a++)
        spans[a] = a == 0 ? STA_SPAN_ALL : STA_SPAN_NEW;
    return sta_index(x, spans, ndim - (int)axis);
}

/* ---- diff ---- */

/* One step: bool elements differ or not. */
static sta_array step(sta_array x, int64_t axis)
{
    const bool truth = sta_dtype_of(x) == STA_bool;
    const sta_array right = sta__along(x, axis, 1, 0), left = sta__along(x, axis, 0, -1);
    return truth ? sta_not_equal(right, left) : sta_subtract(right, left);
}

/* x with what stands before and behind it; a number stands for one index of the axis. */
static sta_array extended(sta_array x, int64_t axis, const sta_diff_options *options)
{
    sta_array parts[3];
    int count = 0;
    const sta_array ends[] = {options->prepend, x, options->append};
    for (int i = 0; i < 3; i++) {
        sta_dims one = sta_shape(x);
        one.at[axis] = 1;
        if (ends[i].id)
            parts[count++] = sta_ndim(ends[i]) || sta__in_error(ends[i]) ? ends[i] : sta_broadcast_to(ends[i], one);
    }
    return count > 1 ? sta_concat(parts, count, axis) : x;
}

static sta_array diff(sta_array x, int64_t n, int64_t axis, const sta_diff_options *options)
{
    sta_array y;
    axis = sta__axis_in("diff", x, axis, &y);
    if (axis < 0)
        return y;
    if (n < 0)
        return sta__failed("diff", STA_ERROR_VALUE, "the number of differences is negative");
    if (options && options->size != sizeof *options)
        return sta__failed("diff", STA_ERROR_VALUE, "options of a wrong size");
    y = n && options ? extended(x, axis, options) : x;
    const int64_t length = sta_shape(y).at[axis];
    n = n > length ? length : n; /* more of them change nothing */
    for (int64_t i = 0; i < n && !sta__in_error(y); i++)
        y = step(y, axis);
    return y.id == x.id ? sta_copy(x) : y;
}

sta_array sta_diff_ex(sta_array x, int64_t n, int64_t axis, const sta_diff_options *options)
{
    const sta_scope scope = sta_open();
    return sta__composed(scope, diff(sta__taken(x), n, axis, options));
}

sta_array sta_diff(sta_array x, int64_t n, int64_t axis)
{
    return sta_diff_ex(x, n, axis, NULL);
}

static sta_array ediff1d(sta_array x, sta_array to_begin, sta_array to_end)
{
    sta_array parts[3];
    int count = 0;
    if (sta__in_error(x))
        return x;
    const sta_array line = sta__line(x);
    const sta_array steps = sta_dtype_of(x) == STA_bool ? sta_subtract(x, x) : step(line, 0); /* of bool: the error */
    if (to_begin.id)
        parts[count++] = sta__line(sta_astype(to_begin, sta_dtype_of(steps)));
    parts[count++] = steps;
    if (to_end.id)
        parts[count++] = sta__line(sta_astype(to_end, sta_dtype_of(steps)));
    return count > 1 ? sta_concat(parts, count, 0) : steps;
}

sta_array sta_ediff1d(sta_array x, sta_array to_begin, sta_array to_end)
{
    const sta_scope scope = sta_open();
    return sta__composed(scope, ediff1d(sta__taken(x), to_begin, to_end));
}

/* ---- cross ---- */

static sta_array component(sta_array a, sta_array b, int i, int j)
{
    const sta_array ij = sta_multiply(sta_slice(a, "..., %d", i), sta_slice(b, "..., %d", j));
    const sta_array ji = sta_multiply(sta_slice(a, "..., %d", j), sta_slice(b, "..., %d", i));
    return sta_subtract(ij, ji);
}

static sta_array cross(sta_array a, sta_array b, int64_t axis)
{
    sta_array failed;
    const int64_t ia = sta__axis_in("cross", a, axis, &failed),
                  ib = ia < 0 ? -1 : sta__axis_in("cross", b, axis, &failed);
    if (ib < 0)
        return failed;
    if (sta_shape(a).at[ia] != 3 || sta_shape(b).at[ib] != 3)
        return sta__failed("cross", STA_ERROR_SHAPE, "vectors have 3 components along the axis");
    const sta_array x = sta_moveaxis(a, STA_AXES(axis), STA_AXES(-1)),
                    y = sta_moveaxis(b, STA_AXES(axis), STA_AXES(-1));
    const sta_array c[] = {component(x, y, 1, 2), component(x, y, 2, 0), component(x, y, 0, 1)};
    if (sta__in_error(c[0]))
        return c[0];
    sta_dims shape = sta_shape(c[0]);
    shape.at[shape.count++] = 3;
    const sta_array result = sta_empty(shape, sta_dtype_of(c[0]));
    for (int i = 0; i < 3; i++)
        sta_assign(sta_slice(result, "..., %d", i), c[i]);
    return sta_moveaxis(result, STA_AXES(-1), STA_AXES(axis));
}

sta_array sta_cross(sta_array a, sta_array b, int64_t axis)
{
    const sta_scope scope = sta_open();
    return sta__composed(scope, cross(sta__taken(a), sta__taken(b), axis));
}

/* ---- trapezoid ---- */

static sta_array trapezoid(sta_array y, sta_array x, double dx, int64_t axis)
{
    sta_array failed;
    const int ndim = sta_ndim(y);
    axis = sta__axis_in("trapezoid", y, axis, &failed);
    if (axis < 0 || (x.id && sta__axis_in("trapezoid", x, sta_ndim(x) == 1 ? 0 : axis, &failed) < 0))
        return failed;
    const sta_array sums = sta_add(sta__along(y, axis, 1, 0), sta__along(y, axis, 0, -1));
    sta_array steps = sta_float(dx);
    if (x.id && sta_ndim(x) == 1)
        steps = sta__across(step(x, 0), axis, ndim);
    else if (x.id)
        steps = step(x, axis);
    return sta_sum(sta_divide(sta_multiply(steps, sums), sta_float(2)), STA_AXES(axis), 0);
}

sta_array sta_trapezoid(sta_array y, sta_array x, double dx, int64_t axis)
{
    const sta_scope scope = sta_open();
    return sta__composed(scope, trapezoid(sta__taken(y), sta__taken(x), dx, axis));
}

/* ---- unwrap ---- */

/* The steps moved into [-period / 2, period / 2), less the steps; 0 where those are small enough. */
static sta_array correction(sta_array steps, double discont, double period, bool whole)
{
    const double half = whole ? floor(period / 2) : period / 2;
    const bool ambiguous = !whole || fmod(period, 2) == 0;
    const sta_array high = whole ? sta_int((int64_t)half) : sta_float(half), low = sta_negative(high);
    const sta_array round = whole ? sta_int((int64_t)period) : sta_float(period);
    sta_array moved = sta_add(sta_remainder(sta_subtract(steps, low), round), low);
    if (ambiguous)
        moved = sta_where(sta_logical_and(sta_equal(moved, low), sta_greater(steps, sta_int(0))), high, moved);
    return sta_where(sta_less(sta_absolute(steps), sta_float(discont)), sta_int(0), sta_subtract(moved, steps));
}

static sta_array moved(sta_array p, int64_t axis, double discont, double period)
{
    const enum sta__kind kind = sta__dtype_kind(sta_dtype_of(p));
    const bool whole = kind < STA__KIND_FLOATING && period == floor(period);
    const sta_array x = kind < STA__KIND_FLOATING && !whole ? sta_astype(p, STA_float64) : p;
    const sta_array result = sta_copy(x), rest = sta__along(result, axis, 1, 0);
    if (sta_shape(x).at[axis] > 1)
        sta_assign(rest, sta_add(sta__along(x, axis, 1, 0),
                                 sta_cumsum(correction(step(x, axis), discont, period, whole), axis)));
    return result;
}

static sta_array unwrap(sta_array p, int64_t axis, const sta_unwrap_options *options)
{
    sta_array failed;
    const double period = options && options->period != 0 ? options->period : 6.283185307179586;
    const double discont = options && options->discont != 0 ? options->discont : period / 2;
    axis = sta__axis_in("unwrap", p, axis, &failed);
    if (axis < 0)
        return failed;
    if (options && options->size != sizeof *options)
        return sta__failed("unwrap", STA_ERROR_VALUE, "options of a wrong size");
    if (sta__dtype_kind(sta_dtype_of(p)) == STA__KIND_COMPLEX || sta_dtype_of(p) == STA_bool)
        return sta__failed("unwrap", STA_ERROR_DTYPE, "angles are real numbers");
    if (!(period > 0) || isinf(period))
        return sta__failed("unwrap", STA_ERROR_VALUE, "the period is not a positive number");
    return moved(p, axis, discont, period);
}

sta_array sta_unwrap(sta_array p, int64_t axis, const sta_unwrap_options *options)
{
    const sta_scope scope = sta_open();
    return sta__composed(scope, unwrap(sta__taken(p), axis, options));
}
