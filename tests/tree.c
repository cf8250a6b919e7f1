/* The tree of reductions against a naive recursive reading of its rule: the same bits for every reducer, dtype, split,
 * block size, association of merges and instruction set.
 * ctest: sanitize */
#include "sta_test.h"
#include "tree_naive.h"

#include "isa.h"

#include <stdio.h>

/* ---- one axis: split, pushed in blocks and strips, merged in some order ---- */

struct data {
    struct subject subject;
    int64_t n, cells, stride; /* row r, cell c at r * stride + c */
    void *x;
};
struct column {
    const struct data *data;
    int64_t cell;
};

static struct naive column_leaf(const struct axis *axis, int64_t i)
{
    const struct column *column = axis->data;
    struct naive y = element(axis->subject, column->data->x, i * column->data->stride + column->cell);
    y.index = i;
    if (axis->subject->reducer == STA__REDUCE_count_nonzero)
        y.u = y.u != 0;
    return y;
}

struct part {
    int64_t first, last;
    void *partial;
};

static int64_t split_length(int64_t left, int style)
{
    const int64_t length = style == 0 ? 1 + below(7) : style == 1 ? (int64_t)1 << below(8) : 1 + below(300);
    return length < left ? length : left;
}

static struct part reduce_part(const struct data *data, int64_t first, int64_t last)
{
    const struct subject *s = &data->subject;
    struct part part = {first, last, take(sta__partial_bytes(s->reducer, s->dtype, first, last, data->cells))};
    void *memory = take(sta__tree_bytes(s->reducer, s->dtype, data->cells, first, last));
    for (int64_t cell = 0, strip; cell < data->cells; cell += strip) {
        struct sta__tree tree;
        strip = below(2) ? data->cells - cell : 1 + below(data->cells - cell);
        sta__tree_begin(&tree, s->reducer, s->dtype, strip, first, 1, memory);
        for (int64_t row = first, rows; row < last; row += rows) {
            rows = split_length(last - row, (int)below(3));
            const char *block = (const char *)data->x + (size_t)(row * data->stride + cell) * sta_itemsize(s->dtype);
            sta__tree_push(&tree, block, rows, data->stride);
        }
        CU_ASSERT_EQUAL_FATAL(tree.depth, sta__tree_nodes(first, last, NULL));
        sta__tree_emit(&tree, part.partial, data->cells, cell);
    }
    free(memory);
    return part;
}

static void push_both(const struct data *data, struct sta__tree *tree, const struct part *l, const struct part *r,
                      void *memory, int64_t cell, int64_t strip)
{
    sta__tree_begin(tree, data->subject.reducer, data->subject.dtype, strip, l->first, 1, memory);
    sta__tree_push_partial(tree, l->last, l->partial, data->cells, cell);
    sta__tree_push_partial(tree, r->last, r->partial, data->cells, cell);
}

static struct part merge(const struct data *data, const struct part *l, const struct part *r)
{
    const struct subject *s = &data->subject;
    struct part both = {l->first, r->last,
                        take(sta__partial_bytes(s->reducer, s->dtype, l->first, r->last, data->cells))};
    void *memory = take(sta__tree_bytes(s->reducer, s->dtype, data->cells, l->first, r->last));
    const int64_t strip = data->cells > 1 ? 1 + below(data->cells - 1) : 1;
    struct sta__tree tree;
    for (int64_t cell = 0; cell < data->cells; cell += strip) {
        const int64_t width = strip < data->cells - cell ? strip : data->cells - cell;
        push_both(data, &tree, l, r, memory, cell, width);
        sta__tree_emit(&tree, both.partial, data->cells, cell);
    }
    free(memory);
    free(l->partial);
    free(r->partial);
    return both;
}

static void finish(const struct data *data, const struct part *part, const struct sta__state *to)
{
    const struct subject *s = &data->subject;
    void *memory = take(sta__tree_bytes(s->reducer, s->dtype, data->cells, 0, data->n));
    struct sta__tree tree;
    sta__tree_begin(&tree, s->reducer, s->dtype, data->cells, 0, 1, memory);
    sta__tree_push_partial(&tree, data->n, part->partial, data->cells, 0);
    sta__tree_finish(&tree, to);
    free(memory);
    free(part->partial);
}

static struct data make_data(const struct subject *s, int64_t n, int64_t cells)
{
    struct data data = {*s, n, cells, cells + below(3), NULL};
    data.x = take((size_t)(n * data.stride) * sta_itemsize(s->dtype));
    fill(s, data.x, n * data.stride, s->reducer == STA__REDUCE_prod || below(2));
    return data;
}

