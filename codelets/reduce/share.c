/* A share of a reduction at the end of a program: strip after strip, the blocks that the evaluator gives, or operands as
 * they lie, go into trees (tree.h). */
#include "reduce/walk.h"

#include <string.h>

struct share {
    struct sta__walk walk;
    struct sta__block block;
    int64_t cell; /* the first of the strip */
    struct sta__tree tree[STA__MAXOUTPUTS][STA_MAXDIM];
    void *tree_memory[STA__MAXOUTPUTS][STA_MAXDIM];
    struct sta__state leaf[STA__MAXOUTPUTS][STA_MAXDIM]; /* finished states of the axis inside */
    void *scratch;
    void *partial[STA__MAXOUTPUTS]; /* a member's own part of the range; NULL: the task's */
    void *memory;
};

static enum sta__reducer reducer_of(const struct share *s, int k)
{
    return (enum sta__reducer)sta__walk_reduction(&s->walk, k)->op;
}

static sta_dtype dtype_of(const struct share *s, int k)
{
    return sta__walk_reduction(&s->walk, k)->dtype;
}

static int reductions(const struct share *s)
{
    return sta__walk_reductions(&s->walk);
}

static int64_t columns_at(const struct sta__walk *w, int level, int64_t width)
{
    return level <= w->crossed ? 1 : width;
}

/* ---- memory: trees, finished states, slots, in one piece ---- */

static size_t round_up(size_t bytes)
{
    return (bytes + 63) & ~(size_t)63;
}

static void *carve(char *memory, size_t *at, size_t bytes)
{
    void *here = memory ? memory + *at : NULL;
    *at += round_up(bytes);
    return here;
}

/* Called with NULL first to learn the size. */
static size_t lay_out(struct share *s, char *memory)
{
    const struct sta__walk *w = &s->walk;
    bool folded = w->leaves == STA__LEAVES_FOLDED;
    size_t at = 0, leaves = (size_t)(w->width * (folded ? w->rows : 1)), scratch = 0;
    for (int k = 0; k < reductions(s); k++) {
        for (int l = 0; l < w->trees; l++) {
            int64_t from = l || w->carry[k] >= 0 ? 0 : w->from, to = l ? sta__walk_length(w, l) : w->to;
            size_t bytes = sta__tree_bytes(reducer_of(s, k), dtype_of(s, k), columns_at(w, l, w->width), from, to);
            s->tree_memory[k][l] = carve(memory, &at, bytes);
        }
        for (int l = 0; l < w->trees || l == 0; l++)
            for (int c = 0; c < STA__COMPONENTS; c++)
                s->leaf[k][l].at[c] = carve(memory, &at, 16 * leaves);
        size_t bytes = folded ? sta__fold_rows_bytes(reducer_of(s, k), dtype_of(s, k), w->width * w->rows,
                                                     w->run.extent[w->run.ndim - 1])
                              : 0;
        scratch = bytes > scratch ? bytes : scratch;
    }
    s->scratch = carve(memory, &at, scratch);
    s->walk.run.scratch = carve(memory, &at, (size_t)w->run.buffers * STA__SLOT_BYTES);
    return at;
}

static bool take_memory(struct share *s)
{
    s->memory = sta__allocate_raw(lay_out(s, NULL));
    if (s->memory)
        lay_out(s, s->memory);
    return s->memory != NULL;
}

/* ---- blocks ---- */

static void begin_trees(struct share *s, int level)
{
    const struct sta__walk *w = &s->walk;
    int64_t columns = columns_at(w, level, s->block.width);
    for (int k = 0; k < reductions(s); k++) {
        struct sta__tree *tree = &s->tree[k][level];
        bool carries = level == 0 && w->carry[k] >= 0 && !s->partial[k];
        int64_t first = level || carries ? 0 : w->from;
        if (tree->fold && tree->columns == columns)
            sta__tree_again(tree, first);
        else
            sta__tree_begin(tree, reducer_of(s, k), dtype_of(s, k), columns, first, w->unit[level],
                            s->tree_memory[k][level]);
        if (carries)
            sta__tree_push_partial(tree, w->run.first[w->axis[0]], w->run.job->memory[w->carry[k]].data, w->cells,
                                   s->cell);
    }
}

/* Leaves that one reduction reads before the next one does; aligned ranges have few nodes. */
static int64_t turn_of(const struct share *s, int64_t leaves)
{
    enum { AT_ONCE = 8192 }; /* elements */
    int64_t turn = 8;
    while (2 * turn * s->walk.leaf * s->block.width <= AT_ONCE)
        turn *= 2;
    return reductions(s) == 1 ? leaves : turn;
}

