/* Rules of reductions that have gone wrong elsewhere: accumulators, NaNs, ties, nothing at all, errors. ctest: tiny omp */
#include "reduce.h"

#include <stdlib.h>

static void integers(void)
{
    sta_array u8 = ARRAY(STA_uint8, uint8_t, 200, 200);
    IS(sta_mean(u8, STA_ALL, 0), STA_float64, double, 200);
    IS(sta_sum(u8, STA_ALL, 0), STA_uint64, uint64_t, 400);
    IS(sta_sum(ARRAY(STA_int32, int32_t, 2147483647, 2147483647, 2147483647), STA_ALL, 0), STA_int64, int64_t,
       6442450941);
    IS(sta_prod(ARRAY(STA_int8, int8_t, 100, 100, 100), STA_ALL, 0), STA_int64, int64_t, 1000000);
    IS(sta_sum_ex(u8, STA_ALL, 0, &(sta_reduce_options){.size = sizeof(sta_reduce_options), .dtype = STA_uint8}),
       STA_uint8, uint8_t, 144);
}

static void halves(void)
{
    int64_t many = sta__runtime.settings.tile_elements ? 100 : 65520; /* a float16 ends at 65504 */
    sta_array x = sta_broadcast_to(sta_astype(NUMBERS(2, -2), STA_float16), STA_DIMS(many, 2));
    sta_array full = sta_full(STA_DIMS(300), sta_int(500), STA_float16), ones = sta_ones(STA_DIMS(many), STA_float16);
    IS(sta_astype(sta_var(x, STA_ALL, 0), STA_float64), STA_float64, double, 4);
    IS(sta_astype(sta_std(x, STA_ALL, 0), STA_float64), STA_float64, double, 2);
    IS(sta_astype(sta_mean(full, STA_ALL, 0), STA_float64), STA_float64, double, 500);
    IS(sta_astype(sta_mean(ones, STA_ALL, 0), STA_float64), STA_float64, double, 1);
    CU_ASSERT_EQUAL(sta_dtype_of(sta_sum(ones, STA_ALL, 0)), STA_float16);
}

static sta_array corrected(extended function, sta_array x, double correction)
{
    return function(x, STA_ALL, 0, &(sta_reduce_options){.size = sizeof(sta_reduce_options), .correction = correction});
}

static void variances(void)
{
    double far[300];
    for (int i = 0; i < 300; i++)
        far[i] = 1e8 + i % 3 + 1;
    STA_ASSERT_CLOSE(sta_var(sta_test_array(STA_float64, STA_DIMS(300), far), STA_ALL, 0), STA_float64, STA_SCALAR,
                     &(double){2.0 / 3}, STA_NEAR(1e-9, 0));
    STA_ASSERT_CLOSE(
        sta_var(sta_test_array(STA_complex128, STA_DIMS(4), (double[]){1, 2, 3, -1, 0, 0, 0, 2}), STA_ALL, 0),
        STA_float64, STA_SCALAR, &(double){3.1875}, STA_NEAR(1e-14, 0));
    STA_ASSERT_CLOSE(corrected(sta_var_ex, NUMBERS(1, 2, 3, 4), 1), STA_float64, STA_SCALAR, &(double){5.0 / 3},
                     STA_ULP(1));
    IS(corrected(sta_var_ex, NUMBERS(5), 1), STA_float64, double, NAN);
    IS(corrected(sta_var_ex, NUMBERS(1, 2), 3), STA_float64, double, INFINITY);
    IS(corrected(sta_nanvar_ex, NUMBERS(1, 2, NAN), 3), STA_float64, double, NAN);
    IS(sta_var(NUMBERS(NAN), STA_ALL, 0), STA_float64, double, NAN);
    IS(sta_std(NUMBERS(INFINITY), STA_ALL, 0), STA_float64, double, NAN);
    STA_ASSERT_EQUAL(sta_var(NUMBERS(3, NAN), STA_SCALAR, STA_KEEPDIMS), STA_float64, STA_DIMS(2),
                     ((double[]){0, NAN}));
    IS(sta_mean(sta_float(3), STA_ALL, 0), STA_float64, double, 3);
}

