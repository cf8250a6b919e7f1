/** @file join.h
 *  Joining, splitting, repeating, padding: arrays put together from others.
 *
 *  Nothing is copied twice, and what need not be copied is not: the parts of a split are views; a joined, rolled or
 *  padded array takes over the tiles of its parts where they stand in it as they are, and a write to one of the two does
 *  not reach the other. What is copied is copied by tasks, at the speed of memory. The dtype of what is joined is that
 *  of an operation on the arrays (sta_result_type): sta_int and its like take the dtype of the others, where NumPy makes
 *  an int64 array of a number first. Axes count from the end where they are negative; where STA_FLAT is taken for an axis
 *  the arrays are made flat first, as by NumPy's axis None.
 *
 *  Errors of all: AXIS for an axis out of range; TOO_LARGE; MEMORY; any error of an array that is given.
 */
#ifndef STARRAY_JOIN_H
#define STARRAY_JOIN_H

#include <starray/array.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- joining ---- */

/** The arrays x[0], .., x[count - 1] one after the other along an axis, or STA_FLAT. Shape: theirs, with the sum of the
 *  lengths there.
 *  Errors: VALUE for a count below 1; SHAPE where they differ elsewhere, or have no axes. */
sta_array sta_concat(const sta_array *x, int count, int64_t axis);
/** The arrays along a new axis, at the place `axis` of the result. Errors: VALUE as sta_concat; SHAPE where their shapes
 *  differ, or the result would have more than STA_MAXDIM axes. */
sta_array sta_stack(const sta_array *x, int count, int64_t axis);
/** sta_concat along axis 0 of arrays that get two axes first: (n,) becomes (1, n). */
sta_array sta_vstack(const sta_array *x, int count);
/** sta_concat along axis 1, where the first has one axis along axis 0; () becomes (1,). */
sta_array sta_hstack(const sta_array *x, int count);
/** sta_concat along axis 2 of arrays that get three axes first: (n,) becomes (1, n, 1), (n, m) becomes (n, m, 1). */
sta_array sta_dstack(const sta_array *x, int count);
/** sta_concat along axis 1 of arrays where (n,) becomes (n, 1). */
sta_array sta_column_stack(const sta_array *x, int count);
/** NumPy's block of lists in lists: nest says how many there are at each depth, STA_DIMS(2, 3) for two rows of three arrays;
 *  x has them in this order. Innermost lists are joined along the last axis, those around them along the one before, and
 *  so on; arrays with fewer axes get new ones in front. Rows of different lengths: a block of blocks.
 *  Errors: VALUE for a nest with a number below 1 or no depth; SHAPE where the arrays do not fit. */
sta_array sta_block(const sta_array *x, sta_dims nest);

/* ---- splitting: views. Where `to` is NULL no array can tell of the error VALUE: it is logged (STA_LOG), STA_TRAP stops at it, and
 * sta_finish tells of it as of any that nobody looked at ---- */

/** x in `count` equal parts along an axis: to[0], .., to[count - 1]. For a count below 1 nothing happens. Where there is an
 *  error all parts are in error. Errors: SHAPE where the length is no multiple of count. */
void sta_split(sta_array *to, sta_array x, int64_t count, int64_t axis);
/** The same for any length: the first ones are longer by 1. */
void sta_array_split(sta_array *to, sta_array x, int64_t count, int64_t axis);
/** x cut before the indices at[0], .., at[count - 1]: `count` + 1 parts. Indices are taken as those of slices: negative ones
 *  count from the end, and what lies outside is clipped. Errors: VALUE where `at` is NULL. */
void sta_split_at(sta_array *to, sta_array x, const int64_t *at, int count, int64_t axis);
/** sta_split along axis 0, along axis 1 (0 where there is only one), along axis 2. Errors: SHAPE also for too few axes. */
void sta_vsplit(sta_array *to, sta_array x, int64_t count);
void sta_hsplit(sta_array *to, sta_array x, int64_t count);
void sta_dsplit(sta_array *to, sta_array x, int64_t count);
/** x[0], x[1], .. along an axis, which goes: as many as it is long. Where there is an error it is in to[0]. */
void sta_unstack(sta_array *to, sta_array x, int64_t axis);

/* ---- adding and taking away: new arrays ---- */

