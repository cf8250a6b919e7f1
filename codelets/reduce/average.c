/* Weighted means: sum(x w) / sum(w), both in one pass. */
#include "reduce/front.h"

static bool is_exact(sta_dtype dtype)
{
    return sta__dtype_kind(dtype) < STA__KIND_FLOATING;
}

/* That of x and the weights; integers are averaged as float64, with weights of float32 too, as NumPy does. */
sta_dtype sta__reduce_average_dtype(const struct sta__reduction_call *r)
{
    sta_dtype dtype = r->x.value->dtype;
    if (!r->weights.value)
        return sta__dtype_inexact(dtype);
    sta_dtype both = sta_promote_types(dtype, r->weights.value->dtype);
    return is_exact(dtype) ? sta_promote_types(both, STA_float64) : both;
}

static struct sta__operand cast(struct sta__reduction_call *r, const struct sta__operand *operand, sta_dtype dtype)
{
    if (operand->value->dtype == dtype)
        return sta__reduce_again(operand);
    return sta__reduce_whole(sta__reduce_cast(r->call, sta__reduce_again(operand), dtype));
}

struct sta__value *sta__reduce_average(struct sta__reduction_call *r)
{
    if (!r->weights.value)
        return sta__reduce_mean(r);
    struct sta__operand weights = cast(r, &r->weights, r->result);
    struct sta__operand products =
        sta__reduce_whole(STA__APPLY(r->call, multiply, cast(r, &r->x, r->result), sta__reduce_again(&weights)));
    struct sta__operand sum = sta__reduce_whole(sta__reduce_first(r, products, STA__REDUCE_sum, r->result));
    struct sta__operand scale = sta__reduce_whole(sta__reduce_first(r, weights, STA__REDUCE_sum, r->result));
    struct sta__value *average = STA__APPLY(r->call, divide, sum, sta__reduce_again(&scale));
    if (average && scale.value)
        return sta__reduce_checked(r->call, scale.value, average, STA__CHECK_ZERO);
    sta__value_drop(average);
    sta__operand_drop(&scale);
    return NULL;
}
