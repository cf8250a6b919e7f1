/* How a product is cut into blocks. */
#ifndef STA__BLOCKS_H
#define STA__BLOCKS_H

#include "internal.h"

/* The cuts of one axis: regular by `edge`, or those of an axis of another grid. */
struct sta__cuts {
    int64_t length, edge;
    const struct sta__grid *like; /* not NULL: cut as its axis `axis` */
    int axis;
};
/* NULL: no memory. */
struct sta__grid *sta__grid_of_cuts(const struct sta__cuts *cuts, int ndim);

/* A stored operand: its grid as it is (NULL: it is not in tiles, or seen through a view), and its axes. */
struct sta__stored {
    const struct sta__grid *grid;
    bool transposed;
};
/* (lead ..., k) times (k, n). The lead axes together are the m rows. */
struct sta__blocks {
    int lead;
    int64_t m, n, k;
    struct sta__cuts rows[STA_MAXDIM], inner, columns;
    int64_t groups; /* partial sums over l, of which each has a share of the blocks of l */
};
/* Fills in the cuts and groups. rows[].length, m, n, k and lead are given. */
void sta__blocks_choose(struct sta__blocks *b, sta_dtype dtype, const struct sta__stored *a,
                        const struct sta__stored *w);
/* Cuts the leading axes first, so that `room` elements of the axes together lie in a tile. */
void sta__cuts_lead(struct sta__cuts *cuts, int count, int64_t room);
int64_t sta__cuts_count(const struct sta__cuts *cuts);

#endif
