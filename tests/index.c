/* Indexing with arrays and masks, against NumPy: what an index reads, writes, and adds to; the functions made of it.
 * ctest: tiny omp gpu sanitize ranks=2 */
#include "sta_test.h"

#include "internal.h"
#include "submit.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- any index ---- */

enum { MOST_ITEMS = 16 };

struct index {
    sta_span span[MOST_ITEMS];
    sta_items items;
};

static sta_array array_of(const struct sta_oracle *oracle, int k, int i)
{
    return sta_test_record_array(sta_oracle_find(oracle, "%d/%d", k, i));
}

static void read_index(const struct sta_oracle *oracle, int k, struct index *to)
{
    const struct sta_record *record = sta_oracle_find(oracle, "%d/items", k);
    const int64_t *row = record->data;
    to->items = (sta_items){(int)record->shape.at[0], to->span};
    for (int i = 0; i < to->items.count; i++, row += 5) {
        to->span[i] = (sta_span){(sta_span_kind)row[0], (unsigned)row[1], row[2], row[3], row[4], {0}};
        if (row[0] == STA_SPAN_ARRAY)
            to->span[i] = STA_SPAN_BY(array_of(oracle, k, (int)row[2]));
    }
}

/* x in several layouts, all with the elements of the record. */
static sta_array laid_out(const struct sta_record *record, int layout)
{
    sta_array x = sta_test_record_array(record);
    sta_dims shape = record->shape, wide = shape;
    if (layout == 0)
        return x;
    if (layout == 1) { /* transposed memory */
        sta_array turned = sta_copy(sta_transpose(x, STA_ALL));
        return sta_transpose(turned, STA_ALL);
    }
    if (layout == 2) { /* each other element, backwards */
        for (int a = 0; a < shape.count; a++)
            wide.at[a] = 2 * shape.at[a];
        sta_array base = sta_zeros(wide, record->dtype), view = base;
        for (int a = 0; a < shape.count; a++) {
            sta_span span[STA_MAXDIM];
            for (int b = 0; b < a; b++)
                span[b] = STA_SPAN_ALL;
            span[a] = STA_SPAN_EVERY(-2);
            view = sta_index(view, span, a + 1);
        }
        return sta_assign(view, x);
    }
    return sta_reshape(sta_ravel(x), shape); /* another frame */
}

static void any_index(void)
{
    const struct sta_oracle *oracle = sta_test_oracle("index", NULL);
    if (!oracle)
        return;
    int step = sta__runtime.settings.tile_elements == 3 ? 4 : 1; /* many tasks each */
    for (int k = 0; k < 440; k += step) {
        sta_scope scope = sta_open();
        const struct sta_record *x = sta_oracle_find(oracle, "%d/x", k);
        struct index index;
        read_index(oracle, k, &index);
        sta_array array = laid_out(x, k / step % 4);
        bool wrong = sta_oracle_has(oracle, "%d/error", k);
        if (wrong) {
            const sta_error *error = sta_wait(sta_at(array, index.items)); /* both are IndexError in NumPy */
            CU_ASSERT(error && (error->code == STA_ERROR_INDEX || error->code == STA_ERROR_SHAPE));
        } else {
            STA_ASSERT_RECORD(sta_at(array, index.items), sta_oracle_find(oracle, "%d/out", k), STA_EXACT);
            sta_array source = sta_test_record_array(sta_oracle_find(oracle, "%d/source", k));
            sta_array before = sta_copy(array);
            sta_assign_at(array, index.items, source);
            STA_ASSERT_RECORD(array, sta_oracle_find(oracle, "%d/set", k), STA_EXACT);
            STA_ASSERT_RECORD(before, x, STA_EXACT);
            if (sta_oracle_has(oracle, "%d/at", k)) {
                sta_array sum = sta_reshape(
                    sta_astype(sta_remainder(sta_arange_int(0, sta_size(array), 1, STA_int64), sta_int(50)), x->dtype),
                    x->shape);
                sta_add_at(sum, index.items, source);
                STA_ASSERT_RECORD(sum, sta_oracle_find(oracle, "%d/at", k), STA_EXACT);
            }
        }
        sta_close(scope);
    }
}

