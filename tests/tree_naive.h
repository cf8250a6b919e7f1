/* The rule of reductions (tree.h) read naively: one element at a time, recursively, in C that shares nothing with the
 * library's. For tests/tree.c. */
#ifndef TREE_NAIVE_H
#define TREE_NAIVE_H

#include "reduce/tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- random numbers of the test ---- */

static uint64_t seed = 1;

static uint64_t draw(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}
static int64_t below(int64_t n)
{
    return (int64_t)(draw() % (uint64_t)n);
}

/* ---- the naive side: a state wide enough for all of them ---- */

struct naive {
    double re, im, m2; /* float32 values are kept exactly */
    uint64_t u;        /* integers, as 64-bit patterns */
    int64_t index;
    int64_t count;
};
struct subject {
    enum sta__reducer reducer;
    sta_dtype dtype;
};

static bool is_single(sta_dtype d)
{
    return d == STA_float32 || d == STA_complex64;
}
static bool is_complex(sta_dtype d)
{
    return d == STA_complex64 || d == STA_complex128;
}
static bool is_float(sta_dtype d)
{
    return d >= STA_float32;
}
static double rounded(sta_dtype d, double x)
{
    return is_single(d) ? (double)(float)x : x;
}
static double plus(sta_dtype d, double a, double b)
{
    return is_single(d) ? (double)((float)a + (float)b) : a + b;
}
static double minus(sta_dtype d, double a, double b)
{
    return is_single(d) ? (double)((float)a - (float)b) : a - b;
}
static double times(sta_dtype d, double a, double b)
{
    return is_single(d) ? (double)((float)a * (float)b) : a * b;
}
static double over(sta_dtype d, double a, double b)
{
    return is_single(d) ? (double)((float)a / (float)b) : a / b;
}

static bool is_nan(const struct naive *x)
{
    return isnan(x->re) || isnan(x->im);
}
/* a < b in the order of the dtype. */
static bool less(sta_dtype d, const struct naive *a, const struct naive *b)
{
    if (is_float(d))
        return a->re < b->re || (a->re == b->re && a->im < b->im);
    return d >= STA_uint8 || d == STA_bool ? a->u < b->u : (int64_t)a->u < (int64_t)b->u;
}

static struct naive chosen(sta_dtype d, bool largest, bool skips_nan, const struct naive *l, const struct naive *r)
{
    if (is_nan(l) && is_nan(r))
        return *l;
    if (is_nan(l) || is_nan(r))
        return is_nan(l) == skips_nan ? *r : *l;
    return (largest ? less(d, l, r) : less(d, r, l)) ? *r : *l;
}

static struct naive var_of(sta_dtype d, const struct naive *l, const struct naive *r)
{
    struct naive y = {.count = l->count + r->count};
    const double cl = (double)l->count, cr = (double)r->count;
    const double w = rounded(d, l->count == r->count ? cl / 2 : cl * cr / (cl + cr));
    const double one = rounded(d, 1 / cl);
    const bool same = l->count == r->count;
    const double re = same ? times(d, minus(d, r->re, l->re), one) : minus(d, over(d, r->re, cr), over(d, l->re, cl));
    const double im = same ? times(d, minus(d, r->im, l->im), one) : minus(d, over(d, r->im, cr), over(d, l->im, cl));
    const double spread = plus(d, times(d, re, re), times(d, im, im));
    y.re = plus(d, l->re, r->re);
    y.im = plus(d, l->im, r->im);
    y.m2 = plus(d, plus(d, l->m2, r->m2), times(d, spread, w));
    return y;
}

static struct naive prod_of(sta_dtype d, const struct naive *l, const struct naive *r)
{
    struct naive y = {.u = l->u * r->u, .re = times(d, l->re, r->re)};
    if (is_complex(d)) {
        y.re = minus(d, times(d, l->re, r->re), times(d, l->im, r->im));
        y.im = plus(d, times(d, l->re, r->im), times(d, l->im, r->re));
    }
    return y;
}

static struct naive combine(const struct subject *s, const struct naive *l, const struct naive *r)
{
    struct naive y = {.count = l->count + r->count};
    const bool skips = s->reducer == STA__REDUCE_nanmin || s->reducer == STA__REDUCE_nanmax ||
                       s->reducer == STA__REDUCE_nanargmin || s->reducer == STA__REDUCE_nanargmax;
    switch (s->reducer) {
    case STA__REDUCE_sum:
    case STA__REDUCE_count_nonzero:
        y.u = l->u + r->u;
        y.re = plus(s->dtype, l->re, r->re);
        y.im = plus(s->dtype, l->im, r->im);
        break;
    case STA__REDUCE_prod:
        y = prod_of(s->dtype, l, r);
        break;
    case STA__REDUCE_any:
        y.u = l->u | r->u;
        break;
    case STA__REDUCE_all:
        y.u = l->u & r->u;
        break;
    case STA__REDUCE_var:
        return var_of(s->dtype, l, r);
    case STA__REDUCE_min:
    case STA__REDUCE_argmin:
    case STA__REDUCE_nanmin:
    case STA__REDUCE_nanargmin:
        return chosen(s->dtype, false, skips, l, r);
    default:
        return chosen(s->dtype, true, skips, l, r);
    }
    return y;
}

