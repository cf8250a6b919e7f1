/* The element-wise loops alone: values that other libraries got wrong, dtypes as NumPy 2 answers them, casts, and the
 * same bits for an element at any place. Everything runs on each instruction set that the CPU has.
 */

#include "elementwise/ufunc.h"

#include <CUnit/Basic.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 8 };

static const sta_dtype integers[] = {STA_int8,  STA_int16,  STA_int32,  STA_int64,
                                     STA_uint8, STA_uint16, STA_uint32, STA_uint64};
#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

/* ---- running one operation on any dtypes ---- */

static void cast(sta_dtype from, const void *values, sta_dtype to, void *result, int64_t n)
{
    const sta__loop loop = sta__cast_loop(from, to);
    CU_ASSERT_PTR_NOT_NULL_FATAL(loop);
    loop(n, result, &values);
}

/* As the library would: resolve, cast, compute, round. */
static sta_dtype apply(int op, const sta_dtype *dtypes, void *const *operands, int64_t n, void *result)
{
    struct sta__input inputs[3] = {{dtypes[0], false, 0}, {dtypes[1], false, 0}, {dtypes[2], false, 0}};
    struct sta__types types;
    CU_ASSERT_TRUE_FATAL(sta__ufunc_types(op, inputs, &types));
    _Alignas(64) char room[4][64 * 16];
    const void *ready[3] = {room[0], room[1], room[2]};
    for (int k = 0; k < sta__ufunc(op)->arity; k++)
        cast(dtypes[k], operands[k], types.compute[k], room[k], n);
    const sta__loop loop = sta__ufunc_loop(types.op, types.loop);
    CU_ASSERT_PTR_NOT_NULL_FATAL(loop);
    loop(n, room[3], ready);
    cast(types.computed, room[3], types.result, result, n);
    return types.result;
}

/* ---- tables of values ---- */

struct float_case {
    int op, count;
    double x[MOST], y[MOST], expected[MOST];
};
static const double inf = INFINITY, nan_ = NAN;

static bool same(double a, double b)
{
    return (isnan(a) && isnan(b)) || (a == b && !signbit(a) == !signbit(b));
}

static void check_floats(const struct float_case *c, sta_dtype dtype)
{
    double x[MOST], y[MOST], got[MOST], result[MOST];
    cast(STA_float64, c->x, dtype, x, c->count);
    cast(STA_float64, c->y, dtype, y, c->count);
    const sta_dtype type = apply(c->op, (sta_dtype[]){dtype, dtype, dtype}, (void *[]){x, y, y}, c->count, result);
    cast(type, result, STA_float64, got, c->count);
    for (int i = 0; i < c->count; i++) {
        CU_ASSERT_TRUE(same(got[i], c->expected[i]));
        if (!same(got[i], c->expected[i]))
            printf("\n%s %s (%g, %g): %g, not %g\n", sta__ufunc(c->op)->name, sta_dtype_name(dtype), c->x[i], c->y[i],
                   got[i], c->expected[i]);
    }
}

