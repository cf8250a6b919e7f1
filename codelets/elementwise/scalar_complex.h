/* Functions on complex numbers; T is complex, U the type of its parts. See scalar.h. Order is lexicographic, and
 * nothing is greater or less than a number with a NaN in it. Elementary functions are the C library's, which keep to
 * the branch cuts.
 */

STA__INLINE T STA__NAME(sta__make)(U re, U im)
{
    return __builtin_complex(re, im);
}

STA__INLINE T STA__NAME(sta__scaled)(T x, U by)
{
    return STA__NAME(sta__make)(creal(x) * by, cimag(x) * by);
}

STA__INLINE T STA__NAME(sta__wrap)(T x)
{
    return x;
}

STA__INLINE U STA__NAME(sta__real)(T x)
{
    return creal(x);
}

STA__INLINE U STA__NAME(sta__imag)(T x)
{
    return cimag(x);
}

STA__INLINE T STA__NAME(sta__conjugate)(T x)
{
    return STA__NAME(sta__make)(creal(x), -cimag(x));
}

STA__INLINE U STA__NAME(sta__absolute)(T x)
{
    return hypot(creal(x), cimag(x));
}

STA__INLINE U STA__NAME(sta__angle)(T x)
{
    return atan2(cimag(x), creal(x));
}

/* ---- arithmetic ---- */

/* The plain formula, as NumPy's: without C's recovery of infinities from NaN. Two sums, since gcc 12.2 makes a
 * difference beside a sum a fused multiply-add in spite of -ffp-contract=off. */
STA__INLINE T STA__NAME(sta__multiply)(T x, T y)
{
    const U a = creal(x), b = cimag(x), c = creal(y), d = cimag(y);
    return STA__NAME(sta__make)(a * c + -b * d, a * d + b * c);
}

/* Smith's method: scaled by the larger part of y, so that |y|^2 cannot overflow. */
STA__INLINE T STA__NAME(sta__divide)(T x, T y)
{
    const U a = creal(x), b = cimag(x), c = creal(y), d = cimag(y);
    if (c == 0 && d == 0) /* infinities and NaN by the parts of x */
        return STA__NAME(sta__make)(a / fabs(c), b / fabs(c));
    if (fabs(c) >= fabs(d)) {
        const U ratio = d / c, scale = 1 / (c + d * ratio);
        return STA__NAME(sta__make)((a + b * ratio) * scale, (b - a * ratio) * scale);
    }
    const U ratio = c / d, scale = 1 / (d + c * ratio);
    return STA__NAME(sta__make)((a * ratio + b) * scale, (b * ratio - a) * scale);
}

STA__INLINE T STA__NAME(sta__reciprocal)(T x)
{
    return STA__NAME(sta__divide)(1, x);
}

/* x / |x|, scaled so that the modulus cannot overflow; an infinite part alone is the direction, two of them have none. */
STA__INLINE T STA__NAME(sta__sign)(T x)
{
    const U a = creal(x), b = cimag(x);
    const int far_a = fabs(a) > LARGEST, far_b = fabs(b) > LARGEST;
    if (far_a != far_b)
        return STA__NAME(sta__make)(far_a ? copysign((U)1, a) : (U)0, far_b ? copysign((U)1, b) : (U)0);
    if (a == 0 && b == 0)
        return 0;
    const U scale = fabs(a) > fabs(b) ? fabs(a) : fabs(b), size = hypot(a / scale, b / scale);
    return STA__NAME(sta__make)(a / scale / size, b / scale / size);
}

/* Small integer powers by multiplication, others by the logarithm. 0 to a power with positive real part is 0, to 0 it is 1,
 * to others NaN. */
STA__INLINE T STA__NAME(sta__power)(T x, T y)
{
    const U power = creal(y);
    if (x == 0 && !(power > 0))
        return y == 0 ? STA__NAME(sta__make)(1, 0) : STA__NAME(sta__make)(NAN, NAN);
    if (x == 0)
        return 0;
    if (cimag(y) == 0 && fabs(power) < 100 && trunc(power) == power) {
        T product = 1, square = x;
        int begun = 0; /* 1 * infinity would be NaN */
        for (int rest = (int)fabs(power); rest != 0; rest >>= 1) {
            if (rest & 1)
                product = begun++ ? STA__NAME(sta__multiply)(product, square) : square;
            square = STA__NAME(sta__multiply)(square, square);
        }
        return power < 0 ? STA__NAME(sta__reciprocal)(product) : product;
    }
    return pow(x, y);
}

/* ---- order ---- */

STA__INLINE int STA__NAME(sta__isnan)(T x)
{
    return creal(x) != creal(x) || cimag(x) != cimag(x);
}

STA__INLINE int STA__NAME(sta__greater)(T x, T y)
{
    const U b = cimag(x), d = cimag(y);
    return (creal(x) > creal(y) && b == b && d == d) || (creal(x) == creal(y) && b > d);
}

STA__INLINE int STA__NAME(sta__greater_equal)(T x, T y)
{
    const U b = cimag(x), d = cimag(y);
    return (creal(x) > creal(y) && b == b && d == d) || (creal(x) == creal(y) && b >= d);
}

