/* Frames: in which shape and dtype an array sees the elements of its store. A slice or a transpose is a view of the frame
 * that the array was in; a reshape, and a view of other elements (real parts, bytes), has a frame of its own.
 *
 * A whole frame is all of the store, the same bytes in C order: the store's value is turned into the frame that it is
 * wanted in, which costs nothing where the tiles fit, and stays there. A window is what a view of another frame shows:
 * read as a copy, and written back through that view. */
#ifndef STA__FRAME_H
#define STA__FRAME_H

#include "array.h"

struct sta__frame {
    atomic_int references;
    sta_dtype dtype;
    struct sta__shape shape;
    bool window;
    bool read_only;             /* its elements are not all there by themselves: a broadcast view */
    int64_t stride[STA_MAXDIM]; /* of a window: bytes from element to element where NumPy would have it in memory */
    struct sta__frame *parent;  /* of a window: the frame of `view`; NULL: the natural one */
    struct sta__view view;
};
struct sta__frame *sta__frame_take(struct sta__frame *frame); /* NULL is fine */
void sta__frame_drop(struct sta__frame *frame);

/* The value of an array in a frame, or of a store with several, as an operand. */
bool sta__frame_operand(struct sta__call *call, struct sta__slot *slot, struct sta__operand *to);
/* A new reference to what the store holds, in the frame: TILED or NOW. NULL: call->error. */
struct sta__value *sta__frame_value(struct sta__call *call, struct sta__store *store, struct sta__frame *frame);
/* Turns the store's value into a whole frame. False: call->error, or it is a window. */
bool sta__frame_enter(struct sta__call *call, struct sta__store *store, struct sta__frame *frame);
sta_dtype sta__slot_dtype(const struct sta__slot *slot);

/* Writes the store in the frame: `write` gets it with its value in that frame, or a store of its own for a window. */
typedef void sta__writer(struct sta__call *call, struct sta__store *store, void *argument);
void sta__frame_write(struct sta__call *call, struct sta__store *store, struct sta__frame *frame, sta__writer *write,
                      void *argument);

/* What is written: an array, looked at once. Close it with the call's error, if it has one. */
struct sta__target {
    sta_array array;
    struct sta__store *store;
    struct sta__frame *frame;
    struct sta__view view;
    bool refused; /* an error leaves the elements as they were meant to be */
};
bool sta__target_open(struct sta__call *call, sta_array x, struct sta__target *target); /* false: call->error */
void sta__target_close(struct sta__call *call, struct sta__target *target);
/* Broadcasts the source's view to the shape of what is assigned to. */
bool sta__assign_fits(struct sta__call *call, struct sta__operand *source, const struct sta__shape *target);
/* A small array that tasks will write becomes one in tiles. */
bool sta__store_spread(struct sta__call *call, struct sta__store *store);

/* Dtype and shape of the frame that the array's view is of. */
sta_dtype sta__frame_dtype(const struct sta__store *store, const struct sta__frame *frame);
const struct sta__shape *sta__frame_shape(const struct sta__store *store, const struct sta__frame *frame);

#endif
