/* piecewise, and functions with two results into arrays that are there. */
#include "elementwise/front.h"

#include <starray/scope.h>
#include <starray/shape.h>

/* ---- two results ---- */

/* Both are nodes, which read what the operands are now, before the first is written. */
static void assign_both(sta_array first, sta_array second, sta_array one, sta_array two)
{
    sta_assign(first, one);
    sta_assign(second, two);
    sta_free(one);
    sta_free(two);
}

void sta_modf_into(sta_array fractional, sta_array integral, sta_array x)
{
    sta_modf_result result = sta_modf(x);
    assign_both(fractional, integral, result.fractional, result.integral);
}

void sta_frexp_into(sta_array mantissa, sta_array exponent, sta_array x)
{
    sta_frexp_result result = sta_frexp(x);
    assign_both(mantissa, exponent, result.mantissa, result.exponent);
}

void sta_divmod_into(sta_array quotient, sta_array remainder, sta_array x, sta_array y)
{
    sta_divmod_result result = sta_divmod(x, y);
    assign_both(quotient, remainder, result.quotient, result.remainder);
}

/* ---- piecewise ---- */

/* An array as it is used at the elements of x: cast to `dtype`, broadcast. False: call->error. */
static bool fit(struct sta__call *call, sta_array given, const struct sta__operand *x, sta_dtype dtype,
                struct sta__operand *to)
{
    char a[STA__SHAPE_TEXT / 4], b[STA__SHAPE_TEXT / 4];
    if (!sta__operand_of(call, given, to))
        return false;
    struct sta__shape shape = x->view.shape;
    if (!sta__broadcast(&shape, &to->view.shape) || !sta__shape_equal(&shape, &x->view.shape)) {
        sta__fail(call, STA_ERROR_SHAPE, "an array of shape %s does not broadcast to %s",
                  sta__shape_text(&to->view.shape, a, sizeof a), sta__shape_text(&x->view.shape, b, sizeof b));
        sta__operand_drop(to);
        return false;
    }
    if (to->value->dtype != dtype || to->value->weak)
        *to = sta__cast(call, *to, dtype);
    return to->value != NULL;
}

/* What stands where no condition is true. */
static struct sta__operand otherwise(struct sta__call *call, const struct sta__operand *x, const sta_array *given)
{
    const struct sta__shape scalar = {.ndim = 0};
    struct sta__operand result;
    if (given) {
        if (!fit(call, *given, x, x->value->dtype, &result))
            return sta__whole(NULL);
    } else {
        struct sta__value *zero = sta__value_now(x->value->dtype, &scalar);
        result = sta__whole(zero ? zero : sta__fail_memory(call));
    }
    if (result.value)
        sta__view_broadcast(&result.view, &x->view.shape);
    return result;
}

sta_array sta_piecewise(sta_array x, const sta_array *conditions, int count, const sta_array *values, int value_count)
{
    struct sta__call call = sta__enter("piecewise");
    struct sta__operand operand, condition, value;
    if (!call.error && (count < 1 || (value_count != count && value_count != count + 1)))
        sta__fail(&call, STA_ERROR_VALUE, "%d values for %d conditions", value_count, count);
    if (!call.error && (!conditions || !values))
        sta__fail(&call, STA_ERROR_VALUE, "the conditions or the values are NULL");
    if (!sta__operand_of(&call, x, &operand))
        return sta__leave(&call, NULL);
    const sta_dtype dtype = operand.value->dtype;
    struct sta__operand result = otherwise(&call, &operand, value_count > count ? &values[count] : NULL);
    for (int k = 0; k < count && result.value; k++) {
        bool fine = fit(&call, conditions[k], &operand, STA_bool, &condition);
        if (fine && !fit(&call, values[k], &operand, dtype, &value)) {
            sta__operand_drop(&condition);
            fine = false;
        }
        if (fine)
            result = STA__TERNARY(&call, where, condition, value, result);
        else
            sta__operand_drop(&result);
    }
    sta__operand_drop(&operand);
    return sta__leave(&call, result.value);
}
