/* The text of an index, and the views that indexing and its like make: as NumPy; errors in the array's terms. */
#include "sta_test.h"

#include "slice.h"

#include <CUnit/CUnit.h>
#include <string.h>

static struct sta__view view_of(sta_dims dims)
{
    struct sta__shape shape = {.ndim = dims.count};
    memcpy(shape.at, dims.at, sizeof shape.at);
    return sta__identity_view(&shape);
}

/* The position in a store of `store` of element `number` (C order) of a view. */
static int64_t position(const struct sta__view *view, const sta_dims *store, int64_t number)
{
    int64_t index[STA_MAXDIM], at = 0;
    for (int a = view->shape.ndim - 1; a >= 0; a--) {
        index[a] = number % view->shape.at[a];
        number /= view->shape.at[a];
    }
    for (int s = 0; s < view->store_ndim; s++) {
        const struct sta__axis_map *map = &view->map[s];
        int64_t i = map->offset + (map->axis < 0 ? 0 : map->step * index[map->axis]);
        if (i < 0 || i >= store->at[s])
            return -1;
        at = at * store->at[s] + i;
    }
    return at;
}

static sta_error_code apply(const char *text, struct sta__view *view, char *why)
{
    sta_span spans[STA__MAXSPANS];
    int count;
    sta_error_code error = sta__slice_parse(text, spans, &count, why);
    return error ? error : sta__view_index(view, spans, count, why);
}

/* Whether the view of an array 0, 1, 2, ... shows what NumPy shows. */
static void check_elements(const char *text, const struct sta__view *view, const sta_dims *store,
                           const struct sta_record *out)
{
    const int64_t *expected = out->data;
    struct sta__shape shape = {.ndim = out->shape.count};
    memcpy(shape.at, out->shape.at, sizeof shape.at);
    if (!sta__shape_equal(&shape, &view->shape)) {
        sta_test_fail(__FILE__, __LINE__, "x[%s]: another shape than NumPy's", text);
        return;
    }
    for (int64_t i = 0; i < out->count; i++)
        if (position(view, store, i) != expected[i]) {
            sta_test_fail(__FILE__, __LINE__, "x[%s]: element %d is another than NumPy's", text, (int)i);
            return;
        }
    CU_PASS("alike");
}

static void as_numpy(void)
{
    const struct sta_oracle *oracle = sta_test_oracle("slices", NULL);
    char why[STA__WHY];
    for (size_t i = 0; oracle && i + 2 < sta_oracle_count(oracle); i += 3) {
        const struct sta_record *in = sta_oracle_at(oracle, i), *out = sta_oracle_at(oracle, i + 2);
        const char *text = sta_oracle_at(oracle, i + 1)->data;
        struct sta__view view = view_of(in->shape);
        sta_error_code error = apply(text, &view, why);
        if (out->dtype == STA_DTYPE_NONE)
            CU_ASSERT_EQUAL(error, strcmp(out->data, "IndexError") == 0 ? STA_ERROR_INDEX : STA_ERROR_VALUE)
        else if (error)
            sta_test_fail(__FILE__, __LINE__, "x[%s]: %s", text, why);
        else
            check_elements(text, &view, &in->shape, out);
    }
}

static const struct {
    const char *text;
    sta_error_code code;
    const char *why;
} errors[] = {
    {"7", STA_ERROR_INDEX, "index 7 is out of range for axis 0 of length 5"},
    {":, -4", STA_ERROR_INDEX, "index -4 is out of range for axis 1 of length 3"},
    {"99999999999999999999999", STA_ERROR_INDEX, "index 9223372036854775807 is out of range for axis 0 of length 5"},
    {"0, 0, 0", STA_ERROR_INDEX, "too many indices: 3 are given, but ndim is 2"},
    {"..., ...", STA_ERROR_INDEX, "an index can have only one \"...\""},
    {"::0", STA_ERROR_VALUE, "the step of a slice cannot be 0 (axis 0)"},
    {"", STA_ERROR_SYNTAX, NULL},
    {"1:x", STA_ERROR_SYNTAX, "\"1:x\": character 3 is not part of a number, slice, \"...\" or newaxis"},
    {"1 2", STA_ERROR_SYNTAX, NULL},
    {"1.5", STA_ERROR_SYNTAX, NULL},
    {":,,:", STA_ERROR_SYNTAX, NULL},
    {"1:2:3:4", STA_ERROR_SYNTAX, NULL},
    {"Nonesuch", STA_ERROR_SYNTAX, NULL},
    {"0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0", STA_ERROR_INDEX, NULL},
    {"None,None,None,None,None,None,None,None,None,None,None,None,None,None,None", STA_ERROR_SHAPE, NULL},
};

static void clear_errors(void)
{
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        char why[STA__WHY] = "";
        struct sta__view view = view_of(STA_DIMS(5, 3)), before = view;
        CU_ASSERT_EQUAL(apply(errors[i].text, &view, why), errors[i].code);
        if (errors[i].why)
            STA_ASSERT_TEXT(why, errors[i].why);
        CU_ASSERT(memcmp(&view, &before, sizeof view) == 0);
    }
}

/* The shape and first element's place of a chain of operations on x of shape (4, 5, 6). */
static void check_view(const struct sta__view *view, sta_dims shape, int64_t first, int64_t last)
{
    struct sta__shape expected = {.ndim = shape.count};
    sta_dims store = STA_DIMS(4, 5, 6);
    int64_t size;
    memcpy(expected.at, shape.at, sizeof expected.at);
    CU_ASSERT(sta__shape_equal(&view->shape, &expected));
    CU_ASSERT(sta__shape_size(&view->shape, &size));
    if (size == 0)
        return;
    CU_ASSERT_EQUAL(position(view, &store, 0), first);
    CU_ASSERT_EQUAL(position(view, &store, size - 1), last);
}

