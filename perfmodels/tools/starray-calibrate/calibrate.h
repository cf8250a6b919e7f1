/* The parts of starray-calibrate: works (what is measured), runs (one of them, timed), points (a work at a size on a
 * variant), the machine's costs, predictions, the report. */
#ifndef STARRAY_CALIBRATE_H
#define STARRAY_CALIBRATE_H

#include "internal.h"
#include "look.h"
#include "perfmodels/model.h"

#include <glib.h>

/* ---- progress.c ---- */

/* Parts of the whole, one after the other, as shares of the time. */
enum part { PART_LOOPS, PART_POINTS, PART_LOOPS_AGAIN, PART_POINTS_AGAIN, PART_SIZES, PART_PREDICTIONS, PARTS };
void progress_start(double budget);
void progress_show(enum part part, int done, int all, const char *what);
void progress_end(void);
double progress_seconds(void);
/* Seconds until the part has to be done; a day where there is no budget. */
double progress_left(enum part part);

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
    int folds;       /* how often each element is folded into a reduction */
};
extern const struct work works[], unseen[]; /* unseen: for the error of predictions, contained in no work */
extern const int work_count, unseen_count;
/* In one tile each, by one core where there is one; in the current scope. */
bool operands_open(struct operands *operands, sta_dtype dtype, int64_t n);

/* ---- runs.c: one work, timed ---- */

/* The figures of one run, from many. */
struct series {
    double best, median; /* microseconds of all bodies; of undisturbed ones where there are */
    double estimate;     /* by the cost table */
    double predicted;    /* by the histories as they were before, where there are */
    double bytes, nanoseconds, flops;
    int tasks;
    char symbol[72];        /* of the history of the longest task */
    int runs, undisturbed;  /* runs; those in which no thread of ours waited for a core */
    const sta_error *error; /* then nothing else counts */
};
extern const char *const variant_names[STA__VARIANTS];
/* Makes the variant the only one that may run. False: this machine has no worker of it. */
bool variant_force(enum sta__variant variant);
void variants_restore(void);
/* On the variant that was forced, in one tile, some `enough` times within so many seconds. What was not disturbed goes
 * into the histories. */
struct series run_series(const struct work *work, const struct operands *operands, int enough, double seconds);

/* ---- points.c ---- */

struct point {
    const struct work *work;
    sta_dtype dtype;
    int64_t n;
    enum sta__variant variant;
    double microseconds; /* the best; 0: not measured */
    double median;
    double bytes, nanoseconds, flops;
    int tasks;
    bool undisturbed;
    bool fresh; /* measured by this call */
    char symbol[72];
};
struct prediction {
    const struct work *work;
    sta_dtype dtype;
    int64_t n;
    enum sta__variant variant;
    double predicted, measured; /* microseconds */
    bool seen;                  /* there was a history of it */
    bool undisturbed;
};
struct plan {
    GArray *points;      /* struct point */
    GArray *predictions; /* struct prediction */
    bool full;
    double budget; /* seconds; 0 = none */
    const char *only;
};
void plan_points(struct plan *plan);
/* Returns how many failed; those for which there is no time stay unmeasured. PART_POINTS_AGAIN: those that this call has
 * measured, once more. */
int measure_points(struct plan *plan, GKeyFile *state, enum part part);
bool stop_wanted(void); /* by a signal */
int count_measured(const struct plan *plan, int *disturbed);

/* ---- costs.c, loops.c, sizes.c: the cost table; costs_fit after the points ---- */

void loops_measure(const struct plan *plan, enum part part); /* PART_LOOPS_AGAIN: the better of both times counts */
void loops_refine(int turn); /* now and then: a short time of quiet is enough for a loop */
void costs_fit(struct sta__costs *costs, const struct plan *plan);
void sizes_measure(struct sta__costs *costs);

/* ---- predict.c ---- */

void predictions_measure(struct plan *plan);
/* The median over a variant (-1: all); NaN: there is none. */
double median_error(const struct plan *plan, bool seen, int variant);
double median_of(double *values, size_t count); /* sorts them */

/* ---- state.c: what was done, so that a calibration can go on ---- */

GKeyFile *state_open(bool restart);
bool state_find(GKeyFile *state, struct point *point); /* true: it need not be measured any more */
void state_add(GKeyFile *state, const struct point *point);
bool state_save(GKeyFile *state, bool at_end); /* with the histories; false: said why */

/* ---- share.c ---- */

/* Into the cost table that was just written: how much of it was measured, and how good its predictions are. */
void quality_note(const struct plan *plan);
/* Copies the cost table of this machine to FOLDER/DESCRIPTION.ini; text: the path, or why not. */
bool table_export(const char *folder, char *text, size_t bytes);

/* ---- report.c ---- */

bool report_write(const char *path, const struct plan *plan, char *text, size_t bytes);
/* Elements from where `faster` beats `slower` for a work and dtype; 0: nowhere, -1: one of them was not measured. */
int64_t crossover(const struct plan *plan, const struct work *work, sta_dtype dtype, enum sta__variant slower,
                  enum sta__variant faster);
const struct point *point_of(const struct plan *plan, const struct work *work, sta_dtype dtype, int64_t n,
                             enum sta__variant variant);

#endif