/* What is infinitely far has no distance from the mean, wherever it stands; squares that overflow have. */
static void infinities(void)
{
    static const sta_dtype dtypes[] = {STA_float16, STA_float32, STA_float64, STA_complex64, STA_complex128};
    for (size_t d = 0; d < sizeof dtypes / sizeof *dtypes; d++)
        for (int n = 1; n < 19; n++)
            for (int at = 0; at < n; at++) {
                double data[18];
                for (int i = 0; i < n; i++)
                    data[i] = i == at ? at % 2 ? (double)INFINITY : -(double)INFINITY : i;
                sta_array x = sta_astype(sta_test_array(STA_float64, STA_DIMS(n), data), dtypes[d]);
                sta_array table = sta_expand_dims(x, STA_DIMS(1));
                IS(sta_astype(sta_var(x, STA_ALL, 0), STA_float64), STA_float64, double, NAN);
                IS(sta_astype(sta_nanvar(x, STA_ALL, 0), STA_float64), STA_float64, double, NAN);
                STA_ASSERT_EQUAL(sta_astype(sta_var(table, STA_DIMS(0), 0), STA_float64), STA_float64, STA_DIMS(1),
                                 ((double[]){NAN}));
            }
    IS(sta_var(NUMBERS(1e308, -1e308), STA_ALL, 0), STA_float64, double, INFINITY);
    IS(sta_var(NUMBERS(1e308, 1e308, 1e308), STA_ALL, 0), STA_float64, double, INFINITY);
}

/* A NaN first, last and in the middle, of a tile and of the array. */
static void nan_places(void)
{
    for (int at = 0; at < 13; at++) {
        double data[13];
        for (int i = 0; i < 13; i++)
            data[i] = i == at ? (double)NAN : i % 2 ? i : -i;
        sta_array x = sta_test_array(STA_float64, STA_DIMS(13), data);
        IS(sta_max(x, STA_ALL, 0), STA_float64, double, NAN);
        IS(sta_min(x, STA_ALL, 0), STA_float64, double, NAN);
        IS(sta_argmax(x, STA_ALL, 0), STA_int64, int64_t, at);
        IS(sta_argmin(x, STA_ALL, 0), STA_int64, int64_t, at);
        IS(sta_nanargmax(x, STA_ALL, 0), STA_int64, int64_t, at == 11 ? 9 : 11);
        IS(sta_nanmin(x, STA_ALL, 0), STA_float64, double, at == 12 ? -10 : -12);
    }
    IS(sta_argmax(NUMBERS(0, NAN, 5, NAN), STA_ALL, 0), STA_int64, int64_t, 1);
    IS(sta_nanargmax(ARRAY(STA_int64, int64_t, 0, 1), STA_ALL, 0), STA_int64, int64_t, 1);
    sta_array z = sta_test_array(STA_complex128, STA_DIMS(4), (double[]){0.5, 3.7, 0.7, NAN, NAN, -3.9, NAN, NAN});
    STA_ASSERT_EQUAL(sta_max(z, STA_ALL, 0), STA_complex128, STA_SCALAR, ((double[]){0.7, NAN}));
    STA_ASSERT_EQUAL(sta_min(z, STA_ALL, 0), STA_complex128, STA_SCALAR, ((double[]){0.7, NAN}));
    sta_array two = sta_test_array(STA_float64, STA_DIMS(2, 2), (double[]){1, NAN, 3, 4});
    STA_ASSERT_EQUAL(sta_max(two, STA_AXES(0), 0), STA_float64, STA_DIMS(2), ((double[]){3, NAN}));
    STA_ASSERT_EQUAL(sta_max(two, STA_AXES(1), 0), STA_float64, STA_DIMS(2), ((double[]){NAN, 4}));
}

/* The first of several that are equal, wherever tiles end. */
static void ties(void)
{
    int32_t data[40];
    for (int i = 0; i < 40; i++)
        data[i] = i % 7;
    sta_array x = sta_test_array(STA_int32, STA_DIMS(4, 10), data);
    IS(sta_argmax(x, STA_ALL, 0), STA_int64, int64_t, 6);
    IS(sta_argmin(sta_flip(x, STA_ALL), STA_ALL, 0), STA_int64, int64_t, 4);
    STA_ASSERT_EQUAL(sta_argmax(x, STA_AXES(-1), STA_KEEPDIMS), STA_int64, STA_DIMS(4, 1), ((int64_t[]){6, 3, 0, 4}));
}

