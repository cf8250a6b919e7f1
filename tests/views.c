/* Views of arrays: what they show, that they share the elements, and errors that travel. ctest: gpu tiny here omp */
#include "sta_test.h"

#include <CUnit/CUnit.h>
#include <inttypes.h>
#include <string.h>

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

/* ---- frames: reshape, parts, other dtypes ---- */

/* Whether y is a view of x: a write to the one is seen through the other. x and y are int64 arrays of some elements. */
static bool is_view(sta_array x, sta_array y)
{
    int64_t before, after;
    sta_assign(x, sta_int(1));
    STA_ASSERT_OK(sta_item_int(sta_sum(y, STA_ALL, 0), &before));
    sta_assign(x, sta_int(2));
    STA_ASSERT_OK(sta_item_int(sta_sum(y, STA_ALL, 0), &after));
    return after == 2 * before && before > 0;
}

static void reshapes(void)
{
    sta_array x = numbers();
    SHOWS(sta_reshape(x, STA_DIMS(4, -1)), STA_DIMS(4, 6), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17,
          18, 19, 20, 21, 22, 23);
    sta_array flat = sta_ravel(x), wide = sta_reshape(x, STA_DIMS(4, 6)), back = sta_flip(flat, STA_ALL);
    sta_assign(sta_slice(wide, "1:3, ::2"), sta_int(-1));
    SHOWS(sta_slice(x, "0"), STA_DIMS(3, 4), 0, 1, 2, 3, 4, 5, -1, 7, -1, 9, -1, 11);
    SHOWS(sta_slice(back, ":6"), STA_DIMS(6), 23, 22, 21, 20, 19, 18);
    sta_assign(sta_slice(back, "0"), sta_int(-2));
    sta_assign(sta_slice(x, "1, 2, 2"), sta_int(-3));
    SHOWS(sta_slice(wide, "3"), STA_DIMS(6), 18, 19, 20, 21, -3, -2);
    sta_add_into(flat, flat, sta_int(1));
    SHOWS(sta_slice(x, "1"), STA_DIMS(3, 4), 0, 14, 0, 16, 0, 18, 19, 20, 21, 22, -2, -1);
    /* one seventh of the rows, as other rows: a window */
    sta_array rows = sta_reshape(numbers(), STA_DIMS(6, 4)), part = sta_reshape(sta_slice(rows, "1:5"), STA_DIMS(2, 8));
    sta_assign(sta_slice(part, "0, 3:5"), sta_int(0));
    SHOWS(rows, STA_DIMS(6, 4), 0, 1, 2, 3, 4, 5, 6, 0, 0, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23);
    sta_assign(sta_slice(rows, "4, 3"), sta_int(77));
    SHOWS(sta_slice(part, "1, 4:"), STA_DIMS(4), 16, 17, 18, 77);
    SHOWS(sta_ravel(sta_reshape(part, STA_DIMS(4, 2, 2))), STA_DIMS(16), 4, 5, 6, 0, 0, 9, 10, 11, 12, 13, 14, 15, 16,
          17, 18, 77);
}

