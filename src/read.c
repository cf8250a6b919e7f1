/* Leaving the array world: waiting, reading. The lock is not held while StarPU is waited for. */
#include "array.h"
#include "copy/assemble.h"
#include "frame.h"
#include "graph.h"
#include "here.h"
#include "look.h"
#include "mpi/ranks.h"
#include "partition/match.h"
#include "partition/filter.h"
#include "partition/tile.h"
#include "reply.h"
#include "reshape.h"
#include "rest.h"
#include "submit.h"

#include <starpu.h>
#include <string.h>

static void unlock(struct sta__call *call)
{
    sta__unlock();
    call->locked = false;
}

static void lock(struct sta__call *call)
{
    sta__lock();
    call->locked = true;
}

static void copy_from_memory(const struct sta__memory *memory, const struct sta__view *view,
                             const struct sta__match *match, char *to, const int64_t *to_stride, size_t item)
{
    int64_t shape[STA_MAXDIM], from_stride[STA_MAXDIM] = {0};
    const char *from = memory->data;
    for (int s = 0; s < view->store_ndim; s++) {
        from += match->start[s] * memory->stride[s];
        if (view->map[s].axis >= 0)
            from_stride[view->map[s].axis] += view->map[s].step * memory->stride[s];
    }
    for (int a = 0; a < view->shape.ndim; a++) {
        shape[a] = match->to[a] - match->from[a];
        to += match->from[a] * to_stride[a];
    }
    sta__copy_box(to, to_stride, from, from_stride, shape, view->shape.ndim, item);
}

/* Waits for the tile. *here: it is read as it lies, and not to be released. */
static bool acquire(struct sta__call *call, struct sta__tile *tile, int node, bool *here)
{
    *here = sta__here_reads(tile);
    if (*here)
        return true;
    const bool quiet = sta__all_quiet(), soon = !quiet && sta__here_soon(); /* quiet: nobody need be woken */
    const starpu_data_handle_t handle = sta__tile_handle(tile);
    int answer = tile->written ? 0 : -1;
    if (!quiet)
        sta__wait_begin();
    unlock(call);
    if (soon)
        sta__here_spin();
    lock(call); /* from here on nobody else writes it */
    *here = soon && sta__here_reads(tile);
    if (!*here && answer == 0) {
        unlock(call);
        answer = starpu_data_acquire_on_node(handle, node, STARPU_R);
        lock(call);
    }
    if (!quiet)
        sta__wait_end();
    if (answer == 0)
        return true;
    sta__fail(call, STA_ERROR_STARPU, "StarPU refuses to give access to a tile (it was %s)",
              tile->written ? "written" : "never written");
    return false;
}

static void inherit(struct sta__call *call, const struct sta__tile *tile)
{
    struct sta__failure *failure = atomic_load(&tile->failure);
    if (failure && !call->error)
        call->error = sta__error_of_failure(failure);
}

/* The failure that comes first among those of a value's tiles. */
static const struct sta__failure *inherit_first(struct sta__call *call, const struct sta__value *value)
{
    const struct sta__failure *first = NULL;
    for (int64_t t = 0; t < value->grid->tiles; t++) {
        const struct sta__failure *failure = atomic_load(&value->tiles[t]->failure);
        if (failure && (!first || sta__failure_before(failure, first)))
            first = failure;
    }
    if (first && !call->error)
        call->error = sta__error_of_failure(first);
    return first;
}

static void c_strides(const struct sta__box *box, size_t item, int64_t *stride)
{
    int64_t step = (int64_t)item;
    for (int a = box->ndim - 1; a >= 0; a--) {
        stride[a] = step;
        step *= box->to[a] - box->from[a];
    }
}

static void memory_of_value(const struct sta__value *value, struct sta__memory *memory)
{
    struct sta__box whole = sta__whole_box(&value->shape);
    memory->data = value->data;
    memory->ndim = value->shape.ndim;
    c_strides(&whole, sta_itemsize(value->dtype), memory->stride);
}

