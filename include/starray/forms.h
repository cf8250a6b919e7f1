/** @file forms.h
 *  Other forms of the element-wise functions of ufunc.h, by their names: what NumPy has as methods of its ufuncs.
 *
 *      sta_ufunc_accumulate("maximum", x, 0, STA_DTYPE_NONE)       np.maximum.accumulate(x)
 *      sta_ufunc_outer("subtract", x, y)                           np.subtract.outer(x, y)
 *      sta_ufunc_reduce("bitwise_or", x, STA_ALL, 0, NULL)         np.bitwise_or.reduce(x, axis=None)
 *
 *  Errors of all: VALUE for a name that is no function of ufunc.h, or one with another number of operands; any error of
 *  an operand.
 *
 *  A function can be applied to its own results where it gives the dtype that it takes: those of logic take the truth of x
 *  first, comparisons are for bool only. Sums and products of bool and small integers are made in int64 or uint64, as in
 *  NumPy. float16 and bfloat16 are computed in float32 and rounded once at the end. Else error DTYPE.
 */
#ifndef STARRAY_FORMS_H
#define STARRAY_FORMS_H

#include <starray/array.h>

#ifdef __cplusplus
extern "C" {
#endif

/** y[0] = x[0], y[i] = f(y[i - 1], x[i]) along an axis. add, multiply, maximum, minimum, fmax, fmin, bitwise_and, _or, _xor
 *  and logical_and, _or, _xor are combined by the tree that scan.h describes, by all workers; others one element after the
 *  other, and by tasks only across the axis. `dtype`: x is cast to it first; NONE: its own.
 *  Errors: AXIS; SHAPE for an array without axes; DTYPE where f cannot be applied to its own results. */
sta_array sta_ufunc_accumulate(const char *ufunc, sta_array x, int64_t axis, sta_dtype dtype);

/** What sta_ufunc_reduce takes besides; NULL: the defaults, which are all 0. */
typedef struct sta_ufunc_reduce_options {
    size_t size;     /**< sizeof(sta_ufunc_reduce_options); error VALUE if it cannot be that */
    sta_dtype dtype; /**< x is cast to it first, and it is the dtype of the result */
    sta_array
        initial; /**< one element, combined with each result as f(initial, result). Error SHAPE if it has not size 1;
                            VALUE for a function that depends on the order of its operands */
    sta_array where; /**< which elements take part: broadcasts to x. For functions with an identity, and for maximum,
                            minimum, fmax and fmin with `initial`; else error VALUE. Error SHAPE where it does not
                            broadcast */
} sta_ufunc_reduce_options;
/** f(... f(f(x[0], x[1]), x[2]) ...) along the axes, which go, or stay with length 1 (flags: STA_KEEPDIMS). add, multiply,
 *  maximum, minimum, fmax, fmin, logical_and and logical_or are sta_sum, sta_prod, sta_max, sta_min, sta_nanmax,
 *  sta_nanmin, sta_all and sta_any; other functions with an order are computed when this is called, axis by axis.
 *  One element is itself; gcd and hypot give its absolute value.
 *  Empty: the identity of add, bitwise_or, bitwise_xor, logical_xor, gcd and hypot is 0, of multiply 1, of bitwise_and all
 *  bits, of logaddexp and logaddexp2 minus infinity.
 *  Errors: AXIS, also for several axes where f depends on the order of its operands (subtract, divide, power and their like);
 *  EMPTY for an axis of length 0 where there is no identity; DTYPE. */
sta_array sta_ufunc_reduce(const char *ufunc, sta_array x, sta_dims axes, unsigned flags,
                           const sta_ufunc_reduce_options *options);

/** f of each element of x with each of y, lazily. Shape: x.shape + y.shape. Errors: SHAPE for more than STA_MAXDIM axes; as f. */
sta_array sta_ufunc_outer(const char *ufunc, sta_array x, sta_array y);

/** out[where] = f(x[0], ..., x[count - 1])[where]: writes out where the mask is true, and returns it. All broadcast to the
 *  shape of out. The result of f is cast to the dtype of out first. Errors: as those of f and sta_assign. */
sta_array sta_ufunc_into(const char *ufunc, sta_array out, sta_array where, const sta_array *x, int count);

#ifdef __cplusplus
}
#endif
#endif
