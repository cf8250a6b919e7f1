/* Forms of element-wise functions against NumPy, over functions and dtypes. ctest: sanitize tiny here omp gpu timeout=120 */
#include "cases.h"

static const char *const names[] = {
    "add",         "subtract",      "multiply",    "divide",      "floor_divide", "remainder",
    "fmod",        "power",         "float_power", "copysign",    "nextafter",    "heaviside",
    "gcd",         "lcm",           "maximum",     "minimum",     "fmax",         "fmin",
    "logaddexp",   "logaddexp2",    "hypot",       "arctan2",     "bitwise_and",  "bitwise_or",
    "bitwise_xor", "left_shift",    "right_shift", "logical_and", "logical_or",   "logical_xor",
    "greater",     "greater_equal", "less",        "less_equal",  "equal",        "not_equal"};

/* ---- against NumPy: the first number is the function, and 99 stands for all axes ---- */

static sta_dims axes(const struct sta_case *c)
{
    return c->n[2] == 99 ? STA_ALL : sta_case_dims(c, 2, (int)c->numbers - 2);
}

static void accumulate(struct sta_case *c)
{
    c->out[c->outs++] = sta_ufunc_accumulate(names[c->n[0]], c->x[0], c->n[1], STA_DTYPE_NONE);
}

static void reduce(struct sta_case *c)
{
    c->out[c->outs++] = sta_ufunc_reduce(names[c->n[0]], c->x[0], axes(c), (unsigned)c->n[1], NULL);
}

static void reduce_some(struct sta_case *c)
{
    const sta_ufunc_reduce_options options = {.size = sizeof options, .where = c->x[1], .initial = c->x[2]};
    c->out[c->outs++] = sta_ufunc_reduce(names[c->n[0]], c->x[0], axes(c), (unsigned)c->n[1], &options);
}

static void reduce_where(struct sta_case *c)
{
    const sta_ufunc_reduce_options options = {.size = sizeof options, .where = c->x[1]};
    c->out[c->outs++] = sta_ufunc_reduce(names[c->n[0]], c->x[0], axes(c), (unsigned)c->n[1], &options);
}

static void outer(struct sta_case *c)
{
    c->out[c->outs++] = sta_ufunc_outer(names[c->n[0]], c->x[0], c->x[1]);
}

static void into(struct sta_case *c)
{
    c->out[c->outs++] = sta_ufunc_into(names[c->n[0]], c->x[0], c->x[1], &c->x[2], 2);
}

static void as_numpy(void)
{
    static const struct sta_case_call calls[] = {STA_CALL(accumulate),   STA_CALL(reduce), STA_CALL(reduce_some),
                                                 STA_CALL(reduce_where), STA_CALL(outer),  STA_CALL(into)};
    sta_test_cases("form_cases", calls, sizeof calls / sizeof *calls);
}

/* ---- dtypes that NumPy rounds at each step ---- */

static void halves(void)
{
    const uint16_t half[] = {0x3c00, 0x4000, 0x4200}; /* 1, 2, 3 */
    sta_array x = sta_test_array(STA_float16, STA_DIMS(3), half);
    STA_ASSERT_EQUAL(sta_ufunc_accumulate("add", x, 0, STA_DTYPE_NONE), STA_float16, STA_DIMS(3),
                     ((uint16_t[]){0x3c00, 0x4200, 0x4600}));
    STA_ASSERT_EQUAL(sta_ufunc_accumulate("subtract", x, 0, STA_DTYPE_NONE), STA_float16, STA_DIMS(3),
                     ((uint16_t[]){0x3c00, 0xbc00, 0xc400}));
    STA_ASSERT_EQUAL(sta_ufunc_reduce("hypot", x, STA_ALL, 0, NULL), STA_float16, STA_SCALAR, ((uint16_t[]){0x437c}));
    STA_ASSERT_ERROR(sta_ufunc_accumulate("nextafter", x, 0, STA_DTYPE_NONE), STA_ERROR_DTYPE);
    STA_ASSERT_EQUAL(sta_ufunc_accumulate("add", x, 0, STA_float32), STA_float32, STA_DIMS(3), ((float[]){1, 3, 6}));
}