/* The rule, word for word: leaf(i) comes from a callback so that axes nest. */
struct axis {
    const struct subject *subject;
    int64_t n;
    struct naive (*leaf)(const struct axis *axis, int64_t i);
    const void *data;
};
static struct naive naive_node(const struct axis *axis, int level, int64_t i)
{
    if (!level)
        return axis->leaf(axis, i);
    const struct naive left = naive_node(axis, level - 1, 2 * i);
    if ((2 * i + 1) << (level - 1) >= axis->n)
        return left;
    const struct naive right = naive_node(axis, level - 1, 2 * i + 1);
    return combine(axis->subject, &left, &right);
}
static struct naive naive_tree(const struct axis *axis)
{
    int level = 0;
    while ((int64_t)1 << level < axis->n)
        level++;
    return naive_node(axis, level, 0);
}

/* ---- elements in memory ---- */

static struct naive element(const struct subject *s, const void *x, int64_t i)
{
    struct naive y = {.count = 1};
    switch (s->dtype) {
#define READ(dtype, type, member, wide)                                                                                \
    case STA_##dtype:                                                                                                  \
        y.member = (wide)((const type *)x)[i];                                                                         \
        break;
        READ(bool, uint8_t, u, uint64_t)
        READ(int8, int8_t, u, uint64_t)
        READ(int16, int16_t, u, uint64_t)
        READ(int32, int32_t, u, uint64_t)
        READ(int64, int64_t, u, uint64_t)
        READ(uint8, uint8_t, u, uint64_t)
        READ(uint16, uint16_t, u, uint64_t)
        READ(uint32, uint32_t, u, uint64_t)
        READ(uint64, uint64_t, u, uint64_t)
        READ(float32, float, re, double)
        READ(float64, double, re, double)
#undef READ
    case STA_complex64:
        y.re = (double)((const sta_complex64 *)x)[i].re;
        y.im = (double)((const sta_complex64 *)x)[i].im;
        break;
    default:
        y.re = ((const sta_complex128 *)x)[i].re;
        y.im = ((const sta_complex128 *)x)[i].im;
    }
    y.m2 = (y.re - y.re) + (y.im - y.im); /* NaN of infinities */
    return y;
}

static double draw_real(int special)
{
    if (special && below(97) == 0)
        return NAN;
    if (special && below(11) == 0)
        return below(2) ? 0.0 : -0.0;
    const double x = (double)(int64_t)(draw() >> 11) * 0x1p-53 * 3 - 1.4;
    return special ? round(x * 4) / 4 : x;
}

/* Fills x with n elements; special: ties, NaN and signed zeros. */
static void fill(const struct subject *s, void *x, int64_t n, int special)
{
    if (!is_float(s->dtype)) {
        const size_t bytes = sta_itemsize(s->dtype);
        for (int64_t i = 0; i < n; i++) {
            const uint64_t v = s->dtype == STA_bool ? (uint64_t)(below(9) != 0) : special ? draw() % 3 : draw();
            memcpy((char *)x + (size_t)i * bytes, &v, bytes);
        }
        return;
    }
    const int64_t parts = is_complex(s->dtype) ? 2 * n : n;
    for (int64_t i = 0; i < parts; i++)
        if (is_single(s->dtype))
            ((float *)x)[i] = (float)draw_real(special);
        else
            ((double *)x)[i] = draw_real(special);
}

static void write_component(sta_dtype d, const struct naive *v, void *to, int64_t i)
{
    const double re = v->re, im = v->im;
    const size_t bytes = sta_itemsize(d);
    char *at = (char *)to + (size_t)i * bytes;
    if (d == STA_float32)
        memcpy(at, &(float){(float)re}, 4);
    else if (d == STA_float64)
        memcpy(at, &re, 8);
    else if (d == STA_complex64)
        memcpy(at, &(sta_complex64){(float)re, (float)im}, 8);
    else if (d == STA_complex128)
        memcpy(at, &(sta_complex128){re, im}, 16);
    else
        memcpy(at, &v->u, bytes);
}

/* Whether cell i of a result is the naive one, bit by bit; any NaN is a NaN. */
static bool same(const struct subject *s, const struct naive *v, const struct sta__state *state, int64_t i)
{
    for (int k = 0; k < STA__COMPONENTS; k++) {
        const sta_dtype d = sta__reducer_component(s->reducer, s->dtype, k);
        struct naive part = *v;
        if (k && d == STA_int64)
            part.u = (uint64_t)v->index;
        else if (k)
            part.re = v->m2;
        if (!d)
            continue;
        char want[16] = {0}, have[16] = {0};
        write_component(d, &part, want, 0);
        memcpy(have, (const char *)state->at[k] + (size_t)i * sta_itemsize(d), sta_itemsize(d));
        if (!memcmp(want, have, sizeof(want)))
            continue;
        const struct subject as = {s->reducer, d};
        const struct naive a = element(&as, want, 0), b = element(&as, have, 0);
        const bool re = isnan(a.re) ? isnan(b.re) : !memcmp(&a.re, &b.re, sizeof(double));
        const bool im = isnan(a.im) ? isnan(b.im) : !memcmp(&a.im, &b.im, sizeof(double));
        if (!is_float(d) || !re || !im)
            return false;
    }
    return true;
}

/* ---- memory of the test ---- */

static void *take(size_t bytes)
{
    void *memory = aligned_alloc(64, (bytes + 64) / 64 * 64);
    if (!memory)
        abort();
    memset(memory, 0xa5, (bytes + 64) / 64 * 64);
    return memory;
}

static struct sta__state take_state(const struct subject *s, int64_t cells)
{
    struct sta__state state = {{NULL}};
    for (int k = 0; k < STA__COMPONENTS; k++)
        state.at[k] = take((size_t)cells * 16);
    (void)s;
    return state;
}
static void give_state(struct sta__state *state)
{
    for (int k = 0; k < STA__COMPONENTS; k++)
        free(state->at[k]);
}

#endif
