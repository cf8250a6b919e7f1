/* Elements copied as they are: lines and planes of host memory with any strides, without a loop over single elements where
 * their places allow. Steps and strides are in bytes; memory need not be aligned; what is written overlaps nothing read. */
#ifndef STA__LINES_COPY_H
#define STA__LINES_COPY_H

#include "isa.h"

#include <stddef.h>
#include <stdint.h>

/* The loops for items of one size. */
struct sta__copy_loops {
    void (*line)(int64_t n, char *to, int64_t to_step, const char *from, int64_t from_step);
    /* Rows are contiguous in `to`, columns in `from`. */
    void (*turn)(int64_t rows, int64_t columns, char *to, int64_t to_step, const char *from, int64_t from_step);
    /* to: the first element of each of `count` lines, the second of each, .. */
    void (*weave)(int64_t n, int count, char *to, const char *const *from);
};
struct sta__copy_table {
    struct sta__copy_loops of[5]; /* items of 1, 2, 4, 8, 16 bytes */
};
STA__DECLARE_ISAS(struct sta__copy_table, sta__copy_table);

const struct sta__copy_loops *sta__copy_loops(size_t item);
void sta__copy_line(int64_t n, char *to, int64_t to_step, const char *from, int64_t from_step, size_t item);

/* Rows and columns. */
struct sta__plane {
    int64_t shape[2], to[2], from[2]; /* strides */
    size_t item;
};
void sta__copy_plane(const struct sta__plane *plane, char *to, const char *from);

#endif
