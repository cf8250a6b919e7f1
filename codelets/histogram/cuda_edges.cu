/* Edges of equal bins, what finds bins by them, and sums of tables: small work that stays on the device so that nothing
 * has to come home. */
#include "histogram/cuda_device.cuh"

#include "histogram/histogram_precision.h"

namespace {

enum { THREADS = 256 };

unsigned blocks_of(int64_t count)
{
    const int64_t blocks = (count + THREADS - 1) / THREADS, most = 1024;
    return unsigned(blocks < 1 ? 1 : blocks < most ? blocks : most);
}

/* ---- edges: as edges.c ---- */

__device__ double rounded(sta_dtype dtype, double value)
{
    if (dtype == STA_float32)
        return double(float(value));
    if (dtype == STA_float16)
        return double(__half2float(__double2half(value)));
    if (dtype == STA_bfloat16)
        return double(__bfloat162float(__double2bfloat16(value)));
    return value;
}

__device__ void store(sta_dtype dtype, void *to, int64_t i, double value)
{
    if (dtype == STA_float64)
        static_cast<double *>(to)[i] = value;
    else if (dtype == STA_float32)
        static_cast<float *>(to)[i] = float(value);
    else if (dtype == STA_float16)
        static_cast<__half *>(to)[i] = __double2half(value);
    else
        static_cast<__nv_bfloat16 *>(to)[i] = __double2bfloat16(value);
}

struct range {
    sta_dtype precision;
    int64_t bins;
    double first, last, delta, divisor, step;

    __device__ double edge(int64_t k) const
    {
        if (k == bins)
            return last;
        double at = rounded(precision, double(k));
        at = rounded(precision, step == 0 ? rounded(precision, at / divisor) * delta : at * step);
        return rounded(precision, at + first);
    }
};

__device__ uint32_t kind_of(double x)
{
    return isnan(x) ? 1 : isinf(x) ? (x > 0 ? 2 : 3) : 0;
}

__global__ void make_edges(sta__cuda_edges e, sta_dtype dtype, void *edges, uint32_t *fault)
{
    double lo = e.lo, hi = e.hi;
    if (!e.has_range) {
        lo = sta::element<double>(e.lo_at.dtype, e.lo_at.data, 0);
        hi = sta::element<double>(e.hi_at.dtype, e.hi_at.data, 0);
    }
    if (!isfinite(lo) || !isfinite(hi)) {
        if (blockIdx.x == 0 && threadIdx.x == 0)
            *fault = STA__EDGES_NOT_FINITE + STA__EDGES_LO * kind_of(lo) + STA__EDGES_HI * kind_of(hi);
        return;
    }
    if (lo == hi) {
        lo -= 0.5;
        hi += 0.5;
    }
    range r = {e.has_range ? STA_float64 : dtype, e.bins, 0, 0, 0, 0, 0};
    r.first = rounded(r.precision, lo);
    r.last = rounded(r.precision, hi);
    r.delta = rounded(r.precision, r.last - r.first);
    r.divisor = rounded(r.precision, double(e.bins));
    r.step = rounded(r.precision, r.delta / r.divisor);
    for (int64_t k = int64_t(blockIdx.x) * THREADS + threadIdx.x; k <= e.bins; k += int64_t(gridDim.x) * THREADS) {
        const double edge = r.edge(k);
        store(dtype, edges, k, edge);
        if (k > 0 && !(rounded(dtype, r.edge(k - 1)) < rounded(dtype, edge)))
            *fault = STA__EDGES_COINCIDE;
    }
}

/* ---- the rule: as rule.inc.h ---- */

/* How far the estimate at edge k is off; -1: it is not. */
template <typename Real>
__device__ double error_at(const sta__cuda_rule &rule, const sta__cuda_array &edges, int64_t k, Real edge)
{
    const Real lo = sta::element<Real>(edges.dtype, edges.data, 0);
    const Real hi = sta::element<Real>(edges.dtype, edges.data, rule.bins), scale = Real(rule.bins) / (hi - lo);
    const Real at = (edge - lo) * scale, below = (sta::before(edge) - lo) * scale;
    const Real low = at < Real(k) ? Real(k) - at : Real(-1), high = below >= Real(k) ? below - Real(k) : Real(-1);
    return double(low > high ? low : high);
}
template <> __device__ double error_at(const sta__cuda_rule &, const sta__cuda_array &, int64_t, int64_t)
{
    return -1;
}

__device__ int64_t edge_of(const sta__cuda_array &edges, int64_t k, int64_t)
{
    return edges.dtype == STA_uint64 ? sta::as<int64_t>(static_cast<const uint64_t *>(edges.data)[k])
                                     : static_cast<const int64_t *>(edges.data)[k];
}
template <typename Real> __device__ Real edge_of(const sta__cuda_array &edges, int64_t k, Real)
{
    return sta::element<Real>(edges.dtype, edges.data, k);
}

/* By one block: it begins with 0; by several: the word does. */
template <typename Real> __global__ void make_rule(sta__cuda_rule rule, sta__cuda_array edges, int64_t *sums)
{
    __shared__ unsigned long long worst;
    if (threadIdx.x == 0)
        worst = 0;
    __syncthreads();
    for (int64_t k = int64_t(blockIdx.x) * THREADS + threadIdx.x; k <= rule.bins; k += int64_t(gridDim.x) * THREADS) {
        const Real edge = edge_of(edges, k, Real());
        static_cast<Real *>(rule.edges)[k] = edge;
        const double error = k > 0 && k < rule.bins ? error_at(rule, edges, k, edge) : -1;
        if (error >= 0)
            atomicMax(&worst, static_cast<unsigned long long>(sta::ordered(error)));
        if (sums && k < rule.bins)
            sums[k] = 0;
    }
    __syncthreads();
    if (threadIdx.x == 0 && gridDim.x == 1)
        *rule.worst = worst;
    else if (threadIdx.x == 0)
        atomicMax(reinterpret_cast<unsigned long long *>(rule.worst), worst);
}

/* ---- sums of tables ---- */

enum { MOST_INPUTS = 7 };
struct inputs {
    int count;
    const void *from[MOST_INPUTS];
};

template <typename Sum> __global__ void add(int64_t count, inputs in, Sum *to)
{
    for (int64_t k = int64_t(blockIdx.x) * THREADS + threadIdx.x; k < count; k += int64_t(gridDim.x) * THREADS) {
        Sum sum = static_cast<const Sum *>(in.from[0])[k];
        for (int i = 1; i < in.count; i++)
            sum += static_cast<const Sum *>(in.from[i])[k];
        to[k] = sum;
    }
}

} // namespace

