/* Dtypes: promotion, what element-wise operations return (NumPy 2), weak scalars, and the values of casts. */

#include "elementwise/ufunc.h"

#include <CUnit/Basic.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static sta_dtype named(const char *brief)
{
    for (int d = 1; d < STA__DTYPES; d++)
        if (strcmp(sta__dtype_brief((sta_dtype)d), brief) == 0)
            return (sta_dtype)d;
    return STA_DTYPE_NONE;
}

/* The upper triangle of NumPy's table, one row a dtype; bfloat16 as float16, and with it float32. */
static const char *const promoted[] = {
    "bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 c64 c128", /* bool */
    "i8 i16 i32 i64 i16 i32 i64 f64 f16 bf16 f32 f64 c64 c128",     /* i8 */
    "i16 i32 i64 i16 i32 i64 f64 f32 f32 f32 f64 c64 c128",         /* i16 */
    "i32 i64 i32 i32 i64 f64 f64 f64 f64 f64 c128 c128",            /* i32 */
    "i64 i64 i64 i64 f64 f64 f64 f64 f64 c128 c128",                /* i64 */
    "u8 u16 u32 u64 f16 bf16 f32 f64 c64 c128",                     /* u8 */
    "u16 u32 u64 f32 f32 f32 f64 c64 c128",                         /* u16 */
    "u32 u64 f64 f64 f64 f64 c128 c128",                            /* u32 */
    "u64 f64 f64 f64 f64 c128 c128",                                /* u64 */
    "f16 f32 f32 f64 c64 c128",                                     /* f16 */
    "bf16 f32 f64 c64 c128",                                        /* bf16 */
    "f32 f64 c64 c128",                                             /* f32 */
    "f64 c128 c128",                                                /* f64 */
    "c64 c128",                                                     /* c64 */
    "c128",                                                         /* c128 */
};

static void test_promotion(void)
{
    for (int a = 1; a < STA__DTYPES; a++) {
        char row[128];
        snprintf(row, sizeof row, "%s", promoted[a - 1]);
        int b = a;
        for (char *word = strtok(row, " "); word; word = strtok(NULL, " "), b++) {
            CU_ASSERT_EQUAL(sta_promote_types((sta_dtype)a, (sta_dtype)b), named(word));
            CU_ASSERT_EQUAL(sta_promote_types((sta_dtype)b, (sta_dtype)a), named(word));
        }
        CU_ASSERT_EQUAL(b, STA__DTYPES);
    }
    CU_ASSERT_EQUAL(sta_promote_types(STA_DTYPE_NONE, STA_int8), STA_DTYPE_NONE);
    CU_ASSERT_EQUAL(sta_promote_types((sta_dtype)99, STA_int8), STA_DTYPE_NONE);
}

static void test_facts(void)
{
    CU_ASSERT_EQUAL(sta_itemsize(STA_complex128), 16);
    CU_ASSERT_EQUAL(sta_itemsize((sta_dtype)99), 0);
    CU_ASSERT_STRING_EQUAL(sta_dtype_name(STA_bool), "bool");
    CU_ASSERT_STRING_EQUAL(sta_dtype_name((sta_dtype)-1), "none");
    CU_ASSERT_EQUAL(sta__dtype_complex(STA_float16), STA_complex64);
    CU_ASSERT_EQUAL(sta__dtype_complex(STA_int8), STA_complex128);
    CU_ASSERT_EQUAL(sta__dtype_inexact(STA_bool), STA_float64);
    CU_ASSERT_EQUAL(sta__dtype_inexact(STA_bfloat16), STA_bfloat16);
}