static void views_or_copies(void)
{
    sta_array x = sta_reshape(numbers(), STA_DIMS(4, 6)), y = sta_reshape(numbers(), STA_DIMS(2, 2, 6));
    CU_ASSERT(is_view(x, sta_reshape(x, STA_DIMS(2, 2, 6))));
    CU_ASSERT(is_view(x, sta_reshape(x, STA_DIMS(3, 8))));
    CU_ASSERT(is_view(x, sta_reshape(sta_slice(x, ":, ::2"), STA_DIMS(2, 2, 3))));
    CU_ASSERT(!is_view(x, sta_ravel(sta_slice(x, ":, ::2"))));
    CU_ASSERT(is_view(x, sta_reshape(sta_slice(x, ":, ::2"), STA_DIMS(-1)))); /* a stride of 2 all along */
    CU_ASSERT(!is_view(x, sta_reshape(sta_slice(x, ":, :3"), STA_DIMS(-1))));
    CU_ASSERT(is_view(x, sta_ravel(sta_slice(x, "1:3"))));
    CU_ASSERT(!is_view(x, sta_ravel(sta_slice(x, "1, ::2"))));
    CU_ASSERT(is_view(x, sta_reshape(sta_slice(x, "::-1, 1"), STA_DIMS(2, 2))));
    CU_ASSERT(!is_view(x, sta_ravel(sta_transpose(x, STA_ALL))));
    CU_ASSERT(is_view(x, sta_reshape(sta_transpose(x, STA_ALL), STA_DIMS(3, 2, 4))));
    CU_ASSERT(is_view(x, sta_reshape(sta_diagonal(x, 0, 0, 1), STA_DIMS(2, 2))));
    CU_ASSERT(is_view(y, sta_reshape(sta_slice(y, "..., 3:"), STA_DIMS(4, 3))));
    CU_ASSERT(!is_view(y, sta_reshape(sta_slice(y, "..., 3:"), STA_DIMS(2, 6))));
    CU_ASSERT(is_view(y, sta_reshape(y, STA_DIMS(1, 4, 1, 6, 1))));
    sta_array repeated = sta_reshape(sta_broadcast_to(sta_slice(x, "0"), STA_DIMS(3, 6)), STA_DIMS(3, 2, 3));
    STA_ASSERT_ERROR(sta_assign(repeated, sta_int(0)), STA_ERROR_READ_ONLY);
    sta_array nothing = sta_zeros(STA_DIMS(0, 3), STA_int64);
    STA_ASSERT_SHAPE(sta_reshape(nothing, STA_DIMS(-1, 3)), STA_DIMS(0, 3));
    STA_ASSERT_SHAPE(sta_ravel(nothing), STA_DIMS(0));
    STA_ASSERT_SHAPE(sta_reshape(sta_int(3), STA_DIMS(1, 1)), STA_DIMS(1, 1));
    STA_ASSERT_ERROR(sta_reshape(nothing, STA_DIMS(0, -1)), STA_ERROR_SHAPE);
    STA_ASSERT_ERROR(sta_reshape(x, STA_DIMS(5, -1)), STA_ERROR_SHAPE);
    STA_ASSERT_ERROR(sta_reshape(x, STA_DIMS(-1, -1)), STA_ERROR_SHAPE);
    STA_ASSERT_ERROR(sta_reshape(x, STA_DIMS(-2, -12)), STA_ERROR_SHAPE);
    STA_ASSERT_ERROR(sta_reshape(x, STA_DIMS(4, 5)), STA_ERROR_SHAPE);
    STA_ASSERT_TEXT(sta_check(sta_reshape(x, STA_DIMS(4, 5)))->text,
                    "an array of shape (4, 6) cannot be reshaped to (4, 5)");
}

