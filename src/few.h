/* Writing a few elements of a large array: for these a task for each tile takes longer than all the rest. The calling thread
 * writes them where they lie, while no task is in flight and nobody else holds what they are in. With the lock. */
#ifndef STA__FEW_H
#define STA__FEW_H

#include "internal.h"

enum { STA__FEW = 8192 }; /* elements */

/* Whether the value's tiles can be written so at all; it has so many references. */
bool sta__few_may(const struct sta__value *value, int references);
/* Whether this tile can, and where it lies. */
bool sta__few_tile(const struct sta__value *value, int64_t tile, struct sta__memory *memory);

#endif
