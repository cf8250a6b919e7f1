/* Too little memory: each allocation in turn fails, and arrays are made that no machine can hold. The answer is an error
 * MEMORY or the right result, never a crash, a leak or a hang; and afterwards all is well. ctest: tiny omp sanitize timeout=240 */
#include "sta_test.h"

#include "internal.h"
#include "partition/tile.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { N = 10, RUNS = 600 };

/* Results of one run of the program. Those that were not reached stay without an error and unread. */
struct outcome {
    const sta_error *error; /* the first */
    int wrong;
};

static void note(struct outcome *to, const sta_error *error, bool right)
{
    if (error && !to->error)
        to->error = error;
    if (error && error->code != STA_ERROR_MEMORY) {
        to->wrong++;
        printf("%s of %s: %s\n", sta_error_name(error->code), error->op, error->text);
    }
    if (!error && !right)
        to->wrong++;
}

static void read_numbers(struct outcome *to, sta_array x, double slope, double start)
{
    double data[N];
    const sta_error *error = sta_read(x, data, sizeof data);
    bool right = true;
    for (int i = 0; i < N && !error; i++)
        right &= data[i] == start + slope * i;
    note(to, error, right);
}

/* Memory that the library has, and that it gave back. */
static int lent;
static atomic_int returned;

static void give_back(void *memory)
{
    free(memory);
    atomic_fetch_add(&returned, 1);
}

static void create_and_compute(struct outcome *to)
{
    sta_array x = sta_arange(0, N, 1, STA_float64), ones = sta_ones(STA_DIMS(N), STA_float32);
    sta_array y = sta_add(sta_multiply(x, sta_float(3)), ones), z = sta_sqrt(sta_multiply(x, x));
    read_numbers(to, y, 3, 1);
    read_numbers(to, z, 1, 0);
    read_numbers(to, sta_flip(sta_subtract(sta_flip(x, STA_ALL), sta_int(1)), STA_ALL), 1, -1);
    read_numbers(to, sta_astype(sta_astype(x, STA_int16), STA_float64), 1, 0);
    sta_array grown = x;
    for (int i = 0; i < 8; i++)
        grown = sta_add(grown, sta_multiply(x, sta_int(i)));
    read_numbers(to, grown, 29, 0);
    read_numbers(to, sta_linspace(0, 2 * (N - 1), N, STA_DTYPE_NONE), 2, 0);
}

static void views_and_writes(struct outcome *to)
{
    sta_array t = sta_full(STA_DIMS(4, N), sta_float(2), STA_float64), x = sta_arange(0, N, 1, STA_float64),
              old = sta_add(x, x);
    sta_assign(sta_slice(t, "1"), x);
    sta_assign(sta_slice(t, "2, ::-1"), sta_slice(t, "1"));
    sta_add_into(sta_slice(t, "3"), sta_slice(t, "1"), sta_slice(t, "2, ::-1"));
    read_numbers(to, sta_slice(t, "3"), 2, 0);
    read_numbers(to, sta_slice(t, "0"), 0, 2);
    sta_assign(sta_slice(x, "1:"), sta_slice(x, ":-1"));
    sta_assign(sta_slice(x, "0"), sta_int(-1));
    read_numbers(to, x, 1, -1);
    read_numbers(to, old, 2, 0);
    read_numbers(to, sta_slice(sta_transpose(sta_copy(t), STA_ALL), ":, 1"), 1, 0);
}

static void reduce(struct outcome *to)
{
    sta_array x = sta_arange(0, N, 1, STA_float64), t = sta_multiply(sta_ones(STA_DIMS(3, N), STA_float64), x);
    double sum = -1, largest = -1;
    const sta_error *error = sta_item_float(sta_sum(x, STA_ALL, 0), &sum);
    note(to, error, sum == N * (N - 1) / 2);
    error = sta_item_float(sta_max(sta_multiply(x, sta_int(2)), STA_ALL, 0), &largest);
    note(to, error, largest == 2 * (N - 1));
    read_numbers(to, sta_sum(t, STA_AXES(0), 0), 3, 0);
    read_numbers(to, sta_subtract(sta_slice(t, "1"), sta_slice(sta_mean(t, STA_AXES(0), STA_KEEPDIMS), "0")), 0, 0);
}

