/* Joining arrays: all of it is a concatenation of views. */
#include "join/join.h"

#include "composed.h"
#include "elementwise/ufunc.h"

#include <starray/join.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- what the other fronts use ---- */

bool sta__join_axis(struct sta__call *call, int64_t axis, int ndim, int *to)
{
    char why[STA__WHY];
    sta_error_code error = call->error ? STA_ERROR_NONE : sta__axis(axis, ndim, to, why);
    if (error)
        sta__fail(call, error, "%s", why);
    return !call->error;
}

bool sta__join_operand(struct sta__call *call, sta_array x, int64_t axis, struct sta__operand *to, int *axis_to)
{
    if (!sta__operand_of(call, x, to))
        return false;
    if (sta__join_axis(call, axis, to->view.shape.ndim, axis_to))
        return true;
    sta__operand_drop(to);
    return false;
}

static sta_dtype common_dtype(struct sta__call *call, const struct sta__operand *x, int count)
{
    struct sta__input *inputs = sta__allocate(sizeof *inputs * (size_t)count);
    sta_dtype dtype = STA_DTYPE_NONE;
    for (int i = 0; i < count && inputs; i++)
        inputs[i] = (struct sta__input){x[i].value->dtype, x[i].value->weak, 0};
    if (inputs)
        dtype = sta__common_dtype(inputs, count);
    else
        sta__fail_memory(call);
    sta__release(inputs);
    if (dtype == STA_DTYPE_NONE)
        sta__fail(call, STA_ERROR_DTYPE, "the arrays have no common dtype");
    return dtype;
}

struct sta__value *sta__join_parts(struct sta__call *call, struct sta__operand *x, int count, int axis)
{
    sta_dtype dtype = common_dtype(call, x, count);
    struct sta__mosaic m = sta__mosaic_open(call, dtype, x[0].view.shape.ndim, count);
    for (int i = 0; i < count; i++) {
        int64_t length = x[i].view.shape.at[axis];
        sta__mosaic_part(&m, i, &x[i]);
        sta__mosaic_strip(&m, axis, length, 0, 1, i);
    }
    return sta__mosaic_close(&m);
}

/* ---- operands in numbers ---- */

static void drop_all(struct sta__operand *x, int count)
{
    for (int i = 0; x && i < count; i++)
        sta__operand_drop(&x[i]);
    sta__release(x);
}

/* To be dropped with drop_all; NULL: call->error. */
static struct sta__operand *operands_of(struct sta__call *call, const sta_array *x, int count)
{
    if (!call->error && (count < 1 || !x))
        return sta__fail(call, STA_ERROR_VALUE, "there is no array to join");
    if (call->error)
        return NULL;
    struct sta__operand *operands = sta__allocate(sizeof *operands * (size_t)count);
    if (!operands)
        return sta__fail_memory(call);
    for (int i = 0; i < count; i++)
        if (!sta__operand_of(call, x[i], &operands[i])) {
            drop_all(operands, i);
            return NULL;
        }
    return operands;
}

/* Whether shapes are alike but for one axis (-1: altogether). */
static bool fit(struct sta__call *call, const struct sta__operand *x, int count, int axis)
{
    const struct sta__shape *first = &x[0].view.shape;
    char a[STA__SHAPE_TEXT / 4], b[STA__SHAPE_TEXT / 4];
    for (int i = 1; i < count; i++) {
        struct sta__shape shape = x[i].view.shape;
        if (axis >= 0 && shape.ndim == first->ndim)
            shape.at[axis] = first->at[axis];
        if (sta__shape_equal(&shape, first))
            continue;
        sta__shape_text(first, a, sizeof a);
        sta__shape_text(&x[i].view.shape, b, sizeof b);
        if (axis < 0)
            sta__fail(call, STA_ERROR_SHAPE, "arrays of shapes %s and %s (array %d) differ", a, b, i);
        else
            sta__fail(call, STA_ERROR_SHAPE, "arrays of shapes %s and %s (array %d) do not join along axis %d", a, b, i,
                      axis);
        return false;
    }
    return true;
}

