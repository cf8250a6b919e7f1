/* Complex numbers in generated CUDA programs (see cuda_device.h), and the elementary functions that scalar_complex.h expects
 * of the C library, with C's branch cuts. All is computed in double, for complex64 too. Inverse functions are W. Kahan's
 * ("Branch cuts for complex elementary functions", 1987), the hyperbolic tangent too.
 */
#ifndef STA__CUDA_COMPLEX_H
#define STA__CUDA_COMPLEX_H

template <typename U> struct __align__(2 * sizeof(U)) sta__complex
{
    U re, im;
    __device__ sta__complex() = default;
    __device__ sta__complex(U real, U imag = 0) : re(real), im(imag)
    {
    }
    template <typename V> explicit __device__ sta__complex(const sta__complex<V> &z) : re((U)z.re), im((U)z.im)
    {
    }
    friend __device__ sta__complex operator+(sta__complex x, sta__complex y)
    {
        return sta__complex(x.re + y.re, x.im + y.im);
    }
    friend __device__ sta__complex operator-(sta__complex x, sta__complex y)
    {
        return sta__complex(x.re - y.re, x.im - y.im);
    }
    friend __device__ sta__complex operator-(sta__complex x)
    {
        return sta__complex(-x.re, -x.im);
    }
    friend __device__ bool operator==(sta__complex x, sta__complex y)
    {
        return x.re == y.re && x.im == y.im;
    }
    friend __device__ bool operator!=(sta__complex x, sta__complex y)
    {
        return !(x == y);
    }
};
typedef sta__complex<float> sta__c64;
typedef sta__complex<double> sta__c128;
#define __builtin_complex(re, im) T(re, im)

static inline __device__ float creal(sta__c64 z)
{
    return z.re;
}

static inline __device__ float cimag(sta__c64 z)
{
    return z.im;
}

static inline __device__ double creal(sta__c128 z)
{
    return z.re;
}

static inline __device__ double cimag(sta__c128 z)
{
    return z.im;
}

static inline __device__ bool sta__is_finite(double x)
{
    return fabs(x) <= DBL_MAX;
}

/* ---- exponential, logarithm, root ---- */

/* factor e^a (x, y); in two steps where e^a overflows before the product does. */
static inline __device__ sta__c128 sta__exp_times(double a, double x, double y, double factor)
{
    const double most = 700, e = exp(a > most ? most : a), rest = factor * (a > most ? exp(a - most) : 1);
    return sta__c128(e * x * rest, e * y * rest);
}

static inline __device__ sta__c128 exp(sta__c128 z)
{
    const double a = z.re, b = z.im;
    if (b == 0)
        return sta__c128(exp(a), b);
    if (!sta__is_finite(a) && !sta__is_finite(b) && a == a)
        return a < 0 ? sta__c128(0, copysign(0.0, b)) : sta__c128(a, b - b);
    double s, c;
    sincos(b, &s, &c);
    return sta__exp_times(a, c, s, 1);
}

/* |z|^2 - 1 where |z| is about 1, from the exact squares. */
static inline __device__ double sta__square_minus_one(double large, double small)
{
    const double p = large * large, p_rest = fma(large, large, -p), q = small * small, q_rest = fma(small, small, -q);
    const double t = p - 1, sum = t + q, back = sum - t, error = (t - (sum - back)) + (q - back);
    return sum + (error + p_rest + q_rest);
}

static inline __device__ sta__c128 log(sta__c128 z)
{
    const double a = fabs(z.re), b = fabs(z.im), large = a > b ? a : b, small = a > b ? b : a;
    double size;
    if (large > 0.5 && large < 2 && small <= large)
        size = log1p(sta__square_minus_one(large, small)) / 2;
    else if (large > 1e300)
        size = log(hypot(z.re / 4, z.im / 4)) + 2 * 0x1.62e42fefa39efp-1;
    else if (large < 1e-300 && large > 0)
        size = log(hypot(z.re * 0x1p100, z.im * 0x1p100)) - 100 * 0x1.62e42fefa39efp-1;
    else
        size = log(hypot(z.re, z.im));
    return sta__c128(size, atan2(z.im, z.re));
}

static inline __device__ sta__c128 sqrt(sta__c128 z)
{
    const double a = z.re, b = z.im;
    if (a == 0 && b == 0)
        return sta__c128(0, b);
    if (fabs(b) > DBL_MAX)
        return sta__c128(fabs(b), b);
    if (fabs(a) > DBL_MAX)
        return a > 0 ? sta__c128(a, b != b ? b : copysign(0.0, b)) : sta__c128(b != b ? b : 0, copysign(a, b));
    const double large = fmax(fabs(a), fabs(b));
    const double scale = large > 1e300 ? 0x1p-4 : large < 1e-290 ? 0x1p108 : 1;
    const double back = large > 1e300 ? 4 : large < 1e-290 ? 0x1p-54 : 1;
    const double x = a * scale, y = b * scale, t = sqrt((fabs(x) + hypot(x, y)) / 2);
    return a >= 0 ? sta__c128(t * back, y / (2 * t) * back)
                  : sta__c128(fabs(y) / (2 * t) * back, copysign(t * back, b));
}

