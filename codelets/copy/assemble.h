/* Copies of boxes from tile to tile: what a re-cut is made of. */
#ifndef STA__ASSEMBLE_H
#define STA__ASSEMBLE_H

#include "internal.h"
#include "partition/match.h"

enum { STA__ASSEMBLE_PIECES = 32 };

/* Memory `to` receives `count` boxes. In each: the box in the result tile, where it begins in its source, and how the
 * source's axes follow those of the result. */
struct sta__assemble_arguments {
    int ndim, store_ndim, count, to;
    struct sta__axis_map map[STA_MAXDIM];
    struct {
        int memory;
        int64_t from[STA_MAXDIM], to[STA_MAXDIM], start[STA_MAXDIM];
    } piece[STA__ASSEMBLE_PIECES];
};
extern const struct sta__kernel sta__assemble_kernel;

/* Copies a box of host memory with any strides (in bytes). */
void sta__copy_box(char *to, const int64_t *to_stride, const char *from, const int64_t *from_stride,
                   const int64_t *shape, int ndim, size_t item);
/* The values of one operand onto another of the same shape and dtype. */
void sta__memory_copy(const struct sta__memory *to, const struct sta__memory *from);

#endif