static int check_cells(const struct data *data, const struct sta__state *state)
{
    for (int64_t c = 0; c < data->cells; c++) {
        const struct column column = {data, c};
        const struct axis axis = {&data->subject, data->n, column_leaf, &column};
        const struct naive want = naive_tree(&axis);
        if (!same(&data->subject, &want, state, c)) {
            printf("\n%s dtype %d n %lld cells %lld cell %lld differs\n", sta__reducer_name(data->subject.reducer),
                   (int)data->subject.dtype, (long long)data->n, (long long)data->cells, (long long)c);
            return 0;
        }
    }
    return 1;
}

static int check_axis(const struct subject *s, int64_t n, int64_t cells)
{
    struct data data = make_data(s, n, cells);
    struct part parts[512];
    int count = 0;
    const int style = (int)below(4);
    for (int64_t first = 0; first < n; count++) {
        const int64_t last = style == 3 || count == 511 ? n : first + split_length(n - first, style);
        parts[count] = reduce_part(&data, first, last);
        first = last;
    }
    while (count > 1) {
        const int k = (int)below(count - 1);
        parts[k] = merge(&data, &parts[k], &parts[k + 1]);
        memmove(parts + k + 1, parts + k + 2, (size_t)(count - k - 2) * sizeof(parts[0]));
        count--;
    }
    struct sta__state state = take_state(s, cells);
    finish(&data, &parts[0], &state);
    const int fine = check_cells(&data, &state);
    give_state(&state);
    free(data.x);
    return fine;
}

/* Calls check with each build of the loops, for every reducer and dtype that it takes; stops at the first wrong one. */
static void for_all_subjects(int (*check)(const struct subject *s))
{
    static const char *const isas[] = {"base", "v2", "v3", "v4"};
    for (int i = 0; i < 4; i++) {
        setenv("STA_ISA", isas[i], 1);
        sta__isa_choose();
        if (strcmp(sta__isa_name(), isas[i]) != 0)
            continue;
        printf("(%s) ", isas[i]);
        for (int k = 0; k < STA__REDUCERS * STA_complex128; k++) {
            const struct subject s = {(enum sta__reducer)(k / STA_complex128), (sta_dtype)(1 + k % STA_complex128)};
            if (sta__reducer_dtype(s.reducer, s.dtype) == s.dtype)
                CU_ASSERT_FATAL(check(&s));
        }
    }
}

static int axis_of(const struct subject *s)
{
    static const int64_t cells[] = {1, 2, 3, 7, 8, 64};
    for (int round = 0; round < 24; round++)
        if (!check_axis(s, 1 + below(300), cells[below(6)]))
            return 0;
    return check_axis(s, 1 + below(40), 500) && check_axis(s, 3000 + below(5000), 1) && check_axis(s, 1024, 1);
}

static void test_one_axis(void)
{
    for_all_subjects(axis_of);
}

/* ---- two axes ---- */

struct pair {
    const struct data *data; /* n rows of `cells` elements, both reduced */
};
struct inner {
    const struct data *data;
    int64_t row;
};

static struct naive inner_leaf(const struct axis *axis, int64_t i)
{
    const struct inner *inner = axis->data;
    const struct column column = {inner->data, i};
    const struct axis one = {axis->subject, 0, column_leaf, &column};
    struct naive y = column_leaf(&one, inner->row);
    y.index = i;
    return y;
}
static struct naive outer_leaf(const struct axis *axis, int64_t i)
{
    const struct data *data = axis->data;
    const struct inner inner = {data, i};
    const struct axis row = {axis->subject, data->cells, inner_leaf, &inner};
    struct naive y = naive_tree(&row);
    y.index += i * data->cells;
    return y;
}

static int rows_agree(const struct data *data, const struct sta__state *rows)
{
    for (int64_t i = 0; i < data->n; i++) {
        const struct axis one = {&data->subject, data->n, outer_leaf, data};
        struct naive want = outer_leaf(&one, i);
        want.index -= i * data->cells;
        if (!same(&data->subject, &want, rows, i))
            return 0;
    }
    return 1;
}