/* ---- circular and hyperbolic functions ---- */

static inline __device__ sta__c128 sinh(sta__c128 z)
{
    const double a = z.re, b = z.im;
    if (b == 0)
        return sta__c128(sinh(a), b);
    if (!sta__is_finite(b))
        return a == 0 ? sta__c128(a, b - b) : sta__c128(fabs(a) > DBL_MAX ? fabs(a) : b - b, b - b);
    double s, c;
    sincos(b, &s, &c);
    if (a == 0)
        return sta__c128(copysign(a, a * c), s);
    if (fabs(a) < 40)
        return sta__c128(sinh(a) * c, cosh(a) * s);
    return sta__exp_times(fabs(a), copysign(c, a * c), s, 0.5);
}

static inline __device__ sta__c128 cosh(sta__c128 z)
{
    const double a = z.re, b = z.im;
    if (b == 0)
        return sta__c128(cosh(a), a == a ? copysign(0.0, a) * b : b);
    if (!sta__is_finite(b))
        return fabs(a) > DBL_MAX ? sta__c128(fabs(a), b - b) : sta__c128(b - b, a == 0 ? 0 : b - b);
    double s, c;
    sincos(b, &s, &c);
    if (a == 0)
        return sta__c128(c, a * s);
    if (fabs(a) < 40)
        return sta__c128(cosh(a) * c, sinh(a) * s);
    return sta__exp_times(fabs(a), c, copysign(s, a * s), 0.5);
}

static inline __device__ sta__c128 tanh(sta__c128 z)
{
    const double a = z.re, b = z.im;
    if (a != a)
        return sta__c128(a, b == 0 ? b : a);
    if (fabs(a) > DBL_MAX)
        return sta__c128(copysign(1.0, a), copysign(0.0, sta__is_finite(b) ? sin(b) * cos(b) : b));
    if (!sta__is_finite(b))
        return sta__c128(a == 0 ? a : b - b, b - b);
    if (fabs(a) >= 22) {
        const double e = exp(-fabs(a));
        return sta__c128(copysign(1.0, a), 4 * sin(b) * cos(b) * e * e);
    }
    const double t = tan(b), beta = 1 + t * t, s = sinh(a), rho = sqrt(1 + s * s), below = 1 + beta * s * s;
    return sta__c128(beta * rho * s / below, t / below);
}

static inline __device__ sta__c128 sin(sta__c128 z)
{
    const sta__c128 w = sinh(sta__c128(-z.im, z.re));
    return sta__c128(w.im, w.im != w.im && w.re > DBL_MAX ? w.re : -w.re); /* no sign is wrong there */
}

static inline __device__ sta__c128 cos(sta__c128 z)
{
    return cosh(sta__c128(-z.im, z.re));
}

static inline __device__ sta__c128 tan(sta__c128 z)
{
    const sta__c128 w = tanh(sta__c128(-z.im, z.re));
    return sta__c128(w.im, -w.re);
}

/* ---- their inverses ---- */

/* log(2 |z|) where |z| is large, or infinite. */
static inline __device__ double sta__log_of_twice(double a, double b)
{
    return log(hypot(a / 4, b / 4)) + 3 * 0x1.62e42fefa39efp-1;
}

static inline __device__ sta__c128 asin(sta__c128 z)
{
    const double a = z.re, b = z.im;
    if (a != a || b != b) {
        if (fabs(b) > DBL_MAX)
            return sta__c128(a, b);
        return sta__c128(a == 0 ? a : a + b, fabs(a) > DBL_MAX ? copysign(a, b) : b == 0 && a == a ? b : a + b);
    }
    if (fabs(a) > 1e150 || fabs(b) > 1e150)
        return sta__c128(atan2(a, fabs(b)), copysign(sta__log_of_twice(a, b), b));
    const sta__c128 p = sqrt(sta__c128(1 - a, -b)), q = sqrt(sta__c128(1 + a, b));
    const double across = p.re * q.im - p.im * q.re;
    return sta__c128(atan2(a, p.re * q.re - p.im * q.im), copysign(asinh(across), b));
}

static inline __device__ sta__c128 acos(sta__c128 z)
{
    const double a = z.re, b = z.im;
    if (a != a || b != b)
        return sta__c128(a == 0 ? 0x1.921fb54442d18p+0 : a + b, fabs(a) > DBL_MAX   ? -fabs(a)
                                                                : fabs(b) > DBL_MAX ? -b
                                                                                    : a + b);
    if (fabs(a) > 1e150 || fabs(b) > 1e150)
        return sta__c128(atan2(fabs(b), a), copysign(sta__log_of_twice(a, b), -b));
    const sta__c128 p = sqrt(sta__c128(1 - a, -b)), q = sqrt(sta__c128(1 + a, b));
    return sta__c128(2 * atan2(p.re, q.re), copysign(asinh(q.re * p.im - q.im * p.re), -b));
}

static inline __device__ sta__c128 asinh(sta__c128 z)
{
    const sta__c128 w = asin(sta__c128(z.im, z.re));
    return sta__c128(w.im, w.re);
}

