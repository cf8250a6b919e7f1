/* What differs between StarPU 1.3 and 1.4 is here, and only here. */
#ifndef STA__STARPU_COMPAT_H
#define STA__STARPU_COMPAT_H

#include <starpu.h>

#include <stdbool.h>

#define STA__STARPU_1_4 (STARPU_MAJOR_VERSION > 1 || (STARPU_MAJOR_VERSION == 1 && STARPU_MINOR_VERSION >= 4))

#ifdef STARPU_USE_CUDA
#define STA__STARPU_CUDA 1
#else
#define STA__STARPU_CUDA 0
#endif

#if STA__STARPU_1_4

typedef int sta__home_node; /* of register_data_handle */

/* Members of designated initialisers that only one version has. */
#define STA__ONLY_1_4(...) __VA_ARGS__
#define STA__ONLY_1_3(...)

/* Calls the function after the body and before successors start. StarPU 1.3 cannot; its bodies (on CPUs only) have to do
 * it themselves. */
static inline void sta__set_epilogue(struct starpu_task *task, void (*function)(void *), void *argument)
{
    task->epilogue_callback_func = function;
    task->epilogue_callback_arg = argument;
}

/* Only these workers may take the task: bits in words that outlive it. No words: any. */
static inline void sta__set_workers(struct starpu_task *task, const uint32_t *mask, unsigned words)
{
    task->workerids = (uint32_t *)(uintptr_t)mask;
    task->workerids_len = words;
}

/* Tasks of the codelet find their data in main memory, whatever worker runs them. */
static inline void sta__set_host_nodes(struct starpu_codelet *codelet)
{
    enum { HANDLES = 512 };    /* as many as a task of ours may have */
    static int nodes[HANDLES]; /* the same for all codelets, with the lock */
    for (int i = 0; i < HANDLES; i++)
        nodes[i] = STARPU_SPECIFIC_NODE_CPU;
    codelet->specific_nodes = 1;
    codelet->dyn_nodes = nodes;
}

/* Writes a history now. False: this version cannot. */
static inline bool sta__save_model(struct starpu_perfmodel *model)
{
    starpu_save_history_based_model(model);
    return true;
}

/* A buffer that the allocation cache keeps may serve a tile of another shape (reuse_data_on_node). */
#define STA__CACHE_SHARES_SHAPES 1

#else

typedef unsigned sta__home_node;

#define STA__ONLY_1_4(...)
#define STA__ONLY_1_3(...) __VA_ARGS__

static inline void sta__set_epilogue(struct starpu_task *task, void (*function)(void *), void *argument)
{
    (void)task, (void)function, (void)argument;
}

static inline void sta__set_workers(struct starpu_task *task, const uint32_t *mask, unsigned words)
{
    (void)task, (void)mask, (void)words; /* GPUs only */
}

static inline void sta__set_host_nodes(struct starpu_codelet *codelet)
{
    (void)codelet; /* used on the CPU only */
}

#define STA__CACHE_SHARES_SHAPES 0

static inline bool sta__save_model(struct starpu_perfmodel *model)
{
    (void)model; /* when StarPU shuts down, not before */
    return false;
}

#endif

#endif
