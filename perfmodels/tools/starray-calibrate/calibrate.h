/* The parts of starray-calibrate: works (what is measured), points (a work at a size on a variant), the machine's costs,
 * the report. */
#ifndef STARRAY_CALIBRATE_H
#define STARRAY_CALIBRATE_H

#include "internal.h"
#include "look.h"
#include "perfmodels/cost.h"

#include <glib.h>

/* ---- works.c ---- */

struct operands {
    sta_array x, y, rows, square, vector; /* n elements each; rows (n / 256, 256), square (m, m) */
    int64_t n, m;
};
struct work {
    const char *name, *family;
    sta_array (*run)(const struct operands *operands);
    unsigned dtypes; /* bits of sta_dtype */
    bool quick;      /* with --quick too */
    double power;    /* of the elements that its time grows with: 1.5 for products of matrices */
};
extern const struct work works[];
extern const int work_count;
bool operands_open(struct operands *operands, sta_dtype dtype, int64_t n);

/* Programs that no work contains, for the error of predictions: `number` in 0 .. unseen_count - 1. */
extern const int unseen_count;
sta_array unseen_run(int number, const struct operands *operands, const char **name);

/* ---- points.c ---- */

struct point {
    const struct work *work;
    sta_dtype dtype;
    int64_t n;
    enum sta__variant variant;
    double microseconds; /* 0: not measured */
    double bytes, flops;
};
struct prediction {
    char name[64];
    enum sta__variant variant;
    double predicted, measured; /* microseconds */
    bool seen;                  /* there was a history of it */
};
struct plan {
    GArray *points;      /* struct point */
    GArray *predictions; /* struct prediction */
    bool full;
    double limit; /* seconds; 0 = none */
    const char *only;
};
extern const char *const variant_names[STA__VARIANTS];
void plan_points(struct plan *plan);
/* Makes the variant the only one that may run. False: this machine has no worker of it. */
bool variant_force(enum sta__variant variant);
void variants_restore(void);
/* Runs it some times in one tile. False: an error (text). */
bool point_measure(struct point *point, const struct plan *plan, char *text, size_t bytes);
void predictions_measure(struct plan *plan);

/* ---- costs.c ---- */

void costs_measure(struct sta__costs *costs, const struct plan *plan); /* after the points */
void loops_measure(bool full);

/* ---- state.c: what was done, so that a calibration can go on ---- */

GKeyFile *state_open(bool restart);
bool state_find(GKeyFile *state, struct point *point);
void state_add(GKeyFile *state, const struct point *point);
void state_save(GKeyFile *state);

/* ---- progress.c ---- */

void progress_start(double limit);
void progress_show(int done, int all, const char *what);
void progress_end(void);
double progress_seconds(void);

/* ---- report.c ---- */

bool report_write(const char *path, const struct plan *plan, char *text, size_t bytes);
/* Elements from where `faster` beats `slower` for a work and dtype; 0: nowhere, -1: one of them was not measured. */
int64_t crossover(const struct plan *plan, const struct work *work, sta_dtype dtype, enum sta__variant slower,
                  enum sta__variant faster);
double median_error(const struct plan *plan, bool seen);

#endif