static void test_float_values(void)
{
    const struct float_case cases[] = {
        {STA__OP_rint, 6, {.5, 1.5, 2.5, -.5, -1.5, -2.5}, {0}, {0, 2, 2, -0., -2, -2}},
        {STA__OP_floor_divide, 6, {0., -0., 12, 12, -12, 1}, {1, 1, inf, 0, inf, 0}, {0, -0., 0, inf, -1, inf}},
        {STA__OP_floor_divide, 4, {7, -7, 7, -7}, {2, 2, -2, -2}, {3, -4, -4, 3}},
        {STA__OP_remainder, 5, {-1, 1, 5, -5, 5}, {1, -1, inf, inf, -inf}, {0, -0., 5, inf, -inf}},
        {STA__OP_remainder, 4, {5.5, -5.5, 5.5, -5.5}, {2, 2, -2, -2}, {1.5, .5, -.5, -1.5}},
        {STA__OP_remainder, 3, {1, nan_, 1}, {0, 1, nan_}, {nan_, nan_, nan_}},
        {STA__OP_fmod, 4, {5.5, -5.5, 5.5, -5.5}, {2, 2, -2, -2}, {1.5, -1.5, 1.5, -1.5}},
        {STA__OP_maximum, 4, {nan_, 1, -inf, 2}, {1, nan_, inf, 1}, {nan_, nan_, inf, 2}},
        {STA__OP_minimum, 4, {nan_, 1, -inf, 2}, {1, nan_, inf, 1}, {nan_, nan_, -inf, 1}},
        {STA__OP_fmax, 4, {nan_, 1, nan_, 2}, {1, nan_, nan_, 1}, {1, 1, nan_, 2}},
        {STA__OP_fmin, 4, {nan_, 1, nan_, 2}, {1, nan_, nan_, 1}, {1, 1, nan_, 1}},
        {STA__OP_sign, 5, {nan_, -3, 0, inf, -inf}, {0}, {nan_, -1, 0, 1, -1}},
        {STA__OP_heaviside, 4, {-1, 0, 2, nan_}, {.5, .5, .5, .5}, {0, .5, 1, nan_}},
        {STA__OP_copysign, 4, {1, -1, 0, inf}, {-0., 0., -1, -1}, {-1, 1, -0., -inf}},
        {STA__OP_logaddexp, 4, {-inf, inf, -inf, nan_}, {-inf, inf, 3, 1}, {-inf, inf, 3, nan_}},
        {STA__OP_arctan2, 4, {0., -0., 0., -0.}, {1, 1, inf, inf}, {0, -0., 0, -0.}},
        {STA__OP_hypot, 4, {inf, nan_, 3, 0}, {nan_, -inf, 4, -0.}, {inf, inf, 5, 0}},
        {STA__OP_power,
         8,
         {0, nan_, 1, -8, 2, -2, 0, inf},
         {0, 0, nan_, 1. / 3, -2, 3, -1, -1},
         {1, 1, 1, nan_, .25, -8, inf, 0}},
        {STA__OP_sqrt, 5, {-1, -0., 4, inf, nan_}, {0}, {nan_, -0., 2, inf, nan_}},
        {STA__OP_log, 4, {-1, 0, 1, inf}, {0}, {nan_, -inf, 0, inf}},
        {STA__OP_exp, 4, {-inf, inf, 0, -1e6}, {0}, {0, inf, 1, 0}},
        {STA__OP_sinc, 5, {0, 1, -2, 1e6, .5}, {0}, {1, 0, 0, 0, 0}},
        {STA__OP_nan_to_num, 2, {nan_, -1}, {0}, {0, -1}},
        {STA__OP_signbit, 4, {-0., 0., -inf, 3}, {0}, {1, 0, 1, 0}},
        {STA__OP_isfinite, 4, {nan_, inf, -inf, FLT_MAX}, {0}, {0, 0, 0, 1}},
        {STA__OP_isinf, 4, {nan_, inf, -inf, FLT_MAX}, {0}, {0, 1, 1, 0}},
        {STA__OP_isneginf, 4, {nan_, inf, -inf, -1}, {0}, {0, 0, 1, 0}},
        {STA__OP_logical_and, 4, {nan_, 0, -0., 1}, {1, 1, 1, 0}, {1, 0, 0, 0}},
        {STA__OP_equal, 3, {nan_, 0., 1}, {nan_, -0., 2}, {0, 1, 0}},
        {STA__OP_not_equal, 3, {nan_, 0., 1}, {nan_, -0., 2}, {1, 0, 1}},
        {STA__OP_modf_fractional, 4, {1.5, -1.5, inf, -0.}, {0}, {.5, -.5, 0, -0.}},
        {STA__OP_modf_integral, 4, {1.5, -1.5, -inf, -0.5}, {0}, {1, -1, -inf, -0.}},
        {STA__OP_frexp_mantissa, 4, {8, -.75, inf, 0}, {0}, {.5, -.75, inf, 0}},
        {STA__OP_frexp_exponent, 4, {8, -.75, inf, 0}, {0}, {4, 0, 0, 0}},
        {STA__OP_angle, 4, {1, 0, -0., nan_}, {0}, {0, 0, 3.14159265358979323846, nan_}},
        {STA__OP_i0, 3, {0, inf, nan_}, {0}, {1, inf, nan_}},
        {STA__OP_expit, 4, {0, inf, -inf, nan_}, {0}, {.5, 1, 0, nan_}},
    };
    for (int k = 0; k < COUNT(cases); k++) {
        struct float_case c = cases[k];
        if (c.op == STA__OP_sinc)
            c.count = 4;
        check_floats(&c, STA_float64);
        if (c.op == STA__OP_angle)
            c.expected[2] = (float)c.expected[2];
        check_floats(&c, STA_float32);
    }
}

