/* Several threads use the library at once, each with its scopes; some arrays are everybody's. ctest: tiny here omp sanitize */
#include "sta_test.h"

#include "internal.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, ROUNDS = 12 };

static int64_t length(void)
{
    return sta__runtime.settings.tile_elements == 3 ? 20 : 50000;
}

/* CUnit is not for several threads: they count, the main one tells. */
static atomic_int wrong;

static void expect(bool right)
{
    if (!right)
        atomic_fetch_add(&wrong, 1);
}

static void expect_linear(sta_array x, double start, double slope)
{
    int64_t n = length();
    double *data = malloc(sizeof *data * (size_t)n);
    bool right = data && !sta_read(x, data, sizeof *data * (size_t)n);
    for (int64_t i = 0; i < n && right; i++)
        right = data[i] == start + slope * (double)i;
    expect(right);
    free(data);
}

static void expect_number(sta_array x, double expected)
{
    double value = -1;
    expect(!sta_item_float(x, &value) && value == expected);
}

static void in_threads(void *(*body)(void *))
{
    pthread_t thread[THREADS];
    static int number[THREADS];
    atomic_store(&wrong, 0);
    for (int k = 0; k < THREADS; k++) {
        number[k] = k;
        CU_ASSERT_EQUAL_FATAL(pthread_create(&thread[k], NULL, body, &number[k]), 0);
    }
    for (int k = 0; k < THREADS; k++)
        pthread_join(thread[k], NULL);
    CU_ASSERT_EQUAL(atomic_load(&wrong), 0);
}

/* ---- each by itself ---- */

static void *compute(void *argument)
{
    int k = *(int *)argument;
    double n = (double)length();
    sta_scope outer = sta_open();
    sta_array last = sta_int(0);
    for (int round = 0; round < ROUNDS; round++) {
        sta_scope scope = sta_open();
        sta_array x = sta_arange(0, n, 1, STA_float64), y = sta_add(sta_multiply(x, sta_int(k)), sta_int(round));
        expect_linear(y, round, k);
        sta_array part = sta_slice(y, "1:");
        sta_subtract_into(part, part, sta_slice(y, ":-1"));
        expect_number(sta_slice(y, "5"), k);
        expect_number(sta_sum(sta_multiply(x, sta_float(0.5)), STA_ALL, 0), n * (n - 1) / 4);
        sta_array bad = sta_add(x, sta_zeros(STA_DIMS(7, 1, 2), STA_float64));
        expect(sta_wait(bad) && sta_check(bad) == sta_wait(bad));
        sta_free(last);
        last = sta_keep(sta_flip(y, STA_ALL));
        sta_close(scope);
    }
    expect_number(sta_slice(last, "3"), k);
    sta_close(outer);
    return NULL;
}

static void each_by_itself(void)
{
    in_threads(compute);
}

/* ---- arrays of everybody ---- */

static sta_array shared, later, small;

static void *read_shared(void *argument)
{
    int k = *(int *)argument;
    sta_scope scope = sta_open();
    expect(sta_size(shared) == length() && sta_dtype_of(shared) == STA_float64);
    if (k % 2)
        expect(!sta_wait(later));
    expect_number(sta_slice(later, "2"), 13);
    expect_number(small, 7);
    expect_linear(shared, 3, 2);
    expect_linear(sta_add(shared, sta_slice(later, "0")), 14, 2);
    expect_number(later, 0); /* it has four elements: an error, the same for all */
    atomic_fetch_sub(&wrong, 1);
    for (int round = 0; round < ROUNDS; round++)
        expect_number(sta_add(small, sta_sum(sta_slice(shared, ":2"), STA_ALL, 0)), 7 + 3 + 5);
    sta_close(scope);
    return NULL;
}

/* Pending, in tiles, and a small result of tasks: who comes first computes it, and makes it "now", under the others' eyes. */
static void everybodys(void)
{
    for (int round = 0; round < ROUNDS; round++) {
        sta_scope scope = sta_open();
        sta_array x = sta_eval(sta_arange(0, (double)length(), 1, STA_float64));
        shared = sta_add(sta_multiply(x, sta_int(2)), sta_int(3));
        later = sta_add(sta_slice(x, ":4"), sta_int(11));
        small = sta_eval(sta_add(sta_slice(x, "4"), sta_int(3)));
        if (round % 2)
            sta_eval(later);
        in_threads(read_shared);
        sta_close(scope);
    }
}

/* ---- one array, written by all in parts of their own ---- */

static void *write_part(void *argument)
{
    int k = *(int *)argument;
    sta_scope scope = sta_open();
    sta_array mine = sta_slice(shared, "%d::%d", k, THREADS);
    for (int round = 0; round < ROUNDS; round++)
        sta_add_into(mine, mine, sta_int(k + 1));
    expect_number(sta_slice(mine, "-1"), ROUNDS * (k + 1));
    sta_close(scope);
    return NULL;
}

static void check_parts(const double *data)
{
    int64_t bad = 0;
    for (int64_t i = 0; i < length(); i++)
        bad += data[i] != (double)(ROUNDS * (i % THREADS + 1));
    CU_ASSERT_EQUAL(bad, 0);
}

static void written_by_all(void)
{
    size_t bytes = (size_t)length() * sizeof(double);
    double *data = malloc(bytes);
    CU_ASSERT_PTR_NOT_NULL_FATAL(data);
    shared = sta_zeros(STA_DIMS(length()), STA_float64);
    in_threads(write_part);
    STA_ASSERT_OK(sta_read(shared, data, bytes));
    check_parts(data);
    memset(data, 0, bytes);
    shared = sta_from_buffer(data, STA_float64, STA_DIMS(length()), NULL, 0, free, data);
    in_threads(write_part);
    STA_ASSERT_OK(sta_wait(shared));
    check_parts(data);
}

STA_TESTS("threads", STA_CASE(each_by_itself), STA_CASE(everybodys), STA_CASE(written_by_all))
