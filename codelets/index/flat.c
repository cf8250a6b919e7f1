/* Making indices: flat ones, those of several axes, triangles. */
#include "codelets/index/flat.h"

#include "codelets/create/create.h"
#include "codelets/index/front.h"
#include "launch.h"

#include <string.h>

/* ---- flat and back ---- */

/* Operands of one shape, as int64 values cut alike. False: call->error. */
static bool prepare(struct sta__call *call, struct sta__operand *ids, int count, struct sta__value **to,
                    struct sta__grid **grid)
{
    struct sta__shape shape = {.ndim = 0};
    char a[STA__SHAPE_TEXT], b[STA__SHAPE_TEXT];
    for (int i = 0; i < count && !call->error; i++) {
        enum sta__kind kind = sta__dtype_kind(ids[i].value->dtype);
        if (kind != STA__KIND_SIGNED && kind != STA__KIND_UNSIGNED)
            sta__fail(call, STA_ERROR_DTYPE, "indices are integers, not %s", sta_dtype_name(ids[i].value->dtype));
        else if (!sta__broadcast(&shape, &ids[i].view.shape))
            sta__fail(call, STA_ERROR_SHAPE, "index arrays of shapes %s and %s do not broadcast",
                      sta__shape_text(&shape, a, sizeof a), sta__shape_text(&ids[i].view.shape, b, sizeof b));
    }
    if (call->error)
        return false;
    *grid = sta__grid_default(&shape, STA_int64);
    bool tiled = false;
    for (int i = 0; i < count && *grid; i++) {
        sta__view_broadcast(&ids[i].view, &shape);
        to[i] = sta__prepare(call, &ids[i], STA_int64, *grid);
        tiled |= to[i] && to[i]->state == STA__TILED;
    }
    for (int i = 0; i < count && *grid && !call->error && tiled; i++) {
        struct sta__operand whole = sta__whole(to[i]);
        if (to[i]->state == STA__NOW) {
            to[i] = sta__recut(call, &whole, *grid);
            sta__value_drop(whole.value);
        }
    }
    return *grid && !call->error ? true : sta__fail_memory(call) != NULL;
}

/* Results of the kernel, `count` of them, cut as what it reads. */
static bool run(struct sta__call *call, const struct sta__kernel *kernel, struct sta__value **from, int froms,
                struct sta__grid *grid, const struct sta__flat_arguments *arguments, struct sta__value **to, int tos)
{
    bool now = from[0]->state == STA__NOW;
    struct sta__batch *batch = sta__batch_open(call, kernel, STA_int64, now);
    bool fine = batch != NULL;
    for (int r = 0; r < tos && fine; r++) {
        to[r] = now ? sta__value_now(STA_int64, &grid->shape) : sta__value_tiled(STA_int64, grid);
        fine = to[r] != NULL;
        if (fine)
            to[r]->depth = from[0]->depth + 1;
    }
    if (batch)
        sta__batch_depth(batch, from[0]->depth + 1);
    for (int64_t t = 0; fine && from[0]->size && t < (now ? 1 : grid->tiles); t++) {
        struct sta__task *task = sta__batch_task(batch, arguments, sizeof *arguments);
        struct sta__flat_arguments *a = task ? sta__task_arguments(task) : NULL;
        sta__task_many(task, STA__MAXMEMORY);
        for (int r = 0; a && r < tos; r++)
            a->to[r] = sta__task_writes(task, to[r], t);
        for (int i = 0; a && i < froms; i++)
            a->from[i] = sta__task_reads(task, from[i], t);
    }
    if (batch && !fine)
        sta__batch_discard(batch);
    if (fine && sta__batch_submit(batch))
        return true;
    for (int r = 0; r < tos; r++) {
        sta__value_drop(to[r]);
        to[r] = NULL;
    }
    return sta__fail_memory(call) != NULL;
}

static bool flat_shape(struct sta__call *call, const sta_dims *dims, struct sta__flat_arguments *a)
{
    struct sta__shape shape;
    if (!sta__check_shape(call, dims, &shape))
        return false;
    if (shape.ndim == 0)
        return sta__fail(call, STA_ERROR_SHAPE, "an array without axes has no indices") != NULL;
    a->ndim = shape.ndim;
    memcpy(a->shape, shape.at, sizeof a->shape);
    return true;
}

void sta_unravel_index(sta_array *to, sta_array ids, sta_dims shape)
{
    if (sta__no_place("unravel_index", to, 1))
        return;
    struct sta__call call = sta__enter("unravel_index");
    struct sta__flat_arguments a = {.mode = STA_MODE_RAISE};
    struct sta__value *from = NULL, *values[STA_MAXDIM] = {NULL};
    struct sta__grid *grid = NULL;
    struct sta__operand in = {.value = NULL};
    if (flat_shape(&call, &shape, &a) && sta__operand_of(&call, ids, &in) && prepare(&call, &in, 1, &from, &grid))
        run(&call, &sta__unravel_kernel, &from, 1, grid, &a, values, a.ndim);
    sta__operand_drop(&in);
    sta__value_drop(from);
    sta__grid_drop(grid);
    const sta_error *error = call.error;
    for (int d = 0; d < (shape.count > 1 ? shape.count : 1) && d < STA_MAXDIM; d++) {
        struct sta__call one = d ? sta__enter("unravel_index") : call;
        one.error = one.error ? one.error : error;
        to[d] = sta__leave(&one, values[d]);
    }
}

