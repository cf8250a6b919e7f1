/* Element-wise functions: values that other libraries got wrong, weak scalars, errors, writing into arrays, and the functions
 * made of several. What NumPy answers for all dtypes is in ufuncs.c. ctest: tiny here omp gpu sanitize */
#include "sta_test.h"

#include "internal.h"
#include "submit.h"

#include <CUnit/CUnit.h>
#include <float.h>
#include <math.h>
#include <starpu.h>
#include <stdio.h>
#include <string.h>

#define COUNT(...) ((int64_t)(sizeof((double[]){__VA_ARGS__}) / sizeof(double)))
#define DOUBLES(...) sta_test_array(STA_float64, STA_DIMS(COUNT(__VA_ARGS__)), (double[]){__VA_ARGS__})
#define GIVES(x, ...) STA_ASSERT_EQUAL(x, STA_float64, STA_DIMS(COUNT(__VA_ARGS__)), ((double[]){__VA_ARGS__}))
#define TRUTHS(x, ...) STA_ASSERT_EQUAL(x, STA_bool, STA_DIMS(COUNT(__VA_ARGS__)), ((uint8_t[]){__VA_ARGS__}))
#define COMPLEXES(...) sta_test_array(STA_complex128, STA_DIMS(COUNT(__VA_ARGS__) / 2), (double[]){__VA_ARGS__})

/* Integers of any dtype, written as int64. */
static sta_array integers(sta_dtype dtype, int64_t count, const int64_t *values)
{
    return sta_astype(sta_test_array(STA_int64, STA_DIMS(count), values), dtype);
}
#define INTEGERS(dtype, ...) integers(dtype, COUNT(__VA_ARGS__), (int64_t[]){__VA_ARGS__})
#define GIVES_INTEGERS(x, dtype, ...)                                                                                  \
    do {                                                                                                               \
        sta_array y = x;                                                                                               \
        CU_ASSERT_EQUAL(sta_dtype_of(y), dtype);                                                                       \
        STA_ASSERT_EQUAL(sta_astype(y, STA_int64), STA_int64, STA_DIMS(COUNT(__VA_ARGS__)),                            \
                         ((int64_t[]){__VA_ARGS__}));                                                                  \
    } while (0)

/* ---- values ---- */

static void rounds_to_even(void)
{
    sta_array x = DOUBLES(.5, 1.5, 2.5, -.5, -1.5, -2.5);
    GIVES(sta_rint(x), 0, 2, 2, -0., -2, -2);
    GIVES(sta_round(x, 0), 0, 2, 2, -0., -2, -2);
}

static void integer_division(void)
{
    static const struct {
        sta_dtype dtype;
        int64_t least;
    } rows[] = {{STA_int8, INT8_MIN}, {STA_int16, INT16_MIN}, {STA_int32, INT32_MIN}, {STA_int64, INT64_MIN}};
    for (int r = 0; r < 4; r++) {
        const int64_t least = rows[r].least;
        const sta_dtype d = rows[r].dtype;
        sta_array a = INTEGERS(d, least, -7, 7, 7, -7, 0), b = INTEGERS(d, -1, 2, -2, 0, 0, 0);
        GIVES_INTEGERS(sta_floor_divide(a, b), d, least, -4, -4, 0, 0, 0);
        GIVES_INTEGERS(sta_remainder(a, b), d, 0, 1, -1, 0, 0, 0);
        GIVES_INTEGERS(sta_fmod(a, b), d, 0, -1, 1, 0, 0, 0);
        GIVES_INTEGERS(sta_absolute(a), d, least, 7, 7, 7, 7, 0);
        GIVES_INTEGERS(sta_negative(a), d, least, 7, -7, -7, 7, 0);
        sta_divmod_result both = sta_divmod(a, b);
        GIVES_INTEGERS(both.quotient, d, least, -4, -4, 0, 0, 0);
        GIVES_INTEGERS(both.remainder, d, 0, 1, -1, 0, 0, 0);
    }
}

