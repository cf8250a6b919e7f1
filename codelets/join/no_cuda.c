/* Without CUDA: never called. */
#include "join/cuda.h"

sta_error_code sta__mosaic_cuda(struct sta__job *job)
{
    (void)job;
    return STA_ERROR_DEVICE;
}

bool sta__mosaic_ready(struct sta__job *job)
{
    (void)job;
    return false;
}
