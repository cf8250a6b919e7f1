/* Without CUDA: no products on GPUs. */
#include "linalg.h"

bool sta__product_gpus(struct sta__call *call)
{
    (void)call;
    return true;
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
