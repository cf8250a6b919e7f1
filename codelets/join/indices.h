/* Indices that a function has to see before it knows the shape of its result. */
#ifndef STA__JOIN_INDICES_H
#define STA__JOIN_INDICES_H

#include "internal.h"

struct sta__indices {
    int64_t *at; /* `count` of them, C order; to be released */
    int64_t count;
    int ndim;  /* of the array that they were */
    bool mask; /* it was of bool: 0 and 1 */
};
/* Computes and waits. False: call->error. Errors: DTYPE for others than bool and integers that int64 holds. */
bool sta__indices_read(struct sta__call *call, sta_array x, struct sta__indices *to);

#endif
