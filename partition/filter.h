/* User memory as tiles: a root handle whose home is the user's memory, cut by our grid as a StarPU filter. */
#ifndef STA__FILTER_H
#define STA__FILTER_H

#include "internal.h"

struct _starpu_data_state;

/* Who is told, once, when the library has let go of the memory: every tile was dropped, every task on them has ended, and
 * the values are home. It may be any thread, never with the lock; it must not wait. */
struct sta__owner {
    void (*done)(void *argument); /* NULL: nobody */
    void *argument;
};
/* Registers the memory and cuts it by the grid; the tiles (grid->tiles of them, one at least) go to `tiles`, each with
 * one reference. The root lives as long as one of them. Strides are in bytes and may have any sign; NULL: C order.
 * False: no memory, nothing is left behind and done was not called. With the lock; from an application thread. */
bool sta__root_make(void *memory, sta_dtype dtype, const int64_t *stride, const struct sta__grid *grid,
                    struct sta__owner owner, struct sta__tile **tiles);
/* Brings the values home: on return, the memory has what the tasks submitted before have written. The tiles can be used
 * as before. Waits: application threads only, without the lock. The caller holds one of them. */
void sta__root_home(struct sta__root *root);

/* Calls what is due, now that the lock is free; sta__unlock does it. */
void sta__roots_settle(void);
/* Waits until every owner of dropped roots was told. Application threads only. */
void sta__roots_finish(void);

/* ---- data that a StarPU program has registered itself: its vectors, matrices, blocks and variables ---- */

/* They are borrowed: the library holds them acquired (read and write, in main memory) while an array is made of them.
 * So opening waits for what the program has submitted on the handle, and what it submits later waits until the array
 * and its tasks are gone. */
struct sta__borrowed {
    void *memory;
    size_t item; /* bytes of an element */
    struct sta__shape shape;
    int64_t stride[STA_MAXDIM];
};
/* False: StarPU knows the data by an interface that we do not. Waits: application threads only, without the lock. */
bool sta__handle_borrow(struct _starpu_data_state *handle, struct sta__borrowed *to);
/* A `done` for sta__root_make. */
void sta__handle_return(void *handle);

#endif
