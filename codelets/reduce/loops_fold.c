/* The loops of every reducer, compiled once for each instruction set: -DSTA__ISA=v2, v3 or v4 with -march=x86-64-v2,
 * -v3 or -v4. Plain C that compilers turn into vector code; -ffp-contract=off keeps the bits the same in all. */
#include "combine.h"
#include "fold.h"

#define PASTE2(a, b) a##_##b
#define PASTE3(a, b, c) a##_##b##_##c
#define JOINED(a, b) PASTE2(a, b)
#define NAMED(a, b, c) PASTE3(a, b, c)

/* ---- order ---- */

#define TYPE int8_t
#define BRIEF i8
#define TAKES(which, l, r) TAKES_INTEGER_##which(l, r)
#include "fold_order.h"
#undef TYPE
#undef BRIEF
#undef TAKES
#undef PLACED

#define TYPE int16_t
#define BRIEF i16
#define TAKES(which, l, r) TAKES_INTEGER_##which(l, r)
#include "fold_order.h"
#undef TYPE
#undef BRIEF
#undef TAKES
#undef PLACED

#define TYPE int32_t
#define BRIEF i32
#define TAKES(which, l, r) TAKES_INTEGER_##which(l, r)
#include "fold_order.h"
#undef TYPE
#undef BRIEF
#undef TAKES
#undef PLACED

#define TYPE int64_t
#define BRIEF i64
#define TAKES(which, l, r) TAKES_INTEGER_##which(l, r)
#include "fold_order.h"
#undef TYPE
#undef BRIEF
#undef TAKES
#undef PLACED

#define TYPE uint8_t
#define BRIEF u8
#define TAKES(which, l, r) TAKES_INTEGER_##which(l, r)
#include "fold_order.h"
#undef TYPE
#undef BRIEF
#undef TAKES
#undef PLACED

#define TYPE uint16_t
#define BRIEF u16
#define TAKES(which, l, r) TAKES_INTEGER_##which(l, r)
#include "fold_order.h"
#undef TYPE
#undef BRIEF
#undef TAKES
#undef PLACED

#define TYPE uint32_t
#define BRIEF u32
#define TAKES(which, l, r) TAKES_INTEGER_##which(l, r)
#include "fold_order.h"
#undef TYPE
#undef BRIEF
#undef TAKES
#undef PLACED

#define TYPE uint64_t
#define BRIEF u64
#define TAKES(which, l, r) TAKES_INTEGER_##which(l, r)
#include "fold_order.h"
#undef TYPE
#undef BRIEF
#undef TAKES
#undef PLACED

#define TYPE float
#define BRIEF f32
#define TAKES(which, l, r) TAKES_FLOAT_##which(l, r)
#include "fold_order.h"
#include "fold_nan.h"
#undef TYPE
#undef BRIEF
#undef TAKES
#undef PLACED

#define TYPE double
#define BRIEF f64
#define TAKES(which, l, r) TAKES_FLOAT_##which(l, r)
#include "fold_order.h"
#include "fold_nan.h"
#undef TYPE
#undef BRIEF
#undef TAKES
#undef PLACED

#define TYPE sta_complex64
#define BRIEF c64
#define TAKES(which, l, r) TAKES_COMPLEX_##which(l, r)
#include "fold_order.h"
#include "fold_nan.h"
#undef TYPE
#undef BRIEF
#undef TAKES
#undef PLACED

#define TYPE sta_complex128
#define BRIEF c128
#define TAKES(which, l, r) TAKES_COMPLEX_##which(l, r)
#include "fold_order.h"
#include "fold_nan.h"
#undef TYPE
#undef BRIEF
#undef TAKES
#undef PLACED

/* ---- sums and products; signed integers go as unsigned ones, so that they wrap ---- */

#define TYPE uint64_t
#define COMBINE(l, r) ((l) + (r))
#define FOLD(stem) NAMED(stem, sum, u64)
#include "fold_one.h"
#define COMBINE(l, r) ((l) * (r))
#define FOLD(stem) NAMED(stem, prod, u64)
#include "fold_one.h"
#undef TYPE

#define TYPE float
#define COMBINE(l, r) ((l) + (r))
#define FOLD(stem) NAMED(stem, sum, f32)
#include "fold_one.h"
#define COMBINE(l, r) ((l) * (r))
#define FOLD(stem) NAMED(stem, prod, f32)
#include "fold_one.h"
#undef TYPE

