/* Small tiles for the next of their kind. Contract: spare.h. The content stays what it was; whoever takes a tile writes all of
 * it, as with a new one. The last reference goes when the last task has ended, so nobody waits for what others do with it. */
#include "spare.h"

#include "failure.h"
#include "mpi/ranks.h"
#include "reply.h"
#include "runtime.h"
#include "tile.h"

#include <pthread.h>
#include <string.h>

enum { LISTS = 64, MOST = 512, MOST_BYTES = 64 * 1024 };

/* A list goes on in `spare_next`. */
static struct {
    pthread_mutex_t mutex;
    int count;
    struct sta__tile *list[LISTS];
} spares = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static unsigned list_of(sta_dtype dtype, int ndim, const int64_t *shape)
{
    uint64_t hash = (uint64_t)dtype * 17 + (uint64_t)ndim;
    for (int a = 0; a < ndim; a++)
        hash = (hash ^ (uint64_t)shape[a]) * UINT64_C(0x9e3779b97f4a7c15);
    return (unsigned)(hash >> 32) % LISTS;
}

/* What was said of the content before. */
static void forget(struct sta__tile *tile)
{
    sta__failure_drop(atomic_load(&tile->failure));
    sta__reply_give(tile->reply);
    atomic_store(&tile->failure, NULL);
    tile->reply = NULL;
    tile->priority = 0;
    tile->owner = STA__OWNER_OPEN;
    tile->written = tile->doubtful = tile->asked = false;
    tile->due = 0;
    tile->cut_out = 0;
}

bool sta__spare_keep(struct sta__tile *tile)
{
    if (sta__runtime.gpus == 0 || sta__runtime.settings.ranks > 1 || !tile->handle || tile->root || tile->held ||
        !tile->written || tile->bytes > MOST_BYTES)
        return false;
    struct sta__tile **list = &spares.list[list_of(tile->dtype, tile->ndim, tile->shape)];
    pthread_mutex_lock(&spares.mutex);
    const bool room = spares.count < MOST;
    if (room) {
        forget(tile);
        tile->spare_next = *list;
        *list = tile;
        spares.count++;
    }
    pthread_mutex_unlock(&spares.mutex);
    return room;
}

static bool is_like(const struct sta__tile *tile, sta_dtype dtype, const int64_t *shape, int ndim)
{
    return tile->dtype == dtype && tile->ndim == ndim && memcmp(tile->shape, shape, sizeof *shape * (size_t)ndim) == 0;
}

struct sta__tile *sta__spare_take(sta_dtype dtype, const struct sta__box *box)
{
    int64_t shape[STA_MAXDIM];
    if (sta__runtime.gpus == 0)
        return NULL;
    for (int a = 0; a < box->ndim; a++)
        shape[a] = box->to[a] - box->from[a];
    pthread_mutex_lock(&spares.mutex);
    struct sta__tile **at = &spares.list[list_of(dtype, box->ndim, shape)];
    while (*at && !is_like(*at, dtype, shape, box->ndim))
        at = &(*at)->spare_next;
    struct sta__tile *tile = *at;
    if (tile) {
        *at = tile->spare_next;
        spares.count--;
    }
    pthread_mutex_unlock(&spares.mutex);
    if (!tile)
        return NULL;
    tile->spare_next = NULL;
    tile->tag = sta__tag_next();
    atomic_store(&tile->references, 1);
    return tile;
}

void sta__spares_drop(void)
{
    struct sta__tile *list[LISTS];
    pthread_mutex_lock(&spares.mutex);
    memcpy(list, spares.list, sizeof list);
    memset(spares.list, 0, sizeof spares.list);
    spares.count = 0;
    pthread_mutex_unlock(&spares.mutex);
    for (int l = 0; l < LISTS; l++)
        while (list[l]) {
            struct sta__tile *tile = list[l];
            list[l] = tile->spare_next;
            sta__tile_unregister(tile);
        }
}