/* ---- the functions ---- */

/* Runs NumPy's side, and compares: names of the text are the records. */
#define ORACLE(text)                                                                                                   \
    const struct sta_oracle *oracle = sta_test_oracle("eval", text);                                                   \
    if (!oracle)                                                                                                       \
    return
#define ARRAY(name) sta_test_record_array(sta_oracle_find(oracle, name))
#define IS(x, name) STA_ASSERT_RECORD(x, sta_oracle_find(oracle, name), STA_EXACT)

static void along_axes(void)
{
    ORACLE("x = np.arange(60.0).reshape(3, 4, 5); ids = np.array([[2, 0, 1], [-1, -3, 1]]); far = np.array([7, -9, 2]);"
           "t0 = x.take(ids, 0); t1 = x.take(ids, 1); t2 = x.take(ids, -1); flat = x.take(ids); one = x.take(3, 1);"
           "wrap = x.take(far, 1, mode=\"wrap\"); clip = x.take(far, 1, mode=\"clip\");"
           "order = np.argsort(-np.sin(x), 1); a1 = np.take_along_axis(x, order, 1);"
           "first = order[:, :1, :]; a2 = np.take_along_axis(x, first, 1); line = np.array([3, 59, 0]);"
           "a3 = np.take_along_axis(x, line, None); few = np.array([[[1]], [[0]], [[3]]]);"
           "a4 = np.take_along_axis(x, few, 1); p1 = x.copy(); np.put_along_axis(p1, first, -1, 1);"
           "p2 = x.copy(); np.put_along_axis(p2, order, 2 * x, 1); c = np.array([True, False, True]);"
           "c0 = x.compress(c, 0); c1 = np.compress(c, x); mask = np.sin(x) > 0.3; e = np.extract(mask, x)");
    sta_array x = ARRAY("x"), ids = ARRAY("ids"), far = ARRAY("far"), order = ARRAY("order"), first = ARRAY("first");
    IS(sta_take(x, ids, 0, STA_MODE_RAISE), "t0");
    IS(sta_take(x, ids, 1, STA_MODE_RAISE), "t1");
    IS(sta_take(x, ids, -1, STA_MODE_RAISE), "t2");
    IS(sta_take(x, ids, STA_FLAT, STA_MODE_RAISE), "flat");
    IS(sta_take(x, sta_int(3), 1, STA_MODE_RAISE), "one");
    IS(sta_take(x, far, 1, STA_MODE_WRAP), "wrap");
    IS(sta_take(x, far, 1, STA_MODE_CLIP), "clip");
    IS(sta_take_along_axis(x, order, 1), "a1");
    IS(sta_take_along_axis(x, first, 1), "a2");
    IS(sta_take_along_axis(x, ARRAY("line"), STA_FLAT), "a3");
    IS(sta_take_along_axis(x, ARRAY("few"), 1), "a4");
    IS(sta_put_along_axis(sta_copy(x), first, sta_int(-1), 1), "p1");
    IS(sta_put_along_axis(sta_copy(x), order, sta_multiply(x, sta_int(2)), 1), "p2");
    IS(sta_compress(x, ARRAY("c"), 0), "c0");
    IS(sta_compress(x, ARRAY("c"), STA_FLAT), "c1");
    IS(sta_extract(x, ARRAY("mask")), "e");
    STA_ASSERT_ERROR(sta_take(x, far, 1, STA_MODE_RAISE), STA_ERROR_INDEX);
    STA_ASSERT_ERROR(sta_take(x, far, 3, STA_MODE_RAISE), STA_ERROR_AXIS);
    STA_ASSERT_ERROR(sta_take(x, far, 1, (sta_index_mode)5), STA_ERROR_VALUE);
    STA_ASSERT_ERROR(sta_take(x, x, 1, STA_MODE_RAISE), STA_ERROR_DTYPE);
    STA_ASSERT_ERROR(sta_take_along_axis(x, ids, 1), STA_ERROR_SHAPE);
    STA_ASSERT_ERROR(sta_compress(x, x, 0), STA_ERROR_SHAPE);
    STA_ASSERT_ERROR(sta_extract(x, ARRAY("c")), STA_ERROR_SHAPE);
    STA_ASSERT_ERROR(sta_take(sta_zeros(STA_DIMS(0), STA_int8), far, 0, STA_MODE_WRAP), STA_ERROR_INDEX);
}

