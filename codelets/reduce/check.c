/* What can only be known when the values are there: an index is an answer only where a value was found that is not NaN,
 * and weights may not sum to zero. */
#include "reduce/cuda_reduce.h"
#include "reduce/front.h"

#include <stdio.h>
#include <string.h>

struct check_arguments {
    enum sta__check check;
    int value, result, to;
};

/* Whether any element is NaN, or is zero in all of its parts. */
#define ANY(brief, type)                                                                                               \
    static bool any_##brief(enum sta__check check, const void *values, int64_t count, int parts)                       \
    {                                                                                                                  \
        const type *x = values;                                                                                        \
        bool nan = false, zero = false;                                                                                \
        for (int64_t i = 0; i < count * parts; i++)                                                                    \
            nan |= x[i] != x[i];                                                                                       \
        for (int64_t i = 0; i < count; i++)                                                                            \
            zero |= x[i * parts] == 0 && x[i * parts + parts - 1] == 0;                                                \
        return check == STA__CHECK_NAN ? nan : zero;                                                                   \
    }
ANY(f32, float)
ANY(f64, double)

static const char *const text[] = {
    [STA__CHECK_NAN] = "all elements of a result are NaN", [STA__CHECK_ZERO] = "the weights of a result sum to zero"};

static int64_t cells_of(const struct sta__memory *memory)
{
    int64_t cells = 1;
    for (int d = 0; d < memory->ndim; d++)
        cells *= memory->shape[d];
    return cells;
}

static sta_error_code check(struct sta__job *job)
{
    const struct check_arguments *a = job->arguments;
    const struct sta__memory *value = &job->memory[a->value], *result = &job->memory[a->result],
                             *to = &job->memory[a->to];
    int parts = value->dtype == STA_complex64 || value->dtype == STA_complex128 ? 2 : 1;
    bool wrong = (sta__dtype_real(value->dtype) == STA_float32 ? any_f32 : any_f64)(a->check, value->data,
                                                                                    cells_of(value), parts);
    memcpy(to->data, result->data, (size_t)cells_of(to) * sta_itemsize(to->dtype));
    if (!wrong)
        return STA_ERROR_NONE;
    snprintf(job->text, sizeof job->text, "%s", text[a->check]);
    return STA_ERROR_VALUE;
}

static sta_error_code check_cuda(struct sta__job *job)
{
    const struct check_arguments *a = job->arguments;
    return sta__reduce_check_cuda(job, a->check == STA__CHECK_ZERO, a->value, a->result, a->to);
}

static sta_error_code check_fault(const void *arguments, const uint32_t *words, char *to, size_t bytes)
{
    (void)words;
    snprintf(to, bytes, "%s", text[((const struct check_arguments *)arguments)->check]);
    return STA_ERROR_VALUE;
}

static const struct sta__kernel check_kernel = {
    .name = "reduce_check", .cpu = check, .cuda = check_cuda, .fault = check_fault, .fails = true};

/* The value in the grid of the result; one that is small and there is looked at as a whole by each task. Takes its reference
 * over. */
static struct sta__value *matched(struct sta__call *call, struct sta__value *value, const struct sta__value *result)
{
    if (value->state == STA__NOW || result->state == STA__NOW || sta__grid_equal(value->grid, result->grid))
        return value;
    struct sta__operand whole = sta__reduce_whole(value);
    struct sta__value *copy = sta__prepare(call, &whole, STA_DTYPE_NONE, result->grid);
    sta__value_drop(value);
    return copy;
}

static struct sta__value *check_tiles(struct sta__call *call, struct sta__value *value, struct sta__value *result,
                                      enum sta__check check)
{
    bool now = result->state == STA__NOW;
    struct sta__batch *batch = sta__batch_open(call, &check_kernel, value->dtype, now);
    struct sta__value *to =
        now ? sta__value_now(result->dtype, &result->shape) : sta__value_tiled(result->dtype, result->grid);
    if (!batch || !to) {
        if (batch)
            sta__batch_discard(batch);
        sta__value_drop(to);
        return sta__fail_memory(call);
    }
    to->depth = result->depth + 1;
    sta__batch_depth(batch, to->depth);
    for (int64_t t = 0; t < (now ? 1 : result->grid->tiles); t++) {
        struct sta__task *task = sta__batch_task(batch, NULL, sizeof(struct check_arguments));
        if (!task)
            break;
        struct check_arguments *a = sta__task_arguments(task);
        a->check = check;
        a->value = sta__task_reads(task, value, t);
        a->result = sta__task_reads(task, result, t);
        a->to = sta__task_writes(task, to, t);
    }
    if (sta__batch_submit(batch))
        return to;
    sta__value_drop(to);
    return NULL;
}

struct sta__value *sta__reduce_checked(struct sta__call *call, struct sta__value *value, struct sta__value *result,
                                       enum sta__check check)
{
    struct sta__value *both[] = {value, result}, *to = NULL;
    if (sta__submit_values(call, both, 2) && (value = matched(call, value, result)))
        to = check_tiles(call, value, result, check);
    sta__value_drop(value);
    sta__value_drop(result);
    return to;
}
