/* What other families use of this one. */
#ifndef STA__CREATE_H
#define STA__CREATE_H

#include "internal.h"

/* A pending array of one number; computed at once if small. */
struct sta__value *sta__fill(struct sta__call *call, const struct sta__shape *shape, sta_dtype dtype, int64_t number);
/* start, start + 1, .. : `length` of them, NOW or TILED. */
struct sta__value *sta__arange_value(struct sta__call *call, int64_t start, int64_t length, sta_dtype dtype);
/* An array whose elements the kernel makes from nothing but its arguments, which begin with a struct sta__box: that of the
 * tile, filled in for each task. */
struct sta__value *sta__make(struct sta__call *call, const struct sta__shape *shape, sta_dtype dtype,
                             const struct sta__kernel *kernel, const void *arguments, size_t bytes);
bool sta__check_shape(struct sta__call *call, const sta_dims *dims, struct sta__shape *shape);
bool sta__check_dtype(struct sta__call *call, sta_dtype dtype); /* false: call->error */

#endif
