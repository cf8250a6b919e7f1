/* Scopes, handles that name nothing, errors: where they are born, how they travel, what is said of them at the end.
 * ctest: tiny omp sanitize */
#include "sta_test.h"

#include "array.h"
#include "submit.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static sta_array numbers(int64_t n)
{
    return sta_eval(sta_arange_int(0, n, 1, STA_int64));
}

#define IS(x, ...)                                                                                                     \
    STA_ASSERT_EQUAL(x, STA_int64, STA_DIMS((int64_t)(sizeof((int64_t[]){__VA_ARGS__}) / 8)),                          \
                     ((int64_t[]){__VA_ARGS__}))
#define IS_GONE(x) STA_ASSERT_ERROR(x, STA_ERROR_INVALID_ARRAY)

/* ---- scopes ---- */

static void scopes_nest(void)
{
    sta_scope outer = sta_open();
    sta_array a = numbers(3);
    sta_scope inner = sta_open();
    sta_array b = sta_add(a, sta_int(1)), c = sta_add(a, sta_int(2)), d = sta_slice(c, "1:");
    sta_keep(b);
    sta_keep(d);
    sta_close(inner);
    IS(a, 0, 1, 2);
    IS(b, 1, 2, 3);
    IS(d, 3, 4); /* a view keeps the elements */
    IS_GONE(c);
    sta_close(inner); /* no longer open */
    IS(a, 0, 1, 2);
    sta_keep(sta_keep(b)); /* each time one further out */
    sta_scope second = sta_open(), third = sta_open();
    sta_array e = numbers(2);
    sta_close(outer); /* and all that was opened inside */
    IS_GONE(a);
    IS_GONE(d);
    IS_GONE(e);
    IS(b, 1, 2, 3);
    sta_close(third);
    sta_close(second);
    sta_close((sta_scope){0});
    sta_close((sta_scope){UINT64_MAX});
    IS(b, 1, 2, 3);
}

static void free_and_keep(void)
{
    sta_array a = numbers(3), b = sta_add(a, a), view = sta_flip(a, STA_ALL);
    sta_free(a);
    sta_free(a);
    IS_GONE(a);
    IS(b, 0, 2, 4);
    IS(view, 2, 1, 0);
    sta_array next = numbers(4); /* takes the slot of a */
    IS_GONE(a);
    IS(next, 0, 1, 2, 3);
    sta_scope scope = sta_open();
    sta_array kept = sta_keep(sta_sum(next, STA_ALL, 0));
    sta_close(scope);
    int64_t sum = 0;
    STA_ASSERT_OK(sta_item_int(kept, &sum));
    CU_ASSERT_EQUAL(sum, 6);
    sta_array root = sta_keep(sta_keep(sta_keep(numbers(2)))); /* further out than the root is the root */
    IS(root, 0, 1);
    sta_free(root);
}

static sta_scope of_the_main_thread;
static sta_array made_outside, left_in_root;

static void *other_thread(void *argument)
{
    sta_close(of_the_main_thread); /* not open in this thread */
    sta_array mine = numbers(2);   /* no scope of its own: the root's */
    left_in_root = sta_add(mine, sta_int(5));
    sta_free(mine);
    sta_scope scope = sta_open();
    made_outside = numbers(3);
    sta_array gone = numbers(3);
    sta_keep(made_outside);
    sta_close(scope);
    *(bool *)argument = sta_check(gone) != NULL;
    sta_open(); /* and never closed */
    numbers(1);
    return NULL;
}

static void threads_have_scopes(void)
{
    pthread_t thread;
    bool gone = false;
    of_the_main_thread = sta_open();
    sta_array mine = numbers(2);
    CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, other_thread, &gone), 0);
    pthread_join(thread, NULL);
    CU_ASSERT(gone);
    IS(mine, 0, 1);
    sta_close(of_the_main_thread);
    IS_GONE(mine);
    IS(made_outside, 0, 1, 2);
    IS(left_in_root, 5, 6);
    sta_free(made_outside);
    sta_free(left_in_root);
}

/* ---- handles that name nothing ---- */

