/* Measuring: one work, at one size, on one variant, in one tile. The times are those of the bodies, as the library itself
 * measures them; so they go into StarPU's histories on the way. */
#include "calibrate.h"

#include "cuda.h"
#include "runtime.h"
#include "starpu_compat.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const variant_names[STA__VARIANTS] = {"cpu", "omp", "cuda"};

/* ---- which points there are ---- */

static void add_points(struct plan *plan, const struct work *work, sta_dtype dtype)
{
    static const int quick[] = {12, 16, 20, 22}, full[] = {8, 10, 12, 14, 16, 18, 20, 22, 24, 26};
    const int *sizes = plan->full ? full : quick;
    int count = plan->full ? (int)(sizeof full / sizeof *full) : (int)(sizeof quick / sizeof *quick);
    for (int k = 0; k < count; k++)
        for (int v = 0; v < STA__VARIANTS; v++) {
            struct point point = {work, dtype, (int64_t)1 << sizes[k], (enum sta__variant)v, 0, 0, 0};
            bool large = sizes[k] > (v == STA__CUDA ? 26 : 24);
            bool heavy = work->power > 1 && sizes[k] > (v == STA__CUDA ? 26 : plan->full ? 22 : 20);
            if (!large && !heavy && variant_force(point.variant))
                g_array_append_val(plan->points, point);
        }
    variants_restore();
}

void plan_points(struct plan *plan)
{
    static const unsigned quick_dtypes = 1U << STA_float32 | 1U << STA_float64;
    for (int w = 0; w < work_count; w++) {
        const struct work *work = &works[w];
        if ((!plan->full && !work->quick) || (plan->only && strcmp(plan->only, work->family) != 0))
            continue;
        for (int dtype = 0; dtype < STA__DTYPES; dtype++)
            if (work->dtypes >> dtype & 1 && (plan->full || quick_dtypes >> dtype & 1))
                add_points(plan, work, (sta_dtype)dtype);
    }
}

/* ---- one variant only ---- */

static struct {
    bool known;
    enum sta__cpu_variant cpu;
    enum sta__device_choice devices;
    int64_t tile_elements;
} usual;

bool variant_force(enum sta__variant variant)
{
    struct sta__settings *settings = &sta__runtime.settings;
    if (!usual.known) {
        usual.cpu = settings->cpu;
        usual.devices = settings->devices;
        usual.tile_elements = settings->tile_elements;
        usual.known = true;
    }
    settings->cpu = variant == STA__OPENMP ? STA__CPU_OMP : STA__CPU_SEQ;
    settings->devices = variant == STA__CUDA ? STA__DEVICES_CUDA : STA__DEVICES_CPU;
    return variant == STA__CUDA     ? sta__runtime.gpus > 0
           : variant == STA__OPENMP ? settings->threads > 1 && starpu_cpu_worker_get_count() > 0
                                    : starpu_cpu_worker_get_count() > 0;
}

void variants_restore(void)
{
    sta__runtime.settings.cpu = usual.cpu;
    sta__runtime.settings.devices = usual.devices;
    sta__runtime.settings.tile_elements = usual.tile_elements;
}

/* ---- running ---- */

/* The time of all bodies since the last sta_profile_reset, in microseconds. */
static double body_time(enum sta__variant variant, double *bytes, double *flops, double *predicted)
{
    double time = 0;
    *bytes = *flops = *predicted = 0;
    sta__profile_lock();
    for (const struct sta__profile_row *row = sta__profile.rows; row; row = row->next)
        if (row->variant == variant && row->timed) {
            time += row->microseconds;
            *bytes += row->bytes;
            *flops += row->flops;
            *predicted += row->predicted;
        }
    sta__profile_unlock();
    return time;
}

