/* Where selected elements lie: tiles of any length, columns, masks that are written in place, indices that are looked at once
 * and changed then. Against loops over memory. ctest: tiny omp gpu sanitize */
#include "sta_test.h"

#include "internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool tiny(void)
{
    return sta__runtime.settings.tile_elements == 3;
}

/* Numbers in no order that anybody would think of. */
static int64_t mixed(int64_t i, int64_t n)
{
    return (int64_t)(((uint64_t)i * 2654435761U + 12345U) % (uint64_t)n);
}

static int64_t *numbers(int64_t n)
{
    int64_t *to = malloc(sizeof *to * (size_t)(n + 1));
    CU_ASSERT_PTR_NOT_NULL_FATAL(to);
    for (int64_t i = 0; i < n; i++)
        to[i] = i;
    return to;
}

/* Of a flat view of rows, whose tiles are so many rows long. */
static void tiles_of_any_length(void)
{
    const int64_t widths[] = {1, 7, 12, 300, 1024};
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
        sta_scope scope = sta_open();
        const int64_t width = tiny() ? widths[w] % 8 + 1 : widths[w], rows = (tiny() ? 60 : 600000) / width,
                      n = rows * width;
        int64_t *ids = numbers(n), *expected = numbers(n);
        for (int64_t i = 0; i < n; i++)
            ids[i] = mixed(i, n) - (i % 5 ? 0 : n);
        sta_array x = sta_eval(sta_zeros(STA_DIMS(rows, width), STA_int64)),
                  by = sta_test_array(STA_int64, STA_DIMS(n), ids),
                  values = sta_eval(sta_arange_int(0, n, 1, STA_int64));
        for (int round = 0; round < 2; round++) { /* the second time the indices are known */
            memset(expected, 0, sizeof *expected * (size_t)n);
            for (int64_t i = 0; i < n; i++)
                expected[(ids[i] + n) % n] = i;
            sta_put(x, by, values, STA_MODE_RAISE);
            STA_ASSERT_EQUAL(x, STA_int64, STA_DIMS(rows, width), expected);
            for (int64_t i = 0; i < n; i++)
                expected[(ids[i] + n) % n] += i;
            sta_array line = sta_reshape(x, STA_DIMS(n));
            sta_add_at(line, STA_INDEX(STA_SPAN_BY(by)), values);
            STA_ASSERT_EQUAL(x, STA_int64, STA_DIMS(rows, width), expected);
            int64_t *taken = numbers(n);
            for (int64_t i = 0; i < n; i++)
                taken[i] = expected[(ids[i] + n) % n];
            STA_ASSERT_EQUAL(sta_take(x, by, STA_FLAT, STA_MODE_RAISE), STA_int64, STA_DIMS(n), taken);
            free(taken);
        }
        free(ids);
        free(expected);
        sta_close(scope);
    }
}

/* Indices that are changed, in place or by whoever owns the memory, are looked at again. */
static void indices_change(void)
{
    const int64_t n = tiny() ? 40 : 300000;
    int64_t *ids = numbers(n), *expected = numbers(n);
    sta_array x = sta_eval(sta_zeros(STA_DIMS(n), STA_int64)), by = sta_test_array(STA_int64, STA_DIMS(n), ids);
    sta_items index = {1, (sta_span[]){STA_SPAN_BY(by)}};
    sta_assign_at(x, index, by);
    STA_ASSERT_EQUAL(x, STA_int64, STA_DIMS(n), expected);
    sta_assign(sta_slice(by, "%lld", (long long)(n - 1)), sta_int(0));
    sta_assign_at(x, index, sta_int(7));
    for (int64_t i = 0; i < n - 1; i++)
        expected[i] = 7;
    STA_ASSERT_EQUAL(x, STA_int64, STA_DIMS(n), expected);
    sta_assign(sta_slice(by, "3"), sta_int(n));
    sta_array twin = sta_slice(x, ":");
    STA_ASSERT_ERROR(sta_assign_at(twin, index, sta_int(8)), STA_ERROR_INDEX);
    STA_ASSERT_EQUAL(x, STA_int64, STA_DIMS(n), expected);
    sta_array longer = sta_eval(sta_zeros(STA_DIMS(2 * n), STA_int64)); /* it is in range there */
    STA_ASSERT_OK(sta_wait(sta_assign_at(longer, index, sta_int(8))));
    sta_array own = sta_from_buffer(ids, STA_int64, STA_DIMS(n), NULL, 0, NULL, NULL);
    sta_items mine = {1, (sta_span[]){STA_SPAN_BY(own)}};
    STA_ASSERT_OK(sta_wait(sta_assign_at(x, mine, sta_int(9))));
    STA_ASSERT_OK(sta_wait(own));
    sta_free(own);
    free(ids);
    free(expected);
}

