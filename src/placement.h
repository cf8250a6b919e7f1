/* Which workers may take a task, where the scheduler cannot know better. */
#ifndef STA__PLACEMENT_H
#define STA__PLACEMENT_H

#include "task.h"

struct starpu_task;

/* Before the task is submitted, one of so many of its operation. With the lock. */
void sta__place(struct sta__task *task, int64_t tasks, struct starpu_task *starpu);

#endif
