/* What the files of sta_pad share. */
#ifndef STA__PAD_H
#define STA__PAD_H

#include "join/mosaic.h"

#include <starray/join.h>

struct sta__pad {
    sta_pad_options options;
    int64_t width[STA_MAXDIM][2];
};

/* Padding that repeats elements of x or one number: strips. */
bool sta__pad_is_strips(const sta_pad_options *options);
struct sta__value *sta__pad_strips(struct sta__call *call, struct sta__operand *x, const struct sta__pad *pad);
/* Padding with numbers that are computed from x, axis by axis; made of public functions. */
sta_array sta__pad_computed(sta_array x, const struct sta__pad *pad);

#endif
