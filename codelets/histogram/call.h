/* One call of histogram. */
#ifndef STA__HISTOGRAM_CALL_H
#define STA__HISTOGRAM_CALL_H

#include "histogram.h"

#include <starray/histogram.h>

/* One call. The values are owned; NULL where they are not used. */
struct sta__histogram {
    struct sta__call call;
    sta_histogram_options options;
    bool explicit_edges, weighted, now;
    int64_t bins;
    struct sta__operand x;
    struct sta__value *data, *weights, *given; /* what is read */
    struct sta__value *lo, *hi;                /* the range of the data */
    struct sta__value *edges, *sums, *counts;  /* what is written; counts may be the sums */
    struct sta__batch *batch;
};

/* Builds and submits its tasks. */
bool sta__histogram_submit(struct sta__histogram *p);

#endif
