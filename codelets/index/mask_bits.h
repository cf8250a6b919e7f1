/* A bit for each of 64 elements of a mask, the first one the lowest: by the instructions of the level that includes this. */
#ifndef STA__INDEX_MASK_BITS_H
#define STA__INDEX_MASK_BITS_H

#include <stdint.h>
#include <string.h>

#if defined __AVX2__
#include <immintrin.h>
#endif

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define IN_ORDER(word) (word)
#else
#define IN_ORDER(word) __builtin_bswap64(word)
#endif

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
    for (int k = 0; k < 64; k += 8) {
        uint64_t eight;
        memcpy(&eight, mask + k, 8);
        bits |= (IN_ORDER(eight) * 0x0102040810204080U >> 56) << k;
    }
    return bits;
}
#endif

#endif
