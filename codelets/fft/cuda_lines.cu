/* See cuda.h. Where the axis is not the last one, lines are turned in squares of shared memory, so that both sides are
 * read and written along what is contiguous. */
#include "fft/cuda.h"

namespace {

enum { SIDE = 32, ROWS = 8, THREADS = 256, AHEAD = 4 };

template <typename Real> struct pair {
    Real re, im;
};
struct alignas(8) pair_f32 : pair<float> {};
struct alignas(16) pair_f64 : pair<double> {};

__device__ void drop_imaginary(float &)
{
}
__device__ void drop_imaginary(double &)
{
}
__device__ void drop_imaginary(pair_f32 &x)
{
    x.im = 0;
}
__device__ void drop_imaginary(pair_f64 &x)
{
    x.im = 0;
}

__device__ float made(float x, float scale, bool)
{
    return x * scale;
}
__device__ double made(double x, double scale, bool)
{
    return x * scale;
}
__device__ pair_f32 made(pair_f32 x, float scale, bool conjugate)
{
    x.re *= scale;
    x.im = (conjugate ? -x.im : x.im) * scale;
    return x;
}
__device__ pair_f64 made(pair_f64 x, double scale, bool conjugate)
{
    x.re *= scale;
    x.im = (conjugate ? -x.im : x.im) * scale;
    return x;
}

/* ---- gathering ---- */

template <typename Element> __device__ Element used_as(Element x, int64_t k, int64_t hermitian)
{
    if (hermitian && (k == 0 || 2 * k == hermitian))
        drop_imaginary(x);
    return x;
}

template <typename Element>
__global__ void gather_rows(int64_t lines, int64_t given, int64_t used, int64_t hermitian, const Element *from,
                            Element *to)
{
    const int64_t step = int64_t(gridDim.x) * blockDim.y;
    for (int64_t line = int64_t(blockIdx.x) * blockDim.y + threadIdx.y; line < lines; line += step)
        for (int64_t k = threadIdx.x; k < used; k += blockDim.x)
            to[line * used + k] = k < given ? used_as(from[line * given + k], k, hermitian) : Element();
}

/* A block of threads is SIDE x ROWS. */
template <typename Element>
__global__ void gather_turned(int64_t outer, int64_t given, int64_t inner, int64_t used, int64_t hermitian,
                              const Element *from, Element *to)
{
    __shared__ Element square[SIDE][SIDE + 1];
    const int64_t along = (used + SIDE - 1) / SIDE, across = (inner + SIDE - 1) / SIDE;
    for (int64_t block = blockIdx.x; block < outer * along * across; block += gridDim.x) {
        const int64_t o = block / (along * across), k = block / across % along * SIDE, j = block % across * SIDE;
        for (int r = int(threadIdx.y); r < SIDE; r += ROWS)
            if (j + threadIdx.x < inner)
                square[r][threadIdx.x] =
                    k + r < given ? from[(o * given + k + r) * inner + j + threadIdx.x] : Element();
        __syncthreads();
        for (int r = int(threadIdx.y); r < SIDE; r += ROWS)
            if (j + r < inner && k + threadIdx.x < used)
                to[(o * inner + j + r) * used + k + threadIdx.x] =
                    used_as(square[threadIdx.x][r], k + int64_t(threadIdx.x), hermitian);
        __syncthreads();
    }
}

/* Threads along a line and lines in a block, for lines that short. */
dim3 block_of(int64_t length)
{
    unsigned x = 32;
    while (x < THREADS && 4 * x < 3 * length) /* some may be idle */
        x *= 2;
    return dim3(x, THREADS / x);
}

unsigned blocks_of(int64_t count)
{
    const int64_t most = 1 << 16;
    return unsigned(count < most ? count : most);
}

int64_t divide_up(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

template <typename Element>
cudaError_t gather(const sta__cuda_gather &g, const void *from, void *to, cudaStream_t stream)
{
    const Element *source = static_cast<const Element *>(from);
    Element *target = static_cast<Element *>(to);
    if (g.inner == 1) {
        const dim3 block = block_of(g.used);
        gather_rows<<<blocks_of(divide_up(g.outer, block.y)), block, 0, stream>>>(g.outer, g.given, g.used, g.hermitian,
                                                                                  source, target);
    } else {
        const int64_t blocks = g.outer * divide_up(g.used, SIDE) * divide_up(g.inner, SIDE);
        gather_turned<<<blocks_of(blocks), dim3(SIDE, ROWS), 0, stream>>>(g.outer, g.given, g.inner, g.used,
                                                                          g.hermitian, source, target);
    }
    return cudaGetLastError();
}

/* ---- finishing ---- */

/* Each thread makes some elements of the first half and their conjugates; all of them are read before one is written. */
template <typename Element, typename Real>
__global__ void __launch_bounds__(THREADS)
    finish_rows(int64_t lines, int64_t n, bool half, bool conjugate, Real scale, Element *data)
{
    const bool change = conjugate || scale != Real(1);
    const int64_t first = half && !change ? 1 : 0, end = !half ? n : change ? n / 2 + 1 : (n + 1) / 2;
    const int64_t step = int64_t(gridDim.x) * blockDim.y;
    for (int64_t line = int64_t(blockIdx.x) * blockDim.y + threadIdx.y; line < lines; line += step) {
        Element *row = data + line * n;
        for (int64_t k = first + threadIdx.x; k < end; k += AHEAD * blockDim.x) {
            Element x[AHEAD];
#pragma unroll
            for (int a = 0; a < AHEAD; a++)
                if (k + a * blockDim.x < end)
                    x[a] = row[k + a * blockDim.x];
#pragma unroll
            for (int a = 0; a < AHEAD; a++) {
                const int64_t at = k + a * blockDim.x;
                if (at < end && change)
                    row[at] = made(x[a], scale, conjugate);
                if (at < end && half && at > 0 && 2 * at < n)
                    row[n - at] = made(x[a], scale, !conjugate);
            }
        }
    }
}

template <typename Element, typename Real>
__global__ void finish_planes(int64_t outer, int64_t n, int64_t inner, bool half, bool conjugate, Real scale,
                              Element *data)
{
    const int64_t count = half ? n / 2 + 1 : n, step = int64_t(gridDim.x) * blockDim.y;
    const bool change = conjugate || scale != Real(1);
    for (int64_t line = int64_t(blockIdx.x) * blockDim.y + threadIdx.y; line < outer * count; line += step) {
        const int64_t o = line / count, k = line % count;
        Element *row = data + (o * n + k) * inner, *mirrored = data + (o * n + n - k) * inner;
        for (int64_t j = threadIdx.x; j < inner; j += blockDim.x) {
            const Element x = row[j];
            if (change)
                row[j] = made(x, scale, conjugate);
            if (half && k > 0 && 2 * k < n)
                mirrored[j] = made(x, scale, !conjugate);
        }
    }
}

template <typename Element, typename Real>
cudaError_t finish(const sta__cuda_finish &f, void *data, cudaStream_t stream)
{
    Element *target = static_cast<Element *>(data);
    const int64_t count = f.half ? f.n / 2 + 1 : f.n;
    if (f.inner == 1) {
        const dim3 block = block_of((count + AHEAD - 1) / AHEAD);
        finish_rows<<<blocks_of(divide_up(f.outer, block.y)), block, 0, stream>>>(f.outer, f.n, f.half, f.conjugate,
                                                                                  Real(f.scale), target);
    } else {
        const dim3 block = block_of(f.inner);
        finish_planes<<<blocks_of(divide_up(f.outer * count, block.y)), block, 0, stream>>>(
            f.outer, f.n, f.inner, f.half, f.conjugate, Real(f.scale), target);
    }
    return cudaGetLastError();
}

template <typename Element, typename Real>
__global__ void scatter_turned(int64_t outer, int64_t n, int64_t inner, bool half, bool conjugate, Real scale,
                               const Element *lines, Element *to)
{
    __shared__ Element square[SIDE][SIDE + 1];
    const int64_t along = (n + SIDE - 1) / SIDE, across = (inner + SIDE - 1) / SIDE, got = half ? n / 2 + 1 : n;
    for (int64_t block = blockIdx.x; block < outer * along * across; block += gridDim.x) {
        const int64_t o = block / (along * across), k = block / across % along * SIDE, j = block % across * SIDE;
        const int64_t mine = k + threadIdx.x;
        for (int r = int(threadIdx.y); r < SIDE; r += ROWS)
            if (mine < n && j + r < inner) {
                const Element *line = lines + (o * inner + j + r) * got;
                square[r][threadIdx.x] =
                    mine < got ? made(line[mine], scale, conjugate) : made(line[n - mine], scale, !conjugate);
            }
        __syncthreads();
        for (int r = int(threadIdx.y); r < SIDE; r += ROWS)
            if (k + r < n && j + threadIdx.x < inner)
                to[(o * n + k + r) * inner + j + threadIdx.x] = square[threadIdx.x][r];
        __syncthreads();
    }
}

template <typename Element, typename Real>
cudaError_t scatter(const sta__cuda_finish &f, const void *lines, void *to, cudaStream_t stream)
{
    const int64_t blocks = f.outer * divide_up(f.n, SIDE) * divide_up(f.inner, SIDE);
    scatter_turned<<<blocks_of(blocks), dim3(SIDE, ROWS), 0, stream>>>(
        f.outer, f.n, f.inner, f.half, f.conjugate, Real(f.scale), static_cast<const Element *>(lines),
        static_cast<Element *>(to));
    return cudaGetLastError();
}

} // namespace

int sta__cuda_fft_gather(const struct sta__cuda_gather *g, const void *from, void *to, void *stream)
{
    const cudaStream_t on = static_cast<cudaStream_t>(stream);
    if (g->single)
        return g->complex ? gather<pair_f32>(*g, from, to, on) : gather<float>(*g, from, to, on);
    return g->complex ? gather<pair_f64>(*g, from, to, on) : gather<double>(*g, from, to, on);
}

int sta__cuda_fft_finish(const struct sta__cuda_finish *f, void *data, void *stream)
{
    const cudaStream_t on = static_cast<cudaStream_t>(stream);
    if (f->single)
        return f->complex ? finish<pair_f32, float>(*f, data, on) : finish<float, float>(*f, data, on);
    return f->complex ? finish<pair_f64, double>(*f, data, on) : finish<double, double>(*f, data, on);
}

int sta__cuda_fft_scatter(const struct sta__cuda_finish *f, const void *lines, void *to, void *stream)
{
    const cudaStream_t on = static_cast<cudaStream_t>(stream);
    if (f->single)
        return f->complex ? scatter<pair_f32, float>(*f, lines, to, on) : scatter<float, float>(*f, lines, to, on);
    return f->complex ? scatter<pair_f64, double>(*f, lines, to, on) : scatter<double, double>(*f, lines, to, on);
}
