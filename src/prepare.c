/* Operands as another family wants them: computed, cast, and cut by its grid. */
#include "copy/assemble.h"
#include "graph.h"
#include "launch.h"
#include "look.h"

#include <string.h>

/* ---- re-cutting: a chain of copies for each tile of the new grid, remembered with the value ---- */

static struct sta__value *remembered(const struct sta__operand *operand, const struct sta__grid *grid)
{
    for (struct sta__recut *r = operand->value->recuts; r; r = r->next)
        if (r->value->state == STA__TILED && sta__view_equal(&r->view, &operand->view) &&
            sta__grid_equal(r->value->grid, grid))
            return sta__value_take(r->value);
    return NULL;
}

static void remember(const struct sta__operand *operand, struct sta__value *copy)
{
    struct sta__recut *r = sta__allocate(sizeof *r);
    if (!r)
        return; /* it is only made again */
    sta__view_copy(&r->view, &operand->view);
    r->value = sta__value_take(copy);
    r->next = operand->value->recuts;
    operand->value->recuts = r;
}

static void start_arguments(struct sta__assemble_arguments *a, const struct sta__view *view)
{
    a->ndim = view->shape.ndim;
    a->store_ndim = view->store_ndim;
    a->count = 0;
    memcpy(a->map, view->map, sizeof *a->map * (size_t)view->store_ndim);
}

static void put_piece(struct sta__assemble_arguments *a, int memory, const struct sta__match *match)
{
    int p = a->count++;
    a->piece[p].memory = memory;
    for (int d = 0; d < a->ndim; d++) {
        a->piece[p].from[d] = match->from[d];
        a->piece[p].to[d] = match->to[d];
    }
    for (int s = 0; s < a->store_ndim; s++)
        a->piece[p].start[s] = match->start[s];
}

/* The tasks that fill one tile of the copy: each reads a few sources; those after the first update the tile. */
static bool fill_tile(struct sta__batch *batch, const struct sta__operand *operand, struct sta__value *copy,
                      int64_t tile)
{
    enum { SOURCES = STA__MAXBUFFERS - 1 };
    struct sta__box box = sta__grid_box(copy->grid, tile);
    int count = 0;
    struct sta__match *match = sta__match_all(operand, &box, &count);
    bool fine = match != NULL;
    for (int first = 0; first < count && fine; first += SOURCES) {
        struct sta__task *task = sta__batch_task(batch, NULL, sizeof(struct sta__assemble_arguments));
        fine = task != NULL;
        if (!fine)
            break;
        struct sta__assemble_arguments *a = sta__task_arguments(task);
        start_arguments(a, &operand->view);
        for (int m = first; m < count && m < first + SOURCES; m++)
            put_piece(a, sta__task_reads(task, operand->value, match[m].tile), &match[m]);
        a->to = first ? sta__task_updates(task, copy, tile) : sta__task_writes(task, copy, tile);
    }
    sta__release(match);
    return fine;
}

struct sta__value *sta__recut(struct sta__call *call, const struct sta__operand *operand, struct sta__grid *grid)
{
    struct sta__value *copy = remembered(operand, grid);
    if (copy)
        return copy;
    copy = sta__value_tiled(operand->value->dtype, grid);
    struct sta__batch *batch = copy ? sta__batch_open(call, &sta__assemble_kernel, copy->dtype, false) : NULL;
    if (!batch) {
        sta__value_drop(copy);
        return sta__fail_memory(call);
    }
    copy->depth = operand->value->depth + 1;
    sta__batch_depth(batch, copy->depth);
    bool fine = true;
    for (int64_t t = 0; t < grid->tiles && fine; t++)
        fine = fill_tile(batch, operand, copy, t);
    if (!fine)
        sta__batch_fail(batch);
    if (!sta__batch_submit(batch)) {
        sta__value_drop(copy);
        return NULL;
    }
    remember(operand, copy);
    if (sta__looks(STA__LOOK_DOCTOR))
        sta__look_recut(copy);
    return copy;
}

/* ---- preparing ---- */

static bool has_grid(const struct sta__value *value, const struct sta__grid *grid)
{
    return !grid || sta__grid_equal(value->grid, grid);
}

/* A pending copy of the operand, or the value itself where it is what is wanted already. */
static struct sta__value *as_value(struct sta__call *call, const struct sta__operand *operand, sta_dtype dtype)
{
    struct sta__value *value = operand->value;
    if (value->dtype == dtype && !value->strided && sta__view_is_identity(&operand->view, &value->shape))
        return sta__value_take(value);
    struct sta__operand copy = {.value = sta__value_take(value)};
    sta__view_copy(&copy.view, &operand->view);
    return sta__node_cast(call, &copy, dtype);
}

struct sta__value *sta__prepare(struct sta__call *call, const struct sta__operand *operand, sta_dtype dtype,
                                struct sta__grid *grid)
{
    struct sta__value *value = as_value(call, operand, dtype ? dtype : operand->value->dtype);
    if (!value)
        return NULL;
    if (value->state == STA__PENDING && grid && !value->grid && value->node->kind != STA__NODE_REDUCE)
        value->grid = sta__grid_take(grid);
    bool outer = call->consumes;
    call->consumes = true;
    bool fine = sta__submit_values(call, &value, 1);
    call->consumes = outer;
    if (!fine) {
        sta__value_drop(value);
        return NULL;
    }
    const bool copied = value != operand->value && value->dtype == operand->value->dtype && value->state == STA__TILED;
    if (copied && sta__looks(STA__LOOK_DOCTOR))
        sta__look_recut(value);
    if (value->state == STA__NOW || has_grid(value, grid))
        return value;
    struct sta__operand whole = {.value = value, .view = sta__identity_view(&value->shape)};
    struct sta__value *copy = sta__recut(call, &whole, grid);
    sta__value_drop(value);
    return copy;
}
