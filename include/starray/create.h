/** @file create.h
 *  Making arrays: constants, ranges, copies, memory of the program.
 */
#ifndef STARRAY_CREATE_H
#define STARRAY_CREATE_H

#include <starray/array.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An array of the shape, filled with 0, with 1, with the one element of `value`. dtype STA_DTYPE_NONE: float64, for
 *  sta_full that of the value. Errors: SHAPE for a negative length; TOO_LARGE; DTYPE for a number that is none; MEMORY
 *  when it does not fit the machine (found at once, or when its tasks run); VALUE for a weak integer that the dtype
 *  cannot hold. */
sta_array sta_zeros(sta_dims shape, sta_dtype dtype);
sta_array sta_ones(sta_dims shape, sta_dtype dtype);
sta_array sta_full(sta_dims shape, sta_array value, sta_dtype dtype);
/** As sta_zeros: the elements are 0, unlike NumPy's. */
sta_array sta_empty(sta_dims shape, sta_dtype dtype);
/** The same with the shape of x and, for STA_DTYPE_NONE, its dtype. */
sta_array sta_zeros_like(sta_array x, sta_dtype dtype);
sta_array sta_ones_like(sta_array x, sta_dtype dtype);
sta_array sta_full_like(sta_array x, sta_array value, sta_dtype dtype);
sta_array sta_empty_like(sta_array x, sta_dtype dtype);

/** A copy of x: writes to the one are not seen by the other. Costs nothing until one of them is written. */
sta_array sta_copy(sta_array x);
/** x itself where it has the dtype (NONE: any), a view that shares its elements; else sta_astype of it. */
sta_array sta_asarray(sta_array x, sta_dtype dtype);
/** x in another dtype: floats to integers truncate towards 0 and saturate, NaN gives 0 (NumPy leaves it open); complex to
 *  real drops the imaginary part; integers wrap; to bool is != 0. Errors: DTYPE for a number that is none. */
sta_array sta_astype(sta_array x, sta_dtype dtype);

/** start + i * step for i = 0 .. ceil((stop - start) / step) - 1; dtype NONE: float64. Errors: VALUE for a step of 0, NaN or
 *  infinite arguments; TOO_LARGE. */
sta_array sta_arange(double start, double stop, double step, sta_dtype dtype);
/** The same in integers: exact over all of int64; dtype NONE: int64. */
sta_array sta_arange_int(int64_t start, int64_t stop, int64_t step, sta_dtype dtype);
/** n values from start to stop, both included (n = 1: start): start + i * (stop - start) / (n - 1), the last exactly stop; integer
 *  dtypes round down. dtype NONE: float64. Errors: VALUE for a negative n. */
sta_array sta_linspace(double start, double stop, int64_t n, sta_dtype dtype);

/** What sta_linspace_ex takes besides. */
typedef struct sta_linspace_options {
    size_t size;      /**< sizeof(sta_linspace_options) */
    sta_dtype dtype;  /**< NONE: float64 */
    int exclude_stop; /**< not 0: stop is not among the values, the step is (stop - start) / n: NumPy's endpoint=False */
    double *step;     /**< where to write the step, NULL: nowhere; NaN where there is none: NumPy's retstep=True */
} sta_linspace_options;
/** sta_linspace with options; NULL: none. */
sta_array sta_linspace_ex(double start, double stop, int64_t n, const sta_linspace_options *options);
/** base^y for y of sta_linspace_ex: n values from base^start to base^stop. Computed in float64, then cast: integers are
 *  truncated. Errors: as sta_linspace. */
sta_array sta_logspace(double start, double stop, int64_t n, double base, const sta_linspace_options *options);
/** n values from start to stop in equal ratios, the ends exact: sign(start) * sta_logspace of the logarithms to base 10. `step` of
 *  the options is not used. Unlike in NumPy numbers are real. Errors: VALUE for a start or stop of 0; as sta_linspace. */
sta_array sta_geomspace(double start, double stop, int64_t n, const sta_linspace_options *options);

/* ---- matrices ---- */

