/* Indexing with arrays and masks: errors, which leave everything as it was, and the order of what is read and written.
 * ctest: tiny omp gpu sanitize ranks=2 */
#include "sta_test.h"

#include <string.h>

static void nothing_written(void)
{
    sta_array x = sta_arange_int(0, 5, 1, STA_int64), twin = sta_slice(x, ":");
    sta_array ids = sta_test_array(STA_int64, STA_DIMS(3), (int64_t[]){1, 2, 5});
    sta_assign_at(x, STA_INDEX(STA_SPAN_BY(ids)), sta_int(-1));
    STA_ASSERT_ERROR(x, STA_ERROR_INDEX);
    STA_ASSERT_TEXT(sta_check(x)->text, "index 5 is out of range for axis 0 of length 5");
    STA_ASSERT_EQUAL(twin, STA_int64, STA_DIMS(5), ((int64_t[]){0, 1, 2, 3, 4}));
    sta_array y = sta_slice(twin, ":");
    STA_ASSERT_ERROR(sta_at(y, STA_INDEX(STA_SPAN_BY(ids))), STA_ERROR_INDEX);
    STA_ASSERT_ERROR(sta_at(y, STA_INDEX(STA_SPAN_AT(0), STA_SPAN_BY(ids))), STA_ERROR_INDEX);
    STA_ASSERT_ERROR(sta_at(sta_broadcast_to(y, STA_DIMS(5, 5)), STA_INDEX(STA_SPAN_BY(ids))), STA_ERROR_INDEX);
    STA_ASSERT_ERROR(sta_at(sta_expand_dims(y, STA_AXES(0)), STA_INDEX(STA_SPAN_BY(ids))), STA_ERROR_INDEX);
    STA_ASSERT_ERROR(sta_at(y, STA_INDEX(STA_SPAN_BY(y), STA_SPAN_REST, STA_SPAN_REST)), STA_ERROR_INDEX);
    STA_ASSERT_ERROR(sta_at(y, STA_INDEX(STA_SPAN_BY(sta_float(1)))), STA_ERROR_DTYPE);
    STA_ASSERT_ERROR(sta_at(y, STA_INDEX(STA_SPAN_BY(sta_zeros(STA_DIMS(4), STA_bool)))), STA_ERROR_INDEX);
    STA_ASSERT_ERROR(sta_at(y, STA_INDEX(STA_SPAN_BY((sta_array){0}))), STA_ERROR_INVALID_ARRAY);
    sta_array wide = sta_zeros(STA_DIMS(5, 5), STA_int8), two = sta_zeros(STA_DIMS(2), STA_int64);
    STA_ASSERT_ERROR(sta_at(wide, STA_INDEX(STA_SPAN_BY(ids), STA_SPAN_BY(two))), STA_ERROR_SHAPE);
    STA_ASSERT_ERROR(sta_index(wide, (sta_span[]){STA_SPAN_BY(ids)}, 1), STA_ERROR_VALUE);
    sta_array repeated = sta_broadcast_to(y, STA_DIMS(2, 5));
    STA_ASSERT_ERROR(sta_assign_at(repeated, STA_INDEX(STA_SPAN_BY(two)), sta_int(0)), STA_ERROR_READ_ONLY);
    STA_ASSERT_ERROR(sta_assign_at(wide, STA_INDEX(STA_SPAN_BY(two)), sta_zeros(STA_DIMS(3), STA_int8)),
                     STA_ERROR_SHAPE);
}