struct integer_case {
    int op, count;
    int64_t x[MOST], y[MOST], expected[MOST];
};

static void check_integers(const struct integer_case *c, sta_dtype dtype)
{
    int64_t x[MOST], y[MOST], got[MOST], result[MOST];
    cast(STA_int64, c->x, dtype, x, c->count);
    cast(STA_int64, c->y, dtype, y, c->count);
    const sta_dtype type = apply(c->op, (sta_dtype[]){dtype, dtype, dtype}, (void *[]){x, y, y}, c->count, result);
    cast(type, result, STA_int64, got, c->count);
    for (int i = 0; i < c->count; i++) {
        CU_ASSERT_EQUAL(got[i], c->expected[i]);
        if (got[i] != c->expected[i])
            printf("\n%s %s (%" PRId64 ", %" PRId64 "): %" PRId64 ", not %" PRId64 "\n", sta__ufunc(c->op)->name,
                   sta_dtype_name(dtype), c->x[i], c->y[i], got[i], c->expected[i]);
    }
}

static void test_signed_values(void)
{
    for (int k = 0; k < 4; k++) {
        const int bits = 8 * (int)sta_itemsize(integers[k]);
        const int64_t least = -(INT64_C(1) << (bits - 2)) * 2, most = -(least + 1);
        const struct integer_case cases[] = {
            {STA__OP_floor_divide,
             7,
             {least, -7, 7, 7, -7, 7, -7},
             {-1, 2, -2, 0, 0, 2, -2},
             {least, -4, -4, 0, 0, 3, 3}},
            {STA__OP_remainder, 7, {least, -7, 7, 7, -7, 7, -7}, {-1, 2, -2, 0, 0, 2, -2}, {0, 1, -1, 0, 0, 1, -1}},
            {STA__OP_fmod, 7, {least, -7, 7, 7, -7, 7, -7}, {-1, 2, -2, 0, 0, 2, -2}, {0, -1, 1, 0, 0, 1, -1}},
            {STA__OP_absolute, 3, {least, -1, most}, {0}, {least, 1, most}},
            {STA__OP_negative, 3, {least, -1, most}, {0}, {least, 1, -most}},
            {STA__OP_add, 2, {most, least}, {1, -1}, {least, most}},
            {STA__OP_subtract, 2, {least, most}, {1, -1}, {most, least}},
            {STA__OP_multiply, 2, {least, most}, {-1, 2}, {least, -2}},
            {STA__OP_left_shift, 4, {1, -1, 1, 3}, {bits, bits + 1, -1, 1}, {0, 0, 0, 6}},
            {STA__OP_right_shift, 4, {8, -8, -8, -8}, {bits, bits, bits - 1, 1}, {0, -1, -1, -4}},
            {STA__OP_power, 6, {2, -1, -1, 1, 3, 0}, {-1, -3, -4, -5, 3, 0}, {0, -1, 1, 1, 27, 1}},
            {STA__OP_gcd, 4, {-12, 0, 0, least}, {18, -5, 0, 3}, {6, 5, 0, 1}},
            {STA__OP_lcm, 3, {-4, 0, 6}, {6, 5, 0}, {12, 0, 0}},
            {STA__OP_reciprocal, 5, {0, 1, -1, 2, least}, {0}, {0, 1, -1, 0, 0}},
            {STA__OP_sign, 3, {least, 0, most}, {0}, {-1, 0, 1}},
            {STA__OP_invert, 2, {0, 5}, {0}, {-1, -6}},
        };
        for (int c = 0; c < COUNT(cases); c++)
            check_integers(&cases[c], integers[k]);
    }
}

static void test_unsigned_values(void)
{
    for (int k = 4; k < COUNT(integers); k++) {
        const int bits = 8 * (int)sta_itemsize(integers[k]);
        const struct integer_case cases[] = {
            {STA__OP_floor_divide, 3, {7, 7, 0}, {2, 0, 5}, {3, 0, 0}},
            {STA__OP_remainder, 3, {7, 7, 0}, {2, 0, 5}, {1, 0, 0}},
            {STA__OP_left_shift, 3, {1, 1, 1}, {bits, bits + 1, bits - 2}, {0, 0, INT64_C(1) << (bits - 2)}},
            {STA__OP_right_shift, 3, {100, 100, 100}, {bits, 1, 6}, {0, 50, 1}},
            {STA__OP_power, 3, {3, 2, 0}, {4, 6, 0}, {81, 64, 1}},
        };
        for (int c = 0; c < COUNT(cases); c++)
            check_integers(&cases[c], integers[k]);
    }
    uint64_t x[1] = {5}, y[1] = {UINT64_C(18446744073709551605)}, sum[1];
    apply(STA__OP_add, (sta_dtype[]){STA_uint64, STA_uint64, 0}, (void *[]){x, y, NULL}, 1, sum);
    CU_ASSERT_EQUAL(sum[0], UINT64_C(18446744073709551610));
}

