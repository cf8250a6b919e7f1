/** @file shape.h
 *  Views: other ways to see the elements of an array. Nothing here copies or computes, but for sta_reshape and sta_ravel
 *  where no view is possible: the result shares the elements of x, sees every later write to x, and sta_assign to it
 *  writes x. All functions return at once, and cost the same for any size. Axes are 0 .. ndim-1, or -ndim .. -1 counted from the end. An axis that is out of range or given
 *  twice is an error AXIS in each function that takes axes.
 */
#ifndef STARRAY_SHAPE_H
#define STARRAY_SHAPE_H

#include <starray/array.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define STA__CHECKED_AS_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define STA__CHECKED_AS_PRINTF(text, first)
#endif

/* ---- slices ---- */

/** x[...] in NumPy's spelling: the text between the brackets, with printf's conversions for the numbers in it. The
 *  compiler checks the arguments against the text.
 *
 *      sta_slice(x, "0")                  x[0]
 *      sta_slice(x, "1:, ::%d", 2)        x[1:, ::2]
 *      sta_slice(x, "..., ::-1")          x[..., ::-1]
 *      sta_slice(x, ":, newaxis")         x[:, None]; None is understood too
 *      sta_slice(x, "%" PRId64 ":", n)    x[n:]
 *
 *  Items are integers, slices start:stop:step, "...", and newaxis, with commas between them. An integer removes its
 *  axis, newaxis adds one of length 1, "..." stands for the axes that are not named. Slices are clipped to the axis as
 *  in Python; the step may be negative.
 *  Errors: SYNTAX for a text that is no index; INDEX for an integer out of range, more items than axes, or two "...";
 *  VALUE for the step 0; SHAPE for a result of more than STA_MAXDIM axes. */
sta_array sta_slice(sta_array x, const char *format, ...) STA__CHECKED_AS_PRINTF(2, 3);

/** What an item of an index is. */
typedef enum sta_span_kind {
    STA_SPAN_SLICE = 0,    /**< start:stop:step, each of them given or not */
    STA_SPAN_INTEGER = 1,  /**< the index `start`; removes the axis */
    STA_SPAN_NEWAXIS = 2,  /**< a new axis of length 1 */
    STA_SPAN_ELLIPSIS = 3, /**< as many ":" as there are axes that no other item names */
    STA_SPAN_ARRAY = 4     /**< an array of indices, or a mask: for the functions of index.h only */
} sta_span_kind;

/** Which members of a slice are given. */
enum { STA_HAS_START = 1, STA_HAS_STOP = 2, STA_HAS_STEP = 4 };

/** One item of an index. All members 0 is ":". */
typedef struct sta_span {
    sta_span_kind kind;
    unsigned has; /**< of a slice: STA_HAS_* */
    int64_t start, stop, step;
    sta_array by; /**< of STA_SPAN_ARRAY */
} sta_span;

#ifdef __cplusplus
#define STA__SPAN(kind, has, start, stop, step) (sta_span{kind, has, start, stop, step, {0}})
#define STA_SPAN_BY(array) (sta_span{STA_SPAN_ARRAY, 0, 0, 0, 0, array})
#else
#define STA__SPAN(kind, has, start, stop, step) ((sta_span){kind, has, start, stop, step, {0}})
/** An array of indices or a mask (index.h). */
#define STA_SPAN_BY(array) ((sta_span){STA_SPAN_ARRAY, 0, 0, 0, 0, array})
#endif
/** ":" */
#define STA_SPAN_ALL STA__SPAN(STA_SPAN_SLICE, 0, 0, 0, 0)
/** The index i. */
#define STA_SPAN_AT(i) STA__SPAN(STA_SPAN_INTEGER, 0, i, 0, 0)
/** start: */
#define STA_SPAN_FROM(start) STA__SPAN(STA_SPAN_SLICE, STA_HAS_START, start, 0, 0)
/** :stop */
#define STA_SPAN_TO(stop) STA__SPAN(STA_SPAN_SLICE, STA_HAS_STOP, 0, stop, 0)
/** start:stop */
#define STA_SPAN_RANGE(start, stop) STA__SPAN(STA_SPAN_SLICE, STA_HAS_START | STA_HAS_STOP, start, stop, 0)
/** start:stop:step */
#define STA_SPAN_STEPS(start, stop, step)                                                                              \
    STA__SPAN(STA_SPAN_SLICE, STA_HAS_START | STA_HAS_STOP | STA_HAS_STEP, start, stop, step)
/** ::step */
#define STA_SPAN_EVERY(step) STA__SPAN(STA_SPAN_SLICE, STA_HAS_STEP, 0, 0, step)

/** newaxis and "..." */
#define STA_SPAN_NEW STA__SPAN(STA_SPAN_NEWAXIS, 0, 0, 0, 0)
#define STA_SPAN_REST STA__SPAN(STA_SPAN_ELLIPSIS, 0, 0, 0, 0)

/** sta_slice for programs that make indices instead of writing them: x[spans[0], .., spans[count - 1]].
 *  Errors: as sta_slice, but VALUE for an item that is none. */
sta_array sta_index(sta_array x, const sta_span *spans, int count);

/* ---- the order of axes ---- */