/* Leaves from .. end of one reduction, from each piece in which they lie. */
static void push_pieces(struct share *s, int k, int64_t from, int64_t end)
{
    const struct sta__walk *w = &s->walk;
    int axis = w->axis[w->depth - 1], slot = sta__walk_reduction(w, k)->slot;
    for (int64_t i = from, to; i < end; i = to) {
        s->block.origin[axis] = i * w->leaf;
        const struct sta__piece *piece = sta__run_piece_at(&w->run, slot, s->block.origin);
        to = piece->to[axis] / w->leaf;
        to = to < end ? to : end;
        const char *at = piece->base;
        for (int a = 0; a < w->run.ndim; a++)
            at += s->block.origin[a] * piece->stride[a];
        sta__tree_push(&s->tree[k][w->depth - 1], at, to - i,
                       w->leaf * piece->stride[axis] / (int64_t)sta_itemsize(dtype_of(s, k)));
    }
}

static void push_direct(struct share *s, int64_t from, int64_t to)
{
    int64_t step = turn_of(s, to - from);
    for (int64_t i = from; i < to; i += step)
        for (int k = 0; k < reductions(s); k++)
            push_pieces(s, k, i, to - i < step ? to : i + step);
}

static void push_blocks(struct share *s, int64_t from, int64_t to)
{
    struct sta__walk *w = &s->walk;
    struct sta__block *block = &s->block;
    int axis = w->axis[w->depth - 1], last = w->run.ndim - 1;
    bool across = w->column_axis >= 0, adjacent = across && axis == last - 1;
    for (int64_t i = from; i < to; i += w->rows) {
        int64_t rows = to - i < w->rows ? to - i : w->rows;
        block->origin[axis] = i * w->leaf;
        block->axis = across && !adjacent ? last : axis; /* rows that are not next to the columns: one at a time */
        block->rows = across && !adjacent ? block->width : rows * w->leaf;
        block->count = rows * w->leaf * block->width;
        sta__run_block(&w->run, block);
        for (int k = 0; k < reductions(s); k++)
            sta__tree_push(&s->tree[k][w->depth - 1], w->run.slot[sta__walk_reduction(w, k)->slot], rows,
                           w->leaf * block->width);
    }
}

/* Evaluates whole short axes, from the block's origin on: `rows` indices of `axis`, and what lies inside. */
static void run_rows(struct share *s, int axis, int64_t rows, int64_t cells)
{
    struct sta__block *block = &s->block;
    int last = s->walk.run.ndim - 1;
    int64_t width = block->width;
    block->origin[last] = 0;
    block->axis = axis;
    block->rows = rows;
    block->width = s->walk.run.extent[last];
    block->count = cells * block->width;
    sta__run_block(&s->walk.run, block);
    block->width = width;
}

static void fold_rows(struct share *s, int k, int64_t cells, const struct sta__state *to)
{
    const struct sta__walk *w = &s->walk;
    sta__fold_rows(reducer_of(s, k), dtype_of(s, k), w->run.slot[sta__walk_reduction(w, k)->slot], cells,
                   w->run.extent[w->run.ndim - 1], to, s->scratch);
}

/* Many short axes at a time; each becomes a leaf of the tree outside. */
static void push_folded(struct share *s, int level, int64_t from, int64_t to)
{
    const struct sta__walk *w = &s->walk;
    int axis = w->axis[level], columns = w->column_axis;
    for (int64_t i = from; i < to; i += w->rows) {
        int64_t rows = to - i < w->rows ? to - i : w->rows, cells = rows * s->block.width;
        s->block.origin[axis] = i;
        if (columns >= 0 && w->rows == 1)
            run_rows(s, columns, cells, cells);
        else
            run_rows(s, axis, rows, cells);
        for (int k = 0; k < reductions(s); k++) {
            fold_rows(s, k, cells, &s->leaf[k][level]);
            sta__tree_push_states(&s->tree[k][level], &s->leaf[k][level], rows);
        }
    }
}

/* ---- levels ---- */

static void fill(struct share *s, int level, int64_t from, int64_t to);

/* The indices i .. of a level, whose inner trees are done for all of them at once or for one. */
static void fill_inside(struct share *s, int level, int64_t i, int64_t count)
{
    struct sta__walk *w = &s->walk;
    s->block.origin[w->axis[level]] = i;
    fill(s, level + 1, 0, sta__walk_length(w, level + 1));
    for (int k = 0; k < reductions(s); k++) {
        sta__tree_finish(&s->tree[k][level + 1], &s->leaf[k][level]);
        sta__tree_push_states(&s->tree[k][level], &s->leaf[k][level], count);
    }
}

static void fill_crossed(struct share *s, int level, int64_t from, int64_t to)
{
    int64_t width = s->walk.width;
    for (int64_t i = from; i < to; i += width) {
        s->block.width = to - i < width ? to - i : width;
        fill_inside(s, level, i, s->block.width);
    }
    s->block.width = 1;
}