/* Where the arrays together select nothing their indices are not looked at, but numbers are. */
static void wrong_for_nothing(void)
{
    sta_array x = sta_add(sta_zeros(STA_DIMS(3, 2), STA_int64), sta_int(7)), none = sta_zeros(STA_DIMS(0), STA_int64);
    sta_array two = sta_test_array(STA_uint8, STA_DIMS(2, 1), (uint8_t[]){1, 2}),
              mask = sta_zeros(STA_DIMS(3), STA_bool);
    sta_array hollow = sta_zeros(STA_DIMS(0, 0), STA_int64);
    const sta_span by = STA_SPAN_BY(none), far = STA_SPAN_BY(sta_int(2)), low = STA_SPAN_BY(sta_int(-2));
    const sta_span column = STA_SPAN_BY(two), no = STA_SPAN_BY(mask), fresh = STA_SPAN_NEW;
    STA_ASSERT_SHAPE(sta_at(x, STA_INDEX(by, low)), STA_DIMS(0));
    STA_ASSERT_SHAPE(sta_at(x, STA_INDEX(column, by)), STA_DIMS(2, 0));
    STA_ASSERT_SHAPE(sta_at(x, STA_INDEX(no, low)), STA_DIMS(0));
    const sta_span empty = STA_SPAN_BY(sta_zeros(STA_DIMS(0), STA_bool)), all = STA_SPAN_ALL;
    const sta_span flat = STA_SPAN_BY(sta_zeros(STA_DIMS(0, 2), STA_bool));
    STA_ASSERT_SHAPE(sta_at(x, STA_INDEX(empty)), STA_DIMS(0, 2)); /* a mask without elements fits any axis */
    STA_ASSERT_SHAPE(sta_at(x, STA_INDEX(all, empty)), STA_DIMS(3, 0));
    STA_ASSERT_SHAPE(sta_at(x, STA_INDEX(empty, empty)), STA_DIMS(0));
    STA_ASSERT_SHAPE(sta_at(x, STA_INDEX(flat)), STA_DIMS(0));
    STA_ASSERT_ERROR(sta_at(x, STA_INDEX(STA_SPAN_BY(sta_zeros(STA_DIMS(0, 3), STA_bool)))), STA_ERROR_INDEX);
    STA_ASSERT_ERROR(sta_at(x, STA_INDEX(by, far)), STA_ERROR_INDEX);
    STA_ASSERT_SHAPE(sta_at(x, STA_INDEX(by, column)), STA_DIMS(2, 0));
    STA_ASSERT_ERROR(sta_at(x, STA_INDEX(no, far)), STA_ERROR_INDEX);
    STA_ASSERT_ERROR(sta_at(x, STA_INDEX(no, fresh, far)), STA_ERROR_INDEX);
    STA_ASSERT_ERROR(sta_at(hollow, STA_INDEX(by, STA_SPAN_BY(sta_int(0)))), STA_ERROR_INDEX);
    STA_ASSERT_TEXT(sta_check(sta_at(x, STA_INDEX(by, far)))->text, "index 2 is out of range for axis 1 of length 2");
    sta_array y = sta_slice(x, ":"), z = sta_slice(x, ":");
    STA_ASSERT_ERROR(sta_assign_at(y, STA_INDEX(by, far), sta_int(1)), STA_ERROR_INDEX);
    STA_ASSERT_ERROR(sta_add_at(z, STA_INDEX(no, far), sta_int(1)), STA_ERROR_INDEX);
    STA_ASSERT_OK(sta_wait(sta_assign_at(x, STA_INDEX(by, low), sta_int(1))));
    STA_ASSERT_OK(sta_wait(sta_assign_at(x, STA_INDEX(all, empty), sta_int(1))));
    STA_ASSERT_EQUAL(x, STA_int64, STA_DIMS(3, 2), ((int64_t[]){7, 7, 7, 7, 7, 7}));
}

static void last_wins(void)
{
    sta_array b = sta_arange_int(0, 5, 1, STA_int64);
    sta_array ids = sta_test_array(STA_int64, STA_DIMS(6), (int64_t[]){0, 1, 0, 1, 0, 1});
    sta_assign_at(b, STA_INDEX(STA_SPAN_BY(ids)), sta_arange_int(2, 8, 1, STA_int64));
    STA_ASSERT_EQUAL(b, STA_int64, STA_DIMS(5), ((int64_t[]){6, 7, 2, 3, 4}));
    sta_array a = sta_zeros(STA_DIMS(3), STA_int64), i = sta_test_array(STA_int64, STA_DIMS(3), (int64_t[]){0, 0, 1});
    sta_add_at(a, STA_INDEX(STA_SPAN_BY(i)), sta_int(1));
    STA_ASSERT_EQUAL(a, STA_int64, STA_DIMS(3), ((int64_t[]){2, 1, 0}));
}

