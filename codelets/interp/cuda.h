/* The interpolation on GPUs; no_cuda.c stands in without CUDA. C and C++ read this. */
#ifndef STA__INTERP_CUDA_H
#define STA__INTERP_CUDA_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
/* The table of cpu.c on the device; x and `to` have `size` elements, the latter of `parts` numbers. The status is of type
 * cudaError_t. */
struct sta__cuda_interp {
    const double *x, *f, *left, *right;
    int64_t count, size;
    int parts;
};
int sta__cuda_interp_launch(const struct sta__cuda_interp *table, const double *x, double *to, void *stream);
#ifdef __cplusplus
}
#else

#include "internal.h"

sta_error_code sta__interp_cuda(struct sta__job *job);
#endif

#endif
