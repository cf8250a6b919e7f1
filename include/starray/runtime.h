/** @file runtime.h
 *  Starting and ending the library.
 */
#ifndef STARRAY_RUNTIME_H
#define STARRAY_RUNTIME_H

#include <stddef.h>
#include <stdint.h>
#include <starray/error.h>

#ifdef __cplusplus
extern "C" {
#endif

#define STA_VERSION_MAJOR 0
#define STA_VERSION_MINOR 1
#define STA_VERSION_PATCH 0

/** Settings of sta_init. Members that are 0 mean "as the environment says, else the default". */
typedef struct sta_init_options {
    size_t size;           /**< sizeof(sta_init_options) */
    const char *devices;   /**< "cpu", "cuda" or "all"; STA_DEVICES */
    const char *cpu;       /**< "seq", "omp" or "auto"; STA_CPU */
    int64_t tile_elements; /**< elements of a tile; STA_TILE_ELEMS */
    int64_t inline_bytes; /**< arrays up to this size are computed by the calling thread, -1 = none; STA_INLINE_BYTES */
    int64_t budget_bytes; /**< bytes of submitted results above which a caller is held back; STA_BUDGET */
} sta_init_options;

/** Starts StarPU, or joins it where the program has started it, and opens the root scope. Calls nest: each wants its
 *  sta_finish. NULL means defaults. Returns NULL, or the error: STARPU where StarPU finds no worker, MEMORY, VALUE for an
 *  environment variable that cannot be understood. */
const sta_error *sta_init(const sta_init_options *options);
/** Waits for what has an effect, frees every array, prints the first error that nobody looked at, and ends StarPU if
 *  sta_init started it. */
void sta_finish(void);
/** The version of the library in use: major * 10000 + minor * 100 + patch. */
int sta_version(void);

#ifdef __cplusplus
}
#endif
#endif
