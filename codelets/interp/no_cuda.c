/* Without CUDA: never called. */
#include "interp/cuda.h"

sta_error_code sta__interp_cuda(struct sta__job *job)
{
    (void)job;
    return STA_ERROR_DEVICE;
}
