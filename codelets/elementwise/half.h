/* Conversion of float16 and bfloat16, stored in uint16_t, from and to float32: round to nearest even, NaN stays NaN
 * (made quiet, the upper part of its payload kept). The same bits with the instructions of the CPU and without them.
 */
#ifndef STA__HALF_H
#define STA__HALF_H

#include <stdint.h>
#include <string.h>

#ifdef __F16C__
#include <immintrin.h>
#endif

static inline uint32_t sta__bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline float sta__from_bits(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* ---- float16: 1 sign, 5 exponent, 10 mantissa bits ---- */

static inline float sta__f16_to_f32(uint16_t h)
{
    const uint32_t sign = (uint32_t)(h & 0x8000) << 16, rest = (uint32_t)(h & 0x7fff) << 13;
    const uint32_t normal = rest + (112u << 23);
    const uint32_t infinite = (rest + (224u << 23)) | ((rest & 0x7fffff) != 0 ? 1u << 22 : 0);
    /* 2^-14 + subnormal is exact in float32. */
    const uint32_t subnormal = sta__bits(sta__from_bits(rest + (113u << 23)) - 0x1p-14f);
    return sta__from_bits(sign | (rest < 1u << 23 ? subnormal : rest >= 31u << 23 ? infinite : normal));
}

static inline uint16_t sta__f32_to_f16(float x)
{
    const uint32_t bits = sta__bits(x), sign = bits >> 16 & 0x8000, rest = bits & 0x7fffffff;
    const uint32_t normal = (rest - (112u << 23) + 0xfff + (rest >> 13 & 1)) >> 13;
    /* Adding 1/2 rounds to a multiple of 2^-24, the least float16. */
    const uint32_t subnormal = sta__bits(sta__from_bits(rest) + 0.5f) - (126u << 23);
    const uint32_t finite = rest < 113u << 23 ? subnormal : normal;
    const uint32_t nan = 0x7e00 | (rest >> 13 & 0x3ff);
    return (uint16_t)(sign | (rest > 255u << 23 ? nan : rest >= 143u << 23 ? 0x7c00 : finite));
}

/* ---- bfloat16: the upper half of a float32 ---- */

static inline float sta__bf16_to_f32(uint16_t h)
{
    const uint32_t bits = (uint32_t)h << 16;
    return sta__from_bits((bits & 0x7fffffff) > 255u << 23 ? bits | 1u << 22 : bits);
}

static inline uint16_t sta__f32_to_bf16(float x)
{
    const uint32_t bits = sta__bits(x);
    const uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16, nan = bits >> 16 | 0x40;
    return (uint16_t)((bits & 0x7fffffff) > 255u << 23 ? nan : rounded);
}

/* A double as the float whose last bit says whether it was inexact ("round to odd"): rounding that once more to 16
 * bits gives what rounding the double at once would. */
static inline float sta__f64_to_odd(double x)
{
    const float near = (float)x;
    const double back = (double)near, size = x < 0 ? -x : x, back_size = back < 0 ? -back : back;
    const uint32_t bits = sta__bits(near);
    const uint32_t odd = (back_size > size ? bits - 1 : bits) | 1;
    return back == x || x != x ? near : sta__from_bits(odd);
}

/* The next 16-bit float after x towards y; both given as numbers too. */
static inline uint16_t sta__half_next(uint16_t x, float x_value, uint16_t y, float y_value)
{
    const uint16_t least = (uint16_t)((y & 0x8000) | 1);
    const uint16_t next = (uint16_t)((x_value < y_value) == (x_value > 0) ? x + 1 : x - 1);
    const uint16_t moved = x_value == 0 ? least : next;
    return x_value != x_value ? x : y_value != y_value || x_value == y_value ? y : moved;
}

/* ---- many of them: how many were done; the rest is left to the functions above ---- */

#ifdef __F16C__
static inline int64_t sta__f16_to_f32_most(int64_t n, float *to, const uint16_t *from)
{
    int64_t i = 0;
    for (; i + 8 <= n; i += 8)
        _mm256_storeu_ps(to + i, _mm256_cvtph_ps(_mm_loadu_si128((const void *)(from + i))));
    return i;
}

static inline int64_t sta__f32_to_f16_most(int64_t n, uint16_t *to, const float *from)
{
    int64_t i = 0;
    for (; i + 8 <= n; i += 8)
        _mm_storeu_si128((void *)(to + i), _mm256_cvtps_ph(_mm256_loadu_ps(from + i), _MM_FROUND_TO_NEAREST_INT));
    return i;
}
#else
static inline int64_t sta__f16_to_f32_most(int64_t n, float *to, const uint16_t *from)
{
    (void)n, (void)to, (void)from;
    return 0;
}

static inline int64_t sta__f32_to_f16_most(int64_t n, uint16_t *to, const float *from)
{
    (void)n, (void)to, (void)from;
    return 0;
}
#endif

#endif
