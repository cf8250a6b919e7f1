/* See loops.h. This file is compiled once for each level of x86-64, with STA__ISA set to its name. */
#include "loops.h"

#include <string.h>

#define PASTE(a, b) a##b
#define FOR_ISA(a, b) PASTE(a, b)

/* Where elements of other tasks go: several, so that one need not wait for the one before it. */
enum { SPARES = 16 };
struct spare {
    _Alignas(16) char element[SPARES][16];
};

static inline uint64_t wrapped(const struct sta__spots *s, int64_t i)
{
    return (uint64_t)s->ids[i] + ((uint64_t)(s->ids[i] >> 63) & (uint64_t)s->length);
}

static inline uint64_t quotient(const struct sta__spots *s, uint64_t index)
{
    return ((uint64_t)(uint32_t)(index >> s->shift) * s->factor >> s->tail) & (STA__SPOT_TILES - 1);
}

/* The element of the tile, or a spare one: without a branch, of which every other one would be guessed wrong. */
static inline char *pick(const struct sta__spots *s, uint64_t tile, uint64_t offset, char *spare, int64_t i)
{
    const uint64_t origin = (uint64_t)(uintptr_t)s->origin[tile], mine = 0 - (uint64_t)(origin != 0);
    const uint64_t other = (uint64_t)(uintptr_t)spare + 16 * ((uint64_t)i % SPARES);
    return (char *)(uintptr_t)(((origin + offset) & mine) | (other & ~mine));
}

/* In one tile. */
#define JOIN(name, type, text)                                                                                         \
    static void name(const struct sta__spots *spots, int64_t n, const char *with, int64_t step)                        \
    {                                                                                                                  \
        const struct sta__spots s = *spots;                                                                            \
        char *const origin = s.origin[0];                                                                              \
        for (int64_t i = 0; i < n; i++, with += step) {                                                                \
            char *const at = origin + wrapped(&s, i) * sizeof(type);                                                   \
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

#define EACH(type, where)                                                                                              \
    for (int64_t i = 0; i < n; i++, with += step) {                                                                    \
        const uint64_t index = wrapped(&s, i);                                                                         \
        memcpy(where, with, sizeof(type));                                                                             \
    }
#define PUT(name, type)                                                                                                \
    static void name(const struct sta__spots *spots, int64_t n, const char *with, int64_t step)                        \
    {                                                                                                                  \
        const struct sta__spots s = *spots;                                                                            \
        struct spare spare;                                                                                            \
        char *const first = s.origin[0], *const others = spare.element[0];                                             \
        if (s.tiles == 1)                                                                                              \
            EACH(type, first + index * sizeof(type))                                                                   \
        else if (s.simple)                                                                                             \
            EACH(type, pick(&s, index >> s.shift & (STA__SPOT_TILES - 1), index * sizeof(type), others, i))            \
        else                                                                                                           \
            EACH(type, pick(&s, quotient(&s, index), index * sizeof(type), others, i))                                 \
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
