/* What front and kernel of the interpolation share. */
#ifndef STA__INTERP_H
#define STA__INTERP_H

#include "internal.h"

/* Which memory each operand is: the result is the first, and one array may be two of them. */
struct sta__interp_arguments {
    int x, xp, fp;
    int left, right; /* 0: an end of fp */
};
extern const struct sta__kernel sta__interp;

#endif
