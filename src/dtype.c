/* Facts about element types, read from dtypes.def, and the dtype that two promote to. Pure: no lock, no state. */
#include "internal.h"

static const struct row {
    const char *name, *brief, *typestr;
    size_t bytes;
    enum sta__kind kind;
} rows[STA__DTYPES] = {
#define STA_DTYPE(name, number, storage, brief, kind, typestr)                                                         \
    [number] = {#name, #brief, typestr, sizeof(storage), STA__KIND_##kind},
#include <starray/dtypes.def>
#undef STA_DTYPE
};

bool sta__dtype_valid(sta_dtype dtype)
{
    return (unsigned)dtype < STA__DTYPES && rows[dtype].bytes != 0;
}

size_t sta_itemsize(sta_dtype dtype)
{
    return sta__dtype_valid(dtype) ? rows[dtype].bytes : 0;
}

const char *sta_dtype_name(sta_dtype dtype)
{
    return sta__dtype_valid(dtype) ? rows[dtype].name : "none";
}

const char *sta__dtype_brief(sta_dtype dtype)
{
    return sta__dtype_valid(dtype) ? rows[dtype].brief : "none";
}

const char *sta__dtype_typestr(sta_dtype dtype)
{
    return sta__dtype_valid(dtype) ? rows[dtype].typestr : "";
}

enum sta__kind sta__dtype_kind(sta_dtype dtype)
{
    return sta__dtype_valid(dtype) ? rows[dtype].kind : STA__KIND_BOOL;
}

sta_dtype sta__dtype_real(sta_dtype dtype)
{
    if (dtype == STA_complex64)
        return STA_float32;
    return dtype == STA_complex128 ? STA_float64 : dtype;
}

sta_dtype sta__dtype_complex(sta_dtype dtype)
{
    if (!sta__dtype_valid(dtype))
        return STA_DTYPE_NONE;
    if (rows[dtype].kind == STA__KIND_COMPLEX)
        return dtype;
    return rows[dtype].kind == STA__KIND_FLOATING && rows[dtype].bytes <= sizeof(float) ? STA_complex64
                                                                                        : STA_complex128;
}

sta_dtype sta__dtype_inexact(sta_dtype dtype)
{
    return sta__dtype_kind(dtype) >= STA__KIND_FLOATING || !sta__dtype_valid(dtype) ? dtype : STA_float64;
}

/* ---- promotion ---- */

static bool is_integer(sta_dtype dtype)
{
    return rows[dtype].kind == STA__KIND_SIGNED || rows[dtype].kind == STA__KIND_UNSIGNED;
}

static sta_dtype promote_integers(sta_dtype a, sta_dtype b)
{
    if (rows[a].kind == rows[b].kind)
        return rows[a].bytes >= rows[b].bytes ? a : b;
    const sta_dtype with_sign = rows[a].kind == STA__KIND_SIGNED ? a : b;
    const sta_dtype without = with_sign == a ? b : a;
    if (rows[with_sign].bytes > rows[without].bytes)
        return with_sign;
    static const sta_dtype next[STA__DTYPES] = {
        [STA_uint8] = STA_int16, [STA_uint16] = STA_int32, [STA_uint32] = STA_int64, [STA_uint64] = STA_float64};
    return next[without];
}

/* The smallest float that holds the integers too: 16-bit floats hold those of 8 bits, float32 those of 16. */
static sta_dtype promote_float_integer(sta_dtype floating, sta_dtype integer)
{
    if (rows[integer].bytes * 2 <= rows[floating].bytes || floating == STA_float64)
        return floating;
    return rows[integer].bytes <= 2 ? STA_float32 : STA_float64;
}

static sta_dtype promote_real(sta_dtype a, sta_dtype b)
{
    if (a == b || rows[b].kind == STA__KIND_BOOL)
        return a;
    if (rows[a].kind == STA__KIND_BOOL)
        return b;
    if (is_integer(a))
        return is_integer(b) ? promote_integers(a, b) : promote_float_integer(b, a);
    if (is_integer(b))
        return promote_float_integer(a, b);
    if (rows[a].bytes == rows[b].bytes) /* float16 and bfloat16: neither holds the other */
        return STA_float32;
    return rows[a].bytes > rows[b].bytes ? a : b;
}

sta_dtype sta_promote_types(sta_dtype a, sta_dtype b)
{
    if (!sta__dtype_valid(a) || !sta__dtype_valid(b))
        return STA_DTYPE_NONE;
    const sta_dtype real = promote_real(sta__dtype_real(a), sta__dtype_real(b));
    const bool complex = rows[a].kind == STA__KIND_COMPLEX || rows[b].kind == STA__KIND_COMPLEX;
    return complex ? sta__dtype_complex(real) : real;
}
