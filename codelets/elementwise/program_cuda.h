/* Programs on GPUs, for those who make their kernels; no_cuda.c stands in without CUDA. */
#ifndef STA__PROGRAM_CUDA_H
#define STA__PROGRAM_CUDA_H

#include "internal.h"

sta_error_code sta__program_cuda(struct sta__job *job);
bool sta__program_ready(struct sta__job *job);
/* Fills in what operands will be on a GPU, for functions that make things ready. */
void sta__cuda_imagine(struct sta__job *job);

#endif
