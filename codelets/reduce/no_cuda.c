/* Without CUDA: never called, since no worker has these variants. */
#include "reduce/cuda_reduce.h"

#include "no_cuda.h"

NO_BODY(program_reduce)
NO_BODY(merge)
NO_BODY(outer)

sta_error_code sta__reduce_check_cuda(struct sta__job *job, bool zero, int value, int result, int to)
{
    (void)job;
    (void)zero;
    (void)value;
    (void)result;
    (void)to;
    return STA_ERROR_DEVICE;
}

NOT_READY(program_reduce)
NOT_READY(merge)
NOT_READY(outer)
