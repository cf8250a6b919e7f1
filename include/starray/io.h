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
 *  Errors: as sta_load, and FORMAT for the byte order of another machine. */
sta_array sta_memmap(const char *path, unsigned flags);

/** Waits for x and writes it as numpy.save does (version 1.0, C order, the byte order of the machine), under just this
 *  name. The file appears complete or not at all: it is written beside `path` and then renamed; a file that was there
 *  before stays as it was until then. Needs memory for 4 MiB of x, not for all of it. On several nodes the first one
 *  writes.
 *  Errors: IO where the file cannot be written; any error of x. */
const sta_error *sta_save(const char *path, sta_array x);

#ifdef __cplusplus
}
#endif
#endif
