/* A few elements of a large array that are written: what it holds then, what its readers, copies and views see, and what is
 * refused. Against loops over memory. ctest: tiny omp sanitize */
#include "sta_test.h"

#include "internal.h"

#include <stdlib.h>
#include <string.h>

static int64_t size(void)
{
    return sta__runtime.settings.tile_elements == 3 ? 60 : 600000;
}

/* 0, 1, .. in memory, and as an array of that dtype. */
static sta_array counted(sta_dtype dtype, int64_t rows, double **to)
{
    const int64_t n = size();
    *to = malloc(sizeof **to * (size_t)n);
    CU_ASSERT_PTR_NOT_NULL_FATAL(*to);
    for (int64_t i = 0; i < n; i++)
        (*to)[i] = (double)(i % 100);
    sta_array x = sta_copy(sta_astype(sta_test_array(STA_float64, STA_DIMS(n), *to), dtype));
    x = rows ? sta_eval(sta_positive(sta_reshape(x, STA_DIMS(rows, n / rows)))) : sta_eval(sta_add(x, sta_int(0)));
    STA_ASSERT_OK(sta_wait(x));
    return x;
}

static void check(sta_array x, double *expected)
{
    STA_ASSERT_EQUAL(sta_astype(sta_ravel(x), STA_float64), STA_float64, STA_DIMS(size()), expected);
    free(expected);
}

static void at_indices(void)
{
    static const sta_dtype dtypes[] = {STA_uint8, STA_int16, STA_float32, STA_float64, STA_complex128};
    const int64_t n = size();
    for (size_t d = 0; d < sizeof dtypes / sizeof *dtypes; d++) {
        double *expected;
        sta_array x = counted(dtypes[d], 0, &expected);
        const int64_t ids[] = {5, n - 1, -1, 0, 17, 5, -n, n / 2};
        sta_array by = sta_test_array(STA_int64, STA_DIMS(8), ids);
        sta_array old = sta_copy(x), view = sta_slice(x, "::-2");
        sta_assign_at(x, STA_INDEX(STA_SPAN_BY(by)), sta_int(7));
        double *before = malloc(sizeof *before * (size_t)n);
        memcpy(before, expected, sizeof *before * (size_t)n);
        check(old, before);
        for (int i = 0; i < 8; i++)
            expected[(ids[i] + n) % n] = 7;
        sta_assign_at(x, STA_INDEX(STA_SPAN_BY(by)), sta_int(9)); /* nobody else holds it now, or its copy does */
        sta_free(old);
        sta_assign_at(x, STA_INDEX(STA_SPAN_BY(by)), sta_int(11));
        for (int i = 0; i < 8; i++)
            expected[(ids[i] + n) % n] = 11;
        sta_assign_at(view, STA_INDEX(STA_SPAN_BY(sta_test_array(STA_int64, STA_DIMS(2), (int64_t[]){1, -2}))),
                      sta_int(3));
        expected[n - 3] = expected[(n - 1) - 2 * (n / 2 - 2)] = 3;
        check(x, expected);
    }
}

/* A reader that has not been computed sees what was there; an index out of range leaves everything. */
static void readers_and_refusals(void)
{
    const int64_t n = size();
    double *expected;
    sta_array x = counted(STA_float64, 0, &expected), later = sta_add(x, sta_int(1));
    sta_assign_at(x, STA_INDEX(STA_SPAN_BY(sta_test_array(STA_int64, STA_DIMS(1), (int64_t[]){3}))), sta_int(-1));
    STA_ASSERT_EQUAL(sta_slice(later, "2:5"), STA_float64, STA_DIMS(3), ((double[]){3, 4, 5}));
    sta_free(later);
    expected[3] = -1;
    sta_array y = sta_copy(x);
    sta_assign_at(y, STA_INDEX(STA_SPAN_BY(sta_test_array(STA_int64, STA_DIMS(2), (int64_t[]){0, n}))), sta_int(8));
    STA_ASSERT_ERROR(y, STA_ERROR_INDEX);
    check(x, expected);
}

static void through_views(void)
{
    const int64_t n = size(), rows = n / 10;
    double *expected;
    sta_array x = counted(STA_float64, rows, &expected);
    sta_assign(sta_slice(x, "-1"), sta_int(-5));
    sta_assign(sta_slice(x, "1:%d:%d, 3", (int)rows, (int)(rows / 5)), sta_arange_int(0, 5, 1, STA_int64));
    sta_fill_diagonal(x, sta_int(-7), 0);
    for (int64_t j = 0; j < 10; j++)
        expected[(rows - 1) * 10 + j] = -5;
    for (int64_t i = 0; i < 5; i++)
        expected[(1 + i * (rows / 5)) * 10 + 3] = (double)i;
    for (int64_t i = 0; i < 10 && i < rows; i++)
        expected[i * 10 + i] = -7;
    check(x, expected);
}

STA_TESTS("few", STA_CASE(at_indices), STA_CASE(readers_and_refusals), STA_CASE(through_views))