static void errors(void)
{
    sta_array x = sta_test_array(STA_float64, STA_DIMS(3), ((double[]){1, 2, 3}));
    STA_ASSERT_ERROR(sta_ufunc_accumulate("frobnicate", x, 0, STA_DTYPE_NONE), STA_ERROR_VALUE);
    STA_ASSERT_TEXT(sta_wait(sta_ufunc_accumulate("sin", x, 0, STA_DTYPE_NONE))->text, "sin has 1 operands, not 2");
    STA_ASSERT_ERROR(sta_ufunc_accumulate(NULL, x, 0, STA_DTYPE_NONE), STA_ERROR_VALUE);
    STA_ASSERT_ERROR(sta_ufunc_accumulate("add", x, 0, (sta_dtype)99), STA_ERROR_DTYPE);
    STA_ASSERT_ERROR(sta_ufunc_accumulate("bitwise_or", x, 0, STA_DTYPE_NONE), STA_ERROR_DTYPE);
    STA_ASSERT_ERROR(sta_ufunc_accumulate("less", x, 0, STA_DTYPE_NONE), STA_ERROR_DTYPE);
    STA_ASSERT_ERROR(sta_ufunc_reduce("modf_integral", x, STA_ALL, 0, NULL), STA_ERROR_VALUE);
    STA_ASSERT_ERROR(sta_ufunc_reduce("gcd", x, STA_ALL, 0, NULL), STA_ERROR_DTYPE);
    STA_ASSERT_ERROR(sta_ufunc_reduce("hypot", x, STA_AXES(1), 0, NULL), STA_ERROR_AXIS);
    STA_ASSERT_ERROR(sta_ufunc_reduce("hypot", x, STA_ALL, 2, NULL), STA_ERROR_VALUE);
    sta_ufunc_reduce_options options = {.size = 1};
    STA_ASSERT_ERROR(sta_ufunc_reduce("hypot", x, STA_ALL, 0, &options), STA_ERROR_VALUE);
    options = (sta_ufunc_reduce_options){.size = sizeof options, .initial = x};
    STA_ASSERT_ERROR(sta_ufunc_reduce("hypot", x, STA_ALL, 0, &options), STA_ERROR_SHAPE);
    options.initial = sta_float(1);
    STA_ASSERT_ERROR(sta_ufunc_reduce("subtract", x, STA_ALL, 0, &options), STA_ERROR_VALUE);
    options = (sta_ufunc_reduce_options){.size = sizeof options, .where = sta_bool(1)};
    STA_ASSERT_ERROR(sta_ufunc_reduce("divide", x, STA_ALL, 0, &options), STA_ERROR_VALUE);
    STA_ASSERT_ERROR(sta_ufunc_outer("add", x, (sta_array){0}), STA_ERROR_INVALID_ARRAY);
    sta_array fixed = sta_broadcast_to(sta_float(1), STA_DIMS(3));
    STA_ASSERT_ERROR(sta_ufunc_into("sqrt", fixed, sta_bool(1), &x, 1), STA_ERROR_READ_ONLY);
}

/* What is given up for a reduction is there to its end, by a function of reduce.h or not. */
static void moved_options(void)
{
    static const char *const names[] = {"add", "maximum", "logical_or", "hypot"};
    const sta_array x = sta_test_array(STA_float64, STA_DIMS(3), ((double[]){1, 2, 3}));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const sta_array initial = sta_add(x, sta_int(4)), mask = sta_greater(x, sta_int(1));
        sta_ufunc_reduce_options options = {
            .size = sizeof options, .initial = sta_slice(initial, "0"), .where = sta_copy(mask)};
        const sta_array expected = sta_ufunc_reduce(names[i], x, STA_ALL, 0, &options);
        sta_move(options.initial);
        sta_move(options.where);
        const sta_array y = sta_ufunc_reduce(names[i], x, STA_ALL, 0, &options);
        int same = 0;
        CU_ASSERT(!sta_item_bool(sta_equal(y, expected), &same) && same);
        CU_ASSERT(sta_check(options.initial) && sta_check(options.where)); /* given up */
    }
}

STA_TESTS("forms", STA_CASE(as_numpy), STA_CASE(halves), STA_CASE(moved_options), STA_CASE(errors))