static void float_division(void)
{
    sta_array a = DOUBLES(0., -0., 12, 12, -12, 1), b = DOUBLES(1, 1, INFINITY, 0, INFINITY, 0);
    GIVES(sta_floor_divide(a, b), 0, -0., 0, INFINITY, -1, INFINITY);
    sta_array c = DOUBLES(-1, 1, 5, -5, 5), d = DOUBLES(1, -1, INFINITY, INFINITY, -INFINITY);
    GIVES(sta_remainder(c, d), 0., -0., 5, INFINITY, -INFINITY);
    GIVES(sta_remainder(DOUBLES(5.5, -5.5, 5.5, -5.5), DOUBLES(2, 2, -2, -2)), 1.5, .5, -.5, -1.5);
    GIVES(sta_divmod(c, d).remainder, 0., -0., 5, INFINITY, -INFINITY);
    GIVES(sta_floor_divide(DOUBLES(7, -7, 7, -7), DOUBLES(2, 2, -2, -2)), 3, -4, -4, 3);
}

static void shifts(void)
{
    GIVES_INTEGERS(sta_left_shift(INTEGERS(STA_int32, 1, 8, -1), INTEGERS(STA_int32, 32, 33, 100)), STA_int32, 0, 0, 0);
    GIVES_INTEGERS(sta_right_shift(INTEGERS(STA_int32, 8, -8, -8), INTEGERS(STA_int32, 32, 32, 31)), STA_int32, 0, -1,
                   -1);
    GIVES_INTEGERS(sta_right_shift(INTEGERS(STA_uint8, 255), sta_int(8)), STA_uint8, 0);
    GIVES_INTEGERS(sta_left_shift(INTEGERS(STA_int64, 1, 1), INTEGERS(STA_int64, -1, 63)), STA_int64, 0, INT64_MIN);
    for (int64_t n = 1; n <= 40; n++) {
        static const uint64_t zeros[40];
        sta_array x = sta_left_shift(sta_arange_int(0, n, 1, STA_uint64), sta_int(64));
        STA_ASSERT_EQUAL(x, STA_uint64, STA_DIMS(n), zeros);
    }
}

static void not_a_number(void)
{
    sta_array x = DOUBLES(NAN, -1, 0, 1), one = sta_float(1), nan = sta_float(NAN);
    GIVES(sta_maximum(x, one), NAN, 1, 1, 1);
    GIVES(sta_maximum(one, x), NAN, 1, 1, 1);
    GIVES(sta_minimum(x, one), NAN, -1, 0, 1);
    GIVES(sta_maximum(x, nan), NAN, NAN, NAN, NAN);
    GIVES(sta_fmax(x, one), 1, 1, 1, 1);
    GIVES(sta_fmin(one, x), 1, -1, 0, 1);
    GIVES(sta_fmax(x, nan), NAN, -1, 0, 1);
    GIVES(sta_sign(x), NAN, -1, 0, 1);
}

static void clips(void)
{
    GIVES(sta_clip(DOUBLES(NAN, .5, 2), sta_int(0), sta_int(1)), NAN, .5, 1);
    GIVES(sta_clip(DOUBLES(NAN, 1, 5), sta_int(0), sta_int(3)), NAN, 1, 3);
    GIVES(sta_clip(DOUBLES(1, 5), sta_float(NAN), sta_int(3)), NAN, NAN);
    GIVES(sta_clip(DOUBLES(1, 5), sta_int(0), sta_float(NAN)), NAN, NAN);
    GIVES_INTEGERS(sta_clip(sta_arange_int(0, 10, 1, STA_int64), sta_int(7), sta_int(3)), STA_int64, 3, 3, 3, 3, 3, 3,
                   3, 3, 3, 3);
    GIVES_INTEGERS(sta_clip(INTEGERS(STA_uint8, 0, 100, 255), sta_int(-7), sta_int(1000)), STA_uint8, 0, 100, 255);
    STA_ASSERT_ERROR(sta_clip(INTEGERS(STA_uint8, 0), sta_int(300), sta_int(1000)), STA_ERROR_VALUE);
}

