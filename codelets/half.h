/* float16 and bfloat16, as they lie in memory, to float32 and back: round to nearest even, NaN stays NaN. */
#ifndef STA__HALF_H
#define STA__HALF_H

#include <stdint.h>
#include <string.h>

static inline float sta__float_of_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint32_t sta__bits_of_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline float sta__float_of_half(uint16_t half)
{
    const uint32_t sign = (uint32_t)(half & 0x8000u) << 16, rest = half & 0x7fffu;
    if (rest >= 0x7c00u)
        return sta__float_of_bits(sign | 0x7f800000u | (rest & 0x3ffu) << 13);
    if (rest >= 0x400u)
        return sta__float_of_bits(sign | ((rest << 13) + (112u << 23)));
    const float tiny = (float)rest * 0x1p-24f; /* subnormal: exact */
    return sta__float_of_bits(sign | sta__bits_of_float(tiny));
}

/* Rounds from double in one step, so that doubles and floats take the same path. */
static inline uint16_t sta__half_of_double(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint16_t sign = (uint16_t)(bits >> 48 & 0x8000u);
    const double size = value < 0 ? -value : value;
    if (value != value)
        return (uint16_t)(sign | 0x7e00u);
    if (size >= 65520.0)
        return (uint16_t)(sign | 0x7c00u);
    if (size < 0x1p-14) { /* the unit is 2^-24: let the addition round */
        const double rounded = size + 0x1p28;
        return (uint16_t)(sign | (uint16_t)((rounded - 0x1p28) * 0x1p24));
    }
    const uint64_t rest = bits & 0x7fffffffffffffffull, odd = rest >> 42 & 1u;
    const uint64_t rounded = (rest + 0x1ffffffffffull + odd) >> 42;
    return (uint16_t)(sign | (uint16_t)(rounded - (1008ull << 10)));
}

static inline float sta__float_of_bfloat(uint16_t value)
{
    return sta__float_of_bits((uint32_t)value << 16);
}

static inline uint16_t sta__bfloat_of_float(float value)
{
    const uint32_t bits = sta__bits_of_float(value);
    if (value != value)
        return (uint16_t)(bits >> 16 | 0x40u);
    return (uint16_t)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

/* By way of a float rounded to odd, so that the second rounding cannot go wrong. */
static inline uint16_t sta__bfloat_of_double(double value)
{
    float near = (float)value;
    const double left = value - (double)near;
    uint32_t bits = sta__bits_of_float(near);
    if (left != 0 && left == left && (bits & 1u) == 0) {
        const int toward_zero = (left < 0) == (near > 0);
        bits = toward_zero ? bits - 1u : bits | 1u;
        near = sta__float_of_bits(bits);
    }
    return sta__bfloat_of_float(near);
}

#endif
