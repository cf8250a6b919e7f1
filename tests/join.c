/* Joining, splitting, repeating, padding: against NumPy; what is copied and what is not; errors. ctest: tiny here omp gpu sanitize */
#include "cases.h"

#include "submit.h"

#include <starray/join.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- the calls of join_cases.py ---- */

static void give(struct sta_case *c, sta_array result)
{
    c->out[c->outs++] = result;
}

static void concat(struct sta_case *c)
{
    give(c, sta_concat(c->x, c->count, c->n[0]));
}

static void stack(struct sta_case *c)
{
    give(c, sta_stack(c->x, c->count, c->n[0]));
}

static void vstack(struct sta_case *c)
{
    give(c, sta_vstack(c->x, c->count));
}

static void hstack(struct sta_case *c)
{
    give(c, sta_hstack(c->x, c->count));
}

static void dstack(struct sta_case *c)
{
    give(c, sta_dstack(c->x, c->count));
}

static void column_stack(struct sta_case *c)
{
    give(c, sta_column_stack(c->x, c->count));
}

static void append(struct sta_case *c)
{
    give(c, sta_append(c->x[0], c->x[1], c->n[0]));
}

static void many(struct sta_case *c)
{
    sta_array all[100];
    for (int i = 0; i < c->n[0]; i++)
        all[i] = c->x[i % c->count];
    give(c, sta_concat(all, (int)c->n[0], 0));
}

static void block1(struct sta_case *c)
{
    give(c, sta_block(c->x, sta_case_dims(c, 0, 1)));
}

static void block2(struct sta_case *c)
{
    give(c, sta_block(c->x, sta_case_dims(c, 0, 2)));
}

static void array_split(struct sta_case *c)
{
    sta_array_split(c->out, c->x[0], c->outs = (int)c->n[0], c->n[1]);
}

static void split(struct sta_case *c)
{
    sta_split(c->out, c->x[0], c->outs = (int)c->n[0], c->n[1]);
}

static void split_at(struct sta_case *c)
{
    c->outs = (int)c->numbers;
    sta_split_at(c->out, c->x[0], c->n + 1, c->outs - 1, c->n[0]);
}

static void vsplit(struct sta_case *c)
{
    sta_vsplit(c->out, c->x[0], c->outs = (int)c->n[0]);
}

static void hsplit(struct sta_case *c)
{
    sta_hsplit(c->out, c->x[0], c->outs = (int)c->n[0]);
}

static void dsplit(struct sta_case *c)
{
    sta_dsplit(c->out, c->x[0], c->outs = (int)c->n[0]);
}

static void unstack(struct sta_case *c)
{
    sta_dims shape = sta_shape(c->x[0]);
    c->outs = (int)shape.at[c->n[0] < 0 ? c->n[0] + shape.count : c->n[0]];
    sta_unstack(c->out, c->x[0], c->n[0]);
}

static void tile(struct sta_case *c)
{
    give(c, sta_tile(c->x[0], sta_case_dims(c, 0, (int)c->numbers)));
}

static void repeat(struct sta_case *c)
{
    give(c, sta_repeat(c->x[0], c->n[0], c->n[1]));
}

static void repeat_each(struct sta_case *c)
{
    give(c, sta_repeat_each(c->x[0], c->x[1], c->n[0]));
}

static void roll(struct sta_case *c)
{
    int half = (int)c->numbers / 2;
    give(c, sta_roll(c->x[0], sta_case_dims(c, 0, half), sta_case_dims(c, half, half)));
}

static void delete_some(struct sta_case *c)
{
    give(c, sta_delete(c->x[0], c->x[1], c->n[0]));
}

static void insert(struct sta_case *c)
{
    give(c, sta_insert(c->x[0], c->x[1], c->x[2], c->n[0]));
}

static void roll_flat(struct sta_case *c)
{
    give(c, sta_roll(c->x[0], sta_case_dims(c, 0, (int)c->numbers), STA_ALL));
}

static void resize(struct sta_case *c)
{
    give(c, sta_resize(c->x[0], sta_case_dims(c, 0, (int)c->numbers)));
}

