/* Functions of arrays against NumPy, from a table: cases made by a module of tests/support, run by functions that know how
 * to call the library.
 *
 *      static void tile(struct sta_case *c)
 *      {
 *          c->out[c->outs++] = sta_tile(c->x[0], sta_case_dims(c, 0, 3));
 *      }
 *      static const struct sta_case_call calls[] = {STA_CALL(tile)};
 *      sta_test_cases("join_cases", calls, sizeof calls / sizeof *calls);
 *
 * The module's make(rng) yields tuples (call, arrays, numbers, results): the text of the call, "tile"; operands; integers;
 * and arrays, or the name of our error, "SHAPE", or (arrays, tolerance). An operand is an array, or (array, view), where
 * the view is one of cases.VIEWS, and the library gets it as a view, too.
 */
#ifndef STA_CASES_H
#define STA_CASES_H

#include "sta_test.h"

enum { STA_CASE_ARRAYS = 16 };

struct sta_case {
    sta_array x[STA_CASE_ARRAYS], out[STA_CASE_ARRAYS];
    int count, outs;
    const int64_t *n; /* numbers */
    int64_t numbers;
};

struct sta_case_call {
    const char *name;
    void (*run)(struct sta_case *c);
};
#define STA_CALL(function)                                                                                             \
    {                                                                                                                  \
#function, function                                                                                            \
    }

/* Numbers first .. first + count - 1 as a list. */
sta_dims sta_case_dims(const struct sta_case *c, int first, int count);
void sta_test_cases(const char *module, const struct sta_case_call *calls, size_t count);

#endif
