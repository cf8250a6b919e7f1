/* Ranges: what their front and their kernels share. */
#ifndef STA__RANGE_H
#define STA__RANGE_H

#include "internal.h"

enum sta__range_kind { STA__ARANGE, STA__ARANGE_INT, STA__LINSPACE, STA__EYE };

struct sta__range_arguments {
    struct sta__box box; /* of the tile; first: sta__make fills it in */
    enum sta__range_kind kind;
    double start, step, stop;
    double sections; /* LINSPACE with a step that is rounded to 0: how many there are; else 0 */
    int64_t whole_start, whole_step;
    int64_t last; /* LINSPACE: the index that is `stop` exactly; -1: none */
    int64_t diagonal;
    bool floor;
};

/* On a GPU; no_cuda.c stands in without CUDA. */
sta_error_code sta__range_cuda(struct sta__job *job);
bool sta__range_ready(struct sta__job *job);

#endif
