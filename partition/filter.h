/* User memory as tiles: a root handle whose home is the user's memory, cut by our grid as a StarPU filter. */
#ifndef STA__FILTER_H
#define STA__FILTER_H

#include "internal.h"

struct _starpu_data_state;

/* The memory belongs to the library until done(argument), which is called once: after the last tile and the root were
 * dropped, every task on them has ended, and the values are home. It may be called from any thread, never with the
 * lock; it must not wait. done may be NULL. Strides are in bytes and may have any sign; NULL means C order.
 * NULL: no memory. With the lock; from an application thread. */
struct sta__root *sta__root_new(void *memory, sta_dtype dtype, const struct sta__shape *shape, const int64_t *stride,
                                const struct sta__grid *grid, void (*done)(void *argument), void *argument);
/* Its grid->tiles tiles; the caller gets one reference of each. Once. */
void sta__root_tiles(struct sta__root *root, struct sta__tile **to);
void sta__root_drop(struct sta__root *root);
/* Brings the values home: on return, the memory has what the tasks submitted before have written. The tiles can be used
 * as before. Waits: application threads only, without the lock. The caller holds the root or one of its tiles. */
void sta__root_home(struct sta__root *root);

/* Calls what is due, now that the lock is free; sta__unlock does it. */
void sta__roots_settle(void);
/* Waits until the roots that were dropped are done. Application threads only. */
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
/* A `done` for sta__root_new. */
void sta__handle_return(void *handle);

#endif
