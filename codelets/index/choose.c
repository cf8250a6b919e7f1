/* Choosing between arrays, and diagonals: made of other functions, in one pass. */
#include "codelets/index/front.h"

#include "composed.h"
#include "slice.h"

#include <starray/scope.h>
#include <starray/ufunc.h>

#include <inttypes.h>

static sta_array fail(const char *op, sta_error_code code, const char *text)
{
    struct sta__call call = sta__enter(op);
    sta__fail(&call, code, "%s", text);
    return sta__leave(&call, NULL);
}

/* Frees an intermediate result that is not the one given. */
static sta_array next(sta_array result, sta_array old, sta_array given)
{
    if (old.id != given.id)
        sta_free(old);
    return result;
}

sta_array sta_select(const sta_array *conditions, const sta_array *choices, int count, sta_array otherwise)
{
    sta_array result = otherwise;
    if (count <= 0 || !conditions || !choices)
        return fail("select", STA_ERROR_VALUE, "there is no condition");
    for (int k = count - 1; k >= 0; k--) {
        if (sta_dtype_of(conditions[k]) != STA_bool && !sta__in_error(conditions[k]))
            return next(fail("select", STA_ERROR_DTYPE, "the conditions must be bool"), result, otherwise);
        result = next(sta_where(conditions[k], choices[k], result), result, otherwise);
    }
    return result;
}

sta_array sta_choose(sta_array ids, const sta_array *choices, int count, sta_index_mode mode)
{
    if (count <= 0 || !choices)
        return fail("choose", STA_ERROR_VALUE, "there is no choice");
    sta_array checked = sta_ravel_multi_index(&ids, 1, STA_DIMS(count), mode), result = choices[count - 1];
    if (count == 1)
        result = sta_where(sta_bool(1), choices[0], choices[0]);
    for (int k = count - 2; k >= 0; k--) {
        sta_array number = sta_int(k), here = sta_equal(checked, number);
        result = next(sta_where(here, choices[k], result), result, choices[count - 1]);
        sta_free(number);
        sta_free(here);
    }
    if (count == 1) { /* the shape and the errors are those of the indices too */
        sta_array zero = sta_int(0), here = sta_equal(checked, zero);
        result = next(sta_where(here, result, result), result, choices[0]);
        sta_free(zero);
        sta_free(here);
    }
    sta_free(checked);
    return result;
}

/* The view x[i, i, ..]: all axes become one. */
static bool diagonal_of_all(struct sta__call *call, struct sta__view *view)
{
    struct sta__axis_change change[STA_MAXDIM];
    struct sta__shape shape = {.ndim = 1, .at = {view->shape.ndim ? view->shape.at[0] : 0}};
    bool even = true;
    if (view->shape.ndim < 2)
        return sta__fail(call, STA_ERROR_SHAPE, "a diagonal needs two axes: ndim is %d", view->shape.ndim) != NULL;
    for (int a = 0; a < view->shape.ndim; a++) {
        change[a] = (struct sta__axis_change){0, 1, 0};
        even &= view->shape.at[a] == view->shape.at[0];
        shape.at[0] = view->shape.at[a] < shape.at[0] ? view->shape.at[a] : shape.at[0];
    }
    if (!even && view->shape.ndim > 2)
        return sta__fail(call, STA_ERROR_SHAPE, "the diagonal of more than two axes needs equal lengths") != NULL;
    sta__view_change(view, change, &shape);
    return true;
}

static sta_array view_of_diagonal(sta_array x)
{
    struct sta__call call = sta__enter("fill_diagonal");
    struct sta__operand operand;
    if (!sta__view_of(&call, x, &operand))
        return sta__leave(&call, NULL);
    if (diagonal_of_all(&call, &operand.view))
        return sta__leave_view(&call, &operand);
    sta__operand_drop(&operand);
    return sta__leave(&call, NULL);
}

sta_array sta_fill_diagonal(sta_array x, sta_array value, int wrap)
{
    sta_dims shape = sta_shape(x);
    int64_t step = shape.count == 2 && wrap && shape.at[1] >= 1 ? shape.at[1] + 1 : INT64_MAX, done = 0;
    bool one = sta_size(value) == 1;
    for (int64_t row = 0; row == 0 || row < shape.at[0]; row += step) {
        sta_array below = row ? sta_slice(x, "%" PRId64 ":", row) : x, line = view_of_diagonal(below);
        int64_t length = sta_size(line);
        sta_array source =
            one || step == INT64_MAX ? value : sta_slice(value, "%" PRId64 ":%" PRId64, done, done + length);
        sta_assign(line, source);
        sta__pass_error(x, line);
        sta_free(line);
        next(x, source, value);
        next(x, below, x);
        done += length;
        if (step == INT64_MAX)
            break;
    }
    return x;
}