/** (n, m) with ones at [i, i + k], zeros elsewhere. Errors: SHAPE for negative n or m. */
sta_array sta_eye(int64_t n, int64_t m, int64_t k, sta_dtype dtype);
/** sta_eye(n, n, 0, dtype). */
sta_array sta_identity(int64_t n, sta_dtype dtype);
/** (n, m) with ones at [i, j] for j <= i + k, zeros elsewhere; dtype NONE: float64. Errors: SHAPE for negative n or m. */
sta_array sta_tri(int64_t n, int64_t m, int64_t k, sta_dtype dtype);
/** x with zeros above, below its k-th diagonal, in each matrix of the last two axes; of one axis (n,) the matrix of n rows
 *  that are x. Computed with what it is used in, in one pass. Errors: SHAPE for an array without axes. */
sta_array sta_tril(sta_array x, int64_t k);
sta_array sta_triu(sta_array x, int64_t k);
/** Of (n,): the matrix with x on its k-th diagonal and zeros elsewhere. Of (n, m): the diagonal, a view as sta_diagonal gives it.
 *  Errors: SHAPE for another number of axes. */
sta_array sta_diag(sta_array x, int64_t k);
/** sta_diag of the elements of x in C order: x may have any number of axes. */
sta_array sta_diagflat(sta_array x, int64_t k);
/** Of (n,): the matrix (n, columns) of powers x^(columns - 1), .., x, 1, or with `increasing` not 0 the other way round;
 *  columns < 0: n. Powers are products of x, in any order. dtype: that of x and int64 together.
 *  Errors: SHAPE for another number of axes. */
sta_array sta_vander(sta_array x, int64_t columns, int increasing);

/* ---- grids of points ---- */

/** Flags of sta_meshgrid. */
enum {
    STA_SPARSE = 1, /**< each result has its own axis only; the others have length 1 */
    STA_IJ = 2 /**< axes in the order of the arrays; else the first two are exchanged, as x and y of a picture are */
};
/** The coordinates of all points of a grid: to[i] has the elements of x[i] along axis i (see STA_IJ) and the same along the
 *  others; `count` of them. x[i] is made flat where it has more axes than one. Shape: the sizes. Where there is an error
 *  it is in all of them. Errors: SHAPE for more than STA_MAXDIM arrays; VALUE where x or `to` is NULL (as sta_split). */
void sta_meshgrid(sta_array *to, const sta_array *x, int count, unsigned flags);
/** The indices of all elements of an array of the shape: (ndim, shape..), result[a, i, j, ..] being i, j, .. number a. dtype NONE:
 *  int64. Errors: SHAPE for a negative length or STA_MAXDIM axes. */
sta_array sta_indices(sta_dims shape, sta_dtype dtype);

/** Fills a run of elements: `count` of them from the one at index[0], .., index[ndim - 1] on, along the last axis, into `to`,
 *  one after the other. */
typedef void sta_filler(const int64_t *index, int64_t count, void *to, void *argument);
/** An array whose elements a function of the program computes, run by run, on CPU workers, in several threads at once and in
 *  any order: it must be ready for that, depend on nothing but the index, and not call the library. `argument` must live until
 *  the array is there (sta_wait). Errors: as sta_zeros; VALUE for a function that is NULL. */
sta_array sta_fromfunction(sta_dims shape, sta_dtype dtype, sta_filler *function, void *argument);

/** Flags of sta_from_buffer. */
enum {
    STA_COPY = 1,     /**< the memory is copied before the call returns, and not touched after */
    STA_READ_ONLY = 2 /**< the array cannot be written */
};
/** Memory of the program as an array: element [i, j] lies at memory + i * strides[0] + j * strides[1]; strides in bytes, any
 *  sign, NULL = C order. Without STA_COPY the array is the memory: the library owns it from now on, reads and writes it in
 *  place, and calls done(argument) once, when the array was freed, the last task on it has ended and the values are home; `done` may run in
 *  another thread and must not call the library. sta_wait brings values home earlier. done NULL: nobody is told. An array with a stride of 0 repeats
 *  elements and cannot be written.
 *  Errors (done is called all the same): as sta_zeros; VALUE for NULL memory of a size above 0, an unknown
 *  flag and, without STA_COPY, elements that are not aligned as in C. */
sta_array sta_from_buffer(void *memory, sta_dtype dtype, sta_dims shape, const int64_t *strides, unsigned flags,
                          void (*done)(void *argument), void *argument);

#ifdef __cplusplus
}
#endif
#endif
