/* Boxes of views onto tiles. */
#ifndef STA__MATCH_H
#define STA__MATCH_H

#include "internal.h"

/* The part of a view's box that lies in one tile of the store. */
struct sta__match {
    int64_t tile;
    int64_t from[STA_MAXDIM], to[STA_MAXDIM]; /* view indices, relative to the box */
    int64_t start[STA_MAXDIM];                /* where it begins: a store index relative to the tile */
};
/* The pieces of a box of the view, at most `most` of them; -1: there are more. The value is TILED or NOW (one tile). */
int sta__match_box(const struct sta__value *value, const struct sta__view *view, const struct sta__box *box,
                   struct sta__match *to, int most);
/* All pieces of one box, whatever their number; to be released. NULL: no memory. */
struct sta__match *sta__match_all(const struct sta__operand *operand, const struct sta__box *box, int *count);
/* The view indices whose elements lie in a box of the store; empty (from >= to somewhere): none. */
struct sta__box sta__view_preimage(const struct sta__view *view, const struct sta__box *store);

#endif
