/* See loops_mask.h. This file is compiled once for each level of x86-64, with STA__ISA set to its name. */
#include "loops_mask.h"

#include <string.h>

#if defined __AVX2__
#include <immintrin.h>
#endif

#define PASTE(a, b) a##b
#define FOR_ISA(a, b) PASTE(a, b)
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define IN_ORDER(word) (word)
#else
#define IN_ORDER(word) __builtin_bswap64(word)
#endif

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

/* A bit for each of 64 elements, the first one the lowest. */
#if defined __AVX512BW__
static inline uint64_t bits_of(const uint8_t *mask)
{
    const __m512i all = _mm512_loadu_si512(mask);
    return _mm512_test_epi8_mask(all, all);
}
#elif defined __AVX2__
static inline uint64_t bits_of(const uint8_t *mask)
{
    const __m256i low = _mm256_loadu_si256((const __m256i *)(const void *)mask),
                  high = _mm256_loadu_si256((const __m256i *)(const void *)(mask + 32));
    const uint32_t first = (uint32_t)_mm256_movemask_epi8(_mm256_slli_epi16(low, 7)),
                   second = (uint32_t)_mm256_movemask_epi8(_mm256_slli_epi16(high, 7));
    return first | (uint64_t)second << 32;
}
#else
static inline uint64_t bits_of(const uint8_t *mask)
{
    uint64_t bits = 0;
    for (int k = 0; k < BLOCK; k += 8) {
        uint64_t eight;
        memcpy(&eight, mask + k, 8);
        bits |= (IN_ORDER(eight) * 0x0102040810204080U >> 56) << k;
    }
    return bits;
}
#endif

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

extern const struct sta__mask_loops FOR_ISA(sta__mask_loops_, STA__ISA);
const struct sta__mask_loops FOR_ISA(sta__mask_loops_, STA__ISA) = {
    .count = count,
    .places = places,
    .fill = {[1] = fill_8, [2] = fill_16, [4] = fill_32, [8] = fill_64, [16] = fill_128}};