static void flat_writes(void)
{
    ORACLE(
        "x = np.arange(24).reshape(4, 6); ids = np.array([[5, -1], [0, 5]]); v = np.array([7, 8, 9]);"
        "a = x.copy(); a.put(ids, v); b = x.copy(); b.put([30, -2, 1], [70, 71], mode=\"clip\");"
        "c = x.copy(); c.put([30, -2, 1], 5, mode=\"wrap\"); w = np.array([30, -2, 1]); u = np.array([70, 71]);"
        "d = x.copy(); d[:, ::2].flat[[1, 4, 11]] = [-1, -2, -3]; where = np.array([1, 4, 11]);"
        "minus = np.array([-1, -2, -3]); mask = x % 3 == 0; e = x.copy(); np.putmask(e, mask, v);"
        "f = x.copy(); np.putmask(f, mask, -x); g = x.copy(); np.place(g, mask, v); h = x.copy();"
        "np.fill_diagonal(h, -5); tall = np.arange(28).reshape(7, 4); i = tall.copy(); np.fill_diagonal(i, -5, True);"
        "j = np.zeros((3, 3, 3), int); np.fill_diagonal(j, 4); k = x.copy(); k[mask] = 3");
    sta_array x = ARRAY("x"), ids = ARRAY("ids"), v = ARRAY("v"), mask = ARRAY("mask"), w = ARRAY("w");
    IS(sta_put(sta_copy(x), ids, v, STA_MODE_RAISE), "a");
    IS(sta_put(sta_copy(x), w, ARRAY("u"), STA_MODE_CLIP), "b");
    IS(sta_put(sta_copy(x), w, sta_int(5), STA_MODE_WRAP), "c");
    sta_array d = sta_copy(x);
    sta_put(sta_slice(d, ":, ::2"), ARRAY("where"), ARRAY("minus"), STA_MODE_RAISE);
    IS(d, "d");
    IS(sta_putmask(sta_copy(x), mask, v), "e");
    IS(sta_putmask(sta_copy(x), mask, sta_negative(x)), "f");
    IS(sta_putmask(sta_copy(x), mask, sta_move(sta_copy(v))), "e");
    IS(sta_place(sta_copy(x), mask, v), "g");
    IS(sta_fill_diagonal(sta_copy(x), sta_int(-5), 0), "h");
    IS(sta_fill_diagonal(ARRAY("tall"), sta_int(-5), 1), "i");
    IS(sta_fill_diagonal(sta_zeros(STA_DIMS(3, 3, 3), STA_int64), sta_int(4), 0), "j");
    IS(sta_assign_at(sta_copy(x), STA_INDEX(STA_SPAN_BY(mask)), sta_int(3)), "k");
    const sta_array nothing = sta_zeros(STA_DIMS(2, 0), STA_int64), no_x = sta_zeros(STA_DIMS(0, 3), STA_int64);
    IS(sta_put(sta_copy(x), ids, nothing, STA_MODE_RAISE), "x");
    IS(sta_put(sta_copy(x), w, nothing, STA_MODE_WRAP), "x");
    IS(sta_put(sta_copy(x), nothing, nothing, STA_MODE_RAISE), "x");
    IS(sta_put(sta_copy(x), nothing, v, STA_MODE_RAISE), "x");
    IS(sta_putmask(sta_copy(x), mask, nothing), "x");
    IS(sta_place(sta_copy(x), sta_zeros(sta_shape(x), STA_bool), nothing), "x");
    STA_ASSERT_SHAPE(sta_put(no_x, nothing, nothing, STA_MODE_RAISE), STA_DIMS(0, 3));
    STA_ASSERT_SHAPE(sta_putmask(no_x, no_x, nothing), STA_DIMS(0, 3));
    STA_ASSERT_SHAPE(sta_place(no_x, no_x, nothing), STA_DIMS(0, 3));
    sta_array y = sta_copy(x), z = sta_copy(x);
    STA_ASSERT_ERROR(sta_place(z, mask, nothing), STA_ERROR_VALUE);
    STA_ASSERT_ERROR(sta_put(no_x, w, v, STA_MODE_CLIP), STA_ERROR_INDEX);
    STA_ASSERT_ERROR(sta_put(y, w, sta_int(0), STA_MODE_RAISE), STA_ERROR_INDEX);
    STA_ASSERT_ERROR(sta_putmask(sta_copy(x), v, v), STA_ERROR_SHAPE);
    STA_ASSERT_ERROR(sta_place(sta_copy(x), v, v), STA_ERROR_SHAPE);
    STA_ASSERT_ERROR(sta_fill_diagonal(sta_copy(v), sta_int(0), 0), STA_ERROR_SHAPE);
    STA_ASSERT_ERROR(sta_fill_diagonal(sta_zeros(STA_DIMS(2, 2, 3), STA_int8), sta_int(0), 0), STA_ERROR_SHAPE);
}

