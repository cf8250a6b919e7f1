/** @file reduce.h
 *  Reductions: sums, extremes, truth, moments, positions; with NaN or without.
 *
 *      sta_array total = sta_sum(x, STA_ALL, 0);                      one number, shape ()
 *      sta_array rows  = sta_mean(x, STA_AXES(-1), 0);                along the last axis
 *      sta_array mu    = sta_mean(x, STA_AXES(0), STA_KEEPDIMS);      shape (1, d): broadcasts against x
 *
 *  Axes. `axes` names those that vanish: STA_ALL, STA_AXES(0, -1), or STA_SCALAR for none, where each element is
 *  reduced by itself. With STA_KEEPDIMS they stay, with length 1. Errors of all: AXIS for an axis out of range or
 *  named twice; VALUE for flags that are not known; SHAPE for STA_SCALAR where x has STA_MAXDIM axes; any error of x.
 *
 *  Laziness. A reduction is not computed before its values are wanted, and is computed together with the element-wise
 *  functions that x is made of, and with other reductions of it over the same axes, in one pass over memory. Small arrays
 *  that are there are reduced at once. nanargmin and nanargmax of floats, medians and weighted averages start to be
 *  computed when they are called.
 *
 *  Bits. Along an axis elements are combined by a binary tree over their index: neighbours (2 i, 2 i + 1) first, then
 *  neighbouring pairs, and so on; several axes one by one, the last one first. So the result is the same, bit by bit,
 *  for any number of workers and nodes and any tiles, and the rounding error of a sum grows with the logarithm of its
 *  length. A NaN that was computed has no payload and no sign.
 *
 *  dtypes. Sums and products of bool and signed integers are int64, of unsigned ones uint64; they wrap. float16 and
 *  bfloat16 are accumulated in float32 and rounded once at the end. Moments of integers are float64, of complex numbers
 *  real where they are squares. Otherwise the dtype of the result is that of x.
 *
 *  Empty. Where a result has no elements to be made of: each function says what it is. Error EMPTY where there is
 *  nothing that it could be, also where there are no results at all.
 */
#ifndef STARRAY_REDUCE_H
#define STARRAY_REDUCE_H

#include <starray/array.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Flags of reductions. */
enum {
    STA_KEEPDIMS = 1 /**< reduced axes stay, with length 1 */
};

/** What the _ex forms take besides; NULL: the defaults, which are all 0. A function that has no use for a member that
 *  is not 0 answers with the error VALUE. */
typedef struct sta_reduce_options {
    size_t size;       /**< sizeof(sta_reduce_options); error VALUE if it cannot be that */
    sta_dtype dtype;   /**< sum, prod, mean, var, std and their nan forms: elements are cast to it first, and it is the
                            dtype of the result (var, std of complex: its real part's) */
    double correction; /**< var, std and their nan forms: taken off the divisor, NumPy's ddof; 1 = sample variance */
    sta_array initial; /**< sum, prod, min, max and their nan forms: one element that is combined with each result, as
                            combine(initial, result), after it was cast to the result's dtype; min and max of nothing
                            are then initial. Errors: SHAPE if it has not size 1; VALUE for a number of sta_int or
                            sta_float that an integer dtype does not hold, DTYPE for one of sta_complex that would lose
                            its imaginary part (arrays are cast as sta_astype does); its own */
    sta_array where;   /**< those that have an _ex form, but average: bool, broadcast to the shape of x; only elements
                            where it is true are seen. min, max and their nan forms need `initial` then: error VALUE.
                            Other errors: DTYPE where it is not bool; SHAPE where it does not broadcast; its own */
    sta_array weights; /**< average: of the shape of x, or of its reduced axes, in the order in which these are named.
                            Errors: SHAPE; its own */
} sta_reduce_options;

/* ---- sums and products ---- */

/** The sum of the elements. Empty: 0. bool: the number of true elements.
 *  Errors: DTYPE for a `dtype` that is none. */
sta_array sta_sum(sta_array x, sta_dims axes, unsigned flags);
sta_array sta_sum_ex(sta_array x, sta_dims axes, unsigned flags, const sta_reduce_options *options);
/** The product of the elements. Empty: 1. */
sta_array sta_prod(sta_array x, sta_dims axes, unsigned flags);
sta_array sta_prod_ex(sta_array x, sta_dims axes, unsigned flags, const sta_reduce_options *options);
/** The number of elements that are not zero: int64; a NaN is not zero. Empty: 0. */
sta_array sta_count_nonzero(sta_array x, sta_dims axes, unsigned flags);

/* ---- extremes ---- */

/** The smallest, the largest element. A NaN wins, the first one. Complex numbers are ordered by their real parts, then
 *  by the imaginary ones; a NaN in either part is a NaN. Of 0.0 and -0.0 the first one in index order stays. Errors:
 *  EMPTY if there is no element and no `initial`. */
sta_array sta_min(sta_array x, sta_dims axes, unsigned flags);
sta_array sta_min_ex(sta_array x, sta_dims axes, unsigned flags, const sta_reduce_options *options);
sta_array sta_max(sta_array x, sta_dims axes, unsigned flags);
sta_array sta_max_ex(sta_array x, sta_dims axes, unsigned flags, const sta_reduce_options *options);
/** max(x) - min(x), in the dtype of x: integers wrap, as NumPy's. Errors: EMPTY, before DTYPE for bool. */
sta_array sta_ptp(sta_array x, sta_dims axes, unsigned flags);
/** The index of the smallest, the largest element, int64: in one axis the index along it, in several the index in C
 *  order over them. Of equal ones the first; the first NaN wins. Errors: EMPTY. */
