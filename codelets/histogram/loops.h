/* The hot loops of the histogram, built once for each level of x86-64 (loops_count.c). */
#ifndef STA__HISTOGRAM_LOOPS_H
#define STA__HISTOGRAM_LOOPS_H

#include "isa.h"

#include <stdint.h>

enum {
    STA__HISTOGRAM_BLOCK = 128,    /* elements whose bins are found together */
    STA__HISTOGRAM_PAIR_BINS = 64, /* up to so many bins two elements are counted by one increment */
    STA__HISTOGRAM_LINEAR = 24     /* up to so many explicit edges are compared one by one */
};

/* The bin of v is trunc((v - lo) * scale) in the data's precision. That is monotone in v, so one look at all edges
 * tells how far from an integer it can be wrong: only where |frac - 1/2| >= sure the edges are asked. `sure` is
 * infinite if it is never wrong, 0 to ask always. */
struct sta__bins_f32 {
    int32_t bins;
    float lo, hi, scale, sure;
    const float *edges; /* bins + 1 */
};
struct sta__bins_f64 {
    int32_t bins;
    double lo, hi, scale, sure;
    const double *edges;
};

/* Where counts go. Element i of a block goes to table i % tables; a table has bins + 1 places, the last one for what
 * lies in no bin. `pairs` (two elements one increment) has tables of (bins + 1)^2 16-bit places and overflows after
 * 65535 pairs a table. */
struct sta__tables {
    int count;
    int64_t stride; /* places of one table */
    uint32_t *wide;
    uint16_t *pairs; /* NULL: not used */
};

struct sta__histogram_loops {
    /* The bins of one block; what lies in no bin gets `bins`. */
    void (*find_f32)(const struct sta__bins_f32 *bins, const float *v, int32_t *bin);
    void (*find_f64)(const struct sta__bins_f64 *bins, const double *v, int32_t *bin);
    /* By explicit edges, ascending. */
    void (*search_f32)(const struct sta__bins_f32 *bins, const float *v, int32_t *bin);
    void (*search_f64)(const struct sta__bins_f64 *bins, const double *v, int32_t *bin);
    /* Counts the bins of one block. */
    void (*scatter)(const int32_t *bin, struct sta__tables *tables, int32_t places);
    /* Both, for `blocks` whole blocks. */
    void (*count_f32)(const struct sta__bins_f32 *bins, const float *v, int64_t blocks, struct sta__tables *tables);
    void (*count_f64)(const struct sta__bins_f64 *bins, const double *v, int64_t blocks, struct sta__tables *tables);
};
STA__DECLARE_ISAS(struct sta__histogram_loops, sta__histogram_loops);

#endif
