/* Mosaics on a GPU: a few boxes are copied by the kernels of re-cuts, one after the other; many in one launch. */
#include "join/cuda.h"

#include "cuda_worker.h"
#include "elementwise/cuda_layout.h"
#include "elementwise/program_cuda.h"
#include "join/mosaic.h"

#include <stdio.h>
#include <string.h>

enum { FEW = 16 };

struct walk {
    struct sta__job *job;
    int64_t count;
    sta_error_code code;
    bool launches;
    struct sta__vector table; /* of int64_t */
    int64_t elements;
};

static bool count_box(const struct sta__mosaic_box *box, void *argument)
{
    (void)box;
    return ++((struct walk *)argument)->count <= FEW;
}

static bool are_few(struct sta__job *job)
{
    const struct sta__mosaic_arguments *a = job->arguments;
    struct walk w = {.count = 0};
    return sta__mosaic_boxes(job, &a->box, count_box, &w);
}

/* ---- a few ---- */

static bool copy_box(const struct sta__mosaic_box *box, void *argument)
{
    struct walk *w = argument;
    const struct sta__mosaic_arguments *a = w->job->arguments;
    const size_t item = sta_itemsize(w->job->memory[a->to].dtype);
    struct sta__program program;
    struct sta__cuda_nest nest;
    sta__cuda_copy_run(&nest.run, &program, w->job, a->box.ndim, item);
    memcpy(nest.run.extent, box->shape, sizeof *box->shape * (size_t)a->box.ndim);
    for (int o = 0; o < 2; o++) {
        nest.run.piece[o].base = o ? box->to : (char *)(uintptr_t)box->from;
        memcpy(nest.run.piece[o].stride, o ? box->to_stride : box->from_stride,
               sizeof *box->shape * (size_t)a->box.ndim);
        memcpy(nest.run.piece[o].to, box->shape, sizeof *box->shape * (size_t)a->box.ndim);
    }
    sta__cuda_nest_plan(&nest);
    if (w->launches)
        w->code = sta__cuda_nest_launch(&nest, w->job);
    else
        w->code = sta__cuda_nest_kernel(&nest, w->job) ? STA_ERROR_NONE : STA_ERROR_DEVICE;
    return !w->code;
}

/* ---- many ---- */

static bool add_words(struct walk *w, const int64_t *words, int count)
{
    for (int i = 0; i < count; i++) {
        int64_t *word = sta__vector_add(&w->table);
        if (!word)
            return false;
        *word = words[i];
    }
    return true;
}

static bool add_box(const struct sta__mosaic_box *box, void *argument)
{
    struct walk *w = argument;
    const struct sta__mosaic_arguments *a = w->job->arguments;
    const int64_t head[] = {w->elements, (int64_t)(uintptr_t)box->to, (int64_t)(uintptr_t)box->from};
    int64_t size = 1;
    for (int d = 0; d < a->box.ndim; d++)
        size *= box->shape[d];
    w->elements += size;
    w->count++;
    return add_words(w, head, 3) && add_words(w, box->shape, a->box.ndim) &&
           add_words(w, box->to_stride, a->box.ndim) && add_words(w, box->from_stride, a->box.ndim);
}

static sta_error_code copy_many(struct walk *w)
{
    struct sta__job *job = w->job;
    const struct sta__mosaic_arguments *a = job->arguments;
    w->table = STA__VECTOR(int64_t);
    bool fine = sta__mosaic_boxes(job, &a->box, add_box, w);
    const size_t bytes = w->table.count * w->table.item;
    if (!fine)
        snprintf(job->text, sizeof job->text, "not enough memory for the list of a task's boxes");
    int64_t *table = fine ? sta__cuda_scratch(job, bytes) : NULL;
    int status = cudaErrorMemoryAllocation;
    if (table)
        status = (int)cudaMemcpyAsync(table, w->table.data, bytes, cudaMemcpyHostToDevice, job->cuda->stream);
    if (table && !status)
        status = sta__cuda_copy_boxes(table, w->count, a->box.ndim, w->elements,
                                      (int)sta_itemsize(job->memory[a->to].dtype), job->cuda->stream);
    sta__vector_clear(&w->table);
    return table ? sta__cuda_check(job, (cudaError_t)status, "putting an array together") : STA_ERROR_MEMORY;
}

/* ---- the variant ---- */

sta_error_code sta__mosaic_cuda(struct sta__job *job)
{
    const struct sta__mosaic_arguments *a = job->arguments;
    struct walk w = {.job = job, .launches = true};
    if (!sta__cuda_upload_all(job))
        return STA_ERROR_MEMORY;
    if (!are_few(job))
        return copy_many(&w);
    sta__mosaic_boxes(job, &a->box, copy_box, &w);
    return w.code;
}

bool sta__mosaic_ready(struct sta__job *job)
{
    const struct sta__mosaic_arguments *a = job->arguments;
    struct walk w = {.job = job};
    for (int i = 0; i < job->count; i++) /* numbers are brought to the device too */
        job->memory[i].on_host = false;
    sta__cuda_imagine(job);
    return !are_few(job) || sta__mosaic_boxes(job, &a->box, copy_box, &w);
}
