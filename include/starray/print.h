/** @file print.h
 *  Text of arrays, as NumPy prints them: shortest digits that name the value within its dtype, columns aligned, large
 *  arrays by their corners. Where only corners are shown, only corners are fetched.
 */
#ifndef STARRAY_PRINT_H
#define STARRAY_PRINT_H

#include <starray/array.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How many digits floating-point numbers get. */
typedef enum sta_float_mode {
    STA_FLOAT_MAXPREC = 0,      /**< the shortest that names the value, at most `precision` behind the point */
    STA_FLOAT_FIXED = 1,        /**< `precision` digits */
    STA_FLOAT_UNIQUE = 2,       /**< the shortest that names the value, whatever `precision` says */
    STA_FLOAT_MAXPREC_EQUAL = 3 /**< as MAXPREC, but all numbers get as many as the longest */
} sta_float_mode;

/** NumPy's print options. Members that are 0 have NumPy's default. */
typedef struct sta_print_options {
    size_t size;               /**< sizeof(sta_print_options) */
    int repr;                  /**< 1: "array([1, 2], dtype=int32)" instead of "[1 2]" */
    int precision;             /**< digits behind the point: 0 = 8, -1 = none, at most 100 */
    int64_t threshold;         /**< more elements than this are shown by their corners: 0 = 1000, -1 = always */
    int edgeitems;             /**< how many at each end of an axis: 0 = 3 */
    int linewidth;             /**< columns before a row is wrapped: 0 = 75 */
    int suppress;              /**< 1: no exponents for small numbers; those below the precision become 0 */
    char sign;                 /**< '+' prints it, ' ' leaves room for it; 0 or '-' does neither */
    sta_float_mode float_mode; /**< how many digits */
    const char *nanstr;        /**< the text of NaN: NULL = "nan" */
    const char *infstr;        /**< the text of infinity: NULL = "inf" */
} sta_print_options;

/** Waits for x and prints it, with a newline, to the standard output, as Python's print does. An array in error prints
 *  its error. Returns the error of x; IO where writing fails. */
const sta_error *sta_print(sta_array x);
/** sta_print to a file, with options; NULL means defaults. */
const sta_error *sta_print_to(FILE *file, sta_array x, const sta_print_options *options);
/** Waits for x and makes its text. *text is to be freed with free(); NULL where an error is returned. A 0-d array looks
 *  like a scalar, as in NumPy; bfloat16 as float16 does.
 *  Errors: any error of x; VALUE for an option out of range; MEMORY. */
const sta_error *sta_format(sta_array x, const sta_print_options *options, char **text);

#ifdef __cplusplus
}
#endif
#endif
