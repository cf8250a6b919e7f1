/* What the parts of the linear algebra share. */
#ifndef STA__LINALG_H
#define STA__LINALG_H

#include "internal.h"

/* One operand of a product: where its block begins in its memory and how it lies there, in elements. */
struct sta__matrix {
    int at;        /* in job->memory */
    int64_t first; /* the block's first element */
    int64_t pitch; /* from one stored row to the next */
    int64_t step;  /* from one matrix of a stack to the next */
    bool transposed;
};
/* memory[0] (m, n), contiguous, becomes a (m, k) times b (k, n), or that is added to it; `stack` times. */
struct sta__matmul_arguments {
    int64_t m, n, k, stack;
    bool add;
    struct sta__matrix a, b;
};
/* memory[0] becomes the sum of memory[1] ..., in their order. */
extern const struct sta__kernel sta__matmul, sta__matmul_add;

/* On GPUs (cuda.c). */
bool sta__matmul_ready(struct sta__job *job);
sta_error_code sta__matmul_cuda(struct sta__job *job);
sta_error_code sta__matmul_add_cuda(struct sta__job *job);

/* One product c (m, n; rows `pitch` apart) = a b, or += where add. dtype is that of a, b and c. */
struct sta__product {
    sta_dtype dtype;
    int64_t m, n, k;
    const char *a, *b;
    char *c;
    int64_t a_pitch, b_pitch, c_pitch;
    bool a_transposed, b_transposed, add;
};
void sta__product_blas(const struct sta__product *p); /* floats and complex, by OpenBLAS on one thread */
int sta__blas_threads(void); /* of OpenBLAS, as somebody may have set it since; 0: it was not used yet */
/* Makes 16-bit operands of a task floats; the copies are the caller's, also where it returns false: no memory. */
bool sta__product_widen(struct sta__job *job, float *copies[2]);
bool sta__product_integer(const struct sta__product *p); /* integers and bool, wrapping; false: no memory */

#endif