/* Results for operands that are all of one dtype, in the order of dtypes.def; "-" is an error. */
static void test_results(void)
{
    static const struct {
        int op;
        const char *results;
    } cases[] = {
        {STA__OP_add, "bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 c64 c128"},
        {STA__OP_subtract, "- i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 c64 c128"},
        {STA__OP_negative, "- i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 c64 c128"},
        {STA__OP_divide, "f64 f64 f64 f64 f64 f64 f64 f64 f64 f16 bf16 f32 f64 c64 c128"},
        {STA__OP_floor_divide, "i8 i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 - -"},
        {STA__OP_power, "i8 i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 c64 c128"},
        {STA__OP_float_power, "f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 c128 c128"},
        {STA__OP_absolute, "bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 f32 f64"},
        {STA__OP_sin, "f16 f16 f32 f64 f64 f16 f32 f64 f64 f16 bf16 f32 f64 c64 c128"},
        {STA__OP_arctan2, "f16 f16 f32 f64 f64 f16 f32 f64 f64 f16 bf16 f32 f64 - -"},
        {STA__OP_floor, "bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 - -"},
        {STA__OP_gcd, "- i8 i16 i32 i64 u8 u16 u32 u64 - - - - - -"},
        {STA__OP_invert, "bool i8 i16 i32 i64 u8 u16 u32 u64 - - - - - -"},
        {STA__OP_left_shift, "i8 i8 i16 i32 i64 u8 u16 u32 u64 - - - - - -"},
        {STA__OP_signbit, "bool bool bool bool bool bool bool bool bool bool bool bool bool - -"},
        {STA__OP_frexp_exponent, "i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 - -"},
        {STA__OP_nextafter, "f16 f16 f32 f64 f64 f16 f32 f64 f64 f16 bf16 f32 f64 - -"},
    };
    for (int k = 0; k < COUNT(cases); k++) {
        char row[128];
        snprintf(row, sizeof row, "%s", cases[k].results);
        char *word = strtok(row, " ");
        for (int d = 1; d < STA__DTYPES; d++, word = strtok(NULL, " ")) {
            const struct sta__input inputs[3] = {
                {(sta_dtype)d, false, 0}, {(sta_dtype)d, false, 0}, {(sta_dtype)d, false, 0}};
            struct sta__types types;
            const bool good = sta__ufunc_types(cases[k].op, inputs, &types);
            CU_ASSERT_EQUAL(good ? types.result : STA_DTYPE_NONE, named(word));
            CU_ASSERT_TRUE(!good || sta__ufunc_loop(types.op, types.loop));
            CU_ASSERT_TRUE(good || types.code == STA_ERROR_DTYPE);
        }
    }
}

static bool with_weak(int op, sta_dtype dtype, sta_dtype weak, int64_t value, struct sta__types *types)
{
    return sta__ufunc_types(op, (struct sta__input[]){{dtype, false, 0}, {weak, true, value}}, types);
}

static void test_weak_scalars(void)
{
    static const struct {
        sta_dtype dtype, weak, result;
    } cases[] = {
        {STA_uint8, STA_int64, STA_uint8},           {STA_bool, STA_int64, STA_int64},
        {STA_float16, STA_int64, STA_float16},       {STA_int8, STA_float64, STA_float64},
        {STA_float32, STA_float64, STA_float32},     {STA_bfloat16, STA_float64, STA_bfloat16},
        {STA_complex64, STA_float64, STA_complex64}, {STA_float32, STA_complex128, STA_complex64},
        {STA_int8, STA_complex128, STA_complex128},  {STA_int16, STA_bool, STA_int16},
    };
    struct sta__types types;
    for (int k = 0; k < COUNT(cases); k++) {
        CU_ASSERT_TRUE(with_weak(STA__OP_add, cases[k].dtype, cases[k].weak, 1, &types));
        CU_ASSERT_EQUAL(types.result, cases[k].result);
    }
    CU_ASSERT_TRUE(
        sta__ufunc_types(STA__OP_add, (struct sta__input[]){{STA_int64, true, 1}, {STA_float64, true, 0}}, &types));
    CU_ASSERT_EQUAL(types.result, STA_float64);
    CU_ASSERT_TRUE(with_weak(STA__OP_multiply, STA_float16, STA_float64, 0, &types));
    CU_ASSERT_TRUE(types.operand[1] == STA_float16 && types.compute[1] == STA_float32 && types.computed == STA_float32);
}

