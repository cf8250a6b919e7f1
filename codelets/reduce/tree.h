/* Reductions whose bits depend on nothing but the data: not on tiles, blocks, threads or instruction sets.
 *
 * RULE. The reduction along an axis of length n is the aligned binary tree over the element index:
 *     node(0, i) = leaf(x[i]);   node(k, i) = combine(node(k - 1, 2 i), node(k - 1, 2 i + 1));
 * a node whose right child lies wholly beyond n is its left child. Several axes: the last one first, then the one
 * before it, whose leaves are the finished results of the inner one.
 *
 * Who holds the indices [a, b) reduces them to the list of the maximal aligned nodes inside [a, b): rising levels, then
 * falling ones, 2 log2(b - a) at most and one if [a, b) is an aligned power of two. The list follows from (a, b) alone,
 * so that only states travel. Lists of adjacent ranges are merged in any association; at [0, n) the right edge is
 * finished. Every function here is pure arithmetic on memory: no StarPU, no allocation, no lock.
 *
 * A tree reduces one axis for `columns` kept cells at once. In use:
 *
 *     struct sta__tree tree;
 *     void *memory = sta__allocate(sta__tree_bytes(STA__REDUCE_SUM, dtype, columns, a, b));
 *     sta__tree_begin(&tree, STA__REDUCE_SUM, dtype, columns, a, 1, memory);
 *     for (each block of rows) sta__tree_push(&tree, block, rows, columns);
 *     sta__tree_emit(&tree, partial, cells, first_cell);         part of the axis: the node list of [a, b), or
 *     sta__tree_finish(&tree, to);                               the whole axis, a = 0: the result.
 *
 *     sta__tree_begin(&tree, ..., 0, 1, memory);                 the merge, tile after tile in index order:
 *     for (each tile) sta__tree_push_partial(&tree, tile_b, partial, cells, first_cell);
 *     sta__tree_finish(&tree, to);
 *
 * begin costs nothing: one memory serves a strip of columns after the other. Threads share a range by giving each a
 * range and a tree of its own and merging the emitted lists; powers of two make short lists.
 *
 * Nested axes: the inner tree is finished for each index of the outer axis (all of whose inner range must be at hand or
 * merged first) and the result pushed into the outer tree with sta__tree_push_states. The outer tree's `unit` is the
 * product of the lengths of the axes inside it: var weighs with it, and argmin/argmax number the elements by it (C
 * order over the reduced axes). Short inner axes go many at a time through sta__fold_rows.
 */
#ifndef STA__TREE_H
#define STA__TREE_H

#include <starray/array.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sta__reducer {
#define STA_REDUCER(name, blocks, state0, state1, empty) STA__REDUCE_##name,
#include "reducers.def"
#undef STA_REDUCER
    STA__REDUCERS
};

#define STA__COMPONENTS 2   /* the most components of a state */
#define STA__TREE_NODES 128 /* the most nodes of a list: two a level */

/* States of consecutive cells: one contiguous array a component (at[1] NULL where there is only one). */
struct sta__state {
    void *at[STA__COMPONENTS];
};

/* ---- facts of a reducer ---- */

const char *sta__reducer_name(enum sta__reducer reducer);
/* The dtype of the blocks in which an array of `dtype` is reduced: what to cast to first. NONE: not defined for it.
 * sum, prod: int64, uint64 (bool: int64); 16-bit floats: float32; var: integers float64; any, all, count: bool. */
sta_dtype sta__reducer_dtype(enum sta__reducer reducer, sta_dtype dtype);
/* The dtype of a component of the state; NONE: there is none. `dtype` is that of the blocks, here and below. */
sta_dtype sta__reducer_component(enum sta__reducer reducer, sta_dtype dtype, int component);
/* Whether elements may be combined in any order and tree: integers, truth, extremes and their positions. */
bool sta__reducer_any_order(enum sta__reducer reducer, sta_dtype dtype);
/* Writes what an empty range gives. False: it gives nothing (min of nothing is an error). */
bool sta__reducer_empty(enum sta__reducer reducer, sta_dtype dtype, int64_t cells, const struct sta__state *to);

/* ---- node lists and their memory ---- */

