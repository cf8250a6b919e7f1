/* Products that are made of the matrix product, and of element-wise products with a sum. */
#include "composed.h"

#include "internal.h"

#include <string.h>

/* The first of both that is in error, or {0}. */
static sta_array failed_one(sta_array a, sta_array b)
{
    return sta__in_error(a) ? a : sta__in_error(b) ? b : (sta_array){0};
}

/* ---- sums of products ---- */

static sta_array conjugated(sta_array x)
{
    return sta__dtype_kind(sta_dtype_of(x)) == STA__KIND_COMPLEX ? sta_conjugate(x) : x;
}

/* The sum of x y over the axes in the dtype that x y has: integers wrap in it. */
static sta_array sum_of_products(sta_array x, sta_array y, sta_dims axes)
{
    const sta_array products = sta_multiply(x, y);
    const sta_reduce_options options = {.size = sizeof options, .dtype = sta_dtype_of(products)};
    return sta_sum_ex(products, axes, 0, &options);
}

static bool same_shape(sta_array x, sta_array y)
{
    const sta_dims a = sta_shape(x), b = sta_shape(y);
    return a.count == b.count && memcmp(a.at, b.at, sizeof *a.at * (size_t)a.count) == 0;
}

sta_array sta_vdot(sta_array x, sta_array y)
{
    const sta_array failed = failed_one(x, y);
    if (failed.id)
        return failed;
    if (sta_size(x) != sta_size(y))
        return sta__failed("vdot", STA_ERROR_SHAPE, "both arrays must have as many elements");
    sta_scope scope = sta_open();
    if (same_shape(x, y))
        return sta__composed(scope, sum_of_products(conjugated(x), y, STA_ALL));
    return sta__composed(scope, sum_of_products(conjugated(sta__line(x)), sta__line(y), STA_ALL));
}

sta_array sta_vecdot(sta_array x, sta_array y, int64_t axis)
{
    const sta_array failed = failed_one(x, y);
    if (failed.id)
        return failed;
    const int ndim = sta_ndim(x) > sta_ndim(y) ? sta_ndim(x) : sta_ndim(y);
    const int least = sta_ndim(x) < sta_ndim(y) ? sta_ndim(x) : sta_ndim(y);
    if (axis >= 0 && sta_ndim(x) != sta_ndim(y))
        return sta__failed("vecdot", STA_ERROR_AXIS,
                           "with shapes of different lengths the axis is counted from the end");
    if (axis < -least || axis >= ndim)
        return sta__failed("vecdot", STA_ERROR_AXIS, "the axis is out of range");
    const int64_t back = axis < 0 ? axis : axis - ndim;
    if (sta_shape(x).at[sta_ndim(x) + back] != sta_shape(y).at[sta_ndim(y) + back])
        return sta__failed("vecdot", STA_ERROR_SHAPE, "the vectors have different lengths");
    sta_scope scope = sta_open();
    return sta__composed(scope, sum_of_products(conjugated(x), y, STA_AXES(back)));
}

sta_array sta_trace(sta_array x, int64_t offset, int64_t axis_a, int64_t axis_b)
{
    const sta_array diagonal = sta_diagonal(x, offset, axis_a, axis_b), sum = sta_sum(diagonal, STA_AXES(-1), 0);
    sta_free(diagonal);
    return sum;
}

sta_array sta_outer(sta_array x, sta_array y)
{
    const sta_array failed = failed_one(x, y);
    if (failed.id)
        return failed;
    const sta_scope scope = sta_open();
    return sta__composed(scope, sta_ufunc_outer("multiply", sta__line(x), sta__line(y)));
}

/* ---- matrix products ---- */

/* a with new axes of length 1 before the last one, so that all of b's matrices meet each of its rows. */
static sta_array every_row(sta_array a, int more)
{
    sta_span spans[STA_MAXDIM + 2];
    int count = 0;
    spans[count++] = STA_SPAN_REST;
    for (int i = 0; i < more; i++)
        spans[count++] = STA_SPAN_NEW;
    spans[count++] = STA_SPAN_ALL;
    return sta_index(a, spans, count);
}

sta_array sta_dot(sta_array a, sta_array b)
{
    const sta_array failed = failed_one(a, b);
    if (failed.id)
        return failed;
    if (sta_ndim(a) == 0 || sta_ndim(b) == 0)
        return sta_multiply(a, b);
    if (sta_ndim(b) <= 2)
        return sta_matmul(a, b);
    if (sta_ndim(a) + sta_ndim(b) - 2 > STA_MAXDIM)
        return sta__failed("dot", STA_ERROR_SHAPE, "the result would have too many axes");
    if (sta_ndim(a) == 1)
        return sta_matmul(a, b);
    sta_scope scope = sta_open();
    const sta_array rows = every_row(a, sta_ndim(b) - 1);
    return sta__composed(scope, sta_squeeze(sta_matmul(rows, b), STA_AXES(-2)));
}

