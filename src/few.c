/* Contract: few.h. */
#include "few.h"

#include "array.h"
#include "here.h"
#include "look.h"
#include "partition/tile.h"
#include "runtime.h"

bool sta__few_may(const struct sta__value *value, int references)
{
    return value->state == STA__TILED && !value->user && !value->read_only && !value->reshaped &&
           value->references == references && sta__runtime.settings.inline_bytes > 0 && !sta__looks(STA__LOOK_ALL) &&
           !sta__inside_task() && sta__all_quiet();
}

/* While no task is in flight a tile that was doubtful has failed or has not. */
bool sta__few_tile(const struct sta__value *value, int64_t t, struct sta__memory *memory)
{
    const struct sta__tile *tile = value->tiles[t];
    return tile->references == 1 && tile->written && !tile->root && !atomic_load(&tile->failure) &&
           sta__here_reads(tile) && sta__tile_memory_here(tile, memory);
}
