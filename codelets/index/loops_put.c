/* See loops.h. This file is compiled once for each level of x86-64, with STA__ISA set to its name. */
#include "loops.h"

#include <string.h>

#define PASTE(a, b) a##b
#define FOR_ISA(a, b) PASTE(a, b)

#define JOIN(name, type, text)                                                                                         \
    static void name(const struct sta__spots *spots, int64_t n, const char *with, int64_t step)                        \
    {                                                                                                                  \
        const struct sta__spots s = *spots;                                                                            \
        for (int64_t i = 0; i < n; i++, with += step) {                                                                \
            char *const at = s.origin + (s.ids[i] + (s.ids[i] < 0 ? s.length : 0)) * (int64_t)sizeof(type);            \
            type x, y;                                                                                                 \
            memcpy(&x, at, sizeof x);                                                                                  \
            memcpy(&y, with, sizeof y);                                                                                \
            x = (type)(text);                                                                                          \
            memcpy(at, &x, sizeof x);                                                                                  \
        }                                                                                                              \
    }
#define JOIN_ALL(brief, type)                                                                                          \
    JOIN(add_##brief, type, x + y) JOIN(subtract_##brief, type, x - y) JOIN(multiply_##brief, type, x *y)
JOIN_ALL(u8, uint8_t)
JOIN(add_u16, uint16_t, x + y)
JOIN(subtract_u16, uint16_t, x - y)
JOIN(multiply_u16, uint16_t, (uint32_t)x *y)
JOIN_ALL(u32, uint32_t)
JOIN_ALL(u64, uint64_t)
JOIN_ALL(f32, float)
JOIN_ALL(f64, double)

#define PUT(name, type)                                                                                                \
    static void name(const struct sta__spots *spots, int64_t n, const char *with, int64_t step)                        \
    {                                                                                                                  \
        const struct sta__spots s = *spots;                                                                            \
        for (int64_t i = 0; i < n; i++, with += step)                                                                  \
            memcpy(s.origin + (s.ids[i] + (s.ids[i] < 0 ? s.length : 0)) * (int64_t)sizeof(type), with, sizeof(type)); \
    }
struct sixteen {
    uint64_t half[2];
};
PUT(put_8, uint8_t)
PUT(put_16, uint16_t)
PUT(put_32, uint32_t)
PUT(put_64, uint64_t)
PUT(put_128, struct sixteen)

/* Integers wrap alike with a sign and without. */
#define ROW(op)                                                                                                        \
    {                                                                                                                  \
        [STA_int8] = op##_u8, [STA_uint8] = op##_u8, [STA_int16] = op##_u16, [STA_uint16] = op##_u16,                  \
        [STA_int32] = op##_u32, [STA_uint32] = op##_u32, [STA_int64] = op##_u64, [STA_uint64] = op##_u64,              \
        [STA_float32] = op##_f32, [STA_float64] = op##_f64,                                                            \
    }
extern const struct sta__put_loops FOR_ISA(sta__put_loops_, STA__ISA);
const struct sta__put_loops FOR_ISA(sta__put_loops_, STA__ISA) = {
    .put = {[1] = put_8, [2] = put_16, [4] = put_32, [8] = put_64, [16] = put_128},
    .join = {[STA__JOIN_ADD] = ROW(add), [STA__JOIN_SUBTRACT] = ROW(subtract), [STA__JOIN_MULTIPLY] = ROW(multiply)}};
