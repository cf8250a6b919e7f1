/* Without CUDA: never called. */
#include "copy/cuda_copy.h"

sta_error_code sta__assemble_cuda(struct sta__job *job)
{
    (void)job;
    return STA_ERROR_DEVICE;
}

bool sta__assemble_ready(struct sta__job *job)
{
    (void)job;
    return false;
}
