/* The loops of every reducer, compiled once for each instruction set: -DSTA__ISA=v2, v3 or v4 with -march=x86-64-v2,
 * -v3 or -v4. Plain C that compilers turn into vector code; -ffp-contract=off keeps the bits the same in all. */
#include "combine.h"
#include "fold.h"
#include "isa.h"

#define PASTE2(a, b) a##_##b
#define PASTE3(a, b, c) a##_##b##_##c
#define JOINED(a, b) PASTE2(a, b)
#define NAMED(a, b, c) PASTE3(a, b, c)

/* Of a run: elements that are compared before one is looked for; and those of the rows that they are taken as. */
#define ANY_ORDER (32768 / (int)sizeof(TYPE))
#define ANY_COLUMNS (128 / (int)sizeof(TYPE))
#define SCAN_COLUMNS STA__SCAN_COLUMNS
/* Trees of three levels side by side, level by level: compilers make two shuffles and one operation of each vector of a level,
 * where a tree by itself takes seven for each of its leaves. Not worth it with vectors of two doubles. */
#define OCTETS 32
#define SOME_OCTETS 8 /* of what is left */
#define VECTORS (STA__VECTOR_BYTES >= 32)
#define ABREAST 16 /* short rows side by side */

/* How many rows a scan takes as one, where there are few columns: a power of two. */
static int64_t scan_fold(const struct sta__rows *in, int64_t columns, int64_t rows)
{
    int64_t fold = 1;
    while (in->stride == columns && 2 * fold * columns <= SCAN_COLUMNS && rows / (2 * fold) >= 8)
        fold *= 2;
    return fold;
}

/* ---- order; real floats are compared by one instruction where there is no NaN. Zeros of both signs are the same ---- */

#define ROUNDS_INTEGER 0
#define ROUNDS_FLOAT 1
#define ROUNDS_COMPLEX 0
#define PLAIN_FLOAT_min(l, r) ((l) < (r) ? (l) : (r))
#define PLAIN_FLOAT_max(l, r) ((l) > (r) ? (l) : (r))
#define PLAIN_FLOAT_nanmin(l, r) PLAIN_FLOAT_min(l, r)
#define PLAIN_FLOAT_nanmax(l, r) PLAIN_FLOAT_max(l, r)

#define TYPE int8_t
#define BRIEF i8
#define KIND INTEGER
#define NARROW int8_t
#include "fold_orders.h"

#define TYPE int16_t
#define BRIEF i16
#define KIND INTEGER
#define NARROW int16_t
#include "fold_orders.h"

#define TYPE int32_t
#define BRIEF i32
#define KIND INTEGER
#define NARROW int32_t
#include "fold_orders.h"

#define TYPE int64_t
#define BRIEF i64
#define KIND INTEGER
#define NARROW int64_t
#include "fold_orders.h"

#define TYPE uint8_t
#define BRIEF u8
#define KIND INTEGER
#define NARROW int8_t
#include "fold_orders.h"

#define TYPE uint16_t
#define BRIEF u16
#define KIND INTEGER
#define NARROW int16_t
#include "fold_orders.h"

#define TYPE uint32_t
#define BRIEF u32
#define KIND INTEGER
#define NARROW int32_t
#include "fold_orders.h"

#define TYPE uint64_t
#define BRIEF u64
#define KIND INTEGER
#define NARROW int64_t
#include "fold_orders.h"

#define HAS_NAN
#define TYPE float
#define BRIEF f32
#define KIND FLOAT
#define NARROW int32_t
#include "fold_orders.h"

#define TYPE double
#define BRIEF f64
#define KIND FLOAT
#define NARROW int64_t
#include "fold_orders.h"

#define TYPE sta_complex64
#define BRIEF c64
#define KIND COMPLEX
#define NARROW int64_t
#include "fold_orders.h"

#define TYPE sta_complex128
#define BRIEF c128
#define KIND COMPLEX
#define NARROW int64_t
#include "fold_orders.h"

#undef HAS_NAN

/* ---- sums and products; signed integers go as unsigned ones, so that they wrap ---- */

