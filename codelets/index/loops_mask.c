/* See loops_mask.h. This file is compiled once for each level of x86-64, with STA__ISA set to its name. */
#include "loops_mask.h"
#include "mask_bits.h"

#include <string.h>

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

/* ---- 64 by 64: where nothing is true they are passed over, where little is each true one is looked for; elsewhere there is
 * no branch for each element, of which every other one would be guessed wrong ---- */

enum { BLOCK = 64, FEW = 16 };

static void places(const uint8_t *mask, int64_t n, int64_t first, int64_t *to, int64_t room)
{
    int64_t i = 0, *const end = to + room;
    for (; i + BLOCK <= n && end - to > BLOCK; i += BLOCK) {
        uint64_t bits = bits_of(mask + i);
        if (__builtin_popcountll(bits) > FEW) {
            for (int k = 0; k < BLOCK; k++) { /* written in vain where it is false */
                *to = first + i + k;
                to += mask[i + k];
            }
            continue;
        }
        for (; bits; bits &= bits - 1)
            *to++ = first + i + __builtin_ctzll(bits);
    }
    for (; i < n && to < end; i++)
        if (mask[i])
            *to++ = first + i;
}

#define FILL(bits, type)                                                                                               \
    static void fill_##bits(const uint8_t *restrict mask, int64_t n, char *to, const char *value)                      \
    {                                                                                                                  \
        type one, *restrict element = (type *)(void *)to;                                                              \
        memcpy(&one, value, sizeof one);                                                                               \
        for (; n >= BLOCK; n -= BLOCK, mask += BLOCK, element += BLOCK) {                                              \
            uint64_t true_ones = bits_of(mask);                                                                        \
            if (__builtin_popcountll(true_ones) > FEW)                                                                 \
                for (int k = 0; k < BLOCK; k++)                                                                        \
                    element[k] = mask[k] ? one : element[k];                                                           \
            else                                                                                                       \
                for (; true_ones; true_ones &= true_ones - 1)                                                          \
                    element[__builtin_ctzll(true_ones)] = one;                                                         \
        }                                                                                                              \
        for (int64_t i = 0; i < n; i++)                                                                                \
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

extern const struct sta__mask_loops STA__FOR_ISA(sta__mask_loops_);
const struct sta__mask_loops STA__FOR_ISA(sta__mask_loops_) = {
    .count = count,
    .places = places,
    .fill = {[1] = fill_8, [2] = fill_16, [4] = fill_32, [8] = fill_64, [16] = fill_128}};
