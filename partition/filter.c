/* User memory as tiles. */
#include "filter.h"

#include "mpi/ranks.h"
#include "runtime.h"
#include "tile.h"

#include <pthread.h>

struct sta__root {
    atomic_llong references; /* tiles in use */
    int64_t count;
    struct sta__tile *whole;
    struct sta__tile **tiles;
    starpu_data_handle_t *handles; /* of the tiles */
    void *pinned;
    size_t pinned_bytes;
    struct sta__owner owner;
    struct sta__root *next; /* in the list of those that are due */
};

static struct {
    pthread_mutex_t mutex;
    pthread_cond_t none;
    int64_t dropped; /* not done yet */
    struct sta__root *due;
} roots = {.mutex = PTHREAD_MUTEX_INITIALIZER, .none = PTHREAD_COND_INITIALIZER};
static atomic_bool some_due;

/* ---- cutting ---- */

/* StarPU calls this for each memory node; only at home there is memory. */
static void cut(void *whole_interface, void *part_interface, struct starpu_data_filter *filter, unsigned part,
                unsigned parts)
{
    const struct sta__tile_interface *whole = whole_interface;
    struct sta__tile_interface *to = part_interface;
    struct sta__box box = sta__grid_box(filter->filter_arg_ptr, part);
    size_t offset = 0;

    (void)parts;
    *to = *whole;
    for (int axis = 0; axis < whole->ndim; axis++) {
        to->shape[axis] = box.to[axis] - box.from[axis];
        offset += (size_t)(box.from[axis] * whole->stride[axis]); /* wraps where strides are negative */
    }
    if (whole->memory) {
        to->pointer = whole->pointer + offset;
        to->offset = whole->offset + offset;
    } else {
        sta__interface_contiguous(to);
    }
}

static struct sta__tile *new_tile(struct sta__root *root, int64_t bytes)
{
    struct sta__tile *tile = sta__tile_allocate(0);

    if (!tile)
        return NULL;
    tile->bytes = bytes;
    tile->root = root;
    tile->written = true;
    return tile;
}

/* All memory is taken before StarPU hears of anything. */
static struct sta__root *new_root(const struct sta__grid *grid, size_t item)
{
    struct sta__root *root = sta__allocate(sizeof *root);
    size_t count = (size_t)grid->tiles;
    bool fine = root != NULL;

    if (!root)
        return NULL;
    root->tiles = sta__allocate(count * sizeof *root->tiles);
    root->handles = sta__allocate(count * sizeof *root->handles);
    root->whole = new_tile(root, 0);
    fine = root->tiles && root->handles && root->whole;
    for (int64_t t = 0; fine && t < grid->tiles; t++) {
        struct sta__box box = sta__grid_box(grid, t);

        root->tiles[t] = new_tile(root, sta__box_size(&box) * (int64_t)item);
        root->count += fine = root->tiles[t] != NULL;
    }
    if (fine)
        return root;
    for (int64_t t = 0; t < root->count; t++)
        sta__release(root->tiles[t]);
    sta__release(root->whole);
    sta__release(root->handles);
    sta__release(root->tiles);
    sta__release(root);
    return NULL;
}

/* Copies to GPUs are asynchronous only from pinned memory. */
static void pin(struct sta__root *root, const struct sta__tile_interface *whole)
{
    int64_t low = 0, high = (int64_t)whole->item;

    for (int axis = 0; axis < whole->ndim; axis++) {
        int64_t reach = (whole->shape[axis] - 1) * whole->stride[axis];

        *(reach < 0 ? &low : &high) += reach;
    }
    if (starpu_cuda_worker_get_count() == 0 || starpu_memory_pin((char *)whole->pointer + low, (size_t)(high - low)))
        return;
    root->pinned = (char *)whole->pointer + low;
    root->pinned_bytes = (size_t)(high - low);
}

static starpu_data_handle_t register_whole(struct sta__root *root, const struct sta__tile_interface *whole,
                                           const struct sta__grid *grid)
{
    struct starpu_data_filter filter = {
        .filter_func = cut, .nchildren = (unsigned)root->count, .filter_arg_ptr = (void *)(uintptr_t)grid};
    starpu_data_handle_t handle;

    starpu_data_register(&handle, STARPU_MAIN_RAM, (void *)(uintptr_t)whole, &sta__tile_ops);
    starpu_data_set_sequential_consistency_flag(handle, 1); /* the parts take it over */
    starpu_data_partition_plan(handle, &filter, root->handles);
    return handle;
}

bool sta__root_make(void *memory, sta_dtype dtype, const int64_t *stride, const struct sta__grid *grid,
                    struct sta__owner owner, struct sta__tile **tiles)
{
    struct sta__tile_interface whole = {.pointer = (uintptr_t)memory,
                                        .memory = (uintptr_t)memory,
                                        .item = sta_itemsize(dtype),
                                        .dtype = dtype,
                                        .ndim = grid->shape.ndim};
    struct sta__root *root = grid->tiles > 0 ? new_root(grid, whole.item) : NULL;

