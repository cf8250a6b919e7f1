/* The options of reductions, and what cannot be known before the dtype of the result is. */
#include "create/create.h"
#include "reduce/front.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Options that the function has no use for. */
static bool unused(struct sta__reduction_call *r, const char *member)
{
    sta__fail(r->call, STA_ERROR_VALUE, "%s takes no %s", r->row->name, member);
    return false;
}

/* The shape of x before an axis was added to it. */
static struct sta__shape own_shape(const struct sta__reduction_call *r)
{
    struct sta__shape shape = r->x.view.shape;
    shape.ndim -= r->count_of_axes == 0;
    return shape;
}

/* An operand of the shape of x, over its axes and the added one. */
static void fit_shape(const struct sta__reduction_call *r, struct sta__view *view)
{
    struct sta__shape shape = own_shape(r);
    sta__view_broadcast(view, &shape);
    if (r->count_of_axes == 0)
        view->shape.at[view->shape.ndim++] = 1;
}

/* The one element of `initial`, as one of shape (). */
static bool read_initial(struct sta__reduction_call *r, sta_array initial)
{
    char text[STA__SHAPE_TEXT];
    if (!sta__operand_of(r->call, initial, &r->initial))
        return false;
    struct sta__view *view = &r->initial.view;
    for (int a = 0; a < view->shape.ndim; a++)
        if (view->shape.at[a] != 1) {
            sta__fail(r->call, STA_ERROR_SHAPE, "initial is one element, not an array of shape %s",
                      sta__shape_text(&view->shape, text, sizeof text));
            return false;
        }
    for (int s = 0; s < view->store_ndim; s++)
        view->map[s].axis = -1;
    view->shape.ndim = 0;
    return true;
}

static bool read_where(struct sta__reduction_call *r, sta_array where)
{
    char a[STA__SHAPE_TEXT], b[STA__SHAPE_TEXT];
    if (!sta__operand_of(r->call, where, &r->where))
        return false;
    struct sta__shape shape = own_shape(r), both = r->where.view.shape;
    if (r->where.value->dtype != STA_bool)
        return sta__fail(r->call, STA_ERROR_DTYPE, "where is bool, not %s", sta_dtype_name(r->where.value->dtype)) !=
               NULL;
    if (!sta__broadcast(&both, &shape) || !sta__shape_equal(&both, &shape)) {
        sta__fail(r->call, STA_ERROR_SHAPE, "where, of shape %s, does not broadcast to %s",
                  sta__shape_text(&r->where.view.shape, a, sizeof a), sta__shape_text(&shape, b, sizeof b));
        return false;
    }
    fit_shape(r, &r->where.view);
    return true;
}

/* Whether the weights have the lengths of the reduced axes, in the order in which those were named. */
static bool weighs_axes(const struct sta__reduction_call *r, const struct sta__shape *weights)
{
    bool fits = weights->ndim == r->count_of_axes;
    for (int i = 0; i < weights->ndim && fits; i++)
        fits = weights->at[i] == r->x.view.shape.at[r->axis[i]];
    return fits;
}

static bool read_weights(struct sta__reduction_call *r, sta_array weights)
{
    char a[STA__SHAPE_TEXT], b[STA__SHAPE_TEXT];
    if (!sta__operand_of(r->call, weights, &r->weights))
        return false;
    struct sta__view *view = &r->weights.view;
    struct sta__shape shape = own_shape(r);
    if (sta__shape_equal(&view->shape, &shape)) {
        fit_shape(r, view);
        return true;
    }
    if (!weighs_axes(r, &view->shape)) {
        sta__fail(r->call, STA_ERROR_SHAPE, "weights of shape %s fit neither an array of shape %s nor its reduced axes",
                  sta__shape_text(&view->shape, a, sizeof a), sta__shape_text(&shape, b, sizeof b));
        return false;
    }
    for (int s = 0; s < view->store_ndim; s++)
        if (view->map[s].axis >= 0)
            view->map[s].axis = r->axis[view->map[s].axis];
    view->shape = r->x.view.shape;
    return true;
}