#define TYPE double
#define COMBINE(l, r) ((l) + (r))
#define FOLD(stem) NAMED(stem, sum, f64)
#include "fold_one.h"
#define COMBINE(l, r) ((l) * (r))
#define FOLD(stem) NAMED(stem, prod, f64)
#include "fold_one.h"
#undef TYPE

#define TYPE sta_complex64
#define COMBINE(l, r) add_c64(l, r)
#define FOLD(stem) NAMED(stem, sum, c64)
#include "fold_one.h"
#define COMBINE(l, r) multiply_c64(l, r)
#define FOLD(stem) NAMED(stem, prod, c64)
#include "fold_one.h"
#undef TYPE

#define TYPE sta_complex128
#define COMBINE(l, r) add_c128(l, r)
#define FOLD(stem) NAMED(stem, sum, c128)
#include "fold_one.h"
#define COMBINE(l, r) multiply_c128(l, r)
#define FOLD(stem) NAMED(stem, prod, c128)
#include "fold_one.h"
#undef TYPE

/* ---- truth ---- */

#define TYPE uint8_t
#define COMBINE(l, r) ((uint8_t)((l) | (r)))
#define FOLD(stem) NAMED(stem, any, u8)
#include "fold_one.h"
#define COMBINE(l, r) ((uint8_t)((l) & (r)))
#define FOLD(stem) NAMED(stem, all, u8)
#include "fold_one.h"
#undef TYPE

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

/* ---- the table ---- */

/* The leaf of x is x: loops over values are loops over states. */
#define ONE(name, brief)                                                                                               \
    {                                                                                                                  \
        pairs_##name##_##brief, pairs_##name##_##brief, eights_##name##_##brief, eights_##name##_##brief,              \
            twos_##name##_##brief, twos_##name##_##brief, join_##name##_##brief                                        \
    }
#define TWO(name, brief)                                                                                               \
    {                                                                                                                  \
        pairs_values_##name##_##brief, pairs_##name##_##brief, eights_values_##name##_##brief,                         \
            eights_##name##_##brief, twos_values_##name##_##brief, twos_##name##_##brief, join_##name##_##brief        \
    }
/* Counting sums the int64 states; its leaves are made by the tree. */
#define COUNT                                                                                                          \
    {                                                                                                                  \
        NULL, pairs_sum_u64, NULL, eights_sum_u64, NULL, twos_sum_u64, join_sum_u64                                    \
    }
#define SUM_TYPES(name)                                                                                                \
    {                                                                                                                  \
        [STA_int64] = ONE(name, u64), [STA_uint64] = ONE(name, u64), [STA_float32] = ONE(name, f32),                   \
        [STA_float64] = ONE(name, f64), [STA_complex64] = ONE(name, c64), [STA_complex128] = ONE(name, c128)           \
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
    [STA__REDUCE_sum] = SUM_TYPES(sum),
    [STA__REDUCE_prod] = SUM_TYPES(prod),
    [STA__REDUCE_min] = ORDER_TYPES(ONE, min, min),
    [STA__REDUCE_max] = ORDER_TYPES(ONE, max, max),
    [STA__REDUCE_nanmin] = ORDER_TYPES(ONE, nanmin, min),
    [STA__REDUCE_nanmax] = ORDER_TYPES(ONE, nanmax, max),
    [STA__REDUCE_any] = {[STA_bool] = ONE(any, u8)},
    [STA__REDUCE_all] = {[STA_bool] = ONE(all, u8)},
    [STA__REDUCE_count_nonzero] = {[STA_bool] = COUNT},
    [STA__REDUCE_argmin] = ORDER_TYPES(TWO, argmin, argmin),
    [STA__REDUCE_argmax] = ORDER_TYPES(TWO, argmax, argmax),
    [STA__REDUCE_nanargmin] = ORDER_TYPES(TWO, nanargmin, argmin),
    [STA__REDUCE_nanargmax] = ORDER_TYPES(TWO, nanargmax, argmax),
    [STA__REDUCE_var] = {[STA_float32] = TWO(var, f32),
                         [STA_float64] = TWO(var, f64),
                         [STA_complex64] = TWO(var, c64),
                         [STA_complex128] = TWO(var, c128)},
};
