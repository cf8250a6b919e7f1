/* Workers help the calling thread with what it runs itself (here.h). With the lock. */
#ifndef STA__HELP_H
#define STA__HELP_H

#include "task.h"

/* Runs each of the tasks, in any order, by the caller and up to `helpers` workers. Returns when all are done. */
void sta__help(struct sta__task **tasks, int count, int helpers, void (*run)(struct sta__task *task));

#endif