static void test_weak_integers_must_fit(void)
{
    struct sta__types types;
    CU_ASSERT_FALSE(with_weak(STA__OP_add, STA_uint8, STA_int64, 300, &types));
    CU_ASSERT_EQUAL(types.code, STA_ERROR_VALUE);
    CU_ASSERT_STRING_EQUAL(types.text, "the integer 300 does not fit uint8");
    CU_ASSERT_FALSE(with_weak(STA__OP_add, STA_uint64, STA_int64, -1, &types));
    CU_ASSERT_FALSE(with_weak(STA__OP_add, STA_int8, STA_int64, -129, &types));
    CU_ASSERT_TRUE(with_weak(STA__OP_add, STA_int8, STA_int64, -128, &types));
    CU_ASSERT_TRUE(with_weak(STA__OP_less, STA_uint8, STA_int64, 300, &types));
    CU_ASSERT_EQUAL(types.loop, STA_int64);
    CU_ASSERT_TRUE(with_weak(STA__OP_less, STA_uint64, STA_int64, -1, &types));
    CU_ASSERT_EQUAL(types.op, STA__OP_less_opposed);
    CU_ASSERT_FALSE(with_weak(STA__OP_power, STA_int32, STA_int64, -1, &types));
    CU_ASSERT_TRUE(with_weak(STA__OP_power, STA_float32, STA_int64, -1, &types));
}

static void test_error_texts(void)
{
    struct sta__types types;
    CU_ASSERT_FALSE(
        sta__ufunc_types(STA__OP_subtract, (struct sta__input[]){{STA_bool, false, 0}, {STA_bool, false, 0}}, &types));
    CU_ASSERT_STRING_EQUAL(types.text, "not defined for bool and bool");
    CU_ASSERT_FALSE(sta__ufunc_types(STA__OP_left_shift,
                                     (struct sta__input[]){{STA_uint64, false, 0}, {STA_int8, false, 0}}, &types));
    CU_ASSERT_STRING_EQUAL(types.text, "not defined for uint64 and int8");
    CU_ASSERT_FALSE(sta__ufunc_types(STA__OP_ldexp,
                                     (struct sta__input[]){{STA_float32, false, 0}, {STA_float32, false, 0}}, &types));
    CU_ASSERT_EQUAL(types.code, STA_ERROR_DTYPE);
}

/* ---- casts ---- */

static void test_saturating_casts(void)
{
    const double from[] = {NAN, INFINITY, -INFINITY, -0.9, 1.9, -1.9, 1e30, -1e30};
    for (int d = STA_int8; d <= STA_uint64; d++) {
        const bool has_sign = sta__dtype_kind((sta_dtype)d) == STA__KIND_SIGNED;
        const int bits = 8 * (int)sta_itemsize((sta_dtype)d);
        const uint64_t most = UINT64_MAX >> (64 - bits + (has_sign ? 1 : 0));
        const int64_t least = has_sign ? -(int64_t)most - 1 : 0;
        const int64_t expected[] = {0, (int64_t)most, least, 0, 1, has_sign ? -1 : 0, (int64_t)most, least};
        const sta_dtype sources[] = {STA_float64, STA_float32, STA_bfloat16, STA_complex128};
        for (int s = 0; s < COUNT(sources); s++) {
            char source[sizeof from * 2], narrow[sizeof from];
            int64_t got[COUNT(from)];
            sta__cast_loop(STA_float64, sources[s])(COUNT(from), source, (const void *const[]){from});
            sta__cast_loop(sources[s], (sta_dtype)d)(COUNT(from), narrow, (const void *const[]){source});
            sta__cast_loop((sta_dtype)d, STA_int64)(COUNT(from), got, (const void *const[]){narrow});
            CU_ASSERT_EQUAL(memcmp(got, expected, sizeof expected), 0);
        }
    }
}

