/* Copies an array but for a box in it that is written afterwards. A warp takes a segment of the array; most segments lie
 * in the box as a whole and are left at once. 16 bytes that are partly in the box are copied: they are overwritten later. */
#include "copy/cuda_copy.h"

static const int SEGMENT = 4096, THREADS = 256;

/* Whether bytes [begin, end) lie in the box as a whole; they do not if they are in two rows. */
static __device__ bool inside(const struct sta__cuda_rest &rest, int64_t begin, int64_t end)
{
    int64_t row = begin / rest.row, at = begin - row * rest.row;
    if (at < rest.lower || at + (end - begin) > rest.upper)
        return false;
    for (int a = rest.outer - 1; a >= 0; a--) {
        int64_t before = row / rest.shape[a], index = row - before * rest.shape[a];
        if (index < rest.from[a] || index >= rest.to[a])
            return false;
        row = before;
    }
    return true;
}

static __global__ void __launch_bounds__(THREADS)
    copy_around(const __grid_constant__ sta__cuda_rest rest, char *__restrict__ to, const char *__restrict__ from)
{
    const int64_t warp = (blockIdx.x * (int64_t)THREADS + threadIdx.x) / 32, begin = warp * SEGMENT;
    const int64_t end = begin + SEGMENT < rest.bytes ? begin + SEGMENT : rest.bytes;
    if (begin >= end || inside(rest, begin, end))
        return;
    uint4 part[SEGMENT / 512];
    bool copied[SEGMENT / 512];
#pragma unroll
    for (int k = 0; k < SEGMENT / 512; k++) {
        const int64_t at = begin + k * 512 + threadIdx.x % 32 * 16;
        copied[k] = at + 16 <= end && !inside(rest, at, at + 16);
        if (copied[k])
            part[k] = __ldg((const uint4 *)(from + at));
    }
#pragma unroll
    for (int k = 0; k < SEGMENT / 512; k++)
        if (copied[k])
            *(uint4 *)(to + begin + k * 512 + threadIdx.x % 32 * 16) = part[k];
    const int64_t tail = end & ~(int64_t)15;
    if (end == rest.bytes && threadIdx.x % 32 < end - tail)
        to[tail + threadIdx.x % 32] = from[tail + threadIdx.x % 32];
}

int sta__cuda_copy_around(const struct sta__cuda_rest *rest, char *to, const char *from, cudaStream_t stream)
{
    const int64_t warps = (rest->bytes + SEGMENT - 1) / SEGMENT, blocks = (warps + THREADS / 32 - 1) / (THREADS / 32);
    copy_around<<<(unsigned)blocks, THREADS, 0, stream>>>(*rest, to, from);
    return cudaGetLastError();
}
