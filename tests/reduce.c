/* Reductions against NumPy, over axes and views; their bits; how many tasks they take. ctest: tiny omp gpu */
#include "sta_test.h"

#include "internal.h"
#include "reduce/tree.h"

#include <CUnit/CUnit.h>
#include <math.h>
#include <starpu.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- against NumPy ---- */

typedef sta_array (*plain)(sta_array x, sta_dims axes, unsigned flags);
typedef sta_array (*extended)(sta_array x, sta_dims axes, unsigned flags, const sta_reduce_options *options);
static const struct function {
    const char *name;
    plain plain;
    extended extended;
} functions[] = {
    {"sum", sta_sum, sta_sum_ex},
    {"prod", sta_prod, sta_prod_ex},
    {"count_nonzero", sta_count_nonzero, NULL},
    {"min", sta_min, sta_min_ex},
    {"max", sta_max, sta_max_ex},
    {"ptp", sta_ptp, NULL},
    {"argmin", sta_argmin, NULL},
    {"argmax", sta_argmax, NULL},
    {"any", sta_any, NULL},
    {"all", sta_all, NULL},
    {"mean", sta_mean, sta_mean_ex},
    {"var", sta_var, sta_var_ex},
    {"std", sta_std, sta_std_ex},
    {"nansum", sta_nansum, sta_nansum_ex},
    {"nanprod", sta_nanprod, sta_nanprod_ex},
    {"nanmin", sta_nanmin, sta_nanmin_ex},
    {"nanmax", sta_nanmax, sta_nanmax_ex},
    {"nanargmin", sta_nanargmin, NULL},
    {"nanargmax", sta_nanargmax, NULL},
    {"nanmean", sta_nanmean, sta_nanmean_ex},
    {"nanvar", sta_nanvar, sta_nanvar_ex},
    {"nanstd", sta_nanstd, sta_nanstd_ex},
};

static const struct function *find(const char *name)
{
    for (size_t f = 0; f < sizeof functions / sizeof *functions; f++)
        if (strcmp(functions[f].name, name) == 0)
            return &functions[f];
    return NULL;
}

/* One line of the oracle's: what is called. */
struct request {
    const struct function *function;
    unsigned flags;
    sta_reduce_options options;
    sta_dims axes;
    char view[40];
};

static struct request read_request(const struct sta_record *call, const struct sta_record *axes)
{
    struct request q = {.options.size = sizeof q.options};
    char name[40];
    int dtype, all;
    int read =
        sscanf(call->data, "%39s %u %d %lf %d %39[^\n]", name, &q.flags, &dtype, &q.options.correction, &all, q.view);
    CU_ASSERT_EQUAL_FATAL(read, 6);
    q.function = find(name);
    q.options.dtype = (sta_dtype)dtype;
    q.axes.count = all ? -1 : (int)axes->count;
    for (int i = 0; i < q.axes.count; i++)
        q.axes.at[i] = ((const int64_t *)axes->data)[i];
    return q;
}

static sta_array view_of(sta_array x, const char *view)
{
    if (strcmp(view, "T") == 0)
        return sta_transpose(x, STA_ALL);
    if (strcmp(view, "B") == 0)
        return sta_broadcast_to(sta_slice(x, ":, :1"), sta_shape(x));
    return sta_slice(x, "%s", view);
}

static struct sta_tolerance tolerance_of(sta_dtype dtype)
{
    static const double error[STA__DTYPES] = {
        [STA_float16] = 2e-3,   [STA_bfloat16] = 1.6e-2, [STA_float32] = 2e-5,
        [STA_complex64] = 2e-5, [STA_float64] = 1e-13,   [STA_complex128] = 1e-13};
    return error[dtype] != 0 ? STA_NEAR(error[dtype], error[dtype]) : STA_EXACT;
}

static sta_error_code code_of(const char *name)
{
    return strcmp(name, "EMPTY") == 0   ? STA_ERROR_EMPTY
           : strcmp(name, "VALUE") == 0 ? STA_ERROR_VALUE
                                        : STA_ERROR_DTYPE;
}

static void compare_all(const char *names)
{
    const struct sta_oracle *oracle = sta_test_oracle("reduce", names);
    for (size_t i = 0; oracle && i + 3 < sta_oracle_count(oracle); i += 4) {
        if (sta__runtime.settings.tile_elements && i / 4 % 3)
            continue; /* many tasks: some of the cases are enough */
        const struct sta_record *call = sta_oracle_at(oracle, i), *out = sta_oracle_at(oracle, i + 3);
        struct request q = read_request(call, sta_oracle_at(oracle, i + 2));
        sta_scope scope = sta_open();
        sta_array x = view_of(sta_test_record_array(sta_oracle_at(oracle, i + 1)), q.view);
        bool plain = !q.options.dtype && q.options.correction == 0;
        sta_array y =
            plain ? q.function->plain(x, q.axes, q.flags) : q.function->extended(x, q.axes, q.flags, &q.options);
        unsigned before = CU_get_number_of_failures();
        if (strstr(out->name, "error"))
            STA_ASSERT_ERROR(y, code_of(out->data));
        else
            STA_ASSERT_RECORD(y, out, tolerance_of(out->dtype));
        if (CU_get_number_of_failures() > before)
            fprintf(stderr, "\n  %s: %s\n", call->name, (const char *)call->data);
        sta_close(scope);
    }
}