static void no_arrays(void)
{
    sta_array real = numbers(3);
    const uint64_t ids[] = {0,
                            1,
                            UINT64_MAX,
                            UINT32_MAX,
                            (uint64_t)1 << 32,
                            real.id + ((uint64_t)1 << 32),
                            real.id ^ UINT64_C(0x8000000000000000),
                            real.id + 1000000,
                            0x123456789abcdef};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        sta_array x = {ids[i]};
        sta_error_code code = ids[i] == UINT32_MAX ? STA_ERROR_MEMORY : STA_ERROR_INVALID_ARRAY;
        double value;
        STA_ASSERT_ERROR(x, code);
        CU_ASSERT(sta_check(x) != NULL);
        STA_ASSERT_FAILS(sta_item_float(x, &value), code);
        STA_ASSERT_FAILS(sta_read(x, &value, sizeof value), code);
        STA_ASSERT_FAILS(sta_save("none.npy", x), code);
        STA_ASSERT_ERROR(sta_add(x, real), code);
        STA_ASSERT_ERROR(sta_add(real, x), code);
        STA_ASSERT_ERROR(sta_slice(x, "0"), code);
        STA_ASSERT_ERROR(sta_sum(x, STA_ALL, 0), code);
        STA_ASSERT_ERROR(sta_full(STA_DIMS(2), x, STA_DTYPE_NONE), code);
        STA_ASSERT_ERROR(sta_zeros_like(x, STA_DTYPE_NONE), code);
        STA_ASSERT_ERROR(sta_copy(x), code);
        STA_ASSERT_ERROR(sta_add_into(x, real, real), code);
        CU_ASSERT_EQUAL(sta_ndim(x), 0);
        CU_ASSERT_EQUAL(sta_size(x), 0);
        CU_ASSERT_EQUAL(sta_shape(x).count, 0);
        CU_ASSERT_EQUAL(sta_dtype_of(x), STA_DTYPE_NONE);
        sta_free(x);
        sta_eval(x);
        sta_keep(x);
    }
    IS(real, 0, 1, 2);
}

/* ---- errors ---- */

static void names(void)
{
#define STA_ERROR(name, code, text) STA_ASSERT_TEXT(sta_error_name(STA_ERROR_##name), #name);
#include <starray/errors.def>
#undef STA_ERROR
    STA_ASSERT_TEXT(sta_error_name(STA_ERROR_NONE), "NONE");
    STA_ASSERT_TEXT(sta_error_name((sta_error_code)12345), "UNKNOWN");
}

static void says(unsigned line, sta_array x, sta_error_code code, const char *op, const char *text)
{
    const sta_error *error = sta_wait(x);
    sta_test_error(__FILE__, line, text, error, code);
    if (!error)
        return;
    sta_test_text(__FILE__, line, "op", error->op, op);
    sta_test_text(__FILE__, line, "text", error->text, text);
}
#define SAYS(x, code, op, text) says(__LINE__, x, STA_ERROR_##code, op, text)

