/* Comparing elements of any dtype. Contract: sta_test.h. */
#include "sta_test.h"

#include "digits.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A real number as the comparison sees it: its value, and the size of a unit in its last place. */
struct number {
    double value, unit;
};

static struct number number_of(sta_dtype dtype, const char *at)
{
    struct sta__real real = sta__real_of(dtype, at);
    double size = real.finite ? sta__real_size(&real) : real.nan ? NAN : INFINITY;
    /* A power of two is measured by the larger step above it. */
    return (struct number){real.negative ? -size : size, real.finite ? ldexp(1, real.exponent) : 0};
}

static bool is_close(struct number a, struct number b, double unit, struct sta_tolerance t)
{
    if (isnan(a.value) || isnan(b.value))
        return isnan(a.value) && isnan(b.value);
    if (isinf(a.value) || isinf(b.value))
        return a.value == b.value;
    double distance = fabs(a.value - b.value);
    if (distance == 0)
        return t.ulp != 0 || t.rtol != 0 || t.atol != 0 || signbit(a.value) == signbit(b.value);
    return distance <= t.ulp * unit || distance <= t.atol + t.rtol * fabs(b.value);
}

static bool element_is_close(sta_dtype dtype, const char *a, const char *b, struct sta_tolerance tolerance)
{
    if (dtype < STA_float16)
        return memcmp(a, b, sta_itemsize(dtype)) == 0;
    if (dtype != STA_complex64 && dtype != STA_complex128) {
        struct number expected = number_of(dtype, b);
        return is_close(number_of(dtype, a), expected, expected.unit, tolerance);
    }
    sta_dtype part = dtype == STA_complex64 ? STA_float32 : STA_float64;
    size_t half = sta_itemsize(part);
    struct number re = number_of(part, b), im = number_of(part, b + half);
    double unit = fmax(re.unit, im.unit), size = hypot(re.value, im.value);
    if (isfinite(size))
        tolerance.atol += tolerance.rtol * size;
    return is_close(number_of(part, a), re, unit, tolerance) &&
           is_close(number_of(part, a + half), im, unit, tolerance);
}

static const char *element_text(sta_dtype dtype, const char *at, char to[80])
{
    if (dtype == STA_complex64 || dtype == STA_complex128) {
        sta_dtype part = dtype == STA_complex64 ? STA_float32 : STA_float64;
        snprintf(to, 80, "%.17g%+.17gj", number_of(part, at).value, number_of(part, at + sta_itemsize(part)).value);
        return to;
    }
    if (dtype >= STA_float16) {
        snprintf(to, 80, "%.17g", number_of(dtype, at).value);
        return to;
    }
    size_t bytes = sta_itemsize(dtype);
    uint64_t word = 0;
    memcpy(&word, at, bytes); /* little endian, as every machine that the tests run on */
    bool negative = dtype >= STA_int8 && dtype <= STA_int64 && word >> (8 * bytes - 1);
    if (negative && bytes < 8)
        word |= UINT64_MAX << (8 * bytes);
    snprintf(to, 80, "%s%" PRIu64, negative ? "-" : "", negative ? 0 - word : word);
    return to;
}

bool sta_test_compare_data(const char *file, unsigned line, const char *what, sta_dtype dtype, int64_t count,
                           const void *data, const void *expected, struct sta_tolerance tolerance)
{
    size_t bytes = sta_itemsize(dtype);
    int64_t wrong = 0, first = -1;
    for (int64_t i = 0; i < count; i++) {
        size_t at = (size_t)i * bytes;
        if (element_is_close(dtype, (const char *)data + at, (const char *)expected + at, tolerance))
            continue;
        first = wrong++ ? first : i;
    }
    if (wrong == 0) {
        CU_assertImplementation(CU_TRUE, line, what, file, "", CU_FALSE);
        return true;
    }
    char left[80], right[80];
    size_t at = (size_t)first * bytes;
    sta_test_fail(file, line,
                  "%.200s: %" PRId64 " of %" PRId64 " %s differ, first element %" PRId64 ": %s, expected %s", what,
                  wrong, count, sta_dtype_name(dtype), first, element_text(dtype, (const char *)data + at, left),
                  element_text(dtype, (const char *)expected + at, right));
    return false;
}
