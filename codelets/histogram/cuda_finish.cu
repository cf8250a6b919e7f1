/* What becomes of sums, and edges that were given: as finish.c and edges.c have it, the same bits. */
#include "histogram/cuda_device.cuh"

namespace {

enum { THREADS = 256 };

struct pair {
    double re, im;
};

__device__ int64_t kept_whole(sta_dtype as, int64_t sum)
{
    switch (as) {
    case STA_bool:
        return sum != 0;
    case STA_int8:
        return int8_t(sum);
    case STA_int16:
        return int16_t(sum);
    case STA_int32:
        return int32_t(sum);
    case STA_uint8:
        return uint8_t(sum);
    case STA_uint16:
        return uint16_t(sum);
    case STA_uint32:
        return uint32_t(sum);
    default:
        return sum;
    }
}

__device__ double kept(sta_dtype as, double sum)
{
    if (as == STA_float32 || as == STA_complex64)
        return double(float(sum));
    if (as == STA_float16)
        return double(__half2float(__double2half(sum)));
    if (as == STA_bfloat16)
        return double(__bfloat162float(__double2bfloat16(sum)));
    return sum;
}

__device__ pair count_at(const sta__cuda_finish &f, int64_t k)
{
    if (f.sums.dtype == STA_int64) {
        const int64_t sum = kept_whole(f.as, static_cast<const int64_t *>(f.sums.data)[k]);
        return {f.as == STA_uint64 ? double(uint64_t(sum)) : double(sum), 0};
    }
    const double *sums = static_cast<const double *>(f.sums.data);
    if (f.sums.dtype == STA_float64)
        return {kept(f.as, sums[k]), 0};
    return {kept(f.as, sums[2 * k]), kept(f.as, sums[2 * k + 1])};
}

__device__ pair density_of(pair count, double width, pair total)
{
    const double re = count.re / width, im = count.im / width;
    if (total.im == 0)
        return {re / total.re, im / total.re};
    const double size = total.re * total.re + total.im * total.im;
    return {(re * total.re + im * total.im) / size, (im * total.re - re * total.im) / size};
}

__device__ void store(sta_dtype dtype, void *to, int64_t k, pair value)
{
    switch (dtype) {
    case STA_float16:
        static_cast<__half *>(to)[k] = __double2half(value.re);
        break;
    case STA_bfloat16:
        static_cast<__nv_bfloat16 *>(to)[k] = __double2bfloat16(value.re);
        break;
    case STA_float32:
        static_cast<float *>(to)[k] = float(value.re);
        break;
    case STA_complex64:
        static_cast<float2 *>(to)[k] = make_float2(float(value.re), float(value.im));
        break;
    case STA_complex128:
        static_cast<double2 *>(to)[k] = make_double2(value.re, value.im);
        break;
    default:
        static_cast<double *>(to)[k] = value.re;
    }
}

__device__ void store_whole(sta_dtype dtype, void *to, int64_t k, int64_t sum)
{
    switch (dtype) {
    case STA_bool:
    case STA_int8:
    case STA_uint8:
        static_cast<uint8_t *>(to)[k] = uint8_t(sum);
        break;
    case STA_int16:
    case STA_uint16:
        static_cast<uint16_t *>(to)[k] = uint16_t(sum);
        break;
    case STA_int32:
    case STA_uint32:
        static_cast<uint32_t *>(to)[k] = uint32_t(sum);
        break;
    default:
        static_cast<int64_t *>(to)[k] = sum;
    }
}

/* One thread, in order, as on a CPU. */
__global__ void add_up(const __grid_constant__ sta__cuda_finish f)
{
    pair total = {0, 0};
    for (int64_t k = 0; k < f.bins; k++) {
        const pair count = count_at(f, k);
        total.re += count.re;
        total.im += count.im;
    }
    f.total[0] = total.re;
    f.total[1] = total.im;
}

__global__ void __launch_bounds__(THREADS) finish(const __grid_constant__ sta__cuda_finish f)
{
    for (int64_t k = int64_t(blockIdx.x) * THREADS + threadIdx.x; k < f.bins; k += int64_t(gridDim.x) * THREADS) {
        if (!f.total && f.sums.dtype == STA_int64) {
            store_whole(f.dtype, f.to, k, kept_whole(f.dtype, static_cast<const int64_t *>(f.sums.data)[k]));
            continue;
        }
        pair value = count_at(f, k);
        if (f.total) {
            const double left = sta::element<double>(f.edges.dtype, f.edges.data, k),
                         right = sta::element<double>(f.edges.dtype, f.edges.data, k + 1);
            value = density_of(value, kept(f.edges.dtype, right - left), {f.total[0], f.total[1]});
        }
        store(f.dtype, f.to, k, value);
    }
}

__global__ void __launch_bounds__(THREADS)
    check(const __grid_constant__ sta__cuda_array edges, int64_t count, unsigned long long *bad)
{
    for (int64_t k = int64_t(blockIdx.x) * THREADS + threadIdx.x; k < count; k += int64_t(gridDim.x) * THREADS) {
        const double before = k ? sta::element<double>(edges.dtype, edges.data, k - 1) : -INFINITY;
        if (!(before <= sta::element<double>(edges.dtype, edges.data, k)))
            atomicMin(bad, static_cast<unsigned long long>(k));
    }
}

__global__ void report(const unsigned long long *bad, uint32_t *words)
{
    if (*bad == ~0ull)
        return;
    words[1] = uint32_t(*bad);
    words[2] = uint32_t(*bad >> 32);
    words[0] = 1;
}

unsigned blocks_of(int64_t count)
{
    const int64_t blocks = (count + THREADS - 1) / THREADS;
    return unsigned(blocks < 1024 ? blocks : 1024);
}

} // namespace

int sta__cuda_histogram_finish(const struct sta__cuda_finish *f, void *stream)
{
    const cudaStream_t on = static_cast<cudaStream_t>(stream);
    if (f->bins == 0)
        return cudaSuccess;
    if (f->total)
        add_up<<<1, 1, 0, on>>>(*f);
    finish<<<blocks_of(f->bins), THREADS, 0, on>>>(*f);
    return cudaGetLastError();
}

int sta__cuda_histogram_check(const struct sta__cuda_array *edges, int64_t count, unsigned long long *bad,
                              uint32_t *words, void *stream)
{
    const cudaStream_t on = static_cast<cudaStream_t>(stream);
    const cudaError_t status = cudaMemsetAsync(bad, 0xff, sizeof *bad, on);
    if (status != cudaSuccess || count == 0)
        return status;
    check<<<blocks_of(count), THREADS, 0, on>>>(*edges, count, bad);
    report<<<1, 1, 0, on>>>(bad, words);
    return cudaGetLastError();
}