#define ON_VIEW(operation, shape, first, last)                                                                         \
    {                                                                                                                  \
        struct sta__view view = view_of(STA_DIMS(4, 5, 6));                                                            \
        CU_ASSERT_EQUAL(operation, STA_ERROR_NONE);                                                                    \
        check_view(&view, shape, first, last);                                                                         \
    }

static void axes(void)
{
    char why[STA__WHY];
    sta_dims all = STA_ALL, two_zero = STA_AXES(2, 0), cycle = STA_AXES(1, 2, 0), none = STA_SCALAR,
             ends = STA_AXES(0, -1);
    sta_dims large = STA_DIMS(2, 4, 5, 6);
    ON_VIEW(sta__view_transpose(&view, &all, why), STA_DIMS(6, 5, 4), 0, 119)
    ON_VIEW(sta__view_transpose(&view, &cycle, why), STA_DIMS(5, 6, 4), 0, 119)
    ON_VIEW(sta__view_swapaxes(&view, 0, -1, why), STA_DIMS(6, 5, 4), 0, 119)
    ON_VIEW(sta__view_moveaxis(&view, &two_zero, &ends, why), STA_DIMS(6, 5, 4), 0, 119)
    ON_VIEW(sta__view_expand_dims(&view, &ends, why), STA_DIMS(1, 4, 5, 6, 1), 0, 119)
    ON_VIEW(sta__view_squeeze(&view, &all, why), STA_DIMS(4, 5, 6), 0, 119)
    ON_VIEW(sta__view_broadcast_to(&view, &large, why), STA_DIMS(2, 4, 5, 6), 0, 119)
    ON_VIEW(sta__view_diagonal(&view, 1, 0, 1, why), STA_DIMS(6, 4), 6, 119)
    ON_VIEW(sta__view_diagonal(&view, -9, 0, 1, why), STA_DIMS(6, 0), 0, 0)
    ON_VIEW(sta__view_flip(&view, &all, why), STA_DIMS(4, 5, 6), 119, 0)
    ON_VIEW(sta__view_flip(&view, &none, why), STA_DIMS(4, 5, 6), 0, 119)
    ON_VIEW(sta__view_rot90(&view, -1, 0, 1, why), STA_DIMS(5, 4, 6), 90, 29)
}

static void axes_errors(void)
{
    char why[STA__WHY];
    struct sta__view view = view_of(STA_DIMS(4, 5, 6));
    sta_dims twice = STA_AXES(0, -3, 1), few = STA_AXES(0, 1), shape = STA_DIMS(4, 5, 3), one = STA_AXES(1);
    CU_ASSERT_EQUAL(sta__view_transpose(&view, &twice, why), STA_ERROR_AXIS);
    STA_ASSERT_TEXT(why, "axis 0 is given twice");
    CU_ASSERT_EQUAL(sta__view_transpose(&view, &few, why), STA_ERROR_AXIS);
    CU_ASSERT_EQUAL(sta__view_swapaxes(&view, 0, 3, why), STA_ERROR_AXIS);
    STA_ASSERT_TEXT(why, "axis 3 is out of range: ndim is 3");
    CU_ASSERT_EQUAL(sta__view_squeeze(&view, &one, why), STA_ERROR_SHAPE);
    STA_ASSERT_TEXT(why, "axis 1 has length 5, not 1");
    CU_ASSERT_EQUAL(sta__view_broadcast_to(&view, &shape, why), STA_ERROR_SHAPE);
    STA_ASSERT_TEXT(why, "shape (4, 5, 6) cannot be broadcast to (4, 5, 3)");
    CU_ASSERT_EQUAL(sta__view_diagonal(&view, 0, 1, 1, why), STA_ERROR_AXIS);
}

static void geometry(void)
{
    struct sta__shape a = {3, {4, 1, 6}}, b = {2, {5, 1}}, huge = {2, {INT64_C(1) << 32, INT64_C(1) << 32}};
    struct sta__shape hidden = {2, {0, INT64_MAX}}, negative = {1, {-1}}, four = {2, {2, 2}};
    int64_t size;
    CU_ASSERT(sta__broadcast(&a, &b) && a.ndim == 3 && a.at[0] == 4 && a.at[1] == 5 && a.at[2] == 6);
    CU_ASSERT_FALSE(sta__broadcast(&a, &four));
    CU_ASSERT_FALSE(sta__shape_size(&huge, &size));
    CU_ASSERT_FALSE(sta__shape_size(&hidden, &size));
    CU_ASSERT_FALSE(sta__shape_size(&negative, &size));
    struct sta__view view = sta__identity_view(&b);
    CU_ASSERT(sta__view_is_identity(&view, &b));
    CU_ASSERT_FALSE(sta__view_overlaps_itself(&view));
    sta__view_broadcast(&view, &a);
    CU_ASSERT(sta__view_overlaps_itself(&view));
    struct sta__box box = sta__whole_box(&a), touched = sta__view_box(&view, &box);
    CU_ASSERT(touched.ndim == 2 && touched.to[0] == 5 && touched.to[1] == 1);
}

STA_PURE_TESTS("slice", STA_CASE(as_numpy), STA_CASE(clear_errors), STA_CASE(axes), STA_CASE(axes_errors),
               STA_CASE(geometry))
