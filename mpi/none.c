/* Stands in for the rest of this folder where there is no MPI: one rank. */
#include "ranks.h"

#include "partition/tile.h"

#include <starray/mpi.h>

int sta_ranks(void)
{
    return 1;
}

int sta_rank(void)
{
    return 0;
}

bool sta__ranks_begin(const struct sta__wishes *wishes, char *text, size_t bytes)
{
    (void)wishes, (void)text, (void)bytes;
    return true;
}

bool sta__ranks_share(struct sta__wishes *wishes, bool fine, char *text, size_t bytes)
{
    (void)wishes, (void)text, (void)bytes;
    return fine;
}

int sta__ranks_cores(int cores)
{
    return cores;
}

int64_t sta__ranks_part(int64_t bytes)
{
    return bytes;
}

void sta__ranks_place(struct starpu_conf *conf, int cores)
{
    (void)conf, (void)cores;
}

bool sta__ranks_start(struct sta__settings *settings, int64_t *memory, bool joined, bool fine)
{
    (void)memory, (void)joined;
    settings->ranks = 1;
    settings->rank = 0;
    return fine;
}

void sta__ranks_end(void)
{
}

void sta__ranks_lost(const char *op)
{
    (void)op;
}

int sta__owner_of(const struct sta__grid *grid, int64_t tile)
{
    (void)grid, (void)tile;
    return 0;
}

int sta__rank_of_task(const struct sta__use *uses, int count, int64_t place, int64_t tasks)
{
    (void)uses, (void)count, (void)place, (void)tasks;
    return 0;
}

bool sta__ranks_fill(struct sta__tile *tile)
{
    return tile->written = true;
}

int64_t sta__tag_next(void)
{
    return 0;
}

int sta__tile_ranks_words(void)
{
    return 0;
}

int sta__ranks_route(const struct sta__use *uses, int count, int64_t place, int64_t tasks)
{
    (void)uses, (void)count, (void)place, (void)tasks;
    return 0;
}

bool sta__task_runs_here(const struct sta__task *task, int64_t place, int64_t tasks)
{
    (void)task, (void)place, (void)tasks;
    return true;
}

bool sta__batch_fits_ranks(const struct sta__batch *batch)
{
    (void)batch;
    return true;
}

void sta__tile_everywhere(struct sta__tile *tile)
{
    (void)tile;
}

void sta__tile_everyone_has(struct sta__tile *tile)
{
    (void)tile;
}

void sta__tile_forget(struct sta__tile *tile)
{
    (void)tile;
}

bool sta__tile_is_at(const struct sta__tile *tile, int rank)
{
    (void)tile, (void)rank;
    return true;
}

bool sta__tile_is_ours(const struct sta__tile *tile)
{
    (void)tile;
    return true;
}

void sta__tiles_go_home(struct sta__tile *const *tiles, int64_t count)
{
    (void)tiles, (void)count;
}

bool sta__ranks_agree(struct sta__call *call, const struct sta__failure *failure)
{
    (void)failure;
    return call->error != NULL;
}
