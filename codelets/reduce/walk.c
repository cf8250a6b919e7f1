/* Chooses the walk: in which order the axes of a tile are visited, and how many elements at a time. */
#include "reduce/fold.h"
#include "reduce/walk.h"

#include <stdlib.h>
#include <string.h>

enum {
    WIDEST = 512,  /* columns at once, where operands are read in place */
    FEW_ROWS = 32, /* up to here so many nodes of */
    WIDER = 4096,  /* columns stay in the second-level cache, and processors fetch longer runs ahead */
};

/* ---- the order of the axes ---- */

/* Inputs whose elements lie next to each other along the axis. */
static int neighbours(const struct sta__run *run, int axis)
{
    int count = 0;
    for (int i = 0; i < run->program->inputs && run->extent[axis] > 1; i++)
        count += run->operand[i].pieces && llabs(run->operand[i].piece->stride[axis]) == (int64_t)run->operand[i].item;
    return count;
}

static void rotate(int64_t *at, int axis, int ndim)
{
    int64_t moved = at[axis];
    memmove(&at[axis], &at[axis + 1], sizeof *at * (size_t)(ndim - 1 - axis));
    at[ndim - 1] = moved;
}

static void move_last(struct sta__run *run, int axis)
{
    rotate(run->extent, axis, run->ndim);
    rotate(run->first, axis, run->ndim);
    for (int o = 0; o < run->operands; o++)
        for (int p = 0; p < run->operand[o].pieces; p++) {
            struct sta__piece *piece = &run->operand[o].piece[p];
            rotate(piece->from, axis, run->ndim);
            rotate(piece->to, axis, run->ndim);
            rotate(piece->stride, axis, run->ndim);
        }
    uint32_t below = run->axes & ((1U << axis) - 1), own = run->axes >> axis & 1;
    run->axes = below | (run->axes >> (axis + 1) << axis) | own << (run->ndim - 1);
}

static int last_of(uint32_t axes)
{
    return axes ? 31 - __builtin_clz(axes) : -1;
}

/* Makes the axis along which memory is contiguous the last one. The order of the kept axes is that of the results, the
 * order of the reduced ones that of the sums: a reduced axis that passes others stays at its level, and is crossed. */
static void order_axes(struct sta__walk *w)
{
    struct sta__run *run = &w->run;
    int last = run->ndim - 1, best = last;
    for (int a = last - 1; a >= 0; a--)
        if (neighbours(run, a) > neighbours(run, best))
            best = a;
    bool reduced = run->axes >> best & 1;
    uint32_t kept = ~run->axes & ((1U << run->ndim) - 1);
    bool moves = best != last && neighbours(run, last) == 0 && (reduced || best == last_of(kept));
    bool crosses = moves && reduced && best != last_of(run->axes);
    w->crossed = -1;
    w->depth = 0;
    for (int a = 0; a < run->ndim; a++) {
        if (!(run->axes >> a & 1))
            continue;
        if (crosses && a == best)
            w->crossed = w->depth;
        w->axis[w->depth++] = !moves || a < best ? a : a == best ? last : a - 1;
    }
    if (moves)
        move_last(run, best);
}

/* ---- leaves ---- */

static bool any_order(const struct sta__walk *w)
{
    for (int k = 0; k < sta__walk_reductions(w); k++) {
        const struct sta__reduction *reduction = sta__walk_reduction(w, k);
        if (!sta__reducer_any_order((enum sta__reducer)reduction->op, reduction->dtype))
            return false;
    }
    return true;
}

/* Whether the innermost axis of an input is at whole elements, and no piece ends inside a row of columns. */
static bool is_direct(const struct sta__walk *w, int slot, sta_dtype dtype)
{
    const struct sta__run *run = &w->run;
    int last = run->ndim - 1, inner = w->axis[w->depth - 1];
    if (!sta__run_direct(run, slot))
        return false;
    const struct sta__run_operand *operand = &run->operand[slot];
    for (int p = 0; p < operand->pieces; p++) {
        const struct sta__piece *piece = &operand->piece[p];
        bool ends = piece->from[last] != 0 || piece->to[last] != run->extent[last];
        if ((w->column_axis >= 0 && ends) || piece->stride[inner] % (int64_t)sta_itemsize(dtype))
            return false;
    }
    return true;
}

static bool all_direct(const struct sta__walk *w)
{
    const struct sta__program *program = w->run.program;
    for (int o = 0; o < program->outputs; o++)
        if (!program->output[o].reduce)
            return false;
    for (int k = 0; k < program->reductions; k++)
        if (!is_direct(w, program->reduction[k].slot, program->reduction[k].dtype))
            return false;
    return true;
}

/* Where any order gives the same, reduced axes that lie one in the other are one, whose leaves are longer. */
static void join_leaves(struct sta__walk *w, int64_t most)
{
    struct sta__run *run = &w->run;
    while (w->depth >= 2 && w->crossed < 0 && w->axis[w->depth - 1] == run->ndim - 1 &&
           w->axis[w->depth - 2] == run->ndim - 2 && run->extent[run->ndim - 1] <= most &&
           sta__run_merges(run, run->ndim - 2)) {
        w->leaf = run->extent[run->ndim - 1];
        int64_t first = run->first[run->ndim - 2];
        sta__run_merge(run, run->ndim - 2);
        run->first[run->ndim - 1] = first;
        w->depth--;
        w->trees--;
        w->axis[w->depth - 1] = run->ndim - 1;
    }
}

