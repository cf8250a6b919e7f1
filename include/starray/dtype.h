/** @file dtype.h
 *  Facts about element types. sta_itemsize, sta_dtype_name and sta_promote_types are in array.h.
 */
#ifndef STARRAY_DTYPE_H
#define STARRAY_DTYPE_H

#include <starray/array.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The limits of a floating dtype; of a complex one those of its parts. All 0 for other dtypes. */
typedef struct sta_finfo_result {
    sta_dtype dtype;           /**< of the parts */
    int bits;                  /**< of one number */
    int precision;             /**< decimal digits that any number of so many keeps */
    double eps;                /**< from 1 to the next larger number */
    double epsneg;             /**< from 1 to the next smaller number */
    double min, max;           /**< the finite numbers */
    double smallest_normal;    /**< the smallest positive number of full precision */
    double smallest_subnormal; /**< the smallest positive number */
} sta_finfo_result;
sta_finfo_result sta_finfo(sta_dtype dtype);

/** The limits of an integer dtype. All 0 for other dtypes. */
typedef struct sta_iinfo_result {
    int bits;
    int64_t min;
    uint64_t max;
} sta_iinfo_result;
sta_iinfo_result sta_iinfo(sta_dtype dtype);

/** Which casts are allowed. */
typedef enum sta_casting {
    STA_CASTING_NO = 0,        /**< none: the same dtype */
    STA_CASTING_SAFE = 1,      /**< those that keep every value */
    STA_CASTING_SAME_KIND = 2, /**< also those within a kind, float64 to float32, and to a later one of: bool, unsigned
                                    integer, signed integer, floating, complex */
    STA_CASTING_UNSAFE = 3     /**< all: what sta_astype does */
} sta_casting;
/** Whether (1 or 0) `from` may be cast to `to`. 0 for a number that is no dtype. int64 and uint64 count as kept by float64, as
 *  in NumPy. */
int sta_can_cast(sta_dtype from, sta_dtype to, sta_casting casting);

/** Whether (1 or 0) the dtype is of the kind: "bool", "signed integer", "unsigned integer", "integral", "real floating",
 *  "complex floating", "numeric" (all but bool). 0 for another text. */
int sta_isdtype(sta_dtype dtype, const char *kind);

/** The dtype of an operation on `count` arrays, weak scalars among them (NEP 50): STA_DTYPE_NONE if one is in error or count is
 *  0. The weak ones alone: int64, float64, complex128. */
sta_dtype sta_result_type(const sta_array *x, int count);

#ifdef __cplusplus
}
#endif
#endif
