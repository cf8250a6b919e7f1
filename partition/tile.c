/* Tiles: one StarPU handle each, reference-counted. */
#include "tile.h"

#include "failure.h"
#include "look.h"
#include "mpi/ranks.h"
#include "reply.h"
#include "spare.h"

#include <pthread.h>
#include <string.h>

static struct {
    pthread_mutex_t mutex;
    pthread_cond_t none;
    atomic_llong alive; /* handles registered */
    atomic_llong dying; /* dropped, StarPU still has them */
} tiles = {.mutex = PTHREAD_MUTEX_INITIALIZER, .none = PTHREAD_COND_INITIALIZER};

void sta__tiles_start(void)
{
    if (sta__tile_ops.interfaceid == STARPU_UNKNOWN_INTERFACE_ID)
        sta__tile_ops.interfaceid = (enum starpu_data_interface_id)starpu_data_interface_get_next_id();
    sta__nodes_start();
}

void sta__tiles_wait(void)
{
    sta__spares_drop();
    pthread_mutex_lock(&tiles.mutex);
    while (atomic_load(&tiles.dying))
        pthread_cond_wait(&tiles.none, &tiles.mutex);
    pthread_mutex_unlock(&tiles.mutex);
}

void sta__tiles_dying(int64_t count)
{
    atomic_fetch_add(&tiles.dying, count);
}

int64_t sta__tiles_alive(void)
{
    return atomic_load(&tiles.alive);
}

void sta__tile_unregister(struct sta__tile *tile)
{
    sta__tiles_dying(1);
    starpu_data_unregister_submit(tile->handle);
}

void sta__tile_bind(struct sta__tile *tile, starpu_data_handle_t handle)
{
    tile->handle = handle;
    starpu_data_set_user_data(handle, tile);
    atomic_fetch_add(&tiles.alive, 1);
}

/* Without calls of StarPU, whose locks may be held. */
static void free_tile(struct sta__tile *tile)
{
    if (tile->held) {
        sta__look_memory(STARPU_MAIN_RAM, -(int64_t)sta__node_size((size_t)tile->bytes));
        sta__pool_give(tile->held, sta__node_size((size_t)tile->bytes));
    }
    sta__failure_drop(atomic_load(&tile->failure));
    sta__reply_give(tile->reply);
    sta__release(tile);
}

void sta__tile_gone(starpu_data_handle_t handle)
{
    struct sta__tile *tile = starpu_data_get_user_data(handle);

    if (!tile)
        return;
    free_tile(tile);
    atomic_fetch_sub(&tiles.alive, 1);
    if (atomic_fetch_sub(&tiles.dying, 1) > 1)
        return;
    pthread_mutex_lock(&tiles.mutex);
    pthread_cond_broadcast(&tiles.none);
    pthread_mutex_unlock(&tiles.mutex);
}

struct sta__tile *sta__tile_allocate(int ndim)
{
    size_t words = (size_t)sta__tile_ranks_words();
    struct sta__tile *tile = sta__allocate(sizeof *tile + sizeof(int64_t) * ((size_t)ndim + words));

    if (!tile)
        return NULL;
    atomic_init(&tile->references, 1);
    tile->ndim = ndim;
    tile->ranks = words ? (uint64_t *)(tile->shape + ndim) : NULL;
    tile->tag = sta__tag_next();
    return tile;
}

static struct sta__tile_interface interface_of(const struct sta__tile *tile)
{
    struct sta__tile_interface interface = {
        .item = sta_itemsize(tile->dtype), .dtype = tile->dtype, .ndim = tile->ndim, .pointer = (uintptr_t)tile->held};

    interface.memory = interface.pointer;
    memcpy(interface.shape, tile->shape, sizeof(int64_t) * (size_t)tile->ndim);
    sta__interface_contiguous(&interface);
    return interface;
}

