/* How reductions walk over memory and tiles: their bits, whatever the walk; how many tasks they take; no memory.
 * ctest: tiny omp sanitize */
#include "reduce.h"

#include "submit.h"

#include <math.h>
#include <starpu.h>
#include <stdlib.h>
#include <string.h>

/* ---- bits ---- */

/* The rule of tree.h, word by word: the node of `level` over the elements [index << level, ...) below `length`. */
static float node_sum(const float *x, int64_t stride, int level, int64_t index, int64_t length)
{
    if (level == 0)
        return x[index * stride];
    float left = node_sum(x, stride, level - 1, 2 * index, length);
    bool cut = ((2 * index + 1) << (level - 1)) >= length;
    return cut ? left : left + node_sum(x, stride, level - 1, 2 * index + 1, length);
}

static float line_sum(const float *x, int64_t stride, int64_t length)
{
    int level = 0;
    while ((INT64_C(1) << level) < length)
        level++;
    return node_sum(x, stride, level, 0, length);
}

static void bits(void)
{
    int rows = sta__runtime.settings.tile_elements ? 7 : 270,
        columns = sta__runtime.settings.tile_elements ? 301 : 1031;
    float *x = malloc(sizeof *x * (size_t)(rows * columns)), *down = malloc(sizeof *down * (size_t)columns);
    float *across = malloc(sizeof *across * (size_t)rows);
    CU_ASSERT_FATAL(x && down && across);
    for (int i = 0; i < rows * columns; i++)
        x[i] = (float)((INT64_C(7919) * i + i / 3) % 20011) * 1.37e-3F - 5;
    for (int r = 0; r < rows; r++)
        across[r] = line_sum(x + r * columns, 1, columns);
    for (int c = 0; c < columns; c++)
        down[c] = line_sum(x + c, columns, rows);
    float total = line_sum(across, 1, rows), turned = line_sum(down, 1, columns);
    sta_array a = sta_test_array(STA_float32, STA_DIMS(rows, columns), x);
    STA_ASSERT_EQUAL(sta_sum(a, STA_AXES(1), 0), STA_float32, STA_DIMS(rows), across);
    STA_ASSERT_EQUAL(sta_sum(a, STA_AXES(0), STA_KEEPDIMS), STA_float32, STA_DIMS(1, columns), down);
    STA_ASSERT_EQUAL(sta_sum(sta_transpose(a, STA_ALL), STA_AXES(0), 0), STA_float32, STA_DIMS(rows), across);
    STA_ASSERT_EQUAL(sta_sum(a, STA_ALL, 0), STA_float32, STA_SCALAR, &total);
    STA_ASSERT_EQUAL(sta_sum(sta_transpose(a, STA_ALL), STA_ALL, 0), STA_float32, STA_SCALAR, &turned);
    STA_ASSERT_EQUAL(sta_sum(sta_multiply(sta_add(a, a), sta_float(0.5)), STA_ALL, 0), STA_float32, STA_SCALAR, &total);
    free(x);
    free(down);
    free(across);
}

/* Short rows: many of them in a block. */
static void short_rows(void)
{
    enum { MOST = 500, LONGEST = 20 };
    static float x[MOST * LONGEST], expected[MOST];
    const int rows = sta__runtime.settings.tile_elements ? 50 : MOST;
    for (int i = 0; i < MOST * LONGEST; i++)
        x[i] = (float)(i * 31 % 1009) * 0.1F;
    for (int length = 1; length <= LONGEST; length += 3) {
        for (int r = 0; r < rows; r++)
            expected[r] = line_sum(x + r * length, 1, length);
        sta_array a = sta_test_array(STA_float32, STA_DIMS(5, rows / 5, length), x);
        STA_ASSERT_EQUAL(sta_sum(a, STA_AXES(-1), 0), STA_float32, STA_DIMS(5, rows / 5), expected);
        sta_array twice = sta_sum(sta_add(a, a), STA_AXES(-1), 0);
        STA_ASSERT_EQUAL(sta_multiply(twice, sta_float(0.5)), STA_float32, STA_DIMS(5, rows / 5), expected);
    }
}

