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

#ifdef __cplusplus
}
#endif
#endif
