/* The tasks of a scan or a reduction in the making, for tasks.c and reductions.c. */
#ifndef STA__SCAN_TASKS_H
#define STA__SCAN_TASKS_H

#include "scan/scan.h"

struct sta__scan_run {
    struct sta__call *call;
    const struct sta__scan_request *r;
    struct sta__value *x, *y;
    struct sta__grid *grid;           /* of x */
    struct sta__batch *lists, *batch; /* tasks that make lists; tasks that write y */
    struct sta__tile **carry;         /* by lane: the list, or the last row, of what comes before */
    struct sta__value *partial;       /* where all is now: the list of the axis */
    int64_t below;                    /* tiles below the axis */
    bool now, serial;
};

/* A task for the box, whose memories are to be said; NULL: no memory, and the batch remembers. */
struct sta__scan_arguments *sta__scan_task(struct sta__scan_run *s, struct sta__batch *batch,
                                           const struct sta__kernel *kernel, const struct sta__box *box,
                                           struct sta__task **task);
/* Room for a list of so many nodes: rows of all cells of the box. */
struct sta__tile *sta__scan_list(struct sta__scan_run *s, const struct sta__box *box, int nodes);

/* Whether it is a reduction that sta__scan_reductions can make: not for GPUs or other ranks, which get tile by tile. */
bool sta__scan_goes_together(const struct sta__scan_run *s);
void sta__scan_reductions(struct sta__scan_run *s);

#endif
