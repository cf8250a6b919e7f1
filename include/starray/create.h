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
/** (n, m) with ones at [i, i + k], zeros elsewhere. Errors: SHAPE for negative n or m. */
sta_array sta_eye(int64_t n, int64_t m, int64_t k, sta_dtype dtype);

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
 *  Errors (done is called all the same): as sta_zeros; VALUE for NULL memory of a size above 0. */
sta_array sta_from_buffer(void *memory, sta_dtype dtype, sta_dims shape, const int64_t *strides, unsigned flags,
                          void (*done)(void *argument), void *argument);

#ifdef __cplusplus
}
#endif
#endif
