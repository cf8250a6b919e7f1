/* Assignment: the one way to write. Small targets and few elements are written by the calling thread, all else by tasks
 * (scatter.c). */
#include "array.h"
#include "copy/assemble.h"
#include "frame.h"
#include "graph.h"
#include "doctor.h"
#include "few.h"
#include "launch.h"
#include "reshape.h"
#include "scatter.h"

#include <string.h>

/* ---- the source as a pending value of the target's shape and dtype ---- */

bool sta__assign_fits(struct sta__call *call, struct sta__operand *source, const struct sta__shape *target)
{
    struct sta__shape shape = *target, from = source->view.shape;
    int extra = from.ndim - target->ndim;
    while (extra > 0 && from.at[0] == 1) { /* as NumPy, leading axes of length 1 are dropped */
        memmove(from.at, from.at + 1, sizeof *from.at * (size_t)--from.ndim);
        extra--;
    }
    if (extra <= 0 && sta__broadcast(&shape, &from) && sta__shape_equal(&shape, target)) {
        int dropped = source->view.shape.ndim - from.ndim;
        for (int s = 0; s < source->view.store_ndim && dropped; s++)
            source->view.map[s].axis = source->view.map[s].axis < dropped ? -1 : source->view.map[s].axis - dropped;
        source->view.shape = from;
        sta__view_broadcast(&source->view, target);
        return true;
    }
    char a[STA__SHAPE_TEXT], b[STA__SHAPE_TEXT];
    sta__fail(call, STA_ERROR_SHAPE, "an array of shape %s cannot be assigned to one of shape %s",
              sta__shape_text(&source->view.shape, a, sizeof a), sta__shape_text(target, b, sizeof b));
    return false;
}

/* Takes the source's reference over. */
static struct sta__value *pending_source(struct sta__call *call, struct sta__operand *source, sta_dtype dtype)
{
    struct sta__value *value = source->value;
    if (value->state == STA__PENDING && value->dtype == dtype && value->node->kind != STA__NODE_REDUCE &&
        sta__view_is_identity(&source->view, &value->shape)) {
        source->value = NULL;
        return value;
    }
    return sta__node_cast(call, source, dtype);
}

/* ---- small targets ---- */

static struct sta__value *clone_now(struct sta__call *call, const struct sta__value *value)
{
    struct sta__value *clone = sta__value_now(value->dtype, &value->shape);
    if (!clone)
        return sta__fail_memory(call);
    memcpy(clone->data, value->data, (size_t)sta__value_bytes(value));
    return clone;
}

static void write_now(struct sta__call *call, struct sta__store *store, const struct sta__view *view,
                      const struct sta__value *source)
{
    if (store->value->references > 1) {
        struct sta__value *clone = clone_now(call, store->value);
        if (!clone)
            return;
        sta__value_drop(store->value);
        store->value = clone;
    }
    struct sta__value *value = store->value;
    sta__value_forget_recuts(value);
    int64_t item = (int64_t)sta_itemsize(value->dtype), stride[STA_MAXDIM], to[STA_MAXDIM] = {0}, from[STA_MAXDIM];
    char *data = value->data;
    for (int s = value->shape.ndim - 1, step = 0; s >= 0; s--, step++)
        stride[s] = step ? stride[s + 1] * value->shape.at[s + 1] : item;
    for (int s = 0; s < view->store_ndim; s++) {
        data += view->map[s].offset * stride[s];
        if (view->map[s].axis >= 0)
            to[view->map[s].axis] += view->map[s].step * stride[s];
    }
    for (int a = view->shape.ndim - 1, step = 0; a >= 0; a--, step++)
        from[a] = step ? from[a + 1] * view->shape.at[a + 1] : item;
    sta__copy_box(data, to, source->data, from, view->shape.at, view->shape.ndim, (size_t)item);
}

/* ---- few elements ---- */

/* What is written: contiguous elements, or one of them everywhere. */
struct elements {
    const char *data;
    size_t item;
    bool one;
};

