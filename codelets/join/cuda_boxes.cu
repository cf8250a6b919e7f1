/* Many small boxes in one launch: a thread finds the box of its element by a search in the table. */
#include "join/cuda.h"

namespace {

enum { THREADS = 256 };

template <typename Item>
__global__ void __launch_bounds__(THREADS) copy_boxes(const int64_t *table, int64_t boxes, int ndim, int64_t elements)
{
    const int row = 3 + 3 * ndim;
    for (int64_t i = int64_t(blockIdx.x) * THREADS + threadIdx.x; i < elements; i += int64_t(gridDim.x) * THREADS) {
        int64_t low = 0, high = boxes;
        while (high - low > 1) { /* the last box that begins at or before the element */
            const int64_t middle = low + (high - low) / 2;
            if (table[middle * row] <= i)
                low = middle;
            else
                high = middle;
        }
        const int64_t *box = table + low * row, *shape = box + 3, *to_stride = shape + ndim, *stride = to_stride + ndim;
        int64_t rest = i - box[0], to = box[1], from = box[2];
        for (int d = ndim - 1; d >= 0; d--) {
            const int64_t before = rest / shape[d], at = rest - before * shape[d];
            to += at * to_stride[d];
            from += at * stride[d];
            rest = before;
        }
        *reinterpret_cast<Item *>(to) = *reinterpret_cast<const Item *>(from);
    }
}

template <typename Item> int launch(const int64_t *table, int64_t boxes, int ndim, int64_t elements, void *stream)
{
    const int64_t blocks = (elements + THREADS - 1) / THREADS;
    copy_boxes<Item><<<unsigned(blocks < 1 << 20 ? blocks : 1 << 20), THREADS, 0, static_cast<cudaStream_t>(stream)>>>(
        table, boxes, ndim, elements);
    return cudaGetLastError();
}

} // namespace

int sta__cuda_copy_boxes(const int64_t *table, int64_t boxes, int ndim, int64_t elements, int item, void *stream)
{
    if (elements == 0)
        return cudaSuccess;
    switch (item) {
    case 1:
        return launch<uint8_t>(table, boxes, ndim, elements, stream);
    case 2:
        return launch<uint16_t>(table, boxes, ndim, elements, stream);
    case 4:
        return launch<uint32_t>(table, boxes, ndim, elements, stream);
    case 8:
        return launch<uint2>(table, boxes, ndim, elements, stream);
    default:
        return launch<uint4>(table, boxes, ndim, elements, stream);
    }
}
