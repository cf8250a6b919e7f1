/* Masks: counting, selecting, and what the places of true elements are in indices. */
#include "codelets/index/cuda_index.h"
#include "codelets/index/cuda_mask.h"

#include <cub/device/device_select.cuh>
#include <thrust/iterator/counting_iterator.h>

namespace {

enum { THREADS = 256, WORDS = 8 };

unsigned blocks_of(int64_t count, int64_t each = THREADS)
{
    const int64_t blocks = (count + each - 1) / each;
    return unsigned(blocks < 1 ? 1 : blocks < 1 << 20 ? blocks : 1 << 20);
}

/* Bytes are 0 or 1: four are added up by their bits. */
__global__ void __launch_bounds__(THREADS) count(const uint8_t *mask, int64_t n, unsigned long long *to)
{
    const int64_t thread = int64_t(blockIdx.x) * THREADS + threadIdx.x, threads = int64_t(gridDim.x) * THREADS;
    const bool aligned = reinterpret_cast<uintptr_t>(mask) % sizeof(uint4) == 0;
    const int64_t wide = aligned ? n / int64_t(sizeof(uint4)) : 0;
    unsigned long long sum = 0;
    for (int64_t i = thread; i < wide; i += threads) {
        const uint4 part = __ldg(reinterpret_cast<const uint4 *>(mask) + i);
        sum += __popc(part.x) + __popc(part.y) + __popc(part.z) + __popc(part.w);
    }
    for (int64_t i = wide * int64_t(sizeof(uint4)) + thread; i < n; i += threads)
        sum += mask[i];
    for (int lane = 16; lane; lane /= 2)
        sum += __shfl_xor_sync(~0u, sum, lane);
    if (threadIdx.x % 32 == 0 && sum)
        atomicAdd(to, sum);
}

template <typename In, typename Out>
cudaError_t select(const sta__cuda_select &s, size_t *bytes, In from, Out to, cudaStream_t stream)
{
    return cub::DeviceSelect::Flagged(s.temporary, *bytes, from, s.mask, to, s.found, s.n, stream);
}

template <typename Item>
cudaError_t select_as(const sta__cuda_select &s, size_t *bytes, const void *from, void *to, cudaStream_t stream)
{
    return select(s, bytes, static_cast<const Item *>(from), static_cast<Item *>(to), stream);
}

cudaError_t select_of(const sta__cuda_select &s, size_t *bytes, int item, const void *from, void *to,
                      cudaStream_t stream)
{
    switch (item) {
    case 0:
        return select(s, bytes, thrust::counting_iterator<int64_t>(0), static_cast<int64_t *>(to), stream);
    case 1:
        return select_as<uint8_t>(s, bytes, from, to, stream);
    case 2:
        return select_as<uint16_t>(s, bytes, from, to, stream);
    case 4:
        return select_as<uint32_t>(s, bytes, from, to, stream);
    case 8:
        return select_as<uint64_t>(s, bytes, from, to, stream);
    default:
        return select_as<uint4>(s, bytes, from, to, stream);
    }
}

template <typename Unit>
__global__ void __launch_bounds__(THREADS)
    take_rows(const int64_t *places, int64_t count, int64_t units, const Unit *from, Unit *to, sta__cuda_shares shares)
{
    const int64_t across = blockIdx.x % shares.across, rows = THREADS >> shares.x, width = int64_t(1) << shares.x;
    const int64_t step = (gridDim.x / shares.across) * rows;
    for (int64_t i = (blockIdx.x / shares.across) * rows + (threadIdx.x >> shares.x); i < count; i += step) {
        const Unit *row = from + places[i] * units;
        for (int64_t u = across * width + (threadIdx.x & (width - 1)); u < units; u += shares.across * width)
            to[i * units + u] = __ldg(row + u);
    }
}

template <typename Unit>
void launch_rows(const int64_t *places, int64_t count, int64_t bytes, const char *from, char *to, cudaStream_t stream)
{
    const int64_t units = bytes / int64_t(sizeof(Unit));
    const sta__cuda_shares shares = sta__cuda_share(count, units, THREADS);
    take_rows<<<unsigned(shares.blocks), THREADS, 0, stream>>>(
        places, count, units, reinterpret_cast<const Unit *>(from), reinterpret_cast<Unit *>(to), shares);
}

__global__ void __launch_bounds__(THREADS)
    split_places(const __grid_constant__ sta__cuda_split split, const int64_t *places, int64_t count)
{
    for (int64_t i = int64_t(blockIdx.x) * THREADS + threadIdx.x; i < count; i += int64_t(gridDim.x) * THREADS) {
        int64_t left = places[i], flat = 0, weight = 1;
        for (int d = split.ndim - 1; d >= 0; d--) {
            const int64_t before = left / split.tile[d], index = split.first[d] + left - before * split.tile[d];
            left = before;
            flat += index * weight;
            weight *= split.whole[d];
            if (!split.flat)
                split.to[d][i * split.step] = index;
        }
        if (split.flat)
            split.to[0][i] = flat;
    }
}

/* ---- flat indices ---- */

__device__ bool bring_in(int64_t *index, int64_t length, int mode)
{
    if (uint64_t(*index) < uint64_t(length))
        return true;
    if (mode == 0 || length == 0)
        return false;
    if (mode == 1)
        *index = (*index % length + length) % length;
    else
        *index = *index < 0 ? 0 : length - 1;
    return true;
}

__global__ void __launch_bounds__(THREADS) unravel(const __grid_constant__ sta__cuda_flat f)
{
    for (int64_t i = int64_t(blockIdx.x) * THREADS + threadIdx.x; i < f.count; i += int64_t(gridDim.x) * THREADS) {
        int64_t left = f.from[0][i];
        if (uint64_t(left) >= uint64_t(f.size)) {
            atomicMin(f.bad, static_cast<unsigned long long>(i));
            continue;
        }
        for (int d = f.ndim - 1; d >= 0; d--) {
            const int64_t before = left / f.shape[d];
            f.to[d][i] = left - before * f.shape[d];
            left = before;
        }
    }
}

__global__ void __launch_bounds__(THREADS) ravel(const __grid_constant__ sta__cuda_flat f)
{
    for (int64_t i = int64_t(blockIdx.x) * THREADS + threadIdx.x; i < f.count; i += int64_t(gridDim.x) * THREADS) {
        int64_t flat = 0;
        bool fine = true;
        for (int d = 0; d < f.ndim && fine; d++) {
            int64_t index = f.from[d][i];
            fine = bring_in(&index, f.shape[d], f.mode);
            flat = flat * f.shape[d] + index;
        }
        if (fine)
            f.to[0][i] = flat;
        else
            atomicMin(f.bad, static_cast<unsigned long long>(i));
    }
}

__device__ void put_words(uint32_t *words, uint32_t first, int64_t index)
{
    words[1] = uint32_t(index);
    words[2] = uint32_t(uint64_t(index) >> 32);
    words[0] = first;
}

__global__ void report(const __grid_constant__ sta__cuda_flat f, bool flat)
{
    if (*f.bad == ~0ull)
        return;
    if (flat)
        put_words(f.words, 1, f.from[0][*f.bad]);
    for (int d = 0; !flat && d < f.ndim; d++) {
        const int64_t index = f.from[d][*f.bad];
        if (uint64_t(index) >= uint64_t(f.shape[d])) {
            put_words(f.words, 1 + d, index);
            return;
        }
    }
}

/* ---- triangles ---- */

__device__ int64_t clamp(int64_t i, int64_t low, int64_t high)
{
    return i < low ? low : i > high ? high : i;
}

/* As sta__triangle_before. */
__device__ int64_t before(bool upper, int64_t n, int64_t given, int64_t m, int64_t row)
{
    const int64_t k = clamp(upper ? given - 1 : given, -n - 1, m), r0 = clamp(-k, 0, n);
    const int64_t r1 = clamp(m - k - 1, r0, n), grow = clamp(row, r0, r1) - r0;
    const int64_t lower = grow * (r0 + k + 1) + grow * (grow - 1) / 2 + (row > r1 ? row - r1 : 0) * m;
    return upper ? row * m - lower : lower;
}

__global__ void __launch_bounds__(THREADS)
    triangle(bool upper, bool columns, int64_t n, int64_t given, int64_t m, int64_t first, int64_t count, int64_t *to)
{
    const int64_t k = clamp(given, -n - 1, m);
    for (int64_t i = int64_t(blockIdx.x) * THREADS + threadIdx.x; i < count; i += int64_t(gridDim.x) * THREADS) {
        int64_t low = 0, high = n;
        while (high - low > 1) { /* the last row that begins at or before the element */
            const int64_t middle = low + (high - low) / 2;
            if (before(upper, n, given, m, middle) <= first + i)
                low = middle;
            else
                high = middle;
        }
        const int64_t from = upper ? clamp(low + k, 0, m) : 0;
        to[i] = columns ? from + first + i - before(upper, n, given, m, low) : low;
    }
}

} // namespace

