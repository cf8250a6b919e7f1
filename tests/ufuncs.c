/* Every element-wise function against NumPy: all dtypes, mixed and weak ones, operands as they may lie in memory, for small
 * arrays, for tasks, and for tiles of three elements. ctest: omp gpu oracle timeout=900 processors=2 */
#include "sta_test.h"

#include "internal.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the functions ---- */

struct function {
    const char *name;
    int arity;
    double ulp;
    union {
        sta_array (*one)(sta_array);
        sta_array (*two)(sta_array, sta_array);
        sta_array (*three)(sta_array, sta_array, sta_array);
    } call;
    union {
        sta_array (*one)(sta_array, sta_array);
        sta_array (*two)(sta_array, sta_array, sta_array);
        sta_array (*three)(sta_array, sta_array, sta_array, sta_array);
    } into;
};

#define MEMBER_1 one
#define MEMBER_2 two
#define MEMBER_3 three
#define ROW(name, arity, member, ulp) {#name, arity, ulp, {.member = sta_##name}, {.member = sta_##name##_into}},
#define ROW_OF(name, arity, member, ulp) ROW(name, arity, member, ulp)
static const struct function functions[] = {
#define STA_UFUNC(name, arity, kinds, rule, identity, cost, ulp, text, doc) ROW_OF(name, arity, MEMBER_##arity, ulp)
#include <starray/ufuncs.def>
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };
static bool met[FUNCTIONS];

static sta_array fraction(sta_array x)
{
    return sta_modf(x).fractional;
}

static sta_array whole(sta_array x)
{
    return sta_modf(x).integral;
}

static sta_array mantissa(sta_array x)
{
    return sta_frexp(x).mantissa;
}

static sta_array exponent(sta_array x)
{
    return sta_frexp(x).exponent;
}

static sta_array quotient(sta_array x, sta_array y)
{
    return sta_divmod(x, y).quotient;
}

static sta_array rest(sta_array x, sta_array y)
{
    return sta_divmod(x, y).remainder;
}

/* Those without a row of their own: the first result, then the second one where there is one. */
static const struct function others[] = {
    {"modf", 1, 0, {.one = fraction}, {NULL}},   {"modf", 1, 0, {.one = whole}, {NULL}},
    {"frexp", 1, 0, {.one = mantissa}, {NULL}},  {"frexp", 1, 0, {.one = exponent}, {NULL}},
    {"divmod", 2, 2, {.two = quotient}, {NULL}}, {"divmod", 2, 2, {.two = rest}, {NULL}},
    {"real", 1, 0, {.one = sta_real}, {NULL}},   {"imag", 1, 0, {.one = sta_imag}, {NULL}},
};

static const struct function *find(const char *name, int result)
{
    for (int f = 0; f < FUNCTIONS; f++)
        if (strcmp(functions[f].name, name) == 0) {
            met[f] = true;
            return &functions[f];
        }
    for (size_t f = 0; f < sizeof others / sizeof *others; f++)
        if (strcmp(others[f].name, name) == 0)
            return &others[f + (size_t)result];
    sta_test_fail(__FILE__, __LINE__, "no function %s", name);
    return NULL;
}

static sta_array call(const struct function *f, const sta_array *x)
{
    return f->arity == 1   ? f->call.one(x[0])
           : f->arity == 2 ? f->call.two(x[0], x[1])
                           : f->call.three(x[0], x[1], x[2]);
}

static sta_array call_into(const struct function *f, sta_array out, const sta_array *x)
{
    return f->arity == 1   ? f->into.one(out, x[0])
           : f->arity == 2 ? f->into.two(out, x[0], x[1])
                           : f->into.three(out, x[0], x[1], x[2]);
}

static bool is_one_of(const char *name, const char *const *names)
{
    for (int k = 0; names[k]; k++)
        if (strcmp(name, names[k]) == 0)
            return true;
    return false;
}

/* How far from NumPy's value, which is correctly rounded where the function is inexact. 16-bit floats are rounded once more.
 * A bound near 0 only lets the sign of a zero be another one. */
