/* The kernel that fills a tile from a file. */
#include "io.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The whole axes at the end of the box make runs of the file: reads and pieces of them. */
struct runs {
    int outer;     /* axes before the one that the run covers part of */
    int64_t bytes; /* of a run */
};

static struct runs runs_of(const struct sta__shape *shape, const struct sta__box *box, int64_t itemsize)
{
    struct runs runs = {.outer = shape->ndim, .bytes = itemsize};
    bool whole = true;
    while (runs.outer > 0 && whole) {
        int axis = --runs.outer;
        whole = box->to[axis] - box->from[axis] == shape->at[axis];
        runs.bytes *= box->to[axis] - box->from[axis];
    }
    return runs;
}

/* The next index of the outer axes of the box; false after the last. */
static bool next(int64_t *index, int outer, const struct sta__box *box)
{
    for (int axis = outer - 1; axis >= 0; axis--) {
        if (++index[axis] < box->to[axis])
            return true;
        index[axis] = box->from[axis];
    }
    return false;
}

sta_error_code sta__load_box(const struct sta__file *file, const struct sta__box *box, void *to, char *why)
{
    const struct sta__shape *shape = &file->npy.shape;
    int64_t size = sta__box_size(box), itemsize = (int64_t)sta_itemsize(file->npy.dtype);
    struct runs runs = runs_of(shape, box, itemsize);
    int64_t index[STA_MAXDIM];
    char *at = to;
    memcpy(index, box->from, sizeof index);
    sta_error_code error = STA_ERROR_NONE;
    bool more = size > 0;
    while (more && !error) {
        int64_t from = 0;
        for (int axis = 0; axis < shape->ndim; axis++)
            from = from * shape->at[axis] + index[axis];
        error = sta__read_at(file->descriptor, at, (size_t)runs.bytes, file->npy.begin + from * itemsize, why);
        at += runs.bytes;
        more = next(index, runs.outer, box);
    }
    if (!error)
        sta__npy_convert(to, size, file->npy.dtype, file->npy.swapped);
    return error;
}

static sta_error_code load_cpu(struct sta__job *job)
{
    const struct sta__load_arguments *arguments = job->arguments;
    char why[STA__WHY];
    sta_error_code error = sta__load_box(arguments->file, &arguments->box, job->memory[0].data, why);
    if (error)
        snprintf(job->text, sizeof job->text, "%.80s: %.100s", arguments->file->name, why);
    return error;
}

void sta__file_drop(struct sta__file *file)
{
    if (!file || atomic_fetch_sub(&file->references, 1) != 1)
        return;
    close(file->descriptor);
    sta__release(file);
}

static void load_end(void *arguments)
{
    sta__file_drop(((struct sta__load_arguments *)arguments)->file);
}

const struct sta__kernel sta__load_kernel = {
    .name = "load", .cpu = load_cpu, .end = load_end, .waits = true, .fails = true};
