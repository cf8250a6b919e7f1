/* Differences of neighbours, and what is made of them. */
#include "scan/difference.h"

#include "internal.h"
#include "slice.h"

#include <math.h>
#include <string.h>

/* ---- slices ---- */

sta_array sta__along(sta_array x, int64_t axis, int64_t start, int64_t stop)
{
    sta_span spans[STA_MAXDIM];
    for (int a = 0; a < axis; a++)
        spans[a] = STA_SPAN_ALL;
    spans[axis] = stop ? STA_SPAN_RANGE(start, stop) : STA_SPAN_FROM(start);
    return sta_index(x, spans, (int)axis + 1);
}

sta_array sta__across(sta_array x, int64_t axis, int ndim)
{
    sta_span spans[STA_MAXDIM];
    for (int a = 0; a < ndim - axis; a++)
        spans[a] = a == 0 ? STA_SPAN_ALL : STA_SPAN_NEW;
    return sta_index(x, spans, ndim - (int)axis);
}

sta_array sta__difference_error(const char *op, sta_error_code code, const char *text)
{
    struct sta__call call = sta__enter(op);
    sta__fail(&call, code, "%s", text);
    return sta__leave(&call, NULL);
}

int64_t sta__difference_axis(const char *op, sta_array x, int64_t axis, sta_array *failed)
{
    char why[STA__WHY];
    int found = -1;
    struct sta__operand operand;
    struct sta__call call = sta__enter(op);
    if (sta__operand_of(&call, x, &operand)) {
        const int ndim = operand.view.shape.ndim;
        const sta_error_code code = ndim ? sta__axis(axis, ndim, &found, why) : STA_ERROR_NONE;
        if (ndim == 0)
            sta__fail(&call, STA_ERROR_SHAPE, "the shape is (): there is no axis");
        else if (code)
            sta__fail(&call, code, "%s", why);
        sta__operand_drop(&operand);
    }
    if (!call.error) {
        sta__call_end(&call);
        return found;
    }
    *failed = sta__leave(&call, NULL);
    return -1;
}

sta_array sta__difference_end(sta_scope scope, sta_array result)
{
    sta_keep(result);
    sta_close(scope);
    return result;
}

/* ---- diff ---- */

/* One step: bool elements differ or not. */
static sta_array step(sta_array x, int64_t axis)
{
    const bool truth = sta_dtype_of(x) == STA_bool;
    const sta_array right = sta__along(x, axis, 1, 0), left = sta__along(x, axis, 0, -1);
    return truth ? sta_not_equal(right, left) : sta_subtract(right, left);
}

sta_array sta_diff(sta_array x, int64_t n, int64_t axis)
{
    sta_array failed;
    axis = sta__difference_axis("diff", x, axis, &failed);
    if (axis < 0)
        return failed;
    if (n < 0)
        return sta__difference_error("diff", STA_ERROR_VALUE, "the number of differences is negative");
    const sta_dims shape = sta_shape(x);
    sta_scope scope = sta_open();
    n = n > shape.at[axis] ? shape.at[axis] : n; /* more of them change nothing */
    sta_array y = n ? x : sta_copy(x);
    for (int64_t i = 0; i < n; i++)
        y = step(y, axis);
    return sta__difference_end(scope, y);
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
    const sta_array x = sta_moveaxis(a, STA_AXES(axis), STA_AXES(-1)), y = sta_moveaxis(b, STA_AXES(axis), STA_AXES(-1));
    const sta_array c[] = {component(x, y, 1, 2), component(x, y, 2, 0), component(x, y, 0, 1)};
    if (sta_check(c[0]))
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
    sta_array failed;
    const int64_t ia = sta__difference_axis("cross", a, axis, &failed);
    const int64_t ib = ia < 0 ? -1 : sta__difference_axis("cross", b, axis, &failed);
    if (ib < 0)
        return failed;
    if (sta_shape(a).at[ia] != 3 || sta_shape(b).at[ib] != 3)
        return sta__difference_error("cross", STA_ERROR_SHAPE, "vectors have 3 components along the axis");
    sta_scope scope = sta_open();
    return sta__difference_end(scope, cross(a, b, axis));
}

/* ---- trapezoid ---- */

static sta_array trapezoid(sta_array y, sta_array x, double dx, int64_t axis)
{
    const int ndim = sta_ndim(y);
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
    sta_array failed;
    axis = sta__difference_axis("trapezoid", y, axis, &failed);
    if (axis < 0 || (x.id && sta__difference_axis("trapezoid", x, sta_ndim(x) == 1 ? 0 : axis, &failed) < 0))
        return failed;
    sta_scope scope = sta_open();
    return sta__difference_end(scope, trapezoid(y, x, dx, axis));
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

static sta_array unwrap(sta_array p, int64_t axis, double discont, double period)
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

sta_array sta_unwrap(sta_array p, int64_t axis, const sta_unwrap_options *options)
{
    sta_array failed;
    double period = 6.283185307179586, discont = 0;
    axis = sta__difference_axis("unwrap", p, axis, &failed);
    if (axis < 0)
        return failed;
    if (options && options->size != sizeof *options)
        return sta__difference_error("unwrap", STA_ERROR_VALUE, "options of a wrong size");
    if (sta__dtype_kind(sta_dtype_of(p)) == STA__KIND_COMPLEX || sta_dtype_of(p) == STA_bool)
        return sta__difference_error("unwrap", STA_ERROR_DTYPE, "angles are real numbers");
    if (options && options->period != 0)
        period = options->period;
    if (options)
        discont = options->discont;
    if (!(period > 0) || isinf(period))
        return sta__difference_error("unwrap", STA_ERROR_VALUE, "the period is not a positive number");
    sta_scope scope = sta_open();
    return sta__difference_end(scope, unwrap(p, axis, discont != 0 ? discont : period / 2, period));
}
