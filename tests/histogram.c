/* Histograms: bins, edges, weights, densities and errors. ctest: tiny omp gpu sanitize */
#include "sta_test.h"

#include <starray/histogram.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct sta_record *find(const struct sta_oracle *oracle, const char *letter, int k)
{
    char name[20];
    snprintf(name, sizeof name, "%s%d", letter, k);
    for (size_t i = 0; i < sta_oracle_count(oracle); i++)
        if (strcmp(sta_oracle_at(oracle, i)->name, name) == 0)
            return sta_oracle_at(oracle, i);
    return NULL;
}

static void as_numpy(void)
{
    const struct sta_oracle *oracle =
        sta_test_oracle("eval", "import histogram_cases; globals().update(histogram_cases.make(rng))");
    if (!oracle)
        return;
    const struct sta_record *x;
    for (int k = 0; (x = find(oracle, "x", k)) != NULL; k++) {
        const double *p = find(oracle, "p", k)->data;
        const struct sta_record *edges = find(oracle, "b", k), *weights = find(oracle, "w", k);
        sta_scope scope = sta_open();
        sta_histogram_options options = {.size = sizeof options, .has_range = p[1] != 0, .lo = p[2], .hi = p[3]};
        options.density = p[4] != 0;
        if (edges)
            options.edges = sta_test_record_array(edges);
        if (weights)
            options.weights = sta_test_record_array(weights);
        sta_histogram_result h = sta_histogram(sta_test_record_array(x), (int64_t)p[0], &options);
        STA_ASSERT_RECORD(h.edges, find(oracle, "e", k), STA_EXACT);
        const bool exact = p[5] != 0;
        const struct sta_record *counts = find(oracle, "h", k);
        const bool single = counts->dtype == STA_float32;
        STA_ASSERT_RECORD(h.counts, counts, exact ? STA_EXACT : single ? STA_NEAR(1e-5, 1e-5) : STA_NEAR(1e-12, 1e-12));
        sta_close(scope);
    }
}

/* Many elements: every bin is counted element by element, in both precisions, for bins that take each of the ways. */
static void bins_hold_their_elements(void)
{
    enum { COUNT = 5000 };
    static const int64_t bins[] = {1, 2, 63, 64, 65, 1000, 1024, 1025, 3000};
    static float x[COUNT];
    uint32_t state = 1;
    for (int i = 0; i < COUNT; i++) {
        state = state * 1664525u + 1013904223u;
        x[i] = i % 3 == 0 ? (float)(state >> 26) / 64.0F : (float)(state >> 8) / 16777216.0F;
    }
    sta_array array = sta_test_array(STA_float32, STA_DIMS(COUNT), x);
    for (size_t b = 0; b < sizeof bins / sizeof *bins; b++) {
        const int64_t n = bins[b];
        sta_histogram_result h = sta_histogram(array, n, NULL);
        float *edges = malloc((size_t)(n + 1) * sizeof *edges);
        int64_t *counts = malloc((size_t)n * sizeof *counts), *expected = calloc((size_t)n, sizeof *expected);
        CU_ASSERT_FATAL(edges && counts && expected);
        STA_ASSERT_OK(sta_read(h.edges, edges, (size_t)(n + 1) * sizeof *edges));
        STA_ASSERT_OK(sta_read(h.counts, counts, (size_t)n * sizeof *counts));
        for (int i = 0; i < COUNT; i++) {
            int64_t k = (int64_t)((double)(x[i] - edges[0]) / (double)(edges[n] - edges[0]) * (double)n);
            k = k > n - 1 ? n - 1 : k;
            while (k > 0 && x[i] < edges[k])
                k--;
            while (k < n - 1 && x[i] >= edges[k + 1])
                k++;
            expected[k]++;
        }
        CU_ASSERT_EQUAL(memcmp(counts, expected, (size_t)n * sizeof *counts), 0);
        free(edges);
        free(counts);
        free(expected);
    }
}

