/* The harness: running cases, arrays, comparing. Contract: sta_test.h. */
#include "sta_test.h"

#include "internal.h"

#include <CUnit/Basic.h>
#include <CUnit/TestDB.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- running ---- */

static bool started;
static sta_scope scope;

static void open_scope(void)
{
    if (started)
        scope = sta_open();
}

static void close_scope(void)
{
    if (started)
        sta_close(scope);
}

static bool wanted(int argc, char **argv, const char *name)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], name) == 0)
            return true;
    return argc < 2;
}

static int start_library(void)
{
    const sta_error *error = sta_init(NULL);
    if (!error) {
        started = true;
        return 0;
    }
    fprintf(stderr, "%s: %s\n", error->op, error->text);
    return error->code == STA_ERROR_STARPU ? 77 : 2;
}

int sta_test_main(int argc, char **argv, const char *suite, bool start, const struct sta_test_case *cases, size_t count)
{
    int status = start ? start_library() : 0;
    if (status)
        return status;
    if (CU_initialize_registry() != CUE_SUCCESS)
        return 2;
    CU_pSuite all = CU_add_suite_with_setup_and_teardown(suite, NULL, NULL, open_scope, close_scope);
    unsigned added = 0;
    for (size_t i = 0; i < count && all; i++)
        if (wanted(argc, argv, cases[i].name) && CU_add_test(all, cases[i].name, cases[i].run))
            added++;
    CU_basic_set_mode(CU_BRM_VERBOSE);
    CU_basic_run_tests();
    unsigned failures = CU_get_number_of_failures();
    CU_cleanup_registry();
    if (started)
        sta_finish();
    if (added == 0)
        fprintf(stderr, "%s: no such case\n", suite);
    return added == 0 ? 2 : failures != 0;
}

void sta_test_fail(const char *file, unsigned line, const char *format, ...)
{
    char message[1000];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    CU_assertImplementation(CU_FALSE, line, message, file, "", CU_FALSE);
}

/* Counts a success, so that CUnit's numbers of assertions are right. */
static void pass(const char *file, unsigned line)
{
    CU_assertImplementation(CU_TRUE, line, "", file, "", CU_FALSE);
}

/* ---- threads ---- */

struct test_thread {
    pthread_t thread;
    int number;
    const char *(*body)(int number);
    const char *complaint;
};

static void *run_thread(void *argument)
{
    struct test_thread *t = argument;
    t->complaint = t->body(t->number);
    return NULL;
}

void sta_test_threads(int count, const char *(*body)(int number))
{
    struct test_thread all[16];
    CU_ASSERT_FATAL(count <= (int)(sizeof all / sizeof *all));
    for (int k = 0; k < count; k++) {
        all[k] = (struct test_thread){.number = k, .body = body};
        CU_ASSERT_EQUAL_FATAL(pthread_create(&all[k].thread, NULL, run_thread, &all[k]), 0);
    }
    for (int k = 0; k < count; k++) {
        CU_ASSERT_EQUAL(pthread_join(all[k].thread, NULL), 0);
        if (all[k].complaint)
            sta_test_fail(__FILE__, __LINE__, "thread %d: %s", k, all[k].complaint);
    }
}

/* ---- arrays ---- */

sta_array sta_test_array(sta_dtype dtype, sta_dims shape, const void *data)
{
    return sta_from_buffer((void *)(uintptr_t)data, dtype, shape, NULL, STA_COPY, NULL, NULL);
}

void sta_test_shape(const char *file, unsigned line, const char *what, sta_array x, sta_dims expected)
{
    struct sta__shape have = {.ndim = sta_ndim(x)}, want = {.ndim = expected.count};
    sta_dims dims = sta_shape(x);
    char left[200], right[200];
    memcpy(have.at, dims.at, sizeof have.at);
    memcpy(want.at, expected.at, sizeof want.at);
    if (sta__shape_equal(&have, &want))
        pass(file, line);
    else
        sta_test_fail(file, line, "%.200s: shape %s, expected %s", what, sta__shape_text(&have, left, sizeof left),
                      sta__shape_text(&want, right, sizeof right));
}

static bool same_shape(sta_array x, const sta_dims *shape)
{
    sta_dims have = sta_shape(x);
    bool same = have.count == shape->count;
    for (int i = 0; i < have.count && same; i++)
        same = have.at[i] == shape->at[i];
    return same;
}

void sta_test_compare(const char *file, unsigned line, const char *what, sta_array x, sta_dtype dtype, sta_dims shape,
                      const void *expected, struct sta_tolerance tolerance)
{
    const sta_error *error = sta_wait(x);
    if (error) {
        sta_test_fail(file, line, "%.200s: error %s of %s: %s", what, sta_error_name(error->code), error->op,
                      error->text);
        return;
    }
    if (sta_dtype_of(x) != dtype) {
        sta_test_fail(file, line, "%.200s: dtype %s, expected %s", what, sta_dtype_name(sta_dtype_of(x)),
                      sta_dtype_name(dtype));
        return;
    }
    if (!same_shape(x, &shape)) {
        sta_test_shape(file, line, what, x, shape);
        return;
    }
    size_t bytes = (size_t)sta_size(x) * sta_itemsize(dtype);
    void *data = calloc(bytes + 1, 1);
    error = data ? sta_read(x, data, bytes) : NULL;
    if (error || !data)
        sta_test_fail(file, line, "%.200s: reading: %s", what, error ? error->text : "no memory");
    else
        sta_test_compare_data(file, line, what, dtype, sta_size(x), data, expected, tolerance);
    free(data);
}

void sta_test_error(const char *file, unsigned line, const char *what, const sta_error *error, sta_error_code code)
{
    sta_error_code have = error ? error->code : STA_ERROR_NONE;
    if (have == code)
        pass(file, line);
    else
        sta_test_fail(file, line, "%.200s: error %s (%s), expected %s", what, error ? sta_error_name(have) : "none",
                      error ? error->text : "", code ? sta_error_name(code) : "none");
}

void sta_test_text(const char *file, unsigned line, const char *what, const char *text, const char *expected)
{
    if (text && strcmp(text, expected) == 0)
        pass(file, line);
    else
        sta_test_fail(file, line, "%.200s: \"%.300s\", expected \"%.300s\"", what, text ? text : "(null)", expected);
}
