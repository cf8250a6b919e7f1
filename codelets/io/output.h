/* A file that is being written, complete or not at all. With several ranks arrays are read by all, and the first rank writes. */
#ifndef STA__OUTPUT_H
#define STA__OUTPUT_H

#include "internal.h"

#include <limits.h>

/* Written under another name, then renamed. What is no regular file (a pipe, a device) is written as it is. */
struct sta__output {
    int descriptor;
    bool direct;
    int64_t at;  /* bytes written so far */
    bool summed; /* whether `crc` is kept: of what was written since somebody set it to 0 */
    uint32_t crc;
    char target[PATH_MAX], name[PATH_MAX + 40];
};

/* Writes the contents; output is NULL on the other ranks. */
typedef void sta__output_contents(struct sta__call *call, struct sta__output *output, void *argument);
/* Makes a file: opens, has the contents written, closes; on every rank, with the same error. */
void sta__output_file(struct sta__call *call, const char *path, sta__output_contents *contents, void *argument);

/* For contents: false, and call->error, where it cannot be written. */
bool sta__output_write(struct sta__call *call, struct sta__output *output, const void *data, size_t bytes);
/* The elements, C order, piece by piece. On every rank. */
void sta__output_array(struct sta__call *call, struct sta__operand *operand, struct sta__output *output);

#endif
