/** @file scan.h
 *  Scans and differences: running sums, products and extremes, what lies between neighbours, and their like.
 *
 *      sta_array total = sta_cumsum(x, 0);                        total[i] = x[0] + ... + x[i]
 *      sta_array steps = sta_diff(x, 1, 0);                 steps[i] = x[i + 1] - x[i]
 *      sta_array slope = sta_gradient(y, sta_float(0.1), 0, 1);   second differences at the ends
 *
 *  Axes are 0 .. ndim-1, or -ndim .. -1 counted from the end. For scans STA_FLAT is an axis too: x made flat first, as by
 *  NumPy's axis None. Errors of all: AXIS for an axis out of range; SHAPE for an array without axes; any error of an operand.
 *
 *  Bits. y[i] of a cumulative sum is, bit by bit, what sta_sum of the elements up to it gives: they are combined by the
 *  binary tree over the element index that reduce.h describes. So the result is the same for any number of workers and
 *  nodes and any tiles, and the rounding error grows with the logarithm of i, where NumPy's grows with i.
 *
 *  Work. A scan starts to be computed when it is called, by tasks for each tile; the element-wise functions that x is made
 *  of are computed on the way. Differences are element-wise functions over slices: lazy, and fused with others.
 *
 *  Sources: J. Sklansky, Conditional-sum addition logic, 1960 (the scan inside a tile); G. E. Blelloch, Prefix sums and
 *  their applications, 1990 (tiles).
 */
#ifndef STARRAY_SCAN_H
#define STARRAY_SCAN_H

#include <starray/array.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- scans ---- */

/** What the _ex forms take besides; NULL: the defaults, which are all 0. */
typedef struct sta_scan_options {
    size_t size;         /**< sizeof(sta_scan_options); error VALUE if it cannot be that */
    sta_dtype dtype;     /**< elements are cast to it first, and it is the dtype of the result */
    int include_initial; /**< the result is longer by 1 along the axis and begins with the identity: 0 of sums, 1 of
                              products. Error VALUE for extremes, which have none */
} sta_scan_options;

/** The sums, the products, of the elements up to each along the axis. Shape: that of x. dtype: as of sta_sum, but bool
 *  and small integers too become int64 or uint64; integers wrap. float16 and bfloat16 are accumulated in float32 and rounded
 *  once at the end. Errors: DTYPE for a `dtype` that is none. */
sta_array sta_cumsum(sta_array x, int64_t axis);
sta_array sta_cumsum_ex(sta_array x, int64_t axis, const sta_scan_options *options);
sta_array sta_cumprod(sta_array x, int64_t axis);
sta_array sta_cumprod_ex(sta_array x, int64_t axis, const sta_scan_options *options);
/** The same with NaN counted as 0, as 1. */
sta_array sta_nancumsum(sta_array x, int64_t axis);
sta_array sta_nancumsum_ex(sta_array x, int64_t axis, const sta_scan_options *options);
sta_array sta_nancumprod(sta_array x, int64_t axis);
sta_array sta_nancumprod_ex(sta_array x, int64_t axis, const sta_scan_options *options);
/** The array API's names of sta_cumsum_ex and sta_cumprod_ex. */
sta_array sta_cumulative_sum(sta_array x, int64_t axis, const sta_scan_options *options);
sta_array sta_cumulative_prod(sta_array x, int64_t axis, const sta_scan_options *options);
/** The largest, the smallest, of the elements up to each: NumPy's maximum.accumulate. From the first NaN on all are NaN.
 *  dtype: that of x. */
sta_array sta_cummax(sta_array x, int64_t axis);
sta_array sta_cummin(sta_array x, int64_t axis);
/** The same of the elements that are not NaN: NumPy's fmax.accumulate. NaN before the first of them. */
sta_array sta_nancummax(sta_array x, int64_t axis);
sta_array sta_nancummin(sta_array x, int64_t axis);

/* ---- differences ---- */

/** The n-th differences along the axis: n times y[i] = x[i + 1] - x[i]; of bool, whether the two differ. Shape: shorter by n,
 *  and not below 0. dtype: that of x; integers wrap. n = 0: a copy of x. Errors: VALUE for a negative n. */
sta_array sta_diff(sta_array x, int64_t n, int64_t axis);
/** What sta_diff_ex takes besides. A member {0}: nothing. */
typedef struct sta_diff_options {
    size_t size;               /**< sizeof(sta_diff_options); error VALUE else */
    sta_array prepend, append; /**< what stands before and behind x along the axis first; a number: one such element */
} sta_diff_options;
/** Errors: also as sta_concat. */
sta_array sta_diff_ex(sta_array x, int64_t n, int64_t axis, const sta_diff_options *options);
/** The differences of x made flat, with `to_begin` before and `to_end` behind them, made flat too and cast to their dtype;
 *  {0}: nothing. Errors: DTYPE for bool. */
sta_array sta_ediff1d(sta_array x, sta_array to_begin, sta_array to_end);

/** The derivative along one axis: inside second-order differences, (f[i + 1] - f[i - 1]) / (2 h) for equal spacing; at the
 *  ends one-sided ones of order `edge_order`, 1 or 2. `spacing` is h, a number, or a vector with the coordinate of each
 *  index. Shape: that of x. dtype: that of x, integers give float64. NumPy's gradient over several axes is several calls;
 *  coordinates that lie evenly are not looked for, so that last bits can differ from NumPy's.
 *  Errors: VALUE for another edge_order; SHAPE for an axis of less than edge_order + 1, or a spacing that is neither a
 *  number nor as long as the axis. */
sta_array sta_gradient(sta_array x, sta_array spacing, int64_t axis, int edge_order);

/** The vector products of vectors of 3 components, which lie along the axis: c[0] = a[1] b[2] - a[2] b[1], and so on. Other
 *  axes are broadcast. Vectors of 2, which NumPy deprecates, are not taken. Errors: SHAPE. */
sta_array sta_cross(sta_array a, sta_array b, int64_t axis);

/** The integral along the axis by the trapezoidal rule: the sum of d[i] (y[i + 1] + y[i]) / 2, where d are the differences of
 *  the coordinates x, a vector or an array that broadcasts to y; {0}: none, d = dx. The axis goes. Lazy, as reductions are. */
sta_array sta_trapezoid(sta_array y, sta_array x, double dx, int64_t axis);

/** NULL: all 0. */
typedef struct sta_unwrap_options {
    size_t size;    /**< sizeof(sta_unwrap_options); error VALUE else */
    double discont; /**< smaller steps are left alone; 0: period / 2 */
    double period;  /**< 0: 2 pi. Integers with a period that is whole stay integers; else float64 */
} sta_unwrap_options;
/** Angles made continuous: along the axis, multiples of the period are added so that no step is larger than half of it. The
 *  steps are summed up as by sta_cumsum. Errors: DTYPE for bool and complex numbers; VALUE for a period that is not positive. */
sta_array sta_unwrap(sta_array p, int64_t axis, const sta_unwrap_options *options);

#ifdef __cplusplus
}
#endif
#endif
