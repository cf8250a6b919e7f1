/* Operators on single elements: which loop, and in which dtypes. Contract: index.h. */
#include "codelets/index/index.h"

#include <string.h>

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

/* ---- direct forms: the plain operators where no dtype changes. The same bits as the loops ---- */

#define DIRECT(name, type, text)                                                                                       \
    static void name(char *to, const char *source)                                                                     \
    {                                                                                                                  \
        type x, y;                                                                                                     \
        memcpy(&x, to, sizeof x);                                                                                      \
        memcpy(&y, source, sizeof y);                                                                                  \
        x = (type)(text);                                                                                              \
        memcpy(to, &x, sizeof x);                                                                                      \
    }
#define DIRECT_ALL(brief, type)                                                                                        \
    DIRECT(add_##brief, type, x + y) DIRECT(subtract_##brief, type, x - y) DIRECT(multiply_##brief, type, x *y)
DIRECT_ALL(u8, uint8_t)
DIRECT(add_u16, uint16_t, x + y)
DIRECT(subtract_u16, uint16_t, x - y)
DIRECT(multiply_u16, uint16_t, (uint32_t)x *y)
DIRECT_ALL(u32, uint32_t)
DIRECT_ALL(u64, uint64_t)
DIRECT_ALL(f32, float)
DIRECT_ALL(f64, double)

typedef void direct(char *to, const char *source);

/* Integers wrap alike with a sign and without. */
#define ROW(op)                                                                                                        \
    {                                                                                                                  \
        [STA_int8] = op##_u8, [STA_uint8] = op##_u8, [STA_int16] = op##_u16, [STA_uint16] = op##_u16,                  \
        [STA_int32] = op##_u32, [STA_uint32] = op##_u32, [STA_int64] = op##_u64, [STA_uint64] = op##_u64,              \
        [STA_float32] = op##_f32, [STA_float64] = op##_f64,                                                            \
    }
static direct *direct_of(int op, sta_dtype dtype)
{
    static direct *const add[STA__DTYPES] = ROW(add);
    static direct *const subtract[STA__DTYPES] = ROW(subtract);
    static direct *const multiply[STA__DTYPES] = ROW(multiply);
    return op == STA__OP_add        ? add[dtype]
           : op == STA__OP_subtract ? subtract[dtype]
           : op == STA__OP_multiply ? multiply[dtype]
                                    : NULL;
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
    bool same = types.compute[0] == x && types.computed == x;
    *to = (struct sta__at){.loop = sta__ufunc_loop(types.op, types.loop),
                           .widen = types.compute[0] == x ? NULL : sta__cast_loop(x, types.compute[0]),
                           .narrow = types.computed == x ? NULL : sta__cast_loop(types.computed, x),
                           .source_item = sta_itemsize(types.compute[1]),
                           .direct = same && types.compute[1] == x ? direct_of(types.op, x) : NULL};
    return types.compute[1];
}
