/* Counting. Each block counts into tables in shared memory: several of them where they have room, one for each lane of a
 * warp at best, so that lanes with one bin do not wait for each other; at its end it adds them to the sums. Bins too many
 * for that are counted in the device's memory. */
#include "histogram/cuda_device.cuh"

#include "histogram/histogram_precision.h"

namespace {

enum { THREADS = 512, LANES = 32, ROOMY = 48 << 10, MOST_SHARED = 200 << 10, VECTOR = 16, UNROLL = 4 };

/* Shared memory of a block: tables of 32-bit counts, `copies` of them interleaved, and the edges where they fit. A block
 * sees less than 2^32 elements: 2^40 of them in a task are more than a GPU holds. */
struct room {
    int copies; /* 0: no tables */
    bool with_edges;
    size_t bytes;
};

template <typename Real> room room_of(int32_t bins)
{
    const size_t edges = (size_t(bins) + 1) * sizeof(Real), table = size_t(bins) * sizeof(uint32_t);
    room r = {LANES, true, 0};
    while (r.copies > 1 && table * r.copies + edges > ROOMY)
        r.copies /= 2;
    if (table * r.copies + edges > MOST_SHARED)
        r.with_edges = false;
    if (!r.with_edges && table * r.copies > MOST_SHARED)
        r.copies = 0;
    if (r.copies == 0 && edges <= MOST_SHARED)
        r.with_edges = true;
    /* The edges first, on 8 bytes. */
    r.bytes = (r.with_edges ? (edges + 7) / 8 * 8 : 0) + table * r.copies;
    return r;
}

template <typename T> struct alignas(VECTOR) pack {
    T at[VECTOR / sizeof(T)];
};

template <typename T, typename Real>
__global__ void __launch_bounds__(THREADS, 2)
    count(sta__cuda_rule rule, const T *data, int64_t size, unsigned long long *sums, room r)
{
    extern __shared__ __align__(16) char shared[];
    constexpr int WIDE = VECTOR / sizeof(T);
    Real *near = reinterpret_cast<Real *>(shared);
    const size_t edges = r.with_edges ? ((size_t(rule.bins) + 1) * sizeof(Real) + 7) / 8 * 8 : 0;
    uint32_t *tables = reinterpret_cast<uint32_t *>(shared + edges);
    for (int64_t k = threadIdx.x; r.with_edges && k <= rule.bins; k += blockDim.x)
        near[k] = static_cast<const Real *>(rule.edges)[k];
    for (int64_t k = threadIdx.x; k < int64_t(rule.bins) * r.copies; k += blockDim.x)
        tables[k] = 0;
    __syncthreads();
    const sta::finder<Real> find(rule, r.with_edges ? near : static_cast<const Real *>(rule.edges));
    const int copies = r.copies, copy = int(threadIdx.x) & (copies - 1);
    auto put = [&](T x) {
        const int32_t bin = find(sta::as<Real>(x));
        if (bin < 0)
            return;
        if (copies)
            atomicAdd(&tables[bin * copies + copy], 1u);
        else
            atomicAdd(&sums[bin], 1ull);
    };
    const int64_t thread = int64_t(blockIdx.x) * blockDim.x + threadIdx.x, threads = int64_t(gridDim.x) * blockDim.x;
    const int64_t packs = size / WIDE;
    const pack<T> *packed = reinterpret_cast<const pack<T> *>(data);
    int64_t i = thread;
    for (; i + (UNROLL - 1) * threads < packs; i += UNROLL * threads) {
        pack<T> x[UNROLL];
#pragma unroll
        for (int u = 0; u < UNROLL; u++)
            x[u] = packed[i + u * threads];
#pragma unroll
        for (int u = 0; u < UNROLL; u++)
#pragma unroll
            for (int w = 0; w < WIDE; w++)
                put(x[u].at[w]);
    }
    for (; i < packs; i += threads) {
        const pack<T> x = packed[i];
#pragma unroll
        for (int w = 0; w < WIDE; w++)
            put(x.at[w]);
    }
    for (int64_t rest = packs * WIDE + thread; rest < size; rest += threads)
        put(data[rest]);
    __syncthreads();
    for (int64_t k = threadIdx.x; copies && k < rule.bins; k += blockDim.x) {
        unsigned long long sum = 0;
        for (int c = 0; c < copies; c++) /* from another one each, or all lanes would ask one bank */
            sum += tables[k * copies + ((c + int(threadIdx.x)) & (copies - 1))];
        if (sum)
            atomicAdd(&sums[k], sum);
    }
}

template <typename T, typename Real>
cudaError_t launch(const sta__cuda_rule &rule, const T *data, int64_t size, int64_t *sums, int processors,
                   cudaStream_t stream)
{
    const room r = room_of<Real>(rule.bins);
    const auto kernel = count<T, Real>;
    int blocks = 1;
    cudaError_t status = cudaSuccess;
    if (r.bytes > ROOMY)
        status = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(r.bytes));
    if (status == cudaSuccess)
        status = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, THREADS, r.bytes);
    if (status != cudaSuccess)
        return status;
    const int64_t all = int64_t(blocks > 0 ? blocks : 1) * processors, each = THREADS * (VECTOR / sizeof(T));
    const int64_t wanted = (size + each - 1) / each;
    kernel<<<unsigned(wanted < all ? wanted : all), THREADS, r.bytes, stream>>>(
        rule, data, size, reinterpret_cast<unsigned long long *>(sums), r);
    return cudaGetLastError();
}

} // namespace

int sta__cuda_histogram_count(const struct sta__cuda_rule *rule, const struct sta__cuda_array *data, int64_t size,
                              int64_t *sums, int processors, void *stream)
{
    const cudaStream_t on = static_cast<cudaStream_t>(stream);
    if (size == 0)
        return cudaSuccess;
    if (rule->precision == STA__BINS_F32)
        switch (data->dtype) {
        case STA_float16:
            return launch<sta::half_word, float>(*rule, static_cast<const sta::half_word *>(data->data), size, sums,
                                                 processors, on);
        case STA_bfloat16:
            return launch<sta::brain_word, float>(*rule, static_cast<const sta::brain_word *>(data->data), size, sums,
                                                  processors, on);
        default:
            return launch<float, float>(*rule, static_cast<const float *>(data->data), size, sums, processors, on);
        }
    if (rule->precision == STA__BINS_I64)
        return data->dtype == STA_uint64 ? launch<uint64_t, int64_t>(*rule, static_cast<const uint64_t *>(data->data),
                                                                     size, sums, processors, on)
                                         : launch<int64_t, int64_t>(*rule, static_cast<const int64_t *>(data->data),
                                                                    size, sums, processors, on);
    return sta::with_type(data->dtype, data->data, [&](auto *p) {
        return launch<typename std::remove_cv<typename std::remove_pointer<decltype(p)>::type>::type, double>(
            *rule, p, size, sums, processors, on);
    });
}
