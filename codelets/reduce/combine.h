/* The arithmetic of the reducers of reducers.def for one element type. Pure expressions, evaluated as written. */
#ifndef STA__COMBINE_H
#define STA__COMBINE_H

#include <starray/array.h>

#include <stdbool.h>

/* ---- order: whether the right operand replaces the left one, which comes first in index order ---- */

#define TAKES_INTEGER_min(l, r) ((r) < (l))
#define TAKES_INTEGER_max(l, r) ((r) > (l))
#define TAKES_INTEGER_nanmin(l, r) ((r) < (l))
#define TAKES_INTEGER_nanmax(l, r) ((r) > (l))

/* Not (l <= r) is "r is smaller, or one of them is NaN". A NaN stays (min) or gives way (nanmin). */
#define TAKES_FLOAT_min(l, r) (((l) == (l)) & !((l) <= (r)))
#define TAKES_FLOAT_max(l, r) (((l) == (l)) & !((l) >= (r)))
#define TAKES_FLOAT_nanmin(l, r) (((r) == (r)) & !((l) <= (r)))
#define TAKES_FLOAT_nanmax(l, r) (((r) == (r)) & !((l) >= (r)))

/* Complex numbers are ordered by the real part, then the imaginary one; NaN in either is NaN. */
#define COMPLEX_NAN(z) ((z).re != (z).re || (z).im != (z).im)
#define COMPLEX_LESS(a, b) ((a).re < (b).re || ((a).re == (b).re && (a).im < (b).im))
#define TAKES_COMPLEX_min(l, r) (!COMPLEX_NAN(l) && (COMPLEX_NAN(r) || COMPLEX_LESS(r, l)))
#define TAKES_COMPLEX_max(l, r) (!COMPLEX_NAN(l) && (COMPLEX_NAN(r) || COMPLEX_LESS(l, r)))
#define TAKES_COMPLEX_nanmin(l, r) (!COMPLEX_NAN(r) && (COMPLEX_NAN(l) || COMPLEX_LESS(r, l)))
#define TAKES_COMPLEX_nanmax(l, r) (!COMPLEX_NAN(r) && (COMPLEX_NAN(l) || COMPLEX_LESS(l, r)))

/* ---- sums and products ---- */

static inline sta_complex64 add_c64(sta_complex64 l, sta_complex64 r)
{
    return (sta_complex64){l.re + r.re, l.im + r.im};
}
static inline sta_complex128 add_c128(sta_complex128 l, sta_complex128 r)
{
    return (sta_complex128){l.re + r.re, l.im + r.im};
}
/* Written with + in both parts: gcc 12 makes a fused multiply-add of the pair (-, +) even with -ffp-contract=off. */
static inline sta_complex64 multiply_c64(sta_complex64 l, sta_complex64 r)
{
    return (sta_complex64){l.re * r.re + -l.im * r.im, l.re * r.im + l.im * r.re};
}
static inline sta_complex128 multiply_c128(sta_complex128 l, sta_complex128 r)
{
    return (sta_complex128){l.re * r.re + -l.im * r.im, l.re * r.im + l.im * r.re};
}

/* ---- var: d is the difference of the two means, d2 = |d|^2 ---- */

static inline float spread_f32(float d)
{
    return d * d;
}
static inline double spread_f64(double d)
{
    return d * d;
}
static inline float spread_c64(sta_complex64 d)
{
    return d.re * d.re + d.im * d.im;
}
static inline double spread_c128(sta_complex128 d)
{
    return d.re * d.re + d.im * d.im;
}
static inline sta_complex64 difference_c64(sta_complex64 l, sta_complex64 r, float w)
{
    return (sta_complex64){(r.re - l.re) * w, (r.im - l.im) * w};
}
static inline sta_complex128 difference_c128(sta_complex128 l, sta_complex128 r, double w)
{
    return (sta_complex128){(r.re - l.re) * w, (r.im - l.im) * w};
}
static inline float difference_f32(float l, float r, float w)
{
    return (r - l) * w;
}
static inline double difference_f64(double l, double r, double w)
{
    return (r - l) * w;
}

#endif
