/* The tasks after those of a reduction's tiles, on a GPU: merges of node lists, and states of outer axes. */
#include "reduce/cuda_reduce.h"

#include "cuda.h"
#include "cuda_compile.h"
#include "cuda_worker.h"
#include "reduce/cuda_boxes.h"
#include "reduce/fold.h"
#include "reduce/program.h"

#include <string.h>

static int64_t word_of(const void *pointer)
{
    return (int64_t)(intptr_t)pointer;
}

/* Where one reduction's results go: of a list (PARTIAL, STATES) or each component by itself. */
static struct sta__cuda_walk_target target_of(const struct sta__job *job, const struct sta__reduce_target *target,
                                              enum sta__reduce_mode mode, enum sta__reducer reducer, sta_dtype dtype,
                                              int64_t cells)
{
    struct sta__cuda_walk_target to = {{NULL, NULL}, 0};
    if (mode == STA__REDUCE_FINAL) {
        for (int c = 0; c < STA__COMPONENTS; c++)
            to.at[c] = target->memory[c] < 0 ? NULL : job->memory[target->memory[c]].data;
        return to;
    }
    const struct sta__state node = sta__partial_node(reducer, dtype, job->memory[target->memory[0]].data, cells, 0, 0);
    memcpy(to.at, node.at, sizeof to.at);
    to.node = (int64_t)sta__state_bytes(reducer, dtype, cells);
    return to;
}

/* ---- merges ---- */

enum { MERGE_THREADS = 128, TOGETHER = 1024, FEW = 1024 };

/* struct merge of cuda_merge.h. */
struct words {
    int64_t cells, unit, parts, partial, finished, together;
    int64_t cut[STA__MAXBUFFERS + 1];
    int64_t part[STA__MAXBUFFERS];
    int64_t node, second;
    int64_t target[STA__COMPONENTS], target_node;
};

static struct words words_of(const struct sta__merge_parts *m)
{
    struct words w = {.cells = m->cells, .unit = m->unit, .parts = m->count};
    int64_t nodes = 0;
    w.partial = m->partial;
    w.finished = !w.partial;
    memcpy(w.cut, m->cut, sizeof w.cut);
    for (int i = 0; i < m->count; i++) {
        w.part[i] = word_of(m->part[i]);
        nodes += sta__tree_nodes(m->cut[i], m->cut[i + 1], NULL);
    }
    char *const first = (char *)(uintptr_t)m->part[0];
    const struct sta__state state = sta__partial_node(m->reducer, m->dtype, first, m->cells, 0, 0);
    w.node = (int64_t)sta__state_bytes(m->reducer, m->dtype, m->cells);
    w.second = state.at[1] ? (char *)state.at[1] - first : 0;
    for (int c = 0; c < STA__COMPONENTS; c++)
        w.target[c] = word_of(m->target.at[c]);
    w.target_node = m->target.node;
    w.together = m->cells <= FEW && nodes <= TOGETHER;
    return w;
}

sta_error_code sta__merge_launch(struct sta__job *job, const struct sta__merge_parts *m)
{
    struct sta__reduce_key key;
    memset(&key, 0, sizeof key);
    key.kind = STA__REDUCE_MERGE;
    key.count = 1;
    key.reducer[0] = (uint8_t)m->reducer;
    key.dtype[0] = (uint8_t)m->dtype;
    struct sta__cuda_kernel *kernel = sta__reduce_kernel(job, &key, NULL);
    if (!kernel)
        return STA_ERROR_DEVICE;
    if (!job->cuda)
        return STA_ERROR_NONE;
    const struct words words = words_of(m);
    const int64_t blocks = words.together ? m->cells : (m->cells + MERGE_THREADS - 1) / MERGE_THREADS;
    return sta__cuda_launch(job, kernel, blocks, MERGE_THREADS, &words);
}

static sta_error_code merge(struct sta__job *job)
{
    const struct sta__merge_arguments *a = job->arguments;
    struct sta__merge_parts m = {.reducer = (enum sta__reducer)a->reducer, .dtype = a->dtype, .count = a->count};
    m.cells = a->cells;
    m.unit = a->unit;
    memcpy(m.cut, a->cut, sizeof m.cut);
    for (int i = 0; i < a->count; i++)
        m.part[i] = job->memory[i].data;
    m.partial = a->mode == STA__REDUCE_PARTIAL;
    m.target = target_of(job, &a->target, a->mode, m.reducer, m.dtype, m.cells);
    return sta__merge_launch(job, &m);
}

sta_error_code sta__merge_cuda(struct sta__job *job)
{
    return sta__cuda_upload_all(job) ? merge(job) : STA_ERROR_MEMORY;
}

bool sta__merge_ready(struct sta__job *job)
{
    job->cuda = NULL;
    return merge(job) == STA_ERROR_NONE;
}

/* ---- outer axes ---- */

static size_t item_of(enum sta__reducer reducer, sta_dtype dtype, int component)
{
    const sta_dtype part = sta__reducer_component(reducer, dtype, component);
    return part ? sta_itemsize(part) : 0;
}

