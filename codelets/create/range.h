/* Ranges: what their front and their kernels share. */
#ifndef STA__RANGE_H
#define STA__RANGE_H

#include "internal.h"

enum sta__range_kind { STA__ARANGE, STA__ARANGE_INT, STA__LINSPACE, STA__EYE };

struct sta__range_arguments {
    enum sta__range_kind kind;
    int64_t first[2]; /* the tile's first index */
    double start, step, stop;
    int64_t whole_start, whole_step;
    int64_t n, diagonal;
    bool floor;
};

/* On a GPU; no_cuda.c stands in without CUDA. */
sta_error_code sta__range_cuda(struct sta__job *job);
bool sta__range_ready(struct sta__job *job);

#endif
