/* What is computed when, by how many tasks: fusion, common parts, long chains, many inputs and outputs.
 * ctest: tiny here omp gpu sanitize */
#include "sta_test.h"

#include "array.h"
#include "graph.h"
#include "submit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Elements of several tiles, the last one not full; tiny tiles are of 3. */
static int64_t length(void)
{
    const struct sta__settings *s = &sta__runtime.settings;
    return s->tile_elements == 3 ? 20 : s->tile_elements ? 7 * s->tile_elements - 1 : 5 * s->tile_bytes / 8 + 17;
}

static int64_t side(void)
{
    int64_t n = 1;
    while (n * n < length())
        n++;
    return n;
}

static const struct sta__value *value_of(sta_array x)
{
    const struct sta__slot *slot = sta__slot_of(x);
    CU_ASSERT_FATAL(slot && slot->store);
    return slot->store->value;
}

static int64_t tiles_of(sta_array x)
{
    return value_of(x)->state == STA__TILED ? value_of(x)->grid->tiles : 0;
}

static bool is_pending(sta_array x)
{
    return value_of(x)->state == STA__PENDING;
}

/* The tasks that computing x takes. */
static int64_t tasks_of(sta_array x)
{
    int64_t before = sta__tasks_submitted();
    sta_eval(x);
    return sta__tasks_submitted() - before;
}

static sta_array ramp(void)
{
    return sta_eval(sta_arange(0, (double)length(), 1, STA_float64));
}

static sta_array square_ramp(void)
{
    int64_t n = side();
    double *data = malloc(sizeof *data * (size_t)(n * n));
    CU_ASSERT_PTR_NOT_NULL_FATAL(data);
    for (int64_t i = 0; i < n * n; i++)
        data[i] = (double)i;
    sta_array x = sta_test_array(STA_float64, STA_DIMS(n, n), data);
    free(data);
    return x;
}

static double at(sta_array x, int64_t i)
{
    double value = 0;
    STA_ASSERT_OK(sta_item_float(sta_slice(x, "%lld", (long long)i), &value));
    return value;
}