static void finding(void)
{
    ORACLE("x = np.sin(np.arange(60.0)).round(0).reshape(3, 4, 5); n0, n1, n2 = np.nonzero(x); f = np.flatnonzero(x);"
           "w = np.argwhere(x); a = np.array([2, 0]); b = np.array([True, False, False, True]); i0, i1 = np.ix_(a, b);"
           "l0, l1 = np.tril_indices(5, 1, 7); m0, m1 = np.tril_indices(6, -2); u0, u1 = np.triu_indices(5, -1, 4);"
           "v0, v1 = np.triu_indices(4, 2); ids = np.array([[17, 3], [0, 59]]); r0, r1, r2 = np.unravel_index(ids, "
           "x.shape);"
           "p = np.ravel_multi_index((r0, r1, r2), x.shape); q0 = np.array([4, -1, 2]); q1 = np.array([3, 9, -2]);"
           "c = np.ravel_multi_index((q0, q1), (3, 5), mode=\"clip\"); d = np.ravel_multi_index((q0, q1), (3, 5), "
           "mode=\"wrap\");"
           "empty = np.flatnonzero(x > 5)");
    sta_array x = ARRAY("x"), to[3], ids = ARRAY("ids");
    sta_nonzero(to, x);
    IS(to[0], "n0");
    IS(to[1], "n1");
    IS(to[2], "n2");
    IS(sta_flatnonzero(x), "f");
    IS(sta_argwhere(x), "w");
    IS(sta_flatnonzero(sta_greater(x, sta_int(5))), "empty");
    sta_ix_(to, (sta_array[]){ARRAY("a"), ARRAY("b")}, 2);
    IS(to[0], "i0");
    IS(to[1], "i1");
    sta_indices_result lower = sta_tril_indices(5, 1, 7), low = sta_tril_indices(6, -2, 0);
    sta_indices_result upper = sta_triu_indices(5, -1, 4), high = sta_triu_indices(4, 2, 0);
    IS(lower.rows, "l0");
    IS(lower.columns, "l1");
    IS(low.rows, "m0");
    IS(low.columns, "m1");
    IS(upper.rows, "u0");
    IS(upper.columns, "u1");
    IS(high.rows, "v0");
    IS(high.columns, "v1");
    sta_unravel_index(to, ids, STA_DIMS(3, 4, 5));
    IS(to[0], "r0");
    IS(to[2], "r2");
    IS(sta_ravel_multi_index(to, 3, STA_DIMS(3, 4, 5), STA_MODE_RAISE), "p");
    sta_array q[] = {ARRAY("q0"), ARRAY("q1")};
    IS(sta_ravel_multi_index(q, 2, STA_DIMS(3, 5), STA_MODE_CLIP), "c");
    IS(sta_ravel_multi_index(q, 2, STA_DIMS(3, 5), STA_MODE_WRAP), "d");
    STA_ASSERT_ERROR(sta_ravel_multi_index(q, 2, STA_DIMS(3, 5), STA_MODE_RAISE), STA_ERROR_INDEX);
    STA_ASSERT_ERROR(sta_ravel_multi_index(q, 1, STA_DIMS(3, 5), STA_MODE_RAISE), STA_ERROR_SHAPE);
    sta_unravel_index(to, ids, STA_DIMS(3, 4));
    STA_ASSERT_ERROR(to[1], STA_ERROR_INDEX);
    sta_unravel_index(to, x, STA_DIMS(3, 4));
    STA_ASSERT_ERROR(to[1], STA_ERROR_DTYPE);
    sta_nonzero(to, sta_int(3));
    STA_ASSERT_ERROR(to[0], STA_ERROR_SHAPE);
    STA_ASSERT_ERROR(sta_tril_indices(-1, 0, 2).rows, STA_ERROR_SHAPE);
    sta_ix_(to, &x, 1);
    STA_ASSERT_ERROR(to[0], STA_ERROR_SHAPE);
    enum { MANY = STA_MAXDIM + 1 };
    sta_array many[MANY], each[MANY];
    for (int i = 0; i < MANY; i++)
        each[i] = ids;
    sta_ix_(many, each, MANY);
    STA_ASSERT_ERROR(many[MANY - 1], STA_ERROR_SHAPE);
    each[1] = (sta_array){0};
    sta_ix_(many, each, MANY);
    STA_ASSERT_ERROR(many[0], STA_ERROR_SHAPE);
    STA_ASSERT_ERROR(many[1], STA_ERROR_INVALID_ARRAY);
}

