/* How a program is run over one tile: its arguments, and the evaluator that gives the elements block by block. */
#ifndef STA__PROGRAM_H
#define STA__PROGRAM_H

#include "elementwise/compile.h"
#include "graph.h"

enum { STA__MAXPIECES = 96 }; /* pieces of all operands of one task; above, an operand is re-cut */

/* The arguments of a task: this header, then words that sta__words_* write and read in order:
 * the tile's extent[ndim] and, for reductions, its first index[ndim]; for each input and stored output: store_ndim,
 * (axis, step)[store_ndim], the number of pieces, for each piece: memory, from[ndim], to[ndim] (in the tile), start[store_ndim]
 * (in the piece's memory); for each reduction: how its result is written (struct sta__reduce_words). */
struct sta__program_arguments {
    struct sta__program *program;
    int ndim, words;
    uint32_t axes;          /* the axes that this task reduces */
    bool stream;            /* results go past the caches */
    void *shared;           /* of the family whose kernel runs the program */
    int copy_from, copy_to; /* memory that is copied whole before, -1 = none: assignments to a part of a tile */
    int64_t word[];
};

/* One operand of a run: an input or a stored output. */
struct sta__piece {
    int64_t from[STA_MAXDIM], to[STA_MAXDIM];
    char *base;                 /* of the tile's index 0, as if the piece reached there */
    int64_t stride[STA_MAXDIM]; /* bytes */
};
struct sta__run_operand {
    struct sta__piece *piece;
    int pieces, last;
    size_t item;
    const char *loaded; /* what the slot's scratch holds: an address and a block */
    int64_t loaded_rows, loaded_width;
};
struct sta__run {
    const struct sta__program *program;
    const struct sta__program_arguments *arguments;
    struct sta__job *job;
    const struct sta__steps *steps; /* where it is compiled; else NULL */
    int block, buffers;             /* elements of a block; buffers of slots */
    int ndim;
    int64_t extent[STA_MAXDIM], first[STA_MAXDIM];
    uint32_t axes;
    int operands;
    struct sta__run_operand operand[STA__MAXINPUTS + STA__MAXOUTPUTS];
    struct sta__piece piece[STA__MAXPIECES];
    const int64_t *reduce_words; /* memory indices of the reductions' results */
    char *scratch;               /* run.buffers * STA__SLOT_BYTES */
    const void *slot[STA__MAXSLOTS];
};
enum { STA__SLOT_BYTES = 8192 + 64 };

/* A block: `rows` indices of axis `axis` from `origin` on; of axes after it all, but `width` of the last axis where axis
 * is the one before it. For the last axis itself rows is the number of elements and width is 1. */
struct sta__block {
    int64_t origin[STA_MAXDIM];
    int axis;
    int64_t rows, width;
    int64_t count; /* elements */
};

void sta__run_open(struct sta__run *run, struct sta__job *job); /* reads the arguments */
void sta__run_collapse(struct sta__run *run);                   /* merges kept axes that lie one in the other */
bool sta__run_merges(const struct sta__run *run, int axis);     /* whether the axis after it lies in it so */
void sta__run_merge(struct sta__run *run, int axis);            /* makes them one */
/* How a tile is walked: blocks of `rows` indices of `axis`, all of what lies inside. */
struct sta__block_walk {
    int axis;
    int64_t inside, rows;  /* elements of one index of the axis; indices of a block */
    int64_t per_line;      /* blocks along the axis */
    int64_t width, across; /* of a block along the last axis where `axis` is the one before it; how many there are */
    int64_t blocks;
};
struct sta__block_walk sta__block_walk_plan(const struct sta__run *run);
void sta__block_walk_place(const struct sta__run *run, const struct sta__block_walk *walk, int64_t number,
                           struct sta__block *block);
/* Evaluates: the slots then point to `count` elements each; outputs that are stored are in place. */
void sta__run_block(struct sta__run *run, const struct sta__block *block);
/* Whether a slot is an input whose pieces can be read as they lie: along the last axis elements are neighbours. */
bool sta__run_direct(const struct sta__run *run, int slot);
/* The piece of such an input in which the element lies. */
const struct sta__piece *sta__run_piece_at(const struct sta__run *run, int slot, const int64_t *at);

/* The kernel of programs without reductions, and of those with (codelets/reduce/program.c). */
sta_error_code sta__program_run(struct sta__job *job);
bool sta__program_reduce(struct sta__job *job); /* false: no memory */
double sta__program_cost(const struct sta__job *job);
void sta__program_end(void *arguments);
uint32_t sta__program_hash(const void *arguments);
void sta__program_describe(const void *arguments, char *text, size_t bytes);

#endif
