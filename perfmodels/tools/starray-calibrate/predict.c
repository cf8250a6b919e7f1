/* How good predictions are: programs that no point contains, at sizes that none has. */
#include "calibrate.h"

#include <math.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double median_of(double *values, size_t count)
{
    qsort(values, count, sizeof *values, compare);
    return count ? (values[(count - 1) / 2] + values[count / 2]) / 2 : NAN;
}

/* Only of times in which nobody else had the cores, unless there are no others. */
static double median_of_those(const struct plan *plan, bool seen, int variant, bool undisturbed)
{
    double error[1024];
    size_t count = 0;
    for (guint k = 0; k < plan->predictions->len && count < 1024; k++) {
        const struct prediction *p = &g_array_index(plan->predictions, struct prediction, k);
        if (p->seen == seen && (variant < 0 || p->variant == (enum sta__variant)variant) &&
            (p->undisturbed || !undisturbed))
            error[count++] = fabs(p->predicted / p->measured - 1);
    }
    return median_of(error, count);
}

double median_error(const struct plan *plan, bool seen, int variant)
{
    double error = median_of_those(plan, seen, variant, true);
    return isnan(error) ? median_of_those(plan, seen, variant, false) : error;
}

static void add(struct plan *plan, struct prediction prediction, double predicted, double measured)
{
    prediction.predicted = predicted;
    prediction.measured = measured;
    if (predicted > 0 && measured > 0 && isfinite(predicted))
        g_array_append_val(plan->predictions, prediction);
}

/* The cost table answers for what was never seen: for the machine at its best, as it was measured. Then the first times
 * are the history for later ones. */
static void predict(struct plan *plan, struct prediction p, const struct operands *operands, double seconds)
{
    struct series first = run_series(p.work, operands, 10, seconds / 2);
    if (first.error)
        return;
    p.undisturbed = first.undisturbed > 0;
    add(plan, p, first.estimate, first.best);
    if (first.undisturbed < 2) /* nothing was learned */
        return;
    struct series second = run_series(p.work, operands, 10, seconds / 2);
    p.seen = true;
    p.undisturbed = second.undisturbed > 0;
    if (!second.error)
        add(plan, p, second.predicted, second.median);
}

void predictions_measure(struct plan *plan)
{
    static const struct {
        sta_dtype dtype;
        int64_t n;
    } grid[] = {{STA_float64, 300000}, {STA_float32, 60000}, {STA_float64, 3000000}, {STA_float32, 1500000}};
    enum { GRID = sizeof grid / sizeof *grid };
    int count = GRID * STA__VARIANTS * unseen_count, done = 0;
    for (int g = 0; g < GRID; g++) {
        struct operands operands;
        sta_scope scope = sta_open();
        bool fine = progress_left(PART_PREDICTIONS) > 0 && operands_open(&operands, grid[g].dtype, grid[g].n);
        for (int u = 0; u < unseen_count && fine; u++)
            for (int v = 0; v < STA__VARIANTS && !stop_wanted(); v++, done++) {
                struct prediction p = {
                    .work = &unseen[u], .dtype = grid[g].dtype, .n = grid[g].n, .variant = (enum sta__variant)v};
                double left = progress_left(PART_PREDICTIONS);
                progress_show(PART_PREDICTIONS, done, count, "predictions");
                if (left > 0 && variant_force(p.variant))
                    predict(plan, p, &operands, fmin(left / (count - done), 0.3));
                variants_restore();
            }
        sta_close(scope);
    }
}