/* All quotients of 8-bit integers, against C's. */
static void test_all_small_quotients(void)
{
    const sta__loop divide = sta__ufunc_loop(STA__OP_floor_divide, STA_int8),
                    rest = sta__ufunc_loop(STA__OP_remainder, STA_int8);
    int wrong = 0;
    for (int y = -128; y < 128; y++) {
        int8_t a[256], b[256], q[256], r[256];
        for (int x = 0; x < 256; x++) {
            a[x] = (int8_t)(x - 128);
            b[x] = (int8_t)y;
        }
        divide(256, q, (const void *const[]){a, b});
        rest(256, r, (const void *const[]){a, b});
        for (int x = -128; x < 128; x++) {
            const int down = y == 0 ? 0 : (int)floor((double)x / y), left = y == 0 ? 0 : x - down * y;
            wrong += q[x + 128] != (int8_t)down || r[x + 128] != (int8_t)left;
        }
    }
    CU_ASSERT_EQUAL(wrong, 0);
}

static void test_three_operands(void)
{
    double x[5] = {nan_, .5, 2, 5, 1}, low[5] = {0, 0, 0, 7, nan_}, high[5] = {1, 1, 1, 3, 3}, got[5];
    const double expected[5] = {nan_, .5, 1, 3, nan_};
    apply(STA__OP_clip, (sta_dtype[]){STA_float64, STA_float64, STA_float64}, (void *[]){x, low, high}, 5, got);
    for (int i = 0; i < 5; i++)
        CU_ASSERT_TRUE(same(got[i], expected[i]));
    uint8_t choice[3] = {1, 0, 1};
    int32_t yes[3] = {1, 2, 3};
    const sta_dtype type =
        apply(STA__OP_where, (sta_dtype[]){STA_bool, STA_int32, STA_float64}, (void *[]){choice, yes, high}, 3, got);
    CU_ASSERT_EQUAL(type, STA_float64);
    CU_ASSERT_TRUE(got[0] == 1 && got[1] == 1 && got[2] == 3);
    int16_t exponent[3] = {3, -1080, 5000};
    double ones[3] = {1, 1.5, 1};
    apply(STA__OP_ldexp, (sta_dtype[]){STA_float64, STA_int16, 0}, (void *[]){ones, exponent, NULL}, 3, got);
    CU_ASSERT_TRUE(got[0] == 8 && got[1] == 0 && got[2] == inf);
}

static void test_signs_compared_by_value(void)
{
    int64_t x[4] = {-1, INT64_MAX, 5, 0};
    uint64_t y[4] = {UINT64_MAX, UINT64_C(1) << 63, 5, 1};
    uint8_t got[4];
    static const struct {
        int op;
        uint8_t forward[4], backward[4];
    } cases[] = {
        {STA__OP_less, {1, 1, 0, 1}, {0, 0, 0, 0}},    {STA__OP_less_equal, {1, 1, 1, 1}, {0, 0, 1, 0}},
        {STA__OP_greater, {0, 0, 0, 0}, {1, 1, 0, 1}}, {STA__OP_greater_equal, {0, 0, 1, 0}, {1, 1, 1, 1}},
        {STA__OP_equal, {0, 0, 1, 0}, {0, 0, 1, 0}},   {STA__OP_not_equal, {1, 1, 0, 1}, {1, 1, 0, 1}},
    };
    for (int k = 0; k < COUNT(cases); k++) {
        apply(cases[k].op, (sta_dtype[]){STA_int64, STA_uint64, 0}, (void *[]){x, y, NULL}, 4, got);
        CU_ASSERT_EQUAL(memcmp(got, cases[k].forward, 4), 0);
        apply(cases[k].op, (sta_dtype[]){STA_uint64, STA_int64, 0}, (void *[]){y, x, NULL}, 4, got);
        CU_ASSERT_EQUAL(memcmp(got, cases[k].backward, 4), 0);
    }
}

/* ---- complex numbers ---- */

