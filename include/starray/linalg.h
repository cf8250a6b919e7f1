/** @file linalg.h
 *  Linear algebra.
 */
#ifndef STARRAY_LINALG_H
#define STARRAY_LINALG_H

#include <starray/array.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The matrix product, NumPy's a @ b:
 *
 *      c[..., i, j] = sum over l of a[..., i, l] * b[..., l, j]
 *
 *  Shapes: (m, k) and (k, n) give (m, n). A vector a (k,) counts as (1, k), a vector b (k,) as (k, 1), and the result
 *  has no axis for it: (k,) and (k,) give (). With more axes than two the operands are stacks of matrices, and the
 *  axes before the last two are broadcast. k = 0 gives zeros.
 *  dtype: the common one of both. Floats and complex numbers are multiplied by OpenBLAS, on GPUs by cuBLAS; float16 and
 *  bfloat16 as float32, rounded once at the end; integers wrap; bool is "or" of "and". On GPUs float32 is multiplied as
 *  float32, unless STA_TF32=1 in the environment asks for the faster TF32, whose operands have 11 bits.
 *
 *  Accuracy: |c - exact| <= k eps (|a| |b|) element by element, where eps is that of the dtype (float32 for the 16-bit
 *  floats). Sums run over blocks of l in a fixed order, so that equal calls give equal bits on the CPU; but OpenBLAS
 *  may add in another order for another number of rows, so that the last bits may depend on the tile size, and a GPU's
 *  differ from a CPU's. Integers are exact and equal everywhere.
 *
 *  A transposed matrix (sta_transpose of a whole one) is multiplied as it lies, without a copy.
 *
 *  Errors: SHAPE for an operand without axes, and where the inner lengths or the stacks do not fit; TOO_LARGE; MEMORY.
 *
 *  OpenBLAS is set to one thread at the first product, for the whole process: the tasks are the threads. */
sta_array sta_matmul(sta_array a, sta_array b);

/* ---- other products ---- */

/** NumPy's dot. One of both a scalar: multiply. b with one or two axes: matmul. Else the sum over the last axis of a and the
 *  one before the last of b: shape a.shape[:-1] + b.shape[:-2] + b.shape[-1:]; such arrays are multiplied row by row.
 *  Errors: SHAPE. */
sta_array sta_dot(sta_array a, sta_array b);
/** The sum over the last axes of both: shape a.shape[:-1] + b.shape[:-1]. One of both a scalar: multiply. Errors: SHAPE. */
sta_array sta_inner(sta_array a, sta_array b);
/** c[i, j] = x[i] y[j], x and y made flat; lazily. */
sta_array sta_outer(sta_array x, sta_array y);
/** The sum of conj(x) y over all elements of two arrays, made flat where their shapes differ: one number; lazy, fused with what
 *  x and y are made of. Added by the tree of reduce.h: the bits do not depend on tiles. Errors: SHAPE for different sizes. */
sta_array sta_vdot(sta_array x, sta_array y);
/** The same over one axis, others broadcast. The axis is counted from the end where the arrays have different numbers of
 *  them. dtype: that of x y; integers wrap. Errors: AXIS; SHAPE where the vectors differ in length. */
sta_array sta_vecdot(sta_array x, sta_array y, int64_t axis);
/** The sum of products over pairs of axes, axis a.at[i] of x with axis b.at[i] of y, as one matrix product. Shape: the other
 *  axes of x, then those of y. NumPy's number n of axes is the last n of x, STA_AXES(-2, -1), and the first n of y,
 *  STA_AXES(0, 1); STA_SCALAR twice is the outer product. Errors: AXIS, also for axes that are given twice; SHAPE where the
 *  lists or the lengths differ. */
sta_array sta_tensordot(sta_array x, sta_array y, sta_dims a, sta_dims b);
/** The Kronecker product: blocks y times each element of x. Shape: the products of the lengths; where the numbers of axes
 *  differ the smaller shape gets ones in front. Errors: SHAPE for more than STA_MAXDIM / 2 axes. */
sta_array sta_kron(sta_array x, sta_array y);
/** The sum of the diagonal, as sta_diagonal gives it. Small integers give int64 or uint64. Errors: as sta_diagonal. */
sta_array sta_trace(sta_array x, int64_t offset, int64_t axis_a, int64_t axis_b);
/** a a ... a, n times, by squaring; of each matrix of a stack. n = 0: the unit matrix. Errors: SHAPE for matrices that are not
 *  square; VALUE for a negative n. */
sta_array sta_matrix_power(sta_array a, int64_t n);
/** x[0] x[1] ... x[count - 1], multiplied in the order that takes the least arithmetic. The first and the last may be vectors:
 *  a row, a column. Errors: VALUE for a count below 1 or above 64; SHAPE. */
sta_array sta_multi_dot(const sta_array *x, int count);

/* ---- norms: real, lazy, over axes that go, or stay with length 1 (flags: STA_KEEPDIMS) ---- */

/** (sum of |x|^order)^(1 / order) over the axes, several of them as one vector. order 0: the number of elements that are
 *  not 0; INFINITY, -INFINITY: the largest, the smallest |x|. Integers: float64. Nothing is scaled: squares may overflow, as
 *  NumPy's. Errors: VALUE for NaN; EMPTY for infinite orders of nothing; AXIS. */
sta_array sta_vector_norm(sta_array x, double order, sta_dims axes, unsigned flags);
/** Of the matrices in the last two axes: "fro" or NULL: the root of the sum of |x|^2; "1", "-1": the largest, the smallest
 *  sum of |x| over a column; "inf", "-inf": over a row. Errors: SHAPE for less than two axes; VALUE for other orders: those by
 *  singular values ("2", "-2", "nuc") are not there yet. */
sta_array sta_matrix_norm(sta_array x, const char *order, unsigned flags);
/** NumPy's norm. order NULL: the root of the sum of |x|^2 over the axes, one or two of them, or all. Else over one axis that of
 *  vectors, the order a number as text ("2", "inf", "0.5"); over two that of matrices. Errors: SHAPE for other axes; VALUE. */
sta_array sta_norm(sta_array x, const char *order, sta_dims axes, unsigned flags);

#ifdef __cplusplus
}
#endif
#endif
