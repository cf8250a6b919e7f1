/* Errors of tasks: reference-counted, shared by the tiles that inherit them. */
#ifndef STA__FAILURE_H
#define STA__FAILURE_H

#include "internal.h"

/* Never NULL: without memory a standing one that says so. The caller owns one reference. */
struct sta__failure *sta__failure_new(sta_error_code code, int64_t operation, int64_t tile, const char *op,
                                      const char *format, ...) STA__PRINTF(5, 6);
struct sta__failure *sta__failure_take(struct sta__failure *failure);
void sta__failure_drop(struct sta__failure *failure); /* NULL is fine */
/* Whether a comes before b: of the errors of a tile the first by (operation, tile) stays. */
bool sta__failure_before(const struct sta__failure *a, const struct sta__failure *b);
/* The error for the user: it stays valid until sta_finish. */
const sta_error *sta__failure_keep(struct sta__failure *failure);
void sta__failures_finish(void); /* lets go of what was kept */

#endif
