/* The hot loops of indexing, built once for each level of x86-64 (loops_find.c): where single elements lie that arrays
 * select, without a branch that depends on an index. */
#ifndef STA__INDEX_LOOPS_H
#define STA__INDEX_LOOPS_H

#include "isa.h"

#include "internal.h"

enum { STA__JOIN_ADD, STA__JOIN_SUBTRACT, STA__JOIN_MULTIPLY, STA__JOINS };

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
    bool alone;           /* there is one tile, and all lies in it */
    char *spare;          /* 16 bytes for each element that is not */
};

struct sta__find_loops {
    /* Whether all of the n indices are in range. */
    bool (*fit)(const int64_t *ids, int64_t n, int64_t length);
    /* Where the elements of one array lie: all in one tile; in four places at most, or eight; all in this task's tiles; some
     * of them. Only the last looks at low and high. */
    void (*near)(const struct sta__finding *f, const struct sta__placing *p, int64_t n, char **at);
    void (*four)(const struct sta__finding *f, const struct sta__placing *p, int64_t n, char **at);
    void (*eight)(const struct sta__finding *f, const struct sta__placing *p, int64_t n, char **at);
    void (*all)(const struct sta__finding *f, const struct sta__placing *p, int64_t n, char **at);
    void (*some)(const struct sta__finding *f, const struct sta__placing *p, int64_t n, char **at);
    /* A bit for each tile that is reached, of 64 at most. */
    uint64_t (*bits)(const struct sta__finding *f, int64_t n);
    /* Of several arrays: what each adds to place and offset; then all. */
    void (*add)(const struct sta__finding *f, int64_t n, uint64_t *place, uint64_t *offset);
    void (*gather)(const struct sta__placing *p, int64_t n, const uint64_t *place, const uint64_t *offset, char **at);
};
STA__DECLARE_ISAS(struct sta__find_loops, sta__find_loops);

/* Elements of one array along one axis, neighbours of which lie side by side; how their tiles are found is said above. What
 * the loops need of them stays in registers. */
enum { STA__SPOT_TILES = 64 };
struct sta__spots {
    const int64_t *ids;
    int64_t length;
    int shift, tail;
    uint32_t factor;
    bool simple;                   /* the edge is a power of two */
    int tiles;                     /* 1: all lies in the first */
    char *origin[STA__SPOT_TILES]; /* of index 0 of the frame, as if the tile reached there; NULL: not this task's */
};
/* For n of them, in order: x = f(x, y), y being `step` bytes apart. */
typedef void sta__put_loop(const struct sta__spots *spots, int64_t n, const char *with, int64_t step);
struct sta__put_loops {
    /* x = y, by the bytes of an element. To be found and written in one go is faster than to write down first where they lie: a
     * store that waits for memory holds nothing up, and many are under way at a time. */
    sta__put_loop *put[17];
    /* Of one tile, where no dtype changes; NULL: there is none. A load that waits does hold up: of several tiles the places are
     * better written down. */
    sta__put_loop *join[STA__JOINS][STA__DTYPES];
};
STA__DECLARE_ISAS(struct sta__put_loops, sta__put_loops);

#endif
