/* The hot loops of indexing, built once for each level of x86-64 (loops_find.c): where single elements lie that one array
 * selects along one axis, without a branch that depends on an index. */
#ifndef STA__INDEX_LOOPS_H
#define STA__INDEX_LOOPS_H

#include "isa.h"

#include <stdbool.h>
#include <stdint.h>

/* The frame's index is offset + step * (the array's), its tile that by a shift; the element lies at the tile's origin +
 * index * stride + base. Indices out of range may be told any place. */
struct sta__finding {
    const int64_t *ids;
    int64_t length, offset, step;
    int shift;
    uint64_t weight, place; /* the place of a tile: number * weight + place */
    uint64_t stride, base;
    uint64_t count; /* places, and where their elements would begin */
    char *const *origin;
    int64_t low, high; /* indices that are this task's */
    char *spare;       /* 16 bytes for each element that is not */
};

struct sta__find_loops {
    /* Whether all of the n indices are in range. */
    bool (*fit)(const int64_t *ids, int64_t n, int64_t length);
    /* Where they lie: all in one tile; all in this task's tiles; some of them. */
    void (*near)(const struct sta__finding *f, int64_t n, char **at);
    void (*all)(const struct sta__finding *f, int64_t n, char **at);
    void (*some)(const struct sta__finding *f, int64_t n, char **at);
    /* A bit for each tile that is reached, of 64 at most. */
    uint64_t (*bits)(const struct sta__finding *f, int64_t n);
};
STA__DECLARE_ISAS(struct sta__find_loops, sta__find_loops);

#endif
