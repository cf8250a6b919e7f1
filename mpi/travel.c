/* Tiles on their way between ranks. A tile is written once, so it goes to each rank at most once; tile->ranks remembers
 * which have it beside the owner, the same on every rank. Sender and receiver post their halves in the order of the calls
 * and find each other by the tile's number. */
#include "travel.h"

#include "partition/tile.h"
#include "ranks.h"

static atomic_llong
    tags; /* with ranks one thread makes tiles, so that they are numbered alike; without, any thread may */
static struct {
    atomic_llong sent, received, bytes_sent, bytes_received;
} traffic; /* atomic: user memory goes home from any thread */

int64_t sta__tag_next(void)
{
    return atomic_fetch_add(&tags, 1) + 1;
}

void sta__travel_start(void)
{
    atomic_store(&tags, 0);
    atomic_store(&traffic.sent, 0);
    atomic_store(&traffic.received, 0);
    atomic_store(&traffic.bytes_sent, 0);
    atomic_store(&traffic.bytes_received, 0);
}

struct sta__traffic sta__traffic(void)
{
    return (struct sta__traffic){atomic_load(&traffic.sent), atomic_load(&traffic.received),
                                 atomic_load(&traffic.bytes_sent), atomic_load(&traffic.bytes_received)};
}

static int ranks(void)
{
    return sta__runtime.settings.ranks;
}

int sta__tile_ranks_words(void)
{
    return ranks() > 1 ? (ranks() + 63) / 64 : 0;
}

static bool has(const struct sta__tile *tile, int rank)
{
    return tile->owner == rank || (tile->ranks[rank / 64] >> rank % 64 & 1);
}

static void set_all(struct sta__tile *tile, uint64_t word)
{
    for (int w = 0; w < sta__tile_ranks_words(); w++)
        tile->ranks[w] = word;
}

bool sta__tile_is_ours(const struct sta__tile *tile)
{
    return ranks() <= 1 || tile->owner == sta__runtime.settings.rank;
}

bool sta__tile_is_at(const struct sta__tile *tile, int rank)
{
    return ranks() <= 1 || has(tile, rank);
}

/* With a function to call, StarPU posts each send by itself. */
static void sent(void *nothing)
{
    (void)nothing;
}

static void send(struct sta__tile *tile, int to)
{
    atomic_fetch_add(&traffic.sent, 1);
    atomic_fetch_add(&traffic.bytes_sent, tile->bytes);
    starpu_mpi_isend_detached(sta__tile_handle(tile), to, tile->tag, sta__ranks_communicator(), sent, NULL);
}

static void receive(struct sta__tile *tile)
{
    atomic_fetch_add(&traffic.received, 1);
    atomic_fetch_add(&traffic.bytes_received, tile->bytes);
    starpu_mpi_irecv_detached(sta__tile_handle(tile), tile->owner, tile->tag, sta__ranks_communicator(), NULL, NULL);
}

static void bring(struct sta__tile *tile, int to)
{
    if (tile->owner < 0 || has(tile, to))
        return;
    tile->ranks[to / 64] |= (uint64_t)1 << to % 64;
    if (sta__runtime.settings.rank == tile->owner)
        send(tile, to);
    else if (sta__runtime.settings.rank == to)
        receive(tile);
}

static void claim(struct sta__tile *tile, int rank)
{
    tile->owner = rank;
    tile->written = true;
    set_all(tile, 0);
}

int sta__ranks_route(const struct sta__use *uses, int count, int64_t place, int64_t tasks)
{
    int rank = sta__rank_of_task(uses, count, place, tasks);
    for (int i = 0; i < count; i++)
        if (uses[i].reads)
            bring(uses[i].tile, rank);
    for (int i = 0; i < count; i++)
        if (uses[i].writes)
            claim(uses[i].tile, rank);
    return rank;
}

bool sta__ranks_fill(struct sta__tile *tile)
{
    if (ranks() > 1)
        claim(tile, tile->owner < 0 ? 0 : tile->owner);
    tile->written = true;
    return sta__tile_is_ours(tile);
}

void sta__tile_everywhere(struct sta__tile *tile)
{
    for (int rank = 0; rank < ranks() && ranks() > 1; rank++)
        bring(tile, rank);
}

void sta__tile_everyone_has(struct sta__tile *tile)
{
    if (tile->owner < 0)
        tile->owner = 0;
    set_all(tile, UINT64_MAX);
}

/* User memory is at home: its copies take no memory. */
void sta__tile_forget(struct sta__tile *tile)
{
    if (ranks() <= 1 || tile->root)
        return;
    if (!sta__tile_is_ours(tile) && has(tile, sta__runtime.settings.rank))
        starpu_data_invalidate_submit(tile->handle);
    set_all(tile, 0);
}

void sta__tiles_go_home(struct sta__tile *const *tiles, int64_t count)
{
    for (int64_t t = 0; t < count && ranks() > 1; t++)
        sta__tile_everywhere(tiles[t]);
}
