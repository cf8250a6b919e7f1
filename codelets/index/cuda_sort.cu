/* Several indices for one element: targets in order, by a sort that keeps the order of equal ones, or by a table of owners. */
#include "codelets/index/cuda_place.cuh"

#include <cub/device/device_radix_sort.cuh>

namespace {

enum { THREADS = 256 };

/* The number of the element among all of the outer axes; `space` where it is not this task's. */
__device__ int64_t number_of(const sta__cuda_move &m, int64_t number, int64_t space, sta::target *to)
{
    int64_t key = 0;
    *to = sta::find<false>(m, number);
    if (!to->at)
        return space;
    for (int k = m.outers - 1; k >= 0; k--)
        key = key * m.outer[k].length + sta::frame_index(m, k, number);
    return key;
}

template <typename Key>
__global__ void __launch_bounds__(THREADS)
    find_targets(const __grid_constant__ sta__cuda_move m, int64_t space, Key *keys, uint32_t *order, char **target,
                 const int64_t **strides)
{
    for (int64_t i = int64_t(blockIdx.x) * THREADS + threadIdx.x; i < m.count; i += int64_t(gridDim.x) * THREADS) {
        sta::target to;
        keys[i] = Key(number_of(m, m.first + i, space, &to));
        order[i] = uint32_t(i);
        if (target)
            target[i] = to.at;
        if (strides)
            strides[i] = to.rests;
    }
}

template <typename Key>
__global__ void __launch_bounds__(THREADS)
    mark_last(int64_t count, int64_t space, const Key *keys, const uint32_t *order, uint8_t *wins)
{
    for (int64_t i = int64_t(blockIdx.x) * THREADS + threadIdx.x; i < count; i += int64_t(gridDim.x) * THREADS)
        wins[order[i]] = int64_t(keys[i]) < space && (i + 1 == count || keys[i + 1] != keys[i]);
}

__global__ void __launch_bounds__(THREADS) own(const __grid_constant__ sta__cuda_move m, int64_t space, uint32_t *owner)
{
    for (int64_t i = int64_t(blockIdx.x) * THREADS + threadIdx.x; i < m.count; i += int64_t(gridDim.x) * THREADS) {
        sta::target to;
        const int64_t key = number_of(m, m.first + i, space, &to);
        if (key < space)
            atomicMax(&owner[key], uint32_t(i) + 1);
    }
}

__global__ void __launch_bounds__(THREADS)
    mark_owners(const __grid_constant__ sta__cuda_move m, int64_t space, const uint32_t *owner, uint8_t *wins)
{
    for (int64_t i = int64_t(blockIdx.x) * THREADS + threadIdx.x; i < m.count; i += int64_t(gridDim.x) * THREADS) {
        sta::target to;
        const int64_t key = number_of(m, m.first + i, space, &to);
        wins[i] = key < space && owner[key] == uint32_t(i) + 1;
    }
}

unsigned blocks_of(int64_t count)
{
    const int64_t blocks = (count + THREADS - 1) / THREADS;
    return unsigned(blocks < 1 << 20 ? blocks : 1 << 20);
}

int bits_of(int64_t space)
{
    int bits = 1;
    while (bits < 63 && space >> bits)
        bits++;
    return bits;
}

template <typename Key>
cudaError_t sort(void *temporary, size_t *bytes, const sta__cuda_targets &t, int64_t count, cudaStream_t stream)
{
    return cub::DeviceRadixSort::SortPairs(temporary, *bytes, static_cast<const Key *>(t.key[0]),
                                           static_cast<Key *>(t.key[1]), static_cast<const uint32_t *>(t.order[0]),
                                           t.order[1], count, 0, bits_of(t.space), stream);
}

template <typename Key> cudaError_t targets(const sta__cuda_move &m, const sta__cuda_targets &t, cudaStream_t stream)
{
    size_t bytes = t.temporary_bytes;
    find_targets<<<blocks_of(m.count), THREADS, 0, stream>>>(m, t.space, static_cast<Key *>(t.key[0]), t.order[0],
                                                             t.target, t.strides);
    const cudaError_t status = cudaGetLastError();
    return status == cudaSuccess ? sort<Key>(t.temporary, &bytes, t, m.count, stream) : status;
}

} // namespace

int sta__cuda_targets_room(int64_t count, struct sta__cuda_targets *t)
{
    t->temporary_bytes = 0;
    return t->wide ? sort<uint64_t>(nullptr, &t->temporary_bytes, *t, count, nullptr)
                   : sort<uint32_t>(nullptr, &t->temporary_bytes, *t, count, nullptr);
}

int sta__cuda_targets_sort(const struct sta__cuda_move *move, const struct sta__cuda_targets *t, void *stream)
{
    const cudaStream_t on = static_cast<cudaStream_t>(stream);
    return t->wide ? targets<uint64_t>(*move, *t, on) : targets<uint32_t>(*move, *t, on);
}

int sta__cuda_last_sorted(const struct sta__cuda_targets *t, int64_t count, uint8_t *wins, void *stream)
{
    const cudaStream_t on = static_cast<cudaStream_t>(stream);
    if (t->wide)
        mark_last<<<blocks_of(count), THREADS, 0, on>>>(count, t->space, static_cast<const uint64_t *>(t->key[1]),
                                                        t->order[1], wins);
    else
        mark_last<<<blocks_of(count), THREADS, 0, on>>>(count, t->space, static_cast<const uint32_t *>(t->key[1]),
                                                        t->order[1], wins);
    return cudaGetLastError();
}

int sta__cuda_last_owned(const struct sta__cuda_move *move, int64_t space, uint32_t *owner, uint8_t *wins, void *stream)
{
    const cudaStream_t on = static_cast<cudaStream_t>(stream);
    const cudaError_t status = cudaMemsetAsync(owner, 0, size_t(space) * sizeof *owner, on);
    if (status != cudaSuccess)
        return status;
    own<<<blocks_of(move->count), THREADS, 0, on>>>(*move, space, owner);
    mark_owners<<<blocks_of(move->count), THREADS, 0, on>>>(*move, space, owner, wins);
    return cudaGetLastError();
}
