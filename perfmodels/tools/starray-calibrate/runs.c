/* One work, timed as the library times its bodies. Who shares the machine with others gets times in which a thread waited
 * for a core: the kernel says for how long, and such runs are made again. */
#include "calibrate.h"

#include "cuda.h"
#include "perfmodels/samples.h"
#include "runtime.h"
#include "starpu_compat.h"
#include "submit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const variant_names[STA__VARIANTS] = {"cpu", "omp", "cuda"};

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
    if (!usual.known)
        return;
    sta__runtime.settings.cpu = usual.cpu;
    sta__runtime.settings.devices = usual.devices;
    sta__runtime.settings.tile_elements = usual.tile_elements;
}

/* ---- tasks of one kind: they share their history ---- */

enum { KINDS = 16, SAMPLES = 64, BATCH = 8 };

struct kind {
    struct sta__measure first;
    double expected;
    double time[SAMPLES]; /* of the undisturbed ones, then of the others */
    int count, undisturbed, seen;
};
struct kinds {
    struct kind kind[KINDS];
    int count;
};

static struct kind *kind_of(struct kinds *kinds, const struct sta__measure *measure)
{
    for (int k = 0; k < kinds->count; k++)
        if (kinds->kind[k].first.codelet == measure->codelet && kinds->kind[k].first.footprint == measure->footprint)
            return &kinds->kind[k];
    if (kinds->count == KINDS)
        return NULL;
    struct kind *kind = &kinds->kind[kinds->count++];
    *kind = (struct kind){.first = *measure, .expected = sta__measure_expected(measure, measure->variant)};
    return kind;
}

static void add_sample(struct kinds *kinds, const struct sta__measure *measure)
{
    struct kind *kind = kind_of(kinds, measure);
    if (!kind)
        return;
    kind->seen++;
    if (kind->count == SAMPLES)
        return;
    if (sta__sample_undisturbed(measure)) {
        kind->time[kind->count++] = kind->time[kind->undisturbed];
        kind->time[kind->undisturbed++] = measure->microseconds;
    } else {
        kind->time[kind->count++] = measure->microseconds;
    }
}

static int least_undisturbed(const struct kinds *kinds)
{
    int least = INT32_MAX;
    for (int k = 0; k < kinds->count; k++)
        if (kinds->kind[k].undisturbed < least)
            least = kinds->kind[k].undisturbed;
    return kinds->count ? least : 0;
}

static void add_up(struct kinds *kinds, struct series *to)
{
    double longest = 0;
    for (int k = 0; k < kinds->count; k++) {
        struct kind *kind = &kinds->kind[k];
        const struct sta__measure *measure = &kind->first;
        double each = (double)kind->seen / to->runs; /* tasks of this kind in a run */
        double median = median_of(kind->time, (size_t)(kind->undisturbed ? kind->undisturbed : kind->count));
        to->median += each * median;
        to->best += each * kind->time[0];
        to->bytes += each * measure->bytes;
        to->nanoseconds += each * measure->nanoseconds;
        to->flops += each * measure->flops;
        to->estimate += each * sta__measure_estimate(measure, measure->variant);
        to->predicted += each * kind->expected;
        to->tasks += (int)(each + 0.5);
        if (each * median > longest) {
            longest = each * median;
            g_strlcpy(to->symbol, sta__codelet_symbol(measure->codelet, measure->variant), sizeof to->symbol);
        }
    }
    to->undisturbed = least_undisturbed(kinds);
}

/* ---- running ---- */

/* So many runs one after the other, without waiting between them: a thread that has to be woken finds cold caches. */
static const sta_error *run_batch(const struct work *work, const struct operands *operands, int times, bool learn,
                                  struct kinds *kinds)
{
    struct sta__measure sample[BATCH * KINDS];
    sta_array result[BATCH];
    const sta_error *error = NULL;
    int64_t tile_elements = sta__runtime.settings.tile_elements;
    sta__runtime.settings.tile_elements = INT64_MAX; /* one tile, whatever the shape */
    sta__samples_hold();
    sta_scope scope = sta_open();
    for (int k = 0; k < times; k++)
        result[k] = sta_eval(work->run(operands));
    for (int k = 0; k < times && !error; k++)
        error = sta_wait(result[k]);
    sta_close(scope);
    sta__tasks_wait();
    int count = sta__samples(sample, BATCH * KINDS);
    for (int k = 0; k < count; k++)
        add_sample(kinds, &sample[k]);
    sta__samples_settle(learn && !error);
    sta__samples_end();
    sta__runtime.settings.tile_elements = tile_elements;
    return error;
}

/* Batches of some 2 ms that fit into a cache several times over. */
static int batch_of(const struct series *first)
{
    double times = fmin(2000 / fmax(first->best, 1), 6e7 / fmax(first->bytes, 1));
    return times < 1 ? 1 : times > BATCH ? BATCH : (int)times;
}

struct series run_series(const struct work *work, const struct operands *operands, int enough, double seconds)
{
    enum { LEAST = 3 };
    struct kinds *kinds = g_new0(struct kinds, 1);
    struct series series = {.runs = 1}, all = {.runs = 0};
    int64_t until = sta__clock() + (int64_t)(fmax(seconds, 0) * 1e9);
    series.error = run_batch(work, operands, 1, false, kinds); /* fresh pages, cold caches, plans */
    add_up(kinds, &series);
    all.error = series.error;
    all.predicted = series.predicted;
    kinds->count = 0;
    for (int times = batch_of(&series); !all.error && all.runs + times <= SAMPLES;) {
        all.error = run_batch(work, operands, times, true, kinds);
        all.runs += times;
        if (least_undisturbed(kinds) >= enough || (all.runs >= LEAST && sta__clock() >= until))
            break;
    }
    double predicted = all.predicted;
    if (!all.error)
        add_up(kinds, &all);
    all.predicted = predicted;
    g_free(kinds);
    return all;
}
