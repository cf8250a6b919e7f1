/* Views of arrays: what they show, that they share the elements, and errors that travel. ctest: gpu tiny omp */
#include "sta_test.h"

#include <CUnit/CUnit.h>
#include <inttypes.h>

static sta_array numbers(void)
{
    int64_t data[24];
    for (int64_t i = 0; i < 24; i++)
        data[i] = i;
    return sta_test_array(STA_int64, STA_DIMS(2, 3, 4), data);
}

#define SHOWS(x, shape, ...) STA_ASSERT_EQUAL(x, STA_int64, shape, ((int64_t[]){__VA_ARGS__}))

static void slices(void)
{
    sta_array x = numbers();
    SHOWS(sta_slice(x, "1, 2, 3"), STA_SCALAR, 23);
    SHOWS(sta_slice(x, "0, ::%d, -1", 2), STA_DIMS(2), 3, 11);
    SHOWS(sta_slice(x, "..., ::-3"), STA_DIMS(2, 3, 2), 3, 0, 7, 4, 11, 8, 15, 12, 19, 16, 23, 20);
    SHOWS(sta_slice(x, "%" PRId64 ":, newaxis, 0, 1:3", INT64_C(1)), STA_DIMS(1, 1, 2), 13, 14);
    SHOWS(sta_slice(sta_slice(x, "::-1, 1:"), "0, -1, ::-1"), STA_DIMS(4), 23, 22, 21, 20);
    STA_ASSERT_SHAPE(sta_slice(x, "5:"), STA_DIMS(0, 3, 4));
    sta_span spans[] = {STA_SPAN_AT(-1), STA_SPAN_NEW, STA_SPAN_EVERY(-2), STA_SPAN_RANGE(1, 3)};
    SHOWS(sta_index(x, spans, 4), STA_DIMS(1, 2, 2), 21, 22, 13, 14);
}

static void orders(void)
{
    sta_array x = numbers(), small = sta_slice(x, "0, :2, :3");
    SHOWS(sta_transpose(small, STA_ALL), STA_DIMS(3, 2), 0, 4, 1, 5, 2, 6);
    SHOWS(sta_flip(small, STA_AXES(-1)), STA_DIMS(2, 3), 2, 1, 0, 6, 5, 4);
    SHOWS(sta_fliplr(small), STA_DIMS(2, 3), 2, 1, 0, 6, 5, 4);
    SHOWS(sta_flipud(small), STA_DIMS(2, 3), 4, 5, 6, 0, 1, 2);
    SHOWS(sta_rot90(small, 1, 0, 1), STA_DIMS(3, 2), 2, 6, 1, 5, 0, 4);
    SHOWS(sta_diagonal(x, 1, 1, 2), STA_DIMS(2, 3), 1, 6, 11, 13, 18, 23);
    SHOWS(sta_broadcast_to(sta_slice(small, "0"), STA_DIMS(2, 3)), STA_DIMS(2, 3), 0, 1, 2, 0, 1, 2);
    STA_ASSERT_SHAPE(sta_permute_dims(x, STA_AXES(1, 2, 0)), STA_DIMS(3, 4, 2));
    STA_ASSERT_SHAPE(sta_matrix_transpose(x), STA_DIMS(2, 4, 3));
    STA_ASSERT_SHAPE(sta_swapaxes(x, 0, -1), STA_DIMS(4, 3, 2));
    STA_ASSERT_SHAPE(sta_moveaxis(x, STA_AXES(0), STA_AXES(-1)), STA_DIMS(3, 4, 2));
    STA_ASSERT_SHAPE(sta_expand_dims(x, STA_AXES(0, 2)), STA_DIMS(1, 2, 1, 3, 4));
    STA_ASSERT_SHAPE(sta_squeeze(sta_expand_dims(x, STA_AXES(0, 2)), STA_AXES(2)), STA_DIMS(1, 2, 3, 4));
    STA_ASSERT_SHAPE(sta_atleast_3d(sta_slice(x, "0, 0")), STA_DIMS(1, 4, 1));
    STA_ASSERT_SHAPE(sta_atleast_2d(sta_slice(x, "0, 0")), STA_DIMS(1, 4));
    STA_ASSERT_SHAPE(sta_atleast_1d(sta_slice(x, "0, 0, 0")), STA_DIMS(1));
}

static void shared(void)
{
    sta_array x = numbers(), row = sta_slice(x, "0, 1"), turned = sta_flip(row, STA_ALL);
    sta_assign(sta_slice(turned, ":2"), sta_int(-1));
    SHOWS(row, STA_DIMS(4), 4, 5, -1, -1);
    SHOWS(sta_slice(x, "0, 1, 2"), STA_SCALAR, -1);
    sta_assign(sta_diagonal(sta_slice(x, "1"), 0, 0, 1), sta_int(0));
    SHOWS(sta_slice(x, "1, :, :3"), STA_DIMS(3, 3), 0, 13, 14, 16, 0, 18, 20, 21, 0);
    sta_free(x); /* the views keep the elements */
    SHOWS(turned, STA_DIMS(4), -1, -1, 5, 4);
    sta_array repeated = sta_broadcast_to(row, STA_DIMS(3, 4));
    STA_ASSERT_ERROR(sta_assign(repeated, sta_int(0)), STA_ERROR_READ_ONLY);
}

static void errors(void)
{
    sta_array x = numbers();
    STA_ASSERT_ERROR(sta_slice(x, "2"), STA_ERROR_INDEX);
    STA_ASSERT_TEXT(sta_check(sta_slice(x, "0, 3"))->text, "index 3 is out of range for axis 1 of length 3");
    STA_ASSERT_ERROR(sta_slice(x, "0, 0, 0, 0"), STA_ERROR_INDEX);
    STA_ASSERT_ERROR(sta_slice(x, "::0"), STA_ERROR_VALUE);
    STA_ASSERT_ERROR(sta_slice(x, "one"), STA_ERROR_SYNTAX);
    STA_ASSERT_ERROR(sta_slice(x, "%2000d", 1), STA_ERROR_SYNTAX);
    STA_ASSERT_ERROR(sta_transpose(x, STA_AXES(0, 1)), STA_ERROR_AXIS);
    STA_ASSERT_ERROR(sta_squeeze(x, STA_AXES(0)), STA_ERROR_SHAPE);
    STA_ASSERT_ERROR(sta_broadcast_to(x, STA_DIMS(2, 3, 5)), STA_ERROR_SHAPE);
    STA_ASSERT_ERROR(sta_broadcast_to(x, STA_DIMS(INT64_MAX, 2, 3, 4)), STA_ERROR_TOO_LARGE);
    STA_ASSERT_ERROR(sta_matrix_transpose(sta_slice(x, "0, 0")), STA_ERROR_SHAPE);
    STA_ASSERT_ERROR(sta_slice((sta_array){0}, "0"), STA_ERROR_INVALID_ARRAY);
    STA_ASSERT_ERROR(sta_flip(sta_transpose(sta_slice(x, "9"), STA_ALL), STA_ALL), STA_ERROR_INDEX);
}

STA_TESTS("views", STA_CASE(slices), STA_CASE(orders), STA_CASE(shared), STA_CASE(errors))