/* Pushes the indices from .. to (of the tile) of a reduced axis into its trees. */
static void fill(struct share *s, int level, int64_t from, int64_t to)
{
    const struct sta__walk *w = &s->walk;
    begin_trees(s, level);
    if (level == w->trees - 1 && w->leaves == STA__LEAVES_FOLDED)
        push_folded(s, level, from, to);
    else if (level == w->trees - 1 && w->leaves == STA__LEAVES_DIRECT)
        push_direct(s, from, to);
    else if (level == w->trees - 1)
        push_blocks(s, from, to);
    else if (level == w->crossed)
        fill_crossed(s, level, from, to);
    else
        for (int64_t i = from; i < to; i++)
            fill_inside(s, level, i, 1);
}

/* ---- strips ---- */

static struct sta__state result_state(const struct share *s, int k, int64_t cell)
{
    const struct sta__walk *w = &s->walk;
    return sta__target_state(w->run.job, &w->target[k], w->mode, (int)reducer_of(s, k), dtype_of(s, k), w->cells, cell,
                             s->leaf[k][0]);
}

static void finish_strip(struct share *s)
{
    int64_t cell = s->cell;
    const struct sta__walk *w = &s->walk;
    for (int k = 0; k < reductions(s); k++) {
        struct sta__tree *tree = &s->tree[k][0];
        if (s->partial[k]) {
            sta__tree_emit(tree, s->partial[k], w->cells, cell);
        } else if (w->mode == STA__REDUCE_PARTIAL) {
            sta__tree_emit(tree, w->run.job->memory[w->target[k].memory[0]].data, w->cells, cell);
        } else {
            struct sta__state state = result_state(s, k, cell);
            sta__tree_finish(tree, &state);
        }
    }
}

/* Short axes that are results: no trees. */
static void fold_strip(struct share *s)
{
    run_rows(s, s->walk.column_axis, s->block.width, s->block.width);
    for (int k = 0; k < reductions(s); k++) {
        struct sta__state state = result_state(s, k, s->cell);
        fold_rows(s, k, s->block.width, &state);
    }
}

static void reduce_strips(struct share *s, int64_t first, int64_t end)
{
    const struct sta__walk *w = &s->walk;
    int64_t per_row = (w->columns + w->width - 1) / w->width, offset = w->run.first[w->axis[0]];
    for (int64_t strip = first; strip < end; strip++) {
        int64_t outer = strip / per_row, column = strip % per_row * w->width, rest = outer;
        for (int a = w->kept - 1; a >= 0; a--) {
            s->block.origin[w->kept_axis[a]] = rest % w->run.extent[w->kept_axis[a]];
            rest /= w->run.extent[w->kept_axis[a]];
        }
        int64_t left = w->columns - column;
        s->cell = outer * w->columns + column;
        s->block.width = left < w->width ? left : w->width;
        if (w->column_axis >= 0)
            s->block.origin[w->column_axis] = column;
        if (w->trees == 0) {
            fold_strip(s);
            continue;
        }
        fill(s, 0, w->from - offset, w->to - offset);
        finish_strip(s);
    }
}

/* ---- what a team calls ---- */

/* Most of the struct stays untouched: it is large. */
static void share_open(struct share *s)
{
    for (int k = 0; k < reductions(s); k++) {
        s->partial[k] = NULL;
        for (int l = 0; l < s->walk.trees; l++)
            s->tree[k][l].fold = NULL;
    }
}

bool sta__reduce_share(struct sta__job *job, int64_t first, int64_t end, int64_t from, int64_t to, void *const *partial)
{
    struct share s;
    sta__walk_open(&s.walk, job);
    share_open(&s);
    s.walk.from = from;
    s.walk.to = to;
    for (int k = 0; k < reductions(&s) && partial; k++)
        s.partial[k] = partial[k];
    if (!take_memory(&s))
        return false;
    reduce_strips(&s, first, end);
    sta__release(s.memory);
    return true;
}

bool sta__reduce_merge(const struct sta__walk *walk, void *const (*parts)[STA__MAXOUTPUTS], const int64_t *cut,
                       int team)
{
    struct share s;
    s.walk = *walk;
    share_open(&s);
    if (!take_memory(&s))
        return false;
    int64_t width = columns_at(walk, 0, walk->width);
    for (int64_t cell = 0; cell < walk->cells; cell += width) {
        s.block.width = walk->cells - cell < width ? walk->cells - cell : width;
        s.cell = cell;
        begin_trees(&s, 0);
        for (int m = 0; m < team; m++)
            for (int k = 0; k < reductions(&s); k++)
                if (cut[m] < cut[m + 1])
                    sta__tree_push_partial(&s.tree[k][0], cut[m + 1], parts[m][k], walk->cells, cell);
        finish_strip(&s);
    }
    sta__release(s.memory);
    return true;
}