/* ---- any order of the axes in memory ---- */

enum { NDIM = 3, MOST_ELEMENTS = 4000 };

/* An array in C order, and its reduction over one axis by the rule. */
struct solid {
    int64_t shape[NDIM];
    float at[MOST_ELEMENTS];
};

static void reduce_solid(struct solid *x, int axis)
{
    int64_t before = 1, after = 1, length = x->shape[axis];
    for (int a = 0; a < NDIM; a++)
        *(a < axis ? &before : &after) *= a == axis ? 1 : x->shape[a];
    for (int64_t b = 0; b < before; b++)
        for (int64_t c = 0; c < after; c++)
            x->at[b * after + c] = line_sum(x->at + b * length * after + c, after, length);
    x->shape[axis] = 1;
}

/* The index of the first maximum over the axes, in C order over them. */
static void position_solid(const struct solid *x, unsigned axes, int64_t *to)
{
    float best[MOST_ELEMENTS];
    int64_t seen = 0, at[NDIM];
    for (at[0] = 0; at[0] < x->shape[0]; at[0]++)
        for (at[1] = 0; at[1] < x->shape[1]; at[1]++)
            for (at[2] = 0; at[2] < x->shape[2]; at[2]++) {
                int64_t cell = 0, index = 0;
                for (int a = 0; a < NDIM; a++)
                    if (axes >> a & 1)
                        index = index * x->shape[a] + at[a];
                    else
                        cell = cell * x->shape[a] + at[a];
                const float value = x->at[seen++];
                if (index == 0 || value > best[cell]) {
                    best[cell] = value;
                    to[cell] = index;
                }
            }
}

/* x with its axes in the order of `turn`, which in memory they are not. */
static void check_order(const struct solid *x, sta_array stored, const int *turn, unsigned axes)
{
    static struct solid turned;
    static int64_t position[MOST_ELEMENTS];
    sta_dims order = {NDIM, {turn[0], turn[1], turn[2]}}, reduced = {0, {0}}, shape = {0, {0}};
    int64_t step[NDIM] = {x->shape[1] * x->shape[2], x->shape[2], 1}, seen = 0;
    for (int a = 0; a < NDIM; a++) {
        turned.shape[a] = x->shape[turn[a]];
        if (axes >> a & 1)
            reduced.at[reduced.count++] = a;
        else
            shape.at[shape.count++] = turned.shape[a];
    }
    for (int64_t i = 0; i < turned.shape[0]; i++)
        for (int64_t j = 0; j < turned.shape[1]; j++)
            for (int64_t k = 0; k < turned.shape[2]; k++)
                turned.at[seen++] = x->at[i * step[turn[0]] + j * step[turn[1]] + k * step[turn[2]]];
    sta_array view = sta_transpose(stored, order);
    position_solid(&turned, axes, position);
    STA_ASSERT_EQUAL(sta_argmax(view, reduced, 0), STA_int64, shape, position);
    STA_ASSERT_EQUAL(sta_argmax(sta_astype(view, STA_int8), reduced, 0), STA_int64, shape, position);
    for (int a = NDIM - 1; a >= 0; a--)
        if (axes >> a & 1)
            reduce_solid(&turned, a);
    STA_ASSERT_EQUAL(sta_sum(view, reduced, 0), STA_float32, shape, turned.at);
    sta_array doubled = sta_sum(sta_add(view, view), reduced, 0);
    STA_ASSERT_EQUAL(sta_multiply(doubled, sta_float(0.5)), STA_float32, shape, turned.at);
}

