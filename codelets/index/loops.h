/* The hot loops of indexing, built once for each level of x86-64 (loops_find.c): where single elements lie that arrays
 * select, without a branch that depends on an index. */
#ifndef STA__INDEX_LOOPS_H
#define STA__INDEX_LOOPS_H

#include "isa.h"

#include "internal.h"

enum { STA__JOIN_ADD, STA__JOIN_SUBTRACT, STA__JOIN_MULTIPLY, STA__JOINS };

/* What is simple about an axis: its index is the array's, and neighbours are a power of two apart; and the edge of its tiles
 * is a power of two as well. */
enum sta__find_kind { STA__FIND_ANY, STA__FIND_PLAIN, STA__FIND_SIMPLE };

/* An array along one axis. The frame's index is offset + step * (the array's), its tile ((index >> shift) * factor) >> tail.
 * Indices out of range may be told any place. */
struct sta__finding {
    const int64_t *ids;
    int64_t length, offset, step;
    int shift, tail;
    uint32_t factor;
    enum sta__find_kind kind;
    int stride_log;
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

/* Elements of one array in one tile: index i of the frame at origin + i * (bytes of an element). */
struct sta__spots {
    const int64_t *ids;
    int64_t length;
    char *origin;
};
/* For n of them, in order: x = f(x, y), y being `step` bytes apart. */
typedef void sta__put_loop(const struct sta__spots *spots, int64_t n, const char *with, int64_t step);
struct sta__put_loops {
    sta__put_loop *put[17];                       /* x = y, by the bytes of an element */
    sta__put_loop *join[STA__JOINS][STA__DTYPES]; /* where no dtype changes; NULL: there is none */
};
STA__DECLARE_ISAS(struct sta__put_loops, sta__put_loops);

#endif
