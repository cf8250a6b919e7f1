/* Boxes of memory on the device. Plain C, for cuda_boxes.cu and its callers. */
#ifndef STA__CUDA_BOXES_H
#define STA__CUDA_BOXES_H

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { STA__BOX_NDIM = 16 };

/* One box, strides in bytes. */
struct sta__cuda_box {
    char *to;
    const char *from;
    int ndim;
    int64_t shape[STA__BOX_NDIM], to_stride[STA__BOX_NDIM], from_stride[STA__BOX_NDIM];
};
cudaError_t sta__cuda_copy_box(const struct sta__cuda_box *box, size_t item, cudaStream_t stream);
/* Sets the word where one of `count` values, of one or two (complex) numbers of `item` bytes, is NaN; zero: is zero. */
cudaError_t sta__cuda_find(int zero, const void *x, int64_t count, int parts, size_t item, uint32_t *word,
                           cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
