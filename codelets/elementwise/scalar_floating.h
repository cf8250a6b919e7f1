/* Functions on float and double. See scalar.h. */

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

STA__INLINE T STA__NAME(sta__absolute)(T x)
{
    return (T)fabs(x);
}

STA__INLINE T STA__NAME(sta__maximum)(T x, T y)
{
    return x >= y || x != x ? x : y;
}

STA__INLINE T STA__NAME(sta__minimum)(T x, T y)
{
    return x <= y || x != x ? x : y;
}

STA__INLINE int STA__NAME(sta__greater)(T x, T y)
{
    return x > y;
}

STA__INLINE int STA__NAME(sta__greater_equal)(T x, T y)
{
    return x >= y;
}
