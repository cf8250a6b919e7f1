/* Without CUDA: never called, since no worker has these variants. */
#include "reduce/cuda_reduce.h"

sta_error_code sta__program_reduce_cuda(struct sta__job *job)
{
    (void)job;
    return STA_ERROR_DEVICE;
}

sta_error_code sta__merge_cuda(struct sta__job *job)
{
    (void)job;
    return STA_ERROR_DEVICE;
}

sta_error_code sta__outer_cuda(struct sta__job *job)
{
    (void)job;
    return STA_ERROR_DEVICE;
}

sta_error_code sta__reduce_check_cuda(struct sta__job *job, bool zero, int value, int result, int to)
{
    (void)job;
    (void)zero;
    (void)value;
    (void)result;
    (void)to;
    return STA_ERROR_DEVICE;
}

bool sta__program_reduce_ready(struct sta__job *job)
{
    (void)job;
    return false;
}

bool sta__merge_ready(struct sta__job *job)
{
    (void)job;
    return false;
}

bool sta__outer_ready(struct sta__job *job)
{
    (void)job;
    return false;
}