static void sums(void)
{
    compare_all("sum prod count_nonzero any all");
}

static void extremes(void)
{
    compare_all("min max ptp nanmin nanmax");
}

static void positions(void)
{
    compare_all("argmin argmax nanargmin nanargmax");
}

static void moments(void)
{
    compare_all("mean var std");
}

static void without_nan(void)
{
    compare_all("nansum nanprod nanmean nanvar nanstd");
}

/* ---- pinned cases ---- */

#define ARRAY(dtype, type, ...)                                                                                        \
    sta_test_array(dtype, (sta_dims){1, {sizeof((type[]){__VA_ARGS__}) / sizeof(type)}}, (type[]){__VA_ARGS__})
#define NUMBERS(...) ARRAY(STA_float64, double, __VA_ARGS__)
#define IS(x, dtype, type, value) STA_ASSERT_EQUAL(x, dtype, STA_SCALAR, ((type[]){value}))

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

/* ---- bits ---- */

/* The rule of tree.h, word by word: the node of `level` over the elements [index << level, ...) below `length`. */
static float node_sum(const float *x, int64_t stride, int level, int64_t index, int64_t length)
{
    if (level == 0)
        return x[index * stride];
    float left = node_sum(x, stride, level - 1, 2 * index, length);
    bool cut = ((2 * index + 1) << (level - 1)) >= length;
    return cut ? left : left + node_sum(x, stride, level - 1, 2 * index + 1, length);
}

static float line_sum(const float *x, int64_t stride, int64_t length)
{
    int level = 0;
    while ((INT64_C(1) << level) < length)
        level++;
    return node_sum(x, stride, level, 0, length);
}

static void bits(void)
{
    int rows = sta__runtime.settings.tile_elements ? 7 : 270,
        columns = sta__runtime.settings.tile_elements ? 301 : 1031;
    float *x = malloc(sizeof *x * (size_t)(rows * columns)), *down = malloc(sizeof *down * (size_t)columns);
    float *across = malloc(sizeof *across * (size_t)rows);
    CU_ASSERT_FATAL(x && down && across);
    for (int i = 0; i < rows * columns; i++)
        x[i] = (float)((INT64_C(7919) * i + i / 3) % 20011) * 1.37e-3F - 5;
    for (int r = 0; r < rows; r++)
        across[r] = line_sum(x + r * columns, 1, columns);
    for (int c = 0; c < columns; c++)
        down[c] = line_sum(x + c, columns, rows);
    float total = line_sum(across, 1, rows), turned = line_sum(down, 1, columns);
    sta_array a = sta_test_array(STA_float32, STA_DIMS(rows, columns), x);
    STA_ASSERT_EQUAL(sta_sum(a, STA_AXES(1), 0), STA_float32, STA_DIMS(rows), across);
    STA_ASSERT_EQUAL(sta_sum(a, STA_AXES(0), STA_KEEPDIMS), STA_float32, STA_DIMS(1, columns), down);
    STA_ASSERT_EQUAL(sta_sum(sta_transpose(a, STA_ALL), STA_AXES(0), 0), STA_float32, STA_DIMS(rows), across);
    STA_ASSERT_EQUAL(sta_sum(a, STA_ALL, 0), STA_float32, STA_SCALAR, &total);
    STA_ASSERT_EQUAL(sta_sum(sta_transpose(a, STA_ALL), STA_ALL, 0), STA_float32, STA_SCALAR, &turned);
    STA_ASSERT_EQUAL(sta_sum(sta_multiply(sta_add(a, a), sta_float(0.5)), STA_ALL, 0), STA_float32, STA_SCALAR, &total);
    free(x);
    free(down);
    free(across);
}

/* Short rows: many of them in a block. */
static void short_rows(void)
{
    enum { MOST = 500, LONGEST = 20 };
    static float x[MOST * LONGEST], expected[MOST];
    const int rows = sta__runtime.settings.tile_elements ? 50 : MOST;
    for (int i = 0; i < MOST * LONGEST; i++)
        x[i] = (float)(i * 31 % 1009) * 0.1F;
    for (int length = 1; length <= LONGEST; length += 3) {
        for (int r = 0; r < rows; r++)
            expected[r] = line_sum(x + r * length, 1, length);
        sta_array a = sta_test_array(STA_float32, STA_DIMS(5, rows / 5, length), x);
        STA_ASSERT_EQUAL(sta_sum(a, STA_AXES(-1), 0), STA_float32, STA_DIMS(5, rows / 5), expected);
        sta_array twice = sta_sum(sta_add(a, a), STA_AXES(-1), 0);
        STA_ASSERT_EQUAL(sta_multiply(twice, sta_float(0.5)), STA_float32, STA_DIMS(5, rows / 5), expected);
    }
}