/* 16-bit floats: each element lies where its edges say. */
static void halves(void)
{
    static const uint16_t x[] = {0x0000, 0x3c00, 0x4000, 0x4200, 0x3800, 0x7e00}; /* 0 1 2 3 0.5 nan */
    sta_histogram_options options = {.size = sizeof options, .has_range = 1, .lo = 0, .hi = 4};
    sta_histogram_result h = sta_histogram(sta_test_array(STA_float16, STA_DIMS(6), x), 4, &options);
    STA_ASSERT_EQUAL(h.edges, STA_float16, STA_DIMS(5), ((uint16_t[]){0x0000, 0x3c00, 0x4000, 0x4200, 0x4400}));
    STA_ASSERT_EQUAL(h.counts, STA_int64, STA_DIMS(4), ((int64_t[]){2, 1, 1, 1}));
}

/* Views, and weights that are x itself. */
static void views(void)
{
    sta_array x = sta_test_array(STA_float64, STA_DIMS(2, 3), ((double[]){0, 1, 2, 3, 4, 5}));
    sta_histogram_result h = sta_histogram(sta_slice(x, ":, ::-2"), 2, NULL);
    STA_ASSERT_EQUAL(h.counts, STA_int64, STA_DIMS(2), ((int64_t[]){2, 2}));
    STA_ASSERT_EQUAL(h.edges, STA_float64, STA_DIMS(3), ((double[]){0, 2.5, 5}));
    sta_histogram_options options = {.size = sizeof options, .weights = x};
    h = sta_histogram(x, 2, &options);
    STA_ASSERT_EQUAL(h.counts, STA_float64, STA_DIMS(2), ((double[]){3, 12}));
    options.weights =
        sta_transpose(sta_test_array(STA_int32, STA_DIMS(3, 2), ((int32_t[]){1, 10, 2, 20, 3, 30})), STA_ALL);
    h = sta_histogram(sta_multiply(x, sta_int(2)), 2, &options);
    STA_ASSERT_EQUAL(h.counts, STA_int32, STA_DIMS(2), ((int32_t[]){6, 60}));
}

static void both_fail(sta_histogram_result h, sta_error_code code)
{
    STA_ASSERT_ERROR(h.counts, code);
    STA_ASSERT_ERROR(h.edges, code);
}

static void errors(void)
{
    sta_array x = sta_test_array(STA_float64, STA_DIMS(3), ((double[]){1, 2, NAN}));
    both_fail(sta_histogram(x, 3, NULL), STA_ERROR_VALUE);
    STA_ASSERT_TEXT(sta_wait(sta_histogram(x, 3, NULL).edges)->text, "autodetected range of [nan, nan] is not finite");
    both_fail(sta_histogram(x, 0, NULL), STA_ERROR_VALUE);
    both_fail(sta_histogram(x, INT64_MAX, NULL), STA_ERROR_VALUE);
    both_fail(sta_histogram((sta_array){0}, 3, NULL), STA_ERROR_INVALID_ARRAY);
    both_fail(sta_histogram(sta_astype(x, STA_complex64), 3, NULL), STA_ERROR_DTYPE);
    sta_histogram_options range = {.size = sizeof range, .has_range = 1, .lo = 2, .hi = 1};
    both_fail(sta_histogram(x, 3, &range), STA_ERROR_VALUE);
    range.hi = (double)INFINITY;
    both_fail(sta_histogram(x, 3, &range), STA_ERROR_VALUE);
    sta_histogram_options weights = {.size = sizeof weights, .weights = sta_slice(x, ":2")};
    both_fail(sta_histogram(x, 3, &weights), STA_ERROR_SHAPE);
    sta_histogram_options edges = {.size = sizeof edges};
    edges.edges = sta_test_array(STA_float64, STA_DIMS(3), ((double[]){1, 3, 2}));
    both_fail(sta_histogram(x, 0, &edges), STA_ERROR_VALUE);
    edges.edges = x;
    both_fail(sta_histogram(x, 0, &edges), STA_ERROR_VALUE);
    edges.edges = sta_test_array(STA_float64, STA_DIMS(1, 1), ((double[]){1}));
    both_fail(sta_histogram(x, 0, &edges), STA_ERROR_SHAPE);
    sta_array same = sta_test_array(STA_float32, STA_DIMS(2), ((float[]){1e9F, 1e9F}));
    both_fail(sta_histogram(same, 3, NULL), STA_ERROR_VALUE);
}

STA_TESTS("histogram", STA_CASE(as_numpy), STA_CASE(bins_hold_their_elements), STA_CASE(halves), STA_CASE(views),
          STA_CASE(errors))
