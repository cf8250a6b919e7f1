/* What generated CUDA programs start with: types, 16-bit floats, casts, vectors of elements. This text is compiled by NVRTC at
 * run time (cuda_text.c puts it before a program), and by nothing else; half.h, scalar.h and rules.h come before it.
 */
#ifndef STA__CUDA_DEVICE_H
#define STA__CUDA_DEVICE_H

#define FLT_MAX 3.402823466e+38f
#define DBL_MAX 1.7976931348623157e+308
#define NAN __int_as_float(0x7fffffff)

/* ---- 16-bit floats: the instructions of the device, where it has them ---- */

static inline __device__ float sta__load_f16(uint16_t h)
{
    float x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(h));
    return x;
}

static inline __device__ uint16_t sta__store_f16(float x)
{
    uint16_t h;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(x));
    return h;
}

static inline __device__ float sta__load_bf16(uint16_t h)
{
    return __uint_as_float((uint32_t)h << 16);
}

static inline __device__ uint16_t sta__store_bf16(float x)
{
#if __CUDA_ARCH__ >= 800
    uint16_t h;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(h) : "f"(x));
    return h;
#else
    return sta__f32_to_bf16(x);
#endif
}

static inline __device__ uint16_t sta__next_f16(uint16_t x, uint16_t y)
{
    return sta__half_next(x, sta__load_f16(x), y, sta__load_f16(y));
}

static inline __device__ uint16_t sta__next_bf16(uint16_t x, uint16_t y)
{
    return sta__half_next(x, sta__load_bf16(x), y, sta__load_bf16(y));
}

/* By bits; see loops_half.c. */
static inline __device__ uint16_t sta__finite_half(uint16_t x, int infinity)
{
    const int size = x & 0x7fff, limited = (x & 0x8000) | (infinity - 1);
    return (uint16_t)(size > infinity ? 0 : size == infinity ? limited : x);
}

/* CUDA's loses digits near the zeros below 0; in double enough are left for float. */
static inline __device__ float sta__lgamma(float x)
{
    return (float)lgamma((double)x);
}

static inline __device__ double sta__lgamma(double x)
{
    return lgamma(x);
}

/* CUDA's of the largest number and a small one is infinite. */
static inline __device__ double sta__hypot(double x, double y)
{
    const double a = fabs(x), b = fabs(y), s = a * 0x1p-600, t = b * 0x1p-600;
    if (a <= DBL_MAX && b <= DBL_MAX && (a > 0x1p1000 || b > 0x1p1000))
        return sqrt(s > t ? fma(t, t, s * s) : fma(s, s, t * t)) * 0x1p600;
    return hypot(x, y);
}

static inline __device__ float sta__hypot(float x, float y)
{
    return hypot(x, y);
}
#define hypot sta__hypot

/* ptxas of CUDA 13.0 takes neg.s16 for exact when it widens the result: -(-32768) became 32768. What an operation on int16
 * gives is therefore cut to 16 bits where it cannot look through. */
static inline __device__ int16_t sta__settled(int16_t x)
{
    int32_t y;
    asm("bfe.s32 %0, %1, 0, 16;" : "=r"(y) : "r"((uint32_t)(uint16_t)x));
    return (int16_t)y;
}

static inline __device__ uint8_t sta__settled(uint8_t x)
{
    return x;
}

/* ---- casts: as in loops_cast.c ---- */

template <typename T> static inline __device__ constexpr T sta__most()
{
    return (T)-1 > 0 ? (T)-1 : (T)(((uint64_t)1 << (8 * sizeof(T) - 1)) - 1);
}

/* Truncates and saturates; NaN gives 0. */
template <typename T, typename F> static inline __device__ T sta__saturate(F x)
{
    const F above = (F)(sta__most<T>() / 2 + 1) * 2, low = (T)-1 > 0 ? (F)0 : -above;
    return x >= above ? sta__most<T>() : x <= low ? (T)low : x == x ? (T)x : (T)0;
}

/* ---- vectors of elements: N of them in loads and stores of up to 16 bytes ---- */

template <int BYTES> struct sta__chunk;
template <> struct sta__chunk<1> {
    typedef uint8_t type;
};
template <> struct sta__chunk<2> {
    typedef uint16_t type;
};
template <> struct sta__chunk<4> {
    typedef uint32_t type;
};
template <> struct sta__chunk<8> {
    typedef uint2 type;
};
template <> struct sta__chunk<16> {
    typedef uint4 type;
};

template <typename T, int N> static inline __device__ void sta__load(T (&to)[N], const char *from)
{
    constexpr int bytes = N * (int)sizeof(T) < 16 ? N * (int)sizeof(T) : 16, count = N * (int)sizeof(T) / bytes;
    typedef typename sta__chunk<bytes>::type chunk;
    chunk part[count];
#pragma unroll
    for (int i = 0; i < count; i++)
        part[i] = __ldg((const chunk *)from + i);
    memcpy(to, part, sizeof part);
}

template <typename T, int N> static inline __device__ void sta__store(char *to, const T (&from)[N])
{
    constexpr int bytes = N * (int)sizeof(T) < 16 ? N * (int)sizeof(T) : 16, count = N * (int)sizeof(T) / bytes;
    typedef typename sta__chunk<bytes>::type chunk;
    chunk part[count];
    memcpy(part, from, sizeof part);
#pragma unroll
    for (int i = 0; i < count; i++)
        ((chunk *)to)[i] = part[i];
}

template <typename T> static inline __device__ T sta__load_one(const char *from)
{
    T one[1];
    sta__load<T, 1>(one, from);
    return one[0];
}

template <typename T> static inline __device__ T sta__from_number(const unsigned long long *number)
{
    T x;
    memcpy(&x, number, sizeof x);
    return x;
}

/* x / d by a multiplication, for x below 2^31. */
static inline __device__ uint32_t sta__quotient(uint32_t x, uint32_t magic, uint32_t shift)
{
    return (__umulhi(x, magic) + x) >> shift;
}

#endif