static void orders(void)
{
    static const int64_t shapes[][NDIM] = {{3, 40, 7}, {13, 4, 33}, {2, 3, 600}, {130, 5, 3}, {1, 9, 50}};
    static const int turns[][NDIM] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    static struct solid x;
    const bool tiny = sta__runtime.settings.tile_elements > 0;
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        memcpy(x.shape, shapes[s], sizeof x.shape);
        for (int a = 0; a < NDIM && tiny; a++)
            x.shape[a] = x.shape[a] > 6 ? 6 : x.shape[a];
        int64_t size = x.shape[0] * x.shape[1] * x.shape[2];
        for (int64_t i = 0; i < size; i++)
            x.at[i] = (float)((i * 7919 + i / 5) % 101);
        sta_array stored = sta_test_array(STA_float32, STA_DIMS(x.shape[0], x.shape[1], x.shape[2]), x.at);
        for (unsigned k = 0; k < 6 * 7; k++) {
            sta_scope scope = sta_open();
            if (!tiny || k % 3 == s % 3)
                check_order(&x, stored, turns[k / 7], 1 + k % 7);
            sta_close(scope);
        }
    }
}

/* Tiles of few rows: parts go from tile to tile, or tasks take several. Sums of small whole numbers are exact. */
static void few_rows(void)
{
    enum { ROWS = 20, CELLS = 40 };
    static double data[ROWS * CELLS];
    const int64_t tile = sta__runtime.settings.tile_elements, wide = tile ? 2 : 7500;
    for (int i = 0; i < ROWS * CELLS; i++)
        data[i] = i * 7 % 16 + 1;
    for (int rows = 1; rows <= ROWS; rows += tile ? 1 : 6) {
        double sums[CELLS] = {0};
        int64_t best[CELLS] = {0};
        for (int r = 0; r < rows; r++)
            for (int c = 0; c < CELLS; c++) {
                sums[c] += data[r * CELLS + c];
                best[c] = data[r * CELLS + c] > data[best[c] * CELLS + c] ? r : best[c];
            }
        sta_array x = sta_test_array(STA_float64, STA_DIMS(rows, 1, CELLS), data);
        sta_array y = sta_add(sta_zeros(STA_DIMS(rows, wide, CELLS), STA_float64), x);
        sta_array turned = sta_transpose(y, STA_ALL);
        STA_ASSERT_EQUAL(sta_slice(sta_sum(y, STA_AXES(0), 0), "-1"), STA_float64, STA_DIMS(CELLS), sums);
        STA_ASSERT_EQUAL(sta_slice(sta_sum(turned, STA_AXES(2), 0), ":, 0"), STA_float64, STA_DIMS(CELLS), sums);
        STA_ASSERT_EQUAL(sta_slice(sta_argmax(y, STA_AXES(0), 0), "0"), STA_int64, STA_DIMS(CELLS), best);
        STA_ASSERT_EQUAL(sta_slice(sta_argmax(turned, STA_AXES(-1), 0), ":, -1"), STA_int64, STA_DIMS(CELLS), best);
        sta_array twice = sta_sum(sta_add(turned, turned), STA_AXES(2), 0);
        STA_ASSERT_EQUAL(sta_slice(sta_divide(twice, sta_int(2)), ":, -1"), STA_float64, STA_DIMS(CELLS), sums);
    }
}

/* ---- tasks ---- */

/* Tasks that are submitted to compute the arrays, which are not begun meanwhile. */
static int tasks_of(const sta_array *x, int count)
{
    const int64_t before = sta__tasks_submitted();
    for (int i = 0; i < count; i++)
        sta_eval(x[i]);
    return (int)(sta__tasks_submitted() - before);
}

/* An array of some tiles; how many, by the tasks that fill them. */
static sta_array some_tiles(int *tiles)
{
    int64_t tile = sta__runtime.settings.tile_elements;
    sta_array x = sta_ones(STA_DIMS(tile ? 6 * tile : 4 << 20), STA_float32);
    *tiles = tasks_of(&x, 1);
    return x;
}

