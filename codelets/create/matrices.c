/* Triangles, diagonals, powers. Triangles are element-wise functions of the indices, computed where they are used. */
#include "codelets/create/create.h"

#include "composed.h"
#include "elementwise/front.h"
#include "slice.h"

#include <starray/create.h>
#include <starray/join.h>
#include <starray/scan.h>
#include <starray/scope.h>
#include <starray/shape.h>
#include <starray/ufunc.h>

#include <string.h>

/* ---- triangles ---- */

/* start, start + 1, .. along the last axis but `behind`. */
static struct sta__operand counted(struct sta__call *call, int64_t start, int64_t length, int behind)
{
    char why[STA__WHY];
    sta_dims fresh = {behind, {1}};
    struct sta__operand x = sta__whole(call->error ? NULL : sta__arange_value(call, start, length, STA_int64));
    if (x.value && behind)
        sta__view_expand_dims(&x.view, &fresh, why);
    return x;
}

static int64_t within(int64_t k, int64_t least, int64_t most)
{
    return k < least ? least : k > most ? most : k;
}

/* Whether j <= i + k at [i, j] of (n, m). */
static struct sta__operand below(struct sta__call *call, int64_t n, int64_t m, int64_t k)
{
    struct sta__operand row = counted(call, within(k, -n, m), n, 1), column = counted(call, 0, m, 0);
    return STA__BINARY(call, greater_equal, row, column);
}

static sta_array leave(struct sta__call *call, struct sta__operand x)
{
    struct sta__view view;
    if (!x.value)
        return sta__leave(call, NULL);
    sta__view_copy(&view, &x.view);
    return sta__leave_under(call, x.value, &view);
}

sta_array sta_tri(int64_t n, int64_t m, int64_t k, sta_dtype dtype)
{
    struct sta__call call = sta__enter("tri");
    struct sta__shape shape;
    sta_dims dims = {2, {n, m}};
    dtype = dtype ? dtype : STA_float64;
    if (!sta__check_shape(&call, &dims, &shape) || !sta__check_dtype(&call, dtype))
        return sta__leave(&call, NULL);
    return leave(&call, sta__cast(&call, below(&call, n, m, k), dtype));
}

static struct sta__operand zero(struct sta__call *call, sta_dtype dtype)
{
    struct sta__shape scalar = {.ndim = 0};
    struct sta__value *value = sta__value_now(dtype, &scalar);
    return sta__whole(value ? value : sta__fail_memory(call));
}

static sta_array triangle(const char *op, sta_array x, int64_t k, bool lower)
{
    struct sta__call call = sta__enter(op);
    struct sta__operand operand;
    if (!sta__operand_of(&call, x, &operand))
        return sta__leave(&call, NULL);
    const struct sta__shape *shape = &operand.view.shape;
    if (shape->ndim == 0) {
        sta__operand_drop(&operand);
        return sta__leave(&call, sta__fail(&call, STA_ERROR_SHAPE, "a triangle needs an axis: the shape is ()"));
    }
    int64_t m = shape->at[shape->ndim - 1], n = shape->ndim > 1 ? shape->at[shape->ndim - 2] : m;
    struct sta__operand none = zero(&call, operand.value->dtype);
    if (!lower)
        k = k == INT64_MIN ? k : k - 1;
    struct sta__operand mask = below(&call, n, m, k);
    return leave(&call, lower ? STA__TERNARY(&call, where, mask, operand, none)
                              : STA__TERNARY(&call, where, mask, none, operand));
}

sta_array sta_tril(sta_array x, int64_t k)
{
    return triangle("tril", x, k, true);
}

sta_array sta_triu(sta_array x, int64_t k)
{
    return triangle("triu", x, k, false);
}

/* ---- diagonals ---- */

