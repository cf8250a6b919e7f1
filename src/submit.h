/* What the submitter needs of its neighbours. */
#ifndef STA__SUBMIT_H
#define STA__SUBMIT_H

#include "internal.h"

/* The functions of every codelet. */
struct sta__variants {
    void (*sequential)(void *buffers[], void *task);
    void (*openmp)(void *buffers[], void *task);
    void (*epilogue)(void *task);
    void (*callback)(void *task);
};
extern const struct sta__variants sta__variants;

int sta__priority(int depth); /* in the range of the scheduler */

/* Failures of tasks (src/failure.c). */
struct sta__failure *sta__failure_new(sta_error_code code, const char *op, const char *text, int64_t operation, int64_t tile);
struct sta__failure *sta__failure_take(struct sta__failure *failure);
void sta__failure_drop(struct sta__failure *failure);
bool sta__failure_before(const struct sta__failure *a, const struct sta__failure *b);
const sta_error *sta__error_of_failure(const struct sta__failure *failure);

/* The bytes of results of tasks that have not ended (src/runtime.c). */
void sta__budget_enter(int64_t bytes); /* counts them; does not wait: sta__budget_wait does */
void sta__budget_leave(int64_t bytes);

#endif
