/* What each reduction is made of: components of reducers, and arithmetic on them. Arrays may have NaNs only where their
 * dtype has: for others the nan functions are the plain ones. What leaves elements out is in masked.c. */
#include "reduce/front.h"

/* The operand as a dtype that was asked for sees it; a reduction casts to its accumulator by itself. */
static struct sta__operand as_given(const struct sta__reduction_call *r, struct sta__operand operand,
                                    sta_dtype accumulator)
{
    if (!r->given || !operand.value || operand.value->dtype == r->given || r->given == accumulator)
        return operand;
    return sta__reduce_whole(sta__reduce_cast(r->call, operand, r->given));
}

static sta_dtype dtype_of(const struct sta__reduction_call *r)
{
    return r->given ? r->given : r->x.value->dtype;
}

struct sta__value *sta__reduce_component(struct sta__reduction_call *r, struct sta__operand operand, int reducer,
                                         sta_dtype accumulator, int part)
{
    struct sta__value *to[STA__COMPONENTS] = {NULL};
    sta__reduce_components(r, &operand, reducer, accumulator, 1U << part, to);
    sta__operand_drop(&operand);
    return to[part];
}

struct sta__value *sta__reduce_first(struct sta__reduction_call *r, struct sta__operand operand, int reducer,
                                     sta_dtype dtype)
{
    sta_dtype accumulator = sta__reducer_dtype((enum sta__reducer)reducer, dtype);
    return sta__reduce_component(r, as_given(r, operand, accumulator), reducer, accumulator, 0);
}

struct sta__value *sta__reduce_simple(struct sta__reduction_call *r)
{
    return sta__reduce_first(r, sta__reduce_chosen(r, false), r->row->reducer, dtype_of(r));
}

struct sta__value *sta__reduce_range(struct sta__reduction_call *r)
{
    sta_dtype dtype = r->x.value->dtype, accumulator = sta__reducer_dtype(STA__REDUCE_max, dtype);
    struct sta__value *most = sta__reduce_component(r, sta__reduce_again(&r->x), STA__REDUCE_max, accumulator, 0);
    struct sta__value *least = sta__reduce_component(r, sta__reduce_again(&r->x), STA__REDUCE_min, accumulator, 0);
    return STA__APPLY(r->call, subtract, sta__reduce_whole(most), sta__reduce_whole(least));
}

/* ---- positions ---- */

bool sta__reduce_may_be_nan(sta_dtype dtype)
{
    return sta__dtype_kind(dtype) >= STA__KIND_FLOATING;
}

struct sta__value *sta__reduce_position(struct sta__reduction_call *r)
{
    sta_dtype accumulator = sta__reducer_dtype((enum sta__reducer)r->row->reducer, r->x.value->dtype);
    return sta__reduce_component(r, sta__reduce_again(&r->x), r->row->reducer, accumulator, 1);
}

struct sta__value *sta__reduce_nan_position(struct sta__reduction_call *r)
{
    struct sta__value *to[STA__COMPONENTS];
    sta_dtype accumulator = sta__reducer_dtype((enum sta__reducer)r->row->reducer, r->x.value->dtype);
    if (!sta__reduce_may_be_nan(accumulator))
        return sta__reduce_position(r);
    return sta__reduce_components(r, &r->x, r->row->reducer, accumulator, 3, to)
               ? sta__reduce_checked(r->call, to[0], to[1], STA__CHECK_NAN)
               : NULL;
}

/* ---- moments ---- */

static double divisor(const struct sta__reduction_call *r)
{
    double left = (double)r->count - r->correction;
    return left > 0 ? left : 0;
}

struct sta__value *sta__reduce_mean(struct sta__reduction_call *r)
{
    sta_dtype dtype = r->given ? r->given : sta__dtype_inexact(r->x.value->dtype);
    if (r->where.value)
        return sta__reduce_masked_mean(r, false);
    struct sta__value *sum = sta__reduce_first(r, sta__reduce_again(&r->x), STA__REDUCE_sum, dtype);
    return STA__APPLY(r->call, divide, sta__reduce_whole(sum), sta__reduce_number(r->call, (double)r->count));
}

/* Of one element: 0, but NaN where the element is not finite. */
static struct sta__value *square_of_one(struct sta__reduction_call *r, struct sta__operand x, sta_dtype accumulator)
{
    struct sta__operand one = sta__reduce_whole(sta__reduce_component(r, x, STA__REDUCE_sum, accumulator, 0));
    struct sta__value *distance = STA__APPLY(r->call, subtract, sta__reduce_again(&one), sta__reduce_again(&one));
    sta__operand_drop(&one);
    return STA__APPLY(r->call, absolute, sta__reduce_whole(distance));
}

struct sta__value *sta__reduce_var(struct sta__reduction_call *r)
{
    sta_dtype accumulator = sta__reducer_dtype(STA__REDUCE_var, dtype_of(r));
    if (r->where.value)
        return sta__reduce_masked_var(r, false);
    struct sta__operand x = as_given(r, sta__reduce_again(&r->x), accumulator);
    struct sta__value *squares =
        r->count == 1 ? square_of_one(r, x, accumulator) : sta__reduce_component(r, x, STA__REDUCE_var, accumulator, 1);
    return STA__APPLY(r->call, divide, sta__reduce_whole(squares), sta__reduce_number(r->call, divisor(r)));
}

static struct sta__value *root(struct sta__reduction_call *r, struct sta__value *var)
{
    return STA__APPLY(r->call, sqrt, sta__reduce_whole(var));
}

static bool check_inexact(struct sta__reduction_call *r)
{
    if (!r->given || sta__reduce_may_be_nan(r->given))
        return true;
    sta__fail(r->call, STA_ERROR_DTYPE, "%s is neither a float nor a complex dtype", sta_dtype_name(r->given));
    return false;
}

struct sta__value *sta__reduce_std(struct sta__reduction_call *r)
{
    return root(r, sta__reduce_var(r));
}

/* ---- without NaN ---- */

struct sta__value *sta__reduce_nan_simple(struct sta__reduction_call *r)
{
    bool nan = sta__reduce_may_be_nan(r->x.value->dtype);
    return sta__reduce_first(r, sta__reduce_chosen(r, nan), r->row->reducer, dtype_of(r));
}

struct sta__value *sta__reduce_nan_mean(struct sta__reduction_call *r)
{
    if (!sta__reduce_may_be_nan(r->x.value->dtype))
        return sta__reduce_mean(r);
    return check_inexact(r) ? sta__reduce_masked_mean(r, true) : NULL;
}

struct sta__value *sta__reduce_nan_var(struct sta__reduction_call *r)
{
    if (!sta__reduce_may_be_nan(r->x.value->dtype))
        return sta__reduce_var(r);
    return check_inexact(r) ? sta__reduce_masked_var(r, true) : NULL;
}

struct sta__value *sta__reduce_nan_std(struct sta__reduction_call *r)
{
    return root(r, sta__reduce_nan_var(r));
}