int sta__cuda_count_true(const uint8_t *mask, int64_t n, int64_t *to, void *stream)
{
    const cudaStream_t on = static_cast<cudaStream_t>(stream);
    const cudaError_t status = cudaMemsetAsync(to, 0, sizeof *to, on);
    if (status != cudaSuccess || n == 0)
        return status;
    count<<<blocks_of(n, THREADS * sizeof(uint4) * WORDS), THREADS, 0, on>>>(
        mask, n, reinterpret_cast<unsigned long long *>(to));
    return cudaGetLastError();
}

int sta__cuda_select_room(int item, int64_t n, size_t *bytes)
{
    sta__cuda_select s = {nullptr, n, nullptr, nullptr, 0};
    *bytes = 0;
    return select_of(s, bytes, item, nullptr, nullptr, nullptr);
}

int sta__cuda_select_items(const struct sta__cuda_select *s, int item, const void *from, void *to, void *stream)
{
    size_t bytes = s->temporary_bytes;
    return select_of(*s, &bytes, item, from, to, static_cast<cudaStream_t>(stream));
}

int sta__cuda_select_places(const struct sta__cuda_select *s, int64_t first, int64_t *to, void *stream)
{
    size_t bytes = s->temporary_bytes;
    return select(*s, &bytes, thrust::counting_iterator<int64_t>(first), to, static_cast<cudaStream_t>(stream));
}