/* Tasks that merge so many parts, five at a time. */
static int merges(int parts)
{
    return parts <= 5 ? parts > 1 : (parts + 4) / 5 + merges((parts + 4) / 5);
}

/* With both kinds of workers the number of tasks depends on where the models have placed the tiles. */
static bool is_mixed(void)
{
    return sta__runtime.gpus > 0 && starpu_cpu_worker_get_count() > 0;
}

/* Tasks that read so many tiles: a GPU takes all of its own in one. */
static int readers(int tiles)
{
    const int gpus = sta__runtime.gpus;
    return gpus > 0 && tiles > gpus ? gpus : tiles;
}

/* A chain with a sum at its end is a task a tile and the merges, whatever its length. */
static void fused(void)
{
    int tiles;
    if (is_mixed())
        return;
    sta_array x = some_tiles(&tiles), y = x;
    for (int i = 0; i < 5; i++)
        y = sta_add(sta_multiply(y, sta_float(0.5)), x);
    sta_array sum = sta_sum(y, STA_ALL, 0);
    CU_ASSERT_EQUAL(tasks_of(&sum, 1), readers(tiles) + merges(readers(tiles)));
    IS(sum, STA_float32, float, (float)sta_size(x) * 1.96875F);
}

/* What reads the same is computed in the same pass. */
static void one_pass(void)
{
    int tiles;
    if (is_mixed())
        return;
    sta_array x = some_tiles(&tiles);
    sta_array both[] = {sta_mean(x, STA_ALL, 0), sta_std(x, STA_ALL, 0)};
    CU_ASSERT_EQUAL(tasks_of(both, 2), readers(tiles) + merges(readers(tiles)) + 2);
    sta_array nan = sta_nanmean(x, STA_ALL, 0);
    CU_ASSERT_EQUAL(tasks_of(&nan, 1), readers(tiles) + 2 * merges(readers(tiles)) + 1);
    sta_array again[] = {sta_sum(x, STA_ALL, 0), sta_sum(x, STA_ALL, STA_KEEPDIMS)};
    CU_ASSERT_EQUAL(tasks_of(again, 2), readers(tiles) + merges(readers(tiles)));
    IS(both[0], STA_float32, float, 1);
    IS(both[1], STA_float32, float, 0);
    IS(nan, STA_float32, float, 1);
    STA_ASSERT_EQUAL(again[1], STA_float32, STA_DIMS(1), &(float){(float)sta_size(x)});
}

/* Extremes over rows that are longer than what one loop compares. */
static void long_rows(void)
{
    enum { ROWS = 40, LENGTH = 9001, AT = 23 * LENGTH + 8500 };
    if (sta__runtime.settings.tile_elements)
        return;
    double *data = calloc(ROWS * LENGTH, sizeof *data);
    CU_ASSERT_PTR_NOT_NULL_FATAL(data);
    data[AT] = data[AT + 1] = data[AT + 2 * LENGTH] = 7;
    sta_array x = sta_test_array(STA_float64, STA_DIMS(ROWS, LENGTH), data);
    STA_ASSERT_EQUAL(sta_argmax(x, STA_ALL, 0), STA_int64, STA_SCALAR, &(int64_t){AT});
    STA_ASSERT_EQUAL(sta_max(x, STA_ALL, 0), STA_float64, STA_SCALAR, &(double){7});
    data[AT + LENGTH] = (double)NAN;
    x = sta_test_array(STA_float64, STA_DIMS(ROWS, LENGTH), data);
    STA_ASSERT_EQUAL(sta_argmax(x, STA_ALL, 0), STA_int64, STA_SCALAR, &(int64_t){AT + LENGTH});
    STA_ASSERT_EQUAL(sta_nanargmax(x, STA_ALL, 0), STA_int64, STA_SCALAR, &(int64_t){AT});
    free(data);
}