/* Diagonals as far away as numbers go. */
static void far_triangles(void)
{
    static const int64_t far[] = {INT64_MIN, INT64_MIN + 1, INT64_MIN / 2, -100, 100, INT64_MAX / 2, INT64_MAX};
    for (size_t i = 0; i < sizeof far / sizeof *far; i++)
        for (int upper = 0; upper < 2; upper++) {
            const int64_t k = far[i];
            sta_indices_result t = upper ? sta_triu_indices(3, k, 4) : sta_tril_indices(3, k, 4);
            const bool all = upper == (k < 0);
            STA_ASSERT_SHAPE(t.rows, STA_DIMS(all ? 12 : 0));
            STA_ASSERT_SHAPE(t.columns, STA_DIMS(all ? 12 : 0));
            sta_array x = sta_ones(STA_DIMS(3, 4), STA_int64);
            int64_t sum = -1;
            STA_ASSERT_OK(sta_item_int(sta_sum(upper ? sta_triu(x, k) : sta_tril(x, k), STA_ALL, 0), &sum));
            CU_ASSERT_EQUAL(sum, all ? 12 : 0);
            if (!upper) {
                STA_ASSERT_OK(sta_item_int(sta_sum(sta_tri(3, 4, k, STA_int64), STA_ALL, 0), &sum));
                CU_ASSERT_EQUAL(sum, all ? 12 : 0);
            }
            STA_ASSERT_OK(sta_item_int(sta_sum(sta_eye(3, 4, k, STA_int64), STA_ALL, 0), &sum));
            CU_ASSERT_EQUAL(sum, 0);
            STA_ASSERT_SHAPE(sta_diagonal(x, k, 0, 1), STA_DIMS(0));
            STA_ASSERT_SHAPE(sta_diag(x, k), STA_DIMS(0));
        }
    STA_ASSERT_ERROR(sta_tril_indices(INT64_MAX, 0, INT64_MAX).rows, STA_ERROR_TOO_LARGE);
    STA_ASSERT_SHAPE(sta_tri(2, 0, INT64_MAX, STA_int8), STA_DIMS(2, 0));
}