/* Whether writing through ravel, and through other shapes of x with its axes exchanged, does to x what it does to a copy. */
static void is_in_c_order(sta_array x)
{
    enum { MOST = 96 };
    int64_t got[2][MOST], size = sta_size(x);
    CU_ASSERT_FATAL(size <= MOST);
    sta_array y[2] = {x, sta_copy(x)};
    for (int k = 0; k < 2; k++) {
        sta_array flat = sta_ravel(y[k]), pairs = sta_reshape(y[k], STA_DIMS(2, -1));
        sta_array turned = sta_ravel(sta_moveaxis(sta_expand_dims(y[k], STA_AXES(0)), STA_AXES(0), STA_AXES(-1)));
        sta_assign(sta_slice(flat, "::5"), sta_int(-1));
        sta_put(sta_slice(flat, "-1"), sta_int(0), sta_int(-2), STA_MODE_RAISE);
        sta_assign(sta_slice(pairs, "1, 0"), sta_int(-3));
        sta_assign(sta_slice(turned, "1"), sta_int(-4));
        STA_ASSERT_OK(sta_read(y[k], got[k], sizeof **got * (size_t)size));
        CU_ASSERT(got[k][0] == -1 && got[k][1] == -4 && got[k][size - 1] == -2 && got[k][size / 2] == -3);
    }
    CU_ASSERT(memcmp(got[0], got[1], sizeof **got * (size_t)size) == 0);
}

/* What an index makes is a new array like any other, wherever the axes of the index arrays go. */
static void in_c_order(void)
{
    sta_array x = sta_add(sta_reshape(sta_arange_int(0, 24, 1, STA_int64), STA_DIMS(2, 3, 4)), sta_int(0));
    sta_array ids = sta_test_array(STA_int64, STA_DIMS(2), (int64_t[]){1, 0}),
              square = sta_reshape(ids, STA_DIMS(2, 1));
    sta_array mask = sta_test_array(STA_bool, STA_DIMS(3), (bool[]){true, false, true});
    const sta_span by = STA_SPAN_BY(ids), wide = STA_SPAN_BY(square), all = STA_SPAN_ALL, rest = STA_SPAN_REST;
    const sta_span fresh = STA_SPAN_NEW, at = STA_SPAN_AT(1), chosen = STA_SPAN_BY(mask), back = STA_SPAN_EVERY(-1);
    is_in_c_order(sta_at(x, STA_INDEX(by)));
    is_in_c_order(sta_at(x, STA_INDEX(all, by)));
    is_in_c_order(sta_at(x, STA_INDEX(rest, by)));
    is_in_c_order(sta_at(x, STA_INDEX(fresh, fresh, rest, by)));
    is_in_c_order(sta_at(x, STA_INDEX(all, wide)));
    is_in_c_order(sta_at(x, STA_INDEX(all, by, wide)));
    is_in_c_order(sta_at(x, STA_INDEX(by, all, by)));
    is_in_c_order(sta_at(x, STA_INDEX(back, at, by)));
    is_in_c_order(sta_at(x, STA_INDEX(all, chosen)));
    is_in_c_order(sta_at(sta_slice(x, ":, :1"), STA_INDEX(all, all, by)));
    is_in_c_order(sta_at(sta_transpose(x, STA_ALL), STA_INDEX(all, by)));
    for (int axis = 0; axis < 3; axis++) {
        is_in_c_order(sta_take(x, ids, axis, STA_MODE_RAISE));
        is_in_c_order(sta_take(x, square, axis, STA_MODE_RAISE));
        is_in_c_order(sta_compress(x, sta_slice(mask, ":2"), axis));
    }
}

STA_TESTS("index_order", STA_CASE(nothing_written), STA_CASE(wrong_for_nothing), STA_CASE(last_wins),
          STA_CASE(in_c_order))
