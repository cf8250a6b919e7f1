/* Sums of weights that do not depend on timing: a warp adds one chunk, 32 elements at a time. Lanes with the same bin are
 * added one after the other by the first of them, so that the order is that of the elements. */
#include "histogram/cuda_device.cuh"

#include "histogram/histogram_precision.h"

namespace {

enum { LANES = 32, AHEAD = 8, MOST_SHARED = 48 << 10, THREADS = 256 };

struct alignas(16) number {
    double re, im;
};

__device__ double taken(double x, int lane)
{
    return __shfl_sync(~0u, x, lane);
}
__device__ uint64_t taken(uint64_t x, int lane)
{
    return __shfl_sync(~0u, static_cast<unsigned long long>(x), lane);
}
__device__ number taken(number x, int lane)
{
    return {taken(x.re, lane), taken(x.im, lane)};
}
__device__ void add(double &to, double x)
{
    to += x;
}
__device__ void add(uint64_t &to, uint64_t x)
{
    to += x;
}
__device__ void add(number &to, const number &x)
{
    to.re += x.re;
    to.im += x.im;
}

template <typename Sum> __device__ Sum weight(const sta__cuda_array &weights, int64_t i);
template <> __device__ double weight<double>(const sta__cuda_array &weights, int64_t i)
{
    return sta::element<double>(weights.dtype, weights.data, i);
}
template <> __device__ uint64_t weight<uint64_t>(const sta__cuda_array &weights, int64_t i)
{
    switch (weights.dtype) {
    case STA_bool: /* as its byte, as sums.c adds them */
    case STA_uint8:
        return static_cast<const uint8_t *>(weights.data)[i];
    case STA_int8:
        return uint64_t(int64_t(static_cast<const int8_t *>(weights.data)[i]));
    case STA_int16:
        return uint64_t(int64_t(static_cast<const int16_t *>(weights.data)[i]));
    case STA_uint16:
        return static_cast<const uint16_t *>(weights.data)[i];
    case STA_int32:
        return uint64_t(int64_t(static_cast<const int32_t *>(weights.data)[i]));
    case STA_uint32:
        return static_cast<const uint32_t *>(weights.data)[i];
    default:
        return static_cast<const uint64_t *>(weights.data)[i];
    }
}
template <> __device__ number weight<number>(const sta__cuda_array &weights, int64_t i)
{
    if (weights.dtype == STA_complex64) {
        const float2 x = static_cast<const float2 *>(weights.data)[i];
        return {double(x.x), double(x.y)};
    }
    return static_cast<const number *>(weights.data)[i];
}

/* Adds 32 weights to the table. */
template <typename Sum> __device__ void add_lanes(int32_t bin, const Sum &own, Sum *table)
{
    unsigned same = __match_any_sync(~0u, bin);
    const bool leads = bin >= 0 && int(threadIdx.x) == __ffs(int(same)) - 1;
    Sum sum = leads ? table[bin] : Sum();
    while (__any_sync(~0u, leads && same != 0)) {
        const int next = same != 0 ? __ffs(int(same)) - 1 : 0;
        const Sum x = taken(own, next);
        if (leads && same != 0)
            add(sum, x);
        same &= same - 1;
    }
    if (leads)
        table[bin] = sum;
    __syncwarp();
}

/* One block is one warp; its table lies in shared memory where it fits. AHEAD rounds are read together. */
template <typename Real, typename Sum>
__global__ void __launch_bounds__(LANES) weigh(sta__cuda_rule rule, sta__cuda_array data, sta__cuda_array weights,
                                               int64_t count, int64_t chunk, bool near, Sum *tables)
{
    extern __shared__ __align__(16) char shared[];
    const int lane = int(threadIdx.x);
    const sta::finder<Real> find(rule, static_cast<const Real *>(rule.edges));
    Sum *mine = tables + int64_t(blockIdx.x) * rule.bins, *table = near ? reinterpret_cast<Sum *>(shared) : mine;
    for (int32_t k = lane; k < rule.bins; k += LANES)
        table[k] = Sum();
    __syncwarp();
    const int64_t from = blockIdx.x * chunk, to = from + chunk < count ? from + chunk : count;
    for (int64_t i = from; i < to; i += AHEAD * LANES) {
        Real x[AHEAD];
        Sum own[AHEAD];
#pragma unroll
        for (int a = 0; a < AHEAD; a++) {
            const int64_t at = i + a * LANES + lane;
            x[a] = at < to ? sta::element<Real>(data.dtype, data.data, at) : Real();
            own[a] = at < to ? weight<Sum>(weights, at) : Sum();
        }
#pragma unroll
        for (int a = 0; a < AHEAD; a++)
            add_lanes(i + a * LANES + lane < to ? find(x[a]) : -1, own[a], table);
    }
    for (int32_t k = lane; near && k < rule.bins; k += LANES)
        mine[k] = table[k];
}

template <typename Sum>
__global__ void add_tables(int32_t bins, int64_t chunks, const Sum *tables, Sum *sums, bool to_sums)
{
    for (int64_t k = int64_t(blockIdx.x) * THREADS + threadIdx.x; k < bins; k += int64_t(gridDim.x) * THREADS) {
        Sum sum = to_sums ? sums[k] : Sum();
        for (int64_t c = 0; c < chunks; c++)
            add(sum, tables[c * bins + k]);
        sums[k] = sum;
    }
}

template <typename Real, typename Sum>
cudaError_t launch(const sta__cuda_rule &rule, const sta__cuda_array &data, const sta__cuda_array &weights,
                   int64_t count, int64_t chunk, void *tables, void *sums, bool to_sums, cudaStream_t stream)
{
    const int64_t chunks = (count + chunk - 1) / chunk;
    const size_t bytes = size_t(rule.bins) * sizeof(Sum);
    const bool near = bytes <= MOST_SHARED;
    if (chunks > 0)
        weigh<Real, Sum><<<unsigned(chunks), LANES, near ? bytes : 0, stream>>>(rule, data, weights, count, chunk, near,
                                                                                static_cast<Sum *>(tables));
    add_tables<<<unsigned(rule.bins / THREADS + 1 < 1024 ? rule.bins / THREADS + 1 : 1024), THREADS, 0, stream>>>(
        rule.bins, chunks, static_cast<const Sum *>(tables), static_cast<Sum *>(sums), to_sums);
    return cudaGetLastError();
}

template <typename Real>
cudaError_t launch(const sta__cuda_rule &rule, const sta__cuda_array &data, const sta__cuda_array &weights,
                   int64_t count, int64_t chunk, sta_dtype dtype, void *tables, void *sums, bool to_sums,
                   cudaStream_t stream)
{
    if (dtype == STA_int64)
        return launch<Real, uint64_t>(rule, data, weights, count, chunk, tables, sums, to_sums, stream);
    if (dtype == STA_float64)
        return launch<Real, double>(rule, data, weights, count, chunk, tables, sums, to_sums, stream);
    return launch<Real, number>(rule, data, weights, count, chunk, tables, sums, to_sums, stream);
}

} // namespace

int sta__cuda_histogram_weigh(const struct sta__cuda_rule *rule, const struct sta__cuda_array *data,
                              const struct sta__cuda_array *weights, int64_t count, int64_t chunk, sta_dtype dtype,
                              void *tables, void *sums, bool add, void *stream)
{
    const cudaStream_t on = static_cast<cudaStream_t>(stream);
    if (rule->precision == STA__BINS_F32)
        return launch<float>(*rule, *data, *weights, count, chunk, dtype, tables, sums, add, on);
    if (rule->precision == STA__BINS_F64)
        return launch<double>(*rule, *data, *weights, count, chunk, dtype, tables, sums, add, on);
    return launch<int64_t>(*rule, *data, *weights, count, chunk, dtype, tables, sums, add, on);
}
