/** @file array.h
 *  Arrays: what they are, and how values enter and leave them.
 */
#ifndef STARRAY_ARRAY_H
#define STARRAY_ARRAY_H

#include <stddef.h>
#include <stdint.h>
#include <starray/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An array. A value, cheap to copy; copies name the same array. A zero, freed or foreign one is an array in error,
 *  never a crash. It lives until its scope closes (scope.h) or sta_free. */
typedef struct sta_array {
    uint64_t id;
} sta_array;

/** Complex elements as they lie in memory. */
typedef struct sta_complex64 {
    float re, im;
} sta_complex64;
typedef struct sta_complex128 {
    double re, im;
} sta_complex128;

/** Element types; the table is dtypes.def. Numbers never change. float16 and bfloat16 are stored in 16 bits and
 *  computed in float32. */
typedef enum sta_dtype {
    STA_DTYPE_NONE = 0, /**< "not given": the function's default */
#define STA_DTYPE(name, number, storage, brief, kind, typestr) STA_##name = (number),
#include <starray/dtypes.def>
#undef STA_DTYPE
} sta_dtype;

/** The most axes an array can have. */
#define STA_MAXDIM 16

/** A shape or a list of axes, by value. */
typedef struct sta_dims {
    int count;
    int64_t at[STA_MAXDIM];
} sta_dims;

#ifdef __cplusplus
}
template <typename... T> inline sta_dims sta_dims_of(T... value)
{
    return sta_dims{(int)sizeof...(value), {(int64_t)value...}};
}
#define STA_DIMS(...) sta_dims_of(__VA_ARGS__)
#define STA_AXES(...) sta_dims_of(__VA_ARGS__)
#define STA_ALL (sta_dims{-1, {0}})
#define STA_SCALAR (sta_dims{0, {0}})
extern "C" {
#else
#define STA__COUNT(...) ((int)(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t)))
/** The shape (3, 4): STA_DIMS(3, 4). More than STA_MAXDIM entries do not compile. */
#define STA_DIMS(...) ((sta_dims){STA__COUNT(__VA_ARGS__), {__VA_ARGS__}})
/** The axes 0 and -1: STA_AXES(0, -1). Negative axes count from the end. */
#define STA_AXES(...) ((sta_dims){STA__COUNT(__VA_ARGS__), {__VA_ARGS__}})
/** All axes. */
#define STA_ALL ((sta_dims){-1, {0}})
/** The shape (). */
#define STA_SCALAR ((sta_dims){0, {0}})
#endif

/** The axis that stands for all of them, where a function says so: the array made flat (sta_ravel) first, as NumPy's axis
 *  None. */
#define STA_FLAT INT64_MIN

/* ---- weak scalars: they take the dtype of the array they meet, as Python's numbers in NumPy 2 ---- */
sta_array sta_int(int64_t value);
sta_array sta_float(double value);
sta_array sta_complex(double re, double im);
sta_array sta_bool(int value);

/* ---- facts, known at once: nothing is computed, nobody waits ---- */
/** The number of axes; 0 for an array in error. */
int sta_ndim(sta_array x);
/** The shape; () for an array in error. */
sta_dims sta_shape(sta_array x);
/** The number of elements; 0 for an array in error. */
int64_t sta_size(sta_array x);
/** The element type; STA_DTYPE_NONE for an array in error. */
sta_dtype sta_dtype_of(sta_array x);
/** Bytes of one element; 0 for a number that is no dtype. */
size_t sta_itemsize(sta_dtype dtype);
/** NumPy's name of a dtype, "float64"; "none" for a number that is no dtype. */
const char *sta_dtype_name(sta_dtype dtype);
/** The dtype of an operation on two dtypes (NumPy 2, NEP 50): STA_DTYPE_NONE where there is none. */
sta_dtype sta_promote_types(sta_dtype a, sta_dtype b);

/* ---- errors and waiting (error.h) ---- */
/** The error known so far, NULL if none. Does not wait. */
const sta_error *sta_check(sta_array x);
/** Computes x, waits for it, brings values of user memory home. The final word: NULL means that all is well. */
const sta_error *sta_wait(sta_array x);
/** Starts the computation of x without waiting; returns x. */
sta_array sta_eval(sta_array x);

/* ---- values ---- */
/** Waits for x and copies its elements, C order, into `to` of `bytes` bytes.
 *  Errors: VALUE if bytes is not sta_size(x) * sta_itemsize(sta_dtype_of(x)); any error of x. */
const sta_error *sta_read(sta_array x, void *to, size_t bytes);
/** The one element of an array of size 1, converted as astype does. Errors: SHAPE if the size is not 1; any error of x. */
const sta_error *sta_item_int(sta_array x, int64_t *to);
const sta_error *sta_item_float(sta_array x, double *to);
const sta_error *sta_item_complex(sta_array x, sta_complex128 *to);
const sta_error *sta_item_bool(sta_array x, int *to);

#ifdef __cplusplus
}
#endif
#endif
