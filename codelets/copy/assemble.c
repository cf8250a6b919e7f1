/* Copies of boxes from tile to tile. */
#include "copy/assemble.h"
#include "copy/cuda_copy.h"
#include "copy/lines.h"

#include <string.h>

/* The axes of a copy: those of length 1 dropped, those that lie one in the other on both sides merged. */
struct nest {
    int ndim;
    int64_t shape[STA_MAXDIM], to[STA_MAXDIM], from[STA_MAXDIM];
    size_t item;
};

static void make_nest(struct nest *nest, const int64_t *to_stride, const int64_t *from_stride, const int64_t *shape,
                      int ndim)
{
    nest->ndim = 0;
    for (int a = 0; a < ndim; a++) {
        int last = nest->ndim - 1;
        if (shape[a] == 1)
            continue;
        if (last >= 0 && nest->to[last] == to_stride[a] * shape[a] && nest->from[last] == from_stride[a] * shape[a]) {
            nest->shape[last] *= shape[a];
            nest->to[last] = to_stride[a];
            nest->from[last] = from_stride[a];
            continue;
        }
        nest->shape[nest->ndim] = shape[a];
        nest->to[nest->ndim] = to_stride[a];
        nest->from[nest->ndim++] = from_stride[a];
    }
}

static void copy_axis(const struct nest *nest, int axis, char *to, const char *from)
{
    int left = nest->ndim - axis;
    if (left == 0) {
        memcpy(to, from, nest->item);
    } else if (left == 1) {
        sta__copy_line(nest->shape[axis], to, nest->to[axis], from, nest->from[axis], nest->item);
    } else if (left == 2) {
        const struct sta__plane plane = {{nest->shape[axis], nest->shape[axis + 1]},
                                         {nest->to[axis], nest->to[axis + 1]},
                                         {nest->from[axis], nest->from[axis + 1]},
                                         nest->item};
        sta__copy_plane(&plane, to, from);
    } else {
        for (int64_t i = 0; i < nest->shape[axis]; i++)
            copy_axis(nest, axis + 1, to + i * nest->to[axis], from + i * nest->from[axis]);
    }
}

void sta__copy_box(char *to, const int64_t *to_stride, const char *from, const int64_t *from_stride,
                   const int64_t *shape, int ndim, size_t item)
{
    struct nest nest;
    for (int a = 0; a < ndim; a++)
        if (shape[a] == 0)
            return;
    make_nest(&nest, to_stride, from_stride, shape, ndim);
    nest.item = item;
    copy_axis(&nest, 0, to, from);
}

void sta__memory_copy(const struct sta__memory *to, const struct sta__memory *from)
{
    sta__copy_box(to->data, to->stride, from->data, from->stride, to->shape, to->ndim, sta_itemsize(to->dtype));
}

/* A share of one piece, cut along its longest axis. */
static void copy_piece(const struct sta__job *job, int p, int64_t member, int64_t team)
{
    const struct sta__assemble_arguments *a = job->arguments;
    const struct sta__memory *to = &job->memory[a->to], *from = &job->memory[a->piece[p].memory];
    int64_t shape[STA_MAXDIM], stride[STA_MAXDIM] = {0};
    char *target = to->data;
    const char *source = from->data;
    int longest = 0;
    for (int s = 0; s < a->store_ndim; s++) {
        source += a->piece[p].start[s] * from->stride[s];
        if (a->map[s].axis >= 0)
            stride[a->map[s].axis] += a->map[s].step * from->stride[s];
    }
    for (int d = 0; d < a->ndim; d++) {
        shape[d] = a->piece[p].to[d] - a->piece[p].from[d];
        target += a->piece[p].from[d] * to->stride[d];
        longest = shape[d] > shape[longest] ? d : longest;
    }
    if (team > 1 && a->ndim) {
        int64_t first = shape[longest] * member / team, end = shape[longest] * (member + 1) / team;
        target += first * to->stride[longest];
        source += first * stride[longest];
        shape[longest] = end - first;
    } else if (member) {
        return;
    }
    sta__copy_box(target, to->stride, source, stride, shape, a->ndim, sta_itemsize(to->dtype));
}

static sta_error_code assemble(struct sta__job *job)
{
    const struct sta__assemble_arguments *a = job->arguments;
    if (job->threads <= 1) {
        for (int p = 0; p < a->count; p++)
            copy_piece(job, p, 0, 1);
        return STA_ERROR_NONE;
    }
#pragma omp parallel for num_threads(job->threads)
    for (int m = 0; m < job->threads; m++)
        for (int p = 0; p < a->count; p++)
            copy_piece(job, p, m, job->threads);
    return STA_ERROR_NONE;
}

static double cost(const struct sta__job *job)
{
    enum { BYTES = 8 }; /* a nanosecond, there and back */
    const struct sta__assemble_arguments *a = job->arguments;
    double elements = 0;
    for (int p = 0; p < a->count; p++) {
        double own = 1;
        for (int d = 0; d < a->ndim; d++)
            own *= (double)(a->piece[p].to[d] - a->piece[p].from[d]);
        elements += own;
    }
    return elements * (double)sta_itemsize(job->memory[a->to].dtype) / BYTES;
}

const struct sta__kernel sta__assemble_kernel = {
    .name = "copy", .cpu = assemble, .cost = cost, .cuda = sta__assemble_cuda, .ready = sta__assemble_ready};