/* The sign of a zero picks the side of the cut. */
static void branch_cuts(void)
{
    const double pi = 3.14159265358979323846;
    sta_array x = COMPLEXES(-1, -0., -2, -0., -4, -0., -1, 0.);
    STA_ASSERT_CLOSE(sta_sqrt(x), STA_complex128, STA_DIMS(4), ((double[]){0, -1, 0, -sqrt(2), 0, -2, 0, 1}),
                     STA_ULP(1));
    STA_ASSERT_CLOSE(sta_log(COMPLEXES(-1, 0., -1, -0.)), STA_complex128, STA_DIMS(2), ((double[]){0, pi, 0, -pi}),
                     STA_ULP(1));
    sta_array f = sta_test_array(STA_complex64, STA_DIMS(1), (float[]){-0.F, -1e20F});
    STA_ASSERT_CLOSE(sta_sqrt(f), STA_complex64, STA_DIMS(1), ((float[]){7.0710676e9F, -7.0710676e9F}), STA_ULP(2));
    STA_ASSERT_CLOSE(sta_sqrt(COMPLEXES(-1e20, -4988429.2)), STA_complex128, STA_DIMS(1),
                     ((double[]){2.4942146e-4, -1e10}), STA_NEAR(1e-8, 0));
}

static void large_unsigned(void)
{
    sta_array x = sta_test_array(STA_uint64, STA_DIMS(2), (uint64_t[]){5, UINT64_MAX});
    sta_array y = sta_test_array(STA_uint64, STA_SCALAR, &(uint64_t){UINT64_C(18446744073709551605)});
    STA_ASSERT_EQUAL(sta_add(x, y), STA_uint64, STA_DIMS(2),
                     ((uint64_t[]){UINT64_C(18446744073709551610), UINT64_MAX - 11}));
    sta_array i = INTEGERS(STA_int64, 5, -1);
    TRUTHS(sta_equal(x, i), 1, 0);
    TRUTHS(sta_greater(x, i), 0, 1);
    TRUTHS(sta_less(i, x), 0, 1);
    TRUTHS(sta_greater(x, sta_int(-1)), 1, 1);
}

/* ---- weak scalars, errors ---- */

static void weak_scalars(void)
{
    sta_array f = sta_ones(STA_DIMS(2), STA_float32), u = sta_ones(STA_DIMS(2), STA_uint8),
              b = sta_ones(STA_DIMS(2), STA_bool);
    CU_ASSERT_EQUAL(sta_dtype_of(sta_add(f, sta_float(1e300))), STA_float32);
    STA_ASSERT_EQUAL(sta_add(f, sta_float(1e300)), STA_float32, STA_DIMS(2), ((float[]){INFINITY, INFINITY}));
    CU_ASSERT_EQUAL(sta_dtype_of(sta_add(f, sta_complex(0, 1))), STA_complex64);
    CU_ASSERT_EQUAL(sta_dtype_of(sta_add(u, sta_float(1))), STA_float64);
    CU_ASSERT_EQUAL(sta_dtype_of(sta_add(b, sta_int(1))), STA_int64);
    GIVES_INTEGERS(sta_add(u, sta_int(255)), STA_uint8, 0, 0);
    STA_ASSERT_ERROR(sta_add(u, sta_int(256)), STA_ERROR_VALUE);
    STA_ASSERT_ERROR(sta_add(sta_int(-1), u), STA_ERROR_VALUE);
    STA_ASSERT_TEXT(sta_check(sta_multiply(u, sta_int(-1)))->text, "the integer -1 does not fit uint8");
    TRUTHS(sta_less(u, sta_int(256)), 1, 1); /* comparisons are by value */
    STA_ASSERT_ERROR(sta_power(INTEGERS(STA_int32, 2), sta_int(-1)), STA_ERROR_VALUE);
    STA_ASSERT_EQUAL(sta_add(sta_int(2), sta_int(3)), STA_int64, STA_SCALAR, &(int64_t){5});
    STA_ASSERT_EQUAL(sta_divide(sta_int(1), sta_int(4)), STA_float64, STA_SCALAR, &(double){0.25});
}

