/* The hot loops of indexing, built once for each level of x86-64 (loops_find.c): where single elements lie that arrays
 * select, without a branch that depends on an index. */
#ifndef STA__INDEX_LOOPS_H
#define STA__INDEX_LOOPS_H

#include "isa.h"

#include <stdbool.h>
#include <stdint.h>

/* An array along one axis. The frame's index is offset + step * (the array's), its tile ((index >> shift) * factor) >> tail.
 * Indices out of range may be told any place. */
struct sta__finding {
    const int64_t *ids;
    int64_t length, offset, step;
    int shift, tail;
    uint32_t factor;
    uint64_t weight, stride; /* of a tile, of an index */
    int64_t low, high;       /* indices that are this task's */
};

/* The elements themselves: the tile at a place, which is what all axes add up to, begins at its origin. */
struct sta__placing {
    uint64_t place, base; /* where the sums begin */
    uint64_t count;       /* places, and where their elements would begin */
    char *const *origin;  /* 0: not this task's */
    char *spare;          /* 16 bytes for each element that is not */
};

struct sta__find_loops {
    /* Whether all of the n indices are in range. */
    bool (*fit)(const int64_t *ids, int64_t n, int64_t length);
    /* Where the elements of one array lie: all in one tile; all in this task's tiles; some of them. */
    void (*near)(const struct sta__finding *f, const struct sta__placing *p, int64_t n, char **at);
    void (*all)(const struct sta__finding *f, const struct sta__placing *p, int64_t n, char **at);
    void (*some)(const struct sta__finding *f, const struct sta__placing *p, int64_t n, char **at);
    /* A bit for each tile that is reached, of 64 at most. */
    uint64_t (*bits)(const struct sta__finding *f, int64_t n);
    /* Of several arrays: what each adds to place and offset; then all. */
    void (*add)(const struct sta__finding *f, int64_t n, uint64_t *place, uint64_t *offset);
    void (*gather)(const struct sta__placing *p, int64_t n, const uint64_t *place, const uint64_t *offset, char **at);
};
STA__DECLARE_ISAS(struct sta__find_loops, sta__find_loops);

#endif
