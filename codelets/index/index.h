/* What the parts of the family share: what an index selects, and how its elements are moved. */
#ifndef STA__INDEX_H
#define STA__INDEX_H

#include "array.h"
#include "codelets/index/loops.h"
#include "elementwise/ufunc.h"
#include "graph.h"
#include "internal.h"

#include <starray/index.h>

enum { STA__MAXARRAYS = STA__MAXOUTPUTS - 1 }; /* index arrays of one call, and a source, are results of one program */

/* ---- selections: an index with arrays in it, understood (select.c) ---- */

/* The elements that an index selects are numbered by the axes that the index arrays have together, `lead`, and those axes of
 * x that no array takes, `rest`: this is the order in which they are moved. NumPy may have `lead` elsewhere: axis i of the
 * result is axis order[i] of (lead..., rest...). */
struct sta__selection {
    struct sta__shape lead, rest, all; /* all: both */
    int arrays;
    struct sta__operand array[STA__MAXARRAYS]; /* integers of shape `lead` */
    int64_t length[STA__MAXARRAYS];            /* of the axis that it takes */
    int axis[STA__MAXARRAYS];                  /* which one, for errors */
    struct sta__view view;                     /* of x's frame: axes are those of `all` */
    int by[STA_MAXDIM];                        /* for each axis of the frame: the array that takes it, -1: none */
    int order[STA_MAXDIM];
};
/* The index on an array that sees its frame through `view`. Masks become index arrays, which waits. False: call->error. To
 * be ended either way. */
bool sta__select(struct sta__call *call, const struct sta__view *view, sta_items items, struct sta__selection *to);
void sta__select_end(struct sta__selection *s);
/* The same for one integer array along one axis; for one along an axis whose others go along with it (take_along_axis). */
bool sta__select_axis(struct sta__call *call, const struct sta__view *view, struct sta__operand *ids, int axis,
                      struct sta__selection *to);
bool sta__select_along(struct sta__call *call, const struct sta__view *view, struct sta__operand *ids, int axis,
                       struct sta__selection *to);
/* How what is selected lies in an array: its shape, how the elements are numbered there, and NumPy's view of it. */
struct sta__layout {
    struct sta__shape shape;
    struct sta__view all, order;
    int axis[STA_MAXDIM]; /* of (lead..., rest...), for each axis of the array */
};
struct sta__layout sta__select_layout(const struct sta__selection *s);
/* Grids of the array, and of the selection such that each box of it lies in one tile. False: no memory. */
bool sta__select_grids(const struct sta__selection *s, const struct sta__layout *layout, sta_dtype dtype, bool single,
                       struct sta__grid **array, struct sta__grid **all);
/* The source of an assignment broadcast to what is selected, axes in the order of `all`. False: call->error. */
bool sta__select_source(struct sta__call *call, const struct sta__selection *s, struct sta__operand *source);

/* ---- moving (move.c makes the tasks, cpu.c is the kernel) ---- */

enum sta__move_way { STA__MOVE_READ, STA__MOVE_WRITE, STA__MOVE_AT };

/* What the tasks of one move share. */
struct sta__move {
    atomic_int references;
    enum sta__move_way way;
    struct sta__grid *grid; /* of x's value */
    size_t item;
    int lead, rest; /* axes */
    int arrays, slot[STA__MAXARRAYS], axis[STA__MAXARRAYS];
    int64_t length[STA__MAXARRAYS];
    int64_t elements; /* of one index */
    int source_slot;  /* the program computes the source too; -1: it does not */
    int store_ndim;
    struct sta__axis_map map[STA_MAXDIM]; /* of the frame's axes, as the selection's view */
    int by[STA_MAXDIM];
    struct sta__at *at; /* MOVE_AT */
};
void sta__move_drop(struct sta__move *move);
double sta__move_cost(const struct sta__move *move); /* nanoseconds an index, roughly */

/* Reads: a new value that lies as the layout says. x: its value, TILED or NOW. NULL: call->error. */
struct sta__value *sta__move_read(struct sta__call *call, struct sta__value *x, struct sta__selection *s,
                                  const struct sta__layout *layout);

/* For `count` elements at[i], in order: x = f(x, y), y being `step` bytes apart. */
typedef void sta__direct(int64_t count, char *const *at, const char *with, int64_t step);
/* One operator of ufuncs.def applied to single elements, one after the other. */
struct sta__at {
    int op;
    sta_dtype type, compute[2], computed; /* which loop of the row; what it reads and gives */
    sta__loop loop;
    sta__loop widen, narrow;  /* from x's dtype to the loop's and back; NULL: they are the same */
    size_t item, source_item; /* bytes of x and of what is read with it */
    sta__direct *direct;      /* all of it in one loop; NULL: there is none */
    sta__put_loop *join;      /* and as they are found */
};
/* The dtype that the source is cast to. NONE: call->error. */
sta_dtype sta__at_types(struct sta__call *call, int op, sta_dtype x, const struct sta__value *source,
                        struct sta__at *to);

