/* Tells the compiler that these functions of the C library have vector variants (glibc's libmvec), so that it calls
 * them from vector loops without -ffast-math. To be included before <tgmath.h>. Where the C library has none, loops
 * call the scalar functions: same table, slower. clang 14 looks at -fveclib=libmvec instead.
 */
#ifndef STA__VECTOR_MATH_H
#define STA__VECTOR_MATH_H

#define _DEFAULT_SOURCE /* lgamma_r */
#include <math.h>

#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GLIBC_PREREQ)
#if __GLIBC_PREREQ(2, 35)
#define STA__HAS_VECTOR_MATH 1
#endif
#endif

#ifdef STA__HAS_VECTOR_MATH
#define STA__VECTOR_1(name)                                                                                            \
    _Pragma("omp declare simd notinbranch") double(name)(double);                                                      \
    _Pragma("omp declare simd notinbranch") float(name##f)(float);
#define STA__VECTOR_2(name)                                                                                            \
    _Pragma("omp declare simd notinbranch") double(name)(double, double);                                              \
    _Pragma("omp declare simd notinbranch") float(name##f)(float, float);
STA__VECTOR_1(sin)
STA__VECTOR_1(cos)
STA__VECTOR_1(tan)
STA__VECTOR_1(asin)
STA__VECTOR_1(acos)
STA__VECTOR_1(atan)
STA__VECTOR_1(sinh)
STA__VECTOR_1(cosh)
STA__VECTOR_1(tanh)
STA__VECTOR_1(asinh)
STA__VECTOR_1(acosh)
STA__VECTOR_1(atanh)
STA__VECTOR_1(exp)
STA__VECTOR_1(exp2)
STA__VECTOR_1(expm1)
STA__VECTOR_1(log)
STA__VECTOR_1(log2)
STA__VECTOR_1(log10)
STA__VECTOR_1(log1p)
STA__VECTOR_1(cbrt)
STA__VECTOR_1(erf)
STA__VECTOR_1(erfc)
STA__VECTOR_2(pow)
STA__VECTOR_2(hypot)
STA__VECTOR_2(atan2)
#endif

/* lgamma writes the sign to a global variable; this one does not. */
static inline float sta__lgamma_f32(float x)
{
    int sign;
    return lgammaf_r(x, &sign);
}

static inline double sta__lgamma_f64(double x)
{
    int sign;
    return lgamma_r(x, &sign);
}

#endif