/** x with `values` before the index or the indices given: an array of integers, 0 .. length, negative ones counted from the
 *  end of x as it is, or a mask of bool, one for each index. Several values for one place stand there in their order. values
 *  are cast to the dtype of x, and broadcast to its shape with as many along the axis as there are indices. One index alone
 *  stands for all values along the axis; if it is of shape () their first axis is taken as this one, as in NumPy.
 *  STA_FLAT: x made flat, the values too. The indices are waited for. NumPy's slices are sta_arange_int.
 *  Errors: INDEX; SHAPE where values do not broadcast or have more axes than x, or the indices have more than one; DTYPE
 *  for indices that are neither bool nor integers that int64 holds. */
sta_array sta_insert(sta_array x, sta_array indices, sta_array values, int64_t axis);
/** x, or with STA_FLAT x made flat, without the indices given: as those of sta_insert, of any shape; what is given twice
 *  goes once.
 *  Errors: INDEX; SHAPE for a mask that is not as long as the axis; DTYPE as sta_insert. */
sta_array sta_delete(sta_array x, sta_array indices, int64_t axis);
/** sta_concat of x and values. Errors: as there. */
sta_array sta_append(sta_array x, sta_array values, int64_t axis);
/** The elements of x in C order in the shape given: from the start again where they do not suffice, without the last ones
 *  where they are too many. Of an empty x zeros. Always a copy. Errors: SHAPE for a negative length. */
sta_array sta_resize(sta_array x, sta_dims shape);

/* ---- repeating, rolling ---- */

/** x again and again: times[a] times along axis a. Where fewer numbers are given than x has axes they are those of the last
 *  axes; where more, x gets new axes in front. Errors: VALUE for a negative number. */
sta_array sta_tile(sta_array x, sta_dims times);
/** Each index of the axis `times` times, one after the other, or with STA_FLAT each element; () is taken as (1,).
 *  Errors: VALUE for a negative number. */
sta_array sta_repeat(sta_array x, int64_t times, int64_t axis);
/** The same, with a number for each index of the axis, or one for all. The numbers are waited for.
 *  Errors: VALUE for a negative number; SHAPE for another count of them; DTYPE as sta_insert. */
sta_array sta_repeat_each(sta_array x, sta_array times, int64_t axis);
/** Elements moved by by[k] places along axes[k], those that leave at the end coming back at the start. One number or one axis
 *  stands for as many as the other list has; an axis that is given twice moves by the sum. Axes STA_ALL: the elements in
 *  C order, by the sum of the numbers, as by NumPy's axis None. Errors: VALUE where the lists do not fit. */
sta_array sta_roll(sta_array x, sta_dims by, sta_dims axes);

/* ---- padding ---- */

/** What stands around x. */
typedef enum sta_pad_mode {
    STA_PAD_CONSTANT = 0,    /**< `values`, 0 where they are not given */
    STA_PAD_EDGE = 1,        /**< the element at the edge */
    STA_PAD_LINEAR_RAMP = 2, /**< from `values` outside to the edge in equal steps; integers are rounded down */
    STA_PAD_MAXIMUM = 3,     /**< of the stat_length elements next to the edge, or of all */
    STA_PAD_MEAN = 4,        /**< the same; for integers rounded, half to even */
    STA_PAD_MEDIAN = 5,      /**< the same; complex numbers have none (error DTYPE), and x is waited for */
    STA_PAD_MINIMUM = 6,
    STA_PAD_REFLECT = 7,   /**< x turned round about its edge: c b | a b c | b a */
    STA_PAD_SYMMETRIC = 8, /**< with the edge again: b a | a b c | c b */
    STA_PAD_WRAP = 9,      /**< from the other side: b c | a b c | a b */
    STA_PAD_EMPTY = 10     /**< 0: unlike in NumPy it is known what stands there */
} sta_pad_mode;

typedef struct sta_pad_options {
    size_t size;                     /**< sizeof(sta_pad_options) */
    sta_pad_mode mode;               /**< 0: constant */
    int odd;                         /**< reflect, symmetric: not 0 for 2 * edge - element instead of the element */
    const sta_array (*values)[2];    /**< constant, linear_ramp: one element before and after, for each axis */
    const int64_t (*stat_length)[2]; /**< maximum, mean, median, minimum: how many before and after, for each axis */
} sta_pad_options;

/** x with widths[a][0] elements before and widths[a][1] after it along axis a; in the corners as if one axis were padded after
 *  the other. options NULL: constant 0. dtype: that of x, to which what stands there is cast.
 *  Errors: VALUE for a negative width, an unknown mode, an empty axis that is padded by another mode than constant and
 *  empty; SHAPE for values that are not one element; EMPTY for the maximum or minimum of no element. */
sta_array sta_pad(sta_array x, const int64_t (*widths)[2], const sta_pad_options *options);

#ifdef __cplusplus
}
#endif
#endif
