/* For cuda_reply.c and cuda_reply.cu, in plain C. */
#ifndef STA__CUDA_REPLY_H
#define STA__CUDA_REPLY_H

#include <cuda_runtime_api.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Copies `bytes` to host memory and then sets the word there to 1. */
cudaError_t sta__cuda_tell(void *to, const void *from, size_t bytes, unsigned *word, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
