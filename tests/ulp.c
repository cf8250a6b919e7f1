/* Accuracy of the element-wise functions of floats: a table of the largest error found, in units in the last place,
 * for each function, dtype and instruction set, and a failure where one is above what ufuncs.def states.
 *
 *     ulp [samples [name]]      default: 2000 random arguments a function, and the special ones
 *
 * The reference is MPFR (mpfr_reference.h), else the row's own text in long double. Where there is a GPU the library computes
 * the same there (column "gpu").
 */

#define STA__PADDED 0
#define STA__ISA test
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <tgmath.h>

#include "elementwise/loop_macros.h"
#include "elementwise/scalar_special.h"

#include "mpfr_reference.h"

#undef complex /* a name in front.h */
#include "elementwise/front.h"
#include "graph.h"

#include <starray/starray.h>

static long double sta__lgamma_f80(long double x)
{
    int sign;
    return lgammal_r(x, &sign);
}

#define T long double
#define U long double
#define OTHER long double
#define LARGEST LDBL_MAX
#define STA__BRIEF f80
#define STA__CLASS F
#include "elementwise/scalar_floating.h"

#include "elementwise/loops.h"

/* ---- arguments ---- */

static const double special[] = {0,    1,    2,    3,    0.5,  0.25,  1.5,   10,      20,      33,       88.7,
                                 89,   104,  127,  128,  150,  171.5, 308.2, 709.7,   710,     745,      1023,
                                 1024, 1075, 1e-3, 1e-5, 1e-8, 1e-20, 1e-38, 1e-40,   1e-45,   1e-308,   5e-324,
                                 1e5,  1e10, 1e15, 1e16, 1e22, 1e38,  1e300, FLT_MAX, DBL_MAX, INFINITY, NAN};
enum { SPECIAL = sizeof special / sizeof *special, SIGNED = 2 * SPECIAL };

static uint64_t random_bits(void)
{
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 33) * 0x9e3779b97f4a7c15u ^ state >> 13;
}

static double signed_special(size_t k)
{
    return k < SPECIAL ? special[k] : -special[k - SPECIAL];
}

static double unit(void)
{
    return (double)(random_bits() >> 11) * 0x1p-52 - 1;
}

/* Any bits, any size, near 0, around a special value. */
static double random_argument(int64_t i, sta_dtype dtype)
{
    const uint64_t bits = random_bits();
    double any;
    memcpy(&any, &bits, sizeof any);
    const uint32_t low_bits = (uint32_t)(bits >> 20);
    float any_float;
    memcpy(&any_float, &low_bits, sizeof any_float);
    switch (i % 4) {
    case 0:
        return dtype == STA_float32 ? (double)any_float : any;
    case 1:
        return unit() * pow(10.0, 4 * unit());
    case 2:
        return unit();
    default:
        return signed_special(bits % SIGNED) * (1 + 0.01 * unit());
    }
}

struct samples {
    int64_t count;
    long double *x, *y, *reference;
    void *narrow_x, *narrow_y, *got;
};

static void narrow(sta_dtype dtype, int64_t count, long double *values, void *to)
{
    for (int64_t i = 0; i < count; i++) {
        if (dtype == STA_float32)
            values[i] = ((float *)to)[i] = (float)values[i];
        else
            values[i] = ((double *)to)[i] = (double)values[i];
    }
}

static void draw(struct samples *s, sta_dtype dtype, int arity)
{
    int64_t i = 0;
    for (size_t a = 0; a < SIGNED; a++)
        for (size_t b = 0; b < (arity == 2 ? SIGNED : 1); b++, i++) {
            s->x[i] = signed_special(a);
            s->y[i] = signed_special(b);
        }
    for (; i < s->count; i++) {
        s->x[i] = random_argument(i, dtype);
        s->y[i] = random_argument((int64_t)random_bits() & 3, dtype);
    }
    narrow(dtype, s->count, s->x, s->narrow_x);
    narrow(dtype, s->count, s->y, s->narrow_y);
}

