/* nanargmin and nanargmax: an index is an answer only where a value was found that is not NaN. */
#include "reduce/cuda_reduce.h"
#include "reduce/front.h"

#include <stdio.h>
#include <string.h>

struct check_arguments {
    int value, index, to;
};

static const char all_nan[] = "all elements of a result are NaN";

static bool any_f32(const float *x, int64_t count)
{
    bool nan = false;
    for (int64_t i = 0; i < count; i++)
        nan |= x[i] != x[i];
    return nan;
}

static bool any_f64(const double *x, int64_t count)
{
    bool nan = false;
    for (int64_t i = 0; i < count; i++)
        nan |= x[i] != x[i];
    return nan;
}

static sta_error_code check(struct sta__job *job)
{
    const struct check_arguments *a = job->arguments;
    const struct sta__memory *value = &job->memory[a->value], *index = &job->memory[a->index],
                             *to = &job->memory[a->to];
    int64_t cells = 1, parts = value->dtype == STA_complex64 || value->dtype == STA_complex128 ? 2 : 1;
    for (int d = 0; d < value->ndim; d++)
        cells *= value->shape[d];
    bool nan = sta__dtype_real(value->dtype) == STA_float32
                   ? any_f32((const float *)(const void *)value->data, cells * parts)
                   : any_f64((const double *)(const void *)value->data, cells * parts);
    memcpy(to->data, index->data, (size_t)cells * sizeof(int64_t));
    if (!nan)
        return STA_ERROR_NONE;
    snprintf(job->text, sizeof job->text, "%s", all_nan);
    return STA_ERROR_VALUE;
}

static sta_error_code check_cuda(struct sta__job *job)
{
    const struct check_arguments *a = job->arguments;
    return sta__nan_check_cuda(job, a->value, a->index, a->to);
}

static sta_error_code check_fault(const void *arguments, uint32_t word, char *text, size_t bytes)
{
    (void)arguments;
    (void)word;
    snprintf(text, bytes, "%s", all_nan);
    return STA_ERROR_VALUE;
}

static const struct sta__kernel check_kernel = {
    .name = "nanarg_check", .cpu = check, .cuda = check_cuda, .fault = check_fault};

static struct sta__value *check_tiles(struct sta__call *call, struct sta__value *value, struct sta__value *index)
{
    bool now = value->state == STA__NOW;
    struct sta__batch *batch = sta__batch_open(call, &check_kernel, value->dtype, now);
    struct sta__value *to = now ? sta__value_now(STA_int64, &index->shape) : sta__value_tiled(STA_int64, index->grid);
    if (!batch || !to) {
        if (batch)
            sta__batch_discard(batch);
        sta__value_drop(to);
        return sta__fail_memory(call);
    }
    to->depth = index->depth + 1;
    sta__batch_depth(batch, to->depth);
    for (int64_t t = 0; t < (now ? 1 : index->grid->tiles); t++) {
        struct sta__task *task = sta__batch_task(batch, NULL, sizeof(struct check_arguments));
        if (!task)
            break;
        struct check_arguments *a = sta__task_arguments(task);
        a->value = sta__task_reads(task, value, t);
        a->index = sta__task_reads(task, index, t);
        a->to = sta__task_writes(task, to, t);
    }
    if (sta__batch_submit(batch))
        return to;
    sta__value_drop(to);
    return NULL;
}

struct sta__value *sta__reduce_checked(struct sta__call *call, struct sta__value *value, struct sta__value *index)
{
    struct sta__value *both[] = {value, index}, *to = NULL;
    if (sta__submit_values(call, both, 2))
        to = check_tiles(call, value, index);
    sta__value_drop(value);
    sta__value_drop(index);
    return to;
}
