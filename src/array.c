/* The slab of arrays: a handle is a slot number and a generation. Chunks are never unmapped while the library runs, so
 * a stale or foreign handle is looked up safely. */
#include "array.h"
#include "doctor.h"

#include "frame.h"
#include "graph.h"

enum { CHUNK = 256, CHUNKS = 1 << 20 };

static struct {
    struct sta__slot **chunk;
    uint32_t chunks, room; /* in use, and entries of `chunk` */
    uint32_t free;         /* first of the free list */
} slab;

struct sta__slot *sta__slot_at(uint32_t number)
{
    uint32_t index = number - 1;
    return number && index / CHUNK < slab.chunks ? &slab.chunk[index / CHUNK][index % CHUNK] : NULL;
}

uint32_t sta__slot_number(sta_array x)
{
    return (uint32_t)(x.id & UINT32_MAX);
}

struct sta__slot *sta__slot_of(sta_array x)
{
    struct sta__slot *slot = sta__slot_at(sta__slot_number(x));
    return slot && slot->alive && slot->generation == (uint32_t)(x.id >> 32) ? slot : NULL;
}

static bool add_chunk(void)
{
    if (slab.chunks == CHUNKS)
        return false;
    if (slab.chunks == slab.room) {
        uint32_t room = slab.room ? slab.room * 2 : 64;
        void *grown = sta__resize(slab.chunk, sizeof *slab.chunk * slab.room, sizeof *slab.chunk * room);
        if (!grown)
            return false;
        slab.chunk = grown;
        slab.room = room;
    }
    struct sta__slot *chunk = sta__allocate(sizeof *chunk * CHUNK);
    if (!chunk)
        return false;
    slab.chunk[slab.chunks++] = chunk;
    for (uint32_t i = CHUNK; i-- > 0;) {
        chunk[i].generation = (uint32_t)sta__runtime.start_number << 24; /* handles of an earlier start are stale */
        chunk[i].next = slab.free;
        slab.free = (slab.chunks - 1) * CHUNK + i + 1;
    }
    return true;
}

/* A slot in the innermost scope of the thread; 0 without memory. */
static uint32_t slot_new(void)
{
    if (!slab.free && !add_chunk())
        return 0;
    uint32_t number = slab.free;
    struct sta__slot *slot = sta__slot_at(number);
    uint32_t next = slot->next;
    if (!sta__scope_adopt(number, slot))
        return 0;
    slab.free = next;
    slot->alive = true;
    slot->moved = false;
    slot->generation++;
    slot->store = NULL;
    slot->error = NULL;
    slot->frame = NULL;
    slot->view.shape.ndim = slot->view.store_ndim = 0;
    return number;
}

void sta__slot_free(uint32_t number)
{
    struct sta__slot *slot = sta__slot_at(number);
    sta__scope_forget(slot);
    sta__store_drop(slot->store);
    sta__frame_drop(slot->frame);
    slot->store = NULL;
    slot->frame = NULL;
    slot->alive = false;
    slot->next = slab.free;
    slab.free = number;
}

static sta_array handle_of(uint32_t number)
{
    return (sta_array){(uint64_t)sta__slot_at(number)->generation << 32 | number};
}

struct sta__store *sta__store_new(struct sta__value *value)
{
    struct sta__store *store = sta__allocate(sizeof *store);
    if (!store)
        return NULL;
    atomic_init(&store->references, 1);
    store->value = value;
    if (sta__looks(STA__LOOK_DOCTOR))
        sta__look_made(store);
    return store;
}

void sta__store_drop(struct sta__store *store)
{
    if (!store || atomic_fetch_sub(&store->references, 1) != 1)
        return;
    if (sta__looks(STA__LOOK_DOCTOR))
        sta__look_freed(store);
    sta__value_drop(store->value);
    sta__frame_drop(store->natural);
    sta__release(store);
}

/* Without a slot to hold it an error is named by a handle that no slot ever has: generation 0. */
static const sta_array no_memory = {UINT32_MAX};

sta_array sta__array_error(const sta_error *error)
{
    uint32_t number = slot_new();
    if (!number)
        return no_memory;
    sta__slot_at(number)->error = error;
    return handle_of(number);
}

/* What sta_move marked is freed when the call ends: until then the operand may be looked at. */
static void note_moved(struct sta__call *call, sta_array x, struct sta__slot *slot)
{
    if (!slot->moved || call->moved == (int)(sizeof call->moved_array / sizeof *call->moved_array))
        return;
    slot->moved = false; /* twice in one call is once */
    call->moved_array[call->moved++] = x;
}

bool sta__view_of(struct sta__call *call, sta_array x, struct sta__operand *to)
{
    to->value = NULL;
    to->array = x;
    if (call->error)
        return false;
    struct sta__slot *slot = sta__slot_of(x);
    if (x.id == no_memory.id)
        return sta__fail_memory(call) != NULL;
    if (!slot) {
        sta__fail(call, STA_ERROR_INVALID_ARRAY, "an operand is a zero, freed or foreign array");
        return false;
    }
    note_moved(call, x, slot);
    call->error = slot->error ? slot->error : slot->store->error;
    if (call->error)
        return false;
    to->value = sta__value_take(slot->store->value);
    sta__view_copy(&to->view, &slot->view);
    if (sta__looks(STA__LOOK_DOCTOR))
        sta__look_used(slot->store);
    return true;
}

