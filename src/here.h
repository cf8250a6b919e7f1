/* Tasks that are worth less than the way to a worker and back: the calling thread runs them. With the lock. */
#ifndef STA__HERE_H
#define STA__HERE_H

#include "task.h"

/* Whether nobody else is at work, so that what a tile holds can be had without waiting for a worker. */
bool sta__all_quiet(void);
/* Whether the batch is short altogether, on tiles of the library's own, and nobody else is at work. */
bool sta__here_fits(const struct sta__batch *batch);
/* Acquires the task's tiles: buffers[] are their interfaces, as a body gets them. False: StarPU refuses. */
bool sta__here_begin(const struct sta__task *task, void *buffers[]);
void sta__here_end(const struct sta__task *task);

#endif
