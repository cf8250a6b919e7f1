/* The library's start and end, for its own parts. */
#ifndef STA__RUNTIME_H
#define STA__RUNTIME_H

#include "internal.h"

/* Builds for debugging look who takes the lock. */
#ifdef NDEBUG
#define STA__LOCK_INITIALIZER PTHREAD_MUTEX_INITIALIZER
#else
#define STA__LOCK_INITIALIZER PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP
#endif

bool sta__started(void);
/* Called by sta_finish when no task runs any more, StarPU still does; last come, first called; then forgotten. */
void sta__at_finish(void (*function)(void));
/* Whether the caller is a body or a callback: there it must not wait. */
bool sta__inside_task(void);
/* Whether the calling thread holds the lock. */
bool sta__lock_held(void);

/* The bytes of results of tasks that have not ended. enter counts one task and does not wait; sta__budget_wait does. */
void sta__budget_enter(int64_t bytes);
void sta__budget_leave(int64_t bytes);
/* Until no task of the library is left. */
void sta__tasks_wait(void);

/* Around a body of a team: its threads may run on every core, also where the worker may not, and workers without tasks
 * leave them theirs. */
void sta__team_begin(cpu_set_t *bound);
void sta__team_end(const cpu_set_t *bound);

/* How StarPU was set up (src/workers.c). */
struct sta__wishes;
/* Starts or joins StarPU and fills in what depends on it. False: text. */
bool sta__workers_start(const struct sta__wishes *wishes, struct sta__settings *settings, bool *joined, char *text,
                        size_t bytes);

#endif
