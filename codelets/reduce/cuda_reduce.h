/* Reductions on GPUs: cuda.c runs programs that end in reductions, cuda_stages.c the tasks after them; cuda_text.c writes
 * their kernels. no_cuda.c stands in for all of them. */
#ifndef STA__CUDA_REDUCE_H
#define STA__CUDA_REDUCE_H

#include "elementwise/program.h"
#include "reduce/tree.h"

sta_error_code sta__program_reduce_cuda(struct sta__job *job);
bool sta__program_reduce_ready(struct sta__job *job);
sta_error_code sta__merge_cuda(struct sta__job *job);
bool sta__merge_ready(struct sta__job *job);
sta_error_code sta__outer_cuda(struct sta__job *job);
bool sta__outer_ready(struct sta__job *job);
/* Sets a fault of the job where one of the values is NaN (zero: is zero), and copies `result` to `to`. */
sta_error_code sta__reduce_check_cuda(struct sta__job *job, bool zero, int value, int result, int to);

/* ---- kernels: what their text is made from ---- */

enum sta__reduce_kind {
    STA__REDUCE_ROWS,    /* of a program, the contiguous axis is reduced */
    STA__REDUCE_COLUMNS, /* the contiguous axis is kept */
    STA__REDUCE_NODES,   /* the same for an array of states */
    STA__REDUCE_MERGE    /* node lists */
};
enum sta__reduce_access { STA__ACCESS_VECTORS, STA__ACCESS_STRIDED, STA__ACCESS_FIXED };

enum {
    STA__REDUCE_LIGHT = 2
}; /* nanoseconds on a CPU: elements that cost more are computed fewer times side by side */

/* What a kernel's text depends on, beside the program. Zeroed before it is filled in: it is compared as words. */
struct sta__reduce_key {
    uint8_t kind;
    uint8_t vector, unroll, lanes, warps, outer, pieces; /* cuda_walk.h */
    uint8_t operands, count;
    uint8_t small; /* compiled quickly: there is little to reduce */
    uint8_t access[STA__MAXINPUTS + STA__MAXOUTPUTS];
    uint8_t reducer[STA__MAXOUTPUTS], dtype[STA__MAXOUTPUTS];
};
struct sta__cuda_kernel;
/* The kernel, made where it is not there; `program` is NULL where the kind needs none. NULL: the job's text says why. */
struct sta__cuda_kernel *sta__reduce_kernel(struct sta__job *job, const struct sta__reduce_key *key,
                                            const struct sta__program *program);
struct sta__text;
void sta__reduce_put_kernel(struct sta__text *text, const struct sta__reduce_key *key,
                            const struct sta__program *program);

/* ---- the walk over one axis: words of struct walk ---- */

enum { STA__WALK_WORDS = 700, STA__WALK_PIECES = 32 };
struct sta__cuda_walk_operand {
    char *base[STA__WALK_PIECES];
    int64_t step, side, outer[STA_MAXDIM];
};
struct sta__cuda_walk_target {
    char *at[STA__COMPONENTS]; /* NULL: nobody wants it */
    int64_t node;
};
/* Node lists of adjacent parts of an axis, and where what they make goes. */
struct sta__merge_parts {
    enum sta__reducer reducer;
    sta_dtype dtype;
    int count;
    int64_t cells, unit;
    int64_t cut[STA__MAXBUFFERS + 1];
    const char *part[STA__MAXBUFFERS];
    bool partial;
    struct sta__cuda_walk_target target;
};
/* Launches the merge; where job->cuda is NULL it only makes the kernel. */
sta_error_code sta__merge_launch(struct sta__job *job, const struct sta__merge_parts *merge);

struct sta__cuda_walk {
    struct sta__reduce_key key;
    const struct sta__program *program; /* NULL: states are reduced */
    int64_t length, first, cells, columns, unit;
    bool partial, finished;
    int64_t extent[STA_MAXDIM];  /* key.outer of them */
    int piece_axis, piece_level; /* where operands lie in pieces: cuda_walk.h */
    struct sta__cuda_walk_operand operand[STA__MAXINPUTS + STA__MAXOUTPUTS];
    size_t item[STA__MAXINPUTS + STA__MAXOUTPUTS];
    struct sta__cuda_walk_target target[STA__MAXOUTPUTS];
    struct sta__state source[STA__MAXOUTPUTS];
    /* chosen by sta__cuda_walk_shape */
    int64_t groups, parts, items, blocks, nodes;
    int chunk, turns, wide;
};
/* Chooses how the threads share the work, for so many multiprocessors. */
void sta__cuda_walk_shape(struct sta__cuda_walk *walk, int processors);
/* Launches it; where job->cuda is NULL it only makes the kernel. */
sta_error_code sta__cuda_walk_run(struct sta__job *job, struct sta__cuda_walk *walk);
/* Memory of the device; where job->cuda is NULL an address of none. */
void *sta__cuda_walk_scratch(struct sta__job *job, size_t bytes);

#endif
