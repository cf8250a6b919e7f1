/* x[mask] = value in place: what the front and its kernel share.
 *
 * The words of a task, after those of its program's inputs (the mask): the memory of x's tile, that of the value, and how many
 * elements of x each one of the mask stands for in the tile; the value has one, or as many. */
#ifndef STA__FILL_H
#define STA__FILL_H

#include "codelets/index/index.h"

extern const struct sta__kernel sta__mask_fill_kernel;

/* Where the mask is there and nobody else holds the elements of x they are written in place, and what is false is not even
 * read. x: the store's value is in the frame whose leading axes the mask has. */
struct sta__mask_filling {
    const struct sta__operand *mask, *value; /* of one element, or with x's axes after the mask's */
    bool done;                               /* else nothing was, and there may be no error */
};
void sta__mask_fill(struct sta__call *call, struct sta__store *store, void *filling);

#endif
