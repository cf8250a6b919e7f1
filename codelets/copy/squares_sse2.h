/* Squares that are turned in registers of 16 bytes: square_<bits>, SIDE_<bits> elements wide. `from` has its columns as lines. */
#ifndef STA__SQUARES_H
#define STA__SQUARES_H

#include <emmintrin.h>
#include <stdint.h>

/* Each round puts the first half of the lines between those of the second, element by element. */
#define SQUARE(bits, type, side, rounds, low, high)                                                                    \
    enum { SIDE_##bits = side };                                                                                       \
    static inline __attribute__((always_inline)) void square_##bits(char *to, int64_t to_step, const char *from,       \
                                                                    int64_t from_step)                                 \
    {                                                                                                                  \
        __m128i line[side], next[side];                                                                                \
        for (int k = 0; k < side; k++)                                                                                 \
            line[k] = _mm_loadu_si128((const __m128i *)(const void *)(from + k * from_step));                          \
        for (int round = 0; round < rounds; round++) {                                                                 \
            for (int k = 0; k < side / 2; k++) {                                                                       \
                next[2 * k] = low(line[k], line[k + side / 2]);                                                        \
                next[2 * k + 1] = high(line[k], line[k + side / 2]);                                                   \
            }                                                                                                          \
            for (int k = 0; k < side; k++)                                                                             \
                line[k] = next[k];                                                                                     \
        }                                                                                                              \
        for (int k = 0; k < side; k++)                                                                                 \
            _mm_storeu_si128((__m128i *)(void *)(to + k * to_step), line[k]);                                          \
    }
SQUARE(8, uint8_t, 16, 4, _mm_unpacklo_epi8, _mm_unpackhi_epi8)
SQUARE(16, uint16_t, 8, 3, _mm_unpacklo_epi16, _mm_unpackhi_epi16)
SQUARE(32, uint32_t, 4, 2, _mm_unpacklo_epi32, _mm_unpackhi_epi32)
SQUARE(64, uint64_t, 2, 1, _mm_unpacklo_epi64, _mm_unpackhi_epi64)

#endif
