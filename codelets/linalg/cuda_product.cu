/* Products of integers and bool, and sums of partial products. cuBLAS does the others. */
#include "linalg/cuda.h"

namespace {

enum { EDGE = 128, DEPTH = 8, THREADS = 256, OWN = 8 }; /* a block computes EDGE x EDGE, a thread OWN x OWN of it */

struct operand {
    const void *data;
    int64_t row, column, step; /* in elements */
};

/* Bool is "any of and": it must not wrap, however long k is. */
template <typename Word, typename Sum, bool Truth> struct rule {
    static __device__ Sum load(const void *data, int64_t at)
    {
        const Word word = static_cast<const Word *>(data)[at];
        return Truth ? Sum(word != 0) : Sum(word);
    }
    static __device__ Sum step(Sum sum, Sum a, Sum b)
    {
        return Truth ? Sum(sum | (a & b)) : Sum(sum + a * b);
    }
    static __device__ Word end(Sum sum, Word before, bool add)
    {
        if (Truth)
            return Word(sum != 0 || (add && before != 0));
        return Word(sum + (add ? Sum(before) : Sum(0)));
    }
};

/* Neighbouring threads read along the axis that is contiguous. */
template <typename Rule, typename Sum>
__device__ void load_part(const operand &from, int64_t row, int64_t rows, int64_t inner, int64_t depth,
                          Sum (*to)[EDGE + 1])
{
    const bool along = from.column == 1;
    for (int i = int(threadIdx.x); i < EDGE * DEPTH; i += THREADS) {
        const int r = along ? i / DEPTH : i % EDGE, l = along ? i % DEPTH : i / EDGE;
        const bool inside = row + r < rows && inner + l < depth;
        to[l][r] = inside ? Rule::load(from.data, (row + r) * from.row + (inner + l) * from.column) : Sum(0);
    }
}

template <typename Word, typename Sum, bool Truth>
__global__ void __launch_bounds__(THREADS)
    product(int64_t m, int64_t n, int64_t k, int64_t stack, operand a, operand b, Word *c, bool add)
{
    using Rule = rule<Word, Sum, Truth>;
    __shared__ Sum left[DEPTH][EDGE + 1], right[DEPTH][EDGE + 1];
    const int64_t rows = (m + EDGE - 1) / EDGE, columns = (n + EDGE - 1) / EDGE;
    const int x = int(threadIdx.x) % 16, y = int(threadIdx.x) / 16;
    for (int64_t block = blockIdx.x; block < rows * columns * stack; block += gridDim.x) {
        const int64_t s = block / (rows * columns), row = block / columns % rows * EDGE,
                      column = block % columns * EDGE;
        operand of_a = a, of_b = b;
        of_a.data = static_cast<const Word *>(a.data) + s * a.step;
        of_b.data = static_cast<const Word *>(b.data) + s * b.step;
        Sum sum[OWN][OWN] = {};
        for (int64_t inner = 0; inner < k; inner += DEPTH) {
            load_part<Rule, Sum>(of_a, row, m, inner, k, left);
            load_part<Rule, Sum>(of_b, column, n, inner, k, right);
            __syncthreads();
#pragma unroll
            for (int l = 0; l < DEPTH; l++) {
                Sum of_row[OWN], of_column[OWN];
#pragma unroll
                for (int i = 0; i < OWN; i++) {
                    of_row[i] = left[l][y + 16 * i];
                    of_column[i] = right[l][x + 16 * i];
                }
#pragma unroll
                for (int i = 0; i < OWN; i++)
#pragma unroll
                    for (int j = 0; j < OWN; j++)
                        sum[i][j] = Rule::step(sum[i][j], of_row[i], of_column[j]);
            }
            __syncthreads();
        }
        Word *to = c + s * m * n;
#pragma unroll
        for (int i = 0; i < OWN; i++)
#pragma unroll
            for (int j = 0; j < OWN; j++) {
                const int64_t r = row + y + 16 * i, q = column + x + 16 * j;
                if (r < m && q < n)
                    to[r * n + q] = Rule::end(sum[i][j], add ? to[r * n + q] : Word(0), add);
            }
    }
}

template <typename Word, typename Sum, bool Truth>
cudaError_t launch_product(int64_t m, int64_t n, int64_t k, int64_t stack, const operand &a, const operand &b, void *c,
                           bool add, cudaStream_t stream)
{
    const int64_t blocks = (m + EDGE - 1) / EDGE * ((n + EDGE - 1) / EDGE) * stack, most = 1 << 30;
    product<Word, Sum, Truth><<<unsigned(blocks < most ? blocks : most), THREADS, 0, stream>>>(
        m, n, k, stack, a, b, static_cast<Word *>(c), add);
    return cudaGetLastError();
}

enum { MOST_INPUTS = 7 };
struct inputs {
    int count;
    const void *from[MOST_INPUTS];
};

template <typename Word, bool Truth> __global__ void add(int64_t count, inputs in, Word *to)
{
    for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += int64_t(gridDim.x) * blockDim.x) {
        Word sum = static_cast<const Word *>(in.from[0])[i];
        for (int k = 1; k < in.count; k++) {
            const Word next = static_cast<const Word *>(in.from[k])[i];
            sum = Truth ? Word(sum != 0 || next != 0) : Word(sum + next);
        }
        to[i] = sum;
    }
}

