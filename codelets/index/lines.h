/* What the loops over plain lines of indices share: where their elements lie is found for some indices at a time, without a
 * branch that depends on one. */
#ifndef STA__LINES_H
#define STA__LINES_H

#include "codelets/index/loops.h"
#include "codelets/index/move.h"

enum {
    STA__GROUP = 128
}; /* indices that are looked up together: what is found of them stays in the first-level cache */

/* Sets up the axis of the frame as its move sees it: weight and stride are 0. False: its tiles are uneven. */
bool sta__axis_open(struct sta__axis *axis, const struct sta__move *move, int s);
/* Adds to `place` the weighted tile of each of n indices from number `first` on, and to `offset` the index times the stride.
 * What is added for an index out of range is anything. */
void sta__axis_find(const struct sta__axis *axis, int64_t first, int64_t n, uint64_t *place, uint64_t *offset);
/* Whether all of them are in range. */
bool sta__ids_fit(const int64_t *ids, int64_t n, int64_t length);
/* The axis as the loops have it, from index number `first` on; only where it has ids and `quick`. */
struct sta__finding sta__axis_finding(const struct sta__axis *axis, int64_t first);

/* A line in the making: axes along which it stays where it is are taken into account at once. */
struct sta__way {
    int axes;
    struct sta__axis axis[STA_MAXDIM];
    struct sta__placing placing;
    bool all; /* no element is another task's */
};
/* False: the whole line belongs to others. `spare`: 16 bytes for each element of a group. */
bool sta__way_open(const struct sta__mover *m, const struct sta__line *line, char *spare, struct sta__way *way);
/* Where n elements lie, a group at most; those of other tasks in `spare`. Indices are in range. */
void sta__way_find(const struct sta__way *way, int64_t first, int64_t n, char **at);

#endif