/* Whether the range is a whole axis, so that one axis by itself needs no tree. */
static bool is_whole(const struct sta__walk *w)
{
    for (int k = 0; k < sta__walk_reductions(w); k++)
        if (w->carry[k] >= 0)
            return false;
    return w->mode != STA__REDUCE_PARTIAL;
}

/* Short last axes: many to a block. They become leaves of the axis outside, or, where that is kept, columns of the trees
 * outside it, or results. */
static bool folds(const struct sta__walk *w)
{
    const struct sta__run *run = &w->run;
    int last = run->ndim - 1;
    if (w->axis[w->depth - 1] != last || w->leaf > 1 || last == 0 || run->extent[last] > run->block / 4)
        return false;
    bool outside = w->depth >= 2 && w->axis[w->depth - 2] == last - 1, kept = !(run->axes >> (last - 1) & 1);
    return outside || (kept && (w->depth >= 2 || is_whole(w)));
}

/* Whole axes as they lie, one run each. */
static bool folds_runs(const struct sta__walk *w)
{
    const struct sta__run *run = &w->run;
    int last = run->ndim - 1;
    return w->depth == 1 && w->axis[0] == last && last > 0 && is_whole(w) && any_order(w) &&
           w->leaves == STA__LEAVES_DIRECT;
}

/* ---- sizes ---- */

/* Scans have room for WIDEST columns. */
static int64_t widest(const struct sta__walk *w)
{
    int64_t rows = 1;
    for (int l = 0; l < w->depth; l++)
        rows *= sta__walk_length(w, l);
    for (int k = 0; k < sta__walk_reductions(w); k++) {
        const struct sta__reduction *reduction = sta__walk_reduction(w, k);
        if (sta__fold_of((enum sta__reducer)reduction->op, reduction->dtype)->scan)
            return WIDEST;
    }
    return rows <= FEW_ROWS ? WIDER : WIDEST;
}

static void size_blocks(struct sta__walk *w)
{
    const struct sta__run *run = &w->run;
    int last = run->ndim - 1, inner = w->axis[w->depth - 1];
    int64_t block = run->block, length = run->extent[last];
    if (w->leaves == STA__LEAVES_FOLDED) {
        int64_t rows = block / length > 0 ? block / length : 1;
        w->columns = w->column_axis >= 0 ? run->extent[w->column_axis] : 1;
        w->width = w->columns < rows ? w->columns : rows;
        bool adjacent = w->depth >= 2 && w->width == w->columns && w->axis[w->depth - 2] == w->column_axis - 1;
        w->rows = w->column_axis < 0 || w->trees == 0 ? rows : adjacent && w->width ? rows / w->width : 1;
        return;
    }
    bool columns = w->column_axis >= 0, adjacent = columns && inner == last - 1;
    int64_t across = columns ? length : 1;
    w->columns = w->crossed >= 0 ? 1 : across;
    w->width = !columns ? 1 : w->leaves == STA__LEAVES_DIRECT ? widest(w) : adjacent ? block / 8 : block;
    w->width = w->width > across ? across : w->width;
    w->rows = !columns ? block / w->leaf : adjacent && w->width ? block / w->width : 1;
    w->rows = w->rows > 0 ? w->rows : 1;
}

static void count_strips(struct sta__walk *w)
{
    const struct sta__run *run = &w->run;
    w->kept = 0;
    for (int a = 0; a < run->ndim; a++)
        if (!(run->axes >> a & 1) && a != w->column_axis)
            w->kept_axis[w->kept++] = a;
    w->strips = w->width ? (w->columns + w->width - 1) / w->width : 0;
    w->cells = w->columns;
    for (int a = 0; a < w->kept; a++) {
        w->strips *= run->extent[w->kept_axis[a]];
        w->cells *= run->extent[w->kept_axis[a]];
    }
}

static void shape_walk(struct sta__walk *w)
{
    struct sta__run *run = &w->run;
    order_axes(w);
    int last = run->ndim - 1;
    w->leaf = 1;
    w->trees = w->depth;
    bool last_kept = !(run->axes >> last & 1);
    w->column_axis = last_kept || w->crossed >= 0 ? last : -1;
    w->leaves = all_direct(w) ? STA__LEAVES_DIRECT : STA__LEAVES_BLOCKS;
    if (any_order(w))
        join_leaves(w, w->leaves == STA__LEAVES_DIRECT ? INT64_MAX : run->block / 2);
    last = run->ndim - 1;
    w->unit[w->depth - 1] = w->leaf;
    for (int l = w->depth - 2; l >= 0; l--)
        w->unit[l] = w->unit[l + 1] * sta__walk_length(w, l + 1);
    if (w->crossed < 0 && !last_kept && (folds(w) || folds_runs(w))) {
        w->leaves = STA__LEAVES_FOLDED;
        w->trees--;
        w->column_axis = run->axes >> (last - 1) & 1 ? -1 : last - 1;
    }
    size_blocks(w);
    count_strips(w);
    w->from = run->first[w->axis[0]];
    w->to = w->from + sta__walk_length(w, 0);
}

void sta__walk_open(struct sta__walk *walk, struct sta__job *job)
{
    const struct sta__program_arguments *arguments = job->arguments;
    sta__run_open(&walk->run, job);
    const int64_t *word = walk->run.reduce_words;
    walk->mode = (enum sta__reduce_mode) * word++;
    for (int k = 0; k < arguments->program->reductions; k++) {
        for (int c = 0; c < STA__COMPONENTS; c++)
            walk->target[k].memory[c] = *word++;
        walk->carry[k] = *word++;
    }
    sta__run_collapse(&walk->run);
    shape_walk(walk);
}