/* x[:, ids], x[:, ids, :] and writing, for x of three axes. */
static void columns(void)
{
    const int64_t a = tiny() ? 4 : 300, b = tiny() ? 5 : 400, depths[] = {1, 3}, count = tiny() ? 7 : 500;
    int64_t *ids = numbers(count);
    for (int64_t j = 0; j < count; j++)
        ids[j] = mixed(j, b) - (j % 3 ? 0 : b);
    for (int d = 0; d < 2; d++) {
        sta_scope scope = sta_open();
        const int64_t c = depths[d], n = a * b * c, size = a * count * c;
        int64_t *data = numbers(n), *expected = numbers(size);
        sta_array x = sta_eval(sta_reshape(sta_arange_int(0, n, 1, STA_int64), STA_DIMS(a, b, c)));
        sta_array by = sta_test_array(STA_int64, STA_DIMS(count), ids);
        sta_items index = {2, (sta_span[]){STA_SPAN_ALL, STA_SPAN_BY(by)}};
        for (int64_t i = 0; i < size; i++)
            expected[i] = i / (count * c) * b * c + (ids[i / c % count] + b) % b * c + i % c;
        STA_ASSERT_EQUAL(sta_at(x, index), STA_int64, STA_DIMS(a, count, c), expected);
        STA_ASSERT_EQUAL(sta_take(x, by, 1, STA_MODE_RAISE), STA_int64, STA_DIMS(a, count, c), expected);
        sta_array source = sta_eval(sta_reshape(sta_arange_int(0, size, 1, STA_int64), STA_DIMS(a, count, c)));
        sta_array sum = sta_copy(x);
        sta_assign_at(x, index, source);
        sta_add_at(sum, index, source);
        int64_t *sums = numbers(n);
        for (int64_t i = 0; i < size; i++) {
            data[expected[i]] = i;
            sums[expected[i]] += i;
        }
        STA_ASSERT_EQUAL(x, STA_int64, STA_DIMS(a, b, c), data);
        STA_ASSERT_EQUAL(sum, STA_int64, STA_DIMS(a, b, c), sums);
        sta_array turned = sta_transpose(x, STA_AXES(1, 0, 2));
        sta_assign_at(turned, STA_INDEX(STA_SPAN_BY(by)), sta_int(-1));
        for (int64_t i = 0; i < size; i++)
            data[expected[i]] = -1;
        STA_ASSERT_EQUAL(x, STA_int64, STA_DIMS(a, b, c), data);
        free(data);
        free(expected);
        free(sums);
        sta_close(scope);
    }
    free(ids);
}