/* One run; its time, or -1 and the error. */
static double run_once(const struct point *point, const struct operands *operands, double *bytes, double *flops,
                       const sta_error **error)
{
    double predicted;
    sta_scope scope = sta_open();
    sta_profile_reset();
    sta_profile_start();
    *error = sta_wait(point->work->run(operands));
    sta_profile_stop();
    sta_close(scope);
    return *error ? -1 : body_time(point->variant, bytes, flops, &predicted);
}

static int compare_times(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool measure(struct point *point, const struct plan *plan, const struct operands *operands, char *text,
                    size_t bytes)
{
    enum { MOST = 16 };
    const double enough = plan->full ? 200000 : 8000; /* microseconds */
    const int least = plan->full ? 6 : 3;
    double time[MOST], all = 0;
    int count = 0;
    const sta_error *error;
    run_once(point, operands, &point->bytes, &point->flops, &error); /* fresh pages, cold caches, plans */
    while (!error && count < MOST && (count < least || all < enough)) {
        time[count] = run_once(point, operands, &point->bytes, &point->flops, &error);
        all += time[count++];
    }
    if (error) {
        snprintf(text, bytes, "%s of %lld %s on %s: %s", point->work->name, (long long)point->n,
                 sta__dtype_brief(point->dtype), variant_names[point->variant], error->text);
        return false;
    }
    qsort(time, (size_t)count, sizeof *time, compare_times);
    point->microseconds = time[count / 2];
    return true;
}

bool point_measure(struct point *point, const struct plan *plan, char *text, size_t bytes)
{
    struct operands operands;
    sta_scope scope = sta_open();
    variants_restore();
    sta__runtime.settings.tile_elements = point->n;
    bool fine = operands_open(&operands, point->dtype, point->n);
    if (!fine)
        snprintf(text, bytes, "%s: no operands of %lld %s", point->work->name, (long long)point->n,
                 sta__dtype_brief(point->dtype));
    variant_force(point->variant);
    sta__runtime.settings.tile_elements = INT64_MAX; /* one tile, whatever the shape */
    fine = fine && measure(point, plan, &operands, text, bytes);
    variants_restore();
    sta_close(scope);
    return fine;
}

/* ---- predictions ---- */

/* Before there is a history the cost table answers; the first run is left out of what was measured. */
static void predict(struct plan *plan, int number, enum sta__variant variant, const struct operands *operands)
{
    enum { RUNS = 7 };
    struct prediction p[2] = {{.variant = variant}, {.variant = variant, .seen = true}};
    double time[RUNS], bytes, flops, predicted[RUNS];
    const char *name = "";
    for (int run = 0; run < RUNS; run++) {
        sta_scope scope = sta_open();
        sta_profile_reset();
        sta_profile_start();
        sta_wait(unseen_run(number, operands, &name));
        sta_profile_stop();
        sta_close(scope);
        time[run] = body_time(variant, &bytes, &flops, &predicted[run]);
    }
    double first = predicted[0], last = predicted[RUNS - 1];
    qsort(time + 1, RUNS - 1, sizeof *time, compare_times);
    for (int k = 0; k < 2; k++) {
        snprintf(p[k].name, sizeof p[k].name, "%s", name);
        p[k].predicted = k ? last : first;
        p[k].measured = time[1 + (RUNS - 1) / 2];
        if (p[k].predicted > 0 && p[k].measured > 0)
            g_array_append_val(plan->predictions, p[k]);
    }
}

void predictions_measure(struct plan *plan)
{
    enum { N = 300000 }; /* of no size class that was measured */
    for (int v = 0; v < STA__VARIANTS; v++) {
        struct operands operands;
        sta_scope scope = sta_open();
        variants_restore();
        sta__runtime.settings.tile_elements = N;
        bool fine = operands_open(&operands, STA_float64, N) && variant_force((enum sta__variant)v);
        sta__runtime.settings.tile_elements = INT64_MAX;
        for (int number = 0; number < unseen_count && fine; number++)
            predict(plan, number, (enum sta__variant)v, &operands);
        variants_restore();
        sta_close(scope);
    }
}
