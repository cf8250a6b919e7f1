/* Values: the content of an array at one moment. */
#include "cuda.h"
#include "graph.h"
#include "internal.h"
#include "rest.h"
#include "mpi/ranks.h"

#include <string.h>

static struct sta__value *value_new(sta_dtype dtype, const struct sta__shape *shape, size_t more)
{
    struct sta__value *value = sta__allocate_raw(STA__VALUE_BYTES + more);
    if (!value)
        return NULL;
    memset(value, 0, sizeof *value);
    atomic_init(&value->references, 1);
    value->dtype = dtype;
    value->shape.ndim = shape->ndim;
    value->size = 1;
    for (int a = 0; a < shape->ndim; a++) {
        value->shape.at[a] = shape->at[a];
        value->size *= shape->at[a];
    }
    return value;
}

struct sta__value *sta__value_now(sta_dtype dtype, const struct sta__shape *shape)
{
    struct sta__value *value = sta__value_raw(dtype, shape);
    if (value)
        memset(value->data, 0, (size_t)sta__value_bytes(value));
    return value;
}

struct sta__value *sta__value_raw(sta_dtype dtype, const struct sta__shape *shape)
{
    int64_t size = 0;
    if (!sta__shape_size(shape, &size) || size > INT64_MAX / 16)
        return NULL;
    struct sta__value *value = value_new(dtype, shape, (size_t)size * sta_itemsize(dtype));
    if (!value)
        return NULL;
    value->state = STA__NOW;
    value->data = (char *)value + STA__VALUE_BYTES;
    return value;
}

struct sta__value *sta__value_tiled(sta_dtype dtype, struct sta__grid *grid)
{
    struct sta__value *value = value_new(dtype, &grid->shape, 0);
    if (!value)
        return NULL;
    value->state = STA__TILED;
    value->grid = sta__grid_take(grid);
    if (sta__value_tiles(value))
        return value;
    sta__value_drop(value);
    return NULL;
}

bool sta__value_tiles(struct sta__value *value)
{
    struct sta__grid *grid = value->grid;
    if (grid->tiles > INT32_MAX)
        return false;
    value->tiles = sta__allocate(sizeof *value->tiles * (size_t)grid->tiles);
    for (int64_t t = 0; value->tiles && t < grid->tiles; t++) {
        struct sta__box box = sta__grid_box(grid, t);
        value->tiles[t] = sta__tile_new(value->dtype, &box);
        if (!value->tiles[t])
            return false;
        value->tiles[t]->owner = sta__owner_of(grid, t);
    }
    return value->tiles != NULL;
}

struct sta__value *sta__value_pending(sta_dtype dtype, const struct sta__shape *shape)
{
    return value_new(dtype, shape, 0); /* the state is PENDING; the caller gives it a node */
}

struct sta__value *sta__value_take(struct sta__value *value)
{
    atomic_fetch_add(&value->references, 1);
    return value;
}

static void forget_notes(struct sta__value *value)
{
    while (value->notes) {
        struct sta__note *note = value->notes;
        value->notes = note->next;
        sta__release(note);
    }
}

void sta__value_forget_recuts(struct sta__value *value)
{
    if (atomic_load_explicit(&value->uploads, memory_order_relaxed))
        sta__cuda_forget(value);
    while (value->recuts) {
        struct sta__recut *r = value->recuts;
        value->recuts = r->next;
        sta__value_drop(r->value);
        sta__release(r);
    }
    forget_notes(value);
}

static void drop_tiles(struct sta__value *value)
{
    for (int64_t t = 0; value->tiles && t < value->grid->tiles; t++)
        sta__tile_drop(value->tiles[t]);
    sta__release(value->tiles);
    value->tiles = NULL;
    sta__grid_drop(value->grid);
    value->grid = NULL;
}

/* A chain of nodes can be long: it is taken apart in a loop, not by recursion. */
void sta__value_drop(struct sta__value *value)
{
    struct sta__value *list = NULL;
    while (value || list) {
        if (!value) {
            value = list;
            list = value->next_dropped;
        } else if (atomic_fetch_sub(&value->references, 1) != 1) {
            value = NULL;
            continue;
        }
        struct sta__value *dead = value;
        value = NULL;
        if (dead->node)
            sta__node_dismantle(dead->node, &list);
        for (struct sta__recut *r = dead->recuts, *next; r; r = next) {
            next = r->next;
            if (atomic_fetch_sub(&r->value->references, 1) == 1) {
                r->value->next_dropped = list;
                list = r->value;
            }
            sta__release(r);
        }
        forget_notes(dead);
        if (dead->user)
            sta__workers_wake(); /* they bring it home */
        drop_tiles(dead);
        if (atomic_load_explicit(&dead->uploads, memory_order_relaxed))
            sta__cuda_forget(dead);
        sta__release(dead->bytes);
        sta__release(dead);
    }
}

int64_t sta__value_bytes(const struct sta__value *value)
{
    return value->size * (int64_t)sta_itemsize(value->dtype);
}

void sta__value_settle_now(struct sta__value *value, struct sta__value *now)
{
    drop_tiles(value);
    value->state = STA__NOW;
    value->data = now->data;
    value->bytes = now;
}