/* The error of a function whose operand has a wrong number of axes. */
static sta_array wrong_axes(const char *op, sta_array x, const char *wanted)
{
    struct sta__call call = sta__enter(op);
    struct sta__operand operand;
    if (sta__operand_of(&call, x, &operand)) {
        sta__fail(&call, STA_ERROR_SHAPE, "%s, not %d", wanted, operand.view.shape.ndim);
        sta__operand_drop(&operand);
    }
    return sta__leave(&call, NULL);
}

sta_array sta_diag(sta_array x, int64_t k)
{
    int ndim = sta_ndim(x);
    if (sta__in_error(x) || (ndim != 1 && ndim != 2))
        return wrong_axes("diag", x, "a diagonal has one axis, a matrix two");
    if (ndim == 2)
        return sta_diagonal(x, k, 0, 1);
    int64_t n = sta_size(x), away = k < -INT64_MAX ? INT64_MAX : k < 0 ? -k : k, side;
    if (__builtin_add_overflow(n, away, &side))
        side = INT64_MAX;
    sta_array matrix = sta_zeros(STA_DIMS(side, side), sta_dtype_of(x)), line = sta_diagonal(matrix, k, 0, 1);
    if (n)
        sta_assign(line, x);
    sta_free(line);
    return matrix;
}

sta_array sta_diagflat(sta_array x, int64_t k)
{
    const sta_scope scope = sta_open();
    return sta__composed(scope, sta_diag(sta__line(x), k));
}

/* ---- powers ---- */

enum { MOST_COLUMNS = 1 << 20, FEW_COLUMNS = 16 };

/* Many columns would be as many arrays: they are the products along rows that repeat x. Not of complex numbers, where what
 * overflows depends on the order, nor of 16-bit floats, which are rounded at each step. */
static bool many_powers(sta_dtype dtype, int64_t columns)
{
    return columns > FEW_COLUMNS &&
           (sta__dtype_kind(dtype) < STA__KIND_FLOATING || dtype == STA_float32 || dtype == STA_float64);
}

static sta_array products(sta_array x, sta_dtype dtype, int64_t columns, bool increasing)
{
    const sta_scan_options first_is_1 = {.size = sizeof first_is_1, .include_initial = 1};
    sta_array base = sta_expand_dims(sta_astype(x, dtype), STA_AXES(1));
    sta_array rows = sta_broadcast_to(base, STA_DIMS(sta_size(x), columns - 1));
    sta_array y = sta_cumulative_prod(rows, 1, &first_is_1);
    return increasing ? y : sta_copy(sta_flip(y, STA_AXES(1)));
}

/* In the scope that the caller opened. */
static sta_array powers(sta_array x, int64_t columns, bool increasing, sta_array *column)
{
    sta_dtype dtype = sta_promote_types(sta_dtype_of(x), STA_int64);
    if (many_powers(dtype, columns))
        return products(x, dtype, columns, increasing);
    sta_array base = sta_astype(x, dtype), power = sta_ones_like(base, dtype);
    for (int64_t j = 0; j < columns; j++) {
        column[increasing ? j : columns - 1 - j] = power;
        power = j ? sta_multiply(power, base) : base;
    }
    return sta_stack(column, (int)columns, -1);
}

sta_array sta_vander(sta_array x, int64_t columns, int increasing)
{
    if (sta__in_error(x) || sta_ndim(x) != 1)
        return wrong_axes("vander", x, "the numbers have one axis");
    columns = columns < 0 ? sta_size(x) : columns;
    if (columns == 0)
        return sta_zeros(STA_DIMS(sta_size(x), 0), sta_promote_types(sta_dtype_of(x), STA_int64));
    sta_array *column = columns <= MOST_COLUMNS ? sta__allocate(sizeof *column * (size_t)columns) : NULL;
    if (!column) {
        struct sta__call call = sta__enter("vander");
        return sta__leave(&call, sta__fail_memory(&call));
    }
    sta_scope scope = sta_open();
    sta_array result = powers(x, columns, increasing != 0, column);
    sta_keep(result);
    sta_close(scope);
    sta__release(column);
    return result;
}