/* What was reshaped in place lies as before: what NumPy says of its memory decides over the next view. */
static void views_of_views(void)
{
    sta_array x = sta_reshape(numbers(), STA_DIMS(4, 6)), two = sta_reshape(sta_slice(x, ":, ::2"), STA_DIMS(-1));
    CU_ASSERT(is_view(x, two));
    CU_ASSERT(is_view(x, sta_reshape(two, STA_DIMS(3, 4))));
    CU_ASSERT(!is_view(x, sta_ravel(two)));
    CU_ASSERT(!is_view(x, sta_ravel(sta_reshape(two, STA_DIMS(2, 1, 6)))));
    CU_ASSERT(!is_view(x, sta_ravel(sta_view(two, STA_uint64))));
    STA_ASSERT_ERROR(sta_view(two, STA_complex128), STA_ERROR_VALUE);
    STA_ASSERT_ERROR(sta_view(sta_reshape(two, STA_DIMS(2, 6)), STA_int32), STA_ERROR_VALUE);
    sta_array rows = sta_reshape(sta_slice(x, "::2, 2:"), STA_DIMS(2, 2, 2)); /* (96, 16, 8) bytes apart */
    CU_ASSERT(is_view(x, sta_reshape(rows, STA_DIMS(2, 4))));
    CU_ASSERT(!is_view(x, sta_ravel(rows)));
    STA_ASSERT_SHAPE(sta_view(rows, STA_complex128), STA_DIMS(2, 2, 1));
    CU_ASSERT(!is_view(x, sta_reshape(sta_view(rows, STA_uint64), STA_DIMS(8))));
    CU_ASSERT(is_view(x, sta_ravel(sta_slice(rows, "1"))));
    sta_array z = sta_zeros(STA_DIMS(1, 4, 3), STA_complex128), re = sta_reshape(sta_real(z), STA_DIMS(-1));
    STA_ASSERT_ERROR(sta_view(re, STA_complex128), STA_ERROR_VALUE);
    sta_array pairs = sta_view(sta_reshape(z, STA_DIMS(2, 6)), STA_float64), half = sta_slice(pairs, ":, :6");
    sta_array again = sta_imag(sta_view(half, STA_complex128)); /* a part of a window */
    STA_ASSERT_SHAPE(again, STA_DIMS(2, 3));
    STA_ASSERT_ERROR(sta_view(sta_reshape(again, STA_DIMS(2, 1, 3)), STA_float32), STA_ERROR_VALUE);
}

/* A pending reader holds what it saw, whatever frame the elements are written in later. */
static void frames_in_order(void)
{
    sta_array x = sta_reshape(sta_arange_int(0, 24, 1, STA_int64), STA_DIMS(6, 4)), flat = sta_ravel(x);
    sta_array before = sta_multiply(flat, sta_int(1)), rows = sta_multiply(x, sta_int(1));
    sta_assign(sta_slice(flat, "::5"), sta_int(-1));
    sta_array between = sta_multiply(sta_slice(x, "1"), sta_int(2));
    sta_assign(x, sta_int(9));
    SHOWS(sta_slice(before, "4:7"), STA_DIMS(3), 4, 5, 6);
    SHOWS(sta_slice(rows, "1"), STA_DIMS(4), 4, 5, 6, 7);
    SHOWS(between, STA_DIMS(4), 8, -2, 12, 14);
    SHOWS(sta_slice(flat, "22:"), STA_DIMS(2), 9, 9);
}

static void parts(void)
{
    sta_complex128 data[] = {{1, 2}, {3, 4}, {5, 6}, {7, 8}, {9, 10}, {11, 12}};
    sta_array z = sta_test_array(STA_complex128, STA_DIMS(2, 3), data), re = sta_real(z), im = sta_imag(z);
    sta_assign(sta_slice(re, "0, ::2"), sta_int(0));
    sta_assign(sta_slice(im, ":, 1"), sta_float(0.5));
    STA_ASSERT_EQUAL(z, STA_complex128, STA_DIMS(2, 3),
                     ((sta_complex128[]){{0, 2}, {3, 0.5}, {0, 6}, {7, 8}, {9, 0.5}, {11, 12}}));
    sta_multiply_into(z, z, sta_int(2));
    STA_ASSERT_EQUAL(re, STA_float64, STA_DIMS(2, 3), ((double[]){0, 6, 0, 14, 18, 22}));
    STA_ASSERT_EQUAL(sta_transpose(im, STA_ALL), STA_float64, STA_DIMS(3, 2), ((double[]){4, 16, 1, 1, 12, 24}));
    STA_ASSERT_EQUAL(sta_real(sta_slice(z, "1, ::-1")), STA_float64, STA_DIMS(3), ((double[]){22, 18, 14}));
    sta_array sum = sta_add(z, z), twice = sta_real(sum); /* of what is not computed yet */
    STA_ASSERT_EQUAL(twice, STA_float64, STA_DIMS(2, 3), ((double[]){0, 12, 0, 28, 36, 44}));
    sta_assign(sta_slice(twice, "0, 0"), sta_int(-1));
    STA_ASSERT_EQUAL(sta_slice(sum, "0, 0"), STA_complex128, STA_SCALAR, ((sta_complex128[]){{-1, 8}}));
    STA_ASSERT_EQUAL(sta_real(sta_complex(3, 4)), STA_float64, STA_SCALAR, ((double[]){3}));
    /* of what is pending in another shape of as many axes */
    sta_array turned = sta_reshape(z, STA_DIMS(3, 2)), part = sta_real(z);
    sta_assign(turned, sta_add(turned, sta_int(1)));
    STA_ASSERT_EQUAL(sta_copy(part), STA_float64, STA_DIMS(2, 3), ((double[]){1, 7, 1, 15, 19, 23}));
}