/* The states of tile i, into the array of all. */
static sta_error_code gather_box(struct sta__job *job, const struct sta__outer_arguments *a, int i, int64_t cells)
{
    const enum sta__reducer reducer = (enum sta__reducer)a->reducer;
    int64_t own = 1, cell = 0;
    for (int d = 0; d < a->ndim; d++) {
        own *= a->box[i].to[d] - a->box[i].from[d];
        cell = cell * a->extent[d] + a->box[i].from[d];
    }
    const struct sta__state to = sta__partial_node(reducer, a->dtype, job->memory[a->gathered].data, cells, 0, cell);
    const struct sta__state from = sta__partial_node(reducer, a->dtype, job->memory[i].data, own, 0, 0);
    for (int c = 0; c < STA__COMPONENTS && to.at[c]; c++) {
        int64_t to_step = (int64_t)item_of(reducer, a->dtype, c), from_step = to_step;
        struct sta__cuda_box box = {.to = to.at[c], .from = from.at[c], .ndim = a->ndim};
        for (int d = a->ndim - 1; d >= 0; d--) {
            box.shape[d] = a->box[i].to[d] - a->box[i].from[d];
            box.to_stride[d] = to_step;
            box.from_stride[d] = from_step;
            to_step *= a->extent[d];
            from_step *= box.shape[d];
        }
        const sta_error_code code = sta__cuda_check(
            job, sta__cuda_copy_box(&box, item_of(reducer, a->dtype, c), job->cuda->stream), "gathering states");
        if (code)
            return code;
    }
    return STA_ERROR_NONE;
}

/* Reduces one axis of the array of states in w->source. */
static void shape_axis(struct sta__cuda_walk *w, const int64_t *extent, int ndim, int axis)
{
    w->cells = w->columns = 1;
    for (int d = 0; d < ndim; d++)
        if (d != axis)
            *(d < axis ? &w->cells : &w->columns) *= extent[d];
    w->length = extent[axis];
}

static bool aim(struct sta__job *job, struct sta__cuda_walk *w, const struct sta__outer_arguments *a, bool last)
{
    const enum sta__reducer reducer = (enum sta__reducer)a->reducer;
    const int64_t cells = w->cells * w->columns;
    w->finished = true;
    if (last) {
        w->target[0] = target_of(job, &a->target, STA__REDUCE_FINAL, reducer, a->dtype, cells);
        return true;
    }
    void *memory = sta__cuda_walk_scratch(job, sta__state_bytes(reducer, a->dtype, cells));
    if (!memory)
        return false;
    const struct sta__state state = sta__state_in(reducer, a->dtype, memory, cells);
    memcpy(w->target[0].at, state.at, sizeof state.at);
    return true;
}

static sta_error_code reduce_outer(struct sta__job *job, const struct sta__outer_arguments *a, int64_t cells)
{
    const enum sta__reducer reducer = (enum sta__reducer)a->reducer;
    struct sta__cuda_walk w;
    int64_t extent[STA_MAXDIM];
    memset(&w, 0, sizeof w);
    memcpy(extent, a->extent, sizeof extent);
    w.key.kind = STA__REDUCE_NODES;
    w.key.count = w.key.outer = 1;
    w.key.reducer[0] = (uint8_t)a->reducer;
    w.key.dtype[0] = (uint8_t)a->dtype;
    w.extent[0] = 1;
    w.unit = a->unit;
    w.source[0] = sta__partial_node(reducer, a->dtype, job->memory[a->gathered].data, cells, 0, 0);
    for (uint32_t axes = a->axes; axes;) {
        const int axis = 31 - __builtin_clz(axes);
        axes &= ~(1U << axis);
        shape_axis(&w, extent, a->ndim, axis);
        if (!aim(job, &w, a, axes == 0))
            return STA_ERROR_MEMORY;
        const sta_error_code code = sta__cuda_walk_run(job, &w);
        if (code)
            return code;
        w.unit *= w.length;
        extent[axis] = 1;
        memcpy(w.source[0].at, w.target[0].at, sizeof w.source[0].at);
    }
    return STA_ERROR_NONE;
}

static int64_t cells_of(const struct sta__outer_arguments *a)
{
    int64_t cells = 1;
    for (int d = 0; d < a->ndim; d++)
        cells *= a->extent[d];
    return cells;
}

bool sta__outer_ready(struct sta__job *job)
{
    const struct sta__outer_arguments *a = job->arguments;
    job->cuda = NULL;
    return !a->last || reduce_outer(job, a, cells_of(a)) == STA_ERROR_NONE;
}

sta_error_code sta__outer_cuda(struct sta__job *job)
{
    const struct sta__outer_arguments *a = job->arguments;
    const int64_t cells = cells_of(a);
    if (!sta__cuda_upload_all(job))
        return STA_ERROR_MEMORY;
    for (int i = 0; i < a->count; i++) {
        const sta_error_code code = gather_box(job, a, i, cells);
        if (code)
            return code;
    }
    return a->last ? reduce_outer(job, a, cells) : STA_ERROR_NONE;
}

/* ---- checks ---- */

static int64_t size_of(const struct sta__memory *memory)
{
    int64_t size = 1;
    for (int d = 0; d < memory->ndim; d++)
        size *= memory->shape[d];
    return size;
}

sta_error_code sta__reduce_check_cuda(struct sta__job *job, bool zero, int value, int result, int to)
{
    if (!sta__cuda_upload_all(job))
        return STA_ERROR_MEMORY;
    uint32_t *fault = sta__cuda_fault(job);
    if (!fault)
        return STA_ERROR_DEVICE;
    const struct sta__memory *x = &job->memory[value], *y = &job->memory[to];
    const sta_dtype real = sta__dtype_real(x->dtype);
    cudaError_t status = cudaMemcpyAsync(y->data, job->memory[result].data, (size_t)size_of(y) * sta_itemsize(y->dtype),
                                         cudaMemcpyDeviceToDevice, job->cuda->stream);
    if (status == cudaSuccess)
        status = sta__cuda_find(zero, x->data, size_of(x), real == x->dtype ? 1 : 2, sta_itemsize(real), fault,
                                job->cuda->stream);
    return sta__cuda_check(job, status, "looking at results");
}