/* Where one in `every` is true: written in place, or not where somebody else holds x. */
static void masks_of(sta_dtype dtype, int64_t every)
{
    sta_scope scope = sta_open();
    const int64_t n = tiny() ? 150 : 300000;
    uint8_t *mask = malloc((size_t)n);
    int64_t *expected = numbers(n);
    CU_ASSERT_PTR_NOT_NULL_FATAL(mask);
    for (int64_t i = 0; i < n; i++) {
        mask[i] = every && mixed(i, every) == 0;
        expected[i] = mask[i] ? 1 : i % 100;
    }
    sta_array start = sta_remainder(sta_arange_int(0, n, 1, STA_int64), sta_int(100));
    sta_array x = sta_eval(sta_astype(start, dtype)), by = sta_test_array(STA_bool, STA_DIMS(n), mask);
    sta_items index = {1, (sta_span[]){STA_SPAN_BY(by)}};
    STA_ASSERT_OK(sta_wait(x));
    sta_assign_at(x, index, sta_int(1));
    STA_ASSERT_EQUAL(sta_astype(sta_real(x), STA_int64), STA_int64, STA_DIMS(n), expected);
    sta_array before = sta_add(x, x), copy = sta_copy(x); /* both read what x is now */
    sta_assign_at(x, index, sta_test_array(STA_int8, STA_DIMS(1), (int8_t[]){2}));
    for (int64_t i = 0; i < n; i++)
        expected[i] *= 2;
    STA_ASSERT_EQUAL(sta_astype(sta_real(before), STA_int64), STA_int64, STA_DIMS(n), expected);
    for (int64_t i = 0; i < n; i++)
        expected[i] /= 2;
    STA_ASSERT_EQUAL(sta_astype(sta_real(copy), STA_int64), STA_int64, STA_DIMS(n), expected);
    for (int64_t i = 0; i < n; i++)
        expected[i] = mask[i] ? 2 : expected[i];
    STA_ASSERT_EQUAL(sta_astype(sta_real(x), STA_int64), STA_int64, STA_DIMS(n), expected);
    int64_t count = 0;
    for (int64_t i = 0; i < n; i++)
        if (mask[i])
            expected[count++] = i;
    STA_ASSERT_EQUAL(sta_flatnonzero(by), STA_int64, STA_DIMS(count), expected);
    free(mask);
    free(expected);
    sta_close(scope);
}

static void masks_in_place(void)
{
    const sta_dtype dtypes[] = {STA_uint8, STA_int16, STA_float32, STA_float64, STA_complex128};
    const int64_t every[] = {0, 1, 2, 7, 90};
    for (size_t d = 0; d < sizeof dtypes / sizeof *dtypes; d++)
        for (size_t e = 0; e < sizeof every / sizeof *every; e++)
            masks_of(dtypes[d], every[e]);
}

/* One of the mask stands for a row: of one value, or of as many as the row has. */
static void masks_of_rows(void)
{
    const int64_t rows = tiny() ? 20 : 3000, width = tiny() ? 5 : 110, n = rows * width;
    uint8_t *mask = malloc((size_t)rows);
    int64_t *expected = numbers(n);
    CU_ASSERT_PTR_NOT_NULL_FATAL(mask);
    for (int64_t i = 0; i < rows; i++)
        mask[i] = mixed(i, 3) == 0;
    sta_array x = sta_eval(sta_reshape(sta_arange_int(0, n, 1, STA_int64), STA_DIMS(rows, width)));
    sta_array by = sta_test_array(STA_bool, STA_DIMS(rows), mask), row = sta_arange_int(0, width, 1, STA_int64);
    sta_items index = {1, (sta_span[]){STA_SPAN_BY(by)}};
    STA_ASSERT_OK(sta_wait(x));
    sta_assign_at(x, index, sta_int(-5));
    for (int64_t i = 0; i < n; i++)
        expected[i] = mask[i / width] ? -5 : i;
    STA_ASSERT_EQUAL(x, STA_int64, STA_DIMS(rows, width), expected);
    sta_assign_at(x, index, sta_reshape(row, STA_DIMS(1, width)));
    for (int64_t i = 0; i < n; i++)
        expected[i] = mask[i / width] ? i % width : i;
    STA_ASSERT_EQUAL(x, STA_int64, STA_DIMS(rows, width), expected);
    sta_assign_at(x, index, sta_slice(x, "1, 2:3")); /* of x itself */
    for (int64_t i = 0, value = expected[width + 2]; i < n; i++)
        expected[i] = mask[i / width] ? value : expected[i];
    STA_ASSERT_EQUAL(x, STA_int64, STA_DIMS(rows, width), expected);
    sta_array line = sta_reshape(x, STA_DIMS(n)), odd = sta_eval(sta_greater(line, sta_int(n / 2)));
    sta_assign_at(line, STA_INDEX(STA_SPAN_BY(odd)), sta_int(0)); /* in another frame, by a mask of it */
    for (int64_t i = 0; i < n; i++)
        expected[i] = expected[i] > n / 2 ? 0 : expected[i];
    STA_ASSERT_EQUAL(x, STA_int64, STA_DIMS(rows, width), expected);
    STA_ASSERT_ERROR(sta_assign_at(x, index, sta_zeros(STA_DIMS(width + 1), STA_int64)), STA_ERROR_SHAPE);
    free(mask);
    free(expected);
}

