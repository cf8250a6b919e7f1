/* The two ends of a tree: leaves made of values, and the joins where a node is cut short by the end of the axis. */
#include "fold.h"

#include <string.h>

/* ---- leaves ---- */

static void count_leaves(const uint8_t *restrict x, int64_t columns, int64_t *restrict to)
{
    for (int64_t c = 0; c < columns; c++)
        to[c] = x[c] != 0;
}

static void copy_row(enum sta__reducer reducer, sta_dtype dtype, const char *x, int64_t columns, char *to)
{
    if (reducer == STA__REDUCE_count_nonzero)
        count_leaves((const uint8_t *)x, columns, (int64_t *)(void *)to);
    else
        memcpy(to, x, (size_t)columns * sta_itemsize(dtype));
}

static void number_rows(int64_t index, int64_t columns, int64_t rows, int64_t *restrict to)
{
    for (int64_t r = 0; columns == 1 && r < rows; r++)
        to[r] = index + r;
    for (int64_t r = 0; columns != 1 && r < rows; r++)
        for (int64_t c = 0; c < columns; c++)
            to[r * columns + c] = index + r;
}

/* m2 of single elements, as alone_f32 and its kin; parts: numbers of s a cell. */
static void spread_alone(sta_dtype part, const void *s, int64_t cells, int parts, void *to)
{
    const float *x32 = s;
    const double *x64 = s;
    float *m32 = to;
    double *m64 = to;
    for (int64_t c = 0; part == STA_float32 && c < cells; c++)
        m32[c] = parts == 1 ? x32[c] - x32[c] : (x32[2 * c] - x32[2 * c]) + (x32[2 * c + 1] - x32[2 * c + 1]);
    for (int64_t c = 0; part == STA_float64 && c < cells; c++)
        m64[c] = parts == 1 ? x64[c] - x64[c] : (x64[2 * c] - x64[2 * c]) + (x64[2 * c + 1] - x64[2 * c + 1]);
}

void sta__make_leaves(enum sta__reducer reducer, sta_dtype dtype, const struct sta__rows *in, int64_t columns,
                      int64_t rows, const struct sta__state *to)
{
    const sta_dtype part0 = sta__reducer_component(reducer, dtype, 0),
                    part1 = sta__reducer_component(reducer, dtype, 1);
    const bool contiguous = in->stride == columns; /* then it is one long row */
    const int64_t width = contiguous ? rows * columns : columns, runs = contiguous ? 1 : rows;
    const int64_t from_step = in->stride * (int64_t)sta_itemsize(dtype), step = columns * (int64_t)sta_itemsize(part0);
    for (int64_t r = 0; r < runs; r++)
        copy_row(reducer, dtype, (const char *)in->from.at[0] + r * from_step, width, (char *)to->at[0] + r * step);
    if (part1 == STA_int64)
        number_rows(in->index, columns, rows, to->at[1]);
    else if (part1)
        spread_alone(part1, to->at[0], rows * columns, part0 == part1 ? 1 : 2, to->at[1]);
}

/* ---- ragged joins ---- */

struct ragged {
    double left, right; /* elements */
    int64_t cells;
    int parts; /* numbers of s a cell: 2 for complex */
};

/* Chan's formula: the means differ by d; m2 grows by |d|^2 nL nR / (nL + nR). */
static void ragged_f32(const struct ragged *r, float *s, float *m2, const float *s_right, const float *m2_right)
{
    const float left = (float)r->left, right = (float)r->right;
    const float factor = (float)(r->left * r->right / (r->left + r->right));
    for (int64_t c = 0; c < r->cells; c++) {
        float spread = 0;
        for (int64_t i = c * r->parts; i < (c + 1) * r->parts; i++) {
            const float d = s_right[i] / right - s[i] / left;
            spread += d * d;
            s[i] = s[i] + s_right[i];
        }
        m2[c] = (m2[c] + m2_right[c]) + spread * factor;
    }
}

static void ragged_f64(const struct ragged *r, double *s, double *m2, const double *s_right, const double *m2_right)
{
    const double factor = r->left * r->right / (r->left + r->right);
    for (int64_t c = 0; c < r->cells; c++) {
        double spread = 0;
        for (int64_t i = c * r->parts; i < (c + 1) * r->parts; i++) {
            const double d = s_right[i] / r->right - s[i] / r->left;
            spread += d * d;
            s[i] = s[i] + s_right[i];
        }
        m2[c] = (m2[c] + m2_right[c]) + spread * factor;
    }
}

void sta__join_ragged(const struct sta__tree *tree, const struct sta__state *left, double left_count,
                      const struct sta__state *right, double right_count)
{
    static const struct sta__weight none[1];
    const bool complex = tree->dtype == STA_complex64 || tree->dtype == STA_complex128;
    const struct ragged ragged = {left_count, right_count, tree->columns, complex ? 2 : 1};
    if (tree->reducer != STA__REDUCE_var)
        tree->fold->join(left, right, tree->columns, none);
    else if (sta__reducer_component(tree->reducer, tree->dtype, 1) == STA_float32)
        ragged_f32(&ragged, left->at[0], left->at[1], right->at[0], right->at[1]);
    else
        ragged_f64(&ragged, left->at[0], left->at[1], right->at[0], right->at[1]);
}
