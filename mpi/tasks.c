/* Tasks as the ranks see them. */
#include "ranks.h"

#include "task.h"

#include <limits.h>

/* MPI counts bytes in an int; a parcel has a header (partition/parcel.c). */
enum { MOST_BYTES = INT_MAX - 256 };

bool sta__task_runs_here(const struct sta__task *task, int64_t place, int64_t tasks)
{
    struct sta__use few[STA__MAXBUFFERS] = {{NULL, false, false}}, *uses = few;
    int count = 0;
    if (task->buffers > STA__MAXBUFFERS && !(uses = sta__allocate(sizeof *uses * (size_t)task->buffers)))
        sta__ranks_lost(task->op); /* ends the job */
    for (int i = 0; i < task->count; i++) {
        const struct entry *entry = &task->entry[i];
        if (!entry->tile)
            continue;
        uses[entry->buffer] = (struct sta__use){entry->tile, entry->access != WRITES, entry->access != READS};
        count = entry->buffer >= count ? entry->buffer + 1 : count;
    }
    bool here = sta__ranks_route(uses, count, place, tasks) == sta__runtime.settings.rank;
    if (uses != few)
        sta__release(uses);
    return here;
}

bool sta__batch_fits_ranks(const struct sta__batch *batch)
{
    struct sta__task **tasks = (struct sta__task **)(void *)batch->tasks.data;
    for (size_t i = 0; i < batch->tasks.count && sta__runtime.settings.ranks > 1; i++)
        for (int k = 0; k < tasks[i]->count; k++)
            if (tasks[i]->entry[k].tile && tasks[i]->entry[k].tile->bytes > MOST_BYTES) {
                sta__fail(batch->call, STA_ERROR_TOO_LARGE,
                          "a tile of %lld bytes cannot travel between ranks: STA_TILE_ELEMS cuts smaller ones",
                          (long long)tasks[i]->entry[k].tile->bytes);
                return false;
            }
    return true;
}
