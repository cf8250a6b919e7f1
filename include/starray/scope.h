/** @file scope.h
 *  Scopes own arrays: every array that a function returns belongs to the innermost open scope of the calling thread and
 *  dies when that scope closes. sta_init opens the root scope; threads without a scope of their own use it. Closing
 *  never waits: what was submitted still happens, and what has an effect (writing user memory, saving) happens even if
 *  nobody reads it.
 */
#ifndef STARRAY_SCOPE_H
#define STARRAY_SCOPE_H

#include <starray/array.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An open scope. */
typedef struct sta_scope {
    uint64_t id;
} sta_scope;

/** Opens a scope in the calling thread. */
sta_scope sta_open(void);
/** Closes the scope and every scope opened inside it; frees their arrays. A scope that is not open is left alone. */
void sta_close(sta_scope scope);
/** Moves x to the scope around the innermost one and starts its computation; returns x. */
sta_array sta_keep(sta_array x);
/** Marks x as no longer wanted after the next function that takes it as an operand, which frees it; returns x. So a chain of
 *  large steps holds one tile of each instead of all of them: sta_fft(sta_move(sta_matmul(x, w)), -1, NULL). */
sta_array sta_move(sta_array x);
/** Frees x now instead of at the end of its scope. */
void sta_free(sta_array x);

#ifdef __cplusplus
}
#endif
#endif
