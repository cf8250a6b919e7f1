/* The functions that texts of ufuncs.def call. scalar_bool.h, scalar_integer.h, scalar_floating.h and scalar_complex.h define
 * them, each once per dtype: whoever includes one defines before
 *     T           the element type
 *     STA__BRIEF  the dtype's short name, which ends the functions' names in C (C++ has overloads)
 * and takes both back afterwards. The fixed-width integer types have been declared by then.
 */
#ifndef STA__SCALAR_H
#define STA__SCALAR_H

#define STA__PASTE(a, b) a##b
#define STA__GLUE(a, b) STA__PASTE(a, b)

#ifdef __cplusplus
#define STA__OF(name, brief) name
#define STA__NAME(name) name
#define STA__INLINE static inline __device__
#else
#define STA__OF(name, brief) name##_##brief
#define STA__NAME(name) STA__GLUE(name##_, STA__BRIEF)
#define STA__INLINE static inline

#define sta__wrap(x) STA__NAME(sta__wrap)(x)
#define sta__multiply(x, y) STA__NAME(sta__multiply)(x, y)
#define sta__divide(x, y) STA__NAME(sta__divide)(x, y)
#define sta__absolute(x) STA__NAME(sta__absolute)(x)
#define sta__maximum(x, y) STA__NAME(sta__maximum)(x, y)
#define sta__minimum(x, y) STA__NAME(sta__minimum)(x, y)
#define sta__greater(x, y) STA__NAME(sta__greater)(x, y)
#define sta__greater_equal(x, y) STA__NAME(sta__greater_equal)(x, y)
#define sta__below(x, y) STA__NAME(sta__below)(x, y)
#define sta__above(x, y) STA__NAME(sta__above)(x, y)
#define sta__equals(x, y) STA__NAME(sta__equals)(x, y)
#endif

/* Comparisons of int64 with uint64 by value. */
STA__INLINE int STA__OF(sta__below, i64)(int64_t x, uint64_t y)
{
    return (x < 0) | ((uint64_t)x < y);
}

STA__INLINE int STA__OF(sta__below, u64)(uint64_t x, int64_t y)
{
    return (y >= 0) & (x < (uint64_t)y);
}

STA__INLINE int STA__OF(sta__above, i64)(int64_t x, uint64_t y)
{
    return (x > 0) & ((uint64_t)x > y);
}

STA__INLINE int STA__OF(sta__above, u64)(uint64_t x, int64_t y)
{
    return (y < 0) | (x > (uint64_t)y);
}

STA__INLINE int STA__OF(sta__equals, i64)(int64_t x, uint64_t y)
{
    return (x >= 0) & ((uint64_t)x == y);
}

STA__INLINE int STA__OF(sta__equals, u64)(uint64_t x, int64_t y)
{
    return (y >= 0) & (x == (uint64_t)y);
}

#endif