static inline __device__ sta__c128 acosh(sta__c128 z)
{
    const sta__c128 w = acos(z);
    if (z.re != z.re && z.im == z.im && sta__is_finite(z.im))
        return sta__c128(z.re, z.re);
    return sta__c128(fabs(w.im), w.re != w.re || z.im != z.im ? w.re : copysign(w.re, z.im));
}

static inline __device__ sta__c128 atanh(sta__c128 z)
{
    const double a = fabs(z.re), b = fabs(z.im), quarter = 0x1.921fb54442d18p+0;
    if (z.im != z.im && z.re == z.re)
        return sta__c128(a == 0 || a > DBL_MAX ? copysign(0.0, z.re) : z.im, z.im);
    if (z.re != z.re)
        return sta__c128(b > DBL_MAX ? copysign(0.0, z.re) : z.re, b > DBL_MAX ? copysign(quarter, z.im) : z.re);
    if (a > 1e150 || b > 1e150) {
        const double h = hypot(a / 4, b / 4);
        return sta__c128(copysign(h > DBL_MAX ? 0 : a / h / h / 16, z.re), copysign(quarter, z.im));
    }
    const double near = (0x1.62e42fefa39efp-1 - log(b)) / 2; /* beside the pole, where b^2 underflows */
    const double re = a == 1 && b < 1e-140 ? near : log1p(4 * a / ((1 - a) * (1 - a) + b * b)) / 4;
    const double im = atan2(2 * b, (1 - a) * (1 + a) - b * b) / 2;
    return sta__c128(copysign(re, z.re), copysign(im, z.im));
}

static inline __device__ sta__c128 atan(sta__c128 z)
{
    const sta__c128 w = atanh(sta__c128(-z.im, z.re));
    return sta__c128(w.im, -w.re);
}

/* ---- powers ---- */

static inline __device__ bool sta__is_infinite(double x)
{
    return fabs(x) > DBL_MAX;
}

/* Infinite parts become 1, finite ones 0. */
static inline __device__ sta__c128 sta__direction(sta__c128 z)
{
    return sta__c128(copysign(sta__is_infinite(z.re) ? 1.0 : 0.0, z.re),
                     copysign(sta__is_infinite(z.im) ? 1.0 : 0.0, z.im));
}

static inline __device__ sta__c128 sta__nan_to_zero(sta__c128 z)
{
    return sta__c128(z.re != z.re ? copysign(0.0, z.re) : z.re, z.im != z.im ? copysign(0.0, z.im) : z.im);
}

static inline __device__ sta__c128 sta__plain_product(sta__c128 x, sta__c128 y)
{
    return sta__c128(x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re);
}

/* As C multiplies (annex G of its standard), and so its powers: with an infinite factor, or where a part overflows, the
 * product is infinite though both of its parts come out as NaN. */
static inline __device__ sta__c128 sta__c_product(sta__c128 x, sta__c128 y)
{
    const sta__c128 plain = sta__plain_product(x, y);
    if (plain.re == plain.re || plain.im == plain.im)
        return plain;
    const bool far_x = sta__is_infinite(x.re) || sta__is_infinite(x.im);
    const bool far_y = sta__is_infinite(y.re) || sta__is_infinite(y.im);
    const bool over = sta__is_infinite(x.re * y.re) || sta__is_infinite(x.im * y.im) || sta__is_infinite(x.re * y.im) ||
                      sta__is_infinite(x.im * y.re);
    if (!far_x && !far_y && !over)
        return plain;
    const sta__c128 p = sta__plain_product(sta__nan_to_zero(far_x ? sta__direction(x) : x),
                                           sta__nan_to_zero(far_y ? sta__direction(y) : y));
    const double infinity = 2 * DBL_MAX;
    return sta__c128(infinity * p.re, infinity * p.im);
}

static inline __device__ sta__c128 pow(sta__c128 x, sta__c128 y)
{
    return exp(sta__c_product(y, log(x)));
}

/* ---- complex64 ---- */

#define STA__BY_DOUBLE(name)                                                                                           \
    static inline __device__ sta__c64 name(sta__c64 z)                                                                 \
    {                                                                                                                  \
        return sta__c64(name(sta__c128(z)));                                                                           \
    }
STA__BY_DOUBLE(exp)
STA__BY_DOUBLE(log)
STA__BY_DOUBLE(sqrt)
STA__BY_DOUBLE(sin)
STA__BY_DOUBLE(cos)
STA__BY_DOUBLE(tan)
STA__BY_DOUBLE(sinh)
STA__BY_DOUBLE(cosh)
STA__BY_DOUBLE(tanh)
STA__BY_DOUBLE(asin)
STA__BY_DOUBLE(acos)
STA__BY_DOUBLE(atan)
STA__BY_DOUBLE(asinh)
STA__BY_DOUBLE(acosh)
STA__BY_DOUBLE(atanh)
#undef STA__BY_DOUBLE

static inline __device__ sta__c64 pow(sta__c64 x, sta__c64 y)
{
    return sta__c64(pow(sta__c128(x), sta__c128(y)));
}

#endif
