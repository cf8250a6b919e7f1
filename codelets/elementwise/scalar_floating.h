/* Functions on float and double. See scalar.h; besides:
 *     LARGEST    the largest finite value
 * Selections are written so that compilers make blends of them, and hold for NaN, infinities and -0 as they stand.
 */

STA__INLINE T STA__NAME(sta__wrap)(T x)
{
    return x;
}

STA__INLINE T STA__NAME(sta__multiply)(T x, T y)
{
    return x * y;
}

STA__INLINE T STA__NAME(sta__divide)(T x, T y)
{
    return x / y;
}

STA__INLINE T STA__NAME(sta__reciprocal)(T x)
{
    return 1 / x;
}

STA__INLINE T STA__NAME(sta__absolute)(T x)
{
    return fabs(x);
}

STA__INLINE T STA__NAME(sta__conjugate)(T x)
{
    return x;
}

STA__INLINE T STA__NAME(sta__sign)(T x)
{
    return x > 0 ? (T)1 : x < 0 ? (T)-1 : x == 0 ? (T)0 : x;
}

STA__INLINE T STA__NAME(sta__heaviside)(T x, T at_zero)
{
    return x > 0 ? (T)1 : x < 0 ? (T)0 : x == 0 ? at_zero : x;
}

/* ---- division ---- */

STA__INLINE T STA__NAME(sta__fmod)(T x, T y)
{
    return fmod(x, y);
}

/* fmod is exact; a rest of the wrong sign is moved to the other side of 0. */
STA__INLINE T STA__NAME(sta__remainder)(T x, T y)
{
    const T rest = fmod(x, y);
    const T moved = (rest < 0) != (y < 0) ? rest + y : rest;
    return rest == 0 ? copysign(rest, y) : moved;
}

/* From the exact rest, so that the quotient is the right integer; where that is 0 it has the sign of x / y. */
STA__INLINE T STA__NAME(sta__floor_divide)(T x, T y)
{
    const T rest = fmod(x, y), quotient = x / y;
    const T lowered = (x - rest) / y - (T)((rest != 0) & ((rest < 0) != (y < 0)));
    const T near = floor(lowered), whole = lowered - near > (T)0.5 ? near + 1 : near;
    return y == 0 ? quotient : lowered == 0 ? copysign((T)0, quotient) : whole;
}

/* ---- order ---- */

STA__INLINE T STA__NAME(sta__maximum)(T x, T y)
{
    return ((x >= y) | (x != x)) ? x : y;
}

STA__INLINE T STA__NAME(sta__minimum)(T x, T y)
{
    return ((x <= y) | (x != x)) ? x : y;
}

STA__INLINE T STA__NAME(sta__fmax)(T x, T y)
{
    return ((x >= y) | (y != y)) ? x : y;
}

STA__INLINE T STA__NAME(sta__fmin)(T x, T y)
{
    return ((x <= y) | (y != y)) ? x : y;
}

/* The comparisons let a NaN in x pass; those in the bounds come after, or compilers make branches. */
STA__INLINE T STA__NAME(sta__clip)(T x, T low, T high)
{
    const T raised = low > x ? low : x, lowered = high < raised ? high : raised;
    return ((low != low) | (high != high)) ? low + high : lowered;
}

STA__INLINE int STA__NAME(sta__greater)(T x, T y)
{
    return x > y;
}

STA__INLINE int STA__NAME(sta__greater_equal)(T x, T y)
{
    return x >= y;
}

/* ---- rounding and parts ---- */

STA__INLINE T STA__NAME(sta__rint)(T x)
{
    return rint(x);
}

STA__INLINE T STA__NAME(sta__floor)(T x)
{
    return floor(x);
}

STA__INLINE T STA__NAME(sta__ceil)(T x)
{
    return ceil(x);
}

STA__INLINE T STA__NAME(sta__trunc)(T x)
{
    return trunc(x);
}

STA__INLINE T STA__NAME(sta__fraction)(T x)
{
    const T rest = x - trunc(x);
    return copysign(fabs(x) > LARGEST ? (T)0 : rest, x);
}

STA__INLINE T STA__NAME(sta__mantissa)(T x)
{
    int exponent;
    return ((x != x) | (fabs(x) > LARGEST)) ? x : frexp(x, &exponent);
}