/* ---- reference ---- */

static void refer(int op, struct samples *s)
{
    const struct reference *found = NULL;
    for (size_t k = 0; k < sizeof references / sizeof *references; k++)
        if (references[k].op == op)
            found = &references[k];
    if (!found) {
        static sta__loop wide[STA__OPS];
        sta__loops_f80_test(wide);
        wide[op](s->count, s->reference, (const void *const[]){s->x, s->y});
        return;
    }
    mpfr_t x, y, to;
    mpfr_inits2(160, x, y, to, (mpfr_ptr)0);
    for (int64_t i = 0; i < s->count; i++) {
        mpfr_set_ld(x, s->x[i], MPFR_RNDN);
        mpfr_set_ld(y, s->y[i], MPFR_RNDN);
        if (found->one)
            found->one(to, x, MPFR_RNDN);
        else
            found->two(to, x, y, MPFR_RNDN);
        s->reference[i] = mpfr_get_ld(to, MPFR_RNDN);
    }
    mpfr_clears(x, y, to, (mpfr_ptr)0);
}

/* ---- errors ---- */

static long double unit_in_last_place(sta_dtype dtype, long double value)
{
    const int digits = dtype == STA_float32 ? FLT_MANT_DIG : DBL_MANT_DIG;
    const int least = dtype == STA_float32 ? FLT_MIN_EXP : DBL_MIN_EXP;
    const int most = dtype == STA_float32 ? FLT_MAX_EXP : DBL_MAX_EXP;
    int exponent;
    frexpl(value, &exponent);
    exponent = value == 0 || exponent < least ? least : exponent > most ? most : exponent;
    return ldexpl(1, exponent - digits);
}

/* In units in the last place; infinite where NaN, an infinity or the sign of a zero is wrong. `scale`: measured at
 * that size if the reference is smaller. */
static double error_of(sta_dtype dtype, long double got, long double reference, long double scale)
{
    const long double beyond =
        ldexpl(1, dtype == STA_float32 ? FLT_MAX_EXP : DBL_MAX_EXP); /* where infinity rounds from */
    if (got != got || reference != reference)
        return got != got && reference != reference ? 0 : INFINITY;
    if (got == 0 && scale == 0 && signbit(got) != signbit(reference))
        return INFINITY;
    if (fabsl(reference) > LDBL_MAX)
        return got == reference ? 0 : INFINITY;
    const long double near = fabsl(got) > LDBL_MAX ? copysignl(beyond, got) : got;
    const long double target = fabsl(reference) > beyond ? copysignl(beyond, reference) : reference;
    const long double size = fabsl(target) > scale ? fabsl(target) : scale;
    return (double)(fabsl(near - target) / unit_in_last_place(dtype, size));
}

struct worst {
    double error;
    long double x, y, got, reference;
};

static struct worst compare(const struct sta__ufunc *row, sta_dtype dtype, const struct samples *s)
{
    struct worst worst = {0, 0, 0, 0, 0};
    for (int64_t i = 0; i < s->count; i++) {
        const long double x = fabsl(s->x[i]), y = fabsl(s->y[i]);
        const long double scale = row->identity == STA__IDENTITY_LOWEST ? fmaxl(1, x > y ? x : y) : 0;
        const long double got =
            dtype == STA_float32 ? (long double)((float *)s->got)[i] : (long double)((double *)s->got)[i];
        const double error = error_of(dtype, got, s->reference[i], scale);
        if (error > worst.error)
            worst = (struct worst){error, s->x[i], s->y[i], got, s->reference[i]};
    }
    return worst;
}

/* ---- the table ---- */

