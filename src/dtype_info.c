/* Limits of dtypes, kinds and casts. Contract: starray/dtype.h. Pure but for sta_result_type, which is in
 * codelets/elementwise. */
#include "internal.h"

#include <math.h>
#include <string.h>

/* What follows from the number of digits and the range of exponents, as float.h has them. */
static const struct format {
    int digits, least, most;
} formats[STA__DTYPES] = {
    [STA_float16] = {11, -13, 16},
    [STA_bfloat16] = {8, -125, 128},
    [STA_float32] = {24, -125, 128},
    [STA_float64] = {53, -1021, 1024},
};

sta_finfo_result sta_finfo(sta_dtype dtype)
{
    sta_finfo_result info = {.dtype = STA_DTYPE_NONE};
    const sta_dtype part = sta__dtype_real(dtype);
    if (!sta__dtype_valid(part) || sta__dtype_kind(part) != STA__KIND_FLOATING)
        return info;
    const struct format *format = &formats[part];
    info.dtype = part;
    info.bits = 8 * (int)sta_itemsize(part);
    info.precision = (int)((format->digits - 1) * 0.30102999566398120);
    info.eps = ldexp(1, 1 - format->digits);
    info.epsneg = info.eps / 2;
    info.max = ldexp(1 - info.epsneg, format->most);
    info.min = -info.max;
    info.smallest_normal = ldexp(1, format->least - 1);
    info.smallest_subnormal = ldexp(1, format->least - format->digits);
    return info;
}

sta_iinfo_result sta_iinfo(sta_dtype dtype)
{
    const enum sta__kind kind = sta__dtype_kind(dtype);
    sta_iinfo_result info = {0, 0, 0};
    if (kind != STA__KIND_SIGNED && kind != STA__KIND_UNSIGNED)
        return info;
    const int digits = 8 * (int)sta_itemsize(dtype) - (kind == STA__KIND_SIGNED);
    info.bits = 8 * (int)sta_itemsize(dtype);
    info.max = UINT64_MAX >> (64 - digits);
    info.min = kind == STA__KIND_SIGNED ? -(int64_t)info.max - 1 : 0;
    return info;
}

/* bool, unsigned, signed, floating, complex: a cast to a later one loses nothing but digits. */
static int order_of(sta_dtype dtype)
{
    static const int order[] = {[STA__KIND_BOOL] = 0,
                                [STA__KIND_UNSIGNED] = 1,
                                [STA__KIND_SIGNED] = 2,
                                [STA__KIND_FLOATING] = 3,
                                [STA__KIND_COMPLEX] = 4};
    return order[sta__dtype_kind(dtype)];
}

int sta_can_cast(sta_dtype from, sta_dtype to, sta_casting casting)
{
    if (!sta__dtype_valid(from) || !sta__dtype_valid(to))
        return 0;
    if (casting == STA_CASTING_NO)
        return from == to;
    if (casting == STA_CASTING_SAFE)
        return sta_promote_types(from, to) == to;
    return casting == STA_CASTING_UNSAFE || (casting == STA_CASTING_SAME_KIND && order_of(from) <= order_of(to));
}

int sta_isdtype(sta_dtype dtype, const char *kind)
{
    static const struct {
        const char *name;
        unsigned kinds;
    } rows[] = {
        {"bool", 1 << STA__KIND_BOOL},
        {"signed integer", 1 << STA__KIND_SIGNED},
        {"unsigned integer", 1 << STA__KIND_UNSIGNED},
        {"integral", 1 << STA__KIND_SIGNED | 1 << STA__KIND_UNSIGNED},
        {"real floating", 1 << STA__KIND_FLOATING},
        {"complex floating", 1 << STA__KIND_COMPLEX},
        {"numeric", 1 << STA__KIND_SIGNED | 1 << STA__KIND_UNSIGNED | 1 << STA__KIND_FLOATING | 1 << STA__KIND_COMPLEX},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows && kind && sta__dtype_valid(dtype); r++)
        if (strcmp(rows[r].name, kind) == 0)
            return rows[r].kinds >> sta__dtype_kind(dtype) & 1;
    return 0;
}
