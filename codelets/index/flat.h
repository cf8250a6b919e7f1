/* Flat indices and triangles: what front and kernels share. */
#ifndef STA__FLAT_H
#define STA__FLAT_H

#include "codelets/index/index.h"

/* to[a] for axis a, from the flat index; and back. */
struct sta__flat_arguments {
    int ndim, from[STA_MAXDIM], to[STA_MAXDIM];
    sta_index_mode mode;
    int64_t shape[STA_MAXDIM];
};
extern const struct sta__kernel sta__unravel_kernel, sta__ravel_kernel;

/* The indices first, first + 1, .. of a triangle: row i has columns 0 .. i + k of m, or those from there on. */
struct sta__triangle_arguments {
    bool upper, columns;
    int64_t n, k, m, first;
};
extern const struct sta__kernel sta__triangle_kernel;
/* How many elements of the triangle lie in the rows before `row`. */
int64_t sta__triangle_before(const struct sta__triangle_arguments *a, int64_t row);

#endif
