/* Elements that a function of the program computes: a task for each tile. */
#include "codelets/create/create.h"

#include <starray/create.h>

#include <string.h>

struct function_arguments {
    struct sta__box box; /* of the tile; first: sta__make fills it in */
    sta_filler *function;
    void *argument;
};

/* Runs along the last axis, from number `from` to `to`. */
static void fill_runs(const struct function_arguments *a, const struct sta__memory *memory, int64_t from, int64_t to)
{
    const struct sta__box *box = &a->box;
    int last = box->ndim - 1;
    int64_t index[STA_MAXDIM] = {0}, length = last < 0 ? 1 : box->to[last] - box->from[last];
    size_t run = (size_t)length * sta_itemsize(memory->dtype);
    for (int64_t r = from; r < to; r++) {
        int64_t rest = r;
        for (int d = last - 1; d >= 0; d--) {
            int64_t n = box->to[d] - box->from[d];
            index[d] = box->from[d] + rest % n;
            rest /= n;
        }
        if (last >= 0)
            index[last] = box->from[last];
        a->function(index, length, memory->data + (size_t)r * run, a->argument);
    }
}

static sta_error_code call_function(struct sta__job *job)
{
    const struct function_arguments *a = job->arguments;
    const struct sta__memory *memory = &job->memory[0];
    int64_t runs = 1, team = job->threads > 1 ? job->threads : 1;
    for (int d = 0; d + 1 < a->box.ndim; d++)
        runs *= a->box.to[d] - a->box.from[d];
#pragma omp parallel for num_threads(job->threads) if (team > 1)
    for (int64_t m = 0; m < team; m++)
        fill_runs(a, memory, runs * m / team, runs * (m + 1) / team);
    return STA_ERROR_NONE;
}

/* Functions differ: what one takes says nothing of another. */
static uint32_t function_hash(const void *arguments)
{
    const struct function_arguments *a = arguments;
    uintptr_t address;
    memcpy(&address, &a->function, sizeof address);
    return (uint32_t)(address >> 4);
}

static const struct sta__kernel function_kernel = {
    .name = "fromfunction", .cpu = call_function, .hash = function_hash, .waits = true};

sta_array sta_fromfunction(sta_dims shape, sta_dtype dtype, sta_filler *function, void *argument)
{
    struct sta__call call = sta__enter("fromfunction");
    struct sta__shape lengths;
    struct function_arguments arguments = {.function = function, .argument = argument};
    dtype = dtype ? dtype : STA_float64;
    bool fine = sta__check_shape(&call, &shape, &lengths) && sta__check_dtype(&call, dtype);
    if (fine && !function)
        fine = sta__fail(&call, STA_ERROR_VALUE, "the function is NULL") != NULL;
    return sta__leave(&call,
                      fine ? sta__make(&call, &lengths, dtype, &function_kernel, &arguments, sizeof arguments) : NULL);
}