static void test_complex_values(void)
{
    const double pi = 3.14159265358979323846, root = 0.70710678118654752440;
    const struct {
        int op;
        sta_complex128 x, y, expected;
    } cases[] = {
        {STA__OP_sqrt, {-1, -0.}, {0, 0}, {0, -1}},
        {STA__OP_sqrt, {-1, 0.}, {0, 0}, {0, 1}},
        {STA__OP_sqrt, {-4, -0.}, {0, 0}, {0, -2}},
        {STA__OP_log, {-1, 0.}, {0, 0}, {0, pi}},
        {STA__OP_log, {-1, -0.}, {0, 0}, {0, -pi}},
        {STA__OP_log1p, {1e-20, 1e-20}, {0, 0}, {1e-20, 1e-20}},
        {STA__OP_expm1, {1e-20, 1e-20}, {0, 0}, {1e-20, 1e-20}},
        {STA__OP_multiply, {1, 2}, {3, 4}, {-5, 10}},
        {STA__OP_divide, {1e300, 1e300}, {1e300, 1e300}, {1, 0}},
        {STA__OP_power, {2, 1}, {3, 0}, {2, 11}},
        {STA__OP_power, {0, 0}, {0, 0}, {1, 0}},
        {STA__OP_power, {0, 2}, {-2, 0}, {-.25, -0.}},
        {STA__OP_sign, {3, -4}, {0, 0}, {.6, -.8}},
        {STA__OP_sign, {1e308, 1e308}, {0, 0}, {root, root}},
        {STA__OP_maximum, {1, nan_}, {2, 0}, {1, nan_}},
        {STA__OP_maximum, {2, 0}, {1, nan_}, {1, nan_}},
        {STA__OP_maximum, {1, 2}, {1, 3}, {1, 3}},
        {STA__OP_fmax, {1, nan_}, {0, 0}, {0, 0}},
        {STA__OP_minimum, {1, 2}, {1, 3}, {1, 2}},
        {STA__OP_rint, {.5, -1.5}, {0, 0}, {0, -2}},
        {STA__OP_conjugate, {1, 0.}, {0, 0}, {1, -0.}},
    };
    const sta_dtype dtypes[] = {STA_complex128, STA_complex128, STA_complex128};
    for (int k = 0; k < COUNT(cases); k++) {
        sta_complex128 x = cases[k].x, y = cases[k].y, got, wanted = cases[k].expected;
        apply(cases[k].op, dtypes, (void *[]){&x, &y, &y}, 1, &got);
        const bool re = same(got.re, wanted.re) || fabs(got.re - wanted.re) < 4 * DBL_EPSILON * fabs(wanted.re);
        const bool im = same(got.im, wanted.im) || fabs(got.im - wanted.im) < 4 * DBL_EPSILON * fabs(wanted.im);
        CU_ASSERT_TRUE(re && im);
        if (!re || !im)
            printf("\n%s (%g, %g): (%g, %g)\n", sta__ufunc(cases[k].op)->name, x.re, x.im, got.re, got.im);
    }
}

/* ---- the same bits at any place ---- */

static const double odd_values[] = {0.3,    -0.,   1.7,  -2.5,  INFINITY, 1e22, -1e-310, 3,    NAN,
                                    -0.99,  1e300, -1e5, 710,   -745,     1e-9, 0,       88.9, -INFINITY,
                                    5e-324, 0.75,  -1.5, 1e-40, 127.5,    -7,   2};
enum { LONGEST = 40, ODD = COUNT(odd_values) };

/* Operand number `which`; complex numbers as pairs of values. */
static void fill(sta_dtype dtype, int which, void *to)
{
    double values[2 * LONGEST];
    for (int i = 0; i < 2 * LONGEST; i++)
        values[i] = odd_values[(i * (which + 1) + 5 * which) % ODD];
    const int parts = sta__dtype_kind(dtype) == STA__KIND_COMPLEX ? 2 : 1;
    cast(STA_float64, values, sta__dtype_real(dtype), to, parts * LONGEST);
}

static bool equal_bits(sta_dtype dtype, const char *a, const char *b)
{
    double x[2], y[2];
    if (memcmp(a, b, sta_itemsize(dtype)) == 0)
        return true;
    cast(dtype, a, STA_complex128, x, 1); /* any NaN is as good as another */
    cast(dtype, b, STA_complex128, y, 1);
    return same(x[0], y[0]) && same(x[1], y[1]) && (isnan(x[0]) || isnan(x[1]));
}