static void files(struct outcome *to)
{
    char path[100];
    snprintf(path, sizeof path, "oom-%d.npy", (int)getpid());
    sta_array x = sta_arange(0, N, 1, STA_float64);
    const sta_error *error = sta_save(path, sta_add(x, x));
    note(to, error, true);
    if (!error)
        read_numbers(to, sta_load(path), 2, 0);
    unlink(path);
}

static void indices(struct outcome *to)
{
    sta_array x = sta_arange(0, N, 1, STA_float64), ids = sta_arange_int(N - 1, -1, -1, STA_int64);
    sta_array y = sta_copy(x), sums = sta_copy(x), wide = sta_arange(-N, N, 1, STA_float64);
    read_numbers(to, sta_at(x, STA_INDEX(STA_SPAN_BY(ids))), -1, N - 1);
    sta_assign_at(y, STA_INDEX(STA_SPAN_BY(ids)), x);
    read_numbers(to, y, -1, N - 1);
    sta_add_at(sums, STA_INDEX(STA_SPAN_BY(ids)), x);
    read_numbers(to, sums, 0, N - 1);
    sta_array mask = sta_greater_equal(wide, sta_int(0));
    read_numbers(to, sta_at(wide, STA_INDEX(STA_SPAN_BY(mask))), 1, 0);
    read_numbers(to, sta_astype(sta_flatnonzero(mask), STA_float64), 1, N);
    sta_array half = sta_reshape(wide, STA_DIMS(4, N / 2)), flat = sta_ravel(half);
    sta_put(half, sta_add(ids, sta_int(N)), x, STA_MODE_RAISE);
    read_numbers(to, sta_slice(flat, "%d:", N), -1, N - 1);
}

static void user_memory(struct outcome *to)
{
    double *data = malloc(N * sizeof *data);
    CU_ASSERT_PTR_NOT_NULL_FATAL(data);
    for (int i = 0; i < N; i++)
        data[i] = i;
    lent++;
    sta_array x = sta_from_buffer(data, STA_float64, STA_DIMS(N), NULL, 0, give_back, data);
    sta_array old = sta_multiply(x, sta_int(5));
    sta_add_into(x, x, sta_flip(x, STA_ALL));
    read_numbers(to, x, 0, N - 1);
    read_numbers(to, old, 5, 0);
}

static void join(struct outcome *to)
{
    sta_array x = sta_arange(0, N, 1, STA_float64), part[2];
    sta_split(part, x, 2, 0);
    read_numbers(to, sta_concat(part, 2, 0), 1, 0);
    sta_array both[2] = {sta_add(x, x), sta_astype(x, STA_float32)};
    read_numbers(to, sta_slice(sta_stack(both, 2, 1), ":, 0"), 2, 0);
    read_numbers(to, sta_roll(sta_roll(x, STA_DIMS(3), STA_AXES(0)), STA_DIMS(-3), STA_AXES(0)), 1, 0);
    const int64_t widths[1][2] = {{2, 3}};
    sta_pad_options options = {.size = sizeof options, .mode = STA_PAD_REFLECT};
    read_numbers(to, sta_slice(sta_pad(x, widths, &options), "2:-3"), 1, 0);
    options.mode = STA_PAD_LINEAR_RAMP;
    read_numbers(to, sta_slice(sta_pad(x, widths, &options), "2:-3"), 1, 0);
    read_numbers(to, sta_slice(sta_tile(x, STA_DIMS(2, 3)), "1, 10:20"), 1, 0);
    read_numbers(to, sta_slice(sta_repeat(x, 2, 0), "1::2"), 1, 0);
    sta_array longer = sta_insert(x, sta_int(4), sta_int(9), 0);
    read_numbers(to, sta_delete(longer, sta_int(4), 0), 1, 0);
    read_numbers(to, sta_slice(sta_tril(sta_broadcast_to(x, STA_DIMS(2, N)), N), "-1"), 1, 0);
    read_numbers(to, sta_slice(sta_indices(STA_DIMS(1, N), STA_float64), "1, 0"), 1, 0);
    read_numbers(to, sta_interp(x, x, sta_add(x, x), NULL), 2, 0);
    read_numbers(to, sta_piecewise(x, (sta_array[]){sta_less(x, sta_int(5))}, 1, (sta_array[]){x, x}, 2), 1, 0);
}