/* A result goes into the elements that its target shows, though the operands show the same ones in another frame. */
static void into_other_frames(void)
{
    sta_complex128 data[] = {{1, 2}, {3, 4}, {5, 6}};
    sta_array z = sta_test_array(STA_complex128, STA_DIMS(3), data), re = sta_real(z), im = sta_imag(z);
    sta_add_into(im, im, sta_int(1));
    sta_negative_into(im, z);
    STA_ASSERT_EQUAL(z, STA_complex128, STA_DIMS(3), ((sta_complex128[]){{1, -1}, {3, -3}, {5, -5}}));
    sta_add_into(z, z, re);
    STA_ASSERT_EQUAL(z, STA_complex128, STA_DIMS(3), ((sta_complex128[]){{2, -1}, {6, -3}, {10, -5}}));
    sta_multiply_into(re, z, z);
    STA_ASSERT_EQUAL(re, STA_float64, STA_DIMS(3), ((double[]){3, 27, 75}));
    STA_ASSERT_EQUAL(im, STA_float64, STA_DIMS(3), ((double[]){-1, -3, -5}));
    sta_array x = sta_test_array(STA_float64, STA_DIMS(2, 2), (double[]){1, 2, 3, 4}), bits = sta_view(x, STA_int64);
    sta_add_into(bits, x, x); /* the numbers, as integers */
    STA_ASSERT_EQUAL(bits, STA_int64, STA_DIMS(2, 2), ((int64_t[]){2, 4, 6, 8}));
    sta_add_into(x, bits, bits);
    STA_ASSERT_EQUAL(x, STA_float64, STA_DIMS(2, 2), ((double[]){4, 8, 12, 16}));
    sta_array flat = sta_ravel(x), turned = sta_reshape(sta_transpose(x, STA_ALL), STA_DIMS(1, 2, 1, 2));
    sta_subtract_into(flat, flat, sta_float(1));
    sta_add_into(turned, turned, sta_reshape(flat, STA_DIMS(1, 2, 1, 2)));
    STA_ASSERT_EQUAL(x, STA_float64, STA_DIMS(2, 2), ((double[]){6, 18, 18, 30}));
    sta_array wide = sta_zeros(STA_DIMS(2, 4), STA_float32), pairs = sta_view(sta_slice(wide, ":, 1:3"), STA_float64);
    sta_add_into(sta_view(pairs, STA_int64), sta_view(pairs, STA_int64), sta_int(1)); /* a window of a window */
    STA_ASSERT_EQUAL(sta_view(wide, STA_int32), STA_int32, STA_DIMS(2, 4), ((int32_t[]){0, 1, 0, 0, 0, 1, 0, 0}));
}

