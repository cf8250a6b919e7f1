/* Without CUDA: never called. */
#include "codelets/create/range.h"

sta_error_code sta__range_cuda(struct sta__job *job)
{
    (void)job;
    return STA_ERROR_DEVICE;
}

bool sta__range_ready(struct sta__job *job)
{
    (void)job;
    return false;
}
