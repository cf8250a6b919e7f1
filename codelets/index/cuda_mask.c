/* Masks, flat indices and triangles on a GPU. Contract: mask.h, flat.h. */
#include "codelets/index/cuda_index.h"
#include "codelets/index/cuda_mask.h"
#include "codelets/index/flat.h"
#include "codelets/index/mask.h"

#include "cuda_worker.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static int64_t elements(const struct sta__memory *memory)
{
    int64_t n = 1;
    for (int a = 0; a < memory->ndim; a++)
        n *= memory->shape[a];
    return n;
}

static int64_t *integers(const struct sta__job *job, int memory)
{
    return (int64_t *)(void *)job->memory[memory].data;
}

/* ---- masks ---- */

sta_error_code sta__mask_count_cuda(struct sta__job *job)
{
    const struct sta__memory *mask = &job->memory[1];
    if (!sta__cuda_upload_all(job))
        return STA_ERROR_MEMORY;
    int status = sta__cuda_count_true((const uint8_t *)mask->data, elements(mask), integers(job, 0), job->cuda->stream);
    return sta__cuda_check(job, (cudaError_t)status, "counting true elements");
}

/* Room to select from the largest of the masks: `places` for as many places too. */
struct room {
    struct sta__cuda_select select;
    int64_t *places;
};

static sta_error_code open_room(struct sta__job *job, const int *mask, const int64_t *count, int tiles, int item,
                                bool places, struct room *to)
{
    int64_t largest = 0, most = 0;
    *to = (struct room){.places = NULL};
    for (int t = 0; t < tiles; t++) {
        int64_t n = elements(&job->memory[mask[t]]);
        largest = n > largest ? n : largest;
        most = count[t] > most ? count[t] : most;
    }
    sta_error_code code = sta__cuda_check(
        job, (cudaError_t)sta__cuda_select_room(item, largest, &to->select.temporary_bytes), "selecting by a mask");
    if (code)
        return code;
    to->select.temporary = sta__cuda_scratch(job, to->select.temporary_bytes);
    to->select.found = to->select.temporary ? sta__cuda_scratch(job, sizeof *to->select.found) : NULL;
    if (to->select.found && places)
        to->places = sta__cuda_scratch(job, sizeof *to->places * (size_t)most);
    return to->select.found && (!places || to->places) ? STA_ERROR_NONE : STA_ERROR_MEMORY;
}

static void look_at(struct sta__job *job, int mask, struct room *room)
{
    room->select.mask = (const uint8_t *)job->memory[mask].data;
    room->select.n = elements(&job->memory[mask]);
}

sta_error_code sta__mask_take_cuda(struct sta__job *job)
{
    const struct sta__mask_take_arguments *a = job->arguments;
    const struct sta__memory *result = &job->memory[0];
    int64_t item = (int64_t)sta_itemsize(result->dtype), bytes = item;
    for (int d = 1; d < result->ndim; d++)
        bytes *= result->shape[d];
    bool rows = bytes != item;
    struct room room;
    sta_error_code code = sta__cuda_upload_all(job) ? STA_ERROR_NONE : STA_ERROR_MEMORY;
    if (!code)
        code = open_room(job, a->mask, a->count, a->tiles, rows ? 0 : (int)item, rows, &room);
    char *to = result->data;
    for (int t = 0; t < a->tiles && !code; t++) {
        const char *from = job->memory[a->x[t]].data;
        look_at(job, a->mask[t], &room);
        int status = rows ? sta__cuda_select_places(&room.select, 0, room.places, job->cuda->stream)
                          : sta__cuda_select_items(&room.select, (int)item, from, to, job->cuda->stream);
        if (rows && !status)
            status = sta__cuda_take_rows(room.places, a->count[t], bytes, from, to, job->cuda->stream);
        code = sta__cuda_check(job, (cudaError_t)status, "selecting by a mask");
        to += a->count[t] * bytes;
    }
    return code;
}

/* What places in tile t are in indices; the results begin at element `done`. */
static struct sta__cuda_split split_of(const struct sta__job *job, int t, int64_t done)
{
    const struct sta__mask_indices_arguments *a = job->arguments;
    struct sta__cuda_split split = {.ndim = a->ndim, .flat = a->form == STA__INDICES_FLAT, .step = 1};
    for (int d = 0; d < a->ndim; d++) {
        split.first[d] = a->first[t][d];
        split.tile[d] = job->memory[a->mask[t]].shape[d];
        split.whole[d] = a->shape[d];
        split.to[d] = a->form == STA__INDICES_APART ? integers(job, a->to[d]) + done : NULL;
    }
    if (a->form == STA__INDICES_FLAT)
        split.to[0] = integers(job, a->to[0]) + done;
    for (int d = 0; d < a->ndim && a->form == STA__INDICES_COLUMNS; d++)
        split.to[d] = integers(job, a->to[0]) + done * a->ndim + d;
    split.step = a->form == STA__INDICES_COLUMNS ? a->ndim : 1;
    return split;
}