/* The inner axis by sta__fold_rows, then the outer one by the tree, or by sta__fold_rows_states. */
static int check_two_axes(const struct subject *s, int64_t n, int64_t inner, bool by_rows)
{
    struct data data = make_data(s, n, inner);
    data.stride = inner;
    struct sta__state rows = take_state(s, n), state = take_state(s, 1);
    void *scratch = take(sta__fold_rows_bytes(s->reducer, s->dtype, n, inner));
    void *outer = take(sta__fold_rows_bytes(s->reducer, s->dtype, 1, n));
    void *memory = take(sta__tree_bytes(s->reducer, s->dtype, 1, 0, n));
    sta__fold_rows(s->reducer, s->dtype, data.x, n, inner, &rows, scratch);
    const int rows_fine = rows_agree(&data, &rows);
    struct sta__tree tree;
    if (by_rows) {
        sta__fold_rows_states(s->reducer, s->dtype, &rows, 1, n, inner, &state, outer);
    } else {
        sta__tree_begin(&tree, s->reducer, s->dtype, 1, 0, inner, memory);
        sta__tree_push_states(&tree, &rows, n);
        sta__tree_finish(&tree, &state);
    }
    const struct axis axis = {s, n, outer_leaf, &data};
    struct naive want = naive_tree(&axis);
    const int fine = rows_fine && same(s, &want, &state, 0);
    if (!fine)
        printf("\n%s dtype %d %lld x %lld differs (%s)\n", sta__reducer_name(s->reducer), (int)s->dtype, (long long)n,
               (long long)inner, rows_fine ? "outer" : "inner");
    give_state(&rows);
    give_state(&state);
    free(scratch);
    free(outer);
    free(memory);
    free(data.x);
    return fine;
}

static int two_axes_of(const struct subject *s)
{
    for (int round = 0; round < 24; round++)
        if (!check_two_axes(s, 1 + below(80), 1 + below(40), round % 2))
            return 0;
    return check_two_axes(s, 3, 1000 + below(100), false) && check_two_axes(s, 700 + below(3), 16, true) &&
           check_two_axes(s, 19, 100, false);
}

static void test_two_axes(void)
{
    for_all_subjects(two_axes_of);
}

/* ---- node lists ---- */

static void test_nodes(void)
{
    for (int round = 0; round < 2000; round++) {
        const int64_t first = below(1000), last = first + below(1000);
        struct sta__tree_node nodes[STA__TREE_NODES];
        const int count = sta__tree_nodes(first, last, nodes);
        int64_t at = first;
        for (int k = 0; k < count; k++) {
            CU_ASSERT_EQUAL(nodes[k].index << nodes[k].level, at);
            at += (int64_t)1 << nodes[k].level;
            /* maximal: its parent sticks out */
            const int64_t parent = (nodes[k].index >> 1) << (nodes[k].level + 1);
            CU_ASSERT(parent < first || parent + ((int64_t)2 << nodes[k].level) > last);
        }
        CU_ASSERT_EQUAL(at, last);
    }
    CU_ASSERT_EQUAL(sta__tree_nodes(0, (int64_t)1 << 40, NULL), 1);
    CU_ASSERT_EQUAL(sta__tree_nodes(1, INT64_MAX, NULL), 124);
}

/* ---- values known from elsewhere ---- */

/* The result over n elements of one column, cut into pieces of `piece`. */
static void reduce(enum sta__reducer reducer, sta_dtype dtype, const void *x, int64_t n, int64_t piece,
                   const struct sta__state *to)
{
    void *memory = take(sta__tree_bytes(reducer, dtype, 1, 0, n));
    struct data data = {{reducer, dtype}, n, 1, 1, (void *)(uintptr_t)x};
    struct sta__tree tree;
    sta__tree_begin(&tree, reducer, dtype, 1, 0, 1, memory);
    for (int64_t first = 0; first < n; first += piece) {
        const int64_t last = first + piece < n ? first + piece : n;
        struct part part = reduce_part(&data, first, last);
        sta__tree_push_partial(&tree, last, part.partial, 1, 0);
        free(part.partial);
    }
    sta__tree_finish(&tree, to);
    free(memory);
}

static void test_variance(void)
{
    double x[300], s, m2;
    for (int i = 0; i < 300; i++)
        x[i] = 1e8 + 1 + i % 3;
    for (int64_t piece = 1; piece <= 300; piece += 7) {
        reduce(STA__REDUCE_var, STA_float64, x, 300, piece, &(struct sta__state){{&s, &m2}});
        CU_ASSERT_DOUBLE_EQUAL(m2 / 300, 0.6666666666666666, 1e-9);
    }
    const sta_complex128 z[4] = {{1, 2}, {3, -1}, {0, 0}, {0, 2}};
    sta_complex128 sum;
    reduce(STA__REDUCE_var, STA_complex128, z, 4, 1, &(struct sta__state){{&sum, &m2}});
    CU_ASSERT_EQUAL(m2 / 4, 3.1875);
    const double ramp[4] = {1, 2, 3, 4};
    reduce(STA__REDUCE_var, STA_float64, ramp, 4, 3, &(struct sta__state){{&s, &m2}});
    CU_ASSERT_EQUAL(m2 / 3, 5.0 / 3);
    reduce(STA__REDUCE_var, STA_float64, ramp, 1, 1, &(struct sta__state){{&s, &m2}});
    CU_ASSERT(m2 == 0);
}

