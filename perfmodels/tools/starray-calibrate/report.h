/* The parts of the page. */
#ifndef STARRAY_REPORT_H
#define STARRAY_REPORT_H

#include "calibrate.h"

#include <stdio.h>

extern const char report_style[]; /* the page's head with its style sheet (style.c) */

/* plots.c */
void put_times(FILE *to, const struct plan *plan);
void put_speeds(FILE *to, const struct plan *plan);
void put_predictions(FILE *to, const struct plan *plan);

/* tables.c */
void put_winners(FILE *to, const struct plan *plan);
void put_errors(FILE *to, const struct plan *plan);
void put_costs(FILE *to);
void put_loops(FILE *to);

#endif