static struct sta__value *concat(struct sta__call *call, struct sta__operand *x, int count, int64_t axis)
{
    int along = 0;
    if (x[0].view.shape.ndim == 0)
        return sta__fail(call, STA_ERROR_SHAPE, "arrays without axes cannot be joined");
    if (!sta__join_axis(call, axis, x[0].view.shape.ndim, &along) || !fit(call, x, count, along))
        return NULL;
    return sta__join_parts(call, x, count, along);
}

/* Changes the views of operands before they are joined: as the functions of slice.h. */
typedef sta_error_code change_view(struct sta__view *view, char *why);

/* Joins the operands, changed, along an axis (`along` of a single axis: `alone`). */
static sta_array join(const char *op, const sta_array *x, int count, change_view *change, int64_t axis, int64_t alone)
{
    struct sta__call call = sta__enter(op);
    struct sta__operand *operands = operands_of(&call, x, count);
    char why[STA__WHY];
    sta_error_code error = STA_ERROR_NONE;
    for (int i = 0; operands && change && i < count && !error; i++)
        error = change(&operands[i].view, why);
    if (error)
        sta__fail(&call, error, "%s", why);
    struct sta__value *value = NULL;
    if (!call.error)
        value = concat(&call, operands, count, operands[0].view.shape.ndim == 1 ? alone : axis);
    drop_all(operands, count);
    return sta__leave(&call, value);
}

/* Joins the arrays made flat, in a scope of the caller's. */
static sta_array concat_flat(const char *op, const sta_array *x, int count)
{
    sta_array *lines = count > 0 ? sta__allocate(sizeof *lines * (size_t)count) : NULL;
    if (count > 0 && !lines)
        return sta__failed(op, STA_ERROR_MEMORY, "");
    for (int i = 0; x && i < count; i++)
        lines[i] = sta__line(x[i]);
    const sta_array result = join(op, x ? lines : NULL, count, NULL, 0, 0);
    sta__release(lines);
    return result;
}

sta_array sta__concat(const char *op, const sta_array *x, int count, int64_t axis)
{
    if (axis != STA_FLAT)
        return join(op, x, count, NULL, axis, axis);
    const sta_scope scope = sta_open();
    return sta__composed(scope, concat_flat(op, x, count));
}

sta_array sta_concat(const sta_array *x, int count, int64_t axis)
{
    return sta__concat("concat", x, count, axis);
}

sta_array sta_stack(const sta_array *x, int count, int64_t axis)
{
    struct sta__call call = sta__enter("stack");
    struct sta__operand *operands = operands_of(&call, x, count);
    struct sta__value *value = NULL;
    char why[STA__WHY];
    int along = 0;
    if (operands && fit(&call, operands, count, -1) &&
        sta__join_axis(&call, axis, operands[0].view.shape.ndim + 1, &along)) {
        sta_dims fresh = {1, {along}};
        sta_error_code error = STA_ERROR_NONE;
        for (int i = 0; i < count && !error; i++)
            error = sta__view_expand_dims(&operands[i].view, &fresh, why);
        if (error)
            sta__fail(&call, error, "%s", why);
        else
            value = sta__join_parts(&call, operands, count, along);
    }
    drop_all(operands, count);
    return sta__leave(&call, value);
}

/* ---- the stacks of NumPy: new axes first ---- */

static sta_error_code at_least_1(struct sta__view *view, char *why)
{
    sta_dims fresh = {1, {0}};
    return view->shape.ndim ? STA_ERROR_NONE : sta__view_expand_dims(view, &fresh, why);
}

static sta_error_code at_least_2(struct sta__view *view, char *why)
{
    sta_dims fresh = {2 - view->shape.ndim, {0, 1}};
    return view->shape.ndim >= 2 ? STA_ERROR_NONE : sta__view_expand_dims(view, &fresh, why);
}