/* What waits for a result of the pass is no part of it. */
static void not_of_the_pass(void)
{
    sta_array x = sta_ones(STA_DIMS(30, 30), STA_float32), y = sta_add(x, x);
    sta_array turned = sta_sum(sta_transpose(y, STA_ALL), STA_ALL, STA_KEEPDIMS);
    sta_array z = sta_add(x, turned);
    STA_ASSERT_EQUAL(sta_sum(y, STA_ALL, 0), STA_float32, STA_SCALAR, &(float){1800});
    STA_ASSERT_EQUAL(sta_sum(z, STA_ALL, 0), STA_float32, STA_SCALAR, &(float){900 * 1801});
}

/* Every allocation fails once: an error each time, or the result. */
static void no_memory(void)
{
    enum { MOST = 2000 };
    double data[24];
    for (int i = 0; i < 24; i++)
        data[i] = i % 5 ? i : (double)NAN;
    sta_array x = sta_test_array(STA_float64, STA_DIMS(4, 6), data);
    for (int f = 0; f < REDUCTIONS; f++) {
        int64_t k = 1;
        for (bool again = true; again && k < MOST; k++) {
            sta_scope scope = sta_open();
            sta__fail_allocation(k);
            sta_array y = reductions[f].plain(sta_transpose(x, STA_ALL), STA_AXES(0), STA_KEEPDIMS);
            const sta_error *error = sta_wait(y);
            again = sta__fail_allocation(0) >= k;
            CU_ASSERT(!error || error->code == STA_ERROR_MEMORY || error->code == STA_ERROR_INVALID_ARRAY);
            sta_close(scope);
        }
        CU_ASSERT(k < MOST);
    }
}

/* ---- several tiles a task ---- */

/* Of tiles that are reduced in less time than a task is worth, a task takes several: the bits are those of one by one. */
static void many_tiles(void)
{
    int64_t side = 3000, tile = sta__runtime.settings.tile_bytes / 8, before;
    if (sta__runtime.settings.tile_elements || sta__runtime.gpus || starpu_cpu_worker_get_count() > 4 || tile > 1 << 20)
        return;
    sta_array line = sta_arange(0, (double)side, 1, STA_float64);
    sta_array x = sta_sqrt(sta_add(sta_multiply(line, sta_float(0.37)), sta_reshape(line, STA_DIMS(side, 1))));
    sta_wait(x);
    int64_t rows = 1;
    while (2 * rows * side <= tile)
        rows *= 2;
    sta_array halves[2] = {sta_slice(x, ":1024"), sta_slice(x, "1024:")};
    before = sta__tasks_submitted();
    sta_array across = sta_sum(x, STA_AXES(1), 0);
    sta_wait(across);
    CU_ASSERT(sta__tasks_submitted() - before < 3 * ((side + rows - 1) / rows) / 4);
    double *whole = malloc(sizeof *whole * (size_t)side), *parts = malloc(sizeof *parts * (size_t)side);
    CU_ASSERT_FATAL(whole && parts);
    CU_ASSERT(!sta_read(across, whole, sizeof *whole * (size_t)side));
    CU_ASSERT(!sta_read(sta_sum(halves[0], STA_AXES(1), 0), parts, sizeof *parts * 1024));
    CU_ASSERT(!sta_read(sta_sum(halves[1], STA_AXES(1), 0), parts + 1024, sizeof *parts * (size_t)(side - 1024)));
    CU_ASSERT_EQUAL(memcmp(whole, parts, sizeof *parts * (size_t)side), 0);
    free(whole);
    free(parts);
}

STA_TESTS("reduce_walk", STA_CASE(bits), STA_CASE(short_rows), STA_CASE(orders), STA_CASE(few_rows), STA_CASE(fused),
          STA_CASE(one_pass), STA_CASE(long_rows), STA_CASE(not_of_the_pass), STA_CASE(no_memory), STA_CASE(many_tiles))
