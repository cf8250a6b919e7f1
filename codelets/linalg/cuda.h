/* Kernels of products on GPUs: plain arguments and a stream, so that C and CUDA C++ read this. All launch only; the
 * status is of type cudaError_t. */
#ifndef STA__LINALG_CUDA_H
#define STA__LINALG_CUDA_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* c (m, n; rows n apart) = a b, or += where add; element (i, l) of a is at a + i * a_row + l * a_column, b likewise. Words
 * of 1, 2, 4 or 8 bytes that wrap, or (bytes = 0) bool. `stack` products, a_step and b_step apart. */
int sta__cuda_product(int bytes, int64_t m, int64_t n, int64_t k, int64_t stack, const void *a, int64_t a_row,
                      int64_t a_column, int64_t a_step, const void *b, int64_t b_row, int64_t b_column, int64_t b_step,
                      void *c, bool add, void *stream);

enum sta__cuda_word {
    STA__CUDA_TRUTH,
    STA__CUDA_8,
    STA__CUDA_16,
    STA__CUDA_32,
    STA__CUDA_64,
    STA__CUDA_F32,
    STA__CUDA_F64
};
/* to[i] = from[0][i] + from[1][i] + ..., in this order. */
int sta__cuda_add(enum sta__cuda_word word, int64_t count, int inputs, const void *const *from, void *to, void *stream);

#ifdef __cplusplus
}
#endif
#endif
