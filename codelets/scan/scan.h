/* Scans: y[i] = x[0] op x[1] op ... op x[i] along an axis, whose bits depend on nothing but the data.
 *
 * RULE of the operators of ufuncs.def marked TREE in scanned.h. y[i] is the reduction of x[0 .. i] by the
 * aligned binary tree over the element index that codelets/reduce/tree.h defines:
 *     node(0, i) = x[i];   node(k, i) = node(k - 1, 2 i) op node(k - 1, 2 i + 1);
 * [0, i + 1) is a list of nodes of falling levels, one for each bit of i + 1, and
 *     y[i] = n0 op (n1 op (n2 op ...)).
 * So the last element of a cumulative sum is the sum, bit by bit, and so is every other the sum of the elements up to it;
 * the error of a sum grows with the logarithm of its length. Inside an aligned block of 2^k elements this is Sklansky's
 * scan: k steps, in each of which the right half of every block gets the last element of the left half from the left. A
 * vector unit, a team and a GPU all do just that; other axes are columns, done side by side.
 *
 * A tile [a, b) needs the list of [0, a), its prefix. It comes in three steps: the list of each [a, b) by itself (total), the
 * lists of [0, a) from one tile to the next (prefix), and the elements (scan).
 *
 * RULE of the other operators, which are not associative even in exact arithmetic, or not worth it:
 *     y[i] = y[i - 1] op x[i],
 * tile after tile. 16-bit floats are computed in float32 in both rules, and rounded once at the end.
 */
#ifndef STA__SCAN_H
#define STA__SCAN_H

#include "elementwise/ufunc.h"

/* ---- loops ---- */

/* A stack of nodes is `depth` rows of `width` elements: the list of [origin, first). */
struct sta__scan_stack {
    char *nodes;
    int64_t width;
    int64_t origin, first;
    int depth;
};

/* The loops of one operator and dtype. All members NULL: there are none. */
struct sta__scan_loops {
    /* The next n elements of one line (a stack of width 1): y = their scan, where y is not NULL; their nodes are pushed. */
    void (*line)(struct sta__scan_stack *stack, int64_t n, const void *x, void *y);
    /* n elements: to = node 0 op (node 1 op (... op right)); nodes are rows of `width` elements; to may be a node or right. */
    void (*join)(int64_t n, const void *nodes, int64_t width, int count, const void *right, void *to);
    /* The node of eight rows of n elements, `stride` elements apart, of an aligned block. NULL: joined row by row. */
    void (*eight)(int64_t n, const void *x, int64_t stride, void *to);
    /* The other rule: rows of `columns` elements, rows `stride` and columns `step` apart, one of which is 1; `last` is the row
     * before, and becomes the last one. y NULL: only that. started: there is a row before. */
    void (*serial)(int64_t rows, int64_t columns, int64_t stride, int64_t step, const void *x, void *y, void *last,
                   int started);
};
/* NULL: the operator has no scan in this dtype. */
const struct sta__scan_loops *sta__scan_loops(int op, sta_dtype dtype);
enum { STA__SCAN_NODES = 64 }; /* the most nodes of a list that begins at 0 */

/* ---- kernels ---- */

enum { STA__SCAN_LISTS = 64 }; /* that one task reads at most */

/* A tile along the axis and its neighbours: (outer, length, inner), all contiguous. A list in memory is rows of all cells of
 * the tile (outer * inner), node after node. -1: there is no such memory. */
struct sta__scan_arguments {
    int op, axis;
    sta_dtype dtype, from; /* of the scan; of memory x, cast on the way (on GPUs: the same) */
    int64_t first, last;   /* the tile is [first, last) */
    int64_t identity;      /* what stands before the first element, where `lead` */
    bool lead;             /* the tile of y begins with the identity */
    bool started;          /* serial: memory `carry` has the row before */
    int x, y;
    int tiles; /* of x: so many memories from x on, one after the other along the axis; 1 where one is scanned, or on GPUs */
    int prefix;  /* the list of [0, first) */
    int partial; /* the list of [first, last) */
    int carry;   /* the list of [0, last); serial: the last row */
    int lists;   /* finish: so many memories from partial on, each the list from the end of the one before */
    int64_t end[STA__SCAN_LISTS];
};
extern const struct sta__kernel sta__scan_total;  /* x -> partial */
extern const struct sta__kernel sta__scan_prefix; /* prefix, partial -> carry */
extern const struct sta__kernel sta__scan_kernel; /* x, prefix -> y */
extern const struct sta__kernel sta__scan_serial; /* x, carry -> y, carry; y may be -1 */
extern const struct sta__kernel sta__scan_finish; /* x, or prefix and partial -> y, the reduction of [0, last) */
/* Nodes of the lists. */
int sta__scan_prefix_nodes(int64_t last);                 /* of [0, last) */
int sta__scan_partial_nodes(int64_t first, int64_t last); /* of [first, last) */
/* The length of the next maximal aligned block of [first, last). */
int64_t sta__scan_block(int64_t first, int64_t last);

/* ---- front ---- */

struct sta__scan_request {
    int op;
    sta_dtype dtype;  /* to cast to first, and of the result; one that has loops */
    int axis;         /* in range */
    int64_t identity; /* what comes first */
    bool lead;        /* the result begins with the identity, and is longer by 1 */
    bool reduce;      /* only the last element; the result has no such axis */
};
/* NULL: the call's error. The operand's reference stays with the caller. An axis of length 0 is not reduced. */
struct sta__value *sta__scan_value(struct sta__call *call, const struct sta__operand *x,
                                   const struct sta__scan_request *request);

#endif