/* To those of one tile that the view shows. */
static void copy_part(const struct sta__view *view, const struct sta__box *part, const struct sta__box *box,
                      const struct sta__memory *memory, const struct elements *source)
{
    int64_t shape[STA_MAXDIM], to[STA_MAXDIM] = {0}, from[STA_MAXDIM];
    int64_t item = source->one ? 0 : (int64_t)source->item;
    char *data = memory->data;
    const char *at = source->data;
    for (int s = 0; s < view->store_ndim; s++) {
        const struct sta__axis_map *map = &view->map[s];
        data +=
            (map->offset + map->step * (map->axis < 0 ? 0 : part->from[map->axis]) - box->from[s]) * memory->stride[s];
        if (map->axis >= 0)
            to[map->axis] += map->step * memory->stride[s];
    }
    for (int a = part->ndim - 1; a >= 0; a--) {
        shape[a] = part->to[a] - part->from[a];
        from[a] = item;
        at += part->from[a] * item;
        item *= view->shape.at[a];
    }
    sta__copy_box(data, to, at, from, shape, part->ndim, source->item);
}

/* Whether all tiles can be written by the calling thread; then, where there is something to write, it does. */
static bool each_part(const struct sta__value *value, const struct sta__view *view, const struct elements *source)
{
    struct sta__memory memory;
    for (int64_t t = 0; t < value->grid->tiles; t++) {
        const struct sta__box box = sta__grid_box(value->grid, t), part = sta__view_preimage(view, &box);
        bool empty = part.ndim < 0;
        for (int a = 0; a < part.ndim; a++)
            empty |= part.from[a] >= part.to[a];
        if (empty)
            continue;
        if (!sta__few_tile(value, t, &memory))
            return false;
        if (source)
            copy_part(view, &part, &box, &memory, source);
    }
    return true;
}

/* A number that is there and only has to be repeated: *to is the one element. */
static bool is_number(const struct sta__value *source, char *to)
{
    const struct sta__node *node = source->node;
    if (source->state != STA__PENDING || node->kind != STA__NODE_CAST || node->in[0].value->state != STA__NOW ||
        node->in[0].value->size != 1)
        return false;
    const void *from[1] = {node->in[0].value->data};
    sta__cast_loop(node->in[0].value->dtype, source->dtype)(1, to, from);
    return true;
}

/* False: it is not such a write, or the call has an error. */
static bool write_few(struct sta__call *call, struct sta__store *store, const struct sta__view *view,
                      struct sta__value *source)
{
    enum { TILES = 256 };
    struct sta__value *value = store->value;
    char number[16];
    struct elements elements = {number, sta_itemsize(source->dtype), true};
    if (source->size > STA__FEW || value->grid->tiles > TILES || !sta__few_may(value, 1))
        return false;
    if (!is_number(source, number)) {
        if (!sta__submit_when_now(call, source) || source->state != STA__NOW)
            return false;
        elements = (struct elements){source->data, elements.item, false};
    }
    if (!each_part(value, view, NULL))
        return false;
    sta__value_forget_recuts(value);
    return each_part(value, view, &elements);
}

/* A small array that receives the result of tasks becomes one in tiles. */
bool sta__store_spread(struct sta__call *call, struct sta__store *store)
{
    struct sta__operand whole = {.value = store->value, .view = sta__identity_view(&store->value->shape)};
    struct sta__grid *grid = sta__grid_default(&store->value->shape, store->value->dtype);
    struct sta__value *tiled = grid ? sta__recut(call, &whole, grid) : sta__fail_memory(call);
    sta__grid_drop(grid);
    if (!tiled)
        return false;
    sta__value_drop(store->value);
    store->value = tiled;
    return true;
}

static void write_store(struct sta__call *call, struct sta__store *store, const struct sta__view *view,
                        struct sta__value **source)
{
    bool whole = sta__view_is_identity(view, &store->value->shape) && !store->value->user;
    if (whole) {
        if (!sta__doubts_settle(call, store->value, *source))
            return;
        struct sta__value *old = store->value;
        if (old->state == STA__NOW && sta__value_bytes(old) <= sta__runtime.settings.inline_bytes)
            sta__submit_when_now(call, *source);
        if (call->error)
            return;
        store->value = *source;
        *source = NULL;
        sta__value_drop(old);
        return;
    }
    call->consumes = true; /* it is written at once */
    const bool fine = sta__submit_values(call, &store->value, 1);
    call->consumes = false;
    if (!fine)
        return;
    if (store->value->state == STA__NOW) {
        if (!sta__submit_when_now(call, *source))
            return;
        if ((*source)->state == STA__NOW) {
            write_now(call, store, view, *source);
            return;
        }
        if (!sta__store_spread(call, store))
            return;
    }
    if (!write_few(call, store, view, *source) && !call->error)
        sta__scatter(call, store, view, source);
}