static void test_halves_round_trip(void)
{
    static uint16_t all[65536], back[65536];
    static float wide[65536];
    const sta_dtype halves[] = {STA_float16, STA_bfloat16};
    for (int k = 0; k < 65536; k++)
        all[k] = (uint16_t)k;
    for (int h = 0; h < 2; h++) {
        int wrong = 0;
        sta__cast_loop(halves[h], STA_float32)(65536, wide, (const void *const[]){all});
        sta__cast_loop(STA_float32, halves[h])(65536, back, (const void *const[]){wide});
        for (int k = 0; k < 65536; k++)
            wrong +=
                isnan(wide[k]) ? (back[k] | (h ? 0x40 : 0x200)) != (all[k] | (h ? 0x40 : 0x200)) : back[k] != all[k];
        CU_ASSERT_EQUAL(wrong, 0);
    }
}

static void test_halves_round_once(void)
{
    /* Just above the middle of two: float32 would round it to the middle, and that to the lower one. */
    const double from[4] = {1 + 0x1p-11 + 0x1p-40, 1 + 0x1p-11, 65519.999999, 65520};
    uint16_t got[4];
    sta__cast_loop(STA_float64, STA_float16)(4, got, (const void *const[]){from});
    CU_ASSERT_TRUE(got[0] == 0x3c01 && got[1] == 0x3c00 && got[2] == 0x7bff && got[3] == 0x7c00);
    const int32_t integer[2] = {(1 << 24) + (1 << 16) + 1, (1 << 24) + (1 << 16)};
    sta__cast_loop(STA_int32, STA_bfloat16)(2, got, (const void *const[]){integer});
    CU_ASSERT_TRUE(got[0] == 0x4b81 && got[1] == 0x4b80);
}

static void test_casts_to_bool_and_complex(void)
{
    const sta_complex128 from[4] = {{0, -0.}, {0, 2}, {NAN, 0}, {0.25, 0}};
    uint8_t truth[4];
    float real[4];
    sta_complex64 narrow[4];
    sta__cast_loop(STA_complex128, STA_bool)(4, truth, (const void *const[]){from});
    CU_ASSERT_TRUE(truth[0] == 0 && truth[1] == 1 && truth[2] == 1 && truth[3] == 1);
    sta__cast_loop(STA_complex128, STA_float32)(4, real, (const void *const[]){from});
    CU_ASSERT_TRUE(real[0] == 0 && real[1] == 0 && isnan(real[2]) && real[3] == 0.25f);
    sta__cast_loop(STA_bool, STA_complex64)(4, narrow, (const void *const[]){truth});
    CU_ASSERT_TRUE(narrow[0].re == 0 && narrow[3].re == 1 && narrow[3].im == 0);
    CU_ASSERT_PTR_NULL(sta__cast_loop(STA_DTYPE_NONE, STA_bool));
    for (int a = 1; a < STA__DTYPES; a++)
        for (int b = 1; b < STA__DTYPES; b++)
            CU_ASSERT_PTR_NOT_NULL(sta__cast_loop((sta_dtype)a, (sta_dtype)b));
}

#include "each_isa.h"

int main(void)
{
    CU_TestInfo tests[] = {{"promotion", test_promotion},
                           {"facts", test_facts},
                           {"results", test_results},
                           {"weak scalars", test_weak_scalars},
                           {"weak integers must fit", test_weak_integers_must_fit},
                           {"error texts", test_error_texts},
                           {"saturating casts", test_saturating_casts},
                           {"16-bit floats there and back", test_halves_round_trip},
                           {"16-bit floats round once", test_halves_round_once},
                           {"casts to bool and complex", test_casts_to_bool_and_complex},
                           CU_TEST_INFO_NULL};
    return run_on_each_isa(tests);
}