static struct sta_tolerance tolerance_of(const struct function *f, sta_dtype dtype, bool complex)
{
    static const char *const choose[] = {"maximum", "minimum", "fmax", "fmin", "clip", NULL};
    static const char *const by_angle[] = {"exp2", "power", "float_power", "sinc", NULL}; /* its error grows with it */
    static const char *const log_sum[] = {"logaddexp", "logaddexp2", NULL};               /* in ulp of the operands */
    const double epsilon = sta_finfo(dtype).eps;
    const bool half = dtype == STA_float16;
    if (is_one_of(f->name, choose) || (half && strcmp(f->name, "nextafter") == 0))
        return STA_ULP(1e-9);
    if (dtype < STA_float16)
        return STA_EXACT;
    if (is_one_of(f->name, log_sum))
        return (struct sta_tolerance){half ? 1 : f->ulp, 0, f->ulp * epsilon};
    if (strcmp(f->name, "lgamma") == 0) /* Python's own is no better */
        return (struct sta_tolerance){half ? 1 : f->ulp, 1e-13, 1e-14};
    if (complex && is_one_of(f->name, by_angle))
        return STA_NEAR(2000 * epsilon, f->name[0] == 's' ? epsilon : 0);
    if (complex)
        return f->ulp == 0 ? STA_ULP(4) : STA_ULP(f->ulp > 4 ? f->ulp : 8);
    if (f->ulp == 0)
        return STA_EXACT;
    return half ? STA_ULP(1) : STA_ULP(f->ulp + 0.5);
}

/* ---- arrays of a case: all of it, or a part for tiny tiles ---- */

enum layout { CONTIGUOUS, STRIDED, REVERSED, TRANSPOSED, BROADCAST, EACH_ANOTHER, LAYOUTS };
static const char *const layout_name[] = {"contiguous", "strided",   "reversed",
                                          "transposed", "broadcast", "each another"};

struct part {
    int64_t row, column, rows, columns;
};
enum { MOST_BYTES = 1200 * 16 };

/* The part of a record that broadcasts to two axes, with every element in place. */
static void expand(const struct sta_record *r, const struct part *part, char *to)
{
    const size_t item = sta_itemsize(r->dtype);
    const int64_t rows = r->shape.count == 2 ? r->shape.at[0] : 1;
    const int64_t columns = r->shape.count ? r->shape.at[r->shape.count - 1] : 1;
    for (int64_t i = 0; i < part->rows; i++)
        for (int64_t j = 0; j < part->columns; j++, to += item) {
            const int64_t at = (rows > 1 ? part->row + i : 0) * columns + (columns > 1 ? part->column + j : 0);
            memcpy(to, (const char *)r->data + (size_t)at * item, item);
        }
}

static void spread(const char *from, size_t item, const struct part *part, int64_t down, int64_t across, int64_t start,
                   char *to)
{
    for (int64_t i = 0; i < part->rows; i++)
        for (int64_t j = 0; j < part->columns; j++, from += item)
            memcpy(to + (size_t)(start + i * down + j * across) * item, from, item);
}

static sta_array laid_out(const struct sta_record *r, const struct part *part, enum layout layout)
{
    static _Alignas(64) char elements[MOST_BYTES], moved[2 * MOST_BYTES];
    const size_t item = sta_itemsize(r->dtype);
    const int64_t rows = part->rows, columns = part->columns, count = rows * columns;
    expand(r, part, elements);
    if (layout == STRIDED) {
        memset(moved, 1, 2 * item * (size_t)count);
        spread(elements, item, part, 2 * columns, 2, 0, moved);
        return sta_slice(sta_test_array(r->dtype, STA_DIMS(rows, 2 * columns), moved), ":, ::2");
    }
    if (layout == REVERSED) {
        spread(elements, item, part, -columns, -1, count - 1, moved);
        return sta_flip(sta_test_array(r->dtype, STA_DIMS(rows, columns), moved), STA_ALL);
    }
    if (layout == TRANSPOSED) {
        spread(elements, item, part, 1, rows, 0, moved);
        return sta_transpose(sta_test_array(r->dtype, STA_DIMS(columns, rows), moved), STA_ALL);
    }
    if (layout == BROADCAST && r->shape.count == 2 && r->shape.at[0] == 1)
        return sta_test_array(r->dtype, STA_DIMS(columns), elements);
    sta_array x = sta_test_array(r->dtype, STA_DIMS(rows, columns), elements);
    return layout == BROADCAST && r->shape.count == 2 && r->shape.at[1] == 1 ? sta_slice(x, ":, :1") : x;
}

static sta_array weak(const struct sta_record *r)
{
    if (r->dtype == STA_bool)
        return sta_bool(*(const uint8_t *)r->data);
    if (r->dtype == STA_int64)
        return sta_int(*(const int64_t *)r->data);
    const double *part = r->data;
    return r->dtype == STA_float64 ? sta_float(part[0]) : sta_complex(part[0], part[1]);
}

/* ---- one case ---- */

struct one_case {
    char name[32], kinds[8];
    const struct sta_record *in[3], *out[2];
    int outs;
    struct part part;
};

