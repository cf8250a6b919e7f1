/* Without CUDA: never called, since no worker has these variants. */
#include "elementwise/program_cuda.h"

sta_error_code sta__program_cuda(struct sta__job *job)
{
    (void)job;
    return STA_ERROR_DEVICE;
}

bool sta__program_ready(struct sta__job *job)
{
    (void)job;
    return false;
}

void sta__cuda_imagine(struct sta__job *job)
{
    (void)job;
}
