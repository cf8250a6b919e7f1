/* The public reductions: validate, infer, make. One table row for each. */
#include "reduce/front.h"
#include "slice.h"

#include <starray/reduce.h>

#include <math.h>
#include <string.h>

/* ---- validation (options: options.c) ---- */

static bool read_axes(struct sta__reduction_call *r, const sta_dims *axes)
{
    char why[STA__WHY];
    int list[STA_MAXDIM], count, ndim = r->x.view.shape.ndim;
    sta_error_code code = sta__axes(axes, ndim, list, &count, why);
    if (code)
        return sta__fail(r->call, code, "%s", why) != NULL;
    r->count_of_axes = count;
    for (int i = 0; i < count; i++) {
        r->axes |= 1U << list[i];
        r->axis[i] = list[i];
    }
    if (count)
        return true;
    r->keep = false; /* nothing vanishes: each element is reduced along an axis of its own */
    if (ndim == STA_MAXDIM)
        return sta__fail(r->call, STA_ERROR_SHAPE, "an array of %d axes cannot be reduced over none of them", ndim) !=
               NULL;
    r->x.view.shape.at[r->x.view.shape.ndim++] = 1;
    r->axes = 1U << ndim;
    return true;
}

static void measure(struct sta__reduction_call *r)
{
    const struct sta__shape *shape = &r->x.view.shape;
    r->count = r->cells = 1;
    for (int a = 0; a < shape->ndim; a++) {
        *(r->axes >> a & 1 ? &r->count : &r->cells) *= shape->at[a];
        if (!(r->axes >> a & 1))
            r->shape.at[r->shape.ndim++] = shape->at[a];
    }
}

/* ---- inference ---- */

static sta_dtype result_dtype(const struct sta__reduction_call *r)
{
    sta_dtype dtype = r->x.value->dtype;
    bool half = dtype == STA_float16 || dtype == STA_bfloat16;
    const sta_dtype by_rule[] = {
        [STA__RESULT_SUM] = r->given ? r->given
                            : half   ? dtype
                                     : sta__reducer_dtype(STA__REDUCE_sum, dtype),
        [STA__RESULT_SAME] = dtype,
        [STA__RESULT_BOOL] = STA_bool,
        [STA__RESULT_INT64] = STA_int64,
        [STA__RESULT_MEAN] = r->given ? r->given : sta__dtype_inexact(dtype),
        [STA__RESULT_AVERAGE] = sta__reduce_average_dtype(r),
        [STA__RESULT_VAR] = sta__dtype_real(r->given ? r->given : sta__dtype_inexact(dtype)),
    };
    return by_rule[r->row->result];
}

/* ---- results ---- */

static struct sta__value *nothing_to_reduce(struct sta__reduction_call *r)
{
    int axis = 0;
    while (r->x.view.shape.at[axis] || !(r->axes >> axis & 1))
        axis++;
    return sta__fail(r->call, STA_ERROR_EMPTY, "axis %d has length 0 and %s has no identity", axis, r->row->name);
}

/* All results are the number, or `initial`. Takes the operand's reference over. */
static struct sta__value *repeated(struct sta__reduction_call *r, struct sta__operand element)
{
    if (element.value)
        sta__view_broadcast(&element.view, &r->shape);
    return sta__reduce_cast(r->call, element, r->result);
}

static struct sta__value *reduce_empty(struct sta__reduction_call *r)
{
    if (r->count == 0 && r->row->empty == STA__EMPTY_ERROR)
        return r->initial.value ? repeated(r, sta__reduce_again(&r->initial)) : nothing_to_reduce(r);
    return repeated(r, r->row->empty == STA__EMPTY_NAN ? sta__reduce_nan(r->call, r->result)
                                                       : sta__reduce_number(r->call, r->row->number));
}

static struct sta__value *with_initial(struct sta__reduction_call *r, struct sta__value *value)
{
    struct sta__operand in[] = {sta__reduce_whole(sta__reduce_cast(r->call, sta__reduce_again(&r->initial), r->result)),
                                sta__reduce_whole(value)};
    return sta__reduce_cast(r->call, sta__reduce_whole(sta__reduce_apply(r->call, r->row->joins, 2, in)), r->result);
}

static struct sta__value *reduce(struct sta__reduction_call *r)
{
    bool empty = r->count == 0 || r->cells == 0;
    struct sta__value *value = empty ? reduce_empty(r) : r->row->compute(r);
    value = sta__reduce_cast(r->call, sta__reduce_whole(value), r->result);
    return r->initial.value && value ? with_initial(r, value) : value;
}

/* The result with the reduced axes: a view of it, or, where nobody knows it yet, itself. */
static sta_array leave_kept(struct sta__call *call, const struct sta__reduction_call *r, struct sta__value *value)
{
    if (!value || !r->keep)
        return sta__leave(call, value);
    struct sta__view view = sta__reduce_kept_view(&value->shape, r->axes, r->x.view.shape.ndim);
    if (value->state != STA__NOW || value->references > 1)
        return sta__leave_under(call, value, &view);
    value->shape = view.shape;
    return sta__leave(call, value);
}