static bool is_complex(const struct one_case *c)
{
    bool complex = false;
    for (int k = 0; c->kinds[k]; k++)
        complex |= c->in[k]->dtype >= STA_complex64;
    return complex;
}

static void operands(const struct one_case *c, enum layout layout, sta_array *x)
{
    for (int k = 0; c->kinds[k]; k++)
        x[k] = c->kinds[k] == 'w'
                   ? weak(c->in[k])
                   : laid_out(c->in[k], &c->part, layout == EACH_ANOTHER ? (enum layout)(k + 1) : layout);
}

static void say(const struct one_case *c, const char *how)
{
    fprintf(stderr, "\n  %s %s (", c->name, how);
    for (int k = 0; c->kinds[k]; k++)
        fprintf(stderr, "%s%s%s", k ? ", " : "", c->kinds[k] == 'w' ? "weak " : "", sta_dtype_name(c->in[k]->dtype));
    fprintf(stderr, ") %s", c->out[0]->name);
}

static void compare(const struct one_case *c, sta_array y, const struct function *f, int result)
{
    static _Alignas(64) char expected[MOST_BYTES];
    const struct sta_record *out = c->out[result];
    expand(out, &c->part, expected);
    sta_test_compare(__FILE__, __LINE__, c->name, y, out->dtype, STA_DIMS(c->part.rows, c->part.columns), expected,
                     tolerance_of(f, out->dtype, is_complex(c)));
}

static void run_layout(const struct one_case *c, enum layout layout)
{
    const unsigned before = CU_get_number_of_failures();
    sta_array x[3];
    operands(c, layout, x);
    for (int r = 0; r < c->outs; r++) {
        const struct function *f = find(c->name, r);
        if (f && c->out[r]->dtype == STA_DTYPE_NONE)
            STA_ASSERT_ERROR(call(f, x), strcmp(c->out[r]->data, "VALUE") == 0 ? STA_ERROR_VALUE : STA_ERROR_DTYPE);
        else if (f)
            compare(c, call(f, x), f, r);
    }
    if (CU_get_number_of_failures() > before)
        say(c, layout_name[layout]);
}

/* Into a view of a larger array whose other elements stay. */
static void run_into(const struct one_case *c)
{
    const unsigned before = CU_get_number_of_failures();
    const struct function *f = find(c->name, 0);
    if (!f || !f->into.one || c->out[0]->dtype == STA_DTYPE_NONE)
        return;
    sta_array x[3], all = sta_ones(STA_DIMS(c->part.columns, 2 * c->part.rows), c->out[0]->dtype);
    operands(c, STRIDED, x);
    compare(c, call_into(f, sta_transpose(sta_slice(all, "::-1, 1::2"), STA_ALL), x), f, 0);
    compare(c, sta_transpose(sta_slice(all, "::-1, 1::2"), STA_ALL), f, 0);
    int yes = 0;
    STA_ASSERT_OK(sta_item_bool(sta_all(sta_equal(sta_slice(all, ":, ::2"), sta_int(1)), STA_ALL, 0), &yes));
    CU_ASSERT_TRUE(yes);
    if (CU_get_number_of_failures() > before)
        say(c, "into");
}

/* bfloat16, which NumPy has not: the function in float32, rounded once. */
static void run_bfloat16(const struct one_case *c)
{
    const unsigned before = CU_get_number_of_failures();
    static const char *const by_itself[] = {"nextafter", "nan_to_num", NULL};
    const struct function *f = find(c->name, 0);
    sta_array x[3], wide[3];
    if (!f || c->in[0]->dtype != STA_float32 || !c->out[0]->dtype || strchr(c->kinds, 'w') ||
        is_one_of(c->name, by_itself))
        return;
    operands(c, CONTIGUOUS, x);
    for (int k = 0; c->kinds[k]; k++) {
        if (c->in[k]->dtype >= STA_float16 && c->in[k]->dtype != STA_float32)
            return;
        if (c->in[k]->dtype < STA_float16 && strcmp(c->name, "ldexp") != 0)
            return;
        x[k] = c->in[k]->dtype == STA_float32 ? sta_astype(x[k], STA_bfloat16) : x[k];
        wide[k] = c->in[k]->dtype == STA_float32 ? sta_astype(x[k], STA_float32) : x[k];
    }
    sta_array expected = call(f, wide), y = call(f, x);
    if (sta_dtype_of(expected) == STA_float32)
        expected = sta_astype(expected, STA_bfloat16);
    static _Alignas(64) char data[MOST_BYTES];
    STA_ASSERT_OK(sta_read(expected, data, (size_t)sta_size(expected) * sta_itemsize(sta_dtype_of(expected))));
    STA_ASSERT_EQUAL(y, sta_dtype_of(expected), sta_shape(expected), data);
    if (CU_get_number_of_failures() > before)
        say(c, "bfloat16");
}

