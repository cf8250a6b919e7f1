/* Frames of stores. Contract: frame.h. */
#include "frame.h"

#include "elementwise/front.h"
#include "graph.h"
#include "reshape.h"

struct sta__frame *sta__frame_take(struct sta__frame *frame)
{
    if (frame)
        atomic_fetch_add(&frame->references, 1);
    return frame;
}

void sta__frame_drop(struct sta__frame *frame)
{
    while (frame && atomic_fetch_sub(&frame->references, 1) == 1) {
        struct sta__frame *parent = frame->parent;
        sta__release(frame);
        frame = parent;
    }
}

sta_dtype sta__frame_dtype(const struct sta__store *store, const struct sta__frame *frame)
{
    frame = frame ? frame : store->natural;
    return frame ? frame->dtype : store->value->dtype;
}

const struct sta__shape *sta__frame_shape(const struct sta__store *store, const struct sta__frame *frame)
{
    frame = frame ? frame : store->natural;
    return frame ? &frame->shape : &store->value->shape;
}

sta_dtype sta__slot_dtype(const struct sta__slot *slot)
{
    return sta__frame_dtype(slot->store, slot->frame);
}

/* ---- reading ---- */

static bool note_natural(struct sta__call *call, struct sta__store *store)
{
    if (store->natural)
        return true;
    struct sta__frame *natural = sta__allocate(sizeof *natural);
    if (!natural)
        return sta__fail_memory(call) != NULL;
    atomic_init(&natural->references, 1);
    natural->dtype = store->value->dtype;
    natural->shape = store->value->shape;
    store->natural = natural;
    return true;
}

bool sta__frame_enter(struct sta__call *call, struct sta__store *store, struct sta__frame *frame)
{
    if (frame && frame->window)
        return false;
    sta_dtype dtype = sta__frame_dtype(store, frame);
    const struct sta__shape *shape = sta__frame_shape(store, frame);
    struct sta__value *value = store->value;
    if (value->dtype == dtype && sta__shape_equal(&value->shape, shape))
        return true;
    if (!note_natural(call, store) || !sta__submit_values(call, &store->value, 1))
        return false;
    value = store->value;
    if (value->state == STA__NOW && value->references == 1 && !value->weak) {
        sta__value_forget_recuts(value); /* nobody has seen it but this store */
        value->dtype = dtype;
        value->shape = *shape;
        value->size = 1;
        for (int a = 0; a < shape->ndim; a++)
            value->size *= shape->at[a];
        return true;
    }
    if (value->user && !sta__submit_readers(call, value, NULL))
        return false;
    struct sta__value *other = sta__reshaped(call, value, dtype, shape);
    if (!other)
        return false;
    sta__value_drop(value);
    store->value = other;
    return true;
}

/* What a window shows, as a value of its own, in tiles that are tiles of the window's shape too: one copy serves both. */
static struct sta__value *copy_of(struct sta__call *call, struct sta__value *value, const struct sta__frame *frame)
{
    struct sta__operand operand = {.value = value};
    const sta_dtype dtype = value->dtype;
    sta__view_copy(&operand.view, &frame->view);
    struct sta__value *copy = sta__node_cast(call, &operand, dtype);
    if (copy)
        copy->grid = sta__reshape_grid(dtype, &copy->shape, frame->dtype, &frame->shape);
    if (copy && !sta__submit_values(call, &copy, 1)) {
        sta__value_drop(copy);
        return NULL;
    }
    return copy;
}

struct sta__value *sta__frame_value(struct sta__call *call, struct sta__store *store, struct sta__frame *frame)
{
    if (!frame || !frame->window)
        return sta__frame_enter(call, store, frame) ? sta__value_take(store->value) : NULL;
    struct sta__value *parent = sta__frame_value(call, store, frame->parent);
    struct sta__value *copy = parent ? copy_of(call, parent, frame) : NULL;
    struct sta__value *value = copy ? sta__reshaped(call, copy, frame->dtype, &frame->shape) : NULL;
    sta__value_drop(copy);
    return value;
}

/* Parts of a pending complex value are computed on the way, without the value itself. */
static bool pending_part(struct sta__call *call, const struct sta__slot *slot, struct sta__operand *to)
{
    struct sta__value *value = slot->store->value;
    const struct sta__axis_map *last = &slot->view.map[value->shape.ndim];
    const struct sta__frame *frame = slot->frame;
    if (value->state != STA__PENDING || !frame || frame->window || frame->shape.ndim != value->shape.ndim + 1 ||
        sta__dtype_real(value->dtype) != frame->dtype || frame->dtype == value->dtype || last->axis >= 0)
        return false;
    for (int a = 0; a < value->shape.ndim; a++) /* it may be in a frame of as many axes */
        if (frame->shape.at[a] != value->shape.at[a])
            return false;
    struct sta__operand whole = {.value = sta__value_take(value)};
    sta__view_copy(&whole.view, &slot->view);
    whole.view.store_ndim--;
    *to = last->offset ? STA__UNARY(call, imag_part, whole) : STA__UNARY(call, real_part, whole);
    return true;
}

bool sta__frame_operand(struct sta__call *call, struct sta__slot *slot, struct sta__operand *to)
{
    sta_array array = to->array;
    if (!pending_part(call, slot, to)) {
        to->value = sta__frame_value(call, slot->store, slot->frame);
        sta__view_copy(&to->view, &slot->view);
    }
    to->array = array;
    if (call->error)
        sta__operand_drop(to);
    return to->value != NULL;
}
