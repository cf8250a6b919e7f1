/** @file logic.h
 *  Whether arrays are alike. sta_equal and its kind, sta_isnan and its kind are in ufunc.h, sta_any and sta_all in reduce.h.
 */
#ifndef STARRAY_LOGIC_H
#define STARRAY_LOGIC_H

#include <starray/array.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How near is near. Start from STA_ISCLOSE_DEFAULTS: every member counts as it stands. */
typedef struct sta_isclose_options {
    size_t size;       /**< sizeof(sta_isclose_options) */
    double rtol, atol; /**< relative to |y|, and absolute */
    int equal_nan;     /**< not 0: NaN is near NaN */
} sta_isclose_options;
#define STA_ISCLOSE_DEFAULTS                                                                                           \
    {                                                                                                                  \
        sizeof(sta_isclose_options), 1e-5, 1e-8, 0                                                                     \
    }

/** Whether |x - y| <= atol + rtol * |y| and y is finite, or x == y: bool, of the broadcast shape. Not symmetric in x and y.
 *  y is taken as a float if it is an integer. options NULL: STA_ISCLOSE_DEFAULTS.
 *  Errors: SHAPE where x and y do not broadcast; VALUE for a wrong `size`. */
sta_array sta_isclose(sta_array x, sta_array y, const sta_isclose_options *options);
/** Whether sta_isclose holds for all elements: bool, of shape (), computed in one pass when it is wanted. */
sta_array sta_allclose(sta_array x, sta_array y, const sta_isclose_options *options);
/** Whether x and y have the same shape and equal elements: bool, of shape (). Nothing is broadcast. equal_nan not 0: NaN
 *  equals NaN; of complex numbers those with a NaN in either part. */
sta_array sta_array_equal(sta_array x, sta_array y, int equal_nan);
/** Whether x and y broadcast to one shape and are equal there: bool, of shape (). */
sta_array sta_array_equiv(sta_array x, sta_array y);
/** Whether (1 or 0) x has a complex dtype; 0 for an array in error. What sta_iscomplex tells of elements is in ufunc.h. */
int sta_iscomplexobj(sta_array x);
int sta_isrealobj(sta_array x);

#ifdef __cplusplus
}
#endif
#endif
