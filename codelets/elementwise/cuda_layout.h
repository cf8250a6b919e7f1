/* How the operands of one task lie in a GPU's memory, and which kernel that asks for.
 *
 * The tile is walked in the order of its first result: axes are sorted by its strides and merged where all operands allow. Where
 * an operand comes in several pieces the tile is cut into boxes in which every operand has one; all boxes are walked by one
 * launch. A thread takes a group of `vector` elements along the last axis, `unroll` times; loads come first, so that
 * enough of them are under way. Operands whose fastest axis is another one than the result's go through squares in shared
 * memory.
 */
#ifndef STA__CUDA_LAYOUT_H
#define STA__CUDA_LAYOUT_H

#include "elementwise/cuda_text.h"
#include "elementwise/program.h"

enum {
    STA__CUDA_OPERANDS = STA__MAXINPUTS + STA__MAXOUTPUTS,
    STA__CUDA_THREADS = 256,
    STA__CUDA_WORDS = 4000, /* of a launch's parameters, 8 bytes each: one box with all operands and axes needs half */
    STA__CUDA_USUAL_WORDS = 500, /* that several boxes may take */
    STA__CUDA_KEY_WORDS = 400,   /* of what a kernel's text depends on */
    STA__CUDA_SMALL = 1 << 17    /* elements below which every thread takes one group only */
};

enum sta__cuda_way {
    STA__CUDA_ANY,    /* by its strides, one element at a time */
    STA__CUDA_ALONG,  /* contiguous along the last axis; aligned where groups are read */
    STA__CUDA_SAME,   /* the same element along the last axis */
    STA__CUDA_ACROSS, /* through a square in shared memory */
    STA__CUDA_NUMBER  /* one element, among the parameters of the launch */
};

/* What the text of a kernel depends on, beside the program. Zeroed before it is filled in: it is compared as bytes. */
struct sta__cuda_layout {
    uint8_t ndim, vector, unroll;
    uint8_t wide;                    /* 64-bit indices */
    uint8_t line;                    /* a block takes a stretch of the last axis: ANY, or ALONG without groups */
    uint8_t across;                  /* 1 + the axis along which ACROSS operands run; 0: none */
    uint8_t edge;                    /* of the squares */
    uint8_t operands, sets, numbers; /* operands with equal strides share a set */
    uint8_t boxes;                   /* at most in one launch */
    uint8_t way[STA__CUDA_OPERANDS], set[STA__CUDA_OPERANDS];
};

/* A tile cut into boxes. */
struct sta__cuda_nest {
    struct sta__run run;
    struct sta__program program; /* the run's, where numbers are told as what they are cast to */
    uint64_t number[STA__MAXINPUTS][2];
    int cuts[STA_MAXDIM]; /* of each axis, one more than boxes along it */
    int64_t cut[STA_MAXDIM][2 * STA__MAXPIECES + 2];
    int64_t boxes;
    struct sta__cuda_layout layout;
};

/* Reads the task's arguments; operands that lie on the host and are not one element must have been brought to the GPU. */
void sta__cuda_nest_open(struct sta__cuda_nest *nest, struct sta__job *job);
/* The same for a run that the caller made: program, job, ndim, extent, operands and their pieces. */
void sta__cuda_nest_plan(struct sta__cuda_nest *nest);
/* Begins such a run for a copy of elements of `item` bytes: the program, which must live as long, one input and one output. The
 * caller fills in extents, and bases, ends and strides of both pieces (copy/cuda.c). */
void sta__cuda_copy_run(struct sta__run *run, struct sta__program *program, struct sta__job *job, int ndim,
                        size_t item);
/* The kernel of the nest's program and layout: made where it is not there; NULL: the job's text says why. */
struct sta__cuda_kernel;
struct sta__cuda_kernel *sta__cuda_nest_kernel(const struct sta__cuda_nest *nest, struct sta__job *job);
/* Launches it on the worker of the job. */
sta_error_code sta__cuda_nest_launch(struct sta__cuda_nest *nest, struct sta__job *job);
/* What the kernel is told of boxes [first, first + layout.boxes), as words; how many blocks of threads that takes. */
int64_t sta__cuda_nest_words(struct sta__cuda_nest *nest, int64_t first, uint64_t *words);

/* The kernel's key and its text. */
int sta__cuda_layout_key(const struct sta__program *program, const struct sta__cuda_layout *layout, uint64_t *key);
void sta__cuda_put_kernel(struct sta__text *text, const struct sta__program *program,
                          const struct sta__cuda_layout *layout);
/* What of a program its texts depend on, as words: to begin a key with. Returns how many. */
int sta__cuda_program_key(const struct sta__program *program, uint64_t *key);

#endif
