/* What each reduction is made of: components of reducers, and arithmetic on them. Arrays may have NaNs only where their
 * dtype has: for others the nan functions are the plain ones. */
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

/* One component of the reducer's state; takes the operand's reference over. */
static struct sta__value *component(struct sta__reduction_call *r, struct sta__operand operand, int reducer,
                                    sta_dtype accumulator, int part)
{
    struct sta__value *to[STA__COMPONENTS] = {NULL};
    sta__reduce_components(r, &operand, reducer, accumulator, 1U << part, to);
    sta__operand_drop(&operand);
    return to[part];
}

static struct sta__value *reduced(struct sta__reduction_call *r, struct sta__operand operand, int reducer,
                                  sta_dtype dtype)
{
    sta_dtype accumulator = sta__reducer_dtype((enum sta__reducer)reducer, dtype);
    return component(r, as_given(r, operand, accumulator), reducer, accumulator, 0);
}

struct sta__value *sta__reduce_simple(struct sta__reduction_call *r)
{
    return reduced(r, sta__reduce_again(&r->x), r->row->reducer, dtype_of(r));
}

struct sta__value *sta__reduce_range(struct sta__reduction_call *r)
{
    sta_dtype dtype = r->x.value->dtype, accumulator = sta__reducer_dtype(STA__REDUCE_max, dtype);
    struct sta__value *most = component(r, sta__reduce_again(&r->x), STA__REDUCE_max, accumulator, 0);
    struct sta__value *least = component(r, sta__reduce_again(&r->x), STA__REDUCE_min, accumulator, 0);
    return STA__APPLY(r->call, subtract, sta__reduce_whole(most), sta__reduce_whole(least));
}

/* ---- positions ---- */

static bool may_be_nan(sta_dtype dtype)
{
    return sta__dtype_kind(dtype) >= STA__KIND_FLOATING;
}

struct sta__value *sta__reduce_position(struct sta__reduction_call *r)
{
    sta_dtype accumulator = sta__reducer_dtype((enum sta__reducer)r->row->reducer, r->x.value->dtype);
    return component(r, sta__reduce_again(&r->x), r->row->reducer, accumulator, 1);
}

struct sta__value *sta__reduce_nan_position(struct sta__reduction_call *r)
{
    struct sta__value *to[STA__COMPONENTS];
    sta_dtype accumulator = sta__reducer_dtype((enum sta__reducer)r->row->reducer, r->x.value->dtype);
    if (!may_be_nan(accumulator))
        return sta__reduce_position(r);
    return sta__reduce_components(r, &r->x, r->row->reducer, accumulator, 3, to)
               ? sta__reduce_checked(r->call, to[0], to[1])
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
    struct sta__value *sum = reduced(r, sta__reduce_again(&r->x), STA__REDUCE_sum, dtype);
    return STA__APPLY(r->call, divide, sta__reduce_whole(sum), sta__reduce_number(r->call, (double)r->count));
}

/* Of one element: 0, but NaN where the element is not finite. */
static struct sta__value *square_of_one(struct sta__reduction_call *r, struct sta__operand x, sta_dtype accumulator)
{
    struct sta__operand one = sta__reduce_whole(component(r, x, STA__REDUCE_sum, accumulator, 0));
    struct sta__value *distance = STA__APPLY(r->call, subtract, sta__reduce_again(&one), sta__reduce_again(&one));
    sta__operand_drop(&one);
    return STA__APPLY(r->call, absolute, sta__reduce_whole(distance));
}

struct sta__value *sta__reduce_var(struct sta__reduction_call *r)
{
    sta_dtype accumulator = sta__reducer_dtype(STA__REDUCE_var, dtype_of(r));
    struct sta__operand x = as_given(r, sta__reduce_again(&r->x), accumulator);
    struct sta__value *squares =
        r->count == 1 ? square_of_one(r, x, accumulator) : component(r, x, STA__REDUCE_var, accumulator, 1);
    return STA__APPLY(r->call, divide, sta__reduce_whole(squares), sta__reduce_number(r->call, divisor(r)));
}

static struct sta__value *root(struct sta__reduction_call *r, struct sta__value *var)
{
    return STA__APPLY(r->call, sqrt, sta__reduce_whole(var));
}

struct sta__value *sta__reduce_std(struct sta__reduction_call *r)
{
    return root(r, sta__reduce_var(r));
}

/* ---- without NaN ---- */

static struct sta__value *is_nan(struct sta__reduction_call *r, const struct sta__operand *x)
{
    return STA__APPLY(r->call, isnan, sta__reduce_again(x));
}

/* `of`, but the number where x is NaN. Takes over the reference of `of`. */
static struct sta__operand filled(struct sta__reduction_call *r, const struct sta__operand *x, struct sta__operand of,
                                  double number)
{
    return sta__reduce_whole(
        STA__APPLY(r->call, where, sta__reduce_whole(is_nan(r, x)), sta__reduce_number(r->call, number), of));
}

