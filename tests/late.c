/* Tasks that wait until others of their operation have ended: the order of reads and writes, errors and ends stay what they
 * are. On the host every operation is treated so here; where cores and GPUs share one, those on data of the host are.
 * ctest: sanitize */
#include "sta_test.h"

#include "internal.h"
#include "late.h"
#include "submit.h"

#include <starpu.h>
#include <stdlib.h>

enum { TILE = 3, TILES = 20, N = TILE * TILES - 1 };

/* Of how many tasks at first. */
static const int64_t firsts[] = {1, 2, 7};

/* With a StarPU of the program's own: all tasks are its then. */
static void start(int64_t first)
{
    const sta_init_options options = {.size = sizeof options, .tile_elements = TILE, .inline_bytes = 1};
    CU_ASSERT_EQUAL_FATAL(starpu_init(NULL), 0);
    STA_ASSERT_OK(sta_init(&options));
    sta__late_for_all(first);
}

static void finish(void)
{
    sta_finish();
    starpu_shutdown();
    sta__late_for_all(0);
}

static bool is_linear(sta_array x, double first, double step)
{
    double data[N];
    bool right = sta_size(x) <= N && !sta_read(x, data, sizeof *data * (size_t)sta_size(x));
    for (int64_t i = 0; i < sta_size(x) && right; i++)
        right = data[i] == first + step * (double)i;
    return right;
}

static sta_array line(void)
{
    return sta_arange(0, N, 1, STA_float64);
}

/* What is read by tasks that wait is changed after that was asked for. */
static void order(void)
{
    sta_array x = line(), half = sta_slice(x, ":%d", N / 2);
    STA_ASSERT_OK(sta_wait(x));
    sta_array before = sta_eval(sta_add(x, sta_int(1)));
    sta_multiply_into(x, x, sta_int(2));
    sta_array after = sta_eval(sta_add(x, sta_int(1)));
    sta_add_into(half, half, sta_int(5));
    sta_subtract_into(half, half, sta_int(5));
    CU_ASSERT(is_linear(before, 1, 1));
    CU_ASSERT(is_linear(after, 1, 2));
    CU_ASSERT(is_linear(x, 0, 2));
    CU_ASSERT(is_linear(sta_flip(x, STA_ALL), 2 * (N - 1), -2));
}

/* Tasks that merge and scan need others of the same operation. */
static void stages(void)
{
    double sum = 0;
    sta_array x = line();
    STA_ASSERT_OK(sta_wait(x));
    STA_ASSERT_OK(sta_item_float(sta_sum(sta_multiply(x, sta_int(2)), STA_ALL, 0), &sum));
    CU_ASSERT_EQUAL(sum, (double)N * (N - 1));
    CU_ASSERT(is_linear(sta_cumsum(sta_ones(STA_DIMS(N), STA_float64), 0), 1, 1));
    CU_ASSERT(is_linear(sta_cumsum(sta_cumsum(sta_minimum(x, sta_int(0)), 0), 0), 0, 0));
}

static void failing(void)
{
    sta_array x = line();
    STA_ASSERT_OK(sta_wait(x));
    sta_array wrong = sta_at(x, STA_INDEX(STA_SPAN_BY(sta_full(STA_DIMS(N), sta_int(N), STA_int64))));
    STA_ASSERT_ERROR(sta_add(wrong, x), STA_ERROR_INDEX);
    CU_ASSERT(is_linear(sta_add(x, sta_int(1)), 1, 1));
}

/* Nobody waits for the last ones. */
static void unread(void)
{
    sta_array x = line();
    for (int k = 0; k < 50; k++)
        sta_free(sta_eval(sta_sqrt(sta_add(x, sta_int(k)))));
}

static const char *compute(int number)
{
    const int k = number + 1;
    for (int round = 0; round < 20; round++) {
        const sta_scope scope = sta_open();
        sta_array y = sta_multiply(sta_eval(line()), sta_int(k));
        const bool right = is_linear(y, 0, k);
        sta_close(scope);
        if (!right)
            return "a wrong value";
    }
    return NULL;
}

static void threads(void)
{
    sta_test_threads(4, compute);
}

static void with_each(void (*test)(void))
{
    for (size_t k = 0; k < sizeof firsts / sizeof *firsts; k++) {
        start(firsts[k]);
        const sta_scope scope = sta_open();
        test();
        sta_close(scope);
        finish();
    }
}

static void all_orders(void)
{
    with_each(order);
}
static void all_stages(void)
{
    with_each(stages);
}
static void all_failing(void)
{
    with_each(failing);
}
static void all_unread(void)
{
    with_each(unread);
}
static void all_threads(void)
{
    with_each(threads);
}

/* As it is decided without a test: tiles of the host that are worth sending. */
static void from_host(void)
{
    enum { LARGE = 1 << 18, MANY = 24 };
    const int64_t n = (int64_t)LARGE * MANY;
    double *data = malloc(sizeof *data * (size_t)n), sum = 0;
    CU_ASSERT_PTR_NOT_NULL_FATAL(data);
    for (int64_t i = 0; i < n; i++)
        data[i] = (double)(i % 7);
    const sta_init_options options = {.size = sizeof options, .tile_elements = LARGE};
    STA_ASSERT_OK(sta_init(&options));
    for (int turn = 0; turn < 3; turn++) {
        const sta_scope scope = sta_open();
        sta_array x = sta_from_buffer(data, STA_float64, STA_DIMS(n), NULL, STA_COPY, NULL, NULL);
        STA_ASSERT_OK(sta_item_float(sta_sum(sta_add(x, sta_int(1)), STA_ALL, 0), &sum));
        CU_ASSERT_EQUAL(sum, (double)(n / 7 * 28 + (n % 7) * (n % 7 + 1) / 2));
        sta_close(scope);
    }
    sta_finish();
    free(data);
}

STA_PURE_TESTS("late", STA_CASE(all_orders), STA_CASE(all_stages), STA_CASE(all_failing), STA_CASE(all_unread),
               STA_CASE(all_threads), STA_CASE(from_host))
