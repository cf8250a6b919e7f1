/* Values in other shapes and dtypes: the same bytes in C order. Where the tiles of the one are tiles of the other they are
 * shared, and cost nothing. */
#ifndef STA__RESHAPE_H
#define STA__RESHAPE_H

#include "internal.h"

/* ---- values ---- */

/* The value, NOW or TILED, as one of the dtype and shape, of as many bytes. A new reference; NULL: call->error. */
struct sta__value *sta__reshaped(struct sta__call *call, struct sta__value *value, sta_dtype dtype,
                                 const struct sta__shape *shape);
/* A second table of the same tiles. NULL: no memory. */
struct sta__value *sta__value_share(const struct sta__value *value);
/* Whether that shares the tiles. */
bool sta__reshape_shares(const struct sta__value *value, sta_dtype dtype, const struct sta__shape *shape);

/* A grid of the shape `from`, whose elements are `own`, that is shared with the usual one of the other shape and dtype. NULL:
 * there is none, or no memory. */
struct sta__grid *sta__reshape_grid(sta_dtype own, const struct sta__shape *from, sta_dtype dtype,
                                    const struct sta__shape *shape);
/* Whether each tile is one run of C order, and the runs follow each other. */
bool sta__grid_is_runs(const struct sta__grid *grid);
/* Cuts of one axis (count + 1 of them, taken over): equal ones become an edge. The axes before it are cut at each index,
 * those after it not. NULL: no memory. */
struct sta__grid *sta__grid_cut_at(const struct sta__shape *shape, int axis, int64_t *cuts, int64_t count);

/* ---- tiles of shared tables: what a task sees is not the tile's own shape and dtype ---- */

struct sta__guise {
    sta_dtype dtype;
    int ndim;
    int64_t shape[];
};
/* *to is NULL where the tile is as the value has it. To be released. False: no memory. */
bool sta__guise_of(const struct sta__value *value, int64_t tile, struct sta__guise **to);
bool sta__guise_equal(const struct sta__guise *a, const struct sta__guise *b);
void sta__guise_apply(const struct sta__guise *guise, struct sta__memory *memory); /* NULL: nothing */

#endif
