/* See loops.h. This file is compiled once for each level of x86-64, with STA__ISA set to its name. */
#include "loops.h"

#include <string.h>

/* Unsigned words wrap without undefined behaviour, and their low bits are those of signed products. A tile is two
 * registers wide: eight sums hide the latency of the multiplication. */
#define TILE(name, word)                                                                                               \
    typedef word name##_vector __attribute__((vector_size(STA__VECTOR_BYTES)));                                        \
    static void name(int64_t k, const word *a, const word *b, word *c)                                                 \
    {                                                                                                                  \
        enum { LANES = STA__VECTOR_BYTES / sizeof(word) };                                                             \
        name##_vector sum[STA__PRODUCT_ROWS][2] = {{{0}}};                                                             \
        for (int64_t p = 0; p < k; p++) {                                                                              \
            name##_vector low, high;                                                                                   \
            memcpy(&low, b + p * 2 * LANES, STA__VECTOR_BYTES);                                                        \
            memcpy(&high, b + p * 2 * LANES + LANES, STA__VECTOR_BYTES);                                               \
            for (int i = 0; i < STA__PRODUCT_ROWS; i++) {                                                              \
                sum[i][0] += a[p * STA__PRODUCT_ROWS + i] * low;                                                       \
                sum[i][1] += a[p * STA__PRODUCT_ROWS + i] * high;                                                      \
            }                                                                                                          \
        }                                                                                                              \
        memcpy(c, sum, sizeof sum);                                                                                    \
    }

TILE(u16, uint16_t)
TILE(u32, uint32_t)
TILE(u64, uint64_t)

const struct sta__product_loops STA__FOR_ISA(sta__product_loops_) = {2 * STA__VECTOR_BYTES, u16, u32, u64};
