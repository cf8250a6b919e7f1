/* Interpolation, piecewise functions, and functions with two results into arrays. ctest: tiny omp gpu sanitize */
#include "cases.h"

#include <starray/interp.h>

static void give(struct sta_case *c, sta_array result)
{
    c->out[c->outs++] = result;
}

static void interp(struct sta_case *c)
{
    sta_interp_options options = {.size = sizeof options, .period = (double)c->n[2]};
    if (c->n[0])
        options.left = sta_float(-77);
    if (c->n[1])
        options.right = sta_float(88);
    give(c, sta_interp(c->x[0], c->x[1], c->x[2], &options));
}

static void piecewise(struct sta_case *c)
{
    int count = (int)c->n[0];
    give(c, sta_piecewise(c->x[0], c->x + 1, count, c->x + 1 + count, c->count - 1 - count));
}

/* Into the operands themselves: all of them is read first. */
static void modf_into(struct sta_case *c)
{
    sta_array x = sta_copy(c->x[0]), other = sta_empty_like(x, STA_DTYPE_NONE);
    sta_modf_into(x, other, x);
    give(c, x);
    give(c, other);
}

static void frexp_into(struct sta_case *c)
{
    sta_array x = sta_copy(c->x[0]), exponent = sta_empty_like(x, STA_int32);
    sta_frexp_into(x, exponent, x);
    give(c, x);
    give(c, exponent);
}

static void divmod_into(struct sta_case *c)
{
    sta_array x = sta_copy(c->x[0]), y = sta_copy(c->x[1]);
    sta_divmod_into(x, y, x, y);
    give(c, x);
    give(c, y);
}

static const struct sta_case_call calls[] = {STA_CALL(interp), STA_CALL(piecewise), STA_CALL(modf_into),
                                             STA_CALL(frexp_into), STA_CALL(divmod_into)};

static void as_numpy(void)
{
    sta_test_cases("interp_cases", calls, sizeof calls / sizeof *calls);
}

/* One array as x, points and values. */
static void one_array(void)
{
    sta_array x = sta_arange(0, 5, 1, STA_float64);
    STA_ASSERT_EQUAL(sta_interp(x, x, x, NULL), STA_float64, STA_DIMS(5), ((double[]){0, 1, 2, 3, 4}));
    STA_ASSERT_EQUAL(sta_interp(sta_add(x, sta_float(0.25)), x, x, NULL), STA_float64, STA_DIMS(5),
                     ((double[]){0.25, 1.25, 2.25, 3.25, 4}));
}

static void errors(void)
{
    sta_array x = sta_arange(0, 5, 1, STA_float64), none = {0};
    sta_interp_options options = {.size = sizeof options, .left = x};
    STA_ASSERT_ERROR(sta_interp(x, x, x, &options), STA_ERROR_SHAPE);
    options = (sta_interp_options){.size = sizeof options, .right = sta_slice(x, "9")};
    STA_ASSERT_ERROR(sta_interp(x, x, x, &options), STA_ERROR_INDEX);
    options = (sta_interp_options){.size = sizeof options, .period = 1e300 * 1e300};
    STA_ASSERT_ERROR(sta_interp(x, x, x, &options), STA_ERROR_VALUE);
    STA_ASSERT_ERROR(sta_interp(none, x, x, NULL), STA_ERROR_INVALID_ARRAY);
    STA_ASSERT_ERROR(sta_piecewise(none, &x, 1, &x, 1), STA_ERROR_INVALID_ARRAY);
    STA_ASSERT_ERROR(sta_piecewise(x, &none, 1, &x, 1), STA_ERROR_INVALID_ARRAY);
    STA_ASSERT_ERROR(sta_piecewise(x, &x, 0, &x, 0), STA_ERROR_VALUE);
    sta_array out = sta_empty_like(x, STA_DTYPE_NONE), fixed = sta_broadcast_to(sta_slice(out, ":1"), STA_DIMS(5));
    sta_modf_into(out, fixed, x);
    STA_ASSERT_ERROR(fixed, STA_ERROR_READ_ONLY);
    STA_ASSERT_ERROR(out, STA_ERROR_NONE);
}

STA_TESTS("interp", STA_CASE(as_numpy), STA_CASE(one_array), STA_CASE(errors))