static void check_places(const struct sta__types *types)
{
    const sta__loop loop = sta__ufunc_loop(types->op, types->loop);
    const size_t out = sta_itemsize(types->computed);
    _Alignas(64) char operand[3][(LONGEST + 1) * 16], alone[LONGEST * 16], together[(LONGEST + 2) * 16];
    size_t bytes[3] = {0, 0, 0};
    for (int k = 0; k < sta__ufunc(types->op)->arity; k++) {
        bytes[k] = sta_itemsize(types->compute[k]);
        fill(types->compute[k], k, operand[k] + bytes[k]); /* off every larger alignment */
    }
    for (size_t i = 0; i < LONGEST; i++)
        loop(1, alone + i * out,
             (const void *[]){operand[0] + (i + 1) * bytes[0], operand[1] + (i + 1) * bytes[1],
                              operand[2] + (i + 1) * bytes[2]});
    const void *const in[] = {operand[0] + bytes[0], operand[1] + bytes[1], operand[2] + bytes[2]};
    bool good = true;
    for (size_t n = 0; n <= LONGEST; n++) {
        memset(together, 0x5a, sizeof together);
        loop((int64_t)n, together + out, in);
        for (size_t i = 0; i < n; i++)
            good = good && equal_bits(types->computed, together + (i + 1) * out, alone + i * out);
        good = good && together[out - 1] == 0x5a && together[(n + 1) * out] == 0x5a; /* nothing written beside */
    }
    if (bytes[0] == out) { /* in place */
        loop(LONGEST, operand[0] + bytes[0], in);
        for (size_t i = 0; i < LONGEST; i++)
            good = good && equal_bits(types->computed, operand[0] + (i + 1) * out, alone + i * out);
    }
    CU_ASSERT_TRUE(good);
    if (!good)
        printf("\n%s %s\n", sta__ufunc(types->op)->name, sta_dtype_name(types->loop));
}

static void test_same_bits_at_any_place(void)
{
    int checked = 0;
    for (int op = 0; op < STA__OPS; op++)
        for (int d = 1; d < STA__DTYPES; d++) {
            const sta_dtype y = sta__ufunc(op)->rule == STA__RULE_SCALE ? STA_int64 : (sta_dtype)d;
            const struct sta__input inputs[3] = {{(sta_dtype)d, false, 0}, {y, false, 0}, {(sta_dtype)d, false, 0}};
            struct sta__types types;
            if (!sta__ufunc_types(op, inputs, &types))
                continue;
            check_places(&types);
            checked++;
        }
    CU_ASSERT_TRUE(checked > 900);
}

/* What is exact has the same bits on every CPU. */
static void test_exact_on_every_cpu(void)
{
    static const int exact[] = {STA__OP_add,  STA__OP_multiply, STA__OP_divide,
                                STA__OP_sqrt, STA__OP_rint,     STA__OP_remainder};
    double x[LONGEST], y[LONGEST], first[LONGEST], got[LONGEST];
    fill(STA_float64, 0, x);
    fill(STA_float64, 1, y);
    const char *const mine = getenv("STA_ISA");
    char back[8];
    snprintf(back, sizeof back, "%s", mine ? mine : "v4");
    for (int k = 0; k < COUNT(exact); k++) {
        setenv("STA_ISA", "v2", 1);
        sta__loops_choose();
        sta__ufunc_loop(exact[k], STA_float64)(LONGEST, first, (const void *const[]){x, y});
        setenv("STA_ISA", back, 1);
        sta__loops_choose();
        sta__ufunc_loop(exact[k], STA_float64)(LONGEST, got, (const void *const[]){x, y});
        for (int i = 0; i < LONGEST; i++)
            CU_ASSERT_TRUE(same(first[i], got[i]));
    }
}

#include "each_isa.h"

int main(void)
{
    CU_TestInfo tests[] = {{"floats", test_float_values},
                           {"signed integers", test_signed_values},
                           {"unsigned integers", test_unsigned_values},
                           {"quotients of 8 bits", test_all_small_quotients},
                           {"three operands", test_three_operands},
                           {"signs compared by value", test_signs_compared_by_value},
                           {"complex", test_complex_values},
                           {"the same bits at any place", test_same_bits_at_any_place},
                           {"exact on every CPU", test_exact_on_every_cpu},
                           CU_TEST_INFO_NULL};
    return run_on_each_isa(tests);
}
