/* The functions that texts of ufuncs.def call. scalar_bool.h, scalar_integer.h, scalar_floating.h and
 * scalar_complex.h define them, each once per dtype: whoever includes one defines before
 *     T           the element type
 *     STA__BRIEF  the dtype's short name, which ends the functions' names in C (C++ has overloads)
 * and takes both back afterwards. The fixed-width integer types have been declared by then.
 */
#ifndef STA__SCALAR_H
#define STA__SCALAR_H

#define STA__PASTE(a, b) a##b
#define STA__GLUE(a, b) STA__PASTE(a, b)

#ifdef __cplusplus
#define STA__OF(name, brief) name
#define STA__NAME(name) name
#define STA__INLINE static inline __device__
/* sta__lgamma is in cuda_device.h */
#else
#define STA__OF(name, brief) name##_##brief
#define STA__NAME(name) STA__GLUE(name##_, STA__BRIEF)
#define STA__INLINE static inline

#define sta__wrap(x) STA__NAME(sta__wrap)(x)
#define sta__absolute(x) STA__NAME(sta__absolute)(x)
#define sta__conjugate(x) STA__NAME(sta__conjugate)(x)
#define sta__sign(x) STA__NAME(sta__sign)(x)
#define sta__reciprocal(x) STA__NAME(sta__reciprocal)(x)
#define sta__invert(x) STA__NAME(sta__invert)(x)
#define sta__rint(x) STA__NAME(sta__rint)(x)
#define sta__floor(x) STA__NAME(sta__floor)(x)
#define sta__ceil(x) STA__NAME(sta__ceil)(x)
#define sta__trunc(x) STA__NAME(sta__trunc)(x)
#define sta__fraction(x) STA__NAME(sta__fraction)(x)
#define sta__mantissa(x) STA__NAME(sta__mantissa)(x)
#define sta__exponent(x) STA__NAME(sta__exponent)(x)
#define sta__real(x) STA__NAME(sta__real)(x)
#define sta__imag(x) STA__NAME(sta__imag)(x)
#define sta__nan_to_num(x) STA__NAME(sta__nan_to_num)(x)
#define sta__isfinite(x) STA__NAME(sta__isfinite)(x)
#define sta__isinf(x) STA__NAME(sta__isinf)(x)
#define sta__isnan(x) STA__NAME(sta__isnan)(x)
#define sta__signbit(x) STA__NAME(sta__signbit)(x)
#define sta__exp2(x) STA__NAME(sta__exp2)(x)
#define sta__expm1(x) STA__NAME(sta__expm1)(x)
#define sta__log2(x) STA__NAME(sta__log2)(x)
#define sta__log10(x) STA__NAME(sta__log10)(x)
#define sta__log1p(x) STA__NAME(sta__log1p)(x)
#define sta__angle(x) STA__NAME(sta__angle)(x)
#define sta__deg2rad(x) STA__NAME(sta__deg2rad)(x)
#define sta__rad2deg(x) STA__NAME(sta__rad2deg)(x)
#define sta__sinc(x) STA__NAME(sta__sinc)(x)
#define sta__expit(x) STA__NAME(sta__expit)(x)
#define sta__i0(x) STA__NAME(sta__i0)(x)
#define sta__lgamma(x) STA__NAME(sta__lgamma)(x)
#define sta__multiply(x, y) STA__NAME(sta__multiply)(x, y)
#define sta__divide(x, y) STA__NAME(sta__divide)(x, y)
#define sta__floor_divide(x, y) STA__NAME(sta__floor_divide)(x, y)
#define sta__remainder(x, y) STA__NAME(sta__remainder)(x, y)
#define sta__fmod(x, y) STA__NAME(sta__fmod)(x, y)
#define sta__power(x, y) STA__NAME(sta__power)(x, y)
#define sta__heaviside(x, y) STA__NAME(sta__heaviside)(x, y)
#define sta__gcd(x, y) STA__NAME(sta__gcd)(x, y)
#define sta__lcm(x, y) STA__NAME(sta__lcm)(x, y)
#define sta__maximum(x, y) STA__NAME(sta__maximum)(x, y)
#define sta__minimum(x, y) STA__NAME(sta__minimum)(x, y)
#define sta__fmax(x, y) STA__NAME(sta__fmax)(x, y)
#define sta__fmin(x, y) STA__NAME(sta__fmin)(x, y)
#define sta__greater(x, y) STA__NAME(sta__greater)(x, y)
#define sta__greater_equal(x, y) STA__NAME(sta__greater_equal)(x, y)
#define sta__below(x, y) STA__NAME(sta__below)(x, y)
#define sta__above(x, y) STA__NAME(sta__above)(x, y)
#define sta__equals(x, y) STA__NAME(sta__equals)(x, y)
#define sta__left_shift(x, y) STA__NAME(sta__left_shift)(x, y)
#define sta__right_shift(x, y) STA__NAME(sta__right_shift)(x, y)
#define sta__logaddexp(x, y) STA__NAME(sta__logaddexp)(x, y)
#define sta__logaddexp2(x, y) STA__NAME(sta__logaddexp2)(x, y)
#define sta__ldexp(x, y) STA__NAME(sta__ldexp)(x, y)
#define sta__clip(x, y, z) STA__NAME(sta__clip)(x, y, z)
#define sta__replace_infinities(x, y, z) STA__NAME(sta__replace_infinities)(x, y, z)
#define sta__replace_nan(x, y, z) STA__NAME(sta__replace_nan)(x, y, z)
#define sta__multiply_parts(x, y) STA__NAME(sta__multiply_parts)(x, y)
#define sta__divide_parts(x, y) STA__NAME(sta__divide_parts)(x, y)
#endif

/* Comparisons of int64 with uint64 by value. */
STA__INLINE int STA__OF(sta__below, i64)(int64_t x, uint64_t y)
{
    return (x < 0) | ((uint64_t)x < y);
}

STA__INLINE int STA__OF(sta__below, u64)(uint64_t x, int64_t y)
{
    return (y >= 0) & (x < (uint64_t)y);
}

STA__INLINE int STA__OF(sta__above, i64)(int64_t x, uint64_t y)
{
    return (x > 0) & ((uint64_t)x > y);
}

STA__INLINE int STA__OF(sta__above, u64)(uint64_t x, int64_t y)
{
    return (y < 0) | (x > (uint64_t)y);
}

STA__INLINE int STA__OF(sta__equals, i64)(int64_t x, uint64_t y)
{
    return (x >= 0) & ((uint64_t)x == y);
}

STA__INLINE int STA__OF(sta__equals, u64)(uint64_t x, int64_t y)
{
    return (y >= 0) & (x == (uint64_t)y);
}

#endif
