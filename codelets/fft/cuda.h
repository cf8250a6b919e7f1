/* Kernels around cuFFT: lines gathered before a transform, results put in their place after it. Plain arguments, so that
 * C and CUDA C++ read this. All launch only; the status is of type cudaError_t. */
#ifndef STA__FFT_CUDA_H
#define STA__FFT_CUDA_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is gathered: (outer, given, inner) becomes outer * inner lines of `used` elements, 0 where there are no more. */
struct sta__cuda_gather {
    bool single, complex; /* elements are float or double, or pairs of them */
    int64_t outer, given, inner, used;
    int64_t hermitian; /* the length of the transform to reals that the lines are for, else 0: what a Hermitian line
                          cannot have is not looked at */
};
int sta__cuda_fft_gather(const struct sta__cuda_gather *g, const void *from, void *to, void *stream);

/* What becomes of a result: lines of `n` elements along the middle axis of (outer, n, inner), or of the first
 * n / 2 + 1 where `half`: those after it are the conjugates of those before. Then all are conjugated and scaled. */
struct sta__cuda_finish {
    bool single, complex;
    int64_t outer, n, inner;
    bool half, conjugate;
    double scale;
};
/* In place: the first half, or all, is there. */
int sta__cuda_fft_finish(const struct sta__cuda_finish *f, void *data, void *stream);
/* From outer * inner lines of n (or n / 2 + 1) elements. */
int sta__cuda_fft_scatter(const struct sta__cuda_finish *f, const void *lines, void *to, void *stream);

#ifdef __cplusplus
}
#endif
#endif
