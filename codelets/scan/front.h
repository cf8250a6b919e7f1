/* What the fronts of scans, differences and forms of ufuncs share. */
#ifndef STA__SCAN_FRONT_H
#define STA__SCAN_FRONT_H

#include "create/create.h"
#include "elementwise/front.h"
#include "scan/scan.h"
#include "slice.h"

/* An axis of the caller. False: call->error. */
bool sta__scan_axis(struct sta__call *call, const struct sta__shape *shape, int64_t axis, int *to);
/* sta__scan_value; 16-bit floats are computed in float32. */
struct sta__value *sta__scan_rounded(struct sta__call *call, const struct sta__operand *x,
                                     const struct sta__scan_request *request);

#endif
