/* What the differences share: functions of public arrays, made of slices and element-wise functions. */
#ifndef STA__DIFFERENCE_H
#define STA__DIFFERENCE_H

#include <starray/starray.h>

/* x[start:stop] along the axis, a view; stop 0: to the end. */
sta_array sta__along(sta_array x, int64_t axis, int64_t start, int64_t stop);
/* A vector as it broadcasts along `axis` of an array of ndim axes. */
sta_array sta__across(sta_array x, int64_t axis, int ndim);
/* The axis in range, or -1 and the error, as of function `op`, in *failed. */
int64_t sta__difference_axis(const char *op, sta_array x, int64_t axis, sta_array *failed);
/* An array with the error. */
sta_array sta__difference_error(const char *op, sta_error_code code, const char *text);
/* Ends the scope; the result lives on in the one around it. */
sta_array sta__difference_end(sta_scope scope, sta_array result);

#endif