static void choices(void)
{
    ORACLE("x = np.arange(12.0).reshape(3, 4); s = np.select([x < 3, x > 8], [x, x * x], -1.0);"
           "ids = np.array([[0, 2, 1, 0]]); far = ids - 1 + 3 * (ids == 2); c = np.choose(ids, [x, -x, 100 + x]);"
           "w = np.choose(far, [x, -x, 100 + x], mode=\"wrap\"); k = np.choose(far, [x, -x, 100 + x], mode=\"clip\")");
    sta_array x = ARRAY("x"), ids = ARRAY("ids"), far = ARRAY("far");
    sta_array of[] = {x, sta_negative(x), sta_add(x, sta_int(100))};
    sta_array when[] = {sta_less(x, sta_int(3)), sta_greater(x, sta_int(8))};
    IS(sta_select(when, (sta_array[]){x, sta_multiply(x, x)}, 2, sta_float(-1)), "s");
    IS(sta_choose(ids, of, 3, STA_MODE_RAISE), "c");
    IS(sta_choose(far, of, 3, STA_MODE_WRAP), "w");
    IS(sta_choose(far, of, 3, STA_MODE_CLIP), "k");
    STA_ASSERT_ERROR(sta_choose(far, of, 3, STA_MODE_RAISE), STA_ERROR_INDEX);
    STA_ASSERT_ERROR(sta_choose(x, of, 3, STA_MODE_RAISE), STA_ERROR_DTYPE);
    STA_ASSERT_ERROR(sta_choose(sta_int(1), of, 1, STA_MODE_RAISE), STA_ERROR_INDEX);
    STA_ASSERT_ERROR(sta_select(of, of, 2, x), STA_ERROR_DTYPE);
    STA_ASSERT_ERROR(sta_select(of, of, 0, x), STA_ERROR_VALUE);
}

/* ---- operators ---- */

static void operators(void)
{
    ORACLE("x = np.arange(6); ids = np.array([0, 0, 3, -1, 0]); y = np.array([1, 2, 3, 4, 5]); a = x.copy();"
           "np.add.at(a, ids, y); s = x.copy(); np.subtract.at(s, ids, y); m = x.copy(); np.multiply.at(m, ids, 2);"
           "f = x / 2; np.maximum.at(f, ids, y / 3); d = x / 2; np.divide.at(d, ids, y); h = np.zeros(6, \"f2\");"
           "np.add.at(h, ids, np.float16(0.1)); b = np.zeros(6, bool); np.logical_or.at(b, ids, True);"
           "g = np.ones((3, 4)); rows = np.array([1, 1, 2]); row = np.arange(4.0); np.add.at(g, rows, row);"
           "i = np.arange(8, dtype=\"u1\"); np.power.at(i, np.array([2, 2]), np.uint8(2)); z = np.zeros(3, \"c16\");"
           "np.add.at(z, np.array([1, 1]), 1 + 2j)");
    sta_array x = ARRAY("x"), ids = ARRAY("ids"), y = ARRAY("y");
    sta_items by = {1, (sta_span[]){STA_SPAN_BY(ids)}};
    IS(sta_add_at(sta_copy(x), by, y), "a");
    IS(sta_subtract_at(sta_copy(x), by, y), "s");
    IS(sta_multiply_at(sta_copy(x), by, sta_int(2)), "m");
    IS(sta_maximum_at(sta_divide(x, sta_int(2)), by, sta_divide(y, sta_int(3))), "f");
    IS(sta_divide_at(sta_divide(x, sta_int(2)), by, y), "d");
    IS(sta_add_at(sta_zeros(STA_DIMS(6), STA_float16), by, sta_float(0.1)), "h");
    IS(sta_logical_or_at(sta_zeros(STA_DIMS(6), STA_bool), by, sta_bool(1)), "b");
    IS(sta_add_at(sta_ones(STA_DIMS(3, 4), STA_float64), STA_INDEX(STA_SPAN_BY(ARRAY("rows"))), ARRAY("row")), "g");
    sta_array twos = sta_test_array(STA_int32, STA_DIMS(2), (int32_t[]){2, 2});
    IS(sta_power_at(sta_arange_int(0, 8, 1, STA_uint8), STA_INDEX(STA_SPAN_BY(twos)), sta_int(2)), "i");
    sta_array ones = sta_test_array(STA_int32, STA_DIMS(2), (int32_t[]){1, 1});
    IS(sta_add_at(sta_zeros(STA_DIMS(3), STA_complex128), STA_INDEX(STA_SPAN_BY(ones)), sta_complex(1, 2)), "z");
    STA_ASSERT_ERROR(sta_add_at(sta_copy(x), by, sta_float(0.5)), STA_ERROR_DTYPE);
    STA_ASSERT_ERROR(sta_add_at(sta_copy(x), by, sta_zeros(STA_DIMS(4), STA_int64)), STA_ERROR_SHAPE);
}