int sta__cuda_histogram_edges(const struct sta__cuda_edges *e, sta_dtype dtype, void *edges, uint32_t *fault,
                              void *stream)
{
    make_edges<<<blocks_of(e->bins + 1), THREADS, 0, static_cast<cudaStream_t>(stream)>>>(*e, dtype, edges, fault);
    return cudaGetLastError();
}

int sta__cuda_histogram_rule(const struct sta__cuda_rule *rule, const struct sta__cuda_array *edges, int64_t *sums,
                             void *stream)
{
    enum { FEW_BINS = 16 * THREADS };
    const cudaStream_t on = static_cast<cudaStream_t>(stream);
    const unsigned blocks = rule->bins <= FEW_BINS ? 1 : blocks_of(int64_t(rule->bins) + 1);
    if (blocks > 1)
        cudaMemsetAsync(rule->worst, 0, sizeof *rule->worst, on);
    if (rule->precision == STA__BINS_F32)
        make_rule<float><<<blocks, THREADS, 0, on>>>(*rule, *edges, sums);
    else if (rule->precision == STA__BINS_F64)
        make_rule<double><<<blocks, THREADS, 0, on>>>(*rule, *edges, sums);
    else
        make_rule<int64_t><<<blocks, THREADS, 0, on>>>(*rule, *edges, sums);
    return cudaGetLastError();
}

int sta__cuda_histogram_add(bool whole, int64_t count, int given, const void *const *from, void *to, void *stream)
{
    const cudaStream_t on = static_cast<cudaStream_t>(stream);
    inputs in = {given, {}};
    for (int i = 0; i < given && i < MOST_INPUTS; i++)
        in.from[i] = from[i];
    if (whole)
        add<<<blocks_of(count), THREADS, 0, on>>>(count, in, static_cast<uint64_t *>(to));
    else
        add<<<blocks_of(count), THREADS, 0, on>>>(count, in, static_cast<double *>(to));
    return cudaGetLastError();
}
