/* Batches that the calling thread runs, alone or with the help of workers: tiles without handles, then with them.
 * ctest: sanitize */
#include "sta_test.h"

#include "internal.h"
#include "submit.h"

#include <starpu.h>
#include <stdlib.h>
#include <string.h>

/* Elements of a tile: a few, so that nothing is worth help, and some that are, by the table of costs. */
static const int64_t tiles_of[] = {3, 50000};

static void start(int64_t tile)
{
    const sta_init_options options = {.size = sizeof options, .tile_elements = tile, .inline_bytes = 1};
    setenv("STARPU_CALIBRATE", "0", 1);
    STA_ASSERT_OK(sta_init(&options));
}

static bool is_linear(sta_array x, double first, double step)
{
    const int64_t n = sta_size(x);
    double *data = malloc(sizeof *data * (size_t)n);
    bool right = data && !sta_read(x, data, sizeof *data * (size_t)n);
    for (int64_t i = 0; i < n && right; i++)
        right = data[i] == first + step * (double)i;
    free(data);
    return right;
}

static bool is_number(sta_array x, double expected)
{
    double value = -1;
    return !sta_item_float(x, &value) && value == expected;
}

/* One operation after the other, each read. */
static void results(int64_t n)
{
    sta_array x = sta_arange(0, (double)n, 1, STA_float64), y = sta_add(sta_multiply(x, sta_int(2)), sta_int(1));
    CU_ASSERT(is_linear(x, 0, 1));
    CU_ASSERT(is_linear(y, 1, 2));
    CU_ASSERT(is_linear(sta_subtract(sta_slice(y, "1:"), sta_slice(y, ":-1")), 2, 0));
    CU_ASSERT(is_number(sta_sum(x, STA_ALL, 0), (double)n * (double)(n - 1) / 2));
    CU_ASSERT(is_number(sta_max(y, STA_ALL, 0), (double)(2 * n - 1)));
    CU_ASSERT(is_linear(sta_cumsum(sta_ones(STA_DIMS(n), STA_float64), 0), 1, 1));
    CU_ASSERT(is_linear(sta_flip(sta_concat((sta_array[]){x, sta_add(x, sta_int((int)n))}, 2, 0), STA_ALL),
                        (double)(2 * n - 1), -1));
}

/* What was written here is changed, in part, and read by more tasks than are run here. */
static void later_tasks(int64_t n)
{
    sta_array x = sta_arange(0, (double)n, 1, STA_float64), half = sta_slice(x, ":%d", (int)(n / 2));
    STA_ASSERT_OK(sta_wait(x));
    sta_add_into(half, half, sta_int(1));
    sta_subtract_into(half, half, sta_int(1));
    CU_ASSERT(is_linear(x, 0, 1));
    const int64_t many = 40;
    sta_array all = sta_add(sta_tile(sta_expand_dims(x, STA_AXES(0)), STA_DIMS(many, 1)), sta_int(1));
    CU_ASSERT(is_number(sta_sum(all, STA_ALL, 0), (double)many * (double)n * (double)(n + 1) / 2));
    CU_ASSERT(is_linear(sta_index(all, (sta_span[]){STA_SPAN_AT(many - 1)}, 1), 1, 1));
    CU_ASSERT(is_linear(x, 0, 1));
}

/* Who never waits has the work done beside him after a while. */
static void without_waiting(int64_t n)
{
    sta_array x = sta_zeros(STA_DIMS(n), STA_float64);
    for (int k = 0; k < 200; k++) {
        sta_array y = sta_eval(sta_add(x, sta_int(1)));
        sta_free(x);
        x = y;
    }
    CU_ASSERT(is_linear(x, 200, 0));
}

static void failing(int64_t n)
{
    sta_array x = sta_arange(0, (double)n, 1, STA_float64);
    STA_ASSERT_OK(sta_wait(x));
    sta_array wrong = sta_at(x, STA_INDEX(STA_SPAN_BY(sta_full(STA_DIMS(n), sta_int((int)n), STA_int64))));
    STA_ASSERT_ERROR(sta_add(wrong, x), STA_ERROR_INDEX);
    CU_ASSERT(is_linear(x, 0, 1));
}

/* Tasks of few and of many tiles, more than are run here. */
static void tiles_together(int64_t n)
{
    const int64_t times = n < 1000 ? 100 : 2;
    sta_array x = sta_arange(0, (double)(n * times), 1, STA_float64);
    STA_ASSERT_OK(sta_wait(x));
    sta_array back = sta_arange_int(n * times - 1, -1, -1, STA_int64);
    sta_array turned = sta_at(x, STA_INDEX(STA_SPAN_BY(back)));
    CU_ASSERT(is_linear(turned, (double)(n * times - 1), -1));
    sta_array few = sta_slice(back, "::%d", (int)(n * times - 1));
    CU_ASSERT(is_linear(sta_at(x, STA_INDEX(STA_SPAN_BY(few))), (double)(n * times - 1), -(double)(n * times - 1)));
    CU_ASSERT(is_linear(sta_assign_at(x, STA_INDEX(STA_SPAN_BY(back)), turned), 0, 1));
    CU_ASSERT(is_linear(sta_add_at(x, STA_INDEX(STA_SPAN_BY(back)), sta_int(1)), 1, 1));
}

