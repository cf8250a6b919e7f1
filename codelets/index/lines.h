/* What the loops over plain lines of indices share: how the tile of an index is found, some indices at a time, without a
 * branch that depends on one. */
#ifndef STA__LINES_H
#define STA__LINES_H

#include "codelets/index/move.h"

enum {
    STA__GROUP = 128
}; /* indices that are looked up together: what is found of them stays in the first-level cache */

/* Sets up the axis of the frame as its move sees it: weight and stride are 0. False: its tiles are uneven. */
bool sta__axis_open(struct sta__axis *axis, const struct sta__move *move, int s);
/* Adds to `place` the weighted tile of each of n indices from number `first` on, and to `offset` the index times the stride.
 * False: one is out of range, and what was added is anything. */
bool sta__axis_find(const struct sta__axis *axis, int64_t first, int64_t n, uint64_t *place, uint64_t *offset);
/* Whether all of them are in range. */
bool sta__ids_fit(const int64_t *ids, int64_t n, int64_t length);

/* The tile of an index: by a shift, by the reciprocal of the edge, by a division. */
enum { STA__BY_SHIFT, STA__BY_FACTOR, STA__BY_DIVISION };
static inline __attribute__((always_inline)) uint64_t sta__axis_tile(const struct sta__axis *axis, int how,
                                                                     uint64_t index)
{
    __extension__ typedef unsigned __int128 wide;
    return how == STA__BY_SHIFT    ? index >> axis->shift
           : how == STA__BY_FACTOR ? (uint64_t)((wide)index * axis->factor >> 64)
                                   : index / (uint64_t)axis->edge;
}

#endif
