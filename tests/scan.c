/* Scans and differences against NumPy, over dtypes, axes and views; the bits of scans. ctest: sanitize tiny here omp gpu ranks=2 timeout=120 */
#include "cases.h"

#include "internal.h"
#include "scan/scan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct function {
    const char *name;
    sta_array (*plain)(sta_array x, int64_t axis);
    sta_array (*extended)(sta_array x, int64_t axis, const sta_scan_options *options);
} functions[] = {
    {"cumsum", sta_cumsum, sta_cumsum_ex},
    {"cumprod", sta_cumprod, sta_cumprod_ex},
    {"nancumsum", sta_nancumsum, sta_nancumsum_ex},
    {"nancumprod", sta_nancumprod, sta_nancumprod_ex},
    {"cummax", sta_cummax, NULL},
    {"cummin", sta_cummin, NULL},
    {"nancummax", sta_nancummax, NULL},
    {"nancummin", sta_nancummin, NULL},
};

/* ---- against NumPy ---- */

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
    static const double error[STA__DTYPES] = {[STA_float16] = 1e-3,   [STA_bfloat16] = 8e-3, [STA_float32] = 2e-6,
                                              [STA_complex64] = 2e-6, [STA_float64] = 4e-15, [STA_complex128] = 4e-15};
    return error[dtype] != 0 ? STA_NEAR(error[dtype], 100 * error[dtype]) : STA_EXACT;
}

static sta_array call(const struct sta_record *f, sta_array x, const int64_t *p)
{
    char name[40], view[40];
    if (sscanf(f->data, "%39s %39[^\n]", name, view) != 2)
        sta_test_fail(__FILE__, __LINE__, "what is %s?", (const char *)f->data);
    const sta_scan_options options = {sizeof options, (sta_dtype)p[1], (int)p[2]};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcmp(functions[i].name, name) == 0)
            return p[1] || p[2] ? functions[i].extended(view_of(x, view), p[0], &options)
                                : functions[i].plain(view_of(x, view), p[0]);
    sta_test_fail(__FILE__, __LINE__, "no function %s", name);
    return x;
}

static void as_numpy(void)
{
    const struct sta_oracle *oracle =
        sta_test_oracle("eval", "import scan_cases, oracle; globals().update(scan_cases.make(rng, oracle.NUMBER))");
    for (size_t k = 0; oracle && k + 3 < sta_oracle_count(oracle); k += 4) {
        if (sta__runtime.settings.tile_elements && k / 4 % 5)
            continue; /* many tasks: some of the cases are enough */
        const struct sta_record *x = sta_oracle_at(oracle, k + 1), *y = sta_oracle_at(oracle, k + 3);
        const int64_t *p = sta_oracle_at(oracle, k + 2)->data;
        sta_scope scope = sta_open();
        sta_array result = call(sta_oracle_at(oracle, k), sta_test_record_array(x), p);
        unsigned before = CU_get_number_of_failures();
        STA_ASSERT_RECORD(result, y, tolerance_of(y->dtype));
        if (CU_get_number_of_failures() != before)
            printf("    %s: %s, axis %d\n", y->name, (const char *)sta_oracle_at(oracle, k)->data, (int)p[0]);
        sta_close(scope);
    }
}

static void diff(struct sta_case *c)
{
    c->out[c->outs++] = sta_diff(c->x[0], c->n[0], c->n[1]);
}

static void diff_with(struct sta_case *c)
{
    const sta_diff_options options = {sizeof options, c->x[1], c->x[2]};
    c->out[c->outs++] = sta_diff_ex(c->x[0], c->n[0], c->n[1], &options);
}

static void ediff1d(struct sta_case *c)
{
    const sta_array none = {0};
    c->out[c->outs++] = c->count > 1 ? sta_ediff1d(c->x[0], c->x[1], c->x[2]) : sta_ediff1d(c->x[0], none, none);
}

static void gradient(struct sta_case *c)
{
    c->out[c->outs++] = sta_gradient(c->x[0], c->x[1], c->n[0], (int)c->n[1]);
}

static void cross(struct sta_case *c)
{
    c->out[c->outs++] = sta_cross(c->x[0], c->x[1], c->n[0]);
}

static void trapezoid(struct sta_case *c)
{
    c->out[c->outs++] = sta_trapezoid(c->x[0], c->count > 1 ? c->x[1] : (sta_array){0}, (double)c->n[1] / 4, c->n[0]);
}

static void unwrap(struct sta_case *c)
{
    const sta_unwrap_options options = {sizeof options, (double)c->n[1] / 4, (double)c->n[2] / 4};
    c->out[c->outs++] = sta_unwrap(c->x[0], c->n[0], &options);
}

