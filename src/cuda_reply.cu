/* A small result on its way to the host. */
#include "cuda_reply.h"

enum { THREADS = 256 };

static __global__ void tell(char *to, const char *from, size_t bytes, volatile unsigned *word)
{
    const size_t words = bytes / 8;
    for (size_t i = threadIdx.x; i < words; i += THREADS)
        ((unsigned long long *)to)[i] = ((const unsigned long long *)from)[i];
    for (size_t i = 8 * words + threadIdx.x; i < bytes; i += THREADS)
        to[i] = from[i];
    __threadfence_system();
    __syncthreads();
    if (threadIdx.x == 0)
        *word = 1;
}

extern "C" cudaError_t sta__cuda_tell(void *to, const void *from, size_t bytes, unsigned *word, cudaStream_t stream)
{
    tell<<<1, THREADS, 0, stream>>>((char *)to, (const char *)from, bytes, word);
    return cudaGetLastError();
}
