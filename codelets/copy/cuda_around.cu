/* Copies the part of an array that lies around a box: for each axis, what is before the box and what is after it. */
#include "copy/cuda_copy.h"

#include <cuda_runtime.h>

namespace {

enum { THREADS = 256, AXES = 17, MOST_BLOCKS = 2048 };

/* Runs of bytes, one for each index that the axes before `axes` have inside the box. */
struct side {
    int axes, unit; /* bytes that a thread moves at once */
    int64_t start, units, count;
};
struct around {
    int sides;
    struct side side[2 * AXES];
    int64_t extent[AXES], stride[AXES]; /* of the box; in bytes */
};

__host__ __device__ void copy_unit(const around &a, const side &s, int64_t number, char *to, const char *from)
{
    int64_t run = number / s.units, at = s.start + (number - run * s.units) * s.unit;
    for (int axis = s.axes - 1; axis > 0; axis--) {
        const int64_t before = run / a.extent[axis];
        at += (run - before * a.extent[axis]) * a.stride[axis];
        run = before;
    }
    at += s.axes ? run * a.stride[0] : 0;
    switch (s.unit) {
    case 1:
        to[at] = from[at];
        break;
    case 2:
        *(uint16_t *)(to + at) = *(const uint16_t *)(from + at);
        break;
    case 4:
        *(uint32_t *)(to + at) = *(const uint32_t *)(from + at);
        break;
    case 8:
        *(uint2 *)(to + at) = *(const uint2 *)(from + at);
        break;
    default:
        *(uint4 *)(to + at) = *(const uint4 *)(from + at);
    }
}

__global__ void __launch_bounds__(THREADS) copy_around(const __grid_constant__ around a, char *to, const char *from)
{
    const side &s = a.side[blockIdx.y];
    for (int64_t i = blockIdx.x * (int64_t)THREADS + threadIdx.x; i < s.count; i += gridDim.x * (int64_t)THREADS)
        copy_unit(a, s, i, to, from);
}

/* The bytes [begin, end) of axis `axes`, once for each index of the box along the axes before. */
void add_side(around *a, int axes, int64_t corner, int64_t begin, int64_t end)
{
    side s = {axes, 16, corner + begin, 0, 1};
    int64_t bits = s.start | (end - begin);
    if (begin >= end)
        return;
    for (int axis = 0; axis < axes; axis++) {
        s.count *= a->extent[axis];
        bits |= a->extent[axis] > 1 ? a->stride[axis] : 0;
    }
    while (bits % s.unit)
        s.unit /= 2;
    s.units = (end - begin) / s.unit;
    s.count *= s.units;
    a->side[a->sides++] = s;
}

around sides_of(const sta__cuda_rest &rest)
{
    around a = {};
    int64_t corner = 0, stride = rest.row;
    for (int axis = rest.outer - 1; axis >= 0; axis--) {
        a.extent[axis] = rest.to[axis] - rest.from[axis];
        a.stride[axis] = stride;
        stride *= rest.shape[axis];
    }
    for (int axis = 0; axis < rest.outer; axis++) {
        add_side(&a, axis, corner, 0, rest.from[axis] * a.stride[axis]);
        add_side(&a, axis, corner, rest.to[axis] * a.stride[axis], rest.shape[axis] * a.stride[axis]);
        corner += rest.from[axis] * a.stride[axis];
    }
    add_side(&a, rest.outer, corner, 0, rest.lower);
    add_side(&a, rest.outer, corner, rest.upper, rest.row);
    return a;
}

} // namespace

int sta__cuda_copy_around(const struct sta__cuda_rest *rest, char *to, const char *from, cudaStream_t stream)
{
    const around a = sides_of(*rest);
    int64_t most = 0;
    for (int s = 0; s < a.sides; s++)
        most = a.side[s].count > most ? a.side[s].count : most;
    const int64_t blocks = (most + THREADS - 1) / THREADS;
    if (blocks == 0)
        return cudaSuccess;
    copy_around<<<dim3(unsigned(blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS), unsigned(a.sides)), THREADS, 0, stream>>>(
        a, to, from);
    return cudaGetLastError();
}
