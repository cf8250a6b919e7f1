/* The harness of the C tests: CUnit, with arrays.
 *
 *      static void adds(void)
 *      {
 *          sta_array x = sta_test_array(STA_float32, STA_DIMS(3), (float[]){1, 2, 3});
 *          STA_ASSERT_EQUAL(sta_add(x, x), STA_float32, STA_DIMS(3), ((float[]){2, 4, 6}));
 *          STA_ASSERT_ERROR(sta_add(x, bad), STA_ERROR_SHAPE);
 *      }
 *      STA_TESTS("elementwise", STA_CASE(adds))
 *
 * Each case runs in a scope of its own. The program's arguments name the cases to run; none means all. It returns 0, 1
 * where something failed, 77 where StarPU has no worker.
 */
#ifndef STA_TEST_H
#define STA_TEST_H

#include <CUnit/CUnit.h>
#include <starray/starray.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sta_test_case {
    const char *name;
    void (*run)(void);
};
#define STA_CASE(function)                                                                                             \
    {                                                                                                                  \
#function, function                                                                                            \
    }

/* Makes main. PURE: for parts that need no StarPU; the library is not started. */
#define STA_TESTS(suite, ...) STA__TEST_MAIN(suite, true, __VA_ARGS__)
#define STA_PURE_TESTS(suite, ...) STA__TEST_MAIN(suite, false, __VA_ARGS__)
#define STA__TEST_MAIN(suite, start, ...)                                                                              \
    int main(int argc, char **argv)                                                                                    \
    {                                                                                                                  \
        static const struct sta_test_case cases[] = {__VA_ARGS__};                                                     \
        return sta_test_main(argc, argv, suite, start, cases, sizeof cases / sizeof cases[0]);                         \
    }
int sta_test_main(int argc, char **argv, const char *suite, bool start, const struct sta_test_case *cases,
                  size_t count);

/* Runs the body in so many threads at once, up to 16, with their numbers from 0 on; what one of them returns is a failure. */
void sta_test_threads(int count, const char *(*body)(int number));

/* ---- arrays in and out ---- */

/* An array of the elements at `data`, C order. */
sta_array sta_test_array(sta_dtype dtype, sta_dims shape, const void *data);

/* How far a value may be from the expected one: any of the three allows it. All 0: the same bits, but for NaNs, which
 * are all alike. */
struct sta_tolerance {
    double ulp; /* units in the last place of the expected value, in its dtype; of the larger part where complex */
    double rtol, atol; /* |value - expected| <= atol + rtol * |expected| */
};
#define STA_EXACT ((struct sta_tolerance){0, 0, 0})
#define STA_ULP(n) ((struct sta_tolerance){(n), 0, 0})
#define STA_NEAR(rtol, atol) ((struct sta_tolerance){0, (rtol), (atol)})

/* Compares dtype, shape and elements; a difference is a failure that names the first element. */
void sta_test_compare(const char *file, unsigned line, const char *what, sta_array x, sta_dtype dtype, sta_dims shape,
                      const void *expected, struct sta_tolerance tolerance);
/* The same for elements in memory; returns whether they are alike. */
bool sta_test_compare_data(const char *file, unsigned line, const char *what, sta_dtype dtype, int64_t count,
                           const void *data, const void *expected, struct sta_tolerance tolerance);
void sta_test_error(const char *file, unsigned line, const char *what, const sta_error *error, sta_error_code code);
void sta_test_text(const char *file, unsigned line, const char *what, const char *text, const char *expected);
/* A failure with a message of printf. */
void sta_test_fail(const char *file, unsigned line, const char *format, ...) __attribute__((format(printf, 3, 4)));

#define STA_ASSERT_EQUAL(x, dtype, shape, expected)                                                                    \
    sta_test_compare(__FILE__, __LINE__, #x, x, dtype, shape, expected, STA_EXACT)
#define STA_ASSERT_CLOSE(x, dtype, shape, expected, tolerance)                                                         \
    sta_test_compare(__FILE__, __LINE__, #x, x, dtype, shape, expected, tolerance)
#define STA_ASSERT_SHAPE(x, shape) sta_test_shape(__FILE__, __LINE__, #x, x, shape)
/* The array waits and has the error; STA_ERROR_NONE: has none. */
#define STA_ASSERT_ERROR(x, code) sta_test_error(__FILE__, __LINE__, #x, sta_wait(x), code)
/* For functions that return an error: NULL is expected. */
#define STA_ASSERT_OK(error) sta_test_error(__FILE__, __LINE__, #error, error, STA_ERROR_NONE)
#define STA_ASSERT_FAILS(error, code) sta_test_error(__FILE__, __LINE__, #error, error, code)
#define STA_ASSERT_TEXT(text, expected) sta_test_text(__FILE__, __LINE__, #text, text, expected)
void sta_test_shape(const char *file, unsigned line, const char *what, sta_array x, sta_dims shape);

/* ---- values by NumPy ---- */

/* One array of NumPy's, made by support/oracle.py: inputs and outputs alike. */
struct sta_record {
    const char *name; /* "add/f64/out" */
    sta_dtype dtype;  /* NONE: no array, but a text: data, of `count` bytes and a 0 */
    sta_dims shape;
    int64_t count;
    const void *data; /* aligned to 64 */
};
struct sta_oracle;
/* Runs `$STARRAY_PYTHON oracle.py GROUP ARGUMENT` (argument may be NULL) and reads what it makes; kept until the end.
 * NULL where there is no Python with NumPy: then the case is skipped, which is no failure, and says so. */
const struct sta_oracle *sta_test_oracle(const char *group, const char *argument);
size_t sta_oracle_count(const struct sta_oracle *oracle);
const struct sta_record *sta_oracle_at(const struct sta_oracle *oracle, size_t i);
/* By the name that the format makes; NULL and a failure where there is none. */
const struct sta_record *sta_oracle_find(const struct sta_oracle *oracle, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
bool sta_oracle_has(const struct sta_oracle *oracle, const char *format, ...) __attribute__((format(printf, 2, 3)));
sta_array sta_test_record_array(const struct sta_record *record);
#define STA_ASSERT_RECORD(x, record, tolerance)                                                                        \
    sta_test_compare(__FILE__, __LINE__, (record)->name, x, (record)->dtype, (record)->shape, (record)->data, tolerance)

#endif