static void texts(void)
{
    sta_array a = sta_zeros(STA_DIMS(3, 4), STA_float64), b = sta_zeros(STA_DIMS(5), STA_int8),
              e = sta_zeros(STA_DIMS(0), STA_float64);
    SAYS(sta_add(a, b), SHAPE, "add", "shapes (3, 4) and (5,) do not broadcast");
    SAYS(sta_zeros(STA_DIMS(2, -1), STA_float64), SHAPE, "zeros", "axis 1 has a negative length: (2, -1)");
    SAYS(sta_assign(sta_copy(a), b), SHAPE, "assign",
         "an array of shape (5,) cannot be assigned to one of shape (3, 4)");
    SAYS(sta_zeros(STA_DIMS(2), (sta_dtype)77), DTYPE, "zeros", "77 is not a dtype");
    SAYS(sta_astype(b, (sta_dtype)77), DTYPE, "astype", "77 is not a dtype");
    SAYS(sta_slice(a, "0, 9"), INDEX, "slice", "index 9 is out of range for axis 1 of length 4");
    SAYS(sta_add(b, sta_int(1000)), VALUE, "add", "the integer 1000 does not fit int8");
    SAYS(sta_full(STA_DIMS(2), sta_int(-1), STA_uint8), VALUE, "full", "the integer -1 does not fit uint8");
    SAYS(sta_arange(0, 1, 0, STA_DTYPE_NONE), VALUE, "arange",
         "start 0, stop 1 and step 0 must be finite, the step not 0");
    SAYS(sta_arange_int(0, 1, 0, STA_DTYPE_NONE), VALUE, "arange_int", "the step is 0");
    SAYS(sta_linspace(0, 1, -3, STA_DTYPE_NONE), VALUE, "linspace", "the number of values is negative: -3");
    SAYS(sta_eye(-1, 2, 0, STA_DTYPE_NONE), SHAPE, "eye", "a length is negative: (-1, 2)");
    SAYS(sta_zeros(STA_DIMS(INT64_MAX, 16), STA_int8), TOO_LARGE, "zeros",
         "shape (9223372036854775807, 16) has more than 2^59 elements");
    SAYS(sta_arange_int(INT64_MIN, INT64_MAX, 1, STA_DTYPE_NONE), TOO_LARGE, "arange_int",
         "the range has more than 2^59 elements");
    SAYS(sta_assign(sta_broadcast_to(b, STA_DIMS(2, 5)), b), READ_ONLY, "assign",
         "the target repeats elements (a broadcast view): it cannot be written");
    SAYS(sta_max(e, STA_ALL, 0), EMPTY, "max", "axis 0 has length 0 and max has no identity");
    SAYS(sta_load("/no/such/file.npy"), IO, "load", "/no/such/file.npy: No such file or directory");
    double to[2];
    const sta_error *error = sta_read(b, to, sizeof to);
    STA_ASSERT_FAILS(error, STA_ERROR_VALUE);
    STA_ASSERT_TEXT(error->text, "the array has 5 bytes, the buffer 16");
    error = sta_item_float(a, to);
    STA_ASSERT_FAILS(error, STA_ERROR_SHAPE);
    STA_ASSERT_TEXT(error->text, "an array of shape (3, 4) has not one element");
}

/* An array in error is inert: each function of it gives the first error. */
static void inert(void)
{
    sta_array good = numbers(4), bad = sta_slice(good, "4");
    const sta_error *first = sta_check(bad);
    STA_ASSERT_FAILS(first, STA_ERROR_INDEX);
    sta_array all[] = {sta_add(bad, good),
                       sta_add(good, bad),
                       sta_sqrt(bad),
                       sta_slice(bad, "0, 0, 0"),
                       sta_transpose(bad, STA_AXES(7)),
                       sta_sum(bad, STA_AXES(5), 0),
                       sta_copy(bad),
                       sta_astype(bad, STA_int8),
                       sta_full(STA_DIMS(1), bad, STA_int8),
                       sta_full_like(good, bad, STA_int8),
                       sta_ones_like(bad, STA_int8),
                       sta_where(good, bad, good),
                       bad,
                       sta_eval(bad),
                       sta_keep(bad),
                       sta_assign(bad, good),
                       sta_broadcast_to(bad, STA_DIMS(2)),
                       sta_add(bad, sta_slice(good, "oops"))};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        CU_ASSERT_PTR_EQUAL(sta_wait(all[i]), first);
    int64_t item;
    CU_ASSERT_PTR_EQUAL(sta_item_int(bad, &item), first);
    CU_ASSERT_PTR_EQUAL(sta_save("none.npy", bad), first);
    sta_array again = sta_slice(good, "4");
    CU_ASSERT_PTR_EQUAL(sta_check(again), first); /* equal errors are one */
    IS(good, 0, 1, 2, 3);
    sta_free(bad);
    IS_GONE(bad);
}