    if (!root)
        return false;
    for (int axis = 0; axis < whole.ndim; axis++)
        whole.shape[axis] = grid->shape.at[axis];
    sta__interface_contiguous(&whole);
    for (int axis = 0; stride && axis < whole.ndim; axis++)
        whole.stride[axis] = stride[axis];
    root->owner = owner;
    atomic_init(&root->references, root->count);
    pin(root, &whole);
    sta__tile_bind(root->whole, register_whole(root, &whole, grid));
    for (int64_t t = 0; t < root->count; t++) {
        sta__tile_bind(root->tiles[t], root->handles[t]);
        root->tiles[t]->owner = sta__owner_of(grid, t);
        sta__tile_everyone_has(root->tiles[t]);
        tiles[t] = root->tiles[t];
    }
    return true;
}

/* ---- going home ---- */

struct arrival {
    starpu_data_handle_t handle;
    pthread_mutex_t mutex;
    pthread_cond_t cond;
    bool here;
};

static void arrive(void *argument)
{
    struct arrival *arrival = argument;

    starpu_data_release(arrival->handle);
    pthread_mutex_lock(&arrival->mutex);
    arrival->here = true;
    pthread_cond_signal(&arrival->cond);
    pthread_mutex_unlock(&arrival->mutex);
}

/* StarPU gathers the parts when the whole is asked for, and cuts it again when a part is. Those changes must come in
 * the order of the program, so the asking is done with the lock and the waiting without. */
void sta__root_home(struct sta__root *root)
{
    struct arrival arrival = {root->whole->handle, PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false};

    sta__lock();
    starpu_data_acquire_cb(arrival.handle, STARPU_RW, arrive, &arrival);
    sta__unlock();
    pthread_mutex_lock(&arrival.mutex);
    while (!arrival.here)
        pthread_cond_wait(&arrival.cond, &arrival.mutex);
    pthread_mutex_unlock(&arrival.mutex);
}

/* ---- the end ---- */

/* StarPU lets go of the handles when it can; sta__tiles_wait waits for them. */
static void clean(struct sta__root *root)
{
    starpu_data_handle_t whole = root->whole->handle;

    sta__tiles_dying(root->count + 1);
    starpu_data_partition_clean(whole, (unsigned)root->count, root->handles);
    starpu_data_unregister_submit(whole);
}

static void call_done(struct sta__root *root)
{
    if (root->owner.done)
        root->owner.done(root->owner.argument);
    sta__release(root->handles);
    sta__release(root->tiles);
    sta__release(root);
    pthread_mutex_lock(&roots.mutex);
    if (--roots.dropped == 0)
        pthread_cond_broadcast(&roots.none);
    pthread_mutex_unlock(&roots.mutex);
}

/* The values are home. The user's function must not find the lock taken. */
static void root_is_home(void *argument)
{
    struct sta__root *root = argument;

    starpu_data_release(root->whole->handle);
    if (root->pinned)
        starpu_memory_unpin(root->pinned, root->pinned_bytes);
    clean(root);
    if (!sta__lock_held()) {
        call_done(root);
        return;
    }
    pthread_mutex_lock(&roots.mutex);
    root->next = roots.due;
    roots.due = root;
    atomic_store(&some_due, true);
    pthread_mutex_unlock(&roots.mutex);
}

void sta__roots_settle(void)
{
    struct sta__root *due, *next;

    if (!atomic_load_explicit(&some_due, memory_order_relaxed))
        return;
    pthread_mutex_lock(&roots.mutex);
    due = roots.due;
    roots.due = NULL;
    atomic_store(&some_due, false);
    pthread_mutex_unlock(&roots.mutex);
    for (; due; due = next) {
        next = due->next;
        call_done(due);
    }
}

/* Whoever drops the last tile is the only one who knows the root, so no order has to be kept here. */
void sta__root_tile_dropped(struct sta__root *root)
{
    if (atomic_fetch_sub_explicit(&root->references, 1, memory_order_acq_rel) > 1)
        return;
    pthread_mutex_lock(&roots.mutex);
    roots.dropped++;
    pthread_mutex_unlock(&roots.mutex);
    sta__tiles_go_home(root->tiles, root->count);
    starpu_data_acquire_cb(root->whole->handle, STARPU_RW, root_is_home, root);
}

void sta__roots_finish(void)
{
    sta__roots_settle();
    pthread_mutex_lock(&roots.mutex);
    while (roots.dropped)
        pthread_cond_wait(&roots.none, &roots.mutex);
    pthread_mutex_unlock(&roots.mutex);
}
