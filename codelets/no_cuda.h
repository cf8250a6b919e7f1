/* Bodies of tasks where CUDA is missing: no worker has these variants, so they are never called. Only no_cuda.c files. */
#ifndef STA__NO_CUDA_H
#define STA__NO_CUDA_H

#include "internal.h"

#define NO_BODY(name)                                                                                                  \
    sta_error_code sta__##name##_cuda(struct sta__job *job)                                                            \
    {                                                                                                                  \
        (void)job;                                                                                                     \
        return STA_ERROR_DEVICE;                                                                                       \
    }
#define NOT_READY(name)                                                                                                \
    bool sta__##name##_ready(struct sta__job *job)                                                                     \
    {                                                                                                                  \
        (void)job;                                                                                                     \
        return false;                                                                                                  \
    }
#define NO_FAULT(name)                                                                                                 \
    sta_error_code sta__##name##_fault(const void *arguments, const uint32_t *words, char *text, size_t bytes)         \
    {                                                                                                                  \
        (void)arguments, (void)words, (void)text, (void)bytes;                                                         \
        return STA_ERROR_DEVICE;                                                                                       \
    }

#endif