struct sta__tree_node {
    int level;
    int64_t index; /* it covers the elements index << level ... */
};
/* The nodes of [first, last) in index order; nodes may be NULL. Returns how many. */
int sta__tree_nodes(int64_t first, int64_t last, struct sta__tree_node *nodes);
/* A partial is the states of a node list for `cells` cells: node after node, in a node component after component, each
 * an array of all cells, padded to 8 bytes. Alignment 8. */
size_t sta__partial_bytes(enum sta__reducer reducer, sta_dtype dtype, int64_t first, int64_t last, int64_t cells);
/* The state of one node from cell first_cell on. */
struct sta__state sta__partial_node(enum sta__reducer reducer, sta_dtype dtype, void *partial, int64_t cells, int node,
                                    int64_t first_cell);

/* ---- one axis ---- */

struct sta__tree {
    const struct sta__fold *fold; /* the loops of (reducer, dtype) for this machine */
    enum sta__reducer reducer;
    sta_dtype dtype;
    int64_t columns;
    int64_t first, next; /* the range seen so far */
    int64_t unit;        /* elements of a leaf */
    int depth;           /* nodes on the stack, which is the list of [first, next) */
    struct sta__tree_node node[STA__TREE_NODES];
    int chunk_levels; /* so many levels are folded at once */
    size_t node_bytes;
    char *stack, *leaves, *area[2];
};

/* The memory of a tree that sees no more than [first, last). Alignment 64. */
size_t sta__tree_bytes(enum sta__reducer reducer, sta_dtype dtype, int64_t columns, int64_t first, int64_t last);
void sta__tree_begin(struct sta__tree *tree, enum sta__reducer reducer, sta_dtype dtype, int64_t columns, int64_t first,
                     int64_t unit, void *memory);
/* The same tree, as it began, over a range from `first` on. */
void sta__tree_again(struct sta__tree *tree, int64_t first);
/* The next `rows` indices: row r, column c at block[r * row_stride + c], in elements. Any number of rows; fastest where
 * the range begins and ends at multiples of 8 rows (columns == 1: of 512). On trees of unit 1; where any order gives the
 * same (sta__reducer_any_order) and there is one column, also on others: a row is `unit` elements, row_stride is unit. */
void sta__tree_push(struct sta__tree *tree, const void *block, int64_t rows, int64_t row_stride);
/* The next `rows` indices as finished states of inner axes: component k, row r, column c at at[k][r * columns + c]. */
void sta__tree_push_states(struct sta__tree *tree, const struct sta__state *leaves, int64_t rows);
/* The node list of [next, last), as emitted by another tree: the cells first_cell ... of a partial of `cells`. */
void sta__tree_push_partial(struct sta__tree *tree, int64_t last, const void *partial, int64_t cells,
                            int64_t first_cell);
/* Writes the node list of [first, next) as the cells first_cell ... of a partial of `cells`. */
void sta__tree_emit(const struct sta__tree *tree, void *partial, int64_t cells, int64_t first_cell);
/* The range is the whole axis, first == 0: writes the result. A NaN that was computed (sum, prod, var) is the positive
 * quiet NaN without payload: processors differ in the one they make. Ends the tree. */
void sta__tree_finish(struct sta__tree *tree, const struct sta__state *to);

/* ---- many short axes at once ---- */

/* The scratch of sta__fold_rows. Alignment 64. */
size_t sta__fold_rows_bytes(enum sta__reducer reducer, sta_dtype dtype, int64_t cells, int64_t length);
/* Whole axes of `length` elements that lie one after the other: cell c has block[c * length ...]. Writes the finished
 * result of each; the same bits as a tree a cell. Best while cells * length elements stay in the first-level cache. */
void sta__fold_rows(enum sta__reducer reducer, sta_dtype dtype, const void *block, int64_t cells, int64_t length,
                    const struct sta__state *to, void *scratch);
/* The same of states: the leaves of cell c are the states c * length ... */
void sta__fold_rows_states(enum sta__reducer reducer, sta_dtype dtype, const struct sta__state *leaves, int64_t cells,
                           int64_t length, int64_t unit, const struct sta__state *to, void *scratch);

#endif
