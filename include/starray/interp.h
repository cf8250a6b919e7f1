/** @file interp.h
 *  Interpolation.
 */
#ifndef STARRAY_INTERP_H
#define STARRAY_INTERP_H

#include <starray/array.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sta_interp_options {
    size_t size;           /**< sizeof(sta_interp_options) */
    sta_array left, right; /**< what x below xp[0], above xp[n - 1] gives, one element; {0}: fp[0], fp[n - 1] */
    double period;         /**< not 0: x and xp are taken modulo |period|, xp is sorted, left and right do not count */
} sta_interp_options;

/** The polygon through the points (xp[i], fp[i]) at x: for xp[i] <= x < xp[i + 1]
 *
 *      fp[i] + (x - xp[i]) * (fp[i + 1] - fp[i]) / (xp[i + 1] - xp[i])
 *
 *  as NumPy computes it, exactly fp[i] at xp[i]; NaN for NaN (but for a single point). xp must rise, which is not checked. Shape: that of x. dtype:
 *  float64, complex128 for complex fp. With a period xp and fp are waited for. Needs all of xp and fp at once for each tile
 *  of x. options NULL: none.
 *  Errors: SHAPE where xp or fp have not one axis or differ in length, or left or right is not one element; VALUE for no
 *  points, or a period that is NaN or infinite; DTYPE for complex x or xp. */
sta_array sta_interp(sta_array x, sta_array xp, sta_array fp, const sta_interp_options *options);

#ifdef __cplusplus
}
#endif
#endif
