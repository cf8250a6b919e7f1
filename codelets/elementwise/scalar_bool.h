/* Functions on bool, stored as 0 or 1 in uint8_t; T is uint8_t. See scalar.h. */

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

STA__INLINE int STA__NAME(sta__greater)(T x, T y)
{
    return x > y;
}

STA__INLINE int STA__NAME(sta__greater_equal)(T x, T y)
{
    return x >= y;
}