/* ---- sizes of several tiles, whoever computes ---- */

static int64_t many(int64_t wanted)
{
    return sta__runtime.settings.tile_elements == 3 ? wanted / 5000 : wanted;
}

/* A step that visits everything, out of order. */
static int64_t scatter(int64_t i, int64_t n)
{
    return (int64_t)((uint64_t)i * 7919U % (uint64_t)n);
}

static void large(void)
{
    int64_t n = many(1000003), *ids = malloc(sizeof *ids * (size_t)n), *expected = malloc(sizeof *expected * (size_t)n);
    CU_ASSERT_FATAL(ids && expected);
    for (int64_t i = 0; i < n; i++)
        ids[i] = i % 3 ? scatter(i, n) : scatter(i, n) - n;
    sta_array x = sta_arange_int(0, 3 * n, 3, STA_int64), by = sta_test_array(STA_int64, STA_DIMS(n), ids);
    sta_items index = {1, (sta_span[]){STA_SPAN_BY(by)}};
    for (int64_t i = 0; i < n; i++)
        expected[i] = 3 * scatter(i, n);
    STA_ASSERT_EQUAL(sta_at(x, index), STA_int64, STA_DIMS(n), expected);
    /* Each place is written n times in the order of the index: the last one stays. */
    int64_t places = n / 7;
    sta_array few = sta_zeros(STA_DIMS(places), STA_int64), mod = sta_remainder(by, sta_int(places));
    for (int64_t i = 0; i < n; i++) {
        int64_t place = (ids[i] % places + places) % places;
        expected[place] = i;
    }
    sta_assign_at(few, STA_INDEX(STA_SPAN_BY(mod)), sta_arange_int(0, n, 1, STA_int64));
    STA_ASSERT_EQUAL(few, STA_int64, STA_DIMS(places), expected);
    memset(expected, 0, sizeof *expected * (size_t)n);
    for (int64_t i = 0; i < n; i++)
        expected[(ids[i] % places + places) % places] += i;
    sta_array sums = sta_zeros(STA_DIMS(places), STA_int64);
    sta_add_at(sums, STA_INDEX(STA_SPAN_BY(mod)), sta_arange_int(0, n, 1, STA_int64));
    STA_ASSERT_EQUAL(sums, STA_int64, STA_DIMS(places), expected);
    int64_t count = 0;
    for (int64_t i = 0; i < n; i++)
        if (ids[i] % 5 == 0)
            expected[count++] = 3 * i;
    sta_array mask = sta_equal(sta_fmod(by, sta_int(5)), sta_int(0));
    STA_ASSERT_EQUAL(sta_at(x, STA_INDEX(STA_SPAN_BY(mask))), STA_int64, STA_DIMS(count), expected);
    for (int64_t i = 0; i < count; i++)
        expected[i] /= 3;
    STA_ASSERT_EQUAL(sta_flatnonzero(mask), STA_int64, STA_DIMS(count), expected);
    free(ids);
    free(expected);
}

