/* Assignment: what overlaps, how targets and sources lie, who sees a write, memory of the program. Everything is done as
 * if the right side had been read before the first write. ctest: tiny here omp gpu sanitize */
#include "sta_test.h"

#include "internal.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SIDE = 64, LENGTH = 20000 };

/* Sizes of several tiles, and small ones. */
static int64_t side(void)
{
    return sta__runtime.settings.tile_elements == 3 ? 10 : SIDE;
}

static int64_t length_of(int64_t wanted)
{
    return sta__runtime.settings.tile_elements == 3 ? wanted / 200 : wanted;
}

static double *numbers(int64_t count)
{
    double *data = malloc(sizeof *data * (size_t)(count + 1));
    CU_ASSERT_PTR_NOT_NULL_FATAL(data);
    for (int64_t i = 0; i < count; i++)
        data[i] = (double)i;
    return data;
}

/* ---- overlap ---- */

static void plus_transposed(void)
{
    int64_t n = side();
    double *data = numbers(n * n), *expected = numbers(n * n);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            expected[i * n + j] = (double)(i * n + j + j * n + i);
    sta_array x = sta_test_array(STA_float64, STA_DIMS(n, n), data);
    STA_ASSERT_EQUAL(sta_add(x, sta_transpose(x, STA_ALL)), STA_float64, STA_DIMS(n, n), expected);
    sta_add_into(x, x, sta_transpose(x, STA_ALL));
    STA_ASSERT_EQUAL(x, STA_float64, STA_DIMS(n, n), expected);
    sta_array small = sta_test_array(STA_int32, STA_DIMS(2, 2), (int32_t[]){1, 2, 3, 4});
    sta_assign(small, sta_add(small, sta_transpose(small, STA_ALL)));
    STA_ASSERT_EQUAL(small, STA_int32, STA_DIMS(2, 2), ((int32_t[]){2, 5, 5, 8}));
    free(data);
    free(expected);
}

static void plus_shifted(void)
{
    int64_t n = length_of(LENGTH);
    double *data = numbers(n), *expected = numbers(n);
    for (int64_t i = 1; i < n; i++)
        expected[i] = data[i] + data[i - 1];
    sta_array x = sta_test_array(STA_float64, STA_DIMS(n), data);
    sta_array behind = sta_slice(x, "1:"), before = sta_slice(x, ":-1");
    sta_add_into(behind, behind, before);
    STA_ASSERT_EQUAL(x, STA_float64, STA_DIMS(n), expected);
    sta_array ones = sta_ones(STA_DIMS(n), STA_float64);
    behind = sta_slice(ones, "1:");
    sta_add_into(behind, behind, sta_slice(ones, ":-1"));
    sta_multiply_into(behind, behind, sta_float(0.5));
    for (int64_t i = 0; i < n; i++)
        expected[i] = 1;
    STA_ASSERT_EQUAL(ones, STA_float64, STA_DIMS(n), expected);
    free(data);
    free(expected);
}

static void shifted_small(void)
{
    sta_array a = sta_arange_int(0, 6, 1, STA_int64);
    sta_add_into(sta_slice(a, "1:"), sta_slice(a, "1:"), sta_slice(a, ":-1"));
    STA_ASSERT_EQUAL(a, STA_int64, STA_DIMS(6), ((int64_t[]){0, 1, 3, 5, 7, 9}));
    sta_array i = sta_arange_int(0, 10, 1, STA_int64);
    sta_assign(sta_slice(i, "3:8"), sta_slice(i, ":5"));
    STA_ASSERT_EQUAL(i, STA_int64, STA_DIMS(10), ((int64_t[]){0, 1, 2, 0, 1, 2, 3, 4, 8, 9}));
    i = sta_arange_int(0, 10, 1, STA_int64);
    sta_assign(sta_slice(i, ":5"), sta_slice(i, "3:8"));
    STA_ASSERT_EQUAL(i, STA_int64, STA_DIMS(10), ((int64_t[]){3, 4, 5, 6, 7, 5, 6, 7, 8, 9}));
    sta_assign(i, sta_flip(i, STA_ALL));
    STA_ASSERT_EQUAL(i, STA_int64, STA_DIMS(10), ((int64_t[]){9, 8, 7, 6, 5, 7, 6, 5, 4, 3}));
    sta_array r = sta_test_array(STA_float64, STA_DIMS(3, 3), (double[]){2, 4, 8, 1, 1, 1, 4, 4, 4});
    sta_divide_into(r, r, sta_slice(r, "0"));
    STA_ASSERT_EQUAL(r, STA_float64, STA_DIMS(3, 3), ((double[]){1, 1, 1, .5, .25, .125, 2, 1, .5}));
}