static sta_error_code at_least_3(struct sta__view *view, char *why)
{
    sta_dims last = {1, {-1}};
    sta_error_code error = at_least_2(view, why);
    return error || view->shape.ndim >= 3 ? error : sta__view_expand_dims(view, &last, why);
}

/* NumPy's columns: (n,) becomes (n, 1). */
static sta_error_code as_column(struct sta__view *view, char *why)
{
    sta_dims last = {1, {-1}};
    sta_error_code error = at_least_1(view, why);
    return error || view->shape.ndim >= 2 ? error : sta__view_expand_dims(view, &last, why);
}

sta_array sta_vstack(const sta_array *x, int count)
{
    return join("vstack", x, count, at_least_2, 0, 0);
}

sta_array sta_hstack(const sta_array *x, int count)
{
    return join("hstack", x, count, at_least_1, 1, 0);
}

sta_array sta_dstack(const sta_array *x, int count)
{
    return join("dstack", x, count, at_least_3, 2, 2);
}

sta_array sta_column_stack(const sta_array *x, int count)
{
    return join("column_stack", x, count, as_column, 1, 1);
}

/* ---- blocks ---- */

/* New axes in front, up to `ndim`. */
static bool lift(struct sta__call *call, struct sta__operand *x, int ndim)
{
    char why[STA__WHY];
    sta_dims fresh = {ndim - x->view.shape.ndim, {0}};
    for (int i = 0; i < fresh.count; i++)
        fresh.at[i] = i;
    sta_error_code error = fresh.count > 0 ? sta__view_expand_dims(&x->view, &fresh, why) : STA_ERROR_NONE;
    if (error)
        sta__fail(call, error, "%s", why);
    return !error;
}

/* Groups of `size` operands become one each: the first ones of the list. */
static bool join_groups(struct sta__call *call, struct sta__operand *x, int count, int size, int axis)
{
    for (int g = 0; g * size < count; g++) {
        struct sta__operand *group = &x[g * size];
        struct sta__value *value = fit(call, group, size, axis) ? sta__join_parts(call, group, size, axis) : NULL;
        if (!value)
            return false;
        x[g] = (struct sta__operand){.value = value, .view = sta__identity_view(&value->shape)};
    }
    return true;
}

static bool check_nest(struct sta__call *call, const sta_dims *nest, int *count)
{
    int64_t product = 1;
    bool fine = nest->count >= 1 && nest->count <= STA_MAXDIM;
    for (int i = 0; i < nest->count && fine; i++)
        fine = nest->at[i] >= 1 && nest->at[i] <= INT32_MAX && (product *= nest->at[i]) <= INT32_MAX;
    if (!fine && !call->error)
        sta__fail(call, STA_ERROR_VALUE, "the numbers of arrays in rows, columns and so on must be at least 1");
    *count = (int)product;
    return fine;
}

static struct sta__value *block(struct sta__call *call, struct sta__operand *x, int count, const sta_dims *nest)
{
    int ndim = nest->count;
    for (int i = 0; i < count; i++)
        ndim = x[i].view.shape.ndim > ndim ? x[i].view.shape.ndim : ndim;
    for (int i = 0; i < count; i++)
        if (!lift(call, &x[i], ndim))
            return NULL;
    for (int level = nest->count - 1; level >= 0; level--) {
        int size = (int)nest->at[level];
        if (!join_groups(call, x, count, size, ndim - nest->count + level))
            return NULL;
        count /= size;
    }
    struct sta__value *value = x[0].value;
    x[0].value = NULL;
    return value;
}

sta_array sta_block(const sta_array *x, sta_dims nest)
{
    struct sta__call call = sta__enter("block");
    int count = 0;
    struct sta__operand *operands = check_nest(&call, &nest, &count) ? operands_of(&call, x, count) : NULL;
    struct sta__value *value = operands ? block(&call, operands, count, &nest) : NULL;
    drop_all(operands, count);
    return sta__leave(&call, value);
}