static void pad(struct sta_case *c)
{
    sta_array values[STA_MAXDIM][2];
    int ndim = sta_ndim(c->x[0]);
    int64_t widths[STA_MAXDIM][2], stat_length[STA_MAXDIM][2];
    memcpy(widths, c->n + 4, sizeof *widths * (size_t)ndim);
    sta_pad_options options = {.size = sizeof options, .mode = (sta_pad_mode)c->n[0], .odd = (int)c->n[1]};
    for (int i = 0; i < 2 * ndim && c->n[2]; i++)
        values[i / 2][i % 2] = sta_slice(c->x[1], "%d, %d", i / 2, i % 2);
    if (c->n[2])
        options.values = (const sta_array(*)[2])values;
    if (c->n[3]) {
        memcpy(stat_length, c->n + 4 + 2 * ndim, sizeof *stat_length * (size_t)ndim);
        options.stat_length = (const int64_t(*)[2])stat_length;
    }
    give(c, sta_pad(c->x[0], (const int64_t(*)[2])widths, &options));
}

static const struct sta_case_call calls[] = {
    STA_CALL(concat),    STA_CALL(stack),  STA_CALL(vstack),        STA_CALL(hstack), STA_CALL(dstack),
    STA_CALL(append),    STA_CALL(many),   STA_CALL(block1),        STA_CALL(block2), STA_CALL(column_stack),
    STA_CALL(split),     STA_CALL(vsplit), STA_CALL(array_split),   STA_CALL(hsplit), STA_CALL(dsplit),
    STA_CALL(split_at),  STA_CALL(tile),   STA_CALL(repeat_each),   STA_CALL(repeat), STA_CALL(unstack),
    STA_CALL(roll),      STA_CALL(insert), {"delete", delete_some}, STA_CALL(pad),    STA_CALL(resize),
    STA_CALL(roll_flat),
};

static void as_numpy(void)
{
    sta_test_cases("join_cases", calls, sizeof calls / sizeof *calls);
}

/* ---- tiles that are shared ---- */

/* Several tiles, also of four arrays joined: those of GPUs are larger, thirds of an array, and what fits in one is repeated by
 * copying. */
static int64_t size_of_many(void)
{
    return getenv("STA_TILE_ELEMS") ? 40 : sta__runtime.gpus ? INT64_C(3) << 23 : INT64_C(1) << 20;
}

static double first_of(sta_array x)
{
    double value = -1;
    STA_ASSERT_OK(sta_item_float(sta_slice(x, "0"), &value));
    return value;
}

/* Whole tiles of parts stand in the result: no task copies them, and a write to one does not reach the other. */
static void nothing_is_copied(void)
{
    int64_t n = size_of_many();
    sta_array x = sta_arange(0, (double)n, 1, STA_float64), y = sta_multiply(x, sta_int(2));
    STA_ASSERT_OK(sta_wait(x));
    STA_ASSERT_OK(sta_wait(y));
    int64_t before = sta__tasks_submitted();
    sta_array both = sta_concat((sta_array[]){x, y}, 2, 0), twice = sta_tile(both, STA_DIMS(2));
    CU_ASSERT_EQUAL(sta__tasks_submitted(), before);
    STA_ASSERT_SHAPE(twice, STA_DIMS(4 * n));
    sta_array rolled = sta_roll(both, STA_DIMS(1), STA_AXES(0));
    CU_ASSERT(sta__tasks_submitted() - before <= 2);
    CU_ASSERT_EQUAL(first_of(rolled), 2 * (double)(n - 1));
    sta_assign(sta_slice(both, "0"), sta_int(-7));
    sta_assign(sta_slice(y, "0"), sta_int(-9));
    CU_ASSERT_EQUAL(first_of(x), 0);
    CU_ASSERT_EQUAL(first_of(both), -7);
    CU_ASSERT_EQUAL(first_of(y), -9);
    double sum = 0;
    STA_ASSERT_OK(sta_item_float(sta_sum(twice, STA_ALL, 0), &sum));
    CU_ASSERT_EQUAL(sum, 3 * (double)n * (double)(n - 1));
}

/* A write to one of the copies of a tile leaves the others as they are. */
static void repeated_tiles(void)
{
    int64_t n = size_of_many();
    sta_array x = sta_ones(STA_DIMS(n), STA_float64), twice = sta_tile(x, STA_DIMS(2));
    sta_assign(sta_slice(twice, "0"), sta_int(5));
    CU_ASSERT_EQUAL(first_of(sta_slice(twice, "%" PRId64 ":", n)), 1);
    CU_ASSERT_EQUAL(first_of(twice), 5);
    CU_ASSERT_EQUAL(first_of(x), 1);
}