static bool read_tile(struct sta__call *call, struct sta__operand *operand, const struct sta__match *match, char *to,
                      const int64_t *stride, size_t item)
{
    struct sta__tile *tile = operand->value->tiles[match->tile];
    bool here;
    if (!acquire(call, tile, STARPU_MAIN_RAM, &here))
        return false;
    struct sta__memory memory;
    struct sta__guise *guise = NULL;
    inherit(call, tile);
    bool there = sta__tile_memory_here(tile, &memory);
    if (operand->value->reshaped)
        there &= sta__guise_of(operand->value, match->tile, &guise);
    sta__guise_apply(guise, &memory);
    sta__release(guise);
    if (there && !call->error)
        copy_from_memory(&memory, &operand->view, match, to, stride, item);
    else
        sta__fail(call, STA_ERROR_MEMORY, "there was not enough memory for a tile of the array");
    if (here)
        return !call->error;
    unlock(call);
    starpu_data_release_on_node(tile->handle, STARPU_MAIN_RAM);
    lock(call);
    return !call->error;
}

/* Starts what is to be waited for. */
static bool submit_wanted(struct sta__call *call, struct sta__operand *operand)
{
    call->wanted = operand->value;
    sta__here_waits();
    const bool fine = sta__submit_values(call, &operand->value, 1);
    call->wanted = NULL;
    return fine;
}

/* The tile whose task tells its content itself, to the first who asks: who comes later may find it changed. */
static struct sta__tile *tile_to_ask(const struct sta__value *value)
{
    struct sta__tile *tile = value->state == STA__TILED && value->grid->tiles == 1 ? value->tiles[0] : NULL;
    if (!tile || !tile->reply || tile->asked)
        return NULL;
    tile->asked = true;
    return tile;
}

/* False: it has to be read. */
static bool take_reply(struct sta__call *call, struct sta__value *value, struct sta__tile *tile, void *to)
{
    if (!tile)
        return false;
    sta__tile_take(tile);
    value->watched++;
    sta__wait_begin();
    unlock(call);
    const void *content = sta__reply_wait(tile->reply);
    lock(call);
    sta__wait_end();
    value->watched--;
    if (content)
        memcpy(to, content, (size_t)sta__value_bytes(value));
    sta__tile_drop(tile);
    return content != NULL;
}

/* A small result that was waited for is "now" from here on; not under the eyes of another thread that waits for its tile. */
static void become_now(struct sta__call *call, struct sta__value *value)
{
    struct sta__tile *tells = tile_to_ask(value);
    if (value->state != STA__TILED || value->user || value->grid->tiles != 1 || value->watched ||
        sta__value_bytes(value) > sta__runtime.settings.inline_bytes)
        return;
    struct sta__value *now = sta__value_now(value->dtype, &value->shape);
    if (!now) {
        sta__ranks_lost(call->op);
        return; /* it stays as it is */
    }
    struct sta__operand whole = {.value = value, .view = sta__identity_view(&value->shape)};
    struct sta__box box = sta__whole_box(&value->shape);
    if ((!take_reply(call, value, tells, now->data) && !sta__read_operand(call, &whole, &box, now->data)) ||
        value->state != STA__TILED || value->watched) {
        sta__value_drop(now);
        return;
    }
    sta__value_settle_now(value, now);
}

/* Waits for the tiles of this rank, without looking at them. */
static void wait_tiles(struct sta__call *call, const struct sta__value *value)
{
    /* From the last one: when it is there the others are, mostly, and the caller was woken once, not for each. */
    for (int64_t t = value->grid->tiles - 1; t >= 0; t--) {
        bool here;
        if (!sta__tile_is_ours(value->tiles[t]))
            continue;
        if (!acquire(call, value->tiles[t], STARPU_ACQUIRE_NO_NODE, &here))
            return;
        if (!here)
            starpu_data_release_on_node(value->tiles[t]->handle, STARPU_ACQUIRE_NO_NODE);
    }
}

/* Every rank gets every tile, even where there is an error already: others wait for this rank. */
static void read_tiles(struct sta__call *call, struct sta__operand *operand, const struct sta__match *match, int count,
                       char *to, const int64_t *stride, size_t item)
{
    enum { AHEAD = 8 };
    struct sta__tile **tiles = operand->value->tiles;
    bool alone = sta__runtime.settings.ranks <= 1;
    for (int m = 0; m < AHEAD && m < count; m++)
        sta__tile_everywhere(tiles[match[m].tile]);
    for (int m = 0; m < count && !(alone && call->error); m++) {
        if (count - m > AHEAD)
            sta__tile_everywhere(tiles[match[m + AHEAD].tile]);
        sta__tile_everywhere(tiles[match[m].tile]); /* it may have been forgotten with an earlier piece */
        read_tile(call, operand, &match[m], to, stride, item);
        sta__tile_forget(tiles[match[m].tile]);
    }
}