static void errors(void)
{
    sta_array x = sta_ones(STA_DIMS(2, 3), STA_float64), y = sta_ones(STA_DIMS(2, 4), STA_float64),
              freed = sta_ones(STA_DIMS(2), STA_int8);
    sta_free(freed);
    STA_ASSERT_ERROR(sta_add(x, y), STA_ERROR_SHAPE);
    STA_ASSERT_TEXT(sta_check(sta_add(x, y))->op, "add");
    STA_ASSERT_TEXT(sta_check(sta_add(x, y))->text, "shapes (2, 3) and (2, 4) do not broadcast");
    STA_ASSERT_ERROR(sta_bitwise_and(x, x), STA_ERROR_DTYPE);
    STA_ASSERT_TEXT(sta_check(sta_bitwise_and(x, sta_int(1)))->text, "not defined for float64 and int64");
    STA_ASSERT_ERROR(sta_sin(freed), STA_ERROR_INVALID_ARRAY);
    STA_ASSERT_ERROR(sta_where(x, x, (sta_array){0}), STA_ERROR_INVALID_ARRAY);
    STA_ASSERT_ERROR(sta_sin(sta_add(sta_add(x, y), freed)), STA_ERROR_SHAPE); /* the first one stays */
    STA_ASSERT_TEXT(sta_check(sta_divmod(x, y).remainder)->op, "divmod");
    STA_ASSERT_ERROR(sta_divmod(x, sta_complex(0, 1)).quotient, STA_ERROR_DTYPE);
    STA_ASSERT_ERROR(sta_modf(freed).fractional, STA_ERROR_INVALID_ARRAY);
    STA_ASSERT_ERROR(sta_isclose(x, y, NULL), STA_ERROR_SHAPE);
    STA_ASSERT_ERROR(sta_allclose(x, freed, NULL), STA_ERROR_INVALID_ARRAY);
    STA_ASSERT_TEXT(sta_check(sta_allclose(x, y, NULL))->op, "allclose");
    STA_ASSERT_ERROR(sta_array_equal(x, freed, 0), STA_ERROR_INVALID_ARRAY);
    STA_ASSERT_ERROR(sta_round(sta_equal(x, x), 1), STA_ERROR_DTYPE);
    STA_ASSERT_ERROR(sta_real(freed), STA_ERROR_INVALID_ARRAY);
}

static void empty(void)
{
    sta_array none = sta_ones(STA_DIMS(0), STA_float32), column = sta_ones(STA_DIMS(3, 1), STA_float32);
    STA_ASSERT_SHAPE(sta_add(column, none), STA_DIMS(3, 0));
    STA_ASSERT_ERROR(sta_add(sta_ones(STA_DIMS(3), STA_float32), none), STA_ERROR_SHAPE);
    STA_ASSERT_EQUAL(sta_allclose(none, none, NULL), STA_bool, STA_SCALAR, &(uint8_t){1});
    STA_ASSERT_SHAPE(sta_frexp(none).exponent, STA_DIMS(0));
    STA_ASSERT_SHAPE(sta_round(none, 2), STA_DIMS(0));
}

/* ---- writing ---- */

