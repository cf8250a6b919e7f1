/* Copies on a GPU. C and C++ read this. */
#ifndef STA__CUDA_COPY_H
#define STA__CUDA_COPY_H

#include <stdint.h>

/* An array of bytes in C order and a box in it: `outer` axes with the indices [from, to) each, then a run of bytes. */
struct sta__cuda_rest {
    int64_t row, lower, upper; /* bytes of the last axis, and where the box has them */
    int outer;
    int64_t shape[16], from[16], to[16];
};

struct CUstream_st; /* cudaStream_t points to it */

#ifdef __cplusplus
extern "C"
#endif
    int
    sta__cuda_copy_around(const struct sta__cuda_rest *rest, char *to, const char *from, struct CUstream_st *stream);

#ifndef __cplusplus
#include "internal.h"

/* Assignments to a part of a tile: copies, of the tile that is replaced, what the program does not write. */
sta_error_code sta__cuda_copy_rest(struct sta__job *job);
sta_error_code sta__assemble_cuda(struct sta__job *job);
bool sta__assemble_ready(struct sta__job *job);
#endif

#endif
