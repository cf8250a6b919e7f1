/* Without CUDA: no worker of it, nothing to do. */
#include "cuda.h"

#include <math.h>

bool sta__cuda_built(void)
{
    return false;
}

bool sta__cuda_start(char *text, size_t bytes)
{
    (void)text, (void)bytes;
    sta__runtime.gpus = 0;
    return true;
}

const uint32_t *sta__cuda_mask(int gpu, unsigned *words)
{
    (void)gpu;
    *words = 0;
    return NULL;
}

int64_t sta__cuda_memory(void)
{
    return 0;
}

struct sta__cuda_worker *sta__cuda_here(void)
{
    return NULL;
}

void *sta__cuda_scratch(struct sta__job *job, size_t bytes)
{
    (void)job, (void)bytes;
    return NULL;
}

bool sta__cuda_upload(struct sta__job *job, int operand)
{
    (void)job, (void)operand;
    return false;
}

bool sta__cuda_upload_all(struct sta__job *job)
{
    (void)job;
    return false;
}

uint32_t *sta__cuda_fault(struct sta__job *job)
{
    (void)job;
    return NULL;
}

void sta__cuda_body_begin(struct sta__job *job, struct sta__measure *measure)
{
    (void)job, (void)measure;
}

void sta__cuda_body_end(struct sta__job *job, struct sta__measure *measure)
{
    (void)job, (void)measure;
}

double sta__cuda_elapsed(struct sta__measure *measure)
{
    (void)measure;
    return NAN;
}

void sta__cuda_fault_read(uint32_t *fault, uint32_t words[STA__FAULT_WORDS])
{
    (void)fault;
    words[0] = 0;
}

void sta__cuda_forget(struct sta__value *value)
{
    (void)value;
}