static void into(void)
{
    sta_array x = DOUBLES(1.9, -1.9, NAN, 300), bytes = sta_zeros(STA_DIMS(4), STA_uint8),
              n = sta_arange_int(0, 6, 1, STA_int64);
    GIVES_INTEGERS(sta_positive_into(bytes, x), STA_uint8, 1, 0, 0, 255); /* truncated, saturated */
    sta_add_into(sta_slice(n, "1:"), sta_slice(n, "1:"), sta_slice(n, ":-1"));
    GIVES_INTEGERS(n, STA_int64, 0, 1, 3, 5, 7, 9); /* all of it is read first */
    sta_array square = sta_test_array(STA_float64, STA_DIMS(2, 2), (double[]){1, 2, 3, 4});
    sta_add_into(square, square, sta_transpose(square, STA_ALL));
    STA_ASSERT_EQUAL(square, STA_float64, STA_DIMS(2, 2), ((double[]){2, 5, 5, 8}));
    sta_array rows = sta_test_array(STA_float64, STA_DIMS(3, 3), (double[]){2, 4, 8, 1, 1, 1, 4, 4, 4});
    sta_divide_into(rows, rows, sta_slice(rows, "0"));
    STA_ASSERT_EQUAL(rows, STA_float64, STA_DIMS(3, 3), ((double[]){1, 1, 1, .5, .25, .125, 2, 1, .5}));
    STA_ASSERT_ERROR(sta_add_into(sta_broadcast_to(sta_ones(STA_DIMS(1), STA_float32), STA_DIMS(10)), x, x),
                     STA_ERROR_READ_ONLY);
    sta_array small = sta_zeros(STA_DIMS(2), STA_float64);
    STA_ASSERT_ERROR(sta_add_into(small, x, x), STA_ERROR_SHAPE);
}

