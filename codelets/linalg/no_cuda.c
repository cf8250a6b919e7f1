/* Without CUDA: no products on GPUs. */
#include "linalg.h"

bool sta__matmul_ready(struct sta__job *job)
{
    (void)job;
    return false;
}

sta_error_code sta__matmul_cuda(struct sta__job *job)
{
    (void)job;
    return STA_ERROR_DEVICE;
}

sta_error_code sta__matmul_add_cuda(struct sta__job *job)
{
    (void)job;
    return STA_ERROR_DEVICE;
}
