/* The arithmetic of the reducers of reducers.def for one element type. Pure expressions, evaluated as written. */
#ifndef STA__COMBINE_H
#define STA__COMBINE_H

#include <starray/array.h>

#include <stdbool.h>

/* ---- order: PICK is `right` where r replaces l, which comes first in index order, else `left`. Two plain choices one
 * after the other, which compilers turn into vector code ---- */

#define PICK_INTEGER_min(l, r, left, right) ((r) < (l) ? (right) : (left))
#define PICK_INTEGER_max(l, r, left, right) ((r) > (l) ? (right) : (left))

/* Where neither l <= r nor l is NaN, r is smaller or NaN. A NaN stays (min) or gives way (nanmin). */
#define PICK_FLOAT(l, r, ordered, number, left, right)                                                                 \
    __extension__({                                                                                                    \
        const __typeof__(left) pick = (ordered) ? (left) : (right);                                                    \
        (number) == (number) ? pick : (left);                                                                          \
    })
#define PICK_FLOAT_min(l, r, left, right) PICK_FLOAT(l, r, (l) <= (r), l, left, right)
#define PICK_FLOAT_max(l, r, left, right) PICK_FLOAT(l, r, (l) >= (r), l, left, right)
#define PICK_FLOAT_nanmin(l, r, left, right) PICK_FLOAT(l, r, (l) <= (r), r, left, right)
#define PICK_FLOAT_nanmax(l, r, left, right) PICK_FLOAT(l, r, (l) >= (r), r, left, right)

/* Complex numbers are ordered by the real part, then the imaginary one; NaN in either is NaN. */
#define COMPLEX_NAN(z) ((z).re != (z).re || (z).im != (z).im)
#define COMPLEX_LESS(a, b) ((a).re < (b).re || ((a).re == (b).re && (a).im < (b).im))
#define PICK_COMPLEX_min(l, r, left, right)                                                                            \
    (!COMPLEX_NAN(l) && (COMPLEX_NAN(r) || COMPLEX_LESS(r, l)) ? (right) : (left))
#define PICK_COMPLEX_max(l, r, left, right)                                                                            \
    (!COMPLEX_NAN(l) && (COMPLEX_NAN(r) || COMPLEX_LESS(l, r)) ? (right) : (left))
#define PICK_COMPLEX_nanmin(l, r, left, right)                                                                         \
    (!COMPLEX_NAN(r) && (COMPLEX_NAN(l) || COMPLEX_LESS(r, l)) ? (right) : (left))
#define PICK_COMPLEX_nanmax(l, r, left, right)                                                                         \
    (!COMPLEX_NAN(r) && (COMPLEX_NAN(l) || COMPLEX_LESS(l, r)) ? (right) : (left))

/* Whether neither replaces the other: the first in index order is the answer. */
#define SAME_INTEGER(a, b) ((a) == (b))
#define SAME_FLOAT(a, b) ((a) == (b) || ((a) != (a) && (b) != (b)))
#define SAME_COMPLEX(a, b) (COMPLEX_NAN(a) ? COMPLEX_NAN(b) : !COMPLEX_NAN(b) && (a).re == (b).re && (a).im == (b).im)

/* Whether all that is the same has the same bits: zeros have signs, and NaNs differ. */
#define UNIQUE_INTEGER(a) ((void)(a), true)
#define UNIQUE_FLOAT(a) ((a) < 0 || (a) > 0)
#define UNIQUE_COMPLEX(a) (UNIQUE_FLOAT((a).re) && UNIQUE_FLOAT((a).im))

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
/* |x - mean|^2 of one element: 0, but NaN of an infinity, whose distance from any mean is none. */
static inline float alone_f32(float x)
{
    return x - x;
}
static inline double alone_f64(double x)
{
    return x - x;
}
static inline float alone_c64(sta_complex64 x)
{
    return (x.re - x.re) + (x.im - x.im);
}
static inline double alone_c128(sta_complex128 x)
{
    return (x.re - x.re) + (x.im - x.im);
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