#define TYPE uint64_t
#define BRIEF u64
#define PLUS(l, r) ((l) + (r))
#define TIMES(l, r) ((l) * (r))
#define FREE
#include "fold_sum.h"
#undef TYPE
#undef BRIEF
#undef FREE

#define TYPE float
#define BRIEF f32
#include "fold_sum.h"
#undef TYPE
#undef BRIEF

#define TYPE double
#define BRIEF f64
#include "fold_sum.h"
#undef TYPE
#undef BRIEF
#undef PLUS
#undef TIMES

#define TYPE sta_complex64
#define BRIEF c64
#define PLUS(l, r) add_c64(l, r)
#define TIMES(l, r) multiply_c64(l, r)
#include "fold_sum.h"
#undef TYPE
#undef BRIEF
#undef PLUS
#undef TIMES

#define TYPE sta_complex128
#define BRIEF c128
#define PLUS(l, r) add_c128(l, r)
#define TIMES(l, r) multiply_c128(l, r)
#include "fold_sum.h"
#undef TYPE
#undef BRIEF
#undef PLUS
#undef TIMES

/* ---- truth ---- */

#define TYPE uint8_t
#define COMBINE(l, r) ((uint8_t)((l) | (r)))
#define FOLD(stem) NAMED(stem, any, u8)
#include "fold_one.h"
#include "fold_any.h"
#include "fold_run.h"
#undef FOLD
#undef COMBINE
#define COMBINE(l, r) ((uint8_t)((l) & (r)))
#define FOLD(stem) NAMED(stem, all, u8)
#include "fold_one.h"
#include "fold_any.h"
#include "fold_run.h"
#undef FOLD
#undef COMBINE
#undef TYPE

static void run_count(const void *values, int64_t count, int64_t index, const struct sta__state *to)
{
    (void)index;
    const uint8_t *x = values;
    int64_t sum = 0;
    enum { PART = 4096 };
    for (int64_t from = 0; from < count; from += PART) {
        const int64_t end = count - from < PART ? count : from + PART;
        uint16_t part = 0;
        for (int64_t i = from; i < end; i++)
            part = (uint16_t)(part + (x[i] != 0));
        sum += part;
    }
    *(int64_t *)to->at[0] = sum;
}

/* ---- moments ---- */

#define TYPE float
#define REAL float
#define BRIEF f32
#define PLUS(l, r) ((l) + (r))
#include "fold_var.h"
#undef TYPE
#undef REAL
#undef BRIEF
#undef PLUS

#define TYPE double
#define REAL double
#define BRIEF f64
#define PLUS(l, r) ((l) + (r))
#include "fold_var.h"
#undef TYPE
#undef REAL
#undef BRIEF
#undef PLUS

#define TYPE sta_complex64
#define REAL float
#define BRIEF c64
#define PLUS(l, r) add_c64(l, r)
#include "fold_var.h"
#undef TYPE
#undef REAL
#undef BRIEF
#undef PLUS

#define TYPE sta_complex128
#define REAL double
#define BRIEF c128
#define PLUS(l, r) add_c128(l, r)
#include "fold_var.h"
#undef TYPE
#undef REAL
#undef BRIEF
#undef PLUS

/* ---- the table: pairs, eights, twos, join; octets, run, scan, short_rows, nodes ---- */

#define N(stem, name, brief) stem##_##name##_##brief
/* The leaf of x is x: loops over values are loops over states. */
#define ONE(name, brief)                                                                                               \
    N(pairs, name, brief), N(pairs, name, brief), N(eights, name, brief), N(eights, name, brief),                      \
        N(twos, name, brief), N(twos, name, brief), N(join, name, brief), N(octets, name, brief)
#define TWO(name, brief)                                                                                               \
    N(pairs_values, name, brief), N(pairs, name, brief), N(eights_values, name, brief), N(eights, name, brief),        \
        N(twos_values, name, brief), N(twos, name, brief), N(join, name, brief), NULL
#define FREE(name, brief)                                                                                              \
    {                                                                                                                  \
        ONE(name, brief), N(run, name, brief), NULL, NULL, NULL                                                        \
    }
