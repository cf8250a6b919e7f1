/* GPUs as the rest of the library sees them; no header of CUDA is needed to read this one. cuda.c is compiled with CUDA,
 * no_cuda.c stands in for it without.
 *
 * A body runs on the thread of a StarPU worker and only launches: everything goes to that worker's stream, nothing waits
 * for the device. What it takes with sta__cuda_scratch goes back in the order of the stream. */
#ifndef STA__CUDA_H
#define STA__CUDA_H

#include "internal.h"

struct sta__measure;

/* Whether this library has bodies for GPUs. */
bool sta__cuda_built(void);
/* Once StarPU runs: sets sta__runtime.gpus and opens a context of ours for each of its CUDA workers. False: text. */
bool sta__cuda_start(char *text, size_t bytes);
/* The workers of the k-th GPU worker alone, as bits in words. */
const uint32_t *sta__cuda_mask(int gpu, unsigned *words);
/* Bytes that StarPU may use of the GPU that has least; 0: not known. */
int64_t sta__cuda_memory(void);
/* What the calling worker owns; NULL on other threads. */
struct sta__cuda_worker *sta__cuda_here(void);

/* ---- in bodies; job->cuda is set ---- */

/* Memory on the device until the work launched by this body has ended. NULL: none, and job->text says so. */
void *sta__cuda_scratch(struct sta__job *job, size_t bytes);
/* Operands that are NOW lie in host memory (memory[i].on_host). Brings one to the device, once for each worker and value;
 * memory[i].data is then a device address. False: no memory. */
bool sta__cuda_upload(struct sta__job *job, int operand);
/* The same for all operands. */
bool sta__cuda_upload_all(struct sta__job *job);
/* STA__FAULT_WORDS words, zero at first, that kernels may set and the host reads when the body's work has ended: where the
 * first is not zero kernel->fault says what they mean. NULL: no memory. */
enum { STA__FAULT_WORDS = 4 };
uint32_t *sta__cuda_fault(struct sta__job *job);

/* ---- for submit.c and value.c ---- */

void sta__cuda_body_begin(struct sta__job *job, struct sta__measure *measure);
void sta__cuda_body_end(struct sta__job *job, struct sta__measure *measure);
/* In the callback. Microseconds between begin and end on the device; NaN: not measured. */
double sta__cuda_elapsed(struct sta__measure *measure);
void sta__cuda_fault_read(uint32_t *fault, uint32_t words[STA__FAULT_WORDS]); /* and gives them back */
struct sta__upload;
void sta__cuda_forget(struct sta__value *value); /* its copies on devices; from any thread */

#endif
