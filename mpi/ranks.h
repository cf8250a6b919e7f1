/* Several ranks that run the same program: who does what, and what travels between them. Where there is one rank (or no
 * MPI: none.c) all of this does nothing. With the lock, except where a line says otherwise. */
#ifndef STA__RANKS_H
#define STA__RANKS_H

#include "internal.h"

struct sta__wishes;
struct starpu_conf;

/* ---- start and end, without the lock, in this order (start.c) ---- */

/* Starts MPI if a launcher started this process as one of several, or uses the program's. False: text. */
bool sta__ranks_begin(const struct sta__wishes *wishes, char *text, size_t bytes);
/* Everybody goes on with the first rank's wishes, or fails with its text. */
bool sta__ranks_share(struct sta__wishes *wishes, bool fine, char *text, size_t bytes);
int sta__ranks_cores(int cores);        /* of the machine: this rank's part */
int64_t sta__ranks_part(int64_t bytes); /* of the machine's memory: this rank's part */
void sta__ranks_place(struct starpu_conf *conf, int cores);
/* StarPU runs here (or does not: fine). Everybody goes on with the first rank's sizes and the sum of memory, or nobody
 * does. Sets ranks and rank. */
bool sta__ranks_start(struct sta__settings *settings, int64_t *memory, bool joined, bool fine);
/* The tasks have ended and the tiles are gone. StarPU still runs. */
void sta__ranks_end(void);
/* This rank cannot do what the others do now, so that nobody can go on: ends the job. Nothing with one rank. */
void sta__ranks_lost(const char *op);

/* ---- owners: pure functions of shapes (owner.c) ---- */

enum { STA__OWNER_OPEN = -1 }; /* whoever writes the tile first */
int sta__owner_of(const struct sta__grid *grid, int64_t tile);
/* How a task uses a tile. */
struct sta__use {
    struct sta__tile *tile;
    bool reads, writes;
};
/* The rank that runs the task: the owner of the first tile it writes; else the one that has most of what it reads; else
 * by its place among the tasks of its operation. */
int sta__rank_of_task(const struct sta__use *uses, int count, int64_t place, int64_t tasks);
/* Whether this rank writes a tile by itself, without a task: for memory that all ranks have. It counts as written. */
bool sta__ranks_fill(struct sta__tile *tile);

/* ---- travel: every rank calls these for every tile, in the same order; it takes part in what concerns it (travel.c) ---- */

int64_t sta__tag_next(void);
int sta__tile_ranks_words(void); /* room that tile->ranks takes, in words of 64 bits */
/* Chooses the rank of a task, sends it what it reads and makes it the owner of what it writes. Answers the rank. */
int sta__ranks_route(const struct sta__use *uses, int count, int64_t place, int64_t tasks);
void sta__tile_everywhere(struct sta__tile *tile);            /* each rank gets it, if it has not */
void sta__tile_everyone_has(struct sta__tile *tile);          /* memory that all ranks have */
void sta__tile_forget(struct sta__tile *tile);                /* ends the copies */
bool sta__tile_is_ours(const struct sta__tile *tile);         /* this rank owns it */
bool sta__tile_is_at(const struct sta__tile *tile, int rank); /* that rank owns it, or has or will get a copy */
/* User memory that nobody uses any more, on its way home on every rank. From any thread, with or without the lock. */
void sta__tiles_go_home(struct sta__tile *const *tiles, int64_t count);

/* ---- tasks (tasks.c) ---- */

struct sta__task;
struct sta__batch;
/* Routes the task. Whether this rank runs it. */
bool sta__task_runs_here(const struct sta__task *task, int64_t place, int64_t tasks);
/* False: a tile is too large to travel, and the call has the error. */
bool sta__batch_fits_ranks(const struct sta__batch *batch);

/* ---- agreement (agree.c) ---- */

/* Collective: whether a rank has an error, of all the one that comes first, in call->error. `failure` is the one of
 * call->error where it comes from a task; else NULL. Releases the lock while it waits. */
bool sta__ranks_agree(struct sta__call *call, const struct sta__failure *failure);

#endif
