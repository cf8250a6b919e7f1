/* Without CUDA: no transforms on GPUs. */
#include "fft.h"

void sta__fft_gpu_plans(const struct sta__fft_arguments *arguments, const struct sta__value *from,
                        const struct sta__value *to)
{
    (void)arguments, (void)from, (void)to;
}

sta_error_code sta__fft_cuda(struct sta__job *job)
{
    (void)job;
    return STA_ERROR_DEVICE;
}
