/** @file io.h
 *  Files of arrays.
 */
#ifndef STARRAY_IO_H
#define STARRAY_IO_H

#include <starray/array.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The array in a .npy file (versions 1.0 to 3.0, either byte order). Header and file size are checked at once; the
 *  elements of a large array are read by tasks, tile by tile, while the program goes on: do not change the file before
 *  sta_wait. A file in Fortran order becomes a transposed view. A file with dtype V2, as ml_dtypes writes it, is
 *  bfloat16.
 *  Errors: IO for a file that cannot be read; FORMAT for one that is no .npy file, or shorter than its header says;
 *  DTYPE for strings, objects, times and structures; SHAPE for more than STA_MAXDIM axes; TOO_LARGE; MEMORY. */
sta_array sta_load(const char *path);

/** The array in a .npy file, mapped: the file is the memory, and only what is used of it is read. flags: STA_READ_ONLY
 *  of create.h, or 0: then writes to the array change the file, complete after sta_wait. The file must stay as long as
 *  it is until the array is freed and its last task has ended.
 *  Errors: as sta_load, and FORMAT for the byte order of another machine and elements that are not aligned. */
sta_array sta_memmap(const char *path, unsigned flags);

/** Waits for x and writes it as numpy.save does (version 1.0, C order, the byte order of the machine), under just this
 *  name. The file appears complete or not at all: it is written beside `path` and then renamed; a file that was there
 *  before stays as it was until then. Needs memory for 4 MiB of x, not for all of it. On several nodes the first one
 *  writes.
 *  Errors: IO where the file cannot be written; any error of x. */
const sta_error *sta_save(const char *path, sta_array x);

/* ---- several arrays in one file ---- */

/** Waits for the arrays and writes them to a .npz file, as numpy.savez does: names[i] is the name of x[i]; names NULL: arr_0,
 *  arr_1, .. The file appears complete or not at all, as by sta_save.
 *  Errors: IO, also for a pipe or a device; VALUE for a name that is NULL, empty, longer than 290 bytes or there twice. */
const sta_error *sta_savez(const char *path, const char *const *names, const sta_array *x, int count);
/** The array of the name in a .npz file. Of one that savez wrote the elements are read by tasks, as by sta_load, and the sums
 *  in the file are not looked at; what savez_compressed wrote is unpacked and checked at once.
 *  Errors: as sta_load; VALUE for a name that is not there. */
sta_array sta_load_npz(const char *path, const char *name);
/** The names in a .npz file, each followed by a newline; *names is to be freed with free(), and NULL where an error is
 *  returned. Errors: IO; FORMAT; MEMORY. */
const sta_error *sta_npz_names(const char *path, char **names);

/* ---- elements without a header ---- */

/** `count` elements of a file from byte `offset` on, as they lie in the memory of this machine; count < 0: all that are
 *  there. Shape: (count,). dtype NONE: float64. Read by tasks, as by sta_load.
 *  Errors: IO; VALUE for an offset behind the end; FORMAT for fewer elements; DTYPE for a number that is none. */
sta_array sta_fromfile(const char *path, sta_dtype dtype, int64_t count, int64_t offset);
/** Waits for x and writes its elements, C order, without a header: what sta_fromfile reads. As sta_save otherwise. */
const sta_error *sta_tofile(const char *path, sta_array x);

/* ---- text ---- */

/** NULL: all 0. */
typedef struct sta_loadtxt_options {
    size_t size;      /**< sizeof(sta_loadtxt_options); error VALUE if it cannot be that */
    sta_dtype dtype;  /**< NONE: float64 */
    char delimiter;   /**< between numbers; 0: any white space */
    char comments;    /**< what follows it on a line is left out; 0: '#' */
    int64_t skip;     /**< so many lines are left out at the beginning */
    int64_t max_rows; /**< at most so many rows are read; 0: all */
    sta_dims columns; /**< which columns, in this order, negative ones counted from the end; count 0: all */
    int ndmin;        /**< the least number of axes, 0 to 2 */
} sta_loadtxt_options;
/** Numbers of a text file: a row for each line that is not empty; lines end with a newline, a carriage return or
 *  both. Shape: (rows, columns), without axes of length 1 as far as ndmin allows. Integers are read exactly; complex
 *  numbers as Python writes them, (1+2j); the decimal point is ".". Each rank reads the file. Errors: IO; FORMAT for
 *  what is no number of the dtype, and for lines with another number of columns, "line 3: ..."; INDEX for a column
 *  that is not there; DTYPE. */
sta_array sta_loadtxt(const char *path, const sta_loadtxt_options *options);

/** NULL: all 0. */
typedef struct sta_savetxt_options {
    size_t size;           /**< sizeof(sta_savetxt_options); error VALUE if it cannot be that */
    const char *format;    /**< printf's for one number, with one of e E f F g G, or d for integers; NULL: "%.18e" */
    const char *delimiter; /**< between numbers; NULL: " " */
    const char *newline;   /**< behind each line; NULL: "\n" */
    const char *header;    /**< a line before, as a comment; NULL: none */
    const char *footer;    /**< a line behind, as a comment; NULL: none */
    const char *comments;  /**< what a comment begins with; NULL: "# " */
} sta_savetxt_options;
/** Waits for x and writes it as numpy.savetxt does: a line for each row; of one axis, a line for each element. Complex
 *  numbers stand in brackets. The file appears complete or not at all, as by sta_save.
 *  Errors: IO; SHAPE for 0 or more than 2 axes; VALUE for a format that is none; any error of x. */
const sta_error *sta_savetxt(const char *path, sta_array x, const sta_savetxt_options *options);

#ifdef __cplusplus
}
#endif
#endif
