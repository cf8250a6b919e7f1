/* The hot loop of integer products, built once for each level of x86-64 (loops_matmul.c). */
#ifndef STA__LINALG_LOOPS_H
#define STA__LINALG_LOOPS_H

#include "isa.h"

#include <stdint.h>

enum {
    STA__PRODUCT_ROWS = 4,
    STA__PRODUCT_BYTES = 128
}; /* of a tile of the result: its rows, and the most bytes of a row */

/* c (ROWS x columns) = a (k columns of ROWS) times b (k rows of `columns`), all packed, wrapping. */
struct sta__product_loops {
    int bytes; /* of a row of c: columns * sizeof */
    void (*u16)(int64_t k, const uint16_t *a, const uint16_t *b, uint16_t *c);
    void (*u32)(int64_t k, const uint32_t *a, const uint32_t *b, uint32_t *c);
    void (*u64)(int64_t k, const uint64_t *a, const uint64_t *b, uint64_t *c);
};
STA__DECLARE_ISAS(struct sta__product_loops, sta__product_loops);

#endif
