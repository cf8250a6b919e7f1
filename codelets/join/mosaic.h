/* A new array that is put together from parts of others: what joining, padding, rolling and repeating have in common.
 *
 * Along each axis the result is a list of strips. A strip says which indices of which part stand there: its first index
 * is `start` of the part, the following ones are `step` apart (1: a run, -1: turned round, 0: one index again and again).
 * An element lies in one strip of each axis; its part is that of the last axis whose strip names one other than part 0.
 *
 *     concat    one strip for each array          pad      left, x, right: a constant, or x turned round
 *     roll      two strips of x                   delete   strips of what stays
 *
 * Where an element is repeated many times, or a small array as a whole, strips would be too many. Then the result is
 * described with one axis more, along which parts are broadcast, and two axes are merged at the end (sta__mosaic_merge).
 */
#ifndef STA__MOSAIC_H
#define STA__MOSAIC_H

#include "internal.h"

enum { STA__MANY_STRIPS = 4096 }; /* above, selecting single elements costs less */

struct sta__strip {
    int64_t end; /* in the result; it begins where the one before ends */
    int64_t start, step;
    int part;
};

/* What the tasks of one mosaic share; it lives as long as they do. */
struct sta__pattern {
    atomic_int references;
    struct sta__shape shape;
    int64_t count[STA_MAXDIM]; /* strips along each axis */
    int64_t room[STA_MAXDIM];
    struct sta__strip *strip[STA_MAXDIM];
    int parts;
    struct sta__view *view; /* of each part: axes as those of the shape */
};

struct sta__mosaic {
    struct sta__call *call;
    sta_dtype dtype;
    struct sta__pattern *pattern;
    struct sta__operand *part;
    uint32_t given;  /* bit a: axis a has strips, if only empty ones */
    uint32_t merged; /* bit a: axes a and a + 1 are one axis of the result */
    bool failed;
};

/* A mosaic of `parts` parts and of so many axes; what goes wrong is said by sta__mosaic_close. */
struct sta__mosaic sta__mosaic_open(struct sta__call *call, sta_dtype dtype, int ndim, int parts);
/* Part number `part`: its reference is taken over. The view has as many axes as the mosaic. */
void sta__mosaic_part(struct sta__mosaic *mosaic, int part, struct sta__operand *operand);
/* The next strip along an axis: `length` indices, which may be 0. */
void sta__mosaic_strip(struct sta__mosaic *mosaic, int axis, int64_t length, int64_t start, int64_t step, int part);
/* Axes `axis` and `axis` + 1 become one. */
void sta__mosaic_merge(struct sta__mosaic *mosaic, int axis);
/* Computes it and ends it. An axis without strips is that of part 0. A value of its own, NOW or TILED; NULL: call->error.
 * Tiles of parts that stand in the result as they are become tiles of the result: nothing is copied. */
struct sta__value *sta__mosaic_close(struct sta__mosaic *mosaic);
/* Ends it without a result. */
void sta__mosaic_discard(struct sta__mosaic *mosaic);

void sta__pattern_drop(struct sta__pattern *pattern);

/* ---- tasks (cpu.c) ---- */

/* A tile of a part, or a part that enters by address. */
struct sta__mosaic_source {
    int part, memory;
    int64_t from[STA_MAXDIM]; /* the store index where it begins */
};
/* One task fills the box of the result, memory `to`, with what its sources have of it. */
struct sta__mosaic_arguments {
    struct sta__pattern *pattern;
    struct sta__box box;
    int to, sources;
    struct sta__mosaic_source source[];
};
extern const struct sta__kernel sta__mosaic_kernel;
/* What is copied for one cell from one source: addresses, and strides in bytes along the axes of the pattern. */
struct sta__mosaic_box {
    char *to;
    const char *from;
    int64_t shape[STA_MAXDIM], from_stride[STA_MAXDIM];
    const int64_t *to_stride;
};
/* Calls `visit` for those of a share of the task's box until one answers false; whether all answered true. */
bool sta__mosaic_boxes(const struct sta__job *job, const struct sta__box *share,
                       bool (*visit)(const struct sta__mosaic_box *box, void *argument), void *argument);

/* Fills a share of the task's box where its last axis has one element of each part (weave.c); false: it does not. */
bool sta__mosaic_weave(const struct sta__job *job, const struct sta__box *share);

/* The strip that holds the index. */
int64_t sta__strip_find(const struct sta__pattern *pattern, int axis, int64_t index);
/* Where strip k begins in the result. */
static inline int64_t sta__strip_first(const struct sta__pattern *pattern, int axis, int64_t k)
{
    return k ? pattern->strip[axis][k - 1].end : 0;
}

/* A cell: one strip of each axis, clipped to a box. */
struct sta__cell {
    int part;
    int64_t from[STA_MAXDIM], to[STA_MAXDIM];     /* in the result */
    int64_t offset[STA_MAXDIM], step[STA_MAXDIM]; /* index i of the result is offset + step * i of the part */
};
/* Calls `visit` for each cell of the box until one answers false; whether all answered true. */
bool sta__cells(const struct sta__pattern *pattern, const struct sta__box *box,
                bool (*visit)(const struct sta__cell *cell, void *argument), void *argument);
/* How many there are; the largest number where that overflows. */
int64_t sta__cells_count(const struct sta__pattern *pattern, const struct sta__box *box);

#endif