static void (*const programs[])(struct outcome *) = {create_and_compute, views_and_writes, reduce, files,
                                                     user_memory,        indices,          join};

static struct outcome run(void (*program)(struct outcome *), int64_t fail_at, int64_t *calls)
{
    struct outcome outcome = {NULL, 0};
    sta_scope scope = sta_open();
    sta__fail_allocation(fail_at);
    program(&outcome);
    *calls = sta__fail_allocation(0);
    sta_close(scope);
    return outcome;
}

static void each_allocation(void (*program)(struct outcome *))
{
    int64_t calls, more, failures = 0;
    struct outcome outcome = run(program, 0, &calls);
    CU_ASSERT(!outcome.error && !outcome.wrong);
    int64_t step = calls / RUNS + 1;
    for (int64_t k = 1; k <= calls; k += step) {
        outcome = run(program, k, &more);
        failures += outcome.error != NULL;
        if (outcome.wrong)
            sta_test_fail(__FILE__, __LINE__, "allocation %lld of %lld: %d results are wrong", (long long)k,
                          (long long)calls, outcome.wrong);
        if (k % 64 != 1)
            continue;
        outcome = run(program, 0, &more);
        CU_ASSERT(!outcome.error && !outcome.wrong);
    }
    outcome = run(program, 0, &more);
    CU_ASSERT(!outcome.error && !outcome.wrong);
    CU_ASSERT(failures > 0);
    for (int i = 0; i < 20000 && atomic_load(&returned) < lent; i++)
        usleep(500);
    CU_ASSERT_EQUAL(atomic_load(&returned), lent);
}

static void creation_fails(void)
{
    each_allocation(programs[0]);
}
static void writing_fails(void)
{
    each_allocation(programs[1]);
}
static void reducing_fails(void)
{
    each_allocation(programs[2]);
}
static void files_fail(void)
{
    each_allocation(programs[3]);
}
static void user_memory_fails(void)
{
    each_allocation(programs[4]);
}
static void indexing_fails(void)
{
    each_allocation(programs[5]);
}

static void joining_fails(void)
{
    each_allocation(programs[6]);
}

/* ---- arrays that no machine holds ---- */

static void still_works(void)
{
    double sum = 0;
    STA_ASSERT_OK(sta_item_float(sta_sum(sta_arange(0, 1000, 1, STA_float64), STA_ALL, 0), &sum));
    CU_ASSERT_EQUAL(sum, 499500);
}

static void too_large(void)
{
    const int64_t huge = INT64_C(100000000000); /* 800 GB */
    double value;
    sta_array x = sta_zeros(STA_DIMS(huge), STA_float64);
    STA_ASSERT_FAILS(sta_item_float(sta_slice(x, "5"), &value), STA_ERROR_MEMORY);
    STA_ASSERT_ERROR(sta_add(x, sta_float(1)), STA_ERROR_MEMORY);
    STA_ASSERT_ERROR(sta_arange(0, 1e11, 1, STA_float64), STA_ERROR_MEMORY);
    STA_ASSERT_ERROR(sta_eye(1000000, 1000000, 0, STA_float64), STA_ERROR_MEMORY);
    sta_array row = sta_arange(0, 1000, 1, STA_float64),
              column = sta_broadcast_to(sta_float(2), STA_DIMS(huge / 1000, 1));
    STA_ASSERT_ERROR(sta_multiply(row, column), STA_ERROR_MEMORY);
    STA_ASSERT_ERROR(sta_copy(sta_broadcast_to(row, STA_DIMS(huge / 1000, 1000))), STA_ERROR_MEMORY);
    sta_array target = sta_zeros(STA_DIMS(3), STA_float64);
    sta_assign(target, sta_slice(x, ":3"));
    STA_ASSERT_ERROR(target, STA_ERROR_MEMORY);
    still_works();
}

