/* Batches that are worth less than the way to a worker and back: the calling thread runs them. With the lock. */
#ifndef STA__HERE_H
#define STA__HERE_H

#include "task.h"

/* Whether nobody else is at work, so that what a tile holds can be had without waiting for a worker. */
bool sta__all_quiet(void);
/* Whether the calling thread can read the tile as it lies in host memory, as long as it keeps the lock. */
bool sta__here_reads(const struct sta__tile *tile);
enum { STA__MOST_HERE = 64 }; /* tasks of a batch */

/* Whether what the task reads has been written. */
bool sta__here_ready(const struct sta__task *task);
/* Which of the tasks one thread has to run one after the other, as they change the same tiles: the first of each such chain, from
 * which `after` leads on. Returns how many there are. */
int sta__here_chains(struct sta__task **tasks, int count, struct sta__task **heads);
/* Whether the calling thread is to run all tasks of the batch, and how many workers are to help; without helpers one after
 * the other. Tiles that they write have memory then, and the tasks' operands are those of sta__tile_memory_here. */
bool sta__here_takes(const struct sta__batch *batch, int *helpers);
/* The caller waits for what it asked for last: it may compute again. */
void sta__here_waits(void);
/* Whether tasks in flight may end soon: some were submitted since this was asked last. Then the caller waits for them awake
 * for a short while, without the lock. */
bool sta__here_soon(void);
void sta__here_spin(void);

#endif