/* Which tile was read first, and where, must not decide the text. */
static void settle_error(struct sta__call *call, const struct sta__value *value)
{
    bool mine = call->error != NULL;
    if (!sta__ranks_agree(call, NULL))
        return;
    call->error = NULL;
    wait_tiles(call, value);
    const struct sta__failure *first = inherit_first(call, value);
    if (mine)
        sta__fail(call, STA_ERROR_MEMORY, "there was not enough memory for a tile of the array");
    sta__ranks_agree(call, first);
}

bool sta__read_operand(struct sta__call *call, struct sta__operand *operand, const struct sta__box *box, void *to)
{
    if (!sta__submit_values(call, &operand->value, 1))
        return false;
    struct sta__value *value = operand->value;
    size_t item = sta_itemsize(value->dtype);
    int64_t stride[STA_MAXDIM];
    c_strides(box, item, stride);
    if (sta__box_size(box) == 0)
        return true;
    int count = 0;
    struct sta__match *match = sta__match_all(operand, box, &count);
    if (!match)
        return sta__fail_memory(call) != NULL;
    if (value->state == STA__NOW) {
        struct sta__memory memory;
        memory_of_value(value, &memory);
        copy_from_memory(&memory, &operand->view, match, to, stride, item);
    } else {
        value->watched++;
        read_tiles(call, operand, match, count, to, stride, item);
        settle_error(call, value);
        value->watched--;
    }
    sta__release(match);
    return !call->error;
}

bool sta__tiles_await(struct sta__call *call, struct sta__value *value)
{
    value->watched++;
    wait_tiles(call, value);
    value->watched--;
    sta__ranks_agree(call, inherit_first(call, value));
    return !call->error;
}

static bool wait_value(struct sta__call *call, struct sta__operand *operand)
{
    if (!submit_wanted(call, operand))
        return false;
    struct sta__value *value = operand->value;
    become_now(call, value);
    if (value->state == STA__NOW || call->error)
        return !call->error;
    if (sta__tiles_await(call, value) && value->user) {
        struct sta__root *root = value->tiles[0]->root;
        for (int64_t t = 0; t < value->grid->tiles; t++)
            sta__tile_everywhere(value->tiles[t]);
        sta__wait_begin();
        unlock(call);
        sta__root_home(root);
        lock(call);
        sta__wait_end();
    }
    return !call->error;
}

const sta_error *sta_wait(sta_array x)
{
    struct sta__call call = sta__enter("wait");
    struct sta__operand operand;
    if (sta__view_of(&call, x, &operand)) {
        wait_value(&call, &operand);
        sta__operand_drop(&operand);
    }
    return sta__leave_error(&call);
}

const sta_error *sta_check(sta_array x)
{
    struct sta__call call = sta__enter("check");
    struct sta__operand operand;
    if (sta__view_of(&call, x, &operand)) {
        if (operand.value->state == STA__TILED)
            inherit_first(&call, operand.value);
        sta__operand_drop(&operand);
    }
    return sta__leave_error(&call);
}

sta_array sta_eval(sta_array x)
{
    struct sta__call call = sta__enter("eval");
    struct sta__operand operand;
    if (sta__view_of(&call, x, &operand)) {
        if (!sta__submit_values(&call, &operand.value, 1))
            sta__slot_of(x)->store->error = call.error; /* had it one before, it would be no operand */
        sta__operand_drop(&operand);
    }
    sta__call_end(&call);
    return x;
}

