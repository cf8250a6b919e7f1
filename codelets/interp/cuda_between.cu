/* The interpolation of cpu.c, a thread for each element: the same formula, the same bits. */
#include "interp/cuda.h"

namespace {

enum { THREADS = 256 };

/* The last point at or below x, for x within the points. */
__device__ int64_t interval(const double *points, int64_t count, double x)
{
    int64_t low = 0, high = count;
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (points[middle] <= x)
            low = middle;
        else
            high = middle;
    }
    return low;
}

__device__ double between(const sta__cuda_interp &t, double x, int64_t j, int part)
{
    const double x0 = t.x[j], x1 = t.x[j + 1], f0 = t.f[j * t.parts + part], f1 = t.f[(j + 1) * t.parts + part];
    const double slope = t.parts == 1 ? (f1 - f0) / (x1 - x0) : (f1 - f0) * (1.0 / (x1 - x0));
    double value = slope * (x - x0) + f0;
    if (!isnan(value))
        return value;
    value = slope * (x - x1) + f1; /* infinite points */
    return isnan(value) && f0 == f1 ? f0 : value;
}

__global__ void __launch_bounds__(THREADS)
    interpolate(const __grid_constant__ sta__cuda_interp t, const double *x, double *to)
{
    const int64_t last = t.count - 1;
    for (int64_t i = int64_t(blockIdx.x) * THREADS + threadIdx.x; i < t.size; i += int64_t(gridDim.x) * THREADS) {
        const double at = x[i], *constant = nullptr;
        const bool none = isnan(at) && last > 0;
        int64_t j = 0;
        if (at < t.x[0])
            constant = t.left;
        else if (at > t.x[last])
            constant = t.right;
        else if (!none)
            j = last ? interval(t.x, t.count, at) : 0;
        if (!constant && !none && (j == last || t.x[j] == at))
            constant = &t.f[j * t.parts];
        for (int part = 0; part < t.parts; part++) {
            double *value = &to[i * t.parts + part];
            if (none)
                *value = part ? 0 : at;
            else
                *value = constant ? constant[part] : between(t, at, j, part);
        }
    }
}

} // namespace

int sta__cuda_interp_launch(const struct sta__cuda_interp *table, const double *x, double *to, void *stream)
{
    const int64_t blocks = (table->size + THREADS - 1) / THREADS;
    if (blocks == 0)
        return cudaSuccess;
    interpolate<<<unsigned(blocks < 1 << 20 ? blocks : 1 << 20), THREADS, 0, static_cast<cudaStream_t>(stream)>>>(
        *table, x, to);
    return cudaGetLastError();
}