bool sta__operand_of(struct sta__call *call, sta_array x, struct sta__operand *to)
{
    if (!sta__view_of(call, x, to))
        return false;
    struct sta__slot *slot = sta__slot_of(x);
    if (!slot->frame && !slot->store->natural)
        return true;
    struct sta__value *value = to->value;
    to->value = NULL;
    sta__value_drop(value);
    return sta__frame_operand(call, slot, to);
}

void sta__call_end(struct sta__call *call)
{
    if (!call->locked)
        return;
    for (int i = 0; i < call->moved; i++) /* a call that waits lets go of the lock: it may be freed already */
        if (sta__slot_of(call->moved_array[i]))
            sta__slot_free(sta__slot_number(call->moved_array[i]));
    call->moved = 0;
    call->locked = false;
    sta__unlock();
}

sta_array sta_move(sta_array x)
{
    struct sta__call call = sta__enter("move");
    struct sta__slot *slot = call.error ? NULL : sta__slot_of(x);
    if (slot)
        slot->moved = true;
    sta__call_end(&call);
    return x;
}

void sta__operand_drop(struct sta__operand *operand)
{
    sta__value_drop(operand->value);
    operand->value = NULL;
}

void sta__view_copy(struct sta__view *to, const struct sta__view *from)
{
    to->shape.ndim = from->shape.ndim;
    to->store_ndim = from->store_ndim;
    for (int a = 0; a < from->shape.ndim; a++)
        to->shape.at[a] = from->shape.at[a];
    for (int s = 0; s < from->store_ndim; s++)
        to->map[s] = from->map[s];
}

bool sta__view_equal(const struct sta__view *a, const struct sta__view *b)
{
    bool same = a->store_ndim == b->store_ndim && sta__shape_equal(&a->shape, &b->shape);
    for (int s = 0; s < a->store_ndim && same; s++)
        same = a->map[s].axis == b->map[s].axis && a->map[s].offset == b->map[s].offset &&
               a->map[s].step == b->map[s].step;
    return same;
}

/* A new array over a store; takes the store's reference over. */
static sta_array array_over(struct sta__call *call, struct sta__store *store, const struct sta__view *view)
{
    uint32_t number = store ? slot_new() : 0;
    if (!number) {
        sta__store_drop(store);
        sta__fail_memory(call);
        return sta__array_error(call->error);
    }
    struct sta__slot *slot = sta__slot_at(number);
    slot->store = store;
    sta__view_copy(&slot->view, view);
    return handle_of(number);
}

sta_array sta__leave(struct sta__call *call, struct sta__value *value)
{
    struct sta__view view;
    if (value)
        view = sta__identity_view(&value->shape);
    return sta__leave_under(call, value, &view);
}

sta_array sta__leave_under(struct sta__call *call, struct sta__value *value, const struct sta__view *view)
{
    sta_array x;
    if (!value) {
        sta__fail(call, STA_ERROR_INTERNAL, "the operation gave no result");
        x = sta__array_error(call->error);
    } else {
        if (sta__looks(STA__LOOK_PROFILE) && value->state == STA__NOW)
            sta__function(call->op)->at_once++;
        struct sta__store *store = sta__store_new(value);
        if (!store) {
            sta__value_drop(value);
            sta__fail_memory(call);
            x = sta__array_error(call->error);
        } else {
            x = array_over(call, store, view);
        }
    }
    sta__call_end(call);
    return x;
}

/* A view of what x names: shares its store, so that writes through either are seen by both. */
sta_array sta__leave_frame(struct sta__call *call, struct sta__operand *x, struct sta__frame *frame)
{
    sta_array view;
    sta__operand_drop(x);
    if (call->error) {
        view = sta__array_error(call->error);
    } else {
        struct sta__store *store = sta__slot_of(x->array)->store;
        atomic_fetch_add(&store->references, 1);
        view = array_over(call, store, &x->view);
    }
    struct sta__slot *slot = sta__slot_of(view);
    if (slot && !slot->error)
        slot->frame = frame;
    else
        sta__frame_drop(frame);
    sta__call_end(call);
    return view;
}

sta_array sta__leave_view(struct sta__call *call, struct sta__operand *operand)
{
    struct sta__slot *slot = call->error ? NULL : sta__slot_of(operand->array);
    return sta__leave_frame(call, operand, slot ? sta__frame_take(slot->frame) : NULL);
}

const sta_error *sta__leave_error(struct sta__call *call)
{
    if (call->error)
        sta__error_seen(call->error);
    sta__call_end(call);
    return call->error;
}

void sta__arrays_finish(void)
{
    for (uint32_t number = 1; number <= slab.chunks * CHUNK; number++)
        if (sta__slot_at(number)->alive)
            sta__slot_free(number);
    sta__scopes_finish();
    for (uint32_t c = 0; c < slab.chunks; c++)
        sta__release(slab.chunk[c]);
    sta__release(slab.chunk);
    slab.chunk = NULL;
    slab.chunks = slab.room = slab.free = 0;
}