static double number(enum sta__reducer reducer, const double *x, int64_t n, int64_t piece, int64_t *index)
{
    double value;
    int64_t ignored;
    reduce(reducer, STA_float64, x, n, piece, &(struct sta__state){{&value, index ? index : &ignored}});
    return value;
}

static void test_nan(void)
{
    const double a[4] = {NAN, -1, 0, 1}, b[4] = {-1, 0, NAN, 1}, c[4] = {-1, 0, 1, NAN};
    const double d[5] = {0, .1315, .7556, NAN, .5328}, e[4] = {0, NAN, 5, NAN};
    for (int64_t piece = 1; piece <= 5; piece++) {
        int64_t at;
        CU_ASSERT(isnan(number(STA__REDUCE_max, a, 4, piece, NULL)) &&
                  isnan(number(STA__REDUCE_min, a, 4, piece, NULL)));
        CU_ASSERT(isnan(number(STA__REDUCE_max, b, 4, piece, NULL)) &&
                  isnan(number(STA__REDUCE_min, b, 4, piece, NULL)));
        CU_ASSERT(isnan(number(STA__REDUCE_max, c, 4, piece, NULL)) &&
                  isnan(number(STA__REDUCE_min, c, 4, piece, NULL)));
        CU_ASSERT(isnan(number(STA__REDUCE_max, d, 5, piece, NULL)));
        CU_ASSERT(number(STA__REDUCE_nanmax, d, 5, piece, NULL) == .7556);
        CU_ASSERT(isnan(number(STA__REDUCE_argmax, e, 4, piece, &at)) && at == 1);
        CU_ASSERT(isnan(number(STA__REDUCE_argmin, e, 4, piece, &at)) && at == 1);
        CU_ASSERT(number(STA__REDUCE_nanargmax, e, 4, piece, &at) == 5 && at == 2);
        CU_ASSERT(number(STA__REDUCE_nanargmin, e, 4, piece, &at) == 0 && at == 0);
    }
    const sta_complex128 z[4] = {{.5, 3.7}, {.7, NAN}, {NAN, -3.9}, {NAN, NAN}};
    sta_complex128 largest;
    reduce(STA__REDUCE_max, STA_complex128, z, 4, 1, &(struct sta__state){{&largest, NULL}});
    CU_ASSERT(largest.re == .7 && isnan(largest.im));
}

/* The first of the smallest and of the largest, the first NaN before all. */
static int64_t naive_first(const double *x, int64_t n, bool most, bool number)
{
    int64_t at = 0;
    for (int64_t i = 1; i < n; i++) {
        bool nan = isnan(x[i]), held = isnan(x[at]);
        if (nan || held ? (number ? held && !nan : nan && !held) : most ? x[i] > x[at] : x[i] < x[at])
            at = i;
    }
    return at;
}

/* Long enough for the loops over whole rows: they take a short way where there is no NaN, which infinities of both signs
 * must not mislead. */
static void test_long_extremes(void)
{
    enum { LENGTH = 5000 };
    static const double special[] = {NAN, INFINITY, -INFINITY, -0.0, 0.0, 1.7e308, -1.7e308};
    static double x[LENGTH];
    enum { SPECIALS = sizeof special / sizeof *special };
    const struct {
        enum sta__reducer reducer;
        bool most, number;
    } rows[] = {{STA__REDUCE_argmin, false, false},
                {STA__REDUCE_argmax, true, false},
                {STA__REDUCE_nanargmin, false, true},
                {STA__REDUCE_nanargmax, true, true}};
    for (int turn = 0; turn < (1 << SPECIALS); turn++) {
        for (int i = 0; i < LENGTH; i++)
            x[i] = (double)(i * INT64_C(7919) % 1009) - 500;
        for (int s = 0; s < SPECIALS; s++)
            if (turn >> s & 1)
                x[(turn * 131 + s * 1777) % LENGTH] = x[(turn * 17 + s * 700 + 64) % LENGTH] = special[s];
        for (int k = 0; k < 4; k++) {
            int64_t at = -1, expected = naive_first(x, LENGTH, rows[k].most, rows[k].number);
            double value = number(rows[k].reducer, x, LENGTH, LENGTH, &at);
            CU_ASSERT_EQUAL(at, expected);
            CU_ASSERT_EQUAL(memcmp(&value, &x[expected], sizeof value), 0);
        }
    }
}