bool sta__reduce_options(struct sta__reduction_call *r, const sta_reduce_options *given)
{
    sta_reduce_options options = {0};
    if (!given)
        return true;
    if (given->size < sizeof given->size || given->size > 4096)
        return sta__fail(r->call, STA_ERROR_VALUE,
                         "sta_reduce_options.size is %zu, but it must be sizeof(sta_reduce_options)",
                         given->size) != NULL;
    memcpy(&options, given, given->size < sizeof options ? given->size : sizeof options);
    if (options.dtype && !(r->row->uses & STA__USES_DTYPE))
        return unused(r, "dtype");
    if (options.dtype && !sta__check_dtype(r->call, options.dtype))
        return false;
    if (isnan(options.correction))
        return sta__fail(r->call, STA_ERROR_VALUE, "correction is NaN") != NULL;
    if (options.correction != 0 && !(r->row->uses & STA__USES_CORRECTION))
        return unused(r, "correction");
    if (options.initial.id && !(r->row->uses & STA__USES_INITIAL))
        return unused(r, "initial");
    if (options.where.id && !(r->row->uses & STA__USES_WHERE))
        return unused(r, "where");
    if (options.weights.id && !(r->row->uses & STA__USES_WEIGHTS))
        return unused(r, "weights");
    r->given = options.dtype;
    r->correction = options.correction;
    return (!options.initial.id || read_initial(r, options.initial)) &&
           (!options.where.id || read_where(r, options.where)) &&
           (!options.weights.id || read_weights(r, options.weights));
}

/* ---- what the dtypes allow ---- */

static bool does_not_fit(struct sta__reduction_call *r, double number)
{
    sta__fail(r->call, STA_ERROR_VALUE, "initial = %g does not fit %s", number, sta_dtype_name(r->result));
    return false;
}

/* Python's numbers, as our weak ones: an integer dtype takes what it can hold. */
static bool initial_fits(struct sta__reduction_call *r)
{
    const struct sta__value *value = r->initial.value;
    enum sta__kind to = sta__dtype_kind(r->result);
    if (!value || !value->weak || to == STA__KIND_BOOL)
        return true;
    if (value->dtype == STA_complex128 && to != STA__KIND_COMPLEX)
        return sta__fail(r->call, STA_ERROR_DTYPE, "a complex initial does not become %s", sta_dtype_name(r->result)) !=
               NULL;
    if (to > STA__KIND_UNSIGNED)
        return true;
    if (value->dtype == STA_int64) {
        int64_t number;
        memcpy(&number, value->data, sizeof number);
        if (sta__dtype_holds(r->result, number))
            return true;
        sta__fail(r->call, STA_ERROR_VALUE, "the integer %" PRId64 " does not fit %s", number,
                  sta_dtype_name(r->result));
        return false;
    }
    double number = 0;
    if (value->dtype == STA_float64)
        memcpy(&number, value->data, sizeof number);
    bool whole =
        isfinite(number) && (number < 0x1p63 || r->result == STA_uint64) && number < 0x1p64 && number > -0x1p63;
    if (!whole)
        return does_not_fit(r, number);
    return (number >= 0x1p63 || sta__dtype_holds(r->result, (int64_t)number)) || does_not_fit(r, number);
}

bool sta__reduce_allowed(struct sta__reduction_call *r)
{
    if (!initial_fits(r))
        return false;
    if (r->where.value && r->row->empty == STA__EMPTY_ERROR && !r->initial.value)
        return sta__fail(r->call, STA_ERROR_VALUE, "%s has no identity: where needs an initial", r->row->name) != NULL;
    if (r->row->compute == sta__reduce_range && r->count && r->x.value->dtype == STA_bool)
        return sta__fail(r->call, STA_ERROR_DTYPE, "not defined for bool") != NULL;
    bool median = r->row->compute == sta__reduce_median || r->row->compute == sta__reduce_nan_median;
    if (median && sta__dtype_kind(r->x.value->dtype) == STA__KIND_COMPLEX)
        return sta__fail(r->call, STA_ERROR_DTYPE, "not defined for %s", sta_dtype_name(r->x.value->dtype)) != NULL;
    return true;
}
