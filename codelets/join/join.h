/* What the fronts of joining share: operands, axes, and results made of one array. */
#ifndef STA__JOIN_H
#define STA__JOIN_H

#include "join/mosaic.h"
#include "slice.h"

/* An operand whose axis is in range. False: call->error, and nothing to drop. */
bool sta__join_operand(struct sta__call *call, sta_array x, int64_t axis, struct sta__operand *to, int *axis_to);
/* The axis of an array of `ndim` axes. False: call->error. */
bool sta__join_axis(struct sta__call *call, int64_t axis, int ndim, int *to);
/* Operands joined along an axis that they all have; their references are taken over. They must fit. */
struct sta__value *sta__join_parts(struct sta__call *call, struct sta__operand *x, int count, int axis);
/* sta_concat, for a function of the name `op`. */
sta_array sta__concat(const char *op, const sta_array *x, int count, int64_t axis);

#endif