static void rows(void)
{
    int64_t n = many(200000), width = 9;
    sta_array x = sta_reshape(sta_arange(0, (double)(n * width), 1, STA_float64), STA_DIMS(n, width));
    sta_array ids = sta_remainder(sta_multiply(sta_arange_int(0, n, 1, STA_int64), sta_int(31)), sta_int(n));
    sta_array taken = sta_at(x, STA_INDEX(STA_SPAN_BY(ids))),
              columns = sta_test_array(STA_int8, STA_DIMS(2), (int8_t[]){-1, 3});
    sta_array some = sta_at(x, STA_INDEX(STA_SPAN_ALL, STA_SPAN_BY(columns)));
    sta_assign_at(x, STA_INDEX(STA_SPAN_BY(ids), STA_SPAN_RANGE(0, 2)), sta_float(-1));
    double *got = malloc(sizeof *got * (size_t)(n * width)), *two = malloc(sizeof *two * (size_t)(2 * n));
    CU_ASSERT_FATAL(got && two);
    STA_ASSERT_OK(sta_read(taken, got, sizeof *got * (size_t)(n * width)));
    STA_ASSERT_OK(sta_read(some, two, sizeof *two * (size_t)(2 * n)));
    int64_t wrong = 0;
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < width; j++)
            wrong += got[i * width + j] != (double)(i * 31 % n * width + j);
        wrong += two[2 * i] != (double)(i * width + width - 1) || two[2 * i + 1] != (double)(i * width + 3);
    }
    STA_ASSERT_OK(sta_read(x, got, sizeof *got * (size_t)(n * width)));
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < width; j++)
            wrong += got[i * width + j] != (j < 2 ? -1 : (double)(i * width + j));
    CU_ASSERT_EQUAL(wrong, 0);
    free(got);
    free(two);
}

/* Few tiles are touched: no task for the others, and their tiles stay. */
static void only_some_tiles(void)
{
    if (sta__runtime.settings.tile_elements == 3 || sta__runtime.settings.ranks > 1)
        return;
    int64_t n = 8 << 20, id[] = {5, 7, n - 1};
    sta_array x = sta_zeros(STA_DIMS(n), STA_float64), ids = sta_test_array(STA_int64, STA_DIMS(3), id);
    STA_ASSERT_OK(sta_wait(x));
    int64_t before = sta__tasks_submitted();
    sta_assign_at(x, STA_INDEX(STA_SPAN_BY(ids)), sta_float(2));
    STA_ASSERT_OK(sta_wait(x));
    CU_ASSERT(sta__tasks_submitted() - before <= 10);
    STA_ASSERT_EQUAL(sta_at(x, STA_INDEX(STA_SPAN_BY(ids))), STA_float64, STA_DIMS(3), ((double[]){2, 2, 2}));
}

/* The source, and the indices, are parts of what is written: read before. */
static void overlaps(void)
{
    int64_t n = many(50000), wrong = 0, *got = malloc(sizeof *got * (size_t)n);
    CU_ASSERT_PTR_NOT_NULL_FATAL(got);
    static int64_t memory[50000];
    for (int user = 0; user < 2; user++) {
        sta_array x;
        sta_scope scope = sta_open();
        for (int64_t i = 0; i < n; i++)
            memory[i] = n - 1 - i;
        x = sta_from_buffer(memory, STA_int64, STA_DIMS(n), NULL, user ? 0 : STA_COPY, NULL, NULL);
        sta_array before = sta_add(x, sta_int(0));
        sta_assign_at(x, STA_INDEX(STA_SPAN_BY(x)), sta_flip(x, STA_ALL)); /* x[n - 1 - i] = i */
        STA_ASSERT_OK(sta_read(x, got, sizeof *got * (size_t)n));
        for (int64_t i = 0; i < n; i++)
            wrong += got[n - 1 - i] != i;
        sta_add_at(x, STA_INDEX(STA_SPAN_BY(sta_slice(x, ":%d", 2))), sta_slice(x, ":%d", 2));
        STA_ASSERT_OK(sta_wait(x));
        STA_ASSERT_OK(sta_read(x, got, sizeof *got * (size_t)n));
        wrong += got[n - 1] != n - 1 || got[n - 2] != 1 + n - 2;
        STA_ASSERT_OK(sta_read(before, got, sizeof *got * (size_t)n));
        for (int64_t i = 0; i < n; i++)
            wrong += got[i] != n - 1 - i;
        sta_close(scope);
        sta_wait(sta_zeros(STA_DIMS(1), STA_int8));
    }
    CU_ASSERT_EQUAL(wrong, 0);
    free(got);
}

STA_TESTS("index", STA_CASE(any_index), STA_CASE(along_axes), STA_CASE(flat_writes), STA_CASE(finding),
          STA_CASE(choices), STA_CASE(operators), STA_CASE(large), STA_CASE(rows), STA_CASE(only_some_tiles),
          STA_CASE(overlaps), STA_CASE(far_triangles))
