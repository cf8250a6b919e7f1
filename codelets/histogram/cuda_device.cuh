/* Elements of any dtype on the device, and the rule that finds bins: the same as values.c, rule.c and find.inc.h. */
#ifndef STA__HISTOGRAM_CUDA_DEVICE_H
#define STA__HISTOGRAM_CUDA_DEVICE_H

#include "histogram/cuda.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace sta {

/* Words that say what they are. */
struct truth {
    uint8_t word;
};
struct alignas(2) half_word {
    uint16_t word;
};
struct alignas(2) brain_word {
    uint16_t word;
};

/* As one compares with edges: as float, double, or int64 with uint64 moved down by 2^63. */
template <typename Real, typename T> __device__ inline Real as(T x)
{
    return Real(x);
}
template <> __device__ inline int64_t as<int64_t, uint64_t>(uint64_t x)
{
    return int64_t(x ^ (uint64_t(1) << 63));
}
template <typename Real> __device__ inline Real as(truth x)
{
    return Real(x.word != 0);
}
template <typename Real> __device__ inline Real as(half_word x)
{
    return Real(__half2float(__ushort_as_half(x.word)));
}
template <typename Real> __device__ inline Real as(brain_word x)
{
    return Real(__uint_as_float(uint32_t(x.word) << 16));
}

/* Calls f with a pointer of the dtype's own type; the real part of complex numbers is what a step of 2 finds. */
template <typename F> __host__ __device__ inline auto with_type(sta_dtype dtype, const void *data, F f)
{
    switch (dtype) {
    case STA_bool:
        return f(static_cast<const truth *>(data));
    case STA_int8:
        return f(static_cast<const int8_t *>(data));
    case STA_int16:
        return f(static_cast<const int16_t *>(data));
    case STA_int32:
        return f(static_cast<const int32_t *>(data));
    case STA_int64:
        return f(static_cast<const int64_t *>(data));
    case STA_uint8:
        return f(static_cast<const uint8_t *>(data));
    case STA_uint16:
        return f(static_cast<const uint16_t *>(data));
    case STA_uint32:
        return f(static_cast<const uint32_t *>(data));
    case STA_uint64:
        return f(static_cast<const uint64_t *>(data));
    case STA_float16:
        return f(static_cast<const half_word *>(data));
    case STA_bfloat16:
        return f(static_cast<const brain_word *>(data));
    case STA_float32:
    case STA_complex64:
        return f(static_cast<const float *>(data));
    default:
        return f(static_cast<const double *>(data));
    }
}

template <typename Real> __device__ inline Real element(sta_dtype dtype, const void *data, int64_t i)
{
    return with_type(dtype, data, [i](auto *p) { return as<Real>(p[i]); });
}

/* ---- the rule ---- */

template <typename Real> struct limits;
template <> struct limits<float> {
    static constexpr int32_t largest = 1 << 20; /* exact whole numbers: see rule.c */
};
template <> struct limits<double> {
    static constexpr int32_t largest = INT32_MAX;
};

__device__ inline float before(float value)
{
    if (value == 0)
        return -__uint_as_float(1);
    const uint32_t bits = __float_as_uint(value);
    return __uint_as_float(value > 0 ? bits - 1 : bits + 1);
}
__device__ inline double before(double value)
{
    if (value == 0)
        return -__longlong_as_double(1);
    const int64_t bits = __double_as_longlong(value);
    return __longlong_as_double(value > 0 ? bits - 1 : bits + 1);
}

/* How far an estimate is off, as a number that atomicMax orders: 0 where it never is. */
__device__ inline uint64_t ordered(double worst)
{
    return worst < 0 ? 0 : uint64_t(__double_as_longlong(worst)) + 1;
}
__device__ inline double worst_of(uint64_t word)
{
    return word == 0 ? -1.0 : __longlong_as_double(int64_t(word - 1));
}

/* The whole part of 0 <= x < 2^22 (2^31 for doubles), as a number of both kinds. Conversions take eight times as long. */
__device__ inline float truncated(float x, int32_t *k)
{
    const float moved = __fadd_rz(x, 0x1p23f);
    *k = int32_t(__float_as_uint(moved) & 0x7fffff);
    return moved - 0x1p23f;
}
__device__ inline double truncated(double x, int32_t *k)
{
    const double moved = __dadd_rz(x, 0x1p52);
    *k = __double2loint(moved);
    return moved - 0x1p52;
}

/* bin = (how many edges are <= v) - 1; the last edge belongs to the last bin; -1: in none. */
template <typename Real> __device__ inline int32_t search(const Real *edges, int32_t bins, Real v)
{
    if (!(v >= edges[0] && v <= edges[bins]))
        return -1;
    int32_t from = 0, to = bins + 1; /* edges[i] <= v before from, not from `to` on */
    while (from < to) {
        const int32_t middle = from + (to - from) / 2;
        if (v >= edges[middle])
            from = middle + 1;
        else
            to = middle;
    }
    return from <= bins ? from - 1 : bins - 1;
}

template <typename Real> struct finder {
    const Real *edges;
    int32_t bins;
    bool uniform;
    Real lo, hi, scale, sure;

    __device__ finder(const sta__cuda_rule &rule, const Real *near)
    {
        const Real *all = static_cast<const Real *>(rule.edges);
        edges = near;
        bins = rule.bins;
        lo = all[0];
        hi = all[bins];
        scale = Real(bins) / (hi - lo);
        const Real worst = Real(worst_of(*rule.worst));
        sure = worst >= 0 ? Real(0.5) - worst : Real(INFINITY);
        uniform = isfinite(scale) && bins <= limits<Real>::largest && worst < Real(0.25);
    }
    /* The bin, or -1. */
    __device__ inline int32_t operator()(Real v) const
    {
        if (!uniform)
            return search(edges, bins, v);
        if (!(v >= lo && v <= hi))
            return -1;
        const Real at = (v - lo) * scale;
        int32_t k;
        const Real middle = at - truncated(at, &k) - Real(0.5);
        k = k < bins ? k : bins - 1;
        if (middle >= sure || middle <= -sure) {
            if (v < edges[k])
                k--;
            else if (k < bins - 1 && v >= edges[k + 1])
                k++;
        }
        return k;
    }
};
template <> struct finder<int64_t> {
    const int64_t *edges;
    int32_t bins;

    __device__ finder(const sta__cuda_rule &rule, const int64_t *near) : edges(near), bins(rule.bins)
    {
    }
    __device__ inline int32_t operator()(int64_t v) const
    {
        return search(edges, bins, v);
    }
};

} // namespace sta
#endif
