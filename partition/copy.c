/* Strided copies: in host memory, and between memory nodes for StarPU. */
#include "tile.h"

#include "look.h"

#include <errno.h>
#include <string.h>

/* The axes of a copy, outermost first: axes of length 1 are left out, axes that follow each other without a gap on
 * both sides are one, and `block` bytes hang together below them. */
struct walk {
    int ndim;
    bool nothing;
    size_t block;
    int64_t shape[STA_MAXDIM], to[STA_MAXDIM], from[STA_MAXDIM];
};

static struct walk merge_axes(const int64_t *shape, const int64_t *to, const int64_t *from, int ndim, size_t item)
{
    struct walk w = {.block = item};
    int n = 0;

    for (int axis = 0; axis < ndim; axis++) {
        int64_t length = shape[axis];

        w.nothing |= length == 0;
        if (length == 1)
            continue;
        if (n && w.to[n - 1] == length * to[axis] && w.from[n - 1] == length * from[axis]) {
            n--;
            length *= w.shape[n];
        }
        w.shape[n] = length;
        w.to[n] = to[axis];
        w.from[n] = from[axis];
        n++;
    }
    if (n && w.to[n - 1] == (int64_t)item && w.from[n - 1] == (int64_t)item)
        w.block = item * (size_t)w.shape[--n];
    w.ndim = n;
    return w;
}

/* Steps the outer axes; false at the end. */
static bool step(const struct walk *w, int outer, int64_t *index, int64_t *to, int64_t *from)
{
    for (int axis = outer - 1; axis >= 0; axis--) {
        *to += w->to[axis];
        *from += w->from[axis];
        if (++index[axis] < w->shape[axis])
            return true;
        *to -= w->shape[axis] * w->to[axis];
        *from -= w->shape[axis] * w->from[axis];
        index[axis] = 0;
    }
    return false;
}

/* A row of strided elements; the sizes of items are constants so that each is a load and a store. */
#define ROW(bytes)                                                                                                     \
    static void row_##bytes(char *to, int64_t to_stride, const char *from, int64_t from_stride, int64_t count)         \
    {                                                                                                                  \
        for (int64_t i = 0; i < count; i++)                                                                            \
            memcpy(to + i * to_stride, from + i * from_stride, bytes);                                                 \
    }
ROW(1)
ROW(2)
ROW(4)
ROW(8)
ROW(16)
#undef ROW

static void row(char *to, int64_t to_stride, const char *from, int64_t from_stride, int64_t count, size_t block)
{
    static void (*const rows[17])(char *, int64_t, const char *, int64_t,
                                  int64_t) = {[1] = row_1, [2] = row_2, [4] = row_4, [8] = row_8, [16] = row_16};

    if (block <= 16 && rows[block]) {
        rows[block](to, to_stride, from, from_stride, count);
        return;
    }
    for (int64_t i = 0; i < count; i++)
        memcpy(to + i * to_stride, from + i * from_stride, block);
}

void sta__copy_strided(char *to, const int64_t *to_stride, const char *from, const int64_t *from_stride,
                       const int64_t *shape, int ndim, size_t item)
{
    struct walk w = merge_axes(shape, to_stride, from_stride, ndim, item);
    int64_t index[STA_MAXDIM] = {0}, to_at = 0, from_at = 0;
    int outer = w.ndim - 1;

    if (w.nothing)
        return;
    if (w.ndim == 0) {
        memcpy(to, from, w.block);
        return;
    }
    do
        row(to + to_at, w.to[outer], from + from_at, w.from[outer], w.shape[outer], w.block);
    while (step(&w, outer, index, &to_at, &from_at));
}

/* One run of equally spaced blocks between two nodes. */
static int copy_run(const struct sta__tile_interface *from, unsigned from_node, const struct sta__tile_interface *to,
                    unsigned to_node, const struct walk *w, int64_t from_at, int64_t to_at, void *async)
{
    int inner = w->ndim - 1, answer = 0;
    int64_t block = (int64_t)w->block;

    if (w->from[inner] >= block && w->to[inner] >= block)
        return starpu_interface_copy2d(from->memory, from->offset + (size_t)from_at, from_node, to->memory,
                                       to->offset + (size_t)to_at, to_node, w->block, (size_t)w->shape[inner],
                                       (size_t)w->from[inner], (size_t)w->to[inner], async);
    for (int64_t i = 0; i < w->shape[inner]; i++) /* backwards or broadcast: StarPU's 2-D copies know neither */
        answer |= starpu_interface_copy(from->memory, from->offset + (size_t)(from_at + i * w->from[inner]), from_node,
                                        to->memory, to->offset + (size_t)(to_at + i * w->to[inner]), to_node, w->block,
                                        async);
    return answer;
}

static int copy_between(void *from_interface, unsigned from_node, void *to_interface, unsigned to_node, void *async)
{
    struct sta__tile_interface *from = from_interface, *to = to_interface;
    struct walk w = merge_axes(from->shape, to->stride, from->stride, from->ndim, from->item);
    int64_t index[STA_MAXDIM] = {0}, to_at = 0, from_at = 0;
    int answer = 0;

    to->empty = from->empty || !from->memory || !to->memory;
    if (w.nothing || to->empty)
        return 0;
    starpu_interface_data_copy(from_node, to_node, (size_t)sta__interface_bytes(from));
    if (w.ndim == 0)
        return starpu_interface_copy(from->memory, from->offset, from_node, to->memory, to->offset, to_node, w.block,
                                     async);
    do
        answer |= copy_run(from, from_node, to, to_node, &w, from_at, to_at, async);
    while (step(&w, w.ndim - 1, index, &to_at, &from_at));
    return answer ? -EAGAIN : 0;
}

int sta__interface_copy(void *from, unsigned from_node, void *to, unsigned to_node, void *async)
{
    if (!sta__looks(STA__LOOK_ALL))
        return copy_between(from, from_node, to, to_node, async);
    int64_t begin = sta__clock();
    int answer = copy_between(from, from_node, to, to_node, async);
    sta__look_moved(from_node, to_node, sta__interface_bytes(from), begin, sta__clock());
    return answer;
}
