/* Functions on bool, stored as 0 or 1 in uint8_t; T is uint8_t. What they return becomes a bool again. See scalar.h. */

STA__INLINE int STA__NAME(sta__wrap)(T x)
{
    return x;
}

STA__INLINE int STA__NAME(sta__multiply)(T x, T y)
{
    return x & y;
}

STA__INLINE T STA__NAME(sta__absolute)(T x)
{
    return x;
}

STA__INLINE int STA__NAME(sta__maximum)(T x, T y)
{
    return x | y;
}

STA__INLINE int STA__NAME(sta__minimum)(T x, T y)
{
    return x & y;
}

STA__INLINE int STA__NAME(sta__fmax)(T x, T y)
{
    return x | y;
}

STA__INLINE int STA__NAME(sta__fmin)(T x, T y)
{
    return x & y;
}

STA__INLINE int STA__NAME(sta__clip)(T x, T low, T high)
{
    return (x | low) & high;
}

STA__INLINE int STA__NAME(sta__greater)(T x, T y)
{
    return x > y;
}

STA__INLINE int STA__NAME(sta__greater_equal)(T x, T y)
{
    return x >= y;
}

STA__INLINE int STA__NAME(sta__invert)(T x)
{
    return x ^ 1;
}

/* ---- what is true of any bool ---- */

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
    return x & 0;
}

STA__INLINE int STA__NAME(sta__isfinite)(T x)
{
    return x | 1;
}

STA__INLINE int STA__NAME(sta__isinf)(T x)
{
    return x & 0;
}

STA__INLINE int STA__NAME(sta__isnan)(T x)
{
    return x & 0;
}

STA__INLINE int STA__NAME(sta__signbit)(T x)
{
    return x & 0;
}
