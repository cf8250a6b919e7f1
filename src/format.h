/* The text of arrays: no StarPU, no arrays, only elements in host memory. */
#ifndef STA__FORMAT_H
#define STA__FORMAT_H

#include "digits.h"

#include <starray/print.h>

/* The options with every default filled in. False: one is out of range. */
bool sta__format_options(const sta_print_options *given, sta_print_options *to);
/* What of an array of this shape is shown: the whole of it, or the first and last edgeitems along its longer axes,
 * which are then 2 * edgeitems long in `corners`. */
bool sta__format_corners(const struct sta__shape *shape, const sta_print_options *options, struct sta__shape *corners);
/* The text of an array of `shape` of which `data` holds the corners, C order. NULL: no memory. For sta__release. */
char *sta__format_text(sta_dtype dtype, const struct sta__shape *shape, const void *data,
                       const sta_print_options *options);

/* ---- one number (src/number.c) ---- */

#define STA__NUMBER 320   /* room for the text of any number */
enum { STA__WORD = 100 }; /* the longest text of NaN or infinity */

/* How a real number is laid out. left, right: columns to fill up before and behind the point; -1 = none. */
struct sta__layout {
    char sign;
    bool unique, trim; /* digits.h; whether zeros at the end go */
    int precision, least, left, right, exponent_digits;
    const char *nan, *infinity;
};
struct sta__real_format {
    struct sta__layout layout;
    bool scientific;
};
/* How the elements of an array look together: found in a first pass over them. */
struct sta__number_format {
    sta_dtype dtype;
    bool scalar; /* a 0-d array as str prints it */
    bool flat;   /* a 0-d array: bools are not filled up */
    char sign;
    int width;                       /* integers */
    struct sta__real_format real[2]; /* the number, or its real and its imaginary part */
};
/* Looks at `count` elements. */
void sta__number_format(struct sta__number_format *format, sta_dtype dtype, const void *data, int64_t count, int ndim,
                        const sta_print_options *options);
/* Writes the text of one element, ended by 0; returns its length. */
int sta__number_text(const struct sta__number_format *format, const void *element, char to[STA__NUMBER]);

#endif
