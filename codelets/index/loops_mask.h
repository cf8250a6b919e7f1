/* The hot loops of masks, built once for each level of x86-64 (loops_mask.c). Bytes of a mask are 0 or 1. */
#ifndef STA__MASK_LOOPS_H
#define STA__MASK_LOOPS_H

#include "isa.h"

#include <stdint.h>

struct sta__mask_loops {
    int64_t (*count)(const uint8_t *mask, int64_t n);
    /* The places of true elements, the first of which is `first`; there are `room` of them. */
    void (*places)(const uint8_t *mask, int64_t n, int64_t first, int64_t *to, int64_t room);
    /* By the bytes of an element: to[i] = *value where the mask is true. */
    void (*fill[17])(const uint8_t *mask, int64_t n, char *to, const char *value);
};
STA__DECLARE_ISAS(struct sta__mask_loops, sta__mask_loops);

#endif