static void differences_as_numpy(void)
{
    static const struct sta_case_call calls[] = {STA_CALL(diff),     STA_CALL(diff_with), STA_CALL(ediff1d),
                                                 STA_CALL(gradient), STA_CALL(cross),     STA_CALL(trapezoid),
                                                 STA_CALL(unwrap)};
    sta_test_cases("difference_cases", calls, sizeof calls / sizeof *calls);
}

/* ---- bits ---- */

static double number(int64_t i)
{
    uint64_t bits = (uint64_t)(i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    return ((double)(bits >> 40) - 8e6) * (i % 7 == 0 ? 1e-9 : 1e3);
}

/* The rule as scan.h says it. */
static double node(const double *x, int level, int64_t i)
{
    return level == 0 ? x[i] : node(x, level - 1, 2 * i) + node(x, level - 1, 2 * i + 1);
}

static double by_rule(const double *x, int64_t count)
{
    int level = 0;
    int64_t at = 0;
    double nodes[64];
    int depth = 0;
    for (level = 62; level >= 0; level--)
        if (count >> level & 1) {
            nodes[depth++] = node(x, level, at >> level);
            at += INT64_C(1) << level;
        }
    double sum = nodes[--depth];
    while (depth > 0)
        sum = nodes[--depth] + sum;
    return sum;
}

static double *numbers(int64_t count)
{
    double *x = malloc((size_t)count * sizeof *x);
    for (int64_t i = 0; x && i < count; i++)
        x[i] = number(i);
    return x;
}

/* Long lines: several tiles, and cut for a team. Not with tiles of 3, which would be very many. */
static void bits_of_a_line(void)
{
    const int64_t count = sta__runtime.settings.tile_elements ? 1000 : 1100000;
    double *x = numbers(count), *y = malloc((size_t)count * sizeof *y);
    if (!x || !y)
        abort();
    sta_array a = sta_test_array(STA_float64, STA_DIMS(count), x), scan = sta_cumsum(a, 0);
    STA_ASSERT_OK(sta_read(scan, y, (size_t)count * sizeof *y));
    int wrong = 0;
    for (int64_t i = 0; i < count; i += i < 5000 ? 1 : 7919)
        wrong += y[i] != by_rule(x, i + 1);
    CU_ASSERT_EQUAL(wrong, 0);
    for (int64_t i = 1; i <= count; i = i * 3 + 1) {
        double sum;
        STA_ASSERT_OK(sta_item_float(sta_sum(sta_slice(a, ":%lld", (long long)i), STA_ALL, 0), &sum));
        CU_ASSERT(sum == y[i - 1]);
    }
    free(x);
    free(y);
}

/* The same column beside others, and alone. */
static void bits_of_columns(void)
{
    const bool tiny = sta__runtime.settings.tile_elements != 0;
    const int64_t rows = tiny ? 20 : 1500, columns = tiny ? 47 : 300;
    double *x = numbers(rows * columns), *y = malloc((size_t)(rows * columns) * sizeof *y), line[1500];
    if (!x || !y)
        abort();
    sta_array a = sta_test_array(STA_float64, STA_DIMS(rows, columns), x);
    STA_ASSERT_OK(sta_read(sta_cumsum(a, 0), y, (size_t)(rows * columns) * sizeof *y));
    for (int64_t c = 0; c < columns; c += 23) {
        int wrong = 0;
        STA_ASSERT_OK(sta_read(sta_cumsum(sta_slice(a, ":, %d", (int)c), 0), line, (size_t)rows * sizeof *line));
        for (int64_t r = 0; r < rows; r++)
            wrong += line[r] != y[r * columns + c];
        CU_ASSERT_EQUAL(wrong, 0);
    }
    free(x);
    free(y);
}

/* What a lazy operand is made of is computed on the way. */
static void lazy(void)
{
    sta_array x = sta_arange(0, 7, 1, STA_float64);
    STA_ASSERT_EQUAL(sta_cumsum(sta_add(sta_multiply(x, x), sta_int(1)), 0), STA_float64, STA_DIMS(7),
                     ((double[]){1, 3, 8, 18, 35, 61, 98}));
    sta_array total = sta_cumsum(x, 0);
    sta_assign(x, sta_int(5)); /* what was scanned is what x was */
    STA_ASSERT_EQUAL(total, STA_float64, STA_DIMS(7), ((double[]){0, 1, 3, 6, 10, 15, 21}));
}

static int64_t *turned_of(const int64_t *x, int64_t rows, int64_t columns)
{
    static int64_t turned[70 * 300];
    for (int64_t r = 0; r < rows; r++)
        for (int64_t c = 0; c < columns; c++)
            turned[c * rows + r] = x[r * columns + c];
    return turned;
}

/* Any number of rows, and of columns; elements narrower than the result. */
static void rows_of_columns(void)
{
    enum { MOST = 70, WIDE = 300 };
    static uint8_t x[MOST * WIDE];
    static int64_t sums[MOST * WIDE], all[WIDE], less[WIDE];
    const int64_t wide_one = sta__runtime.settings.tile_elements == 3 ? 13 : WIDE; /* as many tasks else as elements */
    for (int i = 0; i < MOST * WIDE; i++)
        x[i] = (uint8_t)((unsigned)i * 2654435761U >> 13);
    for (int64_t rows = 1; rows <= MOST; rows += rows < 20 ? 1 : 25)
        for (int64_t width = 1; width <= wide_one; width += width < 4 ? 1 : wide_one - 4) {
            memset(all, 0, sizeof all);
            for (int64_t i = 0; i < rows * width; i++) {
                sums[i] = x[i] + (i >= width ? sums[i - width] : 0);
                all[i % width] ^= x[i];
                less[i % width] = i < width ? x[i] : less[i % width] - x[i];
            }
            sta_array a = sta_test_array(STA_uint8, STA_DIMS(rows, width), x), wide = sta_astype(a, STA_int64);
            STA_ASSERT_EQUAL(sta_astype(sta_cumsum(a, 0), STA_int64), STA_int64, STA_DIMS(rows, width), sums);
            STA_ASSERT_EQUAL(sta_cumsum(wide, 0), STA_int64, STA_DIMS(rows, width), sums);
            STA_ASSERT_EQUAL(sta_astype(sta_cumsum(sta_copy(sta_transpose(a, STA_ALL)), 1), STA_int64), STA_int64,
                             STA_DIMS(width, rows), (turned_of(sums, rows, width)));
            STA_ASSERT_EQUAL(sta_ufunc_reduce("bitwise_xor", wide, STA_AXES(0), 0, NULL), STA_int64, STA_DIMS(width),
                             all);
            STA_ASSERT_EQUAL(sta_ufunc_reduce("subtract", wide, STA_AXES(0), 0, NULL), STA_int64, STA_DIMS(width),
                             less);
        }
}

/* The search ends at 1; before it, it must not. */
static void divisors(void)
{
    enum { LONG = 1000 };
    static int64_t x[LONG];
    for (int64_t at = 1; at < LONG; at += 111) {
        for (int64_t i = 0; i < LONG; i++)
            x[i] = i < at ? 12 * (i + 1) : 18 * (i + 1);
        sta_array a = sta_test_array(STA_int64, STA_DIMS(LONG), x);
        STA_ASSERT_EQUAL(sta_ufunc_reduce("gcd", a, STA_ALL, 0, NULL), STA_int64, (sta_dims){0}, (int64_t[]){6});
        x[at] = 35;
        a = sta_test_array(STA_int64, STA_DIMS(LONG), x);
        STA_ASSERT_EQUAL(sta_ufunc_reduce("gcd", a, STA_ALL, 0, NULL), STA_int64, (sta_dims){0}, (int64_t[]){1});
    }
}

static void errors(void)
{
    sta_array x = sta_test_array(STA_float64, STA_DIMS(2, 3), ((double[]){1, 2, 3, 4, 5, 6}));
    STA_ASSERT_ERROR(sta_cumsum(x, 2), STA_ERROR_AXIS);
    STA_ASSERT_ERROR(sta_cumsum(x, -3), STA_ERROR_AXIS);
    STA_ASSERT_ERROR(sta_cumsum(sta_float(1), 0), STA_ERROR_SHAPE);
    STA_ASSERT_TEXT(sta_wait(sta_cummax(sta_float(1), 0))->text, "the shape is (): there is no axis");
    STA_ASSERT_ERROR(sta_cumsum((sta_array){0}, 0), STA_ERROR_INVALID_ARRAY);
    STA_ASSERT_ERROR(sta_cumsum_ex(x, 0, &(sta_scan_options){.size = sizeof(sta_scan_options), .dtype = (sta_dtype)99}),
                     STA_ERROR_DTYPE);
    STA_ASSERT_ERROR(sta_cumulative_sum(x, 0, &(sta_scan_options){.size = 1}), STA_ERROR_VALUE);
    STA_ASSERT_ERROR(sta_cumulative_prod(sta_load("no such file.npy"), 0, NULL), STA_ERROR_IO);
}

STA_TESTS("scan", STA_CASE(as_numpy), STA_CASE(differences_as_numpy), STA_CASE(bits_of_a_line),
          STA_CASE(bits_of_columns), STA_CASE(lazy), STA_CASE(rows_of_columns), STA_CASE(divisors), STA_CASE(errors))