struct sta__value *sta__reduce_nan_simple(struct sta__reduction_call *r)
{
    if (!may_be_nan(r->x.value->dtype))
        return sta__reduce_simple(r);
    return reduced(r, filled(r, &r->x, sta__reduce_again(&r->x), r->row->number), r->row->reducer, dtype_of(r));
}

/* x in the dtype asked for, its sum and the number of elements that are not NaN. */
struct known {
    struct sta__operand x, count, sum;
    sta_dtype accumulator;
};

static struct known learn(struct sta__reduction_call *r)
{
    struct known k = {.accumulator = sta__reducer_dtype(STA__REDUCE_sum, dtype_of(r))};
    k.x = sta__reduce_again(&r->x);
    if (r->given && r->given != k.x.value->dtype)
        k.x = sta__reduce_whole(sta__reduce_cast(r->call, k.x, r->given));
    struct sta__operand numbers =
        sta__reduce_whole(STA__APPLY(r->call, equal, sta__reduce_again(&k.x), sta__reduce_again(&k.x)));
    struct sta__operand elements = filled(r, &k.x, sta__reduce_again(&k.x), 0);
    k.sum = sta__reduce_whole(component(r, elements, STA__REDUCE_sum, k.accumulator, 0));
    k.count = sta__reduce_whole(component(r, numbers, STA__REDUCE_count_nonzero, STA_bool, 0));
    return k;
}

static void forget(struct known *k)
{
    sta__operand_drop(&k->x);
    sta__operand_drop(&k->sum);
    sta__operand_drop(&k->count);
}

static bool check_inexact(struct sta__reduction_call *r)
{
    if (!r->given || may_be_nan(r->given))
        return true;
    sta__fail(r->call, STA_ERROR_DTYPE, "%s is neither a float nor a complex dtype", sta_dtype_name(r->given));
    return false;
}

static struct sta__value *mean_of(struct sta__reduction_call *r, const struct known *k)
{
    return STA__APPLY(r->call, divide, sta__reduce_again(&k->sum), sta__reduce_again(&k->count));
}

struct sta__value *sta__reduce_nan_mean(struct sta__reduction_call *r)
{
    if (!may_be_nan(r->x.value->dtype))
        return sta__reduce_mean(r);
    if (!check_inexact(r))
        return NULL;
    struct known k = learn(r);
    struct sta__value *mean = mean_of(r, &k);
    forget(&k);
    return mean;
}

/* |x - mean|^2, 0 where x is NaN. */
static struct sta__operand squares(struct sta__reduction_call *r, const struct known *k)
{
    struct sta__operand mean =
        sta__reduce_whole(sta__reduce_cast(r->call, sta__reduce_whole(mean_of(r, k)), k->accumulator));
    if (mean.value)
        mean.view = sta__reduce_kept_view(&r->shape, r->axes, r->x.view.shape.ndim);
    struct sta__operand distance = sta__reduce_whole(STA__APPLY(r->call, subtract, sta__reduce_again(&k->x), mean));
    if (sta__dtype_kind(k->accumulator) == STA__KIND_COMPLEX)
        distance = sta__reduce_whole(STA__APPLY(r->call, absolute, distance));
    struct sta__operand square =
        sta__reduce_whole(STA__APPLY(r->call, multiply, sta__reduce_again(&distance), distance));
    return filled(r, &k->x, square, 0);
}

struct sta__value *sta__reduce_nan_var(struct sta__reduction_call *r)
{
    if (!may_be_nan(r->x.value->dtype))
        return sta__reduce_var(r);
    if (!check_inexact(r))
        return NULL;
    struct known k = learn(r);
    struct sta__operand sum =
        sta__reduce_whole(component(r, squares(r, &k), STA__REDUCE_sum, sta__dtype_real(k.accumulator), 0));
    struct sta__operand left = sta__reduce_whole(
        STA__APPLY(r->call, subtract, sta__reduce_again(&k.count), sta__reduce_number(r->call, r->correction)));
    struct sta__operand some =
        sta__reduce_whole(STA__APPLY(r->call, greater, sta__reduce_again(&left), sta__reduce_number(r->call, 0)));
    struct sta__operand var = sta__reduce_whole(STA__APPLY(r->call, divide, sum, left));
    forget(&k);
    return STA__APPLY(r->call, where, some, var, sta__reduce_number(r->call, __builtin_nan("")));
}

struct sta__value *sta__reduce_nan_std(struct sta__reduction_call *r)
{
    return may_be_nan(r->x.value->dtype) ? root(r, sta__reduce_nan_var(r)) : sta__reduce_std(r);
}