/* x[..] = source, or op(x[..], source) for a row of ufuncs.def. x: the store's value is in the frame that s selects from.
 * `source` has the axes of s->all. */
struct sta__writing {
    struct sta__selection *s;
    struct sta__operand *source;
    int op;       /* STA__NO_OP: assigns */
    bool refused; /* set where an error left everything as it was */
    bool again;   /* set where another thread was faster: nothing was done */
};
enum { STA__NO_OP = -1 };
void sta__index_write(struct sta__call *call, struct sta__store *store, void *argument);
/* One number to a few elements of an array of one axis, by the calling thread (few.c). False: it is not that, or an index is
 * out of range; nothing was written. */
bool sta__index_write_few(struct sta__value *x, const struct sta__selection *s, const struct sta__operand *source);

/* What a survey of the index arrays found (survey.c): which tiles of x each chunk of them reaches. */
struct sta__survey {
    struct sta__grid *chunks; /* of s->lead */
    int64_t words, *row;      /* of each chunk (move.h) */
};
/* Plans the program that computes the index arrays, and the source if it is not NULL (its axes are s->lead), as results
 * that no task stores. To be ended with sta__index_plan_end. */
struct sta__index_plan {
    struct sta__plan plan;
    bool there;
    int count;
    struct sta__value *value[STA__MAXOUTPUTS];
};
bool sta__index_plan(struct sta__call *call, const struct sta__selection *s, const struct sta__operand *source,
                     sta_dtype dtype, struct sta__index_plan *to);
void sta__index_plan_end(struct sta__index_plan *plan);
/* Looks at all indices, and waits for that where they are not small and there. An index out of range is an error. The
 * chunks' reference is taken over. */
bool sta__survey(struct sta__call *call, const struct sta__selection *s, struct sta__index_plan *plan,
                 const struct sta__value *x, struct sta__grid *chunks, struct sta__survey *to);
void sta__survey_end(struct sta__survey *survey);
/* The rows of an equal survey of the same array, which found no error; false: there was none (remember.c). */
bool sta__survey_recall(const struct sta__selection *s, const struct sta__value *x, struct sta__survey *survey);
void sta__survey_remember(const struct sta__selection *s, const struct sta__value *x, const struct sta__survey *survey);
/* The bits of tile t of a grid of s->all whose lead axes are cut as the chunks; NULL: any tile may be reached. */
const uint64_t *sta__survey_bits(const struct sta__survey *survey, const struct sta__grid *all, int64_t t);
/* The cuts that a grid of s->all makes along the lead axes. NULL: no memory. */
struct sta__grid *sta__index_chunks(const struct sta__grid *all, const struct sta__shape *lead);

/* What the tasks share. NULL: call->error. */
struct sta__move *sta__move_new(struct sta__call *call, enum sta__move_way way, const struct sta__value *x,
                                const struct sta__selection *s);
/* The numbers of the tiles that a chunk may reach, those of equal place along the rest axes one after the other; bits: of its
 * row, NULL: any along the axes that arrays take. To be released; NULL: no memory. */
int64_t *sta__move_tiles(const struct sta__move *move, const struct sta__box *all, const uint64_t *bits,
                         int64_t *count);
/* The partner of a task: what is read or written at the other side. */
struct sta__partner {
    struct sta__value *value; /* NULL: the program computes it */
    struct sta__view view;    /* of shape all */
};
/* One task for a box of s->all: moves between the partner and `count` tiles of x. first: the first task of its results. */
bool sta__move_task(struct sta__call *call, struct sta__batch *batch, struct sta__index_plan *plan,
                    struct sta__move *move, struct sta__value *x, const struct sta__box *all,
                    const struct sta__partner *partner, const int64_t *tiles, int64_t count, bool first);
enum { STA__MOST_PLACES = STA__MOSTBUFFERS - 32 }; /* tiles of x in one task */
enum { STA__MOST_PIECES = 24 };                    /* and of the index arrays */
/* Sees to it that no chunk needs more of these: copies arrays into the chunks' grid. False: call->error; too many chunks. */
bool sta__index_fit(struct sta__call *call, struct sta__index_plan *index, struct sta__grid *chunks);

/* ---- masks (mask.c, mask_cpu.c) ---- */

/* The indices of the elements that are not 0, one array an axis (new references): waits once. False: call->error. */
bool sta__mask_indices(struct sta__call *call, const struct sta__operand *mask, struct sta__value **to);
/* x[mask] for a mask of the leading axes of x. Waits once. */
struct sta__value *sta__mask_take(struct sta__call *call, const struct sta__operand *x,
                                  const struct sta__operand *mask);

#endif