/* NULL for a list or a text is an error of the function; for a place of results one of the functions that return errors. */
static void nothing_given(void)
{
    const sta_array x = numbers(1), *const none = NULL;
    const sta_items items = {1, NULL};
    const sta_array arrays[] = {sta_concat(none, 2, 0),
                                sta_concat(none, 2, STA_FLAT),
                                sta_stack(none, 2, 0),
                                sta_vstack(none, 2),
                                sta_hstack(none, 2),
                                sta_dstack(none, 2),
                                sta_column_stack(none, 2),
                                sta_block(none, STA_DIMS(2)),
                                sta_index(x, NULL, 1),
                                sta_at(x, items),
                                sta_assign_at(sta_copy(x), items, x),
                                sta_add_at(sta_copy(x), items, x),
                                sta_slice(x, NULL),
                                sta_choose(x, none, 2, STA_MODE_RAISE),
                                sta_select(none, &x, 1, x),
                                sta_select(&x, none, 1, x),
                                sta_piecewise(x, none, 1, &x, 1),
                                sta_piecewise(x, &x, 1, none, 1),
                                sta_multi_dot(none, 2),
                                sta_ravel_multi_index(none, 1, STA_DIMS(3), STA_MODE_RAISE),
                                sta_ufunc_into("add", sta_copy(x), sta_bool(1), none, 2),
                                sta_ufunc_reduce(NULL, x, STA_ALL, 0, NULL),
                                sta_load(NULL),
                                sta_load_npz(NULL, NULL),
                                sta_memmap(NULL, 0),
                                sta_fromfile(NULL, STA_int8, -1, 0),
                                sta_loadtxt(NULL, NULL)};
    const sta_error *const errors[] = {sta_read(x, NULL, sizeof(int64_t)),
                                       sta_item_int(x, NULL),
                                       sta_item_float(x, NULL),
                                       sta_item_complex(x, NULL),
                                       sta_item_bool(x, NULL),
                                       sta_format(x, NULL, NULL),
                                       sta_print_to(NULL, x, NULL),
                                       sta_npz_names("none.npz", NULL),
                                       sta_save(NULL, x),
                                       sta_savez(NULL, NULL, &x, 1),
                                       sta_savez("none.npz", NULL, NULL, 1),
                                       sta_tofile(NULL, x),
                                       sta_savetxt(NULL, x, NULL)};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        const sta_error *error = sta_wait(arrays[i]);
        CU_ASSERT(error && (error->code == STA_ERROR_VALUE || error->code == STA_ERROR_SYNTAX));
        if (!error || (error->code != STA_ERROR_VALUE && error->code != STA_ERROR_SYNTAX))
            printf("array %zu: %s\n", i, error ? error->text : "no error");
    }
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        STA_ASSERT_FAILS(errors[i], STA_ERROR_VALUE);
    STA_ASSERT_OK(sta_read(sta_slice(x, "1:"), NULL, 0));
    CU_ASSERT_EQUAL(sta_result_type(NULL, 1), STA_DTYPE_NONE);
    IS(x, 0);
}

/* What does not fit on a disk is told by the print that wrote it. */
static void full_disk(void)
{
    FILE *full = fopen("/dev/full", "we");
    if (!full)
        return;
    STA_ASSERT_FAILS(sta_print_to(full, numbers(3), NULL), STA_ERROR_IO);
    fclose(full);
}

/* ---- errors of tasks ---- */

struct failing {
    int64_t tile, from;
};

static sta_error_code fail_from(struct sta__job *job)
{
    const struct failing *f = job->arguments;
    memset(job->memory[0].data, 0, (size_t)job->memory[0].shape[0] * sizeof(int64_t));
    if (f->tile < f->from)
        return STA_ERROR_NONE;
    snprintf(job->text, sizeof job->text, "tile %lld does not work", (long long)f->tile);
    return STA_ERROR_VALUE;
}

/* An array of ten tiles of 7, whose tasks fail from the tile `from` on. */
static sta_array failing_array(int64_t from)
{
    static const struct sta__kernel kernel = {.name = "failing", .cpu = fail_from};
    struct sta__call call = sta__enter("failing");
    struct sta__shape shape = {.ndim = 1, .at = {70}};
    struct sta__grid *grid = sta__grid_regular(&shape, (int64_t[]){7});
    struct sta__value *value = sta__value_tiled(STA_int64, grid);
    struct sta__batch *batch = sta__batch_open(&call, &kernel, STA_int64, false);
    for (int64_t t = 0; t < 10; t++) {
        struct failing f = {t, from};
        sta__task_writes(sta__batch_task(batch, &f, sizeof f), value, t);
    }
    sta__grid_drop(grid);
    CU_ASSERT(sta__batch_submit(batch));
    return sta__leave(&call, value);
}

