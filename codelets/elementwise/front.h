/* What the fronts of element-wise functions share: one function of the table on operands, and functions made of several. */
#ifndef STA__ELEMENTWISE_FRONT_H
#define STA__ELEMENTWISE_FRONT_H

#include "elementwise/ufunc.h"
#include "graph.h"

/* The row `op` of the operands: computed at once where that is the way of small arrays, else pending. NULL: call->error.
 * The references of the operands may be taken; drop them all the same. */
struct sta__value *sta__ufunc_value(struct sta__call *call, int op, struct sta__operand *in, int arity);

/* ---- for functions made of several: all take the references of operands over, and pass a failure on: an operand
 * without a value gives one without a value ---- */

struct sta__operand sta__whole(struct sta__value *value);                                    /* the value as it is */
struct sta__operand sta__again(const struct sta__operand *operand);                          /* one more reference */
struct sta__operand sta__number(struct sta__call *call, double re, double im, bool complex); /* weak */
struct sta__operand sta__cast(struct sta__call *call, struct sta__operand x, sta_dtype dtype);
struct sta__operand sta__apply(struct sta__call *call, int op, int arity, struct sta__operand *in);
#define STA__UNARY(call, op, x) sta__apply(call, STA__OP_##op, 1, (struct sta__operand[]){x})
#define STA__BINARY(call, op, x, y) sta__apply(call, STA__OP_##op, 2, (struct sta__operand[]){x, y})
#define STA__TERNARY(call, op, x, y, z) sta__apply(call, STA__OP_##op, 3, (struct sta__operand[]){x, y, z})

sta_array sta__imag_of_real(sta_array x); /* zeros */

#endif