static void nothing(void)
{
    sta_array x = sta_zeros(STA_DIMS(3, 0, 2), STA_float32), all = sta_zeros(STA_DIMS(0), STA_int16);
    STA_ASSERT_EQUAL(sta_sum(x, STA_AXES(1), STA_KEEPDIMS), STA_float32, STA_DIMS(3, 1, 2), ((float[6]){0}));
    STA_ASSERT_EQUAL(sta_prod(x, STA_AXES(1, 2), 0), STA_float32, STA_DIMS(3), ((float[]){1, 1, 1}));
    STA_ASSERT_EQUAL(sta_mean(x, STA_AXES(0, 1), 0), STA_float32, STA_DIMS(2), ((float[]){NAN, NAN}));
    STA_ASSERT_EQUAL(sta_max(x, STA_AXES(0), 0), STA_float32, STA_DIMS(0, 2), NULL);
    STA_ASSERT_ERROR(sta_max(x, STA_AXES(1), 0), STA_ERROR_EMPTY);
    STA_ASSERT_TEXT(sta_check(sta_max(x, STA_AXES(0, 1), 0))->text, "axis 1 has length 0 and max has no identity");
    STA_ASSERT_ERROR(sta_argmin(all, STA_ALL, 0), STA_ERROR_EMPTY);
    STA_ASSERT_ERROR(sta_nanargmin(sta_astype(all, STA_float64), STA_ALL, 0), STA_ERROR_EMPTY);
    IS(sta_sum(all, STA_ALL, 0), STA_int64, int64_t, 0);
    IS(sta_all(all, STA_ALL, 0), STA_bool, uint8_t, 1);
    IS(sta_any(all, STA_ALL, 0), STA_bool, uint8_t, 0);
    IS(sta_nanmean(sta_astype(all, STA_float64), STA_ALL, 0), STA_float64, double, NAN);
    IS(sta_nanvar(all, STA_ALL, 0), STA_float64, double, NAN);
    IS(sta_min_ex(all, STA_ALL, 0, &(sta_reduce_options){.size = sizeof(sta_reduce_options), .initial = sta_int(7)}),
       STA_int16, int16_t, 7);
}

static void initials(void)
{
    sta_reduce_options o = {.size = sizeof o, .initial = sta_int(5)};
    sta_array x = NUMBERS(1, NAN, 7), whole = ARRAY(STA_int8, int8_t, 1, 2, 3);
    IS(sta_sum_ex(whole, STA_ALL, 0, &o), STA_int64, int64_t, 11);
    IS(sta_prod_ex(whole, STA_ALL, 0, &o), STA_int64, int64_t, 30);
    IS(sta_max_ex(whole, STA_ALL, 0, &o), STA_int8, int8_t, 5);
    IS(sta_min_ex(x, STA_ALL, 0, &o), STA_float64, double, NAN);
    IS(sta_nanmax_ex(x, STA_ALL, 0, &o), STA_float64, double, 7);
    IS(sta_nansum_ex(x, STA_ALL, 0, &o), STA_float64, double, 13);
    o.initial = whole;
    STA_ASSERT_ERROR(sta_sum_ex(x, STA_ALL, 0, &o), STA_ERROR_SHAPE);
}

/* Weak numbers that an integer dtype does not hold, as Python's in NumPy. */
static void initials_that_do_not_fit(void)
{
    sta_array i8 = ARRAY(STA_int8, int8_t, 1, 2, 3), u8 = ARRAY(STA_uint8, uint8_t, 1, 2);
    sta_array u64 = ARRAY(STA_uint64, uint64_t, 1, 2), none = sta_zeros(STA_DIMS(0), STA_int8);
    const struct {
        extended function;
        sta_array x, initial;
        sta_error_code code; /* 0: it fits */
    } cases[] = {
        {sta_sum_ex, i8, sta_int(300), 0},
        {sta_max_ex, i8, sta_int(300), STA_ERROR_VALUE},
        {sta_min_ex, i8, sta_int(-300), STA_ERROR_VALUE},
        {sta_max_ex, u8, sta_int(-1), STA_ERROR_VALUE},
        {sta_sum_ex, u8, sta_int(-1), STA_ERROR_VALUE},
        {sta_sum_ex, i8, sta_int(INT64_MAX), 0},
        {sta_max_ex, i8, sta_float(1.5), 0},
        {sta_max_ex, i8, sta_float(-129), STA_ERROR_VALUE},
        {sta_max_ex, i8, sta_float(-128.5), 0},
        {sta_max_ex, i8, sta_float(NAN), STA_ERROR_VALUE},
        {sta_sum_ex, i8, sta_float(INFINITY), STA_ERROR_VALUE},
        {sta_sum_ex, i8, sta_float(0x1p63), STA_ERROR_VALUE},
        {sta_sum_ex, u64, sta_float(0x1p63), 0},
        {sta_sum_ex, u64, sta_float(0x1p64), STA_ERROR_VALUE},
        {sta_sum_ex, i8, sta_complex(1, 0), STA_ERROR_DTYPE},
        {sta_sum_ex, NUMBERS(1), sta_complex(1, 0), STA_ERROR_DTYPE},
        {sta_nanmax_ex, i8, sta_int(300), STA_ERROR_VALUE},
        {sta_max_ex, none, sta_int(300), STA_ERROR_VALUE},
        {sta_max_ex, i8, sta_full(STA_DIMS(1), sta_int(300), STA_int64), 0},
        {sta_max_ex, sta_astype(i8, STA_bool), sta_int(2), 0},
        {sta_max_ex, sta_astype(i8, STA_float16), sta_float(1e6), 0},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const sta_reduce_options o = {.size = sizeof o, .initial = cases[k].initial};
        const sta_error *error = sta_wait(cases[k].function(cases[k].x, STA_ALL, 0, &o));
        if ((error ? error->code : 0) != cases[k].code)
            fprintf(stderr, "\n  case %zu: %s\n", k, error ? error->text : "no error");
        CU_ASSERT_EQUAL(error ? error->code : 0, cases[k].code);
    }
}

