/* Operators on single elements: which loop, and in which dtypes. Contract: index.h. */
#include "codelets/index/move.h"

/* The order in which a kind can hold another one. */
static int rank_of(sta_dtype dtype)
{
    static const int rank[] = {[STA__KIND_BOOL] = 0,
                               [STA__KIND_UNSIGNED] = 1,
                               [STA__KIND_SIGNED] = 2,
                               [STA__KIND_FLOATING] = 3,
                               [STA__KIND_COMPLEX] = 4};
    return rank[sta__dtype_kind(dtype)];
}

sta_dtype sta__at_types(struct sta__call *call, int op, sta_dtype x, const struct sta__value *source,
                        struct sta__at *to)
{
    struct sta__types types;
    const struct sta__input in[2] = {
        {.dtype = x},
        {source->dtype, source->weak, source->weak && source->dtype == STA_int64 ? *(const int64_t *)source->data : 0}};
    if (!sta__ufunc_types(op, in, &types)) {
        sta__fail(call, types.code, "%s", types.text);
        return STA_DTYPE_NONE;
    }
    if (rank_of(types.result) > rank_of(x)) {
        sta__fail(call, STA_ERROR_DTYPE, "the result is %s, which %s cannot hold", sta_dtype_name(types.result),
                  sta_dtype_name(x));
        return STA_DTYPE_NONE;
    }
    bool same = types.compute[0] == x && types.compute[1] == x && types.computed == x;
    *to = (struct sta__at){.op = types.op,
                           .type = types.loop,
                           .compute = {types.compute[0], types.compute[1]},
                           .computed = types.computed,
                           .loop = sta__ufunc_loop(types.op, types.loop),
                           .widen = types.compute[0] == x ? NULL : sta__cast_loop(x, types.compute[0]),
                           .narrow = types.computed == x ? NULL : sta__cast_loop(types.computed, x),
                           .item = sta_itemsize(x),
                           .source_item = sta_itemsize(types.compute[1]),
                           .direct = same ? sta__direct_loop(types.op, x) : NULL,
                           .join = same ? sta__join_loop(types.op, x) : NULL};
    return types.compute[1];
}