static void other_dtypes(void)
{
    sta_array x = sta_test_array(STA_float32, STA_DIMS(2, 4), (float[]){1, 2, 3, 4, 5, 6, 7, 8});
    sta_array bits = sta_view(x, STA_uint32), pairs = sta_view(x, STA_complex64), bytes = sta_view(x, STA_uint8);
    STA_ASSERT_EQUAL(sta_slice(bits, "0, :2"), STA_uint32, STA_DIMS(2), ((uint32_t[]){0x3f800000, 0x40000000}));
    STA_ASSERT_EQUAL(pairs, STA_complex64, STA_DIMS(2, 2), ((sta_complex64[]){{1, 2}, {3, 4}, {5, 6}, {7, 8}}));
    STA_ASSERT_SHAPE(bytes, STA_DIMS(2, 16));
    STA_ASSERT_EQUAL(sta_slice(bytes, "0, 2:4"), STA_uint8, STA_DIMS(2), ((uint8_t[]){0x80, 0x3f}));
    sta_assign(sta_slice(bits, "1, 0"), sta_int(0x3f800000));
    sta_assign(sta_slice(pairs, "1, 1"), sta_complex(-1, -2));
    sta_assign(sta_slice(bytes, "0, 3"), sta_int(0xbf));
    STA_ASSERT_EQUAL(x, STA_float32, STA_DIMS(2, 4), ((float[]){-1, 2, 3, 4, 1, 6, -1, -2}));
    STA_ASSERT_EQUAL(sta_view(sta_slice(x, ":, 1:3"), STA_complex64), STA_complex64, STA_DIMS(2, 1),
                     ((sta_complex64[]){{2, 3}, {6, -1}}));
    STA_ASSERT_EQUAL(sta_view(sta_slice(x, "::-1, ::2"), STA_uint32), STA_uint32, STA_DIMS(2, 2),
                     ((uint32_t[]){0x3f800000, 0xbf800000, 0xbf800000, 0x40400000}));
    STA_ASSERT_ERROR(sta_view(sta_slice(x, ":, ::2"), STA_uint8), STA_ERROR_VALUE);
    STA_ASSERT_ERROR(sta_view(sta_slice(x, ":, :3"), STA_complex64), STA_ERROR_VALUE);
    STA_ASSERT_ERROR(sta_view(sta_slice(x, "0, 0"), STA_uint8), STA_ERROR_SHAPE);
    STA_ASSERT_ERROR(sta_view(x, (sta_dtype)99), STA_ERROR_DTYPE);
}

/* Arrays without elements lie nowhere: only their lengths decide. */
static void other_dtypes_of_nothing(void)
{
    sta_array x = sta_ones(STA_DIMS(3, 4), STA_float32), none = sta_slice(x, ":0"), narrow = sta_slice(x, ":, :0");
    const struct {
        sta_array x;
        sta_dtype dtype;
        sta_dims shape;
    } table[] = {
        {sta_slice(none, ":, ::-1"), STA_complex64, STA_DIMS(0, 2)},
        {sta_slice(none, ":, :0:-2"), STA_complex64, STA_DIMS(0, 1)},
        {sta_slice(none, ":, ::2"), STA_float64, STA_DIMS(0, 1)},
        {sta_slice(none, ":, ::3"), STA_int16, STA_DIMS(0, 4)},
        {sta_slice(none, ":, ::2"), STA_uint32, STA_DIMS(0, 2)},
        {sta_slice(narrow, ":, ::-1"), STA_complex128, STA_DIMS(3, 0)},
        {sta_transpose(none, STA_ALL), STA_complex128, STA_DIMS(4, 0)},
        {sta_slice(sta_real(sta_zeros(STA_DIMS(0, 4), STA_complex64)), ":, 1:3"), STA_complex64, STA_DIMS(0, 1)},
        {sta_broadcast_to(sta_ones(STA_DIMS(1), STA_float32), STA_DIMS(0, 4)), STA_float64, STA_DIMS(0, 2)},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        sta_array y = sta_view(table[i].x, table[i].dtype);
        STA_ASSERT_SHAPE(y, table[i].shape);
        CU_ASSERT_EQUAL(sta_dtype_of(y), table[i].dtype);
        STA_ASSERT_OK(sta_wait(y));
        STA_ASSERT_SHAPE(sta_add(y, y), table[i].shape);
    }
    STA_ASSERT_ERROR(sta_view(sta_slice(none, ":, :3"), STA_complex64), STA_ERROR_VALUE);
    STA_ASSERT_ERROR(sta_view(sta_slice(none, ":, ::-3"), STA_complex128), STA_ERROR_VALUE);
}

