/* For functions that are made of other public ones, where nothing has to be done under one lock. All of them look like
 *
 *      sta_array sta_f(sta_array x)
 *      {
 *          const sta_scope scope = sta_open();
 *          return sta__composed(scope, f(sta__taken(x)));
 *      }
 *
 * so that what is made on the way is gone at the end, and an operand of sta_move is given up once, not by the first step.
 */
#ifndef STA__COMPOSED_H
#define STA__COMPOSED_H

#include <starray/starray.h>

#include <stdbool.h>

/* The same array under a handle of the innermost scope; a zero one stays zero. */
sta_array sta__taken(sta_array x);
/* Whether x is in error as far as every rank knows: unlike sta_check, failed tasks are not looked at, since what is made must not
 * depend on how far they are; and what sta_move gives up stays there. */
bool sta__in_error(sta_array x);
/* x made flat; a number gets one axis and stays weak. */
sta_array sta__line(sta_array x);
/* Ends the scope; the result lives on in the one around it. */
sta_array sta__composed(sta_scope scope, sta_array result);
/* An array with a new error of function `op`. */
sta_array sta__failed(const char *op, sta_error_code code, const char *text);
/* The axis in range; or -1, and the error, as of function `op`, in *failed. */
int64_t sta__axis_in(const char *op, sta_array x, int64_t axis, sta_array *failed);
/* x[start:stop] along the axis, a view; stop 0: to the end. */
sta_array sta__along(sta_array x, int64_t axis, int64_t start, int64_t stop);

#endif
