/* The operators that are plain where no dtype changes: one list for loops over addresses (operators.c) and over indices in one
 * tile (loops_put.c). */
#ifndef STA__INDEX_PLAIN_H
#define STA__INDEX_PLAIN_H

#include <stdint.h>

/* DO(name, type, text) defines the loop for x = text. Integers wrap alike with a sign and without; the products of 16 bits would
 * overflow an int. */
#define STA__PLAIN_ALL(DO, brief, type)                                                                                \
    DO(add_##brief, type, x + y) DO(subtract_##brief, type, x - y) DO(multiply_##brief, type, x *y)
#define STA__PLAIN_OPERATORS(DO)                                                                                       \
    STA__PLAIN_ALL(DO, u8, uint8_t)                                                                                    \
    DO(add_u16, uint16_t, x + y)                                                                                       \
    DO(subtract_u16, uint16_t, x - y)                                                                                  \
    DO(multiply_u16, uint16_t, (uint32_t)x *y)                                                                         \
    STA__PLAIN_ALL(DO, u32, uint32_t)                                                                                  \
    STA__PLAIN_ALL(DO, u64, uint64_t)                                                                                  \
    STA__PLAIN_ALL(DO, f32, float)                                                                                     \
    STA__PLAIN_ALL(DO, f64, double)

/* The loops of an operator by dtype. */
#define STA__PLAIN_ROW(op)                                                                                             \
    {                                                                                                                  \
        [STA_int8] = op##_u8, [STA_uint8] = op##_u8, [STA_int16] = op##_u16, [STA_uint16] = op##_u16,                  \
        [STA_int32] = op##_u32, [STA_uint32] = op##_u32, [STA_int64] = op##_u64, [STA_uint64] = op##_u64,              \
        [STA_float32] = op##_f32, [STA_float64] = op##_f64,                                                            \
    }

#endif