/* Memory of the program, contiguous and not: written in place through each frame. */
static void frames_of_memory(void)
{
    static int64_t data[24];
    for (int64_t i = 0; i < 24; i++)
        data[i] = i;
    sta_array x = sta_from_buffer(data, STA_int64, STA_DIMS(6, 4), NULL, 0, NULL, NULL), flat = sta_ravel(x);
    sta_array fours = sta_reshape(x, STA_DIMS(3, 8)), halves = sta_view(x, STA_int32);
    sta_array before = sta_add(fours, sta_int(0));
    sta_assign(sta_slice(flat, "3:6"), sta_int(-1));
    sta_assign(sta_slice(fours, "::2, 7"), sta_int(-2));
    sta_assign(sta_slice(halves, "5, ::2"), sta_int(100));
    STA_ASSERT_OK(sta_wait(flat));
    STA_ASSERT_OK(sta_wait(fours));
    static const int64_t expected[] = {0, 1, 2, -1, -1, -1, 6, -2, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19};
    SHOWS(sta_slice(x, ":5"), STA_DIMS(5, 4), 0, 1, 2, -1, -1, -1, 6, -2, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19);
    for (int i = 0; i < 20; i++)
        CU_ASSERT_EQUAL(data[i], expected[i]);
    int32_t low;
    memcpy(&low, &data[23], sizeof low); /* -2 before */
    CU_ASSERT(data[20] == 100 && data[22] == 100 && low == 100 && data[23] < 0);
    SHOWS(sta_slice(before, "0"), STA_DIMS(8), 0, 1, 2, 3, 4, 5, 6, 7);
    static sta_complex64 pairs[] = {{1, 2}, {3, 4}, {5, 6}, {7, 8}};
    int64_t back = -(int64_t)sizeof *pairs;
    sta_array z = sta_from_buffer(pairs + 3, STA_complex64, STA_DIMS(4), &back, 0, NULL, NULL), im = sta_imag(z);
    sta_assign(sta_slice(im, "1:3"), sta_int(0));
    STA_ASSERT_EQUAL(sta_real(z), STA_float32, STA_DIMS(4), ((float[]){7, 5, 3, 1}));
    STA_ASSERT_OK(sta_wait(im));
    CU_ASSERT(pairs[1].im == 0 && pairs[2].im == 0 && pairs[3].im == 8 && pairs[1].re == 3);
}

static void broadcast_together(void)
{
    sta_array to[3], x[] = {sta_test_array(STA_int64, STA_DIMS(2, 1), (int64_t[]){1, 2}), sta_int(5),
                            sta_test_array(STA_int64, STA_DIMS(3), (int64_t[]){7, 8, 9})};
    sta_broadcast_arrays(to, x, 3);
    SHOWS(to[0], STA_DIMS(2, 3), 1, 1, 1, 2, 2, 2);
    SHOWS(to[2], STA_DIMS(2, 3), 7, 8, 9, 7, 8, 9);
    STA_ASSERT_SHAPE(to[1], STA_DIMS(2, 3));
    x[1] = sta_zeros(STA_DIMS(4), STA_int64);
    sta_broadcast_arrays(to, x, 3);
    for (int i = 0; i < 3; i++)
        STA_ASSERT_ERROR(to[i], STA_ERROR_SHAPE);
}

STA_TESTS("views", STA_CASE(slices), STA_CASE(orders), STA_CASE(shared), STA_CASE(errors), STA_CASE(reshapes),
          STA_CASE(views_or_copies), STA_CASE(views_of_views), STA_CASE(frames_in_order), STA_CASE(parts),
          STA_CASE(into_other_frames), STA_CASE(other_dtypes), STA_CASE(other_dtypes_of_nothing),
          STA_CASE(frames_of_memory), STA_CASE(broadcast_together))
