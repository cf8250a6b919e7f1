/* Functions on complex numbers; T is complex, U the type of its parts. See scalar.h. */

STA__INLINE T STA__NAME(sta__make)(U re, U im)
{
    const union {
        U part[2];
        T value;
    } z = {{re, im}};
    return z.value;
}

STA__INLINE T STA__NAME(sta__wrap)(T x)
{
    return x;
}

/* The plain formula, as NumPy's: without C's recovery of infinities from NaN. */
STA__INLINE T STA__NAME(sta__multiply)(T x, T y)
{
    const U a = creal(x), b = cimag(x), c = creal(y), d = cimag(y);
    return STA__NAME(sta__make)(a * c - b * d, a * d + b * c);
}

/* Smith's method: scaled by the larger part of y, so that |y|^2 cannot overflow. */
STA__INLINE T STA__NAME(sta__divide)(T x, T y)
{
    const U a = creal(x), b = cimag(x), c = creal(y), d = cimag(y);
    if (c == 0 && d == 0) /* a complex infinity or NaN with the signs of the parts */
        return STA__NAME(sta__make)(a / (U)fabs(c), b / (U)fabs(c));
    if (fabs(c) >= fabs(d)) {
        const U ratio = d / c, scale = 1 / (c + d * ratio);
        return STA__NAME(sta__make)((a + b * ratio) * scale, (b - a * ratio) * scale);
    }
    const U ratio = c / d, scale = 1 / (d + c * ratio);
    return STA__NAME(sta__make)((a * ratio + b) * scale, (b * ratio - a) * scale);
}

STA__INLINE U STA__NAME(sta__absolute)(T x)
{
    return fabs(x); /* <tgmath.h>: the modulus */
}

/* Lexicographic; the first operand with a NaN in it wins. */
STA__INLINE int STA__NAME(sta__has_nan)(T x)
{
    return creal(x) != creal(x) || cimag(x) != cimag(x);
}

STA__INLINE int STA__NAME(sta__greater)(T x, T y)
{
    return creal(x) > creal(y) || (creal(x) == creal(y) && cimag(x) > cimag(y));
}

STA__INLINE int STA__NAME(sta__greater_equal)(T x, T y)
{
    return creal(x) > creal(y) || (creal(x) == creal(y) && cimag(x) >= cimag(y));
}

STA__INLINE T STA__NAME(sta__maximum)(T x, T y)
{
    return STA__NAME(sta__has_nan)(x) || STA__NAME(sta__greater_equal)(x, y) ? x : y;
}

STA__INLINE T STA__NAME(sta__minimum)(T x, T y)
{
    return STA__NAME(sta__has_nan)(x) || STA__NAME(sta__greater_equal)(y, x) ? x : y;
}