/* Broadcast arrays take no memory, but the tasks that would read them do. */
static void too_many_tasks(void)
{
    const sta_dims huge = STA_DIMS(INT64_C(1) << 55), square = STA_DIMS(1 << 27, 1 << 27);
    sta_array x = sta_broadcast_to(sta_float(1), huge), ids = sta_broadcast_to(sta_int(0), huge);
    sta_array sheet = sta_broadcast_to(sta_arange(0, 1, 1, STA_float32), square),
              target = sta_zeros(STA_DIMS(3), STA_float64);
    sta_array column = sta_broadcast_to(sta_ones(STA_DIMS(1, 1), STA_float64), STA_DIMS(1 << 29, 1));
    sta_array results[] = {sta_sum(x, STA_ALL, 0),
                           sta_all(x, STA_ALL, 0),
                           sta_argmax(x, STA_ALL, 0),
                           sta_std(sta_sqrt(x), STA_ALL, 0),
                           sta_sum(sheet, STA_AXES(0), 0),
                           sta_max(sheet, STA_AXES(1), 0),
                           sta_median(x, STA_ALL, 0),
                           sta_array_equal(x, ids, 0),
                           sta_allclose(x, ids, NULL),
                           sta_flatnonzero(x),
                           sta_cumsum(x, 0),
                           sta_vdot(x, x),
                           sta_histogram(x, 4, NULL).counts,
                           sta_take(x, ids, 0, STA_MODE_RAISE),
                           sta_tril_indices(1 << 28, 0, 1 << 28).rows,
                           sta_triu_indices(1 << 22, 0, 1 << 22).columns,
                           sta_eye(1 << 24, 1 << 24, 0, STA_int8),
                           sta_matmul(column, sta_transpose(column, STA_ALL)),
                           sta_assign_at(sta_copy(target), STA_INDEX(STA_SPAN_BY(ids)), sta_int(1)),
                           sta_add_at(sta_copy(target), STA_INDEX(STA_SPAN_BY(ids)), sta_int(1))};
    for (size_t i = 0; i < sizeof results / sizeof *results; i++)
        STA_ASSERT_ERROR(results[i], STA_ERROR_MEMORY);
    STA_ASSERT_EQUAL(sta_take(x, sta_int(-1), 0, STA_MODE_RAISE), STA_float64, STA_SCALAR, ((double[]){1}));
    still_works();
}

/* A tile that is larger than the memory: found by its task, and StarPU goes on. */
static void tile_too_large(void)
{
    struct sta__call call = sta__enter("huge");
    struct sta__shape shape = {.ndim = 1, .at = {INT64_C(100000000000)}};
    struct sta__grid *grid = sta__grid_single(&shape);
    struct sta__value *value = sta__value_tiled(STA_float64, grid);
    static const struct sta__kernel kernel = {.name = "huge", .cpu = NULL}; /* it is not called */
    struct sta__batch *batch = sta__batch_open(&call, &kernel, STA_float64, false);
    sta__task_writes(sta__batch_task(batch, NULL, 0), value, 0);
    CU_ASSERT(sta__batch_submit(batch));
    sta__grid_drop(grid);
    sta_array x = sta__leave(&call, value);
    double item;
    STA_ASSERT_ERROR(x, STA_ERROR_MEMORY);
    STA_ASSERT_FAILS(sta_item_float(sta_slice(x, "7"), &item), STA_ERROR_MEMORY);
    STA_ASSERT_FAILS(sta_item_float(sta_add(sta_slice(x, "7"), sta_int(1)), &item), STA_ERROR_MEMORY);
    sta_array other = sta_zeros(STA_DIMS(5), STA_float64);
    sta_assign(sta_slice(other, "1"), sta_slice(x, "9"));
    STA_ASSERT_ERROR(other, STA_ERROR_MEMORY);
    still_works();
}

STA_TESTS("oom", STA_CASE(creation_fails), STA_CASE(writing_fails), STA_CASE(reducing_fails), STA_CASE(files_fail),
          STA_CASE(user_memory_fails), STA_CASE(indexing_fails), STA_CASE(joining_fails), STA_CASE(too_large),
          STA_CASE(too_many_tasks), STA_CASE(tile_too_large))