#define ONE_TASK_A_TILE(expression)                                                                                    \
    do {                                                                                                               \
        sta_array result = expression;                                                                                 \
        int64_t tasks = tasks_of(result);                                                                              \
        CU_ASSERT(tiles_of(result) > (sta__runtime.gpus ? 1 : 3)); /* GPUs: larger ones */                             \
        CU_ASSERT_EQUAL(tasks, tiles_of(result));                                                                      \
        if (tasks != tiles_of(result))                                                                                 \
            printf("%s: %lld tasks, %lld tiles\n", #expression, (long long)tasks, (long long)tiles_of(result));        \
    } while (0)

/* ---- fusion ---- */

static void ten_operations(void)
{
    sta_array x = ramp(), y = x;
    for (int i = 0; i < 5; i++)
        y = sta_add(sta_multiply(y, sta_float(0.5)), x);
    CU_ASSERT(is_pending(y));
    ONE_TASK_A_TILE(y);
    CU_ASSERT_EQUAL(tasks_of(y), 0);
    CU_ASSERT_EQUAL(at(y, 7), 7 * (1 + 0.5 + 0.25 + 0.125 + 0.0625 + 0.03125));
}

static void views_fuse(void)
{
    sta_array x = ramp(), s = square_ramp();
    ONE_TASK_A_TILE(sta_multiply(sta_subtract(sta_slice(x, "1:"), sta_slice(x, ":-1")), sta_int(3)));
    ONE_TASK_A_TILE(sta_add(sta_slice(x, "::-1"), sta_slice(x, ":")));
    ONE_TASK_A_TILE(sta_add(sta_flip(sta_slice(x, "2:"), STA_ALL), sta_sqrt(sta_slice(x, ":-2"))));
    ONE_TASK_A_TILE(sta_add(s, sta_slice(s, "0")));
    ONE_TASK_A_TILE(sta_add(sta_slice(s, ":, :1"), s));
    ONE_TASK_A_TILE(sta_multiply(sta_expand_dims(s, STA_AXES(1)), sta_int(2)));
    ONE_TASK_A_TILE(sta_where(sta_greater(s, sta_float(5)), sta_broadcast_to(sta_float(1), sta_shape(s)), s));
    ONE_TASK_A_TILE(sta_astype(sta_slice(sta_transpose(s, STA_ALL), "::-1"), STA_float32));
    sta_array target = ramp();
    int64_t before = sta__tasks_submitted();
    sta_assign(sta_slice(target, "1:-1"), sta_add(sta_slice(x, "2:"), sta_multiply(sta_slice(x, ":-2"), sta_float(2))));
    CU_ASSERT_EQUAL(sta__tasks_submitted() - before, tiles_of(target));
    CU_ASSERT_EQUAL(at(target, 5), 6 + 2 * 4);
}

static void common_parts(void)
{
    sta_array x = ramp(), y = sta_eval(sta_sqrt(x));
    sta_array z = sta_divide(sta_multiply(sta_add(x, y), sta_add(x, y)), sta_subtract(sta_add(x, y), sta_add(x, y)));
    struct sta__call call = sta__enter("test");
    struct sta__operand operand;
    struct sta__plan plan;
    CU_ASSERT_FATAL(sta__operand_of(&call, z, &operand));
    CU_ASSERT_FATAL(sta__plan_build(&call, &operand.value, 1, true, &plan)); /* true: it stays pending */
    CU_ASSERT_EQUAL(plan.program->instructions, 4);                          /* add, multiply, subtract, divide */
    CU_ASSERT_EQUAL(plan.program->inputs, 2);
    sta__plan_end(&plan);
    sta__operand_drop(&operand);
    sta__leave_error(&call);
    ONE_TASK_A_TILE(z);
    /* Equal numbers are one operand. */
    sta_array twice = sta_add(sta_multiply(x, sta_float(0.5)), sta_multiply(x, sta_float(0.5)));
    call = sta__enter("test");
    CU_ASSERT_FATAL(sta__operand_of(&call, twice, &operand));
    CU_ASSERT_FATAL(sta__plan_build(&call, &operand.value, 1, true, &plan));
    CU_ASSERT_EQUAL(plan.program->instructions, 2);
    CU_ASSERT_EQUAL(plan.program->inputs, 2);
    sta__plan_end(&plan);
    sta__operand_drop(&operand);
    sta__leave_error(&call);
    CU_ASSERT_EQUAL(at(twice, 6), 6);
}

static void computed_twice_at_most(void)
{
    sta_array x = ramp(), common = sta_exp(sta_multiply(x, sta_float(-1e-3)));
    for (int i = 0; i < 4; i++) {
        CU_ASSERT_EQUAL(is_pending(common), i < 2);
        sta_eval(sta_add(common, sta_int(i)));
    }
    sta_array again = sta_exp(sta_multiply(x, sta_float(-1e-3))), target = ramp();
    for (int i = 0; i < 4; i++) {
        CU_ASSERT_EQUAL(is_pending(again), i < 1);
        sta_assign(sta_slice(target, "1:"), sta_slice(sta_add(again, sta_int(i)), "1:"));
        sta_assign(sta_slice(target, ":"), sta_add(again, sta_int(i)));
        sta_assign(sta_slice(target, "::-1"), sta_add(again, sta_int(i)));
    }
    CU_ASSERT_EQUAL(at(target, length() - 1), 4);
}

static void dead_is_not_computed(void)
{
    sta_array x = ramp();
    int64_t before = sta__tasks_submitted();
    sta_scope scope = sta_open();
    for (int i = 0; i < 50; i++)
        sta_add(sta_multiply(x, x), sta_int(i));
    sta_transpose(sta_add(x, x), STA_ALL);
    sta_free(sta_sqrt(x));
    sta_close(scope);
    CU_ASSERT_EQUAL(sta__tasks_submitted(), before);
    sta_array over = sta_add(x, x);
    sta_assign(over, sta_float(3)); /* what it was is wanted by nobody */
    CU_ASSERT_EQUAL(tasks_of(over), tiles_of(over));
    CU_ASSERT_EQUAL(at(over, 4), 3);
}

/* ---- several results of one pass ---- */

static void several_outputs(void)
{
    sta_array x = ramp(), y = sta_add(x, sta_int(1)), z = sta_multiply(x, sta_int(2)), w = sta_sqrt(x);
    int64_t tasks = tasks_of(y);
    CU_ASSERT_EQUAL(tasks, tiles_of(y));
    CU_ASSERT(!is_pending(z) && !is_pending(w));
    CU_ASSERT_EQUAL(at(y, 9), 10);
    CU_ASSERT_EQUAL(at(z, 9), 18);
    CU_ASSERT_EQUAL(at(w, 9), 3);
}

static sta_array normal_cdf(sta_array x)
{
    return sta_multiply(sta_float(0.5), sta_add(sta_int(1), sta_erf(sta_multiply(x, sta_float(0.7071067811865476)))));
}

/* The call and the put of options have most in common, deep inside: one pass gives both, whether strikes and years are
 * arrays or numbers that are there at once. */
static void deep_in_common(void)
{
    for (int numbers = 0; numbers < (sta__runtime.settings.inline_bytes ? 2 : 1); numbers++) {
        sta_array spot = sta_eval(sta_add(ramp(), sta_int(50)));
        sta_array strike = numbers ? sta_float(100) : sta_eval(sta_add(ramp(), sta_int(60)));
        sta_array years = numbers ? sta_float(1.5) : sta_eval(sta_add(ramp(), sta_int(1)));
        sta_array sigma = sta_multiply(sta_float(0.25), sta_sqrt(years));
        sta_array drift = sta_multiply(sta_float(0.06), years);
        sta_array d1 = sta_divide(sta_add(sta_log(sta_divide(spot, strike)), drift), sigma);
        sta_array d2 = sta_subtract(d1, sigma);
        sta_array due = sta_multiply(strike, sta_exp(sta_multiply(sta_float(-0.03), years)));
        sta_array call = sta_subtract(sta_multiply(spot, normal_cdf(d1)), sta_multiply(due, normal_cdf(d2)));
        sta_array put = sta_subtract(sta_multiply(due, normal_cdf(sta_negative(d2))),
                                     sta_multiply(spot, normal_cdf(sta_negative(d1))));
        int64_t tasks = tasks_of(call);
        CU_ASSERT_EQUAL(tasks, tiles_of(call));
        CU_ASSERT(!is_pending(put));
        sta_array gap = sta_subtract(sta_subtract(call, put), sta_subtract(spot, due));
        CU_ASSERT(fabs(at(gap, 4)) < 1e-9);
    }
}

/* More arrays than a task has handles, in whatever way they come together. */
static void many_outputs(void)
{
    enum { INPUTS = 6, ROUNDS = 5 };
    sta_array in[INPUTS], part[INPUTS], last = {0};
    for (int i = 0; i < INPUTS; i++)
        in[i] = sta_eval(sta_add(ramp(), sta_int(i)));
    part[0] = in[0];
    for (int i = 1; i < INPUTS; i++)
        part[i] = sta_add(part[i - 1], in[i]);
    for (int k = 0; k < ROUNDS; k++) {
        last = sta_multiply(part[INPUTS - 1], sta_int(k));
        CU_ASSERT_EQUAL(at(last, 2), k * (6 * 2 + 15));
        CU_ASSERT_EQUAL(at(sta_subtract(part[INPUTS - 2], part[k]), 3), (5 * 3 + 10) - ((k + 1) * 3 + k * (k + 1) / 2));
    }
    sta_array out[20];
    for (int k = 0; k < 20; k++)
        out[k] = sta_add(in[k % INPUTS], in[(k + 1 + k / INPUTS) % INPUTS]);
    for (int k = 0; k < 20; k++)
        CU_ASSERT_EQUAL(at(out[k], 1), 2 + k % INPUTS + (k + 1 + k / INPUTS) % INPUTS);
}

/* ---- many inputs ---- */

static void many_inputs(void)
{
    enum { COUNT = 40 };
    sta_array x = ramp(), in[COUNT], sum = x;
    for (int i = 0; i < COUNT; i++)
        in[i] = sta_eval(sta_add(x, sta_int(i)));
    for (int i = 0; i < COUNT; i++)
        sum = sta_add(sum, in[i]);
    CU_ASSERT_EQUAL(at(sum, 3), 41 * 3 + 39 * 40 / 2);
    for (int n = COUNT; n > 1; n = (n + 1) / 2) /* as a tree */
        for (int i = 0; i < n / 2; i++)
            in[i] = sta_add(in[i], in[n - 1 - i]);
    CU_ASSERT_EQUAL(at(in[0], 3), 40 * 3 + 39 * 40 / 2);
    sta_array scalars = x, halves = sta_astype(x, STA_float16), picked = x;
    for (int i = 0; i < 100; i++)
        scalars = sta_add(sta_multiply(scalars, sta_float(i % 2 ? 0.5 : 2)), sta_float(i));
    double expected = 3;
    for (int i = 0; i < 100; i++)
        expected = expected * (i % 2 ? 0.5 : 2) + i;
    CU_ASSERT_EQUAL(at(scalars, 3), expected);
    for (int i = 0; i < 100; i++) /* casts to float32 and back */
        halves = sta_negative(sta_negative(halves));
    CU_ASSERT_EQUAL(at(halves, 3), 3);
    for (int i = 0; i < 40; i++)
        picked = sta_where(sta_greater(x, sta_float(i + 1e6)), sta_float(i + 0.5), picked);
    CU_ASSERT_EQUAL(at(picked, 3), 3);
    for (int i = 0; i < 40; i++)
        picked = sta_clip(picked, sta_float(-1 - i), sta_float(i + 0.25));
    CU_ASSERT_EQUAL(at(picked, 3), 0.25);
}

/* ---- long and deep ---- */

static void long_chains(void)
{
    enum { LONG = 1000 };
    sta_array x = ramp(), y = x, z = x, doubled = sta_ones(STA_DIMS(length()), STA_int64);
    for (int i = 0; i < LONG; i++) {
        y = sta_add(y, sta_int(1));
        z = sta_subtract(sta_add(z, x), x);
    }
    CU_ASSERT_EQUAL(at(y, 5), 5 + LONG);
    CU_ASSERT_EQUAL(at(z, 5), 5);
    for (int i = 0; i < 60; i++) /* a program that were written out would have 2^60 parts */
        doubled = sta_add(doubled, doubled);
    int64_t power = 0;
    STA_ASSERT_OK(sta_item_int(sta_slice(doubled, "3"), &power));
    CU_ASSERT_EQUAL(power, INT64_C(1) << 60);
    sta_scope scope = sta_open();
    for (int i = 0; i < LONG; i++)
        y = sta_sqrt(y);
    sta_close(scope); /* what is pending ends without recursion */
}

static void deep_chains(void)
{
    int deep = sta__runtime.settings.tile_elements == 3 ? 200 : 1000;
    /* The result of tasks, not waited for: what is made of it stays pending. */
    sta_array x = sta_arange(0, 12, 1, STA_float64), y = sta_add(x, sta_slice(ramp(), ":12"));
    for (int i = 0; i < deep; i++)
        y = sta_add(sta_flip(y, STA_ALL), sta_int(1));
    CU_ASSERT_EQUAL(at(y, 5), 10 + deep);
}

/* Results of reductions and views of pending arrays, one on top of the other. */
static void mixed_chains(void)
{
    sta_array x = sta_add(square_ramp(), sta_int(1));
    for (int i = 0; i < 60; i++) {
        x = sta_add(sta_transpose(x, STA_ALL), sta_slice(x, "0"));
        if (i % 4 == 3)
            x = sta_divide(x, sta_max(x, STA_ALL, 0));
    }
    double largest = 0;
    STA_ASSERT_OK(sta_item_float(sta_max(x, STA_ALL, 0), &largest));
    CU_ASSERT_EQUAL(largest, 1);
}

/* What is written to memory that it was computed from, twice: its parts are computed first, and take it along. */
static void written_to_what_it_reads(void)
{
    enum { N = 27 };
    int64_t memory[N], expected[N];
    for (int i = 0; i < N; i++) {
        memory[i] = i - 13;
        expected[i] = 1; /* of a truth xor 2, as a truth */
    }
    sta_array x = sta_from_buffer(memory, STA_int64, STA_DIMS(3, 3, 3), NULL, 0, NULL, NULL), y = sta_signbit(x);
    sta_bitwise_xor_into(y, sta_int(2), y);
    sta_putmask(y, sta_zeros(STA_DIMS(3, 3, 3), STA_bool), sta_arange_int(0, 2, 1, STA_int64));
    sta_assign(x, y);
    sta_assign(x, y);
    STA_ASSERT_EQUAL(x, STA_int64, STA_DIMS(3, 3, 3), expected);
}

STA_TESTS("lazy", STA_CASE(written_to_what_it_reads), STA_CASE(ten_operations), STA_CASE(views_fuse),
          STA_CASE(common_parts), STA_CASE(deep_in_common), STA_CASE(computed_twice_at_most),
          STA_CASE(dead_is_not_computed), STA_CASE(several_outputs), STA_CASE(many_outputs), STA_CASE(many_inputs),
          STA_CASE(long_chains), STA_CASE(deep_chains), STA_CASE(mixed_chains))