/* What the calling thread wrote has a home, and stays ours to free; all else lies where it is written. */
static void register_tile(struct sta__tile *tile)
{
    struct sta__tile_interface interface = interface_of(tile);
    starpu_data_handle_t handle;

    starpu_data_register(&handle, tile->held ? STARPU_MAIN_RAM : -1, &interface, &sta__tile_ops);
    starpu_data_set_sequential_consistency_flag(handle, 1); /* whatever the program's default is */
    sta__tile_bind(tile, handle);
}

starpu_data_handle_t sta__tile_handle(struct sta__tile *tile)
{
    if (!tile->handle)
        register_tile(tile);
    return tile->handle;
}

bool sta__tile_hold(struct sta__tile *tile)
{
    bool give_up;

    if (tile->held)
        return true;
    if (tile->handle || tile->root || !sta__nodes_pooled())
        return false;
    tile->held = (void *)sta__node_take(STARPU_MAIN_RAM, (size_t)tile->bytes, &give_up);
    return tile->held != NULL;
}

bool sta__tile_hold_zeros(struct sta__tile *tile)
{
    if (tile->held || tile->handle || tile->root)
        return false;
    tile->held = sta__node_take_zeros((size_t)tile->bytes);
    tile->written = tile->held != NULL;
    return tile->written;
}

bool sta__tile_memory_here(const struct sta__tile *tile, struct sta__memory *to)
{
    struct sta__tile_interface interface;

    if (tile->handle)
        return sta__tile_memory(starpu_data_get_interface_on_node(tile->handle, STARPU_MAIN_RAM), to);
    interface = interface_of(tile);
    return sta__tile_memory(&interface, to);
}

struct sta__tile *sta__tile_new(sta_dtype dtype, const struct sta__box *box)
{
    int64_t bytes = (int64_t)sta_itemsize(dtype);
    struct sta__tile *tile = sta__spare_take(dtype, box);

    if (tile)
        return tile;
    tile = sta__tile_allocate(box->ndim);
    if (!tile)
        return NULL;
    for (int axis = 0; axis < box->ndim; axis++) {
        tile->shape[axis] = box->to[axis] - box->from[axis];
        if (__builtin_mul_overflow(bytes, tile->shape[axis], &bytes)) {
            sta__release(tile);
            return NULL;
        }
    }
    tile->bytes = bytes;
    tile->dtype = dtype;
    tile->owner = STA__OWNER_OPEN;
    return tile;
}

struct sta__tile *sta__tile_take(struct sta__tile *tile)
{
    atomic_fetch_add_explicit(&tile->references, 1, memory_order_relaxed);
    return tile;
}

void sta__tile_drop(struct sta__tile *tile)
{
    if (!tile || atomic_fetch_sub_explicit(&tile->references, 1, memory_order_acq_rel) > 1)
        return;
    if (tile->root) {
        sta__root_tile_dropped(tile->root);
        return;
    }
    if (!tile->handle) {
        free_tile(tile);
        return;
    }
    if (!sta__spare_keep(tile))
        sta__tile_unregister(tile);
}

bool sta__tile_drop_shared(struct sta__tile *tile)
{
    int references = atomic_load_explicit(&tile->references, memory_order_relaxed);

    while (references > 1)
        if (atomic_compare_exchange_weak_explicit(&tile->references, &references, references - 1, memory_order_acq_rel,
                                                  memory_order_relaxed))
            return true;
    return false;
}

/* Whoever holds the tile may look at tile->failure without a lock, so an error that is replaced is not freed. */
void sta__tile_fail(struct sta__tile *tile, struct sta__failure *failure)
{
    struct sta__failure *old;

    pthread_mutex_lock(&tiles.mutex);
    old = atomic_load(&tile->failure);
    if (!old || sta__failure_before(failure, old)) {
        atomic_store(&tile->failure, sta__failure_take(failure));
        if (old)
            sta__failure_retire(old);
    }
    pthread_mutex_unlock(&tiles.mutex);
}
