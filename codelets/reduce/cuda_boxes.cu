/* Copies of boxes, an element a thread, and the search for NaN and zero. */
#include "cuda_boxes.h"

enum { THREADS = 256, MOST_BLOCKS = 4096 };

static unsigned blocks_for(int64_t count)
{
    const int64_t blocks = (count + THREADS - 1) / THREADS;
    return (unsigned)(blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS);
}

template <class T> static __global__ void copy(const __grid_constant__ sta__cuda_box box, int64_t count)
{
    const int64_t step = (int64_t)gridDim.x * THREADS;
    for (int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x; i < count; i += step) {
        int64_t rest = i, to = 0, from = 0;
        for (int d = box.ndim - 1; d >= 0; d--) {
            const int64_t at = rest % box.shape[d];
            rest /= box.shape[d];
            to += at * box.to_stride[d];
            from += at * box.from_stride[d];
        }
        *(T *)(box.to + to) = *(const T *)(box.from + from);
    }
}

template <class T> static cudaError_t copy_as(const sta__cuda_box *box, int64_t count, cudaStream_t stream)
{
    copy<T><<<blocks_for(count), THREADS, 0, stream>>>(*box, count);
    return cudaGetLastError();
}

extern "C" cudaError_t sta__cuda_copy_box(const sta__cuda_box *box, size_t item, cudaStream_t stream)
{
    int64_t count = 1;
    for (int d = 0; d < box->ndim; d++)
        count *= box->shape[d];
    if (count == 0)
        return cudaSuccess;
    switch (item) {
    case 1:
        return copy_as<uint8_t>(box, count, stream);
    case 2:
        return copy_as<uint16_t>(box, count, stream);
    case 4:
        return copy_as<uint32_t>(box, count, stream);
    case 8:
        return copy_as<uint2>(box, count, stream);
    default:
        return copy_as<uint4>(box, count, stream);
    }
}

template <class T> static __global__ void find(int zero, const T *x, int64_t count, int parts, uint32_t *word)
{
    const int64_t step = (int64_t)gridDim.x * THREADS;
    for (int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x; i < count; i += step) {
        const T first = x[i * parts], last = x[i * parts + parts - 1];
        if (zero ? first == 0 && last == 0 : first != first || last != last)
            *word = 1; /* all that write it write the same */
    }
}

extern "C" cudaError_t sta__cuda_find(int zero, const void *x, int64_t count, int parts, size_t item, uint32_t *word,
                                      cudaStream_t stream)
{
    if (count == 0)
        return cudaSuccess;
    if (item == 4)
        find<<<blocks_for(count), THREADS, 0, stream>>>(zero, (const float *)x, count, parts, word);
    else
        find<<<blocks_for(count), THREADS, 0, stream>>>(zero, (const double *)x, count, parts, word);
    return cudaGetLastError();
}