sta_array sta_ravel_multi_index(const sta_array *ids, int count, sta_dims shape, sta_index_mode mode)
{
    struct sta__call call = sta__enter("ravel_multi_index");
    struct sta__flat_arguments a = {.mode = mode};
    struct sta__value *from[STA_MAXDIM] = {NULL}, *value = NULL;
    struct sta__operand in[STA_MAXDIM];
    struct sta__grid *grid = NULL;
    int got = 0;
    bool fine = flat_shape(&call, &shape, &a);
    if (fine && !ids && count > 0)
        fine = sta__fail(&call, STA_ERROR_VALUE, "the index arrays are NULL") != NULL;
    if (fine && count != a.ndim)
        fine = sta__fail(&call, STA_ERROR_SHAPE, "%d index arrays for a shape of %d axes", count, a.ndim) != NULL;
    if (fine && (unsigned)mode > STA_MODE_CLIP)
        fine = sta__fail(&call, STA_ERROR_VALUE, "%d is no sta_index_mode", (int)mode) != NULL;
    while (fine && got < count && sta__operand_of(&call, ids[got], &in[got]))
        got++;
    if (fine && got == count && prepare(&call, in, count, from, &grid))
        run(&call, &sta__ravel_kernel, from, count, grid, &a, &value, 1);
    for (int i = 0; i < got; i++) {
        sta__operand_drop(&in[i]);
        sta__value_drop(from[i]);
    }
    sta__grid_drop(grid);
    return sta__leave(&call, value);
}

/* ---- triangles ---- */

static sta_array triangle(const char *op, const struct sta__triangle_arguments *a)
{
    struct sta__call call = sta__enter(op);
    struct sta__shape shape = {.ndim = 1};
    struct sta__shape block = {.ndim = 2, .at = {a->n, a->m}};
    int64_t size = 0;
    if (!call.error && (a->n < 0 || a->m < 0))
        sta__fail(&call, STA_ERROR_SHAPE, "a length is negative: (%lld, %lld)", (long long)a->n, (long long)a->m);
    if (call.error)
        return sta__leave(&call, NULL);
    if (!sta__shape_size(&block, &size)) {
        sta__fail(&call, STA_ERROR_TOO_LARGE, "the array of the triangle has more than 2^59 elements");
        return sta__leave(&call, NULL);
    }
    shape.at[0] = size = sta__triangle_before(a, a->n);
    if (size > sta__runtime.memory_bytes / (int64_t)sizeof size) {
        sta__fail(&call, STA_ERROR_MEMORY, "indices of %.1f GB do not fit: the machine has %.1f GB",
                  (double)size * sizeof size / 1e9, (double)sta__runtime.memory_bytes / 1e9);
        return sta__leave(&call, NULL);
    }
    bool now = size == 0 || sta__runs_now(size * 8, NULL, 0);
    struct sta__grid *grid = now ? sta__grid_single(&shape) : sta__grid_default(&shape, STA_int64);
    struct sta__value *value = !grid ? NULL
                               : now ? sta__value_now(STA_int64, &shape)
                                     : sta__value_tiled(STA_int64, grid);
    struct sta__batch *batch = value ? sta__batch_open(&call, &sta__triangle_kernel, STA_int64, now) : NULL;
    for (int64_t t = 0; batch && size && t < grid->tiles; t++) {
        struct sta__triangle_arguments own = *a;
        own.first = sta__grid_cut(grid, 0, t);
        sta__task_writes(sta__batch_task(batch, &own, sizeof own), value, t);
    }
    sta__grid_drop(grid);
    if (batch && sta__batch_submit(batch))
        return sta__leave(&call, value);
    sta__value_drop(value);
    sta__fail_memory(&call);
    return sta__leave(&call, NULL);
}

static sta_indices_result triangles(const char *op, bool upper, int64_t n, int64_t k, int64_t m)
{
    const int64_t beyond = INT64_C(1) << 60; /* all arrays: sums with k do not overflow */
    k = k < -beyond ? -beyond : k > beyond ? beyond : k;
    struct sta__triangle_arguments a = {.upper = upper, .n = n, .k = k, .m = m ? m : n};
    sta_indices_result result;
    result.rows = triangle(op, &a);
    a.columns = true;
    result.columns = triangle(op, &a);
    return result;
}

sta_indices_result sta_tril_indices(int64_t n, int64_t k, int64_t m)
{
    return triangles("tril_indices", false, n, k, m);
}

sta_indices_result sta_triu_indices(int64_t n, int64_t k, int64_t m)
{
    return triangles("triu_indices", true, n, k, m);
}