static void overlapping(void)
{
    enum { N = 100 };
    static double expected[N * N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            expected[i * N + j] = (N + 1) * (i + j);
    const bool tiny = sta__runtime.settings.tile_elements;
    const int64_t n = tiny ? 10 : N;
    sta_array h =
        sta_slice(sta_add(sta_expand_dims(sta_arange(0, N, 1, STA_float64), STA_AXES(0)),
                          sta_expand_dims(sta_multiply(sta_arange(0, N, 1, STA_float64), sta_int(N)), STA_AXES(1))),
                  ":%d, :%d", (int)n, (int)n);
    h = sta_copy(h);
    sta_add_into(h, h, sta_transpose(h, STA_ALL));
    if (!tiny)
        STA_ASSERT_EQUAL(h, STA_float64, STA_DIMS(N, N), expected);
    STA_ASSERT_EQUAL(sta_array_equal(h, sta_transpose(h, STA_ALL), 0), STA_bool, STA_SCALAR, &(uint8_t){1});
    const int64_t length = tiny ? 100 : 20000;
    sta_array ones = sta_copy(sta_ones(STA_DIMS(length), STA_float64));
    sta_add_into(sta_slice(ones, "1:"), sta_slice(ones, "1:"), sta_slice(ones, ":-1"));
    sta_multiply_into(sta_slice(ones, "1:"), sta_slice(ones, "1:"), sta_float(.5));
    STA_ASSERT_EQUAL(sta_all(sta_equal(ones, sta_int(1)), STA_ALL, 0), STA_bool, STA_SCALAR, &(uint8_t){1});
}

/* ---- functions made of several ---- */

static void rounding(void)
{
    const struct sta_oracle *oracle =
        sta_test_oracle("eval", "import ufunc_cases; globals().update(ufunc_cases.rounded(rng))");
    for (size_t k = 0; oracle && k < sta_oracle_count(oracle); k++) {
        const struct sta_record *x = sta_oracle_at(oracle, k);
        int decimals;
        char letter;
        if (sscanf(strchr(x->name, '/'), "/%d/%c", &decimals, &letter) == 2 && letter == 'x')
            STA_ASSERT_RECORD(sta_round(sta_test_record_array(x), decimals), sta_oracle_at(oracle, k + 1), STA_EXACT);
    }
}

static void degrees(void)
{
    const struct sta_oracle *oracle = sta_test_oracle(
        "eval",
        "z = np.array([1 + 1j, -2, -1j, 0.5 - 3j]); d = np.angle(z, deg=True); r = np.array([-1, 0, 2], \"f4\");"
        "e = np.angle(r, deg=True)");
    if (!oracle)
        return;
    STA_ASSERT_RECORD(sta_angle_deg(sta_test_record_array(sta_oracle_find(oracle, "z"))), sta_oracle_find(oracle, "d"),
                      STA_NEAR(1e-15, 0));
    STA_ASSERT_RECORD(sta_angle_deg(sta_test_record_array(sta_oracle_find(oracle, "r"))), sta_oracle_find(oracle, "e"),
                      STA_NEAR(1e-6, 0));
}

static void closeness(void)
{
    sta_array x = DOUBLES(1e10, 1e-7, 1e-8, NAN, INFINITY, INFINITY, 1),
              y = DOUBLES(1.00001e10, 1e-8, 1e-9, NAN, INFINITY, -INFINITY, INFINITY);
    TRUTHS(sta_isclose(x, y, NULL), 1, 0, 1, 0, 1, 0, 0);
    sta_isclose_options o = STA_ISCLOSE_DEFAULTS;
    o.equal_nan = 1;
    TRUTHS(sta_isclose(x, y, &o), 1, 0, 1, 1, 1, 0, 0);
    o.atol = 0;
    TRUTHS(sta_isclose(x, y, &o), 1, 0, 0, 1, 1, 0, 0);
    o.size = 1;
    STA_ASSERT_ERROR(sta_isclose(x, y, &o), STA_ERROR_VALUE);
    TRUTHS(sta_isclose(INTEGERS(STA_int8, -128, 100), INTEGERS(STA_int8, -128, 101), NULL), 1, 0);
    TRUTHS(sta_isclose(INTEGERS(STA_uint8, 0, 1), sta_int(1), NULL), 0, 1);
    TRUTHS(sta_isclose(COMPLEXES(1, 1, 1, 1), COMPLEXES(1, 1 + 1e-9, 1, 1.1), NULL), 1, 0);
    STA_ASSERT_EQUAL(sta_allclose(x, x, NULL), STA_bool, STA_SCALAR, &(uint8_t){0});
    STA_ASSERT_EQUAL(sta_allclose(sta_ones(STA_DIMS(30, 3), STA_float32), sta_ones(STA_DIMS(3), STA_float64), NULL),
                     STA_bool, STA_SCALAR, &(uint8_t){1});
}

static void equality(void)
{
    sta_array x = DOUBLES(1, NAN), y = DOUBLES(1, 2);
    STA_ASSERT_EQUAL(sta_array_equal(y, y, 0), STA_bool, STA_SCALAR, &(uint8_t){1});
    STA_ASSERT_EQUAL(sta_array_equal(x, x, 0), STA_bool, STA_SCALAR, &(uint8_t){0});
    STA_ASSERT_EQUAL(sta_array_equal(x, x, 1), STA_bool, STA_SCALAR, &(uint8_t){1});
    STA_ASSERT_EQUAL(sta_array_equal(x, y, 1), STA_bool, STA_SCALAR, &(uint8_t){0});
    STA_ASSERT_EQUAL(sta_array_equal(y, sta_expand_dims(y, STA_AXES(0)), 0), STA_bool, STA_SCALAR, &(uint8_t){0});
    STA_ASSERT_EQUAL(sta_array_equal(y, INTEGERS(STA_int8, 1, 2), 0), STA_bool, STA_SCALAR, &(uint8_t){1});
}

static void replaces(void)
{
    sta_array x = DOUBLES(INFINITY, -INFINITY, NAN, -128);
    GIVES(sta_nan_to_num(x), DBL_MAX, -DBL_MAX, 0, -128);
    GIVES(sta_nan_to_num_ex(x, NULL), DBL_MAX, -DBL_MAX, 0, -128);
    sta_nan_to_num_options o = {.size = sizeof o, .nan = sta_int(-9999), .posinf = sta_float(NAN)};
    GIVES(sta_nan_to_num_ex(x, &o), NAN, -DBL_MAX, -9999, -128);
    o = (sta_nan_to_num_options){.size = sizeof o, .nan = DOUBLES(11, 12, 13, 14), .neginf = INTEGERS(STA_int8, 5)};
    GIVES(sta_nan_to_num_ex(x, &o), DBL_MAX, 5, 13, -128);
    sta_array z = COMPLEXES(INFINITY, NAN, NAN, 0, NAN, INFINITY);
    o = (sta_nan_to_num_options){.size = sizeof o, .nan = sta_int(111111), .posinf = sta_int(222222)};
    STA_ASSERT_EQUAL(sta_nan_to_num_ex(z, &o), STA_complex128, STA_DIMS(3),
                     ((double[]){222222, 111111, 111111, 0, 111111, 222222}));
    sta_array half = sta_astype(x, STA_float16);
    CU_ASSERT_EQUAL(sta_dtype_of(sta_nan_to_num_ex(half, &o)), STA_float16);
    GIVES(sta_astype(sta_nan_to_num(half), STA_float64), 65504, -65504, 0, -128);
    sta_array brief = sta_nan_to_num(sta_astype(x, STA_bfloat16));
    GIVES(sta_astype(brief, STA_float64), 0x1.FEp127, -0x1.FEp127, 0, -128);
    GIVES_INTEGERS(sta_nan_to_num_ex(INTEGERS(STA_int8, 1, 2), &o), STA_int8, 1, 2);
    o.nan = sta_complex(0, 1);
    STA_ASSERT_ERROR(sta_nan_to_num_ex(x, &o), STA_ERROR_DTYPE);
    o.nan = sta_ones(STA_DIMS(2, 4), STA_float64);
    STA_ASSERT_ERROR(sta_nan_to_num_ex(x, &o), STA_ERROR_SHAPE);
    o.size = 0;
    STA_ASSERT_ERROR(sta_nan_to_num_ex(x, &o), STA_ERROR_VALUE);
}

static void parts(void)
{
    sta_array z = COMPLEXES(1, 2, 3, -0.), x = DOUBLES(1, 2);
    GIVES(sta_real(z), 1, 3);
    GIVES(sta_imag(z), 2, -0.);
    GIVES(sta_imag(x), 0, 0);
    sta_assign(sta_slice(sta_real(x), "0"), sta_int(7)); /* a view of real numbers */
    GIVES(x, 7, 2);
    sta_modf_result m = sta_modf(DOUBLES(-2.5, INFINITY, -0.));
    GIVES(m.fractional, -.5, 0, -0.);
    GIVES(m.integral, -2, INFINITY, -0.);
    sta_frexp_result f = sta_frexp(DOUBLES(-10, 0, INFINITY));
    GIVES(f.mantissa, -.625, 0, INFINITY);
    STA_ASSERT_EQUAL(f.exponent, STA_int32, STA_DIMS(3), ((int32_t[]){4, 0, 0}));
}

/* Both results of a pair come from one pass: as many tasks as one of them needs. */
static int tasks_of(sta_array x)
{
    const int64_t before = sta__tasks_submitted();
    sta_eval(x);
    return (int)(sta__tasks_submitted() - before);
}

static void one_pass(void)
{
    const int64_t tile = sta__runtime.settings.tile_elements;
    sta_array x = sta_ones(STA_DIMS(tile ? 5 * tile : 4 << 20), STA_float32);
    const int tiles = tasks_of(x);
    sta_frexp_result f = sta_frexp(x);
    CU_ASSERT_EQUAL(tasks_of(f.exponent), tiles);
    CU_ASSERT_EQUAL(tasks_of(f.mantissa), 0);
    CU_ASSERT_EQUAL(tasks_of(sta_isclose(x, sta_add(x, sta_float(1)), NULL)), tiles);
}

/* ---- dtypes ---- */

static void limits(void)
{
    const sta_finfo_result f = sta_finfo(STA_complex64), h = sta_finfo(STA_float16), d = sta_finfo(STA_float64);
    CU_ASSERT_EQUAL(f.dtype, STA_float32);
    CU_ASSERT(f.bits == 32 && f.precision == 6 && f.eps == FLT_EPSILON && f.max == FLT_MAX &&
              f.smallest_normal == FLT_MIN);
    CU_ASSERT(h.bits == 16 && h.max == 65504 && h.min == -65504 && h.smallest_subnormal == 0x1p-24 && h.precision == 3);
    CU_ASSERT(d.max == DBL_MAX && d.smallest_subnormal == 5e-324 && d.epsneg == DBL_EPSILON / 2 && d.precision == 15);
    CU_ASSERT_EQUAL(sta_finfo(STA_int8).bits, 0);
    CU_ASSERT(sta_iinfo(STA_int64).min == INT64_MIN && sta_iinfo(STA_uint64).max == UINT64_MAX &&
              sta_iinfo(STA_int8).max == 127);
    CU_ASSERT(sta_iinfo(STA_uint16).min == 0 && sta_iinfo(STA_uint16).bits == 16 && sta_iinfo(STA_bool).bits == 0);
    CU_ASSERT(sta_isdtype(STA_int8, "integral") && sta_isdtype(STA_int8, "numeric") &&
              !sta_isdtype(STA_bool, "numeric"));
    CU_ASSERT(sta_isdtype(STA_bfloat16, "real floating") && !sta_isdtype((sta_dtype)99, "bool") &&
              !sta_isdtype(STA_bool, "boolean"));
}

static void casts(void)
{
    const struct sta_oracle *oracle = sta_test_oracle("eval", "import ufunc_cases; table = ufunc_cases.casts()");
    const uint8_t *table = oracle ? sta_oracle_find(oracle, "table")->data : NULL;
    for (int a = STA_bool; a <= STA_complex128 && table; a++)
        for (int b = STA_bool; b <= STA_complex128; b++)
            for (int c = STA_CASTING_NO; c <= STA_CASTING_UNSAFE && a != STA_bfloat16 && b != STA_bfloat16; c++)
                CU_ASSERT_EQUAL(sta_can_cast((sta_dtype)a, (sta_dtype)b, (sta_casting)c), *table++);
    CU_ASSERT_FALSE(sta_can_cast(STA_DTYPE_NONE, STA_int8, STA_CASTING_UNSAFE));
    CU_ASSERT_FALSE(sta_can_cast(STA_float16, STA_bfloat16, STA_CASTING_SAFE));
    sta_array x[] = {sta_ones(STA_DIMS(2), STA_int8), sta_float(1), sta_ones(STA_SCALAR, STA_float16), sta_int(1000)};
    CU_ASSERT_EQUAL(sta_result_type(x, 1), STA_int8);
    CU_ASSERT_EQUAL(sta_result_type(x, 2), STA_float64);
    CU_ASSERT_EQUAL(sta_result_type(x, 4), STA_float16);
    CU_ASSERT_EQUAL(sta_result_type(x + 3, 1), STA_int64);
    CU_ASSERT_EQUAL(sta_result_type(x, 0), STA_DTYPE_NONE);
    CU_ASSERT_EQUAL(sta_result_type((sta_array[]){{0}}, 1), STA_DTYPE_NONE);
}

STA_TESTS("elementwise", STA_CASE(rounds_to_even), STA_CASE(integer_division), STA_CASE(float_division),
          STA_CASE(shifts), STA_CASE(not_a_number), STA_CASE(clips), STA_CASE(branch_cuts), STA_CASE(large_unsigned),
          STA_CASE(weak_scalars), STA_CASE(errors), STA_CASE(empty), STA_CASE(into), STA_CASE(overlapping),
          STA_CASE(rounding), STA_CASE(degrees), STA_CASE(closeness), STA_CASE(equality), STA_CASE(replaces),
          STA_CASE(parts), STA_CASE(one_pass), STA_CASE(limits), STA_CASE(casts))
