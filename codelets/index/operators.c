/* Operators applied to selected elements: x[i] = f(x[i], y), one after the other where several are for one place. */
#include "codelets/index/move.h"
#include "codelets/index/plain.h"

#include <string.h>

/* ---- the plain ones, where no dtype changes ---- */

#define APPLY(name, type, text)                                                                                        \
    static void name(int64_t count, char *const *at, const char *with, int64_t step)                                   \
    {                                                                                                                  \
        for (int64_t i = 0; i < count; i++) {                                                                          \
            type x, y;                                                                                                 \
            memcpy(&x, at[i], sizeof x);                                                                               \
            memcpy(&y, with + i * step, sizeof y);                                                                     \
            x = (type)(text);                                                                                          \
            memcpy(at[i], &x, sizeof x);                                                                               \
        }                                                                                                              \
    }
STA__PLAIN_OPERATORS(APPLY)

/* The larger and the smaller one; x where it is NaN, and y, which then is not more or less than x, where that is. */
#define ORDER(brief, type)                                                                                             \
    APPLY(maximum_##brief, type, ((x >= y) | IS_NAN(x)) ? x : y)                                                       \
    APPLY(minimum_##brief, type, ((x <= y) | IS_NAN(x)) ? x : y)
#define IS_NAN(x) 0
ORDER(i8, int8_t)
ORDER(u8, uint8_t)
ORDER(i16, int16_t)
ORDER(u16, uint16_t)
ORDER(i32, int32_t)
ORDER(u32, uint32_t)
ORDER(i64, int64_t)
ORDER(u64, uint64_t)
#undef IS_NAN
#define IS_NAN(x) ((x) != (x))
ORDER(f32, float)
ORDER(f64, double)

#define ORDER_ROW(op)                                                                                                  \
    {                                                                                                                  \
        [STA_int8] = op##_i8, [STA_uint8] = op##_u8, [STA_int16] = op##_i16, [STA_uint16] = op##_u16,                  \
        [STA_int32] = op##_i32, [STA_uint32] = op##_u32, [STA_int64] = op##_i64, [STA_uint64] = op##_u64,              \
        [STA_float32] = op##_f32, [STA_float64] = op##_f64,                                                            \
    }

static int plain_row(int op)
{
    return op == STA__OP_add        ? STA__JOIN_ADD
           : op == STA__OP_subtract ? STA__JOIN_SUBTRACT
           : op == STA__OP_multiply ? STA__JOIN_MULTIPLY
                                    : -1;
}

sta__direct *sta__direct_loop(int op, sta_dtype dtype)
{
    static sta__direct *const loop[][STA__DTYPES] = {STA__PLAIN_ROW(add), STA__PLAIN_ROW(subtract),
                                                     STA__PLAIN_ROW(multiply)};
    static sta__direct *const maximum[STA__DTYPES] = ORDER_ROW(maximum), *const minimum[STA__DTYPES] =
                                                                             ORDER_ROW(minimum);
    const int row = plain_row(op);
    return op == STA__OP_maximum   ? maximum[dtype]
           : op == STA__OP_minimum ? minimum[dtype]
           : row < 0               ? NULL
                                   : loop[row][dtype];
}

/* The same for elements of one tile, as they are found. */
sta__put_loop *sta__join_loop(int op, sta_dtype dtype)
{
    const int row = plain_row(op);
    return row < 0 ? NULL : STA__BEST_ISA(sta__put_loops)->join[row][dtype];
}

/* ---- any operator, by its loop over elements that lie at different places ---- */

enum { MOST = 128 };

static void copy_element(char *to, const char *from, size_t item)
{
    switch (item) { /* of a known size it is a load and a store */
    case 1:
        memcpy(to, from, 1);
        return;
    case 2:
        memcpy(to, from, 2);
        return;
    case 4:
        memcpy(to, from, 4);
        return;
    case 8:
        memcpy(to, from, 8);
        return;
    default:
        memcpy(to, from, 16);
    }
}

static void apply_some(const struct sta__at *op, size_t item, int64_t count, char *const *at, const char *with,
                       int64_t step)
{
    _Alignas(64) char x[16 * MOST], y[16 * MOST], wide[16 * MOST], result[16 * MOST];
    for (int64_t i = 0; i < count; i++)
        copy_element(x + (size_t)i * item, at[i], item);
    if (step != (int64_t)op->source_item)
        for (int64_t i = 0; i < count; i++)
            copy_element(y + (size_t)i * op->source_item, with + i * step, op->source_item);
    const void *narrow[1] = {x}, *made[1] = {result};
    const void *in[2] = {op->widen ? wide : x, step == (int64_t)op->source_item ? with : y};
    if (op->widen)
        op->widen(count, wide, narrow);
    op->loop(count, result, in);
    if (op->narrow)
        op->narrow(count, x, made);
    const char *from = op->narrow ? x : result;
    for (int64_t i = 0; i < count; i++)
        copy_element(at[i], from + (size_t)i * item, item);
}

/* Whether the address was not seen since `turn` began; two that share a mark count as one. */
static inline bool is_new(uint8_t *mark, const char *at, int shift, uint8_t turn)
{
    uint8_t *own = &mark[(uintptr_t)at >> shift & 1023];
    bool seen = *own == turn;
    *own = turn;
    return !seen;
}

void sta__apply_each(const struct sta__at *op, int64_t count, char *const *at, const char *with, int64_t step)
{
    sta__elements_touch(count, at);
    if (op->direct) {
        op->direct(count, at, with, step);
        return;
    }
    uint8_t mark[1024] = {0}, turn = 1; /* each turn ends before an address comes again: MOST of them at most */
    int shift = __builtin_ctzll((unsigned long long)op->item);
    int64_t first = 0;
    for (int64_t i = 0; i < count; i++) {
        if (i - first < MOST && turn < UINT8_MAX && is_new(mark, at[i], shift, turn))
            continue;
        apply_some(op, op->item, i - first, at + first, with + first * step, step);
        first = i;
        if (turn == UINT8_MAX)
            memset(mark, 0, sizeof mark);
        turn = turn == UINT8_MAX ? 1 : (uint8_t)(turn + 1);
        is_new(mark, at[i], shift, turn);
    }
    if (count > first)
        apply_some(op, op->item, count - first, at + first, with + first * step, step);
}

void sta__apply_row(const struct sta__at *op, int64_t count, char *at, int64_t at_step, const char *with, int64_t step)
{
    char *each[MOST];
    for (int64_t first = 0; first < count; first += MOST) {
        const int64_t n = count - first < MOST ? count - first : MOST;
        for (int64_t i = 0; i < n; i++)
            each[i] = at + (first + i) * at_step;
        if (op->direct)
            op->direct(n, each, with + first * step, step);
        else
            apply_some(op, op->item, n, each, with + first * step, step);
    }
}