/* Tasks that write the same tiles one after the other, beside others that write others: each place is named in several chunks of
 * the indices, and the last one wins. */
static void chains(int64_t n)
{
    const int64_t count = 3 * n + 1;
    int64_t *id = malloc(sizeof *id * (size_t)count);
    double *expected = calloc((size_t)n, sizeof *expected), *got = malloc(sizeof *got * (size_t)n);
    CU_ASSERT_FATAL(id && expected && got);
    for (int64_t i = 0; i < count; i++) {
        id[i] = i * 7 % n;
        expected[id[i]] = (double)i;
    }
    sta_array x = sta_zeros(STA_DIMS(n), STA_float64), ids = sta_test_array(STA_int64, STA_DIMS(count), id);
    sta_array source = sta_arange(0, (double)count, 1, STA_float64);
    STA_ASSERT_OK(sta_wait(x));
    STA_ASSERT_OK(sta_wait(source));
    for (int round = 0; round < 3; round++) {
        STA_ASSERT_OK(sta_wait(sta_assign_at(x, STA_INDEX(STA_SPAN_BY(ids)), source)));
        STA_ASSERT_OK(sta_read(x, got, sizeof *got * (size_t)n));
        CU_ASSERT(memcmp(got, expected, sizeof *got * (size_t)n) == 0);
        sta_add_into(x, x, sta_int(round + 1));
    }
    free(id);
    free(expected);
    free(got);
}

/* A number written by few indices along an axis that only the view has: every index is the same place of its line. */
static void along_a_new_axis(int64_t n)
{
    if (n > 100)
        return;
    for (int axis = 0; axis < 2; axis++)
        for (int reshaped = 0; reshaped < 2; reshaped++) {
            const int64_t zeros[100] = {0};
            sta_array x = sta_arange(0, (double)n, 1, STA_float64);
            sta_array ids = sta_eval(sta_test_array(STA_int64, STA_DIMS(axis ? n : 1, axis ? 1 : n), zeros));
            STA_ASSERT_OK(sta_wait(x));
            STA_ASSERT_OK(sta_wait(ids));
            sta_array view = reshaped ? sta_reshape(x, sta_shape(ids)) : sta_expand_dims(x, STA_AXES(axis));
            sta_put_along_axis(view, ids, sta_int(4), axis);
            sta_put_along_axis(view, ids, sta_int(5), axis);
            CU_ASSERT(is_linear(x, 5, 0));
        }
}

static void for_each_size(void (*test)(int64_t n))
{
    for (size_t k = 0; k < sizeof tiles_of / sizeof *tiles_of; k++) {
        start(tiles_of[k]);
        for (int64_t tiles = 1; tiles <= 8; tiles += tiles < 3 ? 1 : 5) {
            const sta_scope scope = sta_open();
            test(tiles * tiles_of[k] - (tiles > 1));
            sta_close(scope);
        }
        sta_finish();
    }
}

static void all_results(void)
{
    for_each_size(results);
}

static void all_later_tasks(void)
{
    for_each_size(later_tasks);
}

static void all_tiles_together(void)
{
    for_each_size(tiles_together);
}

static void all_chains(void)
{
    for_each_size(chains);
}

static void all_without_waiting(void)
{
    for_each_size(without_waiting);
}

static void all_along_a_new_axis(void)
{
    for_each_size(along_a_new_axis);
}

static void all_failing(void)
{
    for_each_size(failing);
}

/* StarPU hears nothing of what is run here. */
static void no_tasks(void)
{
    start(3);
    sta_array x = sta_ones(STA_DIMS(10), STA_float64);
    STA_ASSERT_OK(sta_wait(x));
    const int64_t before = sta__tasks_submitted();
    CU_ASSERT(is_linear(sta_add(x, sta_int(1)), 2, 0));
    CU_ASSERT_EQUAL(sta__tasks_submitted(), before + 4);
    CU_ASSERT_EQUAL(starpu_task_nsubmitted(), 0);
    sta_finish();
}

static const char *compute(int number)
{
    const int k = number + 1;
    const int64_t n = 6 * tiles_of[1];
    for (int round = 0; round < 10; round++) {
        const sta_scope scope = sta_open();
        sta_array x = sta_arange(0, (double)n, 1, STA_float64), y = sta_multiply(x, sta_int(k));
        const bool right = is_linear(y, 0, k) && is_number(sta_sum(sta_multiply(x, sta_int(0)), STA_ALL, 0), 0);
        sta_close(scope);
        if (!right)
            return "a wrong value";
    }
    return NULL;
}

static void threads(void)
{
    start(tiles_of[1]);
    sta_test_threads(4, compute);
    sta_finish();
}

STA_PURE_TESTS("here", STA_CASE(all_results), STA_CASE(all_later_tasks), STA_CASE(all_tiles_together),
               STA_CASE(all_chains), STA_CASE(all_without_waiting), STA_CASE(all_failing),
               STA_CASE(all_along_a_new_axis), STA_CASE(no_tasks), STA_CASE(threads))