/* ---- tasks ---- */

/* Tasks that are submitted to compute the arrays, which are not begun meanwhile. */
static int tasks_of(const sta_array *x, int count)
{
    starpu_task_wait_for_all();
    starpu_pause();
    for (int i = 0; i < count; i++)
        sta_eval(x[i]);
    int tasks = starpu_task_nsubmitted();
    starpu_resume();
    starpu_task_wait_for_all();
    return tasks;
}

/* An array of some tiles; how many, by the tasks that fill them. */
static sta_array some_tiles(int *tiles)
{
    int64_t tile = sta__runtime.settings.tile_elements;
    sta_array x = sta_ones(STA_DIMS(tile ? 6 * tile : 4 << 20), STA_float32);
    *tiles = tasks_of(&x, 1);
    return x;
}

/* Tasks that merge so many parts, five at a time. */
static int merges(int parts)
{
    return parts <= 5 ? parts > 1 : (parts + 4) / 5 + merges((parts + 4) / 5);
}

/* A chain with a sum at its end is a task a tile and the merges, whatever its length. */
static void fused(void)
{
    int tiles;
    sta_array x = some_tiles(&tiles), y = x;
    for (int i = 0; i < 5; i++)
        y = sta_add(sta_multiply(y, sta_float(0.5)), x);
    sta_array sum = sta_sum(y, STA_ALL, 0);
    CU_ASSERT_EQUAL(tasks_of(&sum, 1), tiles + merges(tiles));
    IS(sum, STA_float32, float, (float)sta_size(x) * 1.96875F);
}

/* What reads the same is computed in the same pass. */
static void one_pass(void)
{
    int tiles;
    sta_array x = some_tiles(&tiles);
    sta_array both[] = {sta_mean(x, STA_ALL, 0), sta_std(x, STA_ALL, 0)};
    CU_ASSERT_EQUAL(tasks_of(both, 2), tiles + merges(tiles) + 2);
    sta_array nan = sta_nanmean(x, STA_ALL, 0);
    CU_ASSERT_EQUAL(tasks_of(&nan, 1), tiles + 2 * merges(tiles) + 1);
    sta_array again[] = {sta_sum(x, STA_ALL, 0), sta_sum(x, STA_ALL, STA_KEEPDIMS)};
    CU_ASSERT_EQUAL(tasks_of(again, 2), tiles + merges(tiles));
    IS(both[0], STA_float32, float, 1);
    IS(both[1], STA_float32, float, 0);
    IS(nan, STA_float32, float, 1);
    STA_ASSERT_EQUAL(again[1], STA_float32, STA_DIMS(1), &(float){(float)sta_size(x)});
}

/* What waits for a result of the pass is no part of it. */
static void not_of_the_pass(void)
{
    sta_array x = sta_ones(STA_DIMS(30, 30), STA_float32), y = sta_add(x, x);
    sta_array turned = sta_sum(sta_transpose(y, STA_ALL), STA_ALL, STA_KEEPDIMS);
    sta_array z = sta_add(x, turned);
    STA_ASSERT_EQUAL(sta_sum(y, STA_ALL, 0), STA_float32, STA_SCALAR, &(float){1800});
    STA_ASSERT_EQUAL(sta_sum(z, STA_ALL, 0), STA_float32, STA_SCALAR, &(float){900 * 1801});
}

/* Every allocation fails once: an error each time, or the result. */
static void no_memory(void)
{
    enum { MOST = 2000 };
    double data[24];
    for (int i = 0; i < 24; i++)
        data[i] = i % 5 ? i : (double)NAN;
    sta_array x = sta_test_array(STA_float64, STA_DIMS(4, 6), data);
    for (size_t f = 0; f < sizeof functions / sizeof *functions; f++) {
        int64_t k = 1;
        for (bool again = true; again && k < MOST; k++) {
            sta_scope scope = sta_open();
            sta__fail_allocation(k);
            sta_array y = functions[f].plain(sta_transpose(x, STA_ALL), STA_AXES(0), STA_KEEPDIMS);
            const sta_error *error = sta_wait(y);
            again = sta__fail_allocation(0) >= k;
            CU_ASSERT(!error || error->code == STA_ERROR_MEMORY || error->code == STA_ERROR_INVALID_ARRAY);
            sta_close(scope);
        }
        CU_ASSERT(k < MOST);
    }
}

STA_TESTS("reduce", STA_CASE(sums), STA_CASE(extremes), STA_CASE(positions), STA_CASE(moments), STA_CASE(without_nan),
          STA_CASE(integers), STA_CASE(halves), STA_CASE(variances), STA_CASE(nan_places), STA_CASE(ties),
          STA_CASE(nothing), STA_CASE(initials), STA_CASE(errors), STA_CASE(bits), STA_CASE(short_rows),
          STA_CASE(fused), STA_CASE(one_pass), STA_CASE(not_of_the_pass), STA_CASE(no_memory))