sta_error_code sta__mask_indices_cuda(struct sta__job *job)
{
    const struct sta__mask_indices_arguments *a = job->arguments;
    bool line = a->ndim == 1;
    int64_t done = 0;
    struct room room;
    sta_error_code code = sta__cuda_upload_all(job) ? STA_ERROR_NONE : STA_ERROR_MEMORY;
    if (!code)
        code = open_room(job, a->mask, a->count, a->tiles, 0, !line, &room);
    for (int t = 0; t < a->tiles && !code; t++) {
        const struct sta__cuda_split split = split_of(job, t, done);
        look_at(job, a->mask[t], &room);
        int status = sta__cuda_select_places(&room.select, line ? a->first[t][0] : 0, line ? split.to[0] : room.places,
                                             job->cuda->stream);
        if (!line && !status)
            status = sta__cuda_split_places(&split, room.places, a->count[t], job->cuda->stream);
        code = sta__cuda_check(job, (cudaError_t)status, "the indices of true elements");
        done += a->count[t];
    }
    return code;
}

/* ---- flat indices ---- */

static int64_t size_of(const struct sta__flat_arguments *a)
{
    int64_t size = 1;
    for (int d = 0; d < a->ndim; d++)
        size *= a->shape[d];
    return size;
}

static sta_error_code open_flat(struct sta__job *job, int froms, int tos, struct sta__cuda_flat *f)
{
    const struct sta__flat_arguments *a = job->arguments;
    *f = (struct sta__cuda_flat){.ndim = a->ndim, .mode = (int)a->mode, .size = size_of(a)};
    f->count = elements(&job->memory[a->from[0]]);
    f->words = sta__cuda_fault(job);
    f->bad = f->words && sta__cuda_upload_all(job) ? sta__cuda_scratch(job, sizeof *f->bad) : NULL;
    if (!f->bad)
        return STA_ERROR_MEMORY;
    memcpy(f->shape, a->shape, sizeof *f->shape * (size_t)a->ndim);
    for (int d = 0; d < froms; d++)
        f->from[d] = integers(job, a->from[d]);
    for (int d = 0; d < tos; d++)
        f->to[d] = integers(job, a->to[d]);
    return sta__cuda_check(job, cudaMemsetAsync(f->bad, 0xff, sizeof *f->bad, job->cuda->stream), "flat indices");
}

sta_error_code sta__unravel_cuda(struct sta__job *job)
{
    struct sta__cuda_flat f;
    sta_error_code code = open_flat(job, 1, ((const struct sta__flat_arguments *)job->arguments)->ndim, &f);
    return code ? code : sta__cuda_check(job, (cudaError_t)sta__cuda_unravel(&f, job->cuda->stream), "flat indices");
}

sta_error_code sta__ravel_cuda(struct sta__job *job)
{
    struct sta__cuda_flat f;
    sta_error_code code = open_flat(job, ((const struct sta__flat_arguments *)job->arguments)->ndim, 1, &f);
    return code ? code : sta__cuda_check(job, (cudaError_t)sta__cuda_ravel(&f, job->cuda->stream), "flat indices");
}

static int64_t index_in(const uint32_t *words)
{
    return (int64_t)((uint64_t)words[1] | (uint64_t)words[2] << 32);
}

sta_error_code sta__unravel_fault(const void *arguments, const uint32_t *words, char *text, size_t bytes)
{
    snprintf(text, bytes, "flat index %" PRId64 " is out of range for %" PRId64 " elements", index_in(words),
             size_of(arguments));
    return STA_ERROR_INDEX;
}

sta_error_code sta__ravel_fault(const void *arguments, const uint32_t *words, char *text, size_t bytes)
{
    const struct sta__flat_arguments *a = arguments;
    int axis = (int)words[0] - 1;
    snprintf(text, bytes, "index %" PRId64 " is out of range for axis %d of length %" PRId64, index_in(words), axis,
             a->shape[axis]);
    return STA_ERROR_INDEX;
}

/* ---- triangles ---- */

sta_error_code sta__triangle_cuda(struct sta__job *job)
{
    const struct sta__triangle_arguments *a = job->arguments;
    int status = sta__cuda_triangle(a->upper, a->columns, a->n, a->k, a->m, a->first, elements(&job->memory[0]),
                                    integers(job, 0), job->cuda->stream);
    return sta__cuda_check(job, (cudaError_t)status, "the indices of a triangle");
}