STA__INLINE T STA__NAME(sta__maximum)(T x, T y)
{
    return STA__NAME(sta__greater_equal)(x, y) || STA__NAME(sta__isnan)(x) ? x : y;
}

STA__INLINE T STA__NAME(sta__minimum)(T x, T y)
{
    return STA__NAME(sta__greater_equal)(y, x) || STA__NAME(sta__isnan)(x) ? x : y;
}

STA__INLINE T STA__NAME(sta__fmax)(T x, T y)
{
    return STA__NAME(sta__greater_equal)(x, y) || STA__NAME(sta__isnan)(y) ? x : y;
}

STA__INLINE T STA__NAME(sta__fmin)(T x, T y)
{
    return STA__NAME(sta__greater_equal)(y, x) || STA__NAME(sta__isnan)(y) ? x : y;
}

STA__INLINE T STA__NAME(sta__clip)(T x, T low, T high)
{
    return STA__NAME(sta__minimum)(STA__NAME(sta__maximum)(x, low), high);
}

/* ---- by parts ---- */

STA__INLINE T STA__NAME(sta__rint)(T x)
{
    return STA__NAME(sta__make)(rint(creal(x)), rint(cimag(x)));
}

STA__INLINE int STA__NAME(sta__isfinite)(T x)
{
    return fabs(creal(x)) <= LARGEST && fabs(cimag(x)) <= LARGEST;
}

STA__INLINE int STA__NAME(sta__isinf)(T x)
{
    return fabs(creal(x)) > LARGEST || fabs(cimag(x)) > LARGEST;
}

STA__INLINE U STA__NAME(sta__finite_part)(U x)
{
    const U below = x > LARGEST ? LARGEST : x, finite = below < -LARGEST ? -LARGEST : below;
    return x != x ? (U)0 : finite;
}

STA__INLINE T STA__NAME(sta__nan_to_num)(T x)
{
    return STA__NAME(sta__make)(STA__NAME(sta__finite_part)(creal(x)), STA__NAME(sta__finite_part)(cimag(x)));
}

STA__INLINE U STA__NAME(sta__replaced_part)(U x, U above, U below)
{
    return x > LARGEST ? above : x < -LARGEST ? below : x;
}

STA__INLINE T STA__NAME(sta__replace_infinities)(T x, T above, T below)
{
    return STA__NAME(sta__make)(STA__NAME(sta__replaced_part)(creal(x), creal(above), creal(below)),
                                STA__NAME(sta__replaced_part)(cimag(x), creal(above), creal(below)));
}

STA__INLINE T STA__NAME(sta__replace_nan)(T x, T value, T other)
{
    return STA__NAME(sta__make)(creal(x) != creal(x) ? creal(value) : creal(other),
                                cimag(x) != cimag(x) ? creal(value) : cimag(other));
}

STA__INLINE T STA__NAME(sta__multiply_parts)(T x, T y)
{
    return STA__NAME(sta__make)(creal(x) * creal(y), cimag(x) * cimag(y));
}

STA__INLINE T STA__NAME(sta__divide_parts)(T x, T y)
{
    return STA__NAME(sta__make)(creal(x) / creal(y), cimag(x) / cimag(y));
}

/* ---- functions of functions ---- */

STA__INLINE T STA__NAME(sta__exp2)(T x)
{
    const U log_2 = (U)0x1.62e42fefa39efp-1, size = exp2(creal(x)), angle = cimag(x) * log_2;
    if (!STA__NAME(sta__isfinite)(x) || size > LARGEST)
        return exp(STA__NAME(sta__make)(creal(x) * log_2, angle));
    return angle == 0 ? STA__NAME(sta__make)(size, angle) : STA__NAME(sta__make)(size * cos(angle), size * sin(angle));
}

/* e^a cos b - 1 = (e^a - 1) cos b - 2 sin^2(b/2): no cancellation near 0. */
STA__INLINE T STA__NAME(sta__expm1)(T x)
{
    const U a = creal(x), b = cimag(x), half = sin(b / 2);
    return STA__NAME(sta__make)(expm1(a) * cos(b) - 2 * half * half, exp(a) * sin(b));
}

STA__INLINE T STA__NAME(sta__log2)(T x)
{
    return STA__NAME(sta__scaled)(log(x), (U)0x1.71547652b82fep+0);
}

STA__INLINE T STA__NAME(sta__log10)(T x)
{
    return STA__NAME(sta__scaled)(log(x), (U)0x1.bcb7b1526e50ep-2);
}

/* Near 0 by log1p of |1 + x|^2 - 1. */
STA__INLINE T STA__NAME(sta__log1p)(T x)
{
    const U a = creal(x), b = cimag(x);
    const int near = fabs(a) < (U)0.5 && fabs(b) < (U)0.5;
    return STA__NAME(sta__make)(near ? log1p(a * (2 + a) + b * b) / 2 : log(hypot(1 + a, b)), atan2(b, 1 + a));
}

STA__INLINE T STA__NAME(sta__sinc)(T x)
{
    const T z = STA__NAME(sta__scaled)(x, (U)0x1.921fb54442d18p+1);
    return x == 0 ? (T)1 : STA__NAME(sta__divide)(sin(z), z);
}