template <typename Word, bool Truth>
cudaError_t launch_add(int64_t count, const inputs &in, void *to, cudaStream_t stream)
{
    const int64_t blocks = (count + 255) / 256, most = 4096;
    add<Word, Truth><<<unsigned(blocks < most ? blocks : most), 256, 0, stream>>>(count, in, static_cast<Word *>(to));
    return cudaGetLastError();
}

} // namespace

int sta__cuda_product(int bytes, int64_t m, int64_t n, int64_t k, int64_t stack, const void *a, int64_t a_row,
                      int64_t a_column, int64_t a_step, const void *b, int64_t b_row, int64_t b_column, int64_t b_step,
                      void *c, bool add, void *stream)
{
    const operand left = {a, a_row, a_column, a_step}, right = {b, b_column, b_row, b_step}; /* columns as rows */
    const cudaStream_t on = static_cast<cudaStream_t>(stream);
    switch (bytes) {
    case 0:
        return launch_product<uint8_t, uint32_t, true>(m, n, k, stack, left, right, c, add, on);
    case 1:
        return launch_product<uint8_t, uint32_t, false>(m, n, k, stack, left, right, c, add, on);
    case 2:
        return launch_product<uint16_t, uint32_t, false>(m, n, k, stack, left, right, c, add, on);
    case 4:
        return launch_product<uint32_t, uint32_t, false>(m, n, k, stack, left, right, c, add, on);
    default:
        return launch_product<uint64_t, uint64_t, false>(m, n, k, stack, left, right, c, add, on);
    }
}

int sta__cuda_add(enum sta__cuda_word word, int64_t count, int count_inputs, const void *const *from, void *to,
                  void *stream)
{
    const cudaStream_t on = static_cast<cudaStream_t>(stream);
    inputs in = {count_inputs, {}};
    for (int i = 0; i < count_inputs && i < MOST_INPUTS; i++)
        in.from[i] = from[i];
    if (count == 0)
        return cudaSuccess;
    switch (word) {
    case STA__CUDA_TRUTH:
        return launch_add<uint8_t, true>(count, in, to, on);
    case STA__CUDA_8:
        return launch_add<uint8_t, false>(count, in, to, on);
    case STA__CUDA_16:
        return launch_add<uint16_t, false>(count, in, to, on);
    case STA__CUDA_32:
        return launch_add<uint32_t, false>(count, in, to, on);
    case STA__CUDA_F32:
        return launch_add<float, false>(count, in, to, on);
    case STA__CUDA_F64:
        return launch_add<double, false>(count, in, to, on);
    default:
        return launch_add<uint64_t, false>(count, in, to, on);
    }
}
