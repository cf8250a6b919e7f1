/* Functions on integers. See scalar.h; besides:
 *     W                the unsigned type that arithmetic wraps in: uint32_t, or uint64_t for 64 bits
 *     STA__QUOTIENT    float or double: its quotient of two values of T, truncated, is exact; for 64 bits T itself
 */

STA__INLINE W STA__NAME(sta__wrap)(T x)
{
    return (W)x;
}

STA__INLINE W STA__NAME(sta__multiply)(T x, T y)
{
    return (W)x * (W)y;
}

STA__INLINE T STA__NAME(sta__absolute)(T x)
{
    return x < 1 ? (T)(0 - (W)x) : x;
}

STA__INLINE T STA__NAME(sta__conjugate)(T x)
{
    return x;
}

STA__INLINE int STA__NAME(sta__sign)(T x)
{
    return (x > 0) - (x < 1) + (x == 0);
}

/* ---- division ---- */

/* Whether x / y is -x: -1, which must not reach the division (the least integer traps there). */
STA__INLINE int STA__NAME(sta__is_minus_one)(T y)
{
    return (T)-1 < 1 && y == (T)-1;
}

/* x / y towards 0; x / 0 is 0, and the least integer / -1 is itself. */
STA__INLINE T STA__NAME(sta__truncated)(T x, T y)
{
    const T by = y == 0 || STA__NAME(sta__is_minus_one)(y) ? (T)1 : y;
    const T quotient = (T)((STA__QUOTIENT)x / (STA__QUOTIENT)by);
    return y == 0 ? (T)0 : STA__NAME(sta__is_minus_one)(y) ? (T)(0 - (W)x) : quotient;
}

/* x - truncated * y; 0 for y = 0. */
STA__INLINE T STA__NAME(sta__fmod)(T x, T y)
{
    const W rest = (W)x - (W)STA__NAME(sta__truncated)(x, y) * (W)y;
    return y == 0 ? (T)0 : (T)rest;
}

/* Whether rounding towards 0 was not rounding down. */
STA__INLINE int STA__NAME(sta__is_above)(T rest, T y)
{
    return (rest != 0) & ((rest < 1) != (y < 1));
}

STA__INLINE T STA__NAME(sta__floor_divide)(T x, T y)
{
    const T quotient = STA__NAME(sta__truncated)(x, y), rest = STA__NAME(sta__fmod)(x, y);
    return (T)((W)quotient - (W)STA__NAME(sta__is_above)(rest, y));
}

STA__INLINE T STA__NAME(sta__remainder)(T x, T y)
{
    const T rest = STA__NAME(sta__fmod)(x, y);
    return (T)((W)rest + ((W)y & (0 - (W)STA__NAME(sta__is_above)(rest, y))));
}

STA__INLINE T STA__NAME(sta__reciprocal)(T x)
{
    return x == 1 || STA__NAME(sta__is_minus_one)(x) ? x : (T)0;
}

/* |x| in W, where that of the least integer fits too. */
STA__INLINE W STA__NAME(sta__size)(T x)
{
    return x < 1 ? 0 - (W)x : (W)x;
}

STA__INLINE W STA__NAME(sta__gcd)(T x, T y)
{
    const W first = STA__NAME(sta__size)(x), second = STA__NAME(sta__size)(y);
    W a = first < second ? second : first, b = first < second ? first : second; /* else the first step exchanges them */
    while (b != 0) {
        const W rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

STA__INLINE W STA__NAME(sta__lcm)(T x, T y)
{
    const W divisor = STA__NAME(sta__gcd)(x, y);
    return divisor == 0 ? 0 : STA__NAME(sta__size)(x) / divisor * STA__NAME(sta__size)(y);
}

/* By squaring. To a negative power: 1 / x^|y| towards 0. */
STA__INLINE T STA__NAME(sta__power)(T x, T y)
{
    if ((y < 1) & (y != 0))
        return STA__NAME(sta__is_minus_one)(x) && (y & 1) == 0 ? (T)1 : STA__NAME(sta__reciprocal)(x);
    W power = 1, square = (W)x;
    for (W rest = (W)y; rest != 0; rest >>= 1) {
        power *= rest & 1 ? square : 1;
        square *= square;
    }
    return (T)power;
}

/* ---- order ---- */

STA__INLINE T STA__NAME(sta__maximum)(T x, T y)
{
    return x >= y ? x : y;
}

STA__INLINE T STA__NAME(sta__minimum)(T x, T y)
{
    return x <= y ? x : y;
}

STA__INLINE T STA__NAME(sta__fmax)(T x, T y)
{
    return x >= y ? x : y;
}

STA__INLINE T STA__NAME(sta__fmin)(T x, T y)
{
    return x <= y ? x : y;
}

STA__INLINE T STA__NAME(sta__clip)(T x, T low, T high)
{
    const T raised = x >= low ? x : low;
    return raised <= high ? raised : high;
}

STA__INLINE int STA__NAME(sta__greater)(T x, T y)
{
    return x > y;
}

STA__INLINE int STA__NAME(sta__greater_equal)(T x, T y)
{
    return x >= y;
}

/* ---- bits ---- */

STA__INLINE T STA__NAME(sta__invert)(T x)
{
    return (T)~x;
}

/* Counts that are negative or not below the width shift everything out. */
STA__INLINE T STA__NAME(sta__left_shift)(T x, T y)
{
    const W count = (W)y;
    return count < 8 * sizeof(T) ? (T)((W)x << (count & (8 * sizeof(W) - 1))) : (T)0;
}

STA__INLINE T STA__NAME(sta__right_shift)(T x, T y)
{
    const W count = (W)y, most = 8 * sizeof(T) - 1;
    const T sign = (T)(x >> most); /* 0 or -1 where T is signed */
    return count <= most ? (T)(x >> (count & most)) : (T)-1 < 1 ? sign : (T)0;
}

/* ---- what is true of any integer ---- */

STA__INLINE T STA__NAME(sta__nan_to_num)(T x)
{
    return x;
}

STA__INLINE T STA__NAME(sta__floor)(T x)
{
    return x;
}

STA__INLINE T STA__NAME(sta__ceil)(T x)
{
    return x;
}

STA__INLINE T STA__NAME(sta__trunc)(T x)
{
    return x;
}

STA__INLINE T STA__NAME(sta__real)(T x)
{
    return x;
}

STA__INLINE T STA__NAME(sta__imag)(T x)
{
    return (T)(x & 0);
}

STA__INLINE int STA__NAME(sta__isfinite)(T x)
{
    return (int)(x & 0) | 1;
}

STA__INLINE int STA__NAME(sta__isinf)(T x)
{
    return (int)(x & 0);
}

STA__INLINE int STA__NAME(sta__isnan)(T x)
{
    return (int)(x & 0);
}

STA__INLINE int STA__NAME(sta__signbit)(T x)
{
    return (x < 1) & (x != 0);
}