/* ---- targets ---- */

#define HAS(x, ...) STA_ASSERT_EQUAL(x, STA_int32, STA_DIMS(3, 4), ((int32_t[]){__VA_ARGS__}))

static sta_array table(void)
{
    return sta_test_array(STA_int32, STA_DIMS(3, 4), (int32_t[]){0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
}

static void targets(void)
{
    sta_array x = table();
    sta_assign(sta_slice(x, "::-1, ::2"),
               sta_test_array(STA_int32, STA_DIMS(3, 2), (int32_t[]){-1, -2, -3, -4, -5, -6}));
    HAS(x, -5, 1, -6, 3, -3, 5, -4, 7, -1, 9, -2, 11);
    x = table();
    sta_assign(sta_transpose(x, STA_ALL),
               sta_test_array(STA_int32, STA_DIMS(4, 3), (int32_t[]){0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
    HAS(x, 0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11);
    x = table();
    sta_assign(sta_diagonal(x, 1, 0, 1), sta_test_array(STA_int32, STA_DIMS(3), (int32_t[]){-1, -2, -3}));
    HAS(x, 0, -1, 2, 3, 4, 5, -2, 7, 8, 9, 10, -3);
    sta_add_into(sta_diagonal(x, -1, 0, 1), sta_diagonal(x, -1, 0, 1), sta_diagonal(x, 1, 0, 1));
    STA_ASSERT_ERROR(x, STA_ERROR_SHAPE); /* 2 and 3 do not broadcast: the array is not what was meant */
    x = table();
    sta_assign(sta_slice(x, "1, newaxis, 1:-1"), sta_test_array(STA_int32, STA_DIMS(1, 1, 2), (int32_t[]){-5, -6}));
    HAS(x, 0, 1, 2, 3, 4, -5, -6, 7, 8, 9, 10, 11);
    sta_assign(sta_slice(x, "-1, -1"), sta_int(99));
    HAS(x, 0, 1, 2, 3, 4, -5, -6, 7, 8, 9, 10, 99);
    sta_assign(sta_slice(x, "3:"), sta_int(5));
    sta_assign(sta_slice(x, ":, 4:"), sta_zeros(STA_DIMS(3, 0), STA_int32));
    HAS(x, 0, 1, 2, 3, 4, -5, -6, 7, 8, 9, 10, 99);
    sta_array scalar = sta_zeros(STA_SCALAR, STA_int32);
    sta_assign(scalar, sta_int(7));
    STA_ASSERT_EQUAL(scalar, STA_int32, STA_SCALAR, ((int32_t[]){7}));
}

static void sources(void)
{
    sta_array x = table();
    sta_assign(x, sta_test_array(STA_int32, STA_DIMS(4), (int32_t[]){1, 2, 3, 4}));
    HAS(x, 1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4);
    sta_assign(sta_slice(x, ":, 1:3"), sta_test_array(STA_int32, STA_DIMS(3, 1), (int32_t[]){7, 8, 9}));
    HAS(x, 1, 7, 7, 4, 1, 8, 8, 4, 1, 9, 9, 4);
    sta_assign(sta_slice(x, "0"), sta_broadcast_to(sta_slice(x, "2, 1"), STA_DIMS(4)));
    HAS(x, 9, 9, 9, 9, 1, 8, 8, 4, 1, 9, 9, 4);
    sta_assign(sta_slice(x, "1"), sta_test_array(STA_float64, STA_DIMS(1, 1, 4), (double[]){1.9, -1.9, 1e300, -1e300}));
    HAS(x, 9, 9, 9, 9, 1, -1, INT32_MAX, INT32_MIN, 1, 9, 9, 4);
    sta_assign(sta_slice(x, "2"), sta_test_array(STA_bool, STA_DIMS(4), (uint8_t[]){1, 0, 1, 0}));
    HAS(x, 9, 9, 9, 9, 1, -1, INT32_MAX, INT32_MIN, 1, 0, 1, 0);
    sta_array u = sta_zeros(STA_DIMS(3), STA_uint8);
    sta_assign(u, sta_test_array(STA_complex128, STA_DIMS(3), (sta_complex128[]){{3, 4}, {-3, 0}, {257, 1}}));
    STA_ASSERT_EQUAL(u, STA_uint8, STA_DIMS(3), ((uint8_t[]){3, 0, 255}));
    sta_add_into(u, sta_slice(table(), "0, :3"), sta_int(255)); /* 255, 256, 257 wrap */
    STA_ASSERT_EQUAL(u, STA_uint8, STA_DIMS(3), ((uint8_t[]){255, 0, 1}));
}

/* ---- refusals ---- */

static void refused(void)
{
    sta_array x = sta_test_array(STA_int32, STA_DIMS(1, 3), (int32_t[]){1, 2, 3});
    sta_array rows = sta_broadcast_to(x, STA_DIMS(4, 3));
    STA_ASSERT_ERROR(sta_add_into(rows, rows, sta_int(1)), STA_ERROR_READ_ONLY);
    STA_ASSERT_EQUAL(x, STA_int32, STA_DIMS(1, 3), ((int32_t[]){1, 2, 3}));
    STA_ASSERT_ERROR(rows, STA_ERROR_READ_ONLY);
    rows = sta_broadcast_to(x, STA_DIMS(4, 3));
    sta_assign(sta_slice(rows, "2"), sta_int(7)); /* one row repeats nothing */
    STA_ASSERT_EQUAL(sta_slice(rows, ":2"), STA_int32, STA_DIMS(2, 3), ((int32_t[]){7, 7, 7, 7, 7, 7}));
    sta_assign(sta_broadcast_to(x, STA_DIMS(1, 3)), sta_int(8));
    STA_ASSERT_EQUAL(x, STA_int32, STA_DIMS(1, 3), ((int32_t[]){8, 8, 8}));

    static int32_t data[] = {1, 2, 3}; /* nobody tells when the library is done with it */
    for (unsigned copy = 0; copy < 2; copy++) {
        sta_array fixed =
            sta_from_buffer(data, STA_int32, STA_DIMS(3), NULL, STA_READ_ONLY | (copy ? STA_COPY : 0), NULL, NULL);
        sta_array view = sta_slice(fixed, "1:"), free_copy = sta_copy(fixed);
        STA_ASSERT_ERROR(sta_assign(view, sta_int(9)), STA_ERROR_READ_ONLY);
        STA_ASSERT_EQUAL(fixed, STA_int32, STA_DIMS(3), ((int32_t[]){1, 2, 3}));
        sta_assign(free_copy, sta_int(9));
        STA_ASSERT_EQUAL(free_copy, STA_int32, STA_DIMS(3), ((int32_t[]){9, 9, 9}));
        STA_ASSERT_EQUAL(fixed, STA_int32, STA_DIMS(3), ((int32_t[]){1, 2, 3}));
    }
    int64_t nothing = 0;
    sta_array repeats = sta_from_buffer(data, STA_int32, STA_DIMS(3), &nothing, 0, NULL, NULL);
    STA_ASSERT_ERROR(sta_assign(repeats, sta_int(9)), STA_ERROR_READ_ONLY);
    CU_ASSERT_EQUAL(data[0], 1);
}

/* Elements that C could not read where they lie are copied, or refused. */
static void unaligned(void)
{
    static char bytes[64];
    const double values[] = {1, 2, 3};
    const sta_complex64 pair = {4, 5};
    const int64_t packed = 9;
    memcpy(bytes + 1, values, sizeof values);
    memcpy(bytes + 36, &pair, sizeof pair);
    STA_ASSERT_ERROR(sta_from_buffer(bytes + 1, STA_float64, STA_DIMS(3), NULL, 0, NULL, NULL), STA_ERROR_VALUE);
    STA_ASSERT_ERROR(sta_from_buffer(bytes, STA_float64, STA_DIMS(3), &packed, 0, NULL, NULL), STA_ERROR_VALUE);
    STA_ASSERT_ERROR(sta_from_buffer(bytes, STA_int8, STA_DIMS(3), NULL, 4, NULL, NULL), STA_ERROR_VALUE);
    STA_ASSERT_EQUAL(sta_from_buffer(bytes + 1, STA_float64, STA_DIMS(3), NULL, STA_COPY, NULL, NULL), STA_float64,
                     STA_DIMS(3), values);
    STA_ASSERT_EQUAL(sta_from_buffer(bytes + 36, STA_complex64, STA_DIMS(1), NULL, 0, NULL, NULL), STA_complex64,
                     STA_DIMS(1), &pair);
}

static void wrong(void)
{
    sta_array x = table(), view = sta_slice(x, "0");
    STA_ASSERT_ERROR(sta_assign(view, sta_zeros(STA_DIMS(3), STA_int32)), STA_ERROR_SHAPE);
    STA_ASSERT_ERROR(x, STA_ERROR_SHAPE); /* else the file that x is saved to would lack what was assigned */
    STA_ASSERT_ERROR(sta_assign(x, sta_int(0)), STA_ERROR_SHAPE);
    sta_array y = table(), bad = sta_slice(y, "7");
    STA_ASSERT_ERROR(sta_assign(sta_slice(y, "0"), bad), STA_ERROR_INDEX);
    STA_ASSERT_ERROR(y, STA_ERROR_INDEX);
    STA_ASSERT_ERROR(sta_assign(bad, sta_int(0)), STA_ERROR_INDEX);
    STA_ASSERT_ERROR(sta_assign((sta_array){0}, sta_int(0)), STA_ERROR_INVALID_ARRAY);
    sta_array z = table();
    STA_ASSERT_ERROR(sta_assign(z, (sta_array){0}), STA_ERROR_INVALID_ARRAY);
}

/* ---- who sees a write ---- */

static void views_share(void)
{
    int64_t n = length_of(LENGTH);
    sta_array x = sta_arange_int(0, n, 1, STA_int64), even = sta_slice(x, "::2"), back = sta_flip(x, STA_ALL);
    sta_array copy = sta_copy(x), before = sta_multiply(x, sta_int(2)), shown = sta_slice(x, "2:4");
    sta_assign(even, sta_int(-1));
    sta_assign(sta_slice(back, "0"), sta_int(-7));
    int64_t *expected = malloc(sizeof *expected * (size_t)n);
    CU_ASSERT_PTR_NOT_NULL_FATAL(expected);
    for (int64_t i = 0; i < n; i++)
        expected[i] = i == n - 1 ? -7 : i % 2 ? i : -1;
    STA_ASSERT_EQUAL(x, STA_int64, STA_DIMS(n), expected);
    STA_ASSERT_EQUAL(sta_flip(back, STA_ALL), STA_int64, STA_DIMS(n), expected);
    STA_ASSERT_EQUAL(shown, STA_int64, STA_DIMS(2), ((int64_t[]){-1, 3}));
    for (int64_t i = 0; i < n; i++)
        expected[i] = i;
    STA_ASSERT_EQUAL(copy, STA_int64, STA_DIMS(n), expected);
    for (int64_t i = 0; i < n; i++)
        expected[i] = 2 * i; /* a lazy reader holds what it saw */
    STA_ASSERT_EQUAL(before, STA_int64, STA_DIMS(n), expected);
    sta_assign(copy, sta_int(0));
    STA_ASSERT_EQUAL(shown, STA_int64, STA_DIMS(2), ((int64_t[]){-1, 3}));
    free(expected);
}

/* Old contents at every moment of a loop of writes. */
static void history(void)
{
    int64_t n = length_of(2000);
    sta_array x = sta_zeros(STA_DIMS(n), STA_int64), seen[20];
    for (int k = 0; k < 20; k++) {
        seen[k] = k % 2 ? sta_copy(x) : sta_add(x, sta_int(0));
        sta_array part = sta_slice(x, "%d::3", k % 3);
        sta_add_into(part, part, sta_int(1));
    }
    int64_t *expected = malloc(sizeof *expected * (size_t)n);
    CU_ASSERT_PTR_NOT_NULL_FATAL(expected);
    for (int k = 0; k < 20; k++) {
        for (int64_t i = 0; i < n; i++)
            expected[i] = k / 3 + (i % 3 < k % 3);
        STA_ASSERT_EQUAL(seen[k], STA_int64, STA_DIMS(n), expected);
    }
    free(expected);
}

/* A copy in another grid is remembered with a value; writes in place must not leave it there. */
static void writes_forget_copies(void)
{
    sta_array small = sta_zeros(STA_DIMS(4), STA_float64), twin = sta_copy(small);
    sta_array large = sta_arange(0, 100000, 1, STA_float64);
    sta_assign(sta_slice(small, ":2"), sta_slice(large, "5:7")); /* the result of tasks: small becomes tiles */
    sta_assign(sta_slice(twin, "0"), sta_float(3));
    sta_assign(sta_slice(twin, "1:3"), sta_slice(large, "8:10"));
    STA_ASSERT_EQUAL(small, STA_float64, STA_DIMS(4), ((double[]){5, 6, 0, 0}));
    STA_ASSERT_EQUAL(twin, STA_float64, STA_DIMS(4), ((double[]){3, 8, 9, 0}));
}

/* A pending value that several assignments use. */
static void shared_source(void)
{
    int64_t n = length_of(LENGTH);
    sta_array x = sta_arange(0, (double)n, 1, STA_float64), t = sta_add(sta_multiply(x, x), x);
    sta_array a = sta_zeros(STA_DIMS(n + 2), STA_float64), b = sta_copy(a);
    for (int k = 0; k < 3; k++) {
        sta_assign(sta_slice(a, "%d:%d", k, k - 2 ? k - 2 : (int)n + 2), sta_multiply(t, sta_int(k)));
        sta_assign(sta_slice(b, "1:-1"), t);
    }
    double *expected = calloc((size_t)n + 2, sizeof *expected);
    CU_ASSERT_PTR_NOT_NULL_FATAL(expected);
    for (int64_t i = 0; i < n; i++)
        expected[i + 1] = (double)(i * i + i);
    STA_ASSERT_EQUAL(b, STA_float64, STA_DIMS(n + 2), expected);
    for (int64_t i = n - 1; i >= 0; i--)
        expected[i + 2] = 2 * expected[i + 1];
    expected[0] = expected[1] = 0;
    STA_ASSERT_EQUAL(sta_slice(a, "2:"), STA_float64, STA_DIMS(n), expected + 2);
    free(expected);
}

/* ---- memory of the program ---- */

static void count_done(void *argument)
{
    atomic_fetch_add((atomic_int *)argument, 1);
}

static bool comes(atomic_int *count)
{
    for (int i = 0; i < 5000 && !atomic_load(count); i++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    return atomic_load(count) == 1;
}

static void in_place(void)
{
    int64_t n = length_of(LENGTH);
    int32_t *data = malloc(sizeof *data * (size_t)n);
    atomic_int done = 0;
    CU_ASSERT_PTR_NOT_NULL_FATAL(data);
    sta_scope scope = sta_open();
    for (int64_t i = 0; i < n; i++)
        data[i] = (int32_t)i;
    sta_array x = sta_from_buffer(data, STA_int32, STA_DIMS(n), NULL, 0, count_done, &done);
    sta_array before = sta_add(x, sta_int(0)), copy = sta_copy(x), odd = sta_slice(x, "1::2");
    sta_multiply_into(odd, odd, sta_int(-1));
    sta_add_into(sta_slice(x, "1:"), sta_slice(x, "1:"), sta_slice(x, ":-1"));
    STA_ASSERT_OK(sta_wait(x));
    int wrong = 0;
    for (int64_t i = 0; i < n; i++) {
        int64_t here = i % 2 ? -i : i, previous = i == 0 ? 0 : i % 2 ? i - 1 : -(i - 1);
        wrong += data[i] != here + previous;
    }
    CU_ASSERT_EQUAL(wrong, 0);
    int32_t *old = malloc(sizeof *old * (size_t)n);
    CU_ASSERT_PTR_NOT_NULL_FATAL(old);
    for (int64_t i = 0; i < n; i++)
        old[i] = (int32_t)i;
    STA_ASSERT_EQUAL(before, STA_int32, STA_DIMS(n), old);
    STA_ASSERT_EQUAL(copy, STA_int32, STA_DIMS(n), old);
    sta_assign(x, sta_int(5)); /* a write that nobody reads happens */
    sta_free(x);
    CU_ASSERT_EQUAL(atomic_load(&done), 0); /* odd is a view of it */
    sta_close(scope);
    CU_ASSERT(comes(&done));
    for (int64_t i = 0; i < n; i++)
        wrong += data[i] != 5;
    CU_ASSERT_EQUAL(wrong, 0);
    free(old);
    free(data);
}

/* In a scope of its own, so that every view is gone. */
static void done_is_told_once(void)
{
    int64_t n = length_of(LENGTH);
    double *data = numbers(n);
    atomic_int done = 0;
    sta_scope scope = sta_open();
    sta_array x = sta_from_buffer(data, STA_float64, STA_DIMS(n), NULL, 0, count_done, &done);
    sta_array y = sta_add(x, sta_float(1));
    sta_assign(sta_flip(x, STA_ALL), x);
    sta_keep(y);
    sta_close(scope);
    CU_ASSERT(comes(&done));
    int wrong = 0;
    for (int64_t i = 0; i < n; i++)
        wrong += data[i] != (double)(n - 1 - i);
    CU_ASSERT_EQUAL(wrong, 0); /* the values are home */
    for (int64_t i = 0; i < n; i++)
        data[i] = (double)i + 1;
    STA_ASSERT_EQUAL(y, STA_float64, STA_DIMS(n), data);
    STA_ASSERT_ERROR(x, STA_ERROR_INVALID_ARRAY);
    atomic_store(&done, 0);
    STA_ASSERT_ERROR(sta_from_buffer(NULL, STA_float64, STA_DIMS(2), NULL, 0, count_done, &done), STA_ERROR_VALUE);
    CU_ASSERT_EQUAL(atomic_load(&done), 1);
    sta_from_buffer(data, STA_float64, STA_DIMS(0, 3), NULL, 0, count_done, &done);
    CU_ASSERT_EQUAL(atomic_load(&done), 2);
    sta_from_buffer(data, STA_float64, STA_DIMS(2), NULL, STA_COPY, count_done, &done);
    CU_ASSERT_EQUAL(atomic_load(&done), 3);
    CU_ASSERT_EQUAL(data[0], 1);
    free(data);
}

/* Element [i, j] at start + i * strides[0] + j * strides[1]. */
static void strides(void)
{
    static const int64_t all[][3] = {/* start and strides in elements of a memory of 40 */
                                     {0, 4, 1}, {0, 1, 3}, {39, -4, -1}, {19, -5, 2}, {3, 12, -1}, {0, 13, 4}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        int16_t data[40];
        atomic_int done = 0;
        sta_scope scope = sta_open();
        int64_t bytes[2] = {2 * all[k][1], 2 * all[k][2]};
        for (int i = 0; i < 40; i++)
            data[i] = (int16_t)-i;
        for (int i = 0; i < 12; i++)
            data[all[k][0] + i / 4 * all[k][1] + i % 4 * all[k][2]] = (int16_t)(i + 1);
        sta_array x = sta_from_buffer(data + all[k][0], STA_int16, STA_DIMS(3, 4), bytes, 0, count_done, &done);
        STA_ASSERT_EQUAL(x, STA_int16, STA_DIMS(3, 4), ((int16_t[]){1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
        sta_add_into(x, x, sta_slice(x, "::-1, ::-1"));
        sta_assign(sta_slice(x, "1"), sta_int(50));
        STA_ASSERT_OK(sta_wait(x));
        int wrong = 0, touched = 0;
        for (int i = 0; i < 12; i++)
            wrong += data[all[k][0] + i / 4 * all[k][1] + i % 4 * all[k][2]] != (i / 4 == 1 ? 50 : 13);
        for (int i = 0; i < 40; i++)
            touched += data[i] > 0;
        CU_ASSERT_EQUAL(wrong, 0);
        CU_ASSERT_EQUAL(touched, 12);
        sta_close(scope);
        CU_ASSERT(comes(&done));
    }
}

/* User memory as source and target of one another. */
static void two_memories(void)
{
    float a[300], b[300];
    atomic_int done[2] = {0, 0};
    sta_scope scope = sta_open();
    for (int i = 0; i < 300; i++) {
        a[i] = (float)i;
        b[i] = (float)(1000 + i);
    }
    sta_array x = sta_from_buffer(a, STA_float32, STA_DIMS(300), NULL, 0, count_done, &done[0]);
    sta_array y = sta_from_buffer(b, STA_float32, STA_DIMS(300), NULL, 0, count_done, &done[1]), t = sta_copy(x);
    sta_assign(x, y);
    sta_assign(y, t);
    STA_ASSERT_OK(sta_wait(x));
    STA_ASSERT_OK(sta_wait(y));
    int wrong = 0;
    for (int i = 0; i < 300; i++)
        wrong += a[i] != (float)(1000 + i) || b[i] != (float)i;
    CU_ASSERT_EQUAL(wrong, 0);
    sta_close(scope);
    CU_ASSERT(comes(&done[0]) && comes(&done[1]));
}

STA_TESTS("assign", STA_CASE(plus_transposed), STA_CASE(plus_shifted), STA_CASE(shifted_small), STA_CASE(targets),
          STA_CASE(sources), STA_CASE(refused), STA_CASE(wrong), STA_CASE(views_share), STA_CASE(history),
          STA_CASE(writes_forget_copies), STA_CASE(shared_source), STA_CASE(in_place), STA_CASE(done_is_told_once),
          STA_CASE(strides), STA_CASE(two_memories), STA_CASE(unaligned))