int sta__cuda_take_rows(const int64_t *places, int64_t count, int64_t bytes, const char *from, char *to, void *stream)
{
    const cudaStream_t on = static_cast<cudaStream_t>(stream);
    const uintptr_t bits = reinterpret_cast<uintptr_t>(from) | reinterpret_cast<uintptr_t>(to) | uintptr_t(bytes);
    if (count == 0 || bytes == 0)
        return cudaSuccess;
    if (bits % 16 == 0)
        launch_rows<uint4>(places, count, bytes, from, to, on);
    else if (bits % 8 == 0)
        launch_rows<uint2>(places, count, bytes, from, to, on);
    else if (bits % 4 == 0)
        launch_rows<uint32_t>(places, count, bytes, from, to, on);
    else
        launch_rows<uint8_t>(places, count, bytes, from, to, on);
    return cudaGetLastError();
}

int sta__cuda_split_places(const struct sta__cuda_split *split, const int64_t *places, int64_t count, void *stream)
{
    if (count == 0)
        return cudaSuccess;
    split_places<<<blocks_of(count), THREADS, 0, static_cast<cudaStream_t>(stream)>>>(*split, places, count);
    return cudaGetLastError();
}

int sta__cuda_unravel(const struct sta__cuda_flat *flat, void *stream)
{
    const cudaStream_t on = static_cast<cudaStream_t>(stream);
    unravel<<<blocks_of(flat->count), THREADS, 0, on>>>(*flat);
    report<<<1, 1, 0, on>>>(*flat, true);
    return cudaGetLastError();
}

int sta__cuda_ravel(const struct sta__cuda_flat *flat, void *stream)
{
    const cudaStream_t on = static_cast<cudaStream_t>(stream);
    ravel<<<blocks_of(flat->count), THREADS, 0, on>>>(*flat);
    report<<<1, 1, 0, on>>>(*flat, false);
    return cudaGetLastError();
}

int sta__cuda_triangle(bool upper, bool columns, int64_t n, int64_t k, int64_t m, int64_t first, int64_t count,
                       int64_t *to, void *stream)
{
    if (count == 0)
        return cudaSuccess;
    triangle<<<blocks_of(count), THREADS, 0, static_cast<cudaStream_t>(stream)>>>(upper, columns, n, k, m, first, count,
                                                                                  to);
    return cudaGetLastError();
}