static sta_array where(extended function, sta_array x, sta_array mask)
{
    return function(x, STA_ALL, 0, &(sta_reduce_options){.size = sizeof(sta_reduce_options), .where = mask});
}

static sta_array weigh(sta_array x, sta_dims axes, sta_array weights)
{
    return sta_average_ex(x, axes, 0, &(sta_reduce_options){.size = sizeof(sta_reduce_options), .weights = weights});
}

static void masks(void)
{
    sta_array x = NUMBERS(1, 2, 4), first = ARRAY(STA_bool, uint8_t, 1, 0, 0), none = sta_zeros(STA_DIMS(3), STA_bool);
    IS(where(sta_sum_ex, x, first), STA_float64, double, 1);
    IS(where(sta_prod_ex, x, none), STA_float64, double, 1);
    IS(where(sta_mean_ex, x, none), STA_float64, double, NAN);
    IS(where(sta_var_ex, x, none), STA_float64, double, NAN);
    IS(where(sta_nanvar_ex, x, none), STA_float64, double, NAN);
    IS(where(sta_all_ex, sta_zeros(STA_DIMS(3), STA_int8), none), STA_bool, uint8_t, 1);
    IS(where(sta_sum_ex, x, sta_bool(true)), STA_float64, double, 7);
    STA_ASSERT_ERROR(where(sta_max_ex, x, first), STA_ERROR_VALUE);
    STA_ASSERT_ERROR(where(sta_sum_ex, x, sta_ones(STA_DIMS(3), STA_int8)), STA_ERROR_DTYPE);
    STA_ASSERT_ERROR(where(sta_sum_ex, x, sta_ones(STA_DIMS(2), STA_bool)), STA_ERROR_SHAPE);
    STA_ASSERT_ERROR(where(sta_sum_ex, x, sta_ones(STA_DIMS(1, 3), STA_bool)), STA_ERROR_SHAPE);
    STA_ASSERT_ERROR(where(sta_average_ex, x, first), STA_ERROR_VALUE);
}

static void weights(void)
{
    sta_array x = sta_test_array(STA_float64, STA_DIMS(2, 3), (double[]){0, 1, 2, 3, 4, 5});
    STA_ASSERT_ERROR(weigh(x, STA_ALL, NUMBERS(1, 2, 3)), STA_ERROR_SHAPE);
    STA_ASSERT_ERROR(weigh(x, STA_AXES(1), NUMBERS(1, 2)), STA_ERROR_SHAPE);
    STA_ASSERT_ERROR(weigh(x, STA_AXES(1), sta_zeros(STA_DIMS(3), STA_float64)), STA_ERROR_VALUE);
    STA_ASSERT_ERROR(weigh(x, STA_AXES(0), sta_zeros(STA_DIMS(2), STA_int8)), STA_ERROR_VALUE);
    IS(weigh(NUMBERS(1, 2), STA_ALL, NUMBERS(0, NAN)), STA_float64, double, NAN);
    sta_reduce_options o = {.size = sizeof o, .weights = NUMBERS(1, 2)};
    STA_ASSERT_TEXT(sta_check(sta_mean_ex(NUMBERS(1, 2), STA_ALL, 0, &o))->text, "mean takes no weights");
}

