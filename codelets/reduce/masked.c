/* Reductions of some of the elements: those that are not NaN, those that `where` tells. What is left out is replaced by
 * what changes nothing, and counted. */
#include "reduce/front.h"

static struct sta__operand apart(struct sta__reduction_call *r, int op, struct sta__operand a, struct sta__operand b)
{
    struct sta__operand in[] = {a, b};
    return sta__reduce_whole(sta__reduce_apply(r->call, op, 2, in));
}

/* Which elements are there: bool, of the shape of x or one that broadcasts to it. */
static struct sta__operand mask_of(struct sta__reduction_call *r, const struct sta__operand *x, bool nan)
{
    struct sta__operand numbers = {.value = NULL};
    if (nan)
        numbers = apart(r, STA__OP_equal, sta__reduce_again(x), sta__reduce_again(x));
    if (!r->where.value)
        return numbers;
    struct sta__operand where = sta__reduce_again(&r->where);
    return nan ? apart(r, STA__OP_logical_and, numbers, where) : where;
}

/* `of` where the mask is true, else `other`. Takes all references over. */
static struct sta__operand choose(struct sta__reduction_call *r, struct sta__operand mask, struct sta__operand of,
                                  struct sta__operand other)
{
    return sta__reduce_whole(STA__APPLY(r->call, where, mask, of, other));
}

/* What changes nothing: minima and maxima have `initial`, which is joined again without harm. */
static struct sta__operand neutral(struct sta__reduction_call *r)
{
    if (r->row->empty != STA__EMPTY_ERROR)
        return sta__reduce_integer(r->call, r->row->number);
    return sta__reduce_whole(sta__reduce_cast(r->call, sta__reduce_again(&r->initial), r->x.value->dtype));
}

struct sta__operand sta__reduce_chosen(struct sta__reduction_call *r, bool nan)
{
    if (!nan && !r->where.value)
        return sta__reduce_again(&r->x);
    return choose(r, mask_of(r, &r->x, nan), sta__reduce_again(&r->x), neutral(r));
}

/* ---- moments ---- */

/* x in the dtype asked for, which elements are there, their number and sum. */
struct known {
    struct sta__operand x, mask, count, sum;
    sta_dtype accumulator;
};

static struct known learn(struct sta__reduction_call *r, bool nan)
{
    sta_dtype dtype = r->given ? r->given : sta__dtype_inexact(r->x.value->dtype);
    struct known k = {.accumulator = sta__reducer_dtype(STA__REDUCE_sum, dtype)};
    k.x = sta__reduce_again(&r->x);
    if (dtype != k.x.value->dtype)
        k.x = sta__reduce_whole(sta__reduce_cast(r->call, k.x, dtype));
    k.mask = mask_of(r, &k.x, nan);
    struct sta__operand elements =
        choose(r, sta__reduce_again(&k.mask), sta__reduce_again(&k.x), sta__reduce_integer(r->call, 0));
    k.sum = sta__reduce_whole(sta__reduce_component(r, elements, STA__REDUCE_sum, k.accumulator, 0));
    k.count =
        sta__reduce_whole(sta__reduce_component(r, sta__reduce_again(&k.mask), STA__REDUCE_count_nonzero, STA_bool, 0));
    return k;
}

static void forget(struct known *k)
{
    sta__operand_drop(&k->x);
    sta__operand_drop(&k->mask);
    sta__operand_drop(&k->sum);
    sta__operand_drop(&k->count);
}

static struct sta__value *mean_of(struct sta__reduction_call *r, const struct known *k)
{
    return STA__APPLY(r->call, divide, sta__reduce_again(&k->sum), sta__reduce_again(&k->count));
}

struct sta__value *sta__reduce_masked_mean(struct sta__reduction_call *r, bool nan)
{
    struct known k = learn(r, nan);
    struct sta__value *mean = mean_of(r, &k);
    forget(&k);
    return mean;
}

/* |x - mean|^2, 0 where x is left out. */
static struct sta__operand squares(struct sta__reduction_call *r, const struct known *k)
{
    struct sta__operand mean =
        sta__reduce_whole(sta__reduce_cast(r->call, sta__reduce_whole(mean_of(r, k)), k->accumulator));
    if (mean.value)
        mean.view = sta__reduce_kept_view(&r->shape, r->axes, r->x.view.shape.ndim);
    struct sta__operand distance = apart(r, STA__OP_subtract, sta__reduce_again(&k->x), mean);
    if (sta__dtype_kind(k->accumulator) == STA__KIND_COMPLEX)
        distance = sta__reduce_whole(STA__APPLY(r->call, absolute, distance));
    struct sta__operand square = apart(r, STA__OP_multiply, sta__reduce_again(&distance), distance);
    return choose(r, sta__reduce_again(&k->mask), square, sta__reduce_integer(r->call, 0));
}

/* As NumPy's: a divisor that is not above 0 makes NaN of nanvar; that of var is 0 at least. */
struct sta__value *sta__reduce_masked_var(struct sta__reduction_call *r, bool nan)
{
    struct known k = learn(r, nan);
    struct sta__operand sum =
        sta__reduce_whole(sta__reduce_component(r, squares(r, &k), STA__REDUCE_sum, sta__dtype_real(k.accumulator), 0));
    struct sta__operand left =
        apart(r, STA__OP_subtract, sta__reduce_again(&k.count), sta__reduce_number(r->call, r->correction));
    forget(&k);
    if (!nan) {
        left = apart(r, STA__OP_maximum, left, sta__reduce_number(r->call, 0));
        return STA__APPLY(r->call, divide, sum, left);
    }
    struct sta__operand some = apart(r, STA__OP_greater, sta__reduce_again(&left), sta__reduce_number(r->call, 0));
    struct sta__operand var = apart(r, STA__OP_divide, sum, left);
    return STA__APPLY(r->call, where, some, var, sta__reduce_number(r->call, __builtin_nan("")));
}
