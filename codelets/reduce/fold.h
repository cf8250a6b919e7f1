/* The loops under the tree (tree.h): one set for each reducer and dtype, compiled once for each instruction set. */
#ifndef STA__FOLD_H
#define STA__FOLD_H

#include "tree.h"

/* How var weighs two nodes of c elements each: 1 / c and c / 2. One entry a level, the lowest first. */
struct sta__weight {
    double reciprocal, half;
};

/* What a loop reads: rows of values, or of states, `stride` elements apart; `index`: of the first row (values only). */
struct sta__rows {
    struct sta__state from; /* values: from.at[0] */
    int64_t stride, index;
};

/* Loops that read values make leaves of them on the way. Each writes `count` consecutive rows of `columns` states. */
struct sta__fold {
    /* columns 1, stride 1: row i is combine(row 2 i, row 2 i + 1) */
    void (*pairs_values)(const struct sta__rows *in, int64_t count, const struct sta__state *to,
                         const struct sta__weight *w);
    void (*pairs)(const struct sta__rows *in, int64_t count, const struct sta__state *to, const struct sta__weight *w);
    /* row i is the tree of three levels over the rows 8 i ... 8 i + 7 */
    void (*eights_values)(const struct sta__rows *in, int64_t columns, int64_t count, const struct sta__state *to,
                          const struct sta__weight *w);
    void (*eights)(const struct sta__rows *in, int64_t columns, int64_t count, const struct sta__state *to,
                   const struct sta__weight *w);
    /* row i is combine(row 2 i, row 2 i + 1) */
    void (*twos_values)(const struct sta__rows *in, int64_t columns, int64_t count, const struct sta__state *to,
                        const struct sta__weight *w);
    void (*twos)(const struct sta__rows *in, int64_t columns, int64_t count, const struct sta__state *to,
                 const struct sta__weight *w);
    /* left = combine(left, right) */
    void (*join)(const struct sta__state *left, const struct sta__state *right, int64_t columns,
                 const struct sta__weight *w);
    /* columns 1, stride 1: row i is the tree of three levels over the rows 8 i ...; NULL: pairs are as good */
    void (*octets)(const struct sta__rows *in, int64_t count, const struct sta__state *to);
    /* the state of `count` consecutive values, for reducers that give the same in any order; NULL: others */
    void (*run)(const void *x, int64_t count, int64_t index, const struct sta__state *to);
    /* one row of states of `rows` rows of values, a power of two from 8 to sta__scan_rows; NULL: eights are as good */
    void (*scan)(const struct sta__rows *in, int64_t columns, int64_t rows, const struct sta__state *to);
    /* the results of whole axes that lie one after the other; false: not of this length. NULL: of none */
    bool (*short_rows)(const void *x, int64_t cells, int64_t length, const struct sta__state *to);
    /* the nodes of `count` consecutive values, STA__MOST_NODES at most, whose first index is a multiple of the largest node: one
     * for each bit of count, the largest first. Of states of one number; NULL: others */
    void (*nodes)(const void *x, int64_t count, void *nodes);
};
enum { STA__MOST_NODES = 4096 };

enum { STA__SCAN_COLUMNS = 512, STA__SCAN_ROWS = 64 }; /* a row's number fits the narrowest type */
/* The most rows of a scan. A contiguous block of few columns has several of its rows taken as one. */
static inline int64_t sta__scan_rows(int64_t columns, int64_t stride)
{
    int64_t rows = STA__SCAN_ROWS;
    while (stride == columns && 2 * rows * columns <= (int64_t)STA__SCAN_COLUMNS * STA__SCAN_ROWS)
        rows *= 2;
    return rows;
}

#define STA__FOLD_DTYPES 16
extern const struct sta__fold sta__folds_base[STA__REDUCERS][STA__FOLD_DTYPES]; /* where there are no levels */
extern const struct sta__fold sta__folds_v2[STA__REDUCERS][STA__FOLD_DTYPES];
extern const struct sta__fold sta__folds_v3[STA__REDUCERS][STA__FOLD_DTYPES];
extern const struct sta__fold sta__folds_v4[STA__REDUCERS][STA__FOLD_DTYPES];

/* The loops of this machine; NULL members where the reducer does not take the dtype. */
const struct sta__fold *sta__fold_of(enum sta__reducer reducer, sta_dtype dtype);

/* Pushes states that are leaves already: nothing is added to their indices. */
void sta__tree_push_leaves(struct sta__tree *tree, const struct sta__state *leaves, int64_t rows);
/* Makes the result final: the NaN without payload. */
void sta__reducer_settle(enum sta__reducer reducer, sta_dtype dtype, int64_t cells, const struct sta__state *to);
/* Of three levels from `level` on. */
struct sta__weights {
    struct sta__weight at[3];
};
struct sta__weights sta__weights_of(enum sta__reducer reducer, int64_t unit, int level);
/* left = combine(left, right) where the right node is cut short by the end of the axis; elements of both. */
void sta__join_ragged(const struct sta__tree *tree, const struct sta__state *left, double left_count,
                      const struct sta__state *right, double right_count);
/* Leaves of values: rows of `columns`, the first one of index `index`, to contiguous rows of states. */
void sta__make_leaves(enum sta__reducer reducer, sta_dtype dtype, const struct sta__rows *in, int64_t columns,
                      int64_t rows, const struct sta__state *to);
/* The state `cells` further on. */
struct sta__state sta__state_at(enum sta__reducer reducer, sta_dtype dtype, const struct sta__state *state,
                                int64_t cells);
/* The components of `cells` states, one after the other from `memory` on, each padded to 8 bytes. */
struct sta__state sta__state_in(enum sta__reducer reducer, sta_dtype dtype, void *memory, int64_t cells);
size_t sta__state_bytes(enum sta__reducer reducer, sta_dtype dtype, int64_t cells);
void sta__state_copy(enum sta__reducer reducer, sta_dtype dtype, int64_t cells, const struct sta__state *to,
                     const struct sta__state *from);

#endif
