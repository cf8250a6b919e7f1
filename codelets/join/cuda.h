/* Mosaics on GPUs; no_cuda.c stands in without CUDA. C and C++ read this. */
#ifndef STA__JOIN_CUDA_H
#define STA__JOIN_CUDA_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
/* Copies `boxes` boxes of elements of `item` bytes. A row of the table for each, on the device: how many elements there are in those
 * before it; addresses to and from; shape[ndim], to_stride[ndim], from_stride[ndim]. The status is of type cudaError_t. */
int sta__cuda_copy_boxes(const int64_t *table, int64_t boxes, int ndim, int64_t elements, int item, void *stream);
#ifdef __cplusplus
}
#else

#include "internal.h"

sta_error_code sta__mosaic_cuda(struct sta__job *job);
bool sta__mosaic_ready(struct sta__job *job);
#endif

#endif