static void errors_of_tasks(void)
{
    for (int round = 0; round < 20; round++) {
        sta_scope scope = sta_open();
        sta_array x = failing_array(3), y = sta_add(x, sta_int(1)), sum = sta_sum(x, STA_ALL, 0), other = numbers(70);
        SAYS(x, VALUE, "failing", "tile 3 does not work"); /* always the lowest */
        SAYS(y, VALUE, "failing", "tile 3 does not work");
        SAYS(sum, VALUE, "failing", "tile 3 does not work");
        SAYS(sta_flip(sta_add(other, x), STA_ALL), VALUE, "failing", "tile 3 does not work");
        sta_assign(sta_slice(other, "::2"), sta_slice(x, "35:"));
        STA_ASSERT_ERROR(other, STA_ERROR_VALUE);
        int64_t data[70];
        STA_ASSERT_FAILS(sta_read(x, data, sizeof data), STA_ERROR_VALUE);
        sta_array fine = sta_copy(sta_slice(failing_array(3), ":21"));
        STA_ASSERT_OK(sta_wait(fine)); /* of tiles that did work */
        sta_array earlier = failing_array(5), later = failing_array(2);
        SAYS(sta_add(later, earlier), VALUE, "failing", "tile 5 does not work"); /* the first operation's */
        STA_ASSERT_ERROR(sta_max(y, STA_ALL, 0), STA_ERROR_VALUE);
        sta_close(scope);
    }
}

/* Elements of which the last is missing: at once, or a task will find it. */
static sta_array missing(int64_t n)
{
    sta_array ids = sta_eval(sta_where(sta_equal(numbers(n), sta_int(n - 1)), sta_int(-n - 1), numbers(n)));
    return sta_take(numbers(n), ids, 0, STA_MODE_RAISE);
}

/* Who overwrites what is in error, or will be, does not make it right, nor what it is overwritten with wrong. */
static void overwritten_errors(void)
{
    const int64_t lengths[] = {5, sta__runtime.settings.tile_elements == 3 ? 100 : 40000};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        int64_t n = lengths[i];
        sta_scope scope = sta_open();
        sta_array source = numbers(n), zero = sta_int(0), x[10];
        for (size_t k = 0; k < sizeof x / sizeof *x; k++)
            x[k] = missing(n);
        sta_assign(x[0], zero);
        sta_assign(x[1], source);
        sta_assign(sta_flip(x[2], STA_ALL), source);
        sta_assign(sta_slice(x[3], "%lld:", (long long)(n / 2)), zero);
        sta_assign(sta_slice(x[3], ":%lld", (long long)(n / 2)), zero);
        sta_assign(sta_reshape(x[4], STA_DIMS(5, -1)), zero);
        sta_assign(x[5] = sta_add(x[5], source), zero); /* of what nobody has computed */
        sta_add_into(x[6], source, source);
        sta_assign(x[7], sta_where(sta_less(x[7], zero), zero, x[7]));
        STA_ASSERT_ERROR(x[8], STA_ERROR_INDEX); /* known before */
        sta_assign(x[8], zero);
        sta_putmask(x[9], sta_greater(source, zero), zero);
        for (size_t k = 0; k < sizeof x / sizeof *x; k++) {
            STA_ASSERT_ERROR(sta_sum(x[k], STA_ALL, 0), STA_ERROR_INDEX);
            STA_ASSERT_ERROR(x[k], STA_ERROR_INDEX);
        }
        STA_ASSERT_OK(sta_wait(source));
        sta_array fine = sta_take(source, source, 0, STA_MODE_RAISE);
        sta_assign(fine, zero);
        STA_ASSERT_OK(sta_wait(fine));
        sta_close(scope);
    }
}

STA_TESTS("errors", STA_CASE(scopes_nest), STA_CASE(free_and_keep), STA_CASE(threads_have_scopes), STA_CASE(no_arrays),
          STA_CASE(names), STA_CASE(texts), STA_CASE(inert), STA_CASE(nothing_given), STA_CASE(full_disk),
          STA_CASE(errors_of_tasks), STA_CASE(overwritten_errors))
