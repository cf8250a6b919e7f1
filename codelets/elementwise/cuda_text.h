/* Programs as CUDA C++, for NVRTC. The text of a kernel is made of
 *
 *      sta__cuda_put_prelude        types, casts, vectors of elements: the same for all programs
 *      sta__cuda_put_functions      the operations that the program uses, in namespaces of their dtypes
 *      sta__cuda_put_element        a function `element` that computes the program for one element
 *
 * and of whatever calls `element`: kernels over the layouts of operands (cuda_layout.h), or reductions. Pure text: no CUDA
 * is needed here.
 */
#ifndef STA__CUDA_TEXT_H
#define STA__CUDA_TEXT_H

#include "graph.h"
#include "text.h"

/* The type of an element: "float"; 16-bit floats are uint16_t, complex numbers sta__c64 and sta__c128. */
const char *sta__cuda_type(sta_dtype dtype);
/* A cast of the expression `what`, as loops_cast.c has it. */
void sta__cuda_put_cast(struct sta__text *text, sta_dtype from, sta_dtype to, const char *what);

void sta__cuda_put_prelude(struct sta__text *text);
void sta__cuda_put_functions(struct sta__text *text, const struct sta__program *program);
/* static __device__ void element(const T0 v0, ... all inputs, O0 &o0, ... stored results, R0 &r0, ... what is reduced) */
void sta__cuda_put_element(struct sta__text *text, const struct sta__program *program);

/* Files that the text includes, for nvrtcCreateProgram. */
enum { STA__CUDA_INCLUDES = 2 };
extern const char *const sta__cuda_include_name[STA__CUDA_INCLUDES], *const sta__cuda_include_text[STA__CUDA_INCLUDES];

#endif