static void test_settled_nan(void)
{
    uint32_t bits = 0xffc12345u, out;
    float x[3] = {1, 2, 3}, sum;
    memcpy(&x[1], &bits, sizeof(bits));
    reduce(STA__REDUCE_sum, STA_float32, x, 3, 2, &(struct sta__state){{&sum, NULL}});
    memcpy(&out, &sum, sizeof(out));
    CU_ASSERT_EQUAL(out, 0x7fc00000u);
}

/* ---- accuracy ---- */

static void test_accuracy(void)
{
    enum { N = 100003 };
    double *x = take(sizeof(double) * N), sum, m2, s;
    float *y = take(sizeof(float) * N), sum32;
    long double exact = 0, exact32 = 0, squares = 0;
    for (int i = 0; i < N; i++) {
        x[i] = draw_real(0) + 10;
        y[i] = (float)x[i];
        exact += (long double)x[i];
        exact32 += (long double)y[i];
    }
    for (int i = 0; i < N; i++)
        squares += ((long double)x[i] - exact / N) * ((long double)x[i] - exact / N);
    reduce(STA__REDUCE_sum, STA_float64, x, N, 777, &(struct sta__state){{&sum, NULL}});
    reduce(STA__REDUCE_sum, STA_float32, y, N, 777, &(struct sta__state){{&sum32, NULL}});
    reduce(STA__REDUCE_var, STA_float64, x, N, 777, &(struct sta__state){{&s, &m2}});
    CU_ASSERT(fabsl((long double)sum - exact) <= 8 * 0x1p-53L * exact);
    CU_ASSERT(fabsl((long double)sum32 - exact32) <= 8 * 0x1p-24L * exact32);
    CU_ASSERT(fabsl((long double)m2 - squares) <= 64 * 0x1p-53L * squares);
    free(x);
    free(y);
}

/* ---- empty ranges and dtypes ---- */

static void test_facts(void)
{
    CU_ASSERT_EQUAL(sta__reducer_dtype(STA__REDUCE_sum, STA_bool), STA_int64);
    CU_ASSERT_EQUAL(sta__reducer_dtype(STA__REDUCE_sum, STA_uint8), STA_uint64);
    CU_ASSERT_EQUAL(sta__reducer_dtype(STA__REDUCE_sum, STA_float16), STA_float32);
    CU_ASSERT_EQUAL(sta__reducer_dtype(STA__REDUCE_max, STA_bfloat16), STA_float32);
    CU_ASSERT_EQUAL(sta__reducer_dtype(STA__REDUCE_max, STA_int8), STA_int8);
    CU_ASSERT_EQUAL(sta__reducer_dtype(STA__REDUCE_var, STA_int8), STA_float64);
    CU_ASSERT_EQUAL(sta__reducer_component(STA__REDUCE_var, STA_complex64, 1), STA_float32);
    CU_ASSERT_EQUAL(sta__reducer_component(STA__REDUCE_argmax, STA_uint8, 1), STA_int64);
    CU_ASSERT_EQUAL(sta__reducer_component(STA__REDUCE_sum, STA_float64, 1), STA_DTYPE_NONE);
    sta_complex64 z[3];
    CU_ASSERT(sta__reducer_empty(STA__REDUCE_prod, STA_complex64, 3, &(struct sta__state){{z, NULL}}));
    CU_ASSERT(z[2].re == 1 && z[2].im == 0);
    uint8_t truth = 7;
    CU_ASSERT(sta__reducer_empty(STA__REDUCE_all, STA_bool, 1, &(struct sta__state){{&truth, NULL}}));
    CU_ASSERT_EQUAL(truth, 1);
    CU_ASSERT(!sta__reducer_empty(STA__REDUCE_max, STA_float64, 3, &(struct sta__state){{z, NULL}}));
}

STA_PURE_TESTS("tree", STA_CASE(test_nodes), STA_CASE(test_facts), STA_CASE(test_variance), STA_CASE(test_nan),
               STA_CASE(test_long_extremes), STA_CASE(test_settled_nan), STA_CASE(test_accuracy),
               STA_CASE(test_one_axis), STA_CASE(test_two_axes))
