/* What the kernel that moves selected elements and those who make its tasks share.
 *
 * The words of a task, after those of its program's inputs (the index arrays, and a source that is computed on the way):
 * rest axes: first[rest], end[rest], indices of the whole; the partner, which is the result of a read and the source of a
 * write: its memory, or -1 where the program computes it, its store axes, (axis, step, start) of each; the tiles of x that
 * this task may touch: how many, (memory, number) of each, those of equal indices along the rest axes one after the other. */
#ifndef STA__MOVE_H
#define STA__MOVE_H

#include "codelets/index/index.h"
#include "elementwise/program.h"

/* The tiles of one part of the rest axes, found by their place along the other axes: places are numbered like tiles. */
struct sta__places {
    int outers, outer[STA_MAXDIM]; /* axes of the frame that arrays take, or that go along with them */
    int64_t weight[STA_MAXDIM];    /* of a place along each */
    int64_t first, count;          /* places first .. first + count - 1 */
    char **origin;                 /* of each: where the frame's index 0 would lie; NULL: not in this task */
    int64_t (*stride)[STA_MAXDIM]; /* bytes, of the frame's axes */
    bool even;                     /* the strides of all tiles are equal */
    int64_t low, high;             /* indices of the first outer axis that this member of a team may write */
};

/* An axis that an array takes, or that goes along with one, and how the tile of an index is found there (lines.h). */
struct sta__axis {
    int array;                    /* -1: it goes along */
    const int64_t *ids;           /* of the line; NULL: it goes along, from `offset` on by `step` */
    int64_t length, offset, step; /* the frame's index is offset + step * (the array's), which is below the length */
    int64_t edge, weight, stride;
    int64_t low, high; /* indices that are this member's */
    bool quick;        /* tiles are found by shifts and a product */
    int shift, tail;
    uint32_t factor;
};
/* The axes of plain lines. */
struct sta__plain {
    int axes;
    struct sta__axis axis[STA_MAXDIM];
    bool holes, all; /* of the places some are missing; none is another task's */
};

/* One member of a team at work. */
struct sta__mover {
    struct sta__job *job;
    const struct sta__move *move;
    struct sta__run run;
    struct sta__places places;
    struct sta__plain plain;
    struct sta__piece lead; /* the partner along the lead axes */
    char *partner;          /* its element at the first index of all axes */
    int partner_memory;
    int64_t rest_first[STA_MAXDIM], rest_end[STA_MAXDIM];    /* of the task */
    int64_t partner_stride[STA_MAXDIM];                      /* along the axes of the whole */
    int64_t part_shape[STA_MAXDIM], part_stride[STA_MAXDIM]; /* of the part that is moved now; the partner's strides */
    char *part;                                              /* the partner's first element of it */
    int64_t part_from[STA_MAXDIM];
    int64_t elements;                /* of one index: the part's size */
    bool run_of_bytes;               /* they lie one after the other on both sides */
    bool rest_alike;                 /* and alike in all tiles: */
    int64_t rest_stride[STA_MAXDIM]; /* of the part, there */
    int outside;                     /* axes of it outside of .. */
    int64_t together;                /* .. so many bytes that do lie one after the other */
    const int64_t *tiles;
    int64_t tile_count;
};

/* Reads the words of the task. */
void sta__mover_open(struct sta__mover *m, struct sta__job *job);
/* The place of a tile: along the outer axes, or along the others. */
int64_t sta__mover_place(const struct sta__mover *m, int64_t tile, bool outer);
/* The part of the rest axes that one tile has, of what the task has. False: nothing. */
bool sta__mover_part(struct sta__mover *m, int64_t tile);
/* The places of tiles first .. end - 1 of the list, which have one part. False: no memory. Close them either way. */
bool sta__mover_places(struct sta__mover *m, int64_t first, int64_t end);
void sta__mover_close(struct sta__mover *m);
/* The strides of the part in a tile along the rest axes, from those of the frame's axes there. */
void sta__mover_strides(const struct sta__mover *m, const int64_t *frame, int64_t *to);

/* One line of selected elements: where the arrays say. -1, or the first that is out of range. */
struct sta__line {
    int64_t count;
    const int64_t *ids[STA__MAXARRAYS];
    char *partner;
    int64_t step;                           /* bytes */
    int64_t at[STA_MAXDIM], by[STA_MAXDIM]; /* of axes that go along: index and step of the frame */
};
int64_t sta__move_line(struct sta__mover *m, const struct sta__line *line);
/* The line where single elements are moved between tiles that lie alike; whether that is so. */
int64_t sta__move_line_fast(struct sta__mover *m, const struct sta__line *line);
bool sta__plain_open(struct sta__mover *m);
/* The line where parts are moved element by element, all indices of each element together; whether that is good. */
int64_t sta__move_line_parts(struct sta__mover *m, const struct sta__line *line);
bool sta__parts_open(struct sta__mover *m);
void sta__elements_touch(int64_t count, char *const *at);

/* x = f(x, y) for elements that may be the same one, in order (operators.c); and for a row of different ones. */
void sta__apply_each(const struct sta__at *op, int64_t count, char *const *at, const char *with, int64_t step);
void sta__apply_row(const struct sta__at *op, int64_t count, char *at, int64_t at_step, const char *with, int64_t step);
/* The loop of an operator where no dtype changes; NULL: there is none. The same bits as the operator's own loop. */
sta__direct *sta__direct_loop(int op, sta_dtype dtype);
sta__put_loop *sta__join_loop(int op, sta_dtype dtype);

extern const struct sta__kernel sta__move_kernel[3]; /* by sta__move_way */
extern const struct sta__kernel sta__survey_kernel;
extern const struct sta__kernel sta__check_kernel;

/* The words of a survey, after those of its program's inputs: the memory of its row. A row is: 0, or 1 + the array with an
 * index out of range; that index; a bit for each tile along the axes that arrays take, `bits` of them. */
enum { STA__ROW_HEAD = 2 };
struct sta__survey_arguments {
    int64_t bits;
};

#endif
