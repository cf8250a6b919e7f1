/* Errors of tasks: reference-counted, shared by the tiles that inherit them. */
#ifndef STA__FAILURE_H
#define STA__FAILURE_H

#include "internal.h"

/* Never NULL: without memory a standing one that says so. The caller owns one reference. */
struct sta__failure *sta__failure_new(sta_error_code code, const char *op, const char *text, int64_t operation,
                                      int64_t tile);
struct sta__failure *sta__failure_take(struct sta__failure *failure);
void sta__failure_drop(struct sta__failure *failure); /* NULL is fine */
/* Whether a comes before b: of the errors of a tile the first by (operation, tile) stays. */
bool sta__failure_before(const struct sta__failure *a, const struct sta__failure *b);
/* The error for the user: it stays valid until sta_finish. */
const sta_error *sta__error_of_failure(const struct sta__failure *failure);

/* A tile got an earlier one. Somebody may still look at this, so it lives until finish; its reference is taken over. */
void sta__failure_retire(struct sta__failure *failure);
void sta__failures_finish(void);

#endif