/* ---- all cases ---- */

/* Reads the case at record *at and steps behind it. */
static struct one_case read_case(const struct sta_oracle *oracle, size_t *at)
{
    struct one_case c = {.outs = 0};
    int read = sscanf(sta_oracle_at(oracle, (*at)++)->data, "%31s %7s", c.name, c.kinds);
    CU_ASSERT_EQUAL_FATAL(read, 2);
    for (int k = 0; c.kinds[k]; k++)
        c.in[k] = sta_oracle_at(oracle, (*at)++);
    while (*at < sta_oracle_count(oracle) && !strstr(sta_oracle_at(oracle, *at)->name, "/call"))
        c.out[c.outs++] = sta_oracle_at(oracle, (*at)++);
    return c;
}

static struct part part_of(const struct sta_record *out, size_t number)
{
    if (out->dtype == STA_DTYPE_NONE)
        return (struct part){0, 0, 2, 2};
    const int64_t rows = out->shape.at[0], columns = out->shape.at[1];
    if (!sta__runtime.settings.tile_elements)
        return (struct part){0, 0, rows, columns};
    return (struct part){(int64_t)number * 7 % (rows - 3), (int64_t)number * 11 % (columns - 5), 3, 5};
}

/* GPUs compile a kernel for each function, dtype and layout: there a part is run, another one for each case. */
static int thinned(void)
{
    if (sta__runtime.settings.inline_bytes > 0 || !sta__runtime.gpus)
        return 1;
    return (sta__runtime.settings.tile_elements ? 2 : 1) * LAYOUTS;
}

static void run_case(struct one_case *c, size_t number)
{
    const unsigned before = CU_get_number_of_failures();
    const size_t every = (size_t)thinned();
    sta_scope scope = sta_open();
    c->part = part_of(c->out[0], number);
    for (enum layout layout = 0; layout < LAYOUTS && CU_get_number_of_failures() == before; layout++)
        if ((layout + number) % every == 0)
            run_layout(c, layout);
    if (number % every == 0 && CU_get_number_of_failures() == before)
        run_into(c);
    if (number % every == every / 2 && CU_get_number_of_failures() == before)
        run_bfloat16(c);
    sta_close(scope);
}

static const struct sta_oracle *ask(void)
{
    return sta_test_oracle("eval", "import ufunc_cases; globals().update(ufunc_cases.make(rng))");
}

static void run_all(int64_t tile_elements, int64_t inline_bytes)
{
    enum { ENOUGH = 40 };
    const sta_init_options options = {
        .size = sizeof options, .tile_elements = tile_elements, .inline_bytes = inline_bytes};
    const struct sta_oracle *oracle = ask();
    const unsigned before = CU_get_number_of_failures();
    memset(met, 0, sizeof met);
    STA_ASSERT_OK(sta_init(&options));
    size_t number = 0;
    for (size_t at = 0; oracle && at < sta_oracle_count(oracle); number++) {
        struct one_case c = read_case(oracle, &at);
        find(c.name, 0);
        if (CU_get_number_of_failures() < before + ENOUGH)
            run_case(&c, number);
    }
    const bool teams = sta__runtime.settings.cpu == STA__CPU_OMP && sta__runtime.settings.threads > 1;
    if (oracle && teams && inline_bytes < 0)
        CU_ASSERT_TRUE(atomic_load(&sta__runtime.largest_team) > 1); /* else the OpenMP variants were not tested */
    sta_finish();
    for (int f = 0; oracle && f < FUNCTIONS; f++)
        if (!met[f])
            sta_test_fail(__FILE__, __LINE__, "%s is not compared with NumPy", functions[f].name);
}

static void at_once(void)
{
    run_all(0, 0);
}

static void one_tile(void)
{
    run_all(0, -1);
}

static void tiny_tiles(void)
{
    run_all(3, -1);
}

/* Each case starts the library in its own way; where it cannot be started at all there is nothing to test. */
int main(int argc, char **argv)
{
    static const struct sta_test_case cases[] = {STA_CASE(at_once), STA_CASE(one_tile), STA_CASE(tiny_tiles)};
    const sta_error *error = sta_init(NULL);
    if (error)
        return error->code == STA_ERROR_STARPU ? 77 : 2;
    sta_finish();
    return sta_test_main(argc, argv, "ufuncs", false, cases, sizeof cases / sizeof cases[0]);
}
