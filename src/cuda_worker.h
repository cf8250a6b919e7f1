/* What a CUDA worker owns, for bodies in C. Kernels in *.cu take plain arguments and a stream instead. */
#ifndef STA__CUDA_WORKER_H
#define STA__CUDA_WORKER_H

#include "cuda.h"

#include <cuda_runtime_api.h>

enum { STA__MAXSCRATCH = 32, STA__MAXFAULTS = 64 };

struct sta__cuda_worker {
    int number; /* of StarPU's worker: families keep their own tables by it, up to STARPU_NMAXWORKERS */
    int device;
    int processors; /* multiprocessors of the device */
    int arch;       /* 90: compute capability 9.0 */
    cudaStream_t stream;
    cudaEvent_t origin; /* when it was opened; origin_time by the host's clock */
    int64_t origin_time;
    int scratches;
    void *scratch[STA__MAXSCRATCH]; /* what did not fit into the arena */
    char *arena;                    /* of one body after the other, in the order of the stream; NULL: not made yet */
    size_t arena_used;
    struct sta__cuda_timer *timers; /* not in use */
    uint32_t *faults;               /* pinned, STA__FAULT_WORDS each */
    int fault_free[STA__MAXFAULTS], faults_free;
};

/* Turns a status into the job's error: STA_ERROR_NONE, STA_ERROR_MEMORY or STA_ERROR_DEVICE with a text. */
sta_error_code sta__cuda_check(struct sta__job *job, cudaError_t status, const char *what);
/* The workers, for families that make handles at start: NULL where worker `number` is none. */
struct sta__cuda_worker *sta__cuda_worker(int number);
int sta__cuda_workers(void); /* one more than the largest number */

#endif
