/* The casts between all dtypes. 16-bit floats go by float32, which holds them; into them every value is rounded once,
 * by float64 where float32 does not hold it. (64-bit integers above 2^53 are rounded to float64 first.)
 */
#define STA__PADDED 0
#include "loop_macros.h"

#include "half.h"

#undef bool /* a short name of dtypes.def */

#define STA__CAST(brief, type, value)                                                                                  \
    static void STA__NAME(to_##brief##_from)(int64_t n, void *out, const void *const *in)                              \
    {                                                                                                                  \
        type *const to = out;                                                                                          \
        const FROM *const from = in[0];                                                                                \
        _Pragma("omp simd") for (int64_t i = 0; i < n; i++)                                                            \
        {                                                                                                              \
            const FROM x = from[i];                                                                                    \
            const type y = value;                                                                                      \
            to[i] = y;                                                                                                 \
        }                                                                                                              \
    }
#define STA__AS(kind, type, low, above) STA__GLUE(STA__##kind##_FROM_, STA__FROM)(type, low, above)

#define STA__TRUTH_FROM_INTEGER(type, low, above) (type)(x != 0)
#define STA__TRUTH_FROM_FLOATING(type, low, above) (type)(x != 0)
#define STA__TRUTH_FROM_COMPLEX(type, low, above) (type)((x.re != 0) | (x.im != 0))
#define STA__INTEGER_FROM_INTEGER(type, low, above) (type) x
#define STA__INTEGER_FROM_FLOATING(type, low, above) STA__SATURATE(x, type, low, above)
#define STA__INTEGER_FROM_COMPLEX(type, low, above) STA__SATURATE(x.re, type, low, above)
#define STA__FLOATING_FROM_INTEGER(type, low, above) (type) x
#define STA__FLOATING_FROM_FLOATING(type, low, above) (type) x
#define STA__FLOATING_FROM_COMPLEX(type, low, above) (type) x.re
/* clang-format off */
#define STA__COMPLEX_FROM_INTEGER(type, low, above) {(type)x, 0}
#define STA__COMPLEX_FROM_FLOATING(type, low, above) {(type)x, 0}
#define STA__COMPLEX_FROM_COMPLEX(type, low, above) {(type)x.re, (type)x.im}
/* clang-format on */
/* `low` and `above` (the largest plus one) are exact in every float. */
#define STA__SATURATE(x, type, low, above)                                                                             \
    ((x) >= (above) ? (type)STA__LARGEST(type) : (x) <= (low) ? (type)(low) : (x) == (x) ? (type)(x) : (type)0)
#define STA__LARGEST(type) ((type)-1 > 0 ? (type)-1 : (type)(((uint64_t)1 << (8 * sizeof(type) - 1)) - 1))

#define FROM uint8_t
#define STA__BRIEF bool
#define STA__FROM INTEGER
#include "casts.h"

#define FROM int8_t
#define STA__BRIEF i8
#define STA__FROM INTEGER
#include "casts.h"

#define FROM int16_t
#define STA__BRIEF i16
#define STA__FROM INTEGER
#include "casts.h"

#define FROM int32_t
#define STA__BRIEF i32
#define STA__FROM INTEGER
#include "casts.h"

#define FROM int64_t
#define STA__BRIEF i64
#define STA__FROM INTEGER
#include "casts.h"

#define FROM uint8_t
#define STA__BRIEF u8
#define STA__FROM INTEGER
#include "casts.h"

#define FROM uint16_t
#define STA__BRIEF u16
#define STA__FROM INTEGER
#include "casts.h"

#define FROM uint32_t
#define STA__BRIEF u32
#define STA__FROM INTEGER
#include "casts.h"

#define FROM uint64_t
#define STA__BRIEF u64
#define STA__FROM INTEGER
#include "casts.h"

#define FROM float
#define STA__BRIEF f32
#define STA__FROM FLOATING
#include "casts.h"

#define FROM double
#define STA__BRIEF f64
#define STA__FROM FLOATING
#include "casts.h"

#define FROM sta_complex64
#define STA__BRIEF c64
#define STA__FROM COMPLEX
#include "casts.h"

#define FROM sta_complex128
#define STA__BRIEF c128
#define STA__FROM COMPLEX
#include "casts.h"

/* ---- 16-bit floats ---- */

static void f16_to_f32(int64_t n, void *out, const void *const *in)
{
    const uint16_t *from = in[0];
    float *to = out;
#pragma omp simd
    for (int64_t i = sta__f16_to_f32_most(n, to, from); i < n; i++)
        to[i] = sta__f16_to_f32(from[i]);
}

static void bf16_to_f32(int64_t n, void *out, const void *const *in)
{
    const uint16_t *from = in[0];
    float *to = out;
#pragma omp simd
    for (int64_t i = 0; i < n; i++)
        to[i] = sta__bf16_to_f32(from[i]);
}

static void f32_to_f16(int64_t n, void *out, const void *const *in)
{
    const float *from = in[0];
    uint16_t *to = out;
#pragma omp simd
    for (int64_t i = sta__f32_to_f16_most(n, to, from); i < n; i++)
        to[i] = sta__f32_to_f16(from[i]);
}

static void f32_to_bf16(int64_t n, void *out, const void *const *in)
{
    const float *from = in[0];
    uint16_t *to = out;
#pragma omp simd
    for (int64_t i = 0; i < n; i++)
        to[i] = sta__f32_to_bf16(from[i]);
}

static void f64_to_odd(int64_t n, void *out, const void *const *in)
{
    const double *from = in[0];
    float *to = out;
#pragma omp simd
    for (int64_t i = 0; i < n; i++)
        to[i] = sta__f64_to_odd(from[i]);
}

/* Two casts one after the other, in parts that stay in the cache. */
static void chain(int64_t n, void *out, const void *const *in, sta__loop first, size_t from_bytes, sta__loop second,
                  size_t to_bytes)
{
    enum { PART = 256 };
    _Alignas(64) char between[PART * 8];
    const char *from = in[0];
    char *to = out;
    for (int64_t done = 0; done < n; done += PART) {
        const int64_t part = n - done < PART ? n - done : PART;
        const void *const source = from + (size_t)done * from_bytes, *const middle = between;
        first(part, between, &source);
        second(part, to + (size_t)done * to_bytes, &middle);
    }
}

static void f64_to_f16(int64_t n, void *out, const void *const *in)
{
    chain(n, out, in, f64_to_odd, sizeof(double), f32_to_f16, sizeof(uint16_t));
}

static void f64_to_bf16(int64_t n, void *out, const void *const *in)
{
    chain(n, out, in, f64_to_odd, sizeof(double), f32_to_bf16, sizeof(uint16_t));
}

#define STA__CHAINS(brief, type)                                                                                       \
    static void f16_to_##brief(int64_t n, void *out, const void *const *in)                                            \
    {                                                                                                                  \
        chain(n, out, in, f16_to_f32, sizeof(uint16_t), to_##brief##_from_f32, sizeof(type));                          \
    }                                                                                                                  \
    static void bf16_to_##brief(int64_t n, void *out, const void *const *in)                                           \
    {                                                                                                                  \
        chain(n, out, in, bf16_to_f32, sizeof(uint16_t), to_##brief##_from_f32, sizeof(type));                         \
    }
#define STA__CHAINS_BACK(brief, type, by)                                                                              \
    static void brief##_to_f16(int64_t n, void *out, const void *const *in)                                            \
    {                                                                                                                  \
        chain(n, out, in, to_##by##_from_##brief, sizeof(type), by##_to_f16, sizeof(uint16_t));                        \
    }                                                                                                                  \
    static void brief##_to_bf16(int64_t n, void *out, const void *const *in)                                           \
    {                                                                                                                  \
        chain(n, out, in, to_##by##_from_##brief, sizeof(type), by##_to_bf16, sizeof(uint16_t));                       \
    }
STA__CHAINS(bool, uint8_t)
STA__CHAINS(i8, int8_t)
STA__CHAINS(i16, int16_t)
STA__CHAINS(i32, int32_t)
STA__CHAINS(i64, int64_t)
STA__CHAINS(u8, uint8_t)
STA__CHAINS(u16, uint16_t)
STA__CHAINS(u32, uint32_t)
STA__CHAINS(u64, uint64_t)
STA__CHAINS(f64, double)
STA__CHAINS(c64, sta_complex64)
STA__CHAINS(c128, sta_complex128)
STA__CHAINS_BACK(bool, uint8_t, f32)
STA__CHAINS_BACK(i8, int8_t, f32)
STA__CHAINS_BACK(i16, int16_t, f32)
STA__CHAINS_BACK(i32, int32_t, f64)
STA__CHAINS_BACK(i64, int64_t, f64)
STA__CHAINS_BACK(u8, uint8_t, f32)
STA__CHAINS_BACK(u16, uint16_t, f32)
STA__CHAINS_BACK(u32, uint32_t, f64)
STA__CHAINS_BACK(u64, uint64_t, f64)
STA__CHAINS_BACK(c64, sta_complex64, f32)
STA__CHAINS_BACK(c128, sta_complex128, f64)

static void f16_to_bf16(int64_t n, void *out, const void *const *in)
{
    chain(n, out, in, f16_to_f32, sizeof(uint16_t), f32_to_bf16, sizeof(uint16_t));
}

static void bf16_to_f16(int64_t n, void *out, const void *const *in)
{
    chain(n, out, in, bf16_to_f32, sizeof(uint16_t), f32_to_f16, sizeof(uint16_t));
}

static void copy_16_bits(int64_t n, void *out, const void *const *in)
{
    memmove(out, in[0], (size_t)n * sizeof(uint16_t));
}

static void enter_halves(sta__loop (*casts)[STA__DTYPES])
{
#define STA__ENTER(name, brief)                                                                                        \
    casts[STA_float16][STA_##name] = f16_to_##brief, casts[STA_bfloat16][STA_##name] = bf16_to_##brief;                \
    casts[STA_##name][STA_float16] = brief##_to_f16, casts[STA_##name][STA_bfloat16] = brief##_to_bf16;
    STA__ENTER(bool, bool)
    STA__ENTER(int8, i8)
    STA__ENTER(int16, i16)
    STA__ENTER(int32, i32)
    STA__ENTER(int64, i64)
    STA__ENTER(uint8, u8)
    STA__ENTER(uint16, u16)
    STA__ENTER(uint32, u32)
    STA__ENTER(uint64, u64)
    STA__ENTER(float32, f32)
    STA__ENTER(float64, f64)
    STA__ENTER(complex64, c64)
    STA__ENTER(complex128, c128)
    casts[STA_float16][STA_bfloat16] = f16_to_bf16, casts[STA_bfloat16][STA_float16] = bf16_to_f16;
    casts[STA_float16][STA_float16] = casts[STA_bfloat16][STA_bfloat16] = copy_16_bits;
}

void STA__SYMBOL(sta__casts)(sta__loop (*casts)[STA__DTYPES]);
void STA__SYMBOL(sta__casts)(sta__loop (*casts)[STA__DTYPES])
{
    enter_bool(casts[STA_bool]);
    enter_i8(casts[STA_int8]);
    enter_i16(casts[STA_int16]);
    enter_i32(casts[STA_int32]);
    enter_i64(casts[STA_int64]);
    enter_u8(casts[STA_uint8]);
    enter_u16(casts[STA_uint16]);
    enter_u32(casts[STA_uint32]);
    enter_u64(casts[STA_uint64]);
    enter_f32(casts[STA_float32]);
    enter_f64(casts[STA_float64]);
    enter_c64(casts[STA_complex64]);
    enter_c128(casts[STA_complex128]);
    enter_halves(casts);
}
