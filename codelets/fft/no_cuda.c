/* Without CUDA: no transforms on GPUs. */
#include "fft.h"

bool sta__fft_ready(struct sta__job *job)
{
    (void)job;
    return false;
}

sta_error_code sta__fft_cuda(struct sta__job *job)
{
    (void)job;
    return STA_ERROR_DEVICE;
}