static sta_array reduction(const struct sta__reduce_row *row, sta_array x, const sta_dims *axes, unsigned flags,
                           const sta_reduce_options *options)
{
    struct sta__call call = sta__enter(row->name);
    struct sta__reduction_call r;
    struct sta__value *value = NULL;
    memset(&r, 0, offsetof(struct sta__reduction_call, x));
    r.call = &call;
    r.row = row;
    r.axes = 0;
    r.shape.ndim = 0;
    r.given = STA_DTYPE_NONE;
    r.correction = 0;
    r.initial.value = NULL;
    r.where.value = r.weights.value = NULL;
    r.keep = flags & STA_KEEPDIMS;
    if (sta__operand_of(&call, x, &r.x)) {
        if (flags & ~(unsigned)STA_KEEPDIMS)
            sta__fail(&call, STA_ERROR_VALUE, "flags 0x%x are not known", flags & ~(unsigned)STA_KEEPDIMS);
        else if (read_axes(&r, axes) && sta__reduce_options(&r, options)) {
            measure(&r);
            r.result = result_dtype(&r);
            value = sta__reduce_allowed(&r) ? reduce(&r) : NULL;
        }
        sta__operand_drop(&r.initial);
        sta__operand_drop(&r.where);
        sta__operand_drop(&r.weights);
        sta__operand_drop(&r.x);
    }
    return leave_kept(&call, &r, value);
}

/* ---- the functions ---- */

#define DTYPE STA__USES_DTYPE
#define CORRECTION STA__USES_CORRECTION
#define INITIAL STA__USES_INITIAL
#define WHERE STA__USES_WHERE
#define WEIGHTS STA__USES_WEIGHTS
#define NONE 0

/* name, how, reducer, result, empty, number, options, initial's ufunc */
#define REDUCTIONS(ROW, ROW_EX)                                                                                        \
    ROW_EX(sum, simple, sum, SUM, NUMBER, 0, DTYPE | INITIAL | WHERE, add)                                             \
    ROW_EX(prod, simple, prod, SUM, NUMBER, 1, DTYPE | INITIAL | WHERE, multiply)                                      \
    ROW(count_nonzero, simple, count_nonzero, INT64, NUMBER, 0, NONE, add)                                             \
    ROW_EX(min, simple, min, SAME, ERROR, 0, INITIAL | WHERE, minimum)                                                 \
    ROW_EX(max, simple, max, SAME, ERROR, 0, INITIAL | WHERE, maximum)                                                 \
    ROW(ptp, range, max, SAME, ERROR, 0, NONE, add)                                                                    \
    ROW(argmin, position, argmin, INT64, ERROR, 0, NONE, add)                                                          \
    ROW(argmax, position, argmax, INT64, ERROR, 0, NONE, add)                                                          \
    ROW_EX(any, simple, any, BOOL, NUMBER, 0, WHERE, add)                                                              \
    ROW_EX(all, simple, all, BOOL, NUMBER, 1, WHERE, add)                                                              \
    ROW_EX(mean, mean, sum, MEAN, NAN, 0, DTYPE | WHERE, add)                                                          \
    ROW_EX(average, average, sum, AVERAGE, NAN, 0, WEIGHTS, add)                                                       \
    ROW(median, median, sum, MEAN, NAN, 0, NONE, add)                                                                  \
    ROW_EX(var, var, var, VAR, NAN, 0, DTYPE | CORRECTION | WHERE, add)                                                \
    ROW_EX(std, std, var, VAR, NAN, 0, DTYPE | CORRECTION | WHERE, add)                                                \
    ROW_EX(nansum, nan_simple, sum, SUM, NUMBER, 0, DTYPE | INITIAL | WHERE, add)                                      \
    ROW_EX(nanprod, nan_simple, prod, SUM, NUMBER, 1, DTYPE | INITIAL | WHERE, multiply)                               \
    ROW_EX(nanmin, simple, nanmin, SAME, ERROR, 0, INITIAL | WHERE, fmin)                                              \
    ROW_EX(nanmax, simple, nanmax, SAME, ERROR, 0, INITIAL | WHERE, fmax)                                              \
    ROW(nanargmin, nan_position, nanargmin, INT64, ERROR, 0, NONE, add)                                                \
    ROW(nanargmax, nan_position, nanargmax, INT64, ERROR, 0, NONE, add)                                                \
    ROW_EX(nanmean, nan_mean, sum, MEAN, NAN, 0, DTYPE | WHERE, add)                                                   \
    ROW(nanmedian, nan_median, sum, MEAN, NAN, 0, NONE, add)                                                           \
    ROW_EX(nanvar, nan_var, var, VAR, NAN, 0, DTYPE | CORRECTION | WHERE, add)                                         \
    ROW_EX(nanstd, nan_std, var, VAR, NAN, 0, DTYPE | CORRECTION | WHERE, add)

#define ROW(name, how, reducer, result, empty, number, uses, joins)                                                    \
    static const struct sta__reduce_row name##_row = {                                                                 \
        #name, sta__reduce_##how, STA__REDUCE_##reducer, STA__RESULT_##result, STA__EMPTY_##empty, number,             \
        uses,  STA__OP_##joins};
REDUCTIONS(ROW, ROW)

#define FUNCTION(name, ...)                                                                                            \
    sta_array sta_##name(sta_array x, sta_dims axes, unsigned flags)                                                   \
    {                                                                                                                  \
        return reduction(&name##_row, x, &axes, flags, NULL);                                                          \
    }
#define FUNCTION_EX(name, ...)                                                                                         \
    FUNCTION(name, )                                                                                                   \
    sta_array sta_##name##_ex(sta_array x, sta_dims axes, unsigned flags, const sta_reduce_options *options)           \
    {                                                                                                                  \
        return reduction(&name##_row, x, &axes, flags, options);                                                       \
    }
REDUCTIONS(FUNCTION, FUNCTION_EX)
