/* Which works are measured at which sizes on which variants. */
#include "calibrate.h"

#include <stdio.h>
#include <string.h>

/* Additions have a finer grid: the speeds of memory and caches follow from them. */
static bool has_size(const struct plan *plan, const struct work *work, sta_dtype dtype, int bits,
                     enum sta__variant variant)
{
    bool first = work == works, cuda = variant == STA__CUDA;
    if (!plan->full && bits != 12 && bits != 16 && bits != 20 && bits != 22 && !(first && bits % 2 == 0))
        return false;
    if (!plan->full && bits > 22 && !(first && cuda && dtype == STA_float32))
        return false;
    if (work->power > 1 && bits > (cuda ? 26 : plan->full ? 22 : 20))
        return false;
    return bits <= (cuda ? 26 : 24);
}

static void add_points(struct plan *plan, sta_dtype dtype, int bits, bool first)
{
    static const unsigned quick_dtypes = 1U << STA_float32 | 1U << STA_float64;
    if (!plan->full && !(quick_dtypes >> dtype & 1))
        return;
    for (int w = 0; w < work_count; w++)
        for (int v = 0; v < STA__VARIANTS; v++) {
            const struct work *work = &works[w];
            bool wanted = (w == 0) == first && (plan->full || work->quick) && work->dtypes >> dtype & 1 &&
                          (!plan->only || strcmp(plan->only, work->family) == 0 || first);
            if (wanted && has_size(plan, work, dtype, bits, (enum sta__variant)v) &&
                variant_force((enum sta__variant)v)) {
                struct point point = {
                    .work = work, .dtype = dtype, .n = (int64_t)1 << bits, .variant = (enum sta__variant)v};
                g_array_append_val(plan->points, point);
            }
        }
}

/* Of one size and dtype together, so that they share operands; small ones first: there may be no time for the others. */
void plan_points(struct plan *plan)
{
    for (int first = 1; first >= 0; first--)
        for (int bits = plan->full ? 8 : 12; bits <= 26; bits += 2)
            for (int dtype = 0; dtype < STA__DTYPES; dtype++)
                if (sta__dtype_valid((sta_dtype)dtype))
                    add_points(plan, (sta_dtype)dtype, bits, first);
    variants_restore();
}

/* Of two measurements the better one counts; what the loops cost is known better by the later one. */
static void take_over(struct point *point, const struct series *series)
{
    bool again = point->microseconds > 0, undisturbed = series->undisturbed > 0;
    bool better = !again || (undisturbed && !point->undisturbed) ||
                  (undisturbed == point->undisturbed && series->best < point->microseconds);
    point->microseconds = better ? series->best : point->microseconds;
    point->median = better ? series->median : point->median;
    point->undisturbed |= undisturbed;
    point->bytes = series->bytes;
    point->nanoseconds = series->nanoseconds;
    point->flops = series->flops;
    point->tasks = series->tasks;
    point->fresh = true;
    g_strlcpy(point->symbol, series->symbol, sizeof point->symbol);
}

/* Operands of the last point, for the next one. */
struct open {
    sta_scope scope;
    struct operands operands;
    sta_dtype dtype;
    bool fine;
};

static bool prepare(struct open *open, const struct point *point)
{
    if (open->fine && open->dtype == point->dtype && open->operands.n == point->n)
        return true;
    sta_close(open->scope);
    open->scope = sta_open();
    open->dtype = point->dtype;
    return open->fine = operands_open(&open->operands, point->dtype, point->n);
}

static bool measure(struct point *point, struct open *open, double seconds, bool full)
{
    struct series series = {0};
    bool fine = prepare(open, point);
    if (fine) {
        variant_force(point->variant);
        series = run_series(point->work, &open->operands, full ? 24 : 10, seconds);
        variants_restore();
    }
    fine = fine && !series.error;
    if (fine)
        take_over(point, &series);
    else
        g_printerr("starray-calibrate: %s of %lld %s on %s: %s\n", point->work->name, (long long)point->n,
                   sta__dtype_brief(point->dtype), variant_names[point->variant],
                   series.error ? series.error->text : "no memory for its operands");
    return fine;
}

int measure_points(struct plan *plan, GKeyFile *state, enum part part)
{
    int failed = 0, count = (int)plan->points->len;
    struct open open = {.scope = sta_open()};
    double saved = progress_seconds();
    char text[200];
    for (int k = 0; k < count && !stop_wanted(); k++) {
        struct point *point = &g_array_index(plan->points, struct point, (guint)k);
        double left = progress_left(part);
        if (left <= 0 || (part == PART_POINTS ? state_find(state, point) : !point->fresh))
            continue;
        snprintf(text, sizeof text, "%s %s %lld on %s", point->work->name, sta__dtype_brief(point->dtype),
                 (long long)point->n, variant_names[point->variant]);
        progress_show(part, k, count, text);
        if (k % 12 == 11)
            loops_refine(k / 12);
        double share = plan->full ? 0.5 : left / (count - k);
        if (measure(point, &open, share < 0.5 ? share : 0.5, plan->full))
            state_add(state, point);
        else
            failed++;
        if (progress_seconds() - saved > 2 && state_save(state, false))
            saved = progress_seconds();
    }
    sta_close(open.scope);
    return failed;
}
