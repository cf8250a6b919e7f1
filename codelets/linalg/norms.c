/* Norms of vectors and matrices, made of reductions. */
#include "composed.h"

#include "internal.h"
#include "slice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* |x| as a float. */
static sta_array moduli(sta_array x)
{
    const sta_dtype dtype = sta__dtype_inexact(sta_dtype_of(x));
    return sta_absolute(dtype == sta_dtype_of(x) ? x : sta_astype(x, dtype));
}

/* The sum of |x|^2. */
static sta_array squares(sta_array x, sta_dims axes, unsigned flags)
{
    const bool complex = sta__dtype_kind(sta_dtype_of(x)) == STA__KIND_COMPLEX;
    if (!complex)
        return sta_sum(sta_square(moduli(x)), axes, flags);
    return sta_sum(sta_add(sta_square(sta_real(x)), sta_square(sta_imag(x))), axes, flags);
}

static sta_array vector_norm(sta_array x, double order, sta_dims axes, unsigned flags)
{
    if (order == 2)
        return sta_sqrt(squares(x, axes, flags));
    const sta_array size = moduli(x);
    if (isinf(order))
        return order > 0 ? sta_max(size, axes, flags) : sta_min(size, axes, flags);
    if (order == 0)
        return sta_astype(sta_count_nonzero(x, axes, flags), sta_dtype_of(size));
    if (order == 1)
        return sta_sum(size, axes, flags);
    const sta_array sum = sta_sum(sta_power(size, sta_float(order)), axes, flags);
    return sta_power(sum, sta_float(1 / order));
}

sta_array sta_vector_norm(sta_array x, double order, sta_dims axes, unsigned flags)
{
    if (isnan(order))
        return sta__failed("vector_norm", STA_ERROR_VALUE, "the order is NaN");
    const sta_scope scope = sta_open();
    return sta__composed(scope, vector_norm(sta__taken(x), order, axes, flags));
}

/* ---- matrices ---- */

/* The largest or the smallest of the sums of |x| over one of the two axes: rows for 1, columns for infinity. */
static sta_array largest_sum(sta_array x, double order, int rows, int columns, unsigned flags)
{
    const bool over_rows = fabs(order) == 1;
    const sta_array sums = sta_sum(moduli(x), STA_AXES(over_rows ? rows : columns), STA_KEEPDIMS);
    const sta_array norm =
        order > 0 ? sta_max(sums, STA_AXES(rows, columns), flags) : sta_min(sums, STA_AXES(rows, columns), flags);
    return norm;
}

/* Two axes in range; false: *failed. */
static bool two_axes(const char *op, sta_array x, sta_dims axes, int *list, sta_array *failed)
{
    char why[STA__WHY];
    int count = 0;
    const sta_error_code code = sta__axes(&axes, sta_ndim(x), list, &count, why);
    if (code)
        *failed = sta__failed(op, code, why);
    else if (count != 2)
        *failed = sta__failed(op, STA_ERROR_SHAPE, "a matrix has two axes");
    return !code && count == 2;
}

static sta_array matrix_norm(const char *op, sta_array x, const char *order, sta_dims axes, unsigned flags)
{
    static const struct {
        const char *name;
        double order;
    } sums[] = {{"1", 1}, {"-1", -1}, {"inf", INFINITY}, {"-inf", -INFINITY}};
    int list[STA_MAXDIM];
    sta_array failed;
    if (sta__in_error(x))
        return x;
    if (!two_axes(op, x, axes, list, &failed))
        return failed;
    if (!order || strcmp(order, "fro") == 0)
        return sta_sqrt(squares(x, STA_AXES(list[0], list[1]), flags));
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
        if (strcmp(order, sums[i].name) == 0)
            return largest_sum(x, sums[i].order, list[0], list[1], flags);
    return sta__failed(op, STA_ERROR_VALUE,
                       "the order of a matrix norm is \"fro\", \"1\", \"-1\", \"inf\" or \"-inf\"");
}

sta_array sta_matrix_norm(sta_array x, const char *order, unsigned flags)
{
    const sta_scope scope = sta_open();
    return sta__composed(scope, matrix_norm("matrix_norm", sta__taken(x), order, STA_AXES(-2, -1), flags));
}

static sta_array norm(sta_array x, const char *order, sta_dims axes, unsigned flags)
{
    char *rest = NULL;
    const int count = axes.count < 0 ? sta_ndim(x) : axes.count;
    if (sta__in_error(x))
        return x;
    if (!order && (axes.count < 0 || count == 1))
        return vector_norm(x, 2, axes, flags);
    if (count == 2)
        return matrix_norm("norm", x, order, axes, flags);
    const double number = order ? strtod(order, &rest) : 2;
    if (count != 1)
        return sta__failed("norm", STA_ERROR_SHAPE, "a norm is that of vectors, of one axis, or of matrices, of two");
    if (order && (*rest || rest == order || isnan(number)))
        return sta__failed("norm", STA_ERROR_VALUE, "the order of a vector norm is a number, as text");
    return vector_norm(x, number, axes, flags);
}

sta_array sta_norm(sta_array x, const char *order, sta_dims axes, unsigned flags)
{
    const sta_scope scope = sta_open();
    return sta__composed(scope, norm(sta__taken(x), order, axes, flags));
}