/* Lines on which a selection is slow, and all of the lengths that have corners of their own. */
static void medians(void)
{
    enum { MOST = 300 };
    const int most = sta__runtime.settings.tile_elements ? 20 : MOST;
    double x[MOST];
    for (int n = 1; n <= most; n += n < 20 ? 1 : 7)
        for (int kind = 0; kind < 5; kind++) {
            for (int i = 0; i < n; i++)
                x[i] = kind == 0 ? i : kind == 1 ? n - i : kind == 2 ? 7 : kind == 3 ? i % 3 : abs(n / 2 - i);
            double middle[] = {(n - 1) / 2.0, (n + 1) / 2.0, 7, 0, 0};
            int count[3] = {(n + 2) / 3, (n + 1) / 3, n / 3}, below = (n - 1) / 2, above = n / 2;
            middle[3] = ((below >= count[0]) + (below >= count[0] + count[1]) + (above >= count[0]) +
                         (above >= count[0] + count[1])) /
                        2.0;
            for (int i = 0, at = 0; kind == 4 && i <= n; i++) /* how often |n / 2 - k| = i, in order */
                for (int k = 0; k < n; k++)
                    if (abs(n / 2 - k) == i) {
                        middle[4] += ((at == below) + (at == above)) * i / 2.0;
                        at++;
                    }
            IS(sta_median(sta_test_array(STA_float64, STA_DIMS(n), x), STA_ALL, 0), STA_float64, double, middle[kind]);
        }
    STA_ASSERT_ERROR(sta_median(sta_zeros(STA_DIMS(3), STA_complex64), STA_ALL, 0), STA_ERROR_DTYPE);
    IS(sta_median(ARRAY(STA_int64, int64_t, INT64_MIN, INT64_MAX), STA_ALL, 0), STA_float64, double, 0);
}

static void errors(void)
{
    sta_array x = NUMBERS(1, 2), nan = sta_full(STA_DIMS(4, 5), sta_float(NAN), STA_float32);
    STA_ASSERT_ERROR(sta_sum(x, STA_AXES(1), 0), STA_ERROR_AXIS);
    STA_ASSERT_ERROR(sta_sum(x, STA_AXES(0, -1), 0), STA_ERROR_AXIS);
    STA_ASSERT_ERROR(sta_sum(x, STA_ALL, 6), STA_ERROR_VALUE);
    STA_ASSERT_ERROR(sta_sum((sta_array){0}, STA_ALL, 0), STA_ERROR_INVALID_ARRAY);
    STA_ASSERT_ERROR(sta_ptp(sta_ones(STA_DIMS(3), STA_bool), STA_ALL, 0), STA_ERROR_DTYPE);
    STA_ASSERT_ERROR(sta_nanargmin(nan, STA_AXES(0), 0), STA_ERROR_VALUE);
    STA_ASSERT_ERROR(sta_add(sta_nanargmax(nan, STA_ALL, 0), sta_int(1)), STA_ERROR_VALUE);
    sta_reduce_options o = {.size = sizeof o, .correction = 1};
    STA_ASSERT_ERROR(sta_sum_ex(x, STA_ALL, 0, &o), STA_ERROR_VALUE);
    STA_ASSERT_TEXT(sta_check(sta_mean_ex(x, STA_ALL, 0, &o))->text, "mean takes no correction");
    o = (sta_reduce_options){.size = sizeof o, .dtype = (sta_dtype)99};
    STA_ASSERT_ERROR(sta_sum_ex(x, STA_ALL, 0, &o), STA_ERROR_DTYPE);
    STA_ASSERT_ERROR(sta_max_ex(x, STA_ALL, 0, &o), STA_ERROR_VALUE);
    o = (sta_reduce_options){.size = sizeof o, .correction = NAN};
    STA_ASSERT_ERROR(sta_var_ex(x, STA_ALL, 0, &o), STA_ERROR_VALUE);
}

STA_TESTS("reduce_rules", STA_CASE(integers), STA_CASE(halves), STA_CASE(variances), STA_CASE(infinities),
          STA_CASE(nan_places), STA_CASE(ties), STA_CASE(nothing), STA_CASE(initials),
          STA_CASE(initials_that_do_not_fit), STA_CASE(masks), STA_CASE(weights), STA_CASE(medians), STA_CASE(errors))