STA__INLINE int STA__NAME(sta__exponent)(T x)
{
    int exponent = 0;
    return x != x || fabs(x) > LARGEST || frexp(x, &exponent) == 0 ? 0 : exponent;
}

STA__INLINE T STA__NAME(sta__ldexp)(T x, int64_t exponent)
{
    return ldexp(x, exponent > 5000 ? 5000 : exponent < -5000 ? -5000 : (int)exponent);
}

STA__INLINE T STA__NAME(sta__real)(T x)
{
    return x;
}

STA__INLINE T STA__NAME(sta__imag)(T x)
{
    (void)x;
    return 0;
}

/* ---- classes ---- */

STA__INLINE T STA__NAME(sta__nan_to_num)(T x)
{
    const T below = x > LARGEST ? LARGEST : x, finite = below < -LARGEST ? -LARGEST : below;
    return x != x ? (T)0 : finite;
}

STA__INLINE T STA__NAME(sta__replace_infinities)(T x, T above, T below)
{
    return x > LARGEST ? above : x < -LARGEST ? below : x;
}

STA__INLINE T STA__NAME(sta__replace_nan)(T x, T value, T other)
{
    return x != x ? value : other;
}

STA__INLINE int STA__NAME(sta__isfinite)(T x)
{
    return fabs(x) <= LARGEST;
}

STA__INLINE int STA__NAME(sta__isinf)(T x)
{
    return fabs(x) > LARGEST;
}

STA__INLINE int STA__NAME(sta__isnan)(T x)
{
    return x != x;
}

STA__INLINE int STA__NAME(sta__signbit)(T x)
{
    return copysign((T)1, x) < 0;
}

/* ---- functions of functions ---- */

STA__INLINE T STA__NAME(sta__power)(T x, T y)
{
    return pow(x, y);
}

STA__INLINE T STA__NAME(sta__exp2)(T x)
{
    return exp2(x);
}

STA__INLINE T STA__NAME(sta__expm1)(T x)
{
    return expm1(x);
}

STA__INLINE T STA__NAME(sta__log2)(T x)
{
    return log2(x);
}

STA__INLINE T STA__NAME(sta__log10)(T x)
{
    return log10(x);
}

STA__INLINE T STA__NAME(sta__log1p)(T x)
{
    return log1p(x);
}

/* The larger one, and what the smaller adds: log(1 + e^-|x - y|). Equal ones, infinities too, add log(2). */
STA__INLINE T STA__NAME(sta__logaddexp)(T x, T y)
{
    const T larger = ((x >= y) | (x != x)) ? x : y, added = log1p(exp(-fabs(x - y)));
    return larger + (x == y ? (T)0x1.62e42fefa39efp-1 : added);
}

STA__INLINE T STA__NAME(sta__logaddexp2)(T x, T y)
{
    const T larger = ((x >= y) | (x != x)) ? x : y;
    const T added = log1p(exp2(-fabs(x - y))) * (T)0x1.71547652b82fep+0;
    return larger + (x == y ? (T)1 : added);
}

STA__INLINE T STA__NAME(sta__angle)(T x)
{
    return x != x ? x : copysign((T)1, x) < 0 ? (T)0x1.921fb54442d18p+1 : (T)0;
}

STA__INLINE T STA__NAME(sta__deg2rad)(T x)
{
    return x * (T)0x1.1df46a2529d39p-6;
}

STA__INLINE T STA__NAME(sta__rad2deg)(T x)
{
    return x * (T)0x1.ca5dc1a63c1f8p+5;
}

/* By the distance to the nearest integer, which is exact, so that integers give 0 (and infinity NaN). */
STA__INLINE T STA__NAME(sta__sinc)(T x)
{
    const T pi = (T)0x1.921fb54442d18p+1, near = rint(x), half = near * (T)0.5;
    const T wave = sin(pi * (x - near)), turned = trunc(half) == half ? wave : -wave;
    return x == 0 ? (T)1 : near == x ? x - near : turned / (pi * x);
}

/* 1 / (1 + e^-x), by e^-|x| so that nothing overflows and small values keep their digits. */
STA__INLINE T STA__NAME(sta__expit)(T x)
{
    const T e = exp(-fabs(x));
    return (x >= 0 ? (T)1 : e) / (1 + e);
}

STA__INLINE T STA__NAME(sta__i0)(T x)
{
    return (T)sta__bessel_i0((double)x);
}