static void counts_to(sta_array x, int64_t period, int64_t first)
{
    int64_t size = sta_size(x), wrong = 0;
    double *got = malloc(sizeof *got * (size_t)size);
    CU_ASSERT_PTR_NOT_NULL_FATAL(got);
    STA_ASSERT_OK(sta_read(x, got, sizeof *got * (size_t)size));
    for (int64_t i = 0; i < size; i++)
        wrong += got[i] != (double)((first + i) % period);
    CU_ASSERT_EQUAL(wrong, 0);
    free(got);
}

/* Above some thousand runs single elements are selected. */
static void many_runs(void)
{
    enum { N = 12300 };
    sta_array x = sta_arange(0, N, 1, STA_float64), third = sta_remainder(x, sta_int(3));
    sta_array fewer = sta_delete(x, sta_equal(third, sta_int(0)), 0);
    sta_array often = sta_repeat_each(x, sta_astype(third, STA_int64), 0);
    double rest[N], each[N];
    int wrong = 0, k = 0;
    CU_ASSERT_EQUAL_FATAL(sta_size(fewer), N / 3 * 2);
    CU_ASSERT_EQUAL_FATAL(sta_size(often), N);
    STA_ASSERT_OK(sta_read(fewer, rest, sizeof *rest * (N / 3 * 2)));
    STA_ASSERT_OK(sta_read(often, each, sizeof each));
    for (int i = 0; i < N / 3 * 2; i++)
        wrong += rest[i] != 3 * (i / 2) + 1 + i % 2;
    for (int i = 0; i < N; i++)
        for (int times = i % 3; times > 0; times--)
            wrong += each[k++] != i;
    CU_ASSERT_EQUAL(wrong, 0);
    STA_ASSERT_ERROR(sta_repeat_each(x, sta_astype(sta_negative(third), STA_int64), 0), STA_ERROR_VALUE);
}

/* Tiles that the result takes are seen as the part shows them, not in the shape and dtype in which they were made. */
static void tiles_in_other_shapes(void)
{
    int64_t n = size_of_many(), all = 3 * n;
    const int64_t left[1][2] = {{1, 0}}, right[1][2] = {{0, all}};
    sta_pad_options wrap = {.size = sizeof wrap, .mode = STA_PAD_WRAP};
    sta_array x = sta_add(sta_reshape(sta_arange(0, (double)all, 1, STA_float64), STA_DIMS(n, 3)), sta_float(0));
    STA_ASSERT_OK(sta_wait(x));
    sta_array flat = sta_reshape(x, STA_DIMS(all)), high = sta_reshape(x, STA_DIMS(n, 1, 3));
    sta_array bits = sta_view(flat, STA_int64), wide = sta_reshape(x, STA_DIMS(all, 1));
    counts_to(sta_pad(flat, left, &wrap), all, all - 1);
    counts_to(sta_pad(flat, right, &wrap), all, 0);
    counts_to(sta_concat((sta_array[]){flat, flat}, 2, 0), all, 0);
    counts_to(sta_tile(flat, STA_DIMS(2)), all, 0);
    counts_to(sta_roll(flat, STA_DIMS(3), STA_AXES(0)), all, all - 3);
    counts_to(sta_concat((sta_array[]){high, high}, 2, 0), all, 0);
    counts_to(sta_concat((sta_array[]){wide, wide}, 2, 0), all, 0);
    counts_to(sta_append(x, x, 0), all, 0);
    counts_to(sta_view(sta_concat((sta_array[]){bits, bits}, 2, 0), STA_float64), all, 0);
    sta_array both = sta_concat((sta_array[]){flat, flat}, 2, 0);
    counts_to(sta_concat((sta_array[]){both, both}, 2, 0), all, 0);
    counts_to(sta_reshape(both, STA_DIMS(2 * n, 3)), all, 0);
    counts_to(sta_add(both, sta_float(0)), all, 0);
    sta_assign(both, sta_float(-1));
    counts_to(x, all, 0);
}

