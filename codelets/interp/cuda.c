/* The interpolation on a GPU. Contract: interp.h. */
#include "interp/cuda.h"

#include "cuda_worker.h"
#include "interp/interp.h"

static double *numbers(const struct sta__job *job, int memory)
{
    return (double *)(void *)job->memory[memory].data;
}

sta_error_code sta__interp_cuda(struct sta__job *job)
{
    const struct sta__interp_arguments *a = job->arguments;
    const struct sta__memory *to = &job->memory[0];
    if (!sta__cuda_upload_all(job))
        return STA_ERROR_MEMORY;
    struct sta__cuda_interp t = {.x = numbers(job, a->xp),
                                 .f = numbers(job, a->fp),
                                 .count = job->memory[a->xp].shape[0],
                                 .size = 1,
                                 .parts = to->dtype == STA_complex128 ? 2 : 1};
    t.left = a->left ? numbers(job, a->left) : t.f;
    t.right = a->right ? numbers(job, a->right) : &t.f[(t.count - 1) * t.parts];
    for (int d = 0; d < to->ndim; d++)
        t.size *= to->shape[d];
    return sta__cuda_check(
        job, (cudaError_t)sta__cuda_interp_launch(&t, numbers(job, a->x), numbers(job, 0), job->cuda->stream),
        "an interpolation");
}