sta_array sta_argmin(sta_array x, sta_dims axes, unsigned flags);
sta_array sta_argmax(sta_array x, sta_dims axes, unsigned flags);

/* ---- truth ---- */

/** Whether any element is not zero: bool. A NaN is not zero. Empty: false. */
sta_array sta_any(sta_array x, sta_dims axes, unsigned flags);
sta_array sta_any_ex(sta_array x, sta_dims axes, unsigned flags, const sta_reduce_options *options);
/** Whether all elements are not zero: bool. Empty: true. */
sta_array sta_all(sta_array x, sta_dims axes, unsigned flags);
sta_array sta_all_ex(sta_array x, sta_dims axes, unsigned flags, const sta_reduce_options *options);

/* ---- moments ---- */

/** sum(x) / n. Integers: float64, the elements being cast first. Empty: NaN. */
sta_array sta_mean(sta_array x, sta_dims axes, unsigned flags);
sta_array sta_mean_ex(sta_array x, sta_dims axes, unsigned flags, const sta_reduce_options *options);
/** sum(x w) / sum(w) with the `weights` w, which reads both once; without them mean(x). The dtype is that of x w, with
 *  integers x that of x w 1.0. Empty: NaN. Errors: VALUE where the weights of a result sum to zero, found when the values
 *  are computed: with weights it starts to be computed when it is called. */
sta_array sta_average(sta_array x, sta_dims axes, unsigned flags);
sta_array sta_average_ex(sta_array x, sta_dims axes, unsigned flags, const sta_reduce_options *options);
/** sum(|x - mean(x)|^2) / max(n - correction, 0), real. Computed in one pass: of two halves with n elements, the sums
 *  s and the squares m2 each, m2 = m2L + m2R + (sR / n - sL / n)^2 n / 2 (Chan); never as E[x^2] - E[x]^2. Empty: NaN.
 *  A divisor of 0: NaN, or infinity where the squares are not 0. Errors: VALUE for a correction that is NaN. */
sta_array sta_var(sta_array x, sta_dims axes, unsigned flags);
sta_array sta_var_ex(sta_array x, sta_dims axes, unsigned flags, const sta_reduce_options *options);
/** sqrt(var(x)). */
sta_array sta_std(sta_array x, sta_dims axes, unsigned flags);
sta_array sta_std_ex(sta_array x, sta_dims axes, unsigned flags, const sta_reduce_options *options);

/* ---- the middle ---- */

/** The middle element in order of size, or half the sum of the two in the middle: in the dtype of x, but float64 for
 *  integers and bool. NaN where any element is NaN. Empty: NaN. A task has all the elements that one result is made of, and
 *  selects (quickselect, with the median of three as the pivot, and a heap where that goes astray). It starts to be
 *  computed when it is called. Errors: DTYPE for complex numbers, which NumPy orders by their real parts. */
sta_array sta_median(sta_array x, sta_dims axes, unsigned flags);

/* ---- the same of the elements that are not NaN; for integers and bool the same as the plain ones ---- */

/** NaN counts as 0; as 1. */
sta_array sta_nansum(sta_array x, sta_dims axes, unsigned flags);
sta_array sta_nansum_ex(sta_array x, sta_dims axes, unsigned flags, const sta_reduce_options *options);
sta_array sta_nanprod(sta_array x, sta_dims axes, unsigned flags);
sta_array sta_nanprod_ex(sta_array x, sta_dims axes, unsigned flags, const sta_reduce_options *options);
/** NaN where all elements are NaN. Errors: EMPTY if there is no element and no `initial`. */
sta_array sta_nanmin(sta_array x, sta_dims axes, unsigned flags);
sta_array sta_nanmin_ex(sta_array x, sta_dims axes, unsigned flags, const sta_reduce_options *options);
sta_array sta_nanmax(sta_array x, sta_dims axes, unsigned flags);
sta_array sta_nanmax_ex(sta_array x, sta_dims axes, unsigned flags, const sta_reduce_options *options);
/** Errors: EMPTY if there is no element, or if all elements that one result is made of are NaN; the latter is found
 *  when the values are computed. */
sta_array sta_nanargmin(sta_array x, sta_dims axes, unsigned flags);
sta_array sta_nanargmax(sta_array x, sta_dims axes, unsigned flags);
/** nansum(x) / the number of elements that are not NaN. NaN where there is none. Errors: DTYPE for a `dtype` that has no
 *  NaN where x has. */
sta_array sta_nanmean(sta_array x, sta_dims axes, unsigned flags);
sta_array sta_nanmean_ex(sta_array x, sta_dims axes, unsigned flags, const sta_reduce_options *options);
/** NaN only where all elements are NaN. */
sta_array sta_nanmedian(sta_array x, sta_dims axes, unsigned flags);
/** nansum(|x - nanmean(x)|^2) / (m - correction), m being the number of elements that are not NaN; NaN where that is
 *  not above 0. Reads x twice. Errors: DTYPE as of nanmean. */
sta_array sta_nanvar(sta_array x, sta_dims axes, unsigned flags);
sta_array sta_nanvar_ex(sta_array x, sta_dims axes, unsigned flags, const sta_reduce_options *options);
sta_array sta_nanstd(sta_array x, sta_dims axes, unsigned flags);
sta_array sta_nanstd_ex(sta_array x, sta_dims axes, unsigned flags, const sta_reduce_options *options);

#ifdef __cplusplus
}
#endif
#endif