static bool measured(int op)
{
    const struct sta__ufunc *row = sta__ufunc(op);
    const bool rule = row->rule == STA__RULE_SAME || row->rule == STA__RULE_POWER || row->rule == STA__RULE_FLOAT ||
                      row->rule == STA__RULE_DIVIDE || row->rule == STA__RULE_REAL;
    const bool other_range = op == STA__OP_nextafter || op == STA__OP_nan_to_num; /* another value in long double */
    return rule && !other_range && row->takes & STA__TAKES_FLOATING && row->arity <= 2;
}

/* As a user's call, of arrays that are tasks' operands whatever their size. */
static bool compute_on_gpu(int op, sta_dtype dtype, const struct samples *s)
{
    const size_t bytes = (size_t)s->count * sta_itemsize(dtype);
    sta_scope scope = sta_open();
    sta_array in[2] = {sta_from_buffer(s->narrow_x, dtype, STA_DIMS(s->count), NULL, STA_COPY, NULL, NULL),
                       sta_from_buffer(s->narrow_y, dtype, STA_DIMS(s->count), NULL, STA_COPY, NULL, NULL)};
    struct sta__call call = sta__enter(sta__ufunc(op)->name);
    struct sta__operand operand[2];
    int arity = sta__ufunc(op)->arity, got = 0;
    while (got < arity && sta__operand_of(&call, in[got], &operand[got]))
        got++;
    struct sta__value *value = got == arity ? sta__ufunc_value(&call, op, operand, arity) : NULL;
    for (int i = 0; i < got; i++)
        sta__operand_drop(&operand[i]);
    const sta_error *error = sta_read(sta__leave(&call, value), s->got, bytes);
    if (error)
        printf("  %s", error->text);
    sta_close(scope);
    return !error;
}

static bool print_error(const struct sta__ufunc *row, sta_dtype dtype, const struct samples *s, const char *column)
{
    const double bound = row->ulp == 0 ? 0.5 + 0x1p-9 : row->ulp;
    const struct worst worst = compare(row, dtype, s);
    printf("  %s %6.3g", column, worst.error);
    if (worst.error <= bound)
        return true;
    printf(" > %g at x %.17Lg y %.17Lg: %.17Lg for %.17Lg", row->ulp, worst.x, worst.y, worst.got, worst.reference);
    return false;
}

static bool measure(int op, sta_dtype dtype, struct samples *s)
{
    const struct sta__ufunc *row = sta__ufunc(op);
    bool good = true;
    draw(s, dtype, row->arity);
    refer(op, s);
    printf("%-16s %-8s", row->name, sta_dtype_name(dtype));
    const char *const isas[] = {"v2", "v3", "v4"};
    for (int k = 0; k < 3; k++) {
        setenv("STA_ISA", isas[k], 1);
        if (strcmp(sta__loops_choose(), isas[k]) != 0)
            continue;
        sta__ufunc_loop(op, dtype)(s->count, s->got, (const void *const[]){s->narrow_x, s->narrow_y});
        good = print_error(row, dtype, s, isas[k]) && good;
    }
    if (sta__runtime.gpus)
        good = compute_on_gpu(op, dtype, s) && print_error(row, dtype, s, "gpu") && good;
    printf("\n");
    return good;
}

int main(int count, char **argument)
{
    const int64_t samples = SIGNED * SIGNED + (count > 1 ? atoll(argument[1]) : 2000);
    struct samples s = {.count = samples};
    void **const parts[] = {(void **)&s.x, (void **)&s.y, (void **)&s.reference, &s.narrow_x, &s.narrow_y, &s.got};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        *parts[k] = calloc((size_t)samples, sizeof(long double));
    bool good = true;
    sta_init(&(sta_init_options){.size = sizeof(sta_init_options), .inline_bytes = -1}); /* CPU alone: no column more */
    for (int op = 0; op < STA__OPS; op++) {
        if (!measured(op) || (count > 2 && strcmp(argument[2], sta__ufunc(op)->name) != 0))
            continue;
        good = measure(op, STA_float32, &s) && good;
        good = measure(op, STA_float64, &s) && good;
    }
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        free(*parts[k]);
    sta_finish();
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