/* As numpy.result_type of all dtypes together, in any order: not of one pair after the other. */
static void dtypes_of_several(void)
{
    static const struct {
        sta_dtype in[3], result;
    } table[] = {
        {{STA_int8, STA_uint8, STA_float16}, STA_float16},
        {{STA_int16, STA_uint16, STA_float32}, STA_float32},
        {{STA_int16, STA_uint16, STA_complex64}, STA_complex64},
        {{STA_int8, STA_uint16, STA_float16}, STA_float32},
        {{STA_int32, STA_uint8, STA_complex64}, STA_complex128},
        {{STA_bool, STA_uint8, STA_int8}, STA_int16},
        {{STA_int8, STA_uint64, STA_float32}, STA_float64},
        {{STA_uint32, STA_int8, STA_int64}, STA_int64},
        {{STA_float16, STA_float64, STA_complex64}, STA_complex128},
    };
    static const int order[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        for (size_t k = 0; k < sizeof order / sizeof *order; k++) {
            sta_array x[3];
            for (int j = 0; j < 3; j++)
                x[j] = sta_ones(STA_DIMS(2), table[i].in[order[k][j]]);
            CU_ASSERT_EQUAL(sta_dtype_of(sta_concat(x, 3, 0)), table[i].result);
            CU_ASSERT_EQUAL(sta_dtype_of(sta_clip(x[0], x[1], x[2])), table[i].result);
        }
}

/* Memory of the program is copied: it is written in place. */
static void user_memory_is_copied(void)
{
    static double memory[] = {1, 2, 3, 4, 5, 6, 7, 8};
    sta_array x = sta_from_buffer(memory, STA_float64, STA_DIMS(8), NULL, 0, NULL, NULL);
    sta_array both = sta_concat((sta_array[]){x, x}, 2, 0);
    sta_assign(sta_slice(x, "0"), sta_int(9));
    CU_ASSERT_EQUAL(first_of(both), 1);
    CU_ASSERT_EQUAL(first_of(x), 9);
}

/* Splits are views. */
static void splits_are_views(void)
{
    sta_array x = sta_arange(0, 6, 1, STA_float64), part[3];
    sta_split(part, x, 3, 0);
    sta_assign(part[1], sta_int(8));
    STA_ASSERT_EQUAL(x, STA_float64, STA_DIMS(6), ((double[]){0, 1, 8, 8, 4, 5}));
    sta_unstack(part, sta_slice(x, ":3"), 0);
    sta_assign(part[2], sta_int(7));
    STA_ASSERT_EQUAL(x, STA_float64, STA_DIMS(6), ((double[]){0, 1, 7, 8, 4, 5}));
}

/* ---- errors ---- */

/* What is given up lasts until all parts are made. */
static void moved_operands(void)
{
    const sta_array base = sta_arange_int(0, 6, 1, STA_int64);
    sta_array parts[6];
    sta_split(parts, sta_move(sta_copy(base)), 2, 0);
    STA_ASSERT_EQUAL(parts[1], STA_int64, STA_DIMS(3), ((int64_t[]){3, 4, 5}));
    sta_split_at(parts, sta_move(sta_copy(base)), &(int64_t){4}, 1, 0);
    STA_ASSERT_EQUAL(parts[1], STA_int64, STA_DIMS(2), ((int64_t[]){4, 5}));
    sta_unstack(parts, sta_move(sta_copy(base)), 0);
    STA_ASSERT_EQUAL(parts[5], STA_int64, STA_SCALAR, &(int64_t){5});
    sta_hsplit(parts, sta_move(sta_copy(base)), 3);
    STA_ASSERT_EQUAL(parts[2], STA_int64, STA_DIMS(2), ((int64_t[]){4, 5}));
    STA_ASSERT_EQUAL(sta_resize(sta_move(sta_copy(base)), STA_DIMS(2)), STA_int64, STA_DIMS(2), ((int64_t[]){0, 1}));
    STA_ASSERT_EQUAL(sta_delete(sta_move(sta_copy(base)), sta_int(0), STA_FLAT), STA_int64, STA_DIMS(5),
                     ((int64_t[]){1, 2, 3, 4, 5}));
    STA_ASSERT_EQUAL(sta_roll(sta_move(sta_copy(base)), STA_DIMS(1), STA_ALL), STA_int64, STA_DIMS(6),
                     ((int64_t[]){5, 0, 1, 2, 3, 4}));
    sta_array both[2];
    sta_meshgrid(both, (sta_array[]){sta_move(sta_slice(base, ":2")), sta_move(sta_slice(base, "2:3"))}, 2, STA_IJ);
    STA_ASSERT_EQUAL(both[0], STA_int64, STA_DIMS(2, 1), ((int64_t[]){0, 1}));
    STA_ASSERT_EQUAL(sta_diag(sta_move(sta_slice(base, "1:2")), 0), STA_int64, STA_DIMS(1, 1), ((int64_t[]){1}));
    STA_ASSERT_EQUAL(sta_vdot(sta_move(sta_copy(base)), base), STA_int64, STA_SCALAR, &(int64_t){55});
}

static void joining_errors(void)
{
    sta_array x = sta_ones(STA_DIMS(2, 3), STA_float64), none = {0}, line = sta_ones(STA_DIMS(4), STA_float64);
    STA_ASSERT_ERROR(sta_concat(&x, 0, 0), STA_ERROR_VALUE);
    STA_ASSERT_ERROR(sta_concat((sta_array[]){x, none}, 2, 0), STA_ERROR_INVALID_ARRAY);
    STA_ASSERT_ERROR(sta_concat((sta_array[]){x, line}, 2, 0), STA_ERROR_SHAPE);
    STA_ASSERT_TEXT(sta_check(sta_concat((sta_array[]){x, line}, 2, 0))->text,
                    "arrays of shapes (2, 3) and (4,) (array 1) do not join along axis 0");
    STA_ASSERT_ERROR(sta_concat(&x, 1, 2), STA_ERROR_AXIS);
    STA_ASSERT_ERROR(sta_stack(&x, 1, 3), STA_ERROR_AXIS);
    STA_ASSERT_ERROR(sta_block(&x, STA_DIMS(0)), STA_ERROR_VALUE);
    STA_ASSERT_ERROR(sta_block(&x, STA_SCALAR), STA_ERROR_VALUE);
}

static void rearranging_errors(void)
{
    sta_array x = sta_ones(STA_DIMS(2, 3), STA_float64), none = {0}, line = sta_ones(STA_DIMS(4), STA_float64);
    sta_array at = sta_int(1);
    STA_ASSERT_ERROR(sta_tile(x, STA_ALL), STA_ERROR_VALUE);
    STA_ASSERT_ERROR(sta_tile(x, STA_DIMS(-1)), STA_ERROR_VALUE);
    STA_ASSERT_ERROR(sta_tile(x, STA_DIMS(INT64_MAX, 1)), STA_ERROR_TOO_LARGE);
    STA_ASSERT_ERROR(sta_tile(x, STA_DIMS(INT64_C(1) << 40, INT64_C(1) << 30)), STA_ERROR_TOO_LARGE);
    STA_ASSERT_ERROR(sta_tile(line, STA_DIMS(INT64_C(1) << 45)), STA_ERROR_MEMORY);
    STA_ASSERT_ERROR(sta_repeat(x, INT64_MAX, 0), STA_ERROR_TOO_LARGE);
    STA_ASSERT_ERROR(sta_repeat_each(line, sta_astype(x, STA_int32), 0), STA_ERROR_SHAPE);
    STA_ASSERT_ERROR(sta_repeat_each(line, line, 0), STA_ERROR_DTYPE);
    STA_ASSERT_ERROR(sta_roll(x, STA_DIMS(1, 2, 3), STA_AXES(0, 1)), STA_ERROR_VALUE);
    STA_ASSERT_ERROR(sta_roll(x, STA_ALL, STA_ALL), STA_ERROR_VALUE);
    STA_ASSERT_ERROR(sta_delete(x, sta_int(2), 0), STA_ERROR_INDEX);
    STA_ASSERT_ERROR(sta_delete(x, sta_float(1), 0), STA_ERROR_DTYPE);
    STA_ASSERT_ERROR(sta_insert(x, at, none, 0), STA_ERROR_INVALID_ARRAY);
    STA_ASSERT_ERROR(sta_insert(line, at, x, 0), STA_ERROR_SHAPE);
}

static void padding_errors(void)
{
    sta_array x = sta_ones(STA_DIMS(2, 3), STA_float64), line = sta_ones(STA_DIMS(4), STA_float64);
    int64_t widths[2][2] = {{-1, 0}, {0, 0}};
    const int64_t(*given)[2] = (const int64_t(*)[2])widths;
    sta_pad_options options = {.size = sizeof options};
    STA_ASSERT_ERROR(sta_pad(x, given, NULL), STA_ERROR_VALUE);
    widths[0][0] = INT64_MAX;
    STA_ASSERT_ERROR(sta_pad(x, given, NULL), STA_ERROR_TOO_LARGE);
    widths[0][0] = INT64_C(1) << 45;
    options.mode = STA_PAD_WRAP;
    STA_ASSERT_ERROR(sta_pad(x, given, &options), STA_ERROR_MEMORY);
    widths[0][0] = 1;
    options.mode = (sta_pad_mode)11;
    STA_ASSERT_ERROR(sta_pad(x, given, &options), STA_ERROR_VALUE);
    STA_ASSERT_ERROR(sta_pad(x, NULL, NULL), STA_ERROR_VALUE);
    const sta_array wide[2][2] = {{line, line}, {line, line}};
    options = (sta_pad_options){.size = sizeof options, .values = wide};
    STA_ASSERT_ERROR(sta_pad(x, given, &options), STA_ERROR_SHAPE);
    options = (sta_pad_options){.size = sizeof options, .mode = STA_PAD_MEDIAN};
    STA_ASSERT_ERROR(sta_pad(sta_astype(x, STA_complex64), given, &options), STA_ERROR_DTYPE);
    int64_t no_length[2][2] = {{0, 0}, {0, 0}};
    options = (sta_pad_options){
        .size = sizeof options, .mode = STA_PAD_MAXIMUM, .stat_length = (const int64_t(*)[2])no_length};
    STA_ASSERT_ERROR(sta_pad(x, given, &options), STA_ERROR_EMPTY);
    options.mode = STA_PAD_WRAP;
    STA_ASSERT_ERROR(sta_pad(sta_slice(x, ":0"), given, &options), STA_ERROR_VALUE);
}

static void splitting_errors(void)
{
    sta_array x = sta_ones(STA_DIMS(2, 3), STA_float64), none = {0}, part[4];
    sta_split(part, x, 4, 1);
    STA_ASSERT_ERROR(part[3], STA_ERROR_SHAPE);
    sta_split(part, none, 2, 0);
    STA_ASSERT_ERROR(part[1], STA_ERROR_INVALID_ARRAY);
    sta_unstack(part, x, 5);
    STA_ASSERT_ERROR(part[0], STA_ERROR_AXIS);
    sta_dsplit(part, x, 1);
    STA_ASSERT_ERROR(part[0], STA_ERROR_SHAPE);
    const sta_array bad = sta_slice(x, "7");
    const int64_t cut[] = {1};
    for (int way = 0; way < 7; way++) { /* the error stays the one that it was */
        part[0] = part[1] = x;
        way == 0   ? sta_split(part, bad, 2, 0)
        : way == 1 ? sta_array_split(part, bad, 2, 0)
        : way == 2 ? sta_vsplit(part, bad, 2)
        : way == 3 ? sta_hsplit(part, bad, 2)
        : way == 4 ? sta_dsplit(part, bad, 2)
        : way == 5 ? sta_split_at(part, bad, cut, 1, 0)
                   : sta_unstack(part, bad, 0);
        CU_ASSERT_PTR_EQUAL(sta_wait(part[0]), sta_wait(bad));
        CU_ASSERT(way == 6 || sta_wait(part[1]) == sta_wait(bad));
    }
}

STA_TESTS("join", STA_CASE(as_numpy), STA_CASE(moved_operands), STA_CASE(nothing_is_copied), STA_CASE(repeated_tiles),
          STA_CASE(many_runs), STA_CASE(tiles_in_other_shapes), STA_CASE(dtypes_of_several),
          STA_CASE(user_memory_is_copied), STA_CASE(splits_are_views), STA_CASE(joining_errors),
          STA_CASE(rearranging_errors), STA_CASE(padding_errors), STA_CASE(splitting_errors))