sta_array sta_inner(sta_array a, sta_array b)
{
    const sta_array failed = failed_one(a, b);
    if (failed.id)
        return failed;
    if (sta_ndim(a) == 0 || sta_ndim(b) == 0)
        return sta_multiply(a, b);
    sta_scope scope = sta_open();
    const int axes = sta_ndim(b);
    if (axes <= 2)
        return sta__composed(scope, sta_matmul(a, axes == 2 ? sta_matrix_transpose(b) : b));
    const sta_array columns = sta_matrix_transpose(b); /* (..., k, n) */
    return sta__composed(scope, sta_dot(a, columns));
}

/* ---- powers and chains ---- */

static bool square(sta_array a)
{
    const sta_dims shape = sta_shape(a);
    return shape.count >= 2 && shape.at[shape.count - 1] == shape.at[shape.count - 2];
}

static sta_array matrix_power(sta_array a, int64_t n)
{
    if (sta__in_error(a))
        return a;
    if (!square(a))
        return sta__failed("matrix_power", STA_ERROR_SHAPE, "the last two axes must have one length");
    if (n < 0)
        return sta__failed("matrix_power", STA_ERROR_VALUE, "a negative power needs the inverse, which is not there");
    const sta_dims shape = sta_shape(a);
    const int64_t length = shape.at[shape.count - 1];
    if (n == 0)
        return sta_copy(sta_broadcast_to(sta_eye(length, length, 0, sta_dtype_of(a)), shape));
    sta_array power = a, result = {0};
    for (; n; n /= 2) {
        if (n % 2)
            result = result.id ? sta_matmul(result, power) : power;
        power = n > 1 ? sta_matmul(power, power) : power;
    }
    return result.id == a.id ? sta_copy(a) : result;
}

sta_array sta_matrix_power(sta_array a, int64_t n)
{
    const sta_scope scope = sta_open();
    return sta__composed(scope, matrix_power(sta__taken(a), n));
}

enum { MOST = 64 }; /* arrays of a chain */

/* The order of a chain by dynamic programming (T. H. Cormen et al., Introduction to Algorithms, 15.2): where the product
 * of the arrays i .. j is cut. Array i is length[i] by length[i + 1]. */
static void order_chain(const int64_t *length, int count, int cut[MOST][MOST])
{
    double cost[MOST][MOST] = {{0}};
    for (int more = 1; more < count; more++)
        for (int i = 0, j = more; j < count; i++, j++) {
            cost[i][j] = -1;
            for (int k = i; k < j; k++) {
                const double here =
                    cost[i][k] + cost[k + 1][j] + (double)length[i] * (double)length[k + 1] * (double)length[j + 1];
                if (cost[i][j] >= 0 && here >= cost[i][j])
                    continue;
                cost[i][j] = here;
                cut[i][j] = k;
            }
        }
}

static sta_array chain(const sta_array *x, int i, int j, int cut[MOST][MOST])
{
    return i == j ? x[i] : sta_matmul(chain(x, i, cut[i][j], cut), chain(x, cut[i][j] + 1, j, cut));
}

sta_array sta_multi_dot(const sta_array *x, int count)
{
    int64_t length[MOST + 1];
    int cut[MOST][MOST] = {{0}};
    if (count < 1 || count > MOST || !x)
        return sta__failed("multi_dot", STA_ERROR_VALUE, "a chain has 1 to 64 arrays");
    for (int i = 0; i < count; i++) {
        const sta_dims shape = sta_shape(x[i]);
        const bool end_of_chain = i == 0 || i == count - 1;
        if (sta__in_error(x[i]))
            return x[i];
        if (shape.count != 2 && !(shape.count == 1 && end_of_chain && count > 1))
            return sta__failed("multi_dot", STA_ERROR_SHAPE,
                               "the arrays must be matrices, the first and the last may be vectors");
        length[i] = shape.count == 1 && i == 0 ? 1 : shape.at[0];
        length[i + 1] = shape.count == 1 ? (i == 0 ? shape.at[0] : 1) : shape.at[1];
    }
    order_chain(length, count, cut);
    sta_scope scope = sta_open();
    return sta__composed(scope, count == 1 ? sta_copy(x[0]) : chain(x, 0, count - 1, cut));
}