#define ROUNDED(name, brief)                                                                                           \
    {                                                                                                                  \
        ONE(name, brief), NULL, NULL, NULL, N(nodes, name, brief)                                                      \
    }
#define SHORT(name, brief)                                                                                             \
    {                                                                                                                  \
        ONE(name, brief), NULL, NULL, N(short_rows, name, brief), N(nodes, name, brief)                                \
    }
#define FIRST(name, brief)                                                                                             \
    {                                                                                                                  \
        ONE(name, brief), N(run_first, name, brief), NULL, NULL, NULL                                                  \
    }
#define PLACED(name, brief)                                                                                            \
    {                                                                                                                  \
        TWO(name, brief), N(run, name, brief), N(scan, name, brief), N(short_rows, name, brief), NULL                  \
    }
#define MOMENTS(name, brief)                                                                                           \
    {                                                                                                                  \
        TWO(name, brief), NULL, NULL, NULL, NULL                                                                       \
    }
/* Counting sums the int64 states; its leaves are made by the tree. */
#define COUNT                                                                                                          \
    {                                                                                                                  \
        NULL, pairs_sum_u64, NULL, eights_sum_u64, NULL, twos_sum_u64, join_sum_u64, octets_sum_u64, run_count, NULL,  \
            NULL, NULL                                                                                                 \
    }
#define SUM_TYPES(KIND, name)                                                                                          \
    {                                                                                                                  \
        [STA_int64] = FREE(name, u64), [STA_uint64] = FREE(name, u64), [STA_float32] = KIND(name, f32),                \
        [STA_float64] = KIND(name, f64), [STA_complex64] = KIND(name, c64), [STA_complex128] = KIND(name, c128)        \
    }
/* `exact` is the same for the types without NaN. */
#define ORDER_TYPES(KIND, name, exact)                                                                                 \
    {                                                                                                                  \
        [STA_bool] = KIND(exact, u8), [STA_int8] = KIND(exact, i8), [STA_int16] = KIND(exact, i16),                    \
        [STA_int32] = KIND(exact, i32), [STA_int64] = KIND(exact, i64), [STA_uint8] = KIND(exact, u8),                 \
        [STA_uint16] = KIND(exact, u16), [STA_uint32] = KIND(exact, u32), [STA_uint64] = KIND(exact, u64),             \
        [STA_float32] = KIND(name, f32), [STA_float64] = KIND(name, f64), [STA_complex64] = KIND(name, c64),           \
        [STA_complex128] = KIND(name, c128)                                                                            \
    }

const struct sta__fold JOINED(sta__folds, STA__ISA)[STA__REDUCERS][STA__FOLD_DTYPES] = {
    [STA__REDUCE_sum] = SUM_TYPES(SHORT, sum),
    [STA__REDUCE_prod] = SUM_TYPES(ROUNDED, prod),
    [STA__REDUCE_min] = ORDER_TYPES(FIRST, min, min),
    [STA__REDUCE_max] = ORDER_TYPES(FIRST, max, max),
    [STA__REDUCE_nanmin] = ORDER_TYPES(FIRST, nanmin, min),
    [STA__REDUCE_nanmax] = ORDER_TYPES(FIRST, nanmax, max),
    [STA__REDUCE_any] = {[STA_bool] = FREE(any, u8)},
    [STA__REDUCE_all] = {[STA_bool] = FREE(all, u8)},
    [STA__REDUCE_count_nonzero] = {[STA_bool] = COUNT},
    [STA__REDUCE_argmin] = ORDER_TYPES(PLACED, argmin, argmin),
    [STA__REDUCE_argmax] = ORDER_TYPES(PLACED, argmax, argmax),
    [STA__REDUCE_nanargmin] = ORDER_TYPES(PLACED, nanargmin, argmin),
    [STA__REDUCE_nanargmax] = ORDER_TYPES(PLACED, nanargmax, argmax),
    [STA__REDUCE_var] = {[STA_float32] = MOMENTS(var, f32),
                         [STA_float64] = MOMENTS(var, f64),
                         [STA_complex64] = MOMENTS(var, c64),
                         [STA_complex128] = MOMENTS(var, c128)},
};
