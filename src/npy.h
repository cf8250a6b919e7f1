/* The .npy format, on bytes: no StarPU, no arrays. Versions 1.0 to 3.0, both byte orders, both element orders.
 *
 * Nothing in a file is trusted: what a header promises is checked against the size of the file before anything of that
 * size is allocated. Functions return STA_ERROR_NONE, or a code with the reason in `why` (STA__WHY bytes).
 */
#ifndef STA__NPY_H
#define STA__NPY_H

#include "internal.h"

#define STA__NPY_LONGEST 65536 /* bytes of the longest header that is read; NumPy reads 10000 */
#define STA__NPY_OURS 640      /* room for any header that is written: STA_MAXDIM numbers of 19 digits and the rest */

struct sta__npy {
    sta_dtype dtype;
    bool swapped; /* the bytes of an element lie in the other order than on this machine */
    bool fortran; /* the first index runs fastest */
    struct sta__shape shape;
    int64_t size;  /* elements */
    int64_t begin; /* where they begin in the file */
};

/* The header in the first `bytes` of a file of `file_bytes`. */
sta_error_code sta__npy_parse(const char *head, size_t bytes, int64_t file_bytes, struct sta__npy *to, char *why);
/* The same for an open file, which must be a regular one. */
sta_error_code sta__npy_open(int file, struct sta__npy *to, char *why);
/* Writes a header, byte for byte what numpy.save writes for an array in C order; returns its length. */
size_t sta__npy_header(char to[STA__NPY_OURS], sta_dtype dtype, const struct sta__shape *shape);

/* Reads exactly so many bytes of a file, however often the system stops in between. */
sta_error_code sta__read_at(int file, void *to, size_t bytes, int64_t from, char *why);
sta_error_code sta__write_all(int file, const void *data, size_t bytes, char *why);

/* Makes elements as they lie in a file ours: turns bytes round where `swapped`; makes bools above 1 true. */
void sta__npy_convert(void *data, int64_t count, sta_dtype dtype, bool swapped);

#endif
