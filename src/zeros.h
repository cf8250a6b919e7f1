/* Arrays of zeros that nobody computes: memory that comes from the system is zero, and pages that are dropped become so. */
#ifndef STA__ZEROS_H
#define STA__ZEROS_H

#include "graph.h"

/* The plan's one result, a new reference, written; NULL: tasks are to write it. With the lock. */
struct sta__value *sta__zeros(const struct sta__call *call, const struct sta__plan *plan, struct sta__grid *grid);

#endif
