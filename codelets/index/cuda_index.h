/* Kernels that move selected elements on GPUs. Plain arguments, so that C and CUDA C++ read this. All launch only; the status is of
 * type cudaError_t. */
#ifndef STA__CUDA_INDEX_H
#define STA__CUDA_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STA__CUDA_AXES = 16, STA__CUDA_ARRAYS = 8 };

/* An axis of the frame that an array takes (`by`), or that goes along with an axis of the lead ones (`axis`, by -1). */
struct sta__cuda_outer {
    int by, axis;
    int64_t offset, step, length; /* frame index = offset + step * (id, or index along the axis) */
    int64_t edge;                 /* of tiles; 0: `cuts` on the device say where they begin */
    int64_t count, weight;        /* tiles along it; what one of them adds to a place's number */
    const int64_t *cuts;
};

/* One part of the rest axes, moved for each index of the lead axes first .. first + count - 1. Strides in bytes; a place is a row
 * on the device: where the frame's index 0 would lie (0: no tile of this task), then strides of the outer axes, of the rest
 * axes. */
struct sta__cuda_move {
    int64_t first, count;
    int leads, rests, outers, arrays;
    int64_t lead_extent[STA__CUDA_AXES], lead_partner[STA__CUDA_AXES];
    int64_t lead_first[STA__CUDA_AXES];
    int64_t rest_extent[STA__CUDA_AXES], rest_partner[STA__CUDA_AXES];
    int64_t units; /* of `unit` bytes each, of one index */
    int unit;
    bool reads, even; /* even: strides of all places are those of the first */
    struct sta__cuda_outer outer[STA__CUDA_AXES];
    const int64_t *ids[STA__CUDA_ARRAYS];
    int64_t length[STA__CUDA_ARRAYS];
    int64_t stride[2 * STA__CUDA_AXES]; /* where they are even: outer axes, then rest axes */
    int64_t place_first, places;
    const int64_t *place;
    char *partner;
    const uint8_t *wins;     /* of each index of the slice: whether it is moved; NULL: all are */
    unsigned long long *bad; /* the first index that is out of range, all bits set at first; NULL: not looked at */
};

/* How threads of a block share indices and units: 2^x of them along the units, `across` blocks too. */
struct sta__cuda_shares {
    int x;
    int64_t across, blocks;
};
static inline struct sta__cuda_shares sta__cuda_share(int64_t count, int64_t units, int threads)
{
    struct sta__cuda_shares s = {0, 1, 0};
    while ((INT64_C(1) << s.x) < units && (INT64_C(1) << s.x) < threads)
        s.x++;
    s.across = (units + (INT64_C(4) << s.x) - 1) / (INT64_C(4) << s.x);
    s.across = s.across < 1 ? 1 : s.across > 65535 ? 65535 : s.across;
    const int64_t rows = threads >> s.x, most = (INT64_C(1) << 30) / s.across;
    s.blocks = (count + rows - 1) / rows;
    s.blocks = (s.blocks < most ? s.blocks : most) * s.across;
    return s;
}

#ifdef __cplusplus
extern "C" {
#endif

int sta__cuda_move_launch(const struct sta__cuda_move *move, void *stream);
/* Where *bad is an index: words = 1 + the first array that is wrong there, and what it says, in two words. */
int sta__cuda_move_report(const struct sta__cuda_move *move, uint32_t *words, void *stream);

/* Targets of a slice in order: keys number the elements of the outer axes of the frame, `space` of them; that one or more
 * is not in this task. */
struct sta__cuda_targets {
    int64_t space;
    bool wide;               /* keys have 64 bits; else 32 */
    void *key[2];            /* as found; sorted, where indices of one target keep their order */
    uint32_t *order[2];      /* the same of the indices within the slice */
    char **target;           /* of each index: where its first element lies; NULL: not needed */
    const int64_t **strides; /* of each index: its rest strides on the device; NULL: not needed */
    void *temporary;
    size_t temporary_bytes;
};
/* How many bytes sorting `count` targets takes besides. */
int sta__cuda_targets_room(int64_t count, struct sta__cuda_targets *t);
int sta__cuda_targets_sort(const struct sta__cuda_move *move, const struct sta__cuda_targets *t, void *stream);
/* wins: of each index of the slice, whether it is the last one for its element. */
int sta__cuda_last_sorted(const struct sta__cuda_targets *t, int64_t count, uint8_t *wins, void *stream);
/* The same by a table of all elements instead of sorting: `owner` has room for `space` words. */
int sta__cuda_last_owned(const struct sta__cuda_move *move, int64_t space, uint32_t *owner, uint8_t *wins,
                         void *stream);

/* A survey of `count` indices of each array: `row` as in move.h, zeroed on the way. Bits are numbered along the axes of `move`
 * that arrays take, by their weights. */
int sta__cuda_survey(const struct sta__cuda_move *move, int64_t bits, int64_t *row, int64_t words, void *stream);

#ifdef __cplusplus
}
#endif

#ifndef __cplusplus
#include "internal.h"

sta_error_code sta__move_cuda(struct sta__job *job);
bool sta__move_ready(struct sta__job *job);
sta_error_code sta__move_fault(const void *arguments, const uint32_t *words, char *text, size_t bytes);
sta_error_code sta__survey_cuda(struct sta__job *job);
bool sta__survey_ready(struct sta__job *job);

/* The results of the task's program as arrays on the device, in C order. Where one is an operand as it lies, that. The other
 * operands are brought to the device too. */
sta_error_code sta__cuda_results(struct sta__job *job, const void **to);
bool sta__cuda_results_ready(struct sta__job *job); /* after sta__cuda_imagine */

/* Applies the operator of a move to sorted targets. */
struct sta__at;
sta_error_code sta__cuda_at(struct sta__job *job, const struct sta__at *at, sta_dtype dtype,
                            const struct sta__cuda_move *c, const struct sta__cuda_targets *t);
bool sta__cuda_at_ready(struct sta__job *job, const struct sta__at *at, sta_dtype dtype);
struct sta__text;
bool sta__cuda_at_text(const struct sta__at *at, sta_dtype dtype, struct sta__text *text); /* for tests */

sta_error_code sta__mask_count_cuda(struct sta__job *job);
sta_error_code sta__mask_take_cuda(struct sta__job *job);
sta_error_code sta__mask_indices_cuda(struct sta__job *job);
sta_error_code sta__unravel_cuda(struct sta__job *job);
sta_error_code sta__ravel_cuda(struct sta__job *job);
sta_error_code sta__unravel_fault(const void *arguments, const uint32_t *words, char *text, size_t bytes);
sta_error_code sta__ravel_fault(const void *arguments, const uint32_t *words, char *text, size_t bytes);
sta_error_code sta__triangle_cuda(struct sta__job *job);
#endif

#endif
