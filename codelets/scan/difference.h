/* What the differences share. */
#ifndef STA__DIFFERENCE_H
#define STA__DIFFERENCE_H

#include "composed.h"

/* A vector as it broadcasts along `axis` of an array of ndim axes. */
sta_array sta__across(sta_array x, int64_t axis, int ndim);

#endif
