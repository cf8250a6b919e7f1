/** @file scan.h
 *  Scans and differences: running sums, products and extremes, what lies between neighbours, and their like.
 *
 *      sta_array total = sta_cumsum(x, 0);                        total[i] = x[0] + ... + x[i]
 *      sta_array steps = sta_diff(x, 1, 0, NULL);                 steps[i] = x[i + 1] - x[i]
 *      sta_array slope = sta_gradient(y, sta_float(0.1), 0, 1);   second differences at the ends
 *
 *  Axes are 0 .. ndim-1, or -ndim .. -1 counted from the end; unlike NumPy's, scans do not flatten. Errors of all: AXIS for
 *  an axis out of range; SHAPE for an array without axes; any error of an operand.
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

#ifdef __cplusplus
}
#endif
#endif
