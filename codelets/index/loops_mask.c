/* See loops_mask.h. This file is compiled once for each level of x86-64, with STA__ISA set to its name. */
#include "loops_mask.h"

#include <stdbool.h>
#include <string.h>

#define PASTE(a, b) a##b
#define FOR_ISA(a, b) PASTE(a, b)

/* ---- counting ---- */

typedef uint8_t lanes __attribute__((vector_size(64)));
enum { LANES = 64, MOST_ROUNDS = 255 }; /* of ones that a byte can add up */

static int64_t count(const uint8_t *mask, int64_t n)
{
    int64_t total = 0;
    while (n >= LANES) {
        const int64_t rounds = n / LANES < MOST_ROUNDS ? n / LANES : MOST_ROUNDS;
        lanes sum = {0};
        for (int64_t r = 0; r < rounds; r++, mask += LANES) {
            lanes some;
            memcpy(&some, mask, sizeof some);
            sum += some;
        }
        for (int k = 0; k < LANES; k++)
            total += sum[k];
        n -= rounds * LANES;
    }
    for (; n > 0; n--)
        total += *mask++;
    return total;
}

/* ---- eight by eight: where little is true most is passed over, and what is not has no branch for each element, of which
 * every other one would be guessed wrong ---- */

enum { FEW = 2 };

/* The first in the lowest byte, whatever the order of bytes. */
static inline uint64_t eight_of(const uint8_t *mask)
{
    uint64_t eight = 0;
    for (int k = 0; k < 8; k++)
        eight |= (uint64_t)mask[k] << (8 * k);
    return eight;
}

static inline bool all_false(const uint8_t *mask)
{
    uint64_t found = 0;
    for (int k = 0; k < 64; k += 8)
        found |= eight_of(mask + k);
    return found == 0;
}

static inline int how_many(uint64_t eight)
{
    return (int)(eight * 0x0101010101010101U >> 56);
}

static inline int64_t *places_of_eight(const uint8_t *mask, int64_t first, int64_t *to)
{
    uint64_t eight = eight_of(mask);
    if (how_many(eight) <= FEW) {
        for (; eight; eight &= eight - 1)
            *to++ = first + __builtin_ctzll(eight) / 8;
        return to;
    }
    for (int k = 0; k < 8; k++) { /* written in vain where it is false */
        *to = first + k;
        to += mask[k];
    }
    return to;
}

static void places(const uint8_t *mask, int64_t n, int64_t first, int64_t *to, int64_t room)
{
    int64_t i = 0, *const end = to + room;
    for (; i + 64 <= n && end - to > 64; i += 64)
        if (!all_false(mask + i))
            for (int k = 0; k < 64; k += 8)
                to = places_of_eight(mask + i + k, first + i + k, to);
    for (; i < n && to < end; i++)
        if (mask[i])
            *to++ = first + i;
}

#define FILL(bits, type)                                                                                               \
    static inline void fill_eight_##bits(const uint8_t *restrict mask, type *restrict to, type value)                  \
    {                                                                                                                  \
        uint64_t eight = eight_of(mask);                                                                               \
        if (how_many(eight) <= FEW)                                                                                    \
            for (; eight; eight &= eight - 1)                                                                          \
                to[__builtin_ctzll(eight) / 8] = value;                                                                \
        else                                                                                                           \
            for (int k = 0; k < 8; k++)                                                                                \
                to[k] = mask[k] ? value : to[k];                                                                       \
    }                                                                                                                  \
    static void fill_##bits(const uint8_t *mask, int64_t n, char *to, const char *value)                               \
    {                                                                                                                  \
        type one, *const element = (type *)(void *)to;                                                                 \
        int64_t i = 0;                                                                                                 \
        memcpy(&one, value, sizeof one);                                                                               \
        for (; i + 64 <= n; i += 64)                                                                                   \
            if (!all_false(mask + i))                                                                                  \
                for (int k = 0; k < 64; k += 8)                                                                        \
                    fill_eight_##bits(mask + i + k, element + i + k, one);                                             \
        for (; i < n; i++)                                                                                             \
            if (mask[i])                                                                                               \
                element[i] = one;                                                                                      \
    }
struct sixteen {
    uint64_t half[2];
};
FILL(8, uint8_t)
FILL(16, uint16_t)
FILL(32, uint32_t)
FILL(64, uint64_t)
FILL(128, struct sixteen)

extern const struct sta__mask_loops FOR_ISA(sta__mask_loops_, STA__ISA);
const struct sta__mask_loops FOR_ISA(sta__mask_loops_, STA__ISA) = {
    .count = count,
    .places = places,
    .fill = {[1] = fill_8, [2] = fill_16, [4] = fill_32, [8] = fill_64, [16] = fill_128}};
