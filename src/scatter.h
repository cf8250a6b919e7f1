/* Writing through a view by tasks (assign.c chooses when). */
#ifndef STA__SCATTER_H
#define STA__SCATTER_H

#include "array.h"

/* The elements of the source, a pending value of the view's shape and the store's dtype, to those that the view shows of the store,
 * which is in tiles; the plan may replace *source. With the lock; errors are the call's. */
void sta__scatter(struct sta__call *call, struct sta__store *store, const struct sta__view *view,
                  struct sta__value **source);

#endif
