/* Tasks that are placed late. A scheduler places a task as soon as it is ready, by what it expects of the workers, and never
 * takes it back. Where cores and GPUs share an operation on data in host memory, all of its tasks would be placed at once, and
 * a core that is held up would keep what a GPU has long been idle for. So only some are ready at first; each that ends makes
 * the next one ready. */
#ifndef STA__LATE_H
#define STA__LATE_H

#include "internal.h"

struct sta__late;

/* For the tasks of one operation, in their order. NULL: none of them waits (or there is no memory: then they need not). */
struct sta__late *sta__late_open(struct sta__task **tasks, int64_t count);
/* Before the task, number `index` of them, is submitted. */
void sta__late_hold(struct sta__late *late, int64_t index, struct starpu_task *task);
/* A task has ended, or was never submitted; after the last one nothing is left. From any thread; NULL: does nothing. */
void sta__late_next(struct sta__late *late);

/* For tests: of every operation only so many tasks are ready at first; 0: as usual. With the lock, or alone. */
void sta__late_for_all(int64_t first);

#endif
