/* The tree over one axis as a stack: it holds the node list of the indices seen so far, and siblings that meet on its
 * top become their parent. */
#include "fold.h"

#include <string.h>

#define CHUNK 1024 /* elements folded at once: input and scratch stay in the first-level cache */
#define WIDEST 16  /* bytes of a number; areas and places of the stack have room for it */
#define RUN 4096   /* of a single column by three levels at once: scratch is an eighth of it */

static int log2_floor(int64_t x)
{
    return 63 - __builtin_clzll((unsigned long long)x);
}

/* The largest aligned node that begins at `first` and ends before or at `last`. */
static int level_at(int64_t first, int64_t last)
{
    const int fits = log2_floor(last - first);
    const int aligned = first ? __builtin_ctzll((unsigned long long)first) : 63;
    return fits < aligned ? fits : aligned;
}

int sta__tree_nodes(int64_t first, int64_t last, struct sta__tree_node *nodes)
{
    int count = 0;
    while (first < last) {
        const int level = level_at(first, last);
        if (nodes)
            nodes[count] = (struct sta__tree_node){level, first >> level};
        first += (int64_t)1 << level;
        count++;
    }
    return count;
}

/* ---- memory ---- */

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static size_t line(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

/* Whether leaves are made before they are folded: values that change their dtype, or states that get an index. */
static bool has_leaves(enum sta__reducer reducer)
{
    return sta__reducer_component(reducer, STA_float64, 0) == STA_int64 ||
           sta__reducer_component(reducer, STA_float64, 1) == STA_int64;
}

static size_t area_bytes(enum sta__reducer reducer, sta_dtype dtype, int64_t columns)
{
    return line(sta__state_bytes(reducer, dtype, larger(CHUNK / 2, 2 * columns)));
}

static size_t leaves_bytes(enum sta__reducer reducer, sta_dtype dtype, int64_t columns)
{
    return has_leaves(reducer) ? line(sta__state_bytes(reducer, dtype, larger(CHUNK, 8 * columns))) : 0;
}

size_t sta__tree_bytes(enum sta__reducer reducer, sta_dtype dtype, int64_t columns, int64_t first, int64_t last)
{
    const int levels = last > first ? log2_floor(last - first) + 1 : 1;
    return (size_t)(2 * levels + 1) * line(sta__state_bytes(reducer, dtype, columns)) +
           leaves_bytes(reducer, dtype, columns) + 2 * area_bytes(reducer, dtype, columns);
}

void sta__tree_begin(struct sta__tree *tree, enum sta__reducer reducer, sta_dtype dtype, int64_t columns, int64_t first,
                     int64_t unit, void *memory)
{
    tree->fold = sta__fold_of(reducer, dtype);
    tree->reducer = reducer;
    tree->dtype = dtype;
    tree->columns = columns;
    tree->first = tree->next = first;
    tree->unit = unit;
    tree->depth = 0;
    tree->chunk_levels = log2_floor(larger(8, CHUNK / larger(columns, 1)));
    if (columns == 1 && tree->fold->octets)
        tree->chunk_levels = log2_floor(RUN);
    tree->node_bytes = line(sta__state_bytes(reducer, dtype, columns));
    tree->leaves = memory;
    tree->area[0] = tree->leaves + leaves_bytes(reducer, dtype, columns);
    tree->area[1] = tree->area[0] + area_bytes(reducer, dtype, columns);
    tree->stack = tree->area[1] + area_bytes(reducer, dtype, columns);
}

void sta__tree_again(struct sta__tree *tree, int64_t first)
{
    tree->first = tree->next = first;
    tree->depth = 0;
}

static struct sta__state stacked(const struct sta__tree *tree, int place)
{
    char *memory = tree->stack + (size_t)place * tree->node_bytes;
    if (tree->fold->nodes) /* one number */
        return (struct sta__state){{memory}};
    return sta__state_in(tree->reducer, tree->dtype, memory, tree->columns);
}

/* ---- joining ---- */

struct sta__weights sta__weights_of(enum sta__reducer reducer, int64_t unit, int level)
{
    struct sta__weights weights = {{{0, 0}, {0, 0}, {0, 0}}};
    if (reducer != STA__REDUCE_var)
        return weights;
    for (int k = 0; k < 3; k++) {
        const double elements = (double)unit * (double)((uint64_t)1 << (level + k));
        weights.at[k] = (struct sta__weight){1 / elements, elements / 2};
    }
    return weights;
}

/* The node that was written above the top of the stack becomes its top, and joins what it completes. */
static void push_node(struct sta__tree *tree, int level)
{
    struct sta__tree_node node = {level, tree->next >> level};
    tree->next += (int64_t)1 << level;
    while (tree->depth && (node.index & 1) && tree->node[tree->depth - 1].level == node.level) {
        const struct sta__state left = stacked(tree, tree->depth - 1), right = stacked(tree, tree->depth);
        const struct sta__weights weights = sta__weights_of(tree->reducer, tree->unit, node.level);
        tree->fold->join(&left, &right, tree->columns, weights.at);
        tree->depth--;
        node = (struct sta__tree_node){node.level + 1, node.index >> 1};
    }
    tree->node[tree->depth++] = node;
}

/* ---- folding blocks ---- */

struct chunk {
    struct sta__rows in;
    bool values; /* not states yet */
};

/* One pass over a chunk of 2^levels rows: `step` levels of the tree, beginning at `level`. */
static void pass(struct sta__tree *tree, const struct chunk *chunk, int level, int step, int64_t count,
                 const struct sta__state *to)
{
    const struct sta__fold *fold = tree->fold;
    const struct sta__weights weights = sta__weights_of(tree->reducer, tree->unit, level);
    if (step == 3 && tree->columns == 1 && chunk->in.stride == 1 && fold->octets)
        fold->octets(&chunk->in, count, to);
    else if (step == 3)
        (chunk->values ? fold->eights_values : fold->eights)(&chunk->in, tree->columns, count, to, weights.at);
    else if (tree->columns == 1 && chunk->in.stride == 1)
        (chunk->values ? fold->pairs_values : fold->pairs)(&chunk->in, count, to, weights.at);
    else
        (chunk->values ? fold->twos_values : fold->twos)(&chunk->in, tree->columns, count, to, weights.at);
}

/* Single columns without octets go pair by pair, which vectorises along the column, until few are left. */
static int step_of(const struct sta__tree *tree, const struct chunk *chunk, int levels)
{
    const bool column = tree->columns == 1 && chunk->in.stride == 1 && !tree->fold->octets;
    return levels < 3 || (column && levels > 3) ? 1 : 3;
}

/* Folds 2^levels rows into the node above the top of the stack. */
static void fold_chunk(struct sta__tree *tree, struct chunk chunk, int levels)
{
    const struct sta__state to = stacked(tree, tree->depth);
    if (levels >= 3 && chunk.values && tree->fold->scan) {
        tree->fold->scan(&chunk.in, tree->columns, (int64_t)1 << levels, &to);
        return;
    }
    if (!levels && chunk.values)
        sta__make_leaves(tree->reducer, tree->dtype, &chunk.in, tree->columns, 1, &to);
    else if (!levels)
        sta__state_copy(tree->reducer, tree->dtype, tree->columns, &to, &chunk.in.from);
    for (int level = 0, turn = 0; level < levels; turn ^= 1) {
        const int step = step_of(tree, &chunk, levels - level);
        const int64_t count = (int64_t)1 << (levels - level - step);
        const struct sta__state next =
            level + step == levels ? to
                                   : sta__state_in(tree->reducer, tree->dtype, tree->area[turn], count * tree->columns);
        pass(tree, &chunk, level, step, count, &next);
        chunk = (struct chunk){{next, tree->columns, 0}, false};
        level += step;
    }
}

static int chunk_level(const struct sta__tree *tree, int64_t rows, int most)
{
    const int level = level_at(tree->next, tree->next + rows);
    return level < most ? level : most;
}

/* Values of which any order gives the same: a node is a run. */
static void push_runs(struct sta__tree *tree, const char *x, int64_t rows)
{
    while (rows > 0) {
        const int level = level_at(tree->next, tree->next + rows);
        const struct sta__state to = stacked(tree, tree->depth);
        const int64_t count = tree->unit << level;
        tree->fold->run(x, count, tree->next * tree->unit, &to);
        push_node(tree, level);
        x += count * (int64_t)sta_itemsize(tree->dtype);
        rows -= (int64_t)1 << level;
    }
}

/* One column of values as they lie, a run at a time. */
static void push_lines(struct sta__tree *tree, const char *x, int64_t rows)
{
    const int64_t item = (int64_t)sta_itemsize(tree->dtype);
    while (rows > 0) {
        const int64_t most = rows < STA__MOST_NODES ? rows : STA__MOST_NODES;
        const bool aligned = tree->next % ((int64_t)1 << log2_floor(most)) == 0;
        const int64_t count = aligned ? most : (int64_t)1 << level_at(tree->next, tree->next + most);
        const char *node = tree->area[0];
        tree->fold->nodes(x, count, tree->area[0]);
        for (int64_t left = count; left > 0; node += item) {
            const int level = log2_floor(left);
            memcpy(stacked(tree, tree->depth).at[0], node, WIDEST); /* a copy of one size is no call */
            push_node(tree, level);
            left -= (int64_t)1 << level;
        }
        x += count * item;
        rows -= count;
    }
}

void sta__tree_push(struct sta__tree *tree, const void *block, int64_t rows, int64_t row_stride)
{
    const char *x = block;
    const bool convert = !tree->fold->twos_values;
    if (tree->columns == 1 && row_stride == tree->unit && tree->fold->run) {
        push_runs(tree, x, rows);
        return;
    }
    if (tree->columns == 1 && row_stride == 1 && tree->fold->nodes) {
        push_lines(tree, x, rows);
        return;
    }
    const int most = tree->fold->scan ? log2_floor(sta__scan_rows(tree->columns, row_stride)) : tree->chunk_levels;
    while (rows > 0) {
        const int level = chunk_level(tree, rows, most);
        const int64_t taken = (int64_t)1 << level;
        struct chunk chunk = {{{{(void *)(uintptr_t)x}}, row_stride, tree->next}, true};
        if (convert) {
            const struct sta__state leaves =
                sta__state_in(tree->reducer, tree->dtype, tree->leaves, taken * tree->columns);
            sta__make_leaves(tree->reducer, tree->dtype, &chunk.in, tree->columns, taken, &leaves);
            chunk = (struct chunk){{leaves, tree->columns, 0}, false};
        }
        fold_chunk(tree, chunk, level);
        push_node(tree, level);
        x += taken * row_stride * (int64_t)sta_itemsize(tree->dtype);
        rows -= taken;
    }
}

/* ---- pushing states ---- */

/* The next chunk of leaves as they are to be folded: inner indices become those over all reduced axes. */
static struct sta__state placed(struct sta__tree *tree, const struct sta__state *from, int64_t rows)
{
    if (sta__reducer_component(tree->reducer, tree->dtype, 1) != STA_int64)
        return *from;
    const struct sta__state to = sta__state_in(tree->reducer, tree->dtype, tree->leaves, rows * tree->columns);
    sta__state_copy(tree->reducer, tree->dtype, rows * tree->columns, &to, from);
    int64_t *index = to.at[1];
    for (int64_t r = 0; r < rows; r++)
        for (int64_t c = 0; c < tree->columns; c++)
            index[r * tree->columns + c] += (tree->next + r) * tree->unit;
    return to;
}

static void push_states(struct sta__tree *tree, const struct sta__state *leaves, int64_t rows, bool place)
{
    for (int64_t done = 0; done < rows;) {
        const int level = chunk_level(tree, rows - done, tree->chunk_levels);
        const int64_t taken = (int64_t)1 << level;
        struct sta__state from = sta__state_at(tree->reducer, tree->dtype, leaves, done * tree->columns);
        if (place)
            from = placed(tree, &from, taken);
        fold_chunk(tree, (struct chunk){{from, tree->columns, 0}, false}, level);
        push_node(tree, level);
        done += taken;
    }
}

void sta__tree_push_states(struct sta__tree *tree, const struct sta__state *leaves, int64_t rows)
{
    push_states(tree, leaves, rows, true);
}

void sta__tree_push_leaves(struct sta__tree *tree, const struct sta__state *leaves, int64_t rows)
{
    push_states(tree, leaves, rows, false);
}

/* ---- lists ---- */

void sta__tree_push_partial(struct sta__tree *tree, int64_t last, const void *partial, int64_t cells,
                            int64_t first_cell)
{
    void *memory = (void *)(uintptr_t)partial;
    for (int k = 0; tree->next < last; k++) {
        const struct sta__state from = sta__partial_node(tree->reducer, tree->dtype, memory, cells, k, first_cell);
        const struct sta__state to = stacked(tree, tree->depth);
        sta__state_copy(tree->reducer, tree->dtype, tree->columns, &to, &from);
        push_node(tree, level_at(tree->next, last));
    }
}

void sta__tree_emit(const struct sta__tree *tree, void *partial, int64_t cells, int64_t first_cell)
{
    for (int k = 0; k < tree->depth; k++) {
        const struct sta__state from = stacked(tree, k);
        const struct sta__state to = sta__partial_node(tree->reducer, tree->dtype, partial, cells, k, first_cell);
        sta__state_copy(tree->reducer, tree->dtype, tree->columns, &to, &from);
    }
}

void sta__tree_finish(struct sta__tree *tree, const struct sta__state *to)
{
    if (!tree->depth) {
        sta__reducer_empty(tree->reducer, tree->dtype, tree->columns, to);
        return;
    }
    for (; tree->depth > 1; tree->depth--) {
        const struct sta__tree_node left = tree->node[tree->depth - 2];
        const int64_t left_rows = (int64_t)1 << left.level, start = (left.index + 1) << left.level;
        const struct sta__state l = stacked(tree, tree->depth - 2), r = stacked(tree, tree->depth - 1);
        sta__join_ragged(tree, &l, (double)left_rows * (double)tree->unit, &r,
                         (double)(tree->next - start) * (double)tree->unit);
    }
    const struct sta__state root = stacked(tree, 0);
    sta__state_copy(tree->reducer, tree->dtype, tree->columns, to, &root);
    sta__reducer_settle(tree->reducer, tree->dtype, tree->columns, to);
    tree->depth = 0;
}