/* Extremes where many are for one place: signs, NaN, in order. */
static void extremes(void)
{
    const int64_t n = tiny() ? 60 : 200000, places = tiny() ? 7 : 50000;
    const sta_dtype dtypes[] = {STA_int8,   STA_uint8, STA_int16,  STA_uint16,  STA_int32,
                                STA_uint32, STA_int64, STA_uint64, STA_float32, STA_float64};
    double *values = malloc(sizeof *values * (size_t)n), *most = malloc(sizeof *most * (size_t)places),
           *least = malloc(sizeof *least * (size_t)places);
    int64_t *ids = numbers(n);
    CU_ASSERT_FATAL(values && most && least);
    for (size_t d = 0; d < sizeof dtypes / sizeof *dtypes; d++) {
        sta_scope scope = sta_open();
        const bool positive = d % 2 && d < 8, floating = d >= 8;
        for (int64_t i = 0; i < places; i++)
            most[i] = least[i] = 50;
        for (int64_t i = 0; i < n; i++) {
            double *a = &most[ids[i] = mixed(i, places)], *b = &least[ids[i]];
            values[i] = floating && i % 1000 == 7 ? (double)NAN : (double)(mixed(i, 101) - (positive ? 0 : 50));
            *a = *a >= values[i] || isnan(*a) ? *a : values[i];
            *b = *b <= values[i] || isnan(*b) ? *b : values[i];
        }
        sta_array with = sta_astype(sta_test_array(STA_float64, STA_DIMS(n), values), dtypes[d]);
        sta_array high = sta_full(STA_DIMS(places), sta_int(50), dtypes[d]), low = sta_copy(high);
        sta_items index = {1, (sta_span[]){STA_SPAN_BY(sta_test_array(STA_int64, STA_DIMS(n), ids))}};
        STA_ASSERT_EQUAL(sta_astype(sta_maximum_at(high, index, with), STA_float64), STA_float64, STA_DIMS(places),
                         most);
        STA_ASSERT_EQUAL(sta_astype(sta_minimum_at(low, index, with), STA_float64), STA_float64, STA_DIMS(places),
                         least);
        sta_close(scope);
    }
    free(values);
    free(most);
    free(least);
    free(ids);
}

/* Indices of several axes, of lengths that are divided by products, and by 1. */
static void unravelled(void)
{
    const int64_t n = tiny() ? 30 : 100000;
    const sta_dims shapes[] = {STA_DIMS(n),
                               STA_DIMS(1, n),
                               STA_DIMS(7, n),
                               STA_DIMS(3, 1, n / 2, 5),
                               STA_DIMS(INT64_C(1) << 31, 3),
                               STA_DIMS(3, INT64_C(1) << 40)};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        sta_scope scope = sta_open();
        int64_t *ids = numbers(n), *expected = numbers(n), size = 1;
        sta_array to[STA_MAXDIM];
        for (int d = 0; d < shapes[s].count; d++)
            size *= shapes[s].at[d];
        for (int64_t i = 0; i < n; i++)
            ids[i] = i % 2 ? size - 1 - i / 2 : mixed(i, size);
        sta_unravel_index(to, sta_test_array(STA_int64, STA_DIMS(n), ids), shapes[s]);
        for (int d = shapes[s].count - 1; d >= 0; d--) {
            for (int64_t i = 0; i < n; i++) {
                expected[i] = ids[i] % shapes[s].at[d];
                ids[i] /= shapes[s].at[d];
            }
            STA_ASSERT_EQUAL(to[d], STA_int64, STA_DIMS(n), expected);
        }
        free(ids);
        free(expected);
        sta_close(scope);
    }
}

STA_TESTS("index_places", STA_CASE(tiles_of_any_length), STA_CASE(indices_change), STA_CASE(columns),
          STA_CASE(masks_in_place), STA_CASE(masks_of_rows), STA_CASE(extremes), STA_CASE(unravelled))
