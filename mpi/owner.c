/* Who owns a tile and who runs a task. Everything here depends on shapes and on the order of the calls only. */
#include "ranks.h"

/* Blocks of the tiles in C order: as even as they can be, and neighbours stay together. Tiles are counted in 31 bits. */
static int block(int64_t place, int64_t count)
{
    return (int)(place * sta__runtime.settings.ranks / count);
}

int sta__owner_of(const struct sta__grid *grid, int64_t tile)
{
    if (grid->tiles == 1)
        return STA__OWNER_OPEN;
    return block(tile, grid->tiles);
}

static int owner_of_written(const struct sta__use *uses, int count)
{
    for (int i = 0; i < count; i++)
        if (uses[i].writes && uses[i].tile->owner >= 0)
            return uses[i].tile->owner;
    return STA__OWNER_OPEN;
}

/* A task has few tiles: no table by rank. */
static int owner_of_most(const struct sta__use *uses, int count)
{
    int64_t most = -1;
    int best = STA__OWNER_OPEN;
    for (int i = 0; i < count; i++) {
        int owner = uses[i].tile->owner;
        int64_t bytes = 0;
        if (!uses[i].reads || owner < 0)
            continue;
        for (int k = 0; k < count; k++)
            bytes += uses[k].reads && uses[k].tile->owner == owner ? uses[k].tile->bytes : 0;
        if (bytes > most || (bytes == most && owner < best)) {
            most = bytes;
            best = owner;
        }
    }
    return best;
}

int sta__rank_of_task(const struct sta__use *uses, int count, int64_t place, int64_t tasks)
{
    int rank = owner_of_written(uses, count);
    if (rank < 0)
        rank = owner_of_most(uses, count);
    return rank < 0 ? block(place, tasks) : rank;
}
