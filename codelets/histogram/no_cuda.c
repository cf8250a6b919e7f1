/* Without CUDA: no histograms on GPUs. */
#include "histogram.h"

sta_error_code sta__histogram_edges_cuda(struct sta__job *job)
{
    (void)job;
    return STA_ERROR_DEVICE;
}

sta_error_code sta__histogram_edges_fault(const void *arguments, const uint32_t *words, char *text, size_t bytes)
{
    (void)arguments, (void)words, (void)text, (void)bytes;
    return STA_ERROR_DEVICE;
}

sta_error_code sta__histogram_count_cuda(struct sta__job *job)
{
    (void)job;
    return STA_ERROR_DEVICE;
}

sta_error_code sta__histogram_add_cuda(struct sta__job *job)
{
    (void)job;
    return STA_ERROR_DEVICE;
}

sta_error_code sta__histogram_finish_cuda(struct sta__job *job)
{
    (void)job;
    return STA_ERROR_DEVICE;
}

sta_error_code sta__histogram_check_cuda(struct sta__job *job)
{
    (void)job;
    return STA_ERROR_DEVICE;
}

sta_error_code sta__histogram_check_fault(const void *arguments, const uint32_t *words, char *text, size_t bytes)
{
    (void)arguments, (void)words, (void)text, (void)bytes;
    return STA_ERROR_DEVICE;
}
