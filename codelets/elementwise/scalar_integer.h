/* Functions on integers; W is the unsigned type that arithmetic wraps in: uint32_t, or uint64_t for 64 bits. See scalar.h. */

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

STA__INLINE T STA__NAME(sta__maximum)(T x, T y)
{
    return x >= y ? x : y;
}

STA__INLINE T STA__NAME(sta__minimum)(T x, T y)
{
    return x <= y ? x : y;
}

STA__INLINE int STA__NAME(sta__greater)(T x, T y)
{
    return x > y;
}

STA__INLINE int STA__NAME(sta__greater_equal)(T x, T y)
{
    return x >= y;
}