static void read_whole(struct sta__call *call, struct sta__operand *operand, void *to, size_t bytes)
{
    struct sta__box box = sta__whole_box(&operand->view.shape);
    size_t wanted = (size_t)sta__box_size(&box) * sta_itemsize(operand->value->dtype);
    if (bytes != wanted) {
        sta__fail(call, STA_ERROR_VALUE, "the array has %zu bytes, the buffer %zu", wanted, bytes);
        return;
    }
    if (!to && bytes > 0) {
        sta__fail(call, STA_ERROR_VALUE, "the buffer is NULL");
        return;
    }
    if (!submit_wanted(call, operand))
        return;
    become_now(call, operand->value);
    if (operand->value->state == STA__NOW && sta__view_is_identity(&operand->view, &operand->value->shape))
        memcpy(to, operand->value->data, bytes);
    else
        sta__read_operand(call, operand, &box, to);
}

const sta_error *sta_read(sta_array x, void *to, size_t bytes)
{
    struct sta__call call = sta__enter("read");
    struct sta__operand operand;
    if (sta__operand_of(&call, x, &operand)) {
        if (sta__looks(STA__LOOK_DOCTOR))
            sta__look_access(&operand.view, operand.value);
        read_whole(&call, &operand, to, bytes);
        sta__operand_drop(&operand);
    }
    return sta__leave_error(&call);
}

static const sta_error *item(const char *op, sta_array x, sta_dtype dtype, void *to)
{
    struct sta__call call = sta__enter(op);
    struct sta__operand operand;
    if (!sta__operand_of(&call, x, &operand))
        return sta__leave_error(&call);
    if (sta__looks(STA__LOOK_DOCTOR))
        sta__look_access(&operand.view, operand.value);
    struct sta__box box = sta__whole_box(&operand.view.shape);
    sta_complex128 element;
    if (!to) {
        sta__fail(&call, STA_ERROR_VALUE, "there is no place for the element: NULL is given");
    } else if (sta__box_size(&box) != 1) {
        char text[STA__SHAPE_TEXT];
        sta__fail(&call, STA_ERROR_SHAPE, "an array of shape %s has not one element",
                  sta__shape_text(&operand.view.shape, text, sizeof text));
    } else {
        const void *in[1] = {&element};
        sta_dtype from = operand.value->dtype;
        if (submit_wanted(&call, &operand)) {
            become_now(&call, operand.value);
            if (sta__read_operand(&call, &operand, &box, &element))
                sta__cast_loop(from, dtype)(1, to, in);
        }
    }
    sta__operand_drop(&operand);
    return sta__leave_error(&call);
}

const sta_error *sta_item_int(sta_array x, int64_t *to)
{
    return item("item_int", x, STA_int64, to);
}

const sta_error *sta_item_float(sta_array x, double *to)
{
    return item("item_float", x, STA_float64, to);
}

const sta_error *sta_item_complex(sta_array x, sta_complex128 *to)
{
    return item("item_complex", x, STA_complex128, to);
}

const sta_error *sta_item_bool(sta_array x, int *to)
{
    uint8_t truth = 0;
    const sta_error *error = item("item_bool", x, STA_bool, to ? &truth : NULL);
    if (!error)
        *to = truth;
    return error;
}

/* ---- facts ---- */

static const struct sta__slot *facts(struct sta__call *call, sta_array x)
{
    const struct sta__slot *slot = call->error ? NULL : sta__slot_of(x);
    return slot && slot->store ? slot : NULL;
}

#define FACT(type, name, none, fact)                                                                                   \
    type sta_##name(sta_array x)                                                                                       \
    {                                                                                                                  \
        struct sta__call call = sta__enter(#name);                                                                     \
        const struct sta__slot *slot = facts(&call, x);                                                                \
        type answer = none;                                                                                            \
        if (slot)                                                                                                      \
            answer = fact;                                                                                             \
        sta__call_end(&call);                                                                                          \
        return answer;                                                                                                 \
    }

static sta_dims dims_of(const struct sta__shape *shape)
{
    sta_dims dims = {.count = shape->ndim};
    memcpy(dims.at, shape->at, sizeof *dims.at * (size_t)shape->ndim);
    return dims;
}

static int64_t size_of(const struct sta__shape *shape)
{
    int64_t size = 0;
    sta__shape_size(shape, &size);
    return size;
}

FACT(int, ndim, 0, slot->view.shape.ndim)
FACT(sta_dims, shape, (sta_dims){0}, dims_of(&slot->view.shape))
FACT(int64_t, size, 0, size_of(&slot->view.shape))
FACT(sta_dtype, dtype_of, STA_DTYPE_NONE, sta__slot_dtype(slot))
