/* Without CUDA: never called. */
#include "codelets/index/cuda_index.h"

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

NO_BODY(move)
NOT_READY(move)
NO_FAULT(move)
NO_BODY(survey)
NOT_READY(survey)
NO_BODY(mask_count)
NO_BODY(mask_take)
NO_BODY(mask_indices)
NO_BODY(unravel)
NO_FAULT(unravel)
NO_BODY(ravel)
NO_FAULT(ravel)
NO_BODY(triangle)
