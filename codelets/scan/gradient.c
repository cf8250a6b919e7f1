/* The gradient by second-order differences (B. Fornberg, Generation of finite difference formulas on arbitrarily spaced
 * grids, 1988), as NumPy's: inside from both neighbours, at the ends from one or two on one side. */
#include "scan/difference.h"

#include "internal.h"

/* Spacings are one number, or one for each step along axis 0 of an array that broadcasts to f. */

/* Weights of three neighbours, or of two. */
struct weights {
    int count;
    sta_array of[3];
};

/* Spacings dx1, dx2 of three points, seen from the first (-1), the middle (0) or the last (1) one. */
static struct weights uneven(sta_array dx1, sta_array dx2, int at)
{
    const sta_array both = sta_add(dx1, dx2), twice = sta_add(at < 0 ? dx1 : dx2, both);
    const sta_array left = sta_multiply(dx1, both), middle = sta_multiply(dx1, dx2), right = sta_multiply(dx2, both);
    if (at < 0)
        return (struct weights){
            3, {sta_negative(sta_divide(twice, left)), sta_divide(both, middle), sta_negative(sta_divide(dx1, right))}};
    if (at > 0)
        return (struct weights){
            3, {sta_divide(dx2, left), sta_negative(sta_divide(both, middle)), sta_divide(twice, right)}};
    return (struct weights){
        3, {sta_negative(sta_divide(dx2, left)), sta_divide(sta_subtract(dx2, dx1), middle), sta_divide(dx1, right)}};
}

static struct weights even(sta_array h, double a, double b, double c)
{
    return (struct weights){3, {sta_divide(sta_float(a), h), sta_divide(sta_float(b), h), sta_divide(sta_float(c), h)}};
}

static sta_array weighted(const struct weights *w, sta_array f, int64_t axis, int64_t from, int64_t count)
{
    sta_array sum = sta_multiply(w->of[0], sta__along(f, axis, from, from + count));
    for (int i = 1; i < w->count; i++)
        sum = sta_add(sum, sta_multiply(w->of[i], sta__along(f, axis, from + i, from + i + count)));
    return sum;
}

/* (f[from + reach] - f[from]) / h for `count` places. */
static sta_array quotient(sta_array f, int64_t axis, int64_t from, int64_t reach, int64_t count, sta_array h)
{
    return sta_divide(
        sta_subtract(sta__along(f, axis, from + reach, from + reach + count), sta__along(f, axis, from, from + count)),
        h);
}

static sta_array between(sta_array f, sta_array steps, int64_t axis, int64_t n, bool scalar)
{
    if (scalar)
        return quotient(f, axis, 0, 2, n - 2, sta_multiply(sta_float(2), steps));
    const struct weights w = uneven(sta__along(steps, 0, 0, -1), sta__along(steps, 0, 1, 0), 0);
    return weighted(&w, f, axis, 0, n - 2);
}

static sta_array one_step(sta_array steps, int64_t at, bool scalar)
{
    return scalar ? steps : sta__along(steps, 0, at, at + 1);
}

static sta_array first_end(sta_array f, sta_array steps, int64_t axis, int order, bool scalar)
{
    if (order == 1)
        return quotient(f, axis, 0, 1, 1, one_step(steps, 0, scalar));
    const struct weights w =
        scalar ? even(steps, -1.5, 2, -0.5) : uneven(one_step(steps, 0, false), one_step(steps, 1, false), -1);
    return weighted(&w, f, axis, 0, 1);
}

static sta_array last_end(sta_array f, sta_array steps, int64_t axis, int64_t n, int order, bool scalar)
{
    if (order == 1)
        return quotient(f, axis, n - 2, 1, 1, one_step(steps, n - 2, scalar));
    const struct weights w =
        scalar ? even(steps, 0.5, -2, 1.5) : uneven(one_step(steps, n - 3, false), one_step(steps, n - 2, false), 1);
    return weighted(&w, f, axis, n - 3, 1);
}

static sta_array derivative(sta_array x, sta_array spacing, int64_t axis, int order)
{
    const int64_t n = sta_shape(x).at[axis];
    const bool scalar = sta_ndim(spacing) == 0;
    const sta_dtype dtype = sta__dtype_inexact(sta_dtype_of(x));
    const sta_array f = dtype == sta_dtype_of(x) ? x : sta_astype(x, dtype);
    const sta_array steps = scalar ? spacing : sta__across(sta_diff(spacing, 1, 0), axis, sta_ndim(x));
    const sta_array result = sta_empty_like(f, dtype); /* of wider steps too */
    sta_assign(sta__along(result, axis, 0, 1), first_end(f, steps, axis, order, scalar));
    if (n > 2)
        sta_assign(sta__along(result, axis, 1, -1), between(f, steps, axis, n, scalar));
    sta_assign(sta__along(result, axis, n - 1, n), last_end(f, steps, axis, n, order, scalar));
    return result;
}

static sta_array gradient(sta_array x, sta_array spacing, int64_t axis, int order)
{
    sta_array failed;
    axis = sta__axis_in("gradient", x, axis, &failed);
    if (axis < 0 || sta__in_error(spacing))
        return axis < 0 ? failed : spacing;
    const int64_t n = sta_shape(x).at[axis];
    const sta_dims given = sta_shape(spacing);
    if (order != 1 && order != 2)
        return sta__failed("gradient", STA_ERROR_VALUE, "edge_order is 1 or 2");
    if (n < order + 1)
        return sta__failed("gradient", STA_ERROR_SHAPE, "the axis has fewer than edge_order + 1 elements");
    if (given.count > 1 || (given.count == 1 && given.at[0] != n))
        return sta__failed("gradient", STA_ERROR_SHAPE,
                           "spacing is a number, or has one coordinate for each index of the axis");
    return derivative(x, spacing, axis, order);
}

sta_array sta_gradient(sta_array x, sta_array spacing, int64_t axis, int edge_order)
{
    const sta_scope scope = sta_open();
    return sta__composed(scope, gradient(sta__taken(x), sta__taken(spacing), axis, edge_order));
}