/* An assignment as sta__frame_write takes it. */
struct assignment {
    const struct sta__view *view;
    struct sta__value **source;
};

static void write_assignment(struct sta__call *call, struct sta__store *store, void *argument)
{
    const struct assignment *assignment = argument;
    write_store(call, store, assignment->view, assignment->source);
}

/* A window is written as a copy that is then assigned to what it shows. */
void sta__frame_write(struct sta__call *call, struct sta__store *store, struct sta__frame *frame, sta__writer *write,
                      void *argument)
{
    if (!frame || !frame->window) {
        if (sta__frame_enter(call, store, frame))
            write(call, store, argument);
        return;
    }
    struct sta__store window = {.value = sta__frame_value(call, store, frame)};
    struct sta__value *back = NULL;
    if (window.value)
        write(call, &window, argument);
    if (!call->error && sta__submit_values(call, &window.value, 1))
        back = sta__reshaped(call, window.value, sta__frame_dtype(store, frame->parent), &frame->view.shape);
    sta__value_drop(window.value);
    if (back)
        sta__frame_write(call, store, frame->parent, write_assignment, &(struct assignment){&frame->view, &back});
    sta__value_drop(back);
}

/* Why the array cannot be written; NULL: it can. */
static const char *what_forbids(const struct sta__slot *slot)
{
    if (sta__view_overlaps_itself(&slot->view))
        return "the target repeats elements (a broadcast view): it cannot be written";
    if (slot->frame && slot->frame->read_only)
        return "the target is a reshaped broadcast view: it cannot be written";
    return slot->store->value->read_only ? "the target lies in memory that is read-only" : NULL;
}

/* Whether the array is in error already. Then it is inert, whatever else is wrong: it keeps its error, and its elements
 * were not meant to change. */
static bool is_inert(struct sta__call *call, const struct sta__slot *slot, struct sta__target *target)
{
    const sta_error *error = slot->error ? slot->error : slot->store->error;
    if (!error)
        return false;
    call->error = call->error ? call->error : error;
    target->array = (sta_array){0};
    return true;
}

bool sta__target_open(struct sta__call *call, sta_array x, struct sta__target *target)
{
    struct sta__slot *slot = call->locked ? sta__slot_of(x) : NULL;
    *target = (struct sta__target){.array = x};
    if (!slot)
        return sta__fail(call, STA_ERROR_INVALID_ARRAY, "the target is a zero, freed or foreign array") != NULL;
    if (is_inert(call, slot, target))
        return false;
    atomic_fetch_add(&slot->store->references, 1);
    target->store = slot->store;
    target->frame = sta__frame_take(slot->frame);
    sta__view_copy(&target->view, &slot->view);
    if (sta__looks(STA__LOOK_DOCTOR)) {
        sta__look_used(slot->store);
        sta__look_access(&slot->view, slot->store->value);
    }
    const char *why = what_forbids(slot);
    if (why)
        sta__fail(call, STA_ERROR_READ_ONLY, "%s", why); /* or what was wrong before */
    target->refused = why != NULL;
    return !call->error;
}

/* A refused write changes nothing, and only its target tells; else whoever looks at the elements must not take them for
 * what was meant. */
void sta__target_close(struct sta__call *call, struct sta__target *target)
{
    struct sta__slot *slot = call->error ? sta__slot_of(target->array) : NULL;
    if (slot && target->refused)
        slot->error = call->error;
    else if (target->store && call->error && !target->store->error)
        target->store->error = call->error;
    sta__store_drop(target->store);
    sta__frame_drop(target->frame);
}

void sta__assign(struct sta__call *call, sta_array x, struct sta__operand *source)
{
    struct sta__target target;
    struct sta__value *value = NULL;
    if (sta__target_open(call, x, &target) && sta__assign_fits(call, source, &target.view.shape))
        value = pending_source(call, source, sta__frame_dtype(target.store, target.frame));
    if (value && value->size > 0)
        sta__frame_write(call, target.store, target.frame, write_assignment,
                         &(struct assignment){&target.view, &value});
    sta__value_drop(value);
    if (source->value)
        sta__operand_drop(source);
    sta__target_close(call, &target);
}

sta_array sta_assign(sta_array target, sta_array source)
{
    struct sta__call call = sta__enter("assign");
    struct sta__operand operand;
    sta__operand_of(&call, source, &operand);
    sta__assign(&call, target, &operand);
    sta__call_end(&call);
    return target;
}
