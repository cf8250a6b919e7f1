/* From a text to a kernel: NVRTC, and the kernels that were made already, in memory and in the cache of files (cache.h).
 * Nothing here is a task's business but sta__cuda_launch's: kernels are made before tasks are submitted. */
#ifndef STA__CUDA_COMPILE_H
#define STA__CUDA_COMPILE_H

#include "internal.h"

/* A kernel for all GPUs of this process, made from a key: lives until sta_finish. */
struct sta__cuda_kernel;

/* A text that begins so is compiled in some 80 % of the time, to code that is slower: for little work. */
#define STA__CUDA_QUICK "#define STA__QUICK\n"

/* Who writes the text of a kernel that is not there yet. False: no memory. */
struct sta__text;
typedef bool (*sta__cuda_writer)(const void *context, struct sta__text *text);

/* The kernel of these words, which say all that its text depends on; made where it is not there yet. NULL: it cannot be,
 * and the job's text says why (it was said once in the log). The text has one kernel, `sta_kernel`. From any thread. */
struct sta__cuda_kernel *sta__cuda_kernel_of(struct sta__job *job, const uint64_t *key, int words,
                                             sta__cuda_writer writer, const void *context);
/* Launches on the worker of the job; `parameters` is the one argument of the kernel. */
sta_error_code sta__cuda_launch(struct sta__job *job, struct sta__cuda_kernel *kernel, int64_t blocks, int threads,
                                const void *parameters);

/* ---- for tests ---- */

/* A text to machine code for an architecture ("sm_90"), to be released; NULL: `log` says why. */
void *sta__cuda_compile(const char *text, const char *arch, size_t *bytes, char *log, size_t log_bytes);
int64_t sta__cuda_compiled(void); /* kernels that NVRTC made in this process so far */

#endif