/** Axis i of the result is axis axes[i] of x; STA_ALL turns the order of the axes round.
 *  Shape: (x.shape[axes[0]], x.shape[axes[1]], ...). Errors: AXIS, also where not every axis is given. */
sta_array sta_transpose(sta_array x, sta_dims axes);
/** The array API's name of sta_transpose. */
sta_array sta_permute_dims(sta_array x, sta_dims axes);
/** The last two axes exchanged. Errors: SHAPE for less than two axes. */
sta_array sta_matrix_transpose(sta_array x);
/** Axes a and b exchanged. */
sta_array sta_swapaxes(sta_array x, int64_t a, int64_t b);
/** The axes `from` go to the places `to`; the others keep their order. Errors: AXIS, also where the lists differ in
 *  length. */
sta_array sta_moveaxis(sta_array x, sta_dims from, sta_dims to);

/* ---- shapes and dtypes of the same memory ---- */

/** x in another shape, elements in C order. One length may be -1: it follows from the others. A view where NumPy gives one,
 *  that is where each group of axes that is merged or cut anew lies in memory like one axis: of any array that a function
 *  made, of its leading slices, of transposes with axes of length 1; else a copy (of a transpose, of x[:, :2] made flat).
 *  That never depends on how x is cut into tiles. Where the tiles fit the new rows they are shared; where they do not, the
 *  elements are copied once, when they are first needed in the new shape, into tiles that fit both.
 *  Errors: SHAPE where the sizes differ or a length cannot follow. */
sta_array sta_reshape(sta_array x, sta_dims dims);
/** x in the shape (size,): a view where the elements of x lie one after the other, else a copy. */
sta_array sta_ravel(sta_array x);
/** The memory of x as elements of another dtype, as x.view(dtype) in NumPy. In smaller or larger elements the last axis
 *  becomes longer or shorter. bfloat16, float16 and integers of the same size show their bits.
 *  Bools are bytes of 0 and 1: what other bytes mean, written through such a view, is not defined.
 *  Errors: DTYPE for a number that is none; for elements of another size: SHAPE for an array without axes; VALUE where the
 *  last axis is not contiguous, or its bytes are no multiple of an element. */
sta_array sta_view(sta_array x, sta_dtype dtype);

/* ---- axes of length 1, broadcasting ---- */

/** Without the given axes, which must have length 1; STA_ALL takes all that have. Errors: AXIS; SHAPE for another
 *  length. */
sta_array sta_squeeze(sta_array x, sta_dims axes);
/** With new axes of length 1 at the places `axes` of the result. Errors: AXIS; SHAPE for more than STA_MAXDIM axes. */
sta_array sta_expand_dims(sta_array x, sta_dims axes);
/** x repeated along axes of length 1, and along new leading axes, up to `shape`. It can be read but not written.
 *  Errors: SHAPE where it does not fit; TOO_LARGE. */
sta_array sta_broadcast_to(sta_array x, sta_dims shape);
/** Each of the `count` arrays x broadcast to the shape that all have in common; to[i] is a view of x[i]. Errors (of all of
 *  them): SHAPE where they do not fit; VALUE where x is NULL, or `to` (as sta_split of join.h). */
void sta_broadcast_arrays(sta_array *to, const sta_array *x, int count);
/** x with at least 1, 2, 3 axes, where new ones go as in NumPy: (n,) becomes (1, n) and (1, n, 1). */
sta_array sta_atleast_1d(sta_array x);
sta_array sta_atleast_2d(sta_array x);
sta_array sta_atleast_3d(sta_array x);

/* ---- diagonals and order of elements ---- */

/** The elements x[i, i + offset] along axis_a and axis_b, as a new last axis; the two axes themselves go. Unlike
 *  NumPy's, it can be written. Errors: AXIS; SHAPE for less than two axes. */
sta_array sta_diagonal(sta_array x, int64_t offset, int64_t axis_a, int64_t axis_b);
/** The elements along the axes in reverse order; STA_ALL: along all. */
sta_array sta_flip(sta_array x, sta_dims axes);
/** sta_flip along axis 1 and along axis 0. Errors: AXIS where x has no such axis. */
sta_array sta_fliplr(sta_array x);
sta_array sta_flipud(sta_array x);
/** Turned k times by 90 degrees, from the first axis towards the second; k may be negative. */
sta_array sta_rot90(sta_array x, int64_t k, int64_t first, int64_t second);

/* ---- writing ---- */

/** target[...] = source: `source` is broadcast to the shape of `target` and converted to its dtype as sta_astype does.
 *  All of `source` is read as it was before the first write, also where both are views of one array. Returns `target`.
 *  Errors: SHAPE where it does not fit; READ_ONLY for a target that repeats elements (sta_broadcast_to), that is any part of
 *  such a one reshaped or seen in elements of another size, or that lies in read-only memory: then nothing changes, whatever
 *  else is wrong, and only the handle `target` is in error. A target that is in error already keeps its error, and nothing
 *  changes either. Otherwise all views of the array are in error: what they show is not what was meant. That holds for all
 *  functions that write; what is wrong with indices changes nothing either (index.h). */
sta_array sta_assign(sta_array target, sta_array source);

#ifdef __cplusplus
}
#endif
#endif
