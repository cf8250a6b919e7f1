/* Handles, stores and scopes: what a sta_array names. */
#ifndef STA__ARRAY_H
#define STA__ARRAY_H

#include "internal.h"

/* What arrays and their views share: the value it has now. Assignment puts another value there. */
struct sta__store {
    atomic_int references;
    struct sta__value *value;
    const sta_error *error;     /* an assignment failed: everything that looks here gets this */
    struct sta__frame *natural; /* what the value was made as, once an array saw it in another frame */
    struct sta__place *place;   /* that made it, and at which call it was used last; where the doctor looks */
    int64_t used;
};

/* One slot of the slab. Freed slots go to a list; the generation tells a stale handle. */
struct sta__slot {
    uint32_t generation;
    bool alive;
    bool moved;              /* the next function that takes it frees it */
    uint32_t next, previous; /* in its scope, or in the free list; slot numbers, 0 = none */
    struct sta__scope_record *scope;
    struct sta__store *store;
    const sta_error *error;
    struct sta__frame *frame; /* what the view is a view of; NULL: the store's natural one */
    struct sta__view view;
};

struct sta__slot *sta__slot_of(sta_array x); /* NULL: stale, foreign, zero */
sta_array sta__array_error(const sta_error *error);
struct sta__store *sta__store_new(struct sta__value *value); /* takes the reference over */
void sta__store_drop(struct sta__store *store);
/* Leaves with an array that sees the elements of x in the frame, whose reference is taken over, under the view. */
sta_array sta__leave_frame(struct sta__call *call, struct sta__operand *x, struct sta__frame *frame);

/* Scopes (src/scope.c). */
struct sta__scope_record;
bool sta__scope_adopt(uint32_t number, struct sta__slot *slot); /* into the innermost scope of the thread */
void sta__scope_forget(struct sta__slot *slot);
void sta__slot_free(uint32_t number);
struct sta__slot *sta__slot_at(uint32_t number);
uint32_t sta__slot_number(sta_array x);
void sta__arrays_finish(void);
void sta__scopes_finish(void);

#endif
