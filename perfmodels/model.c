/* What is expected of a task and what it took. The times are kept in StarPU's own histories, one a variant, always as
 * implementation 0: StarPU loses the entries of an implementation whose lower ones never ran. */
#include "codelet.h"

#include "cuda.h"
#include "look.h"
#include "samples.h"

#include <math.h>
#include <time.h>

/* ---- expectations ---- */

/* A few bad times may be those of a busy machine: until there are more, what the cost table says has a word, or a variant
 * that was unlucky once would never run again. */
static double trusted(double mean, double estimate, uint32_t samples)
{
    double most = samples < 16 ? estimate * (1U << samples) : mean;

    mean = mean < most ? mean : most;
    return mean > 0.01 ? mean : 0.01;
}

double sta__measure_expected(const struct sta__measure *measure, enum sta__variant variant)
{
    uint32_t samples = 0;
    double mean = sta__history_look(&measure->codelet->history[variant], measure->footprint, &samples);

    if (isnan(mean))
        return sta__runtime.calibrate ? NAN : sta__measure_estimate(measure, variant);
    if (measure->hope > 0 && variant == measure->again)
        return measure->hope;
    return trusted(mean, sta__measure_estimate(measure, variant), samples);
}

double sta__measure_estimate(const struct sta__measure *measure, enum sta__variant variant)
{
    return sta__cost(variant, measure->bytes, measure->nanoseconds * measure->codelet->factor[variant],
                     sta__runtime.settings.threads);
}

/* ---- another chance ---- */

static bool has_choice(void)
{
    return sta__runtime.settings.cpu == STA__CPU_AUTO || sta__runtime.gpus;
}

/* Who was slow while the machine was busy is never chosen again, and nothing is learned of him. So where the cost table
 * says the contrary of what was measured, a task now and then is told what the table promises, in proportion. */
static void give_chance(struct sta__measure *measure)
{
    struct sta__codelet *codelet = measure->codelet;
    double mean[STA__VARIANTS], promised;
    int best = -1, known = 0;

    for (int v = 0; v < STA__VARIANTS; v++) {
        mean[v] = sta__history_mean(&codelet->history[v], measure->footprint);
        known += !isnan(mean[v]);
        if (!isnan(mean[v]) && (best < 0 || mean[v] < mean[best]))
            best = v;
    }
    for (int v = 0; v < STA__VARIANTS && known > 1; v++) {
        if (v == best || isnan(mean[v]))
            continue;
        promised = sta__measure_estimate(measure, (enum sta__variant)v) /
                   sta__measure_estimate(measure, (enum sta__variant)best);
        if (promised < 1 && sta__history_due(&codelet->history[v], measure->footprint)) {
            measure->again = (enum sta__variant)v;
            measure->hope = mean[best] * promised;
        }
    }
}

/* ---- measuring ---- */

bool sta__measure_wants_sample(const struct sta__measure *measure)
{
    uint32_t samples = sta__history_samples(&measure->codelet->history[STA__CUDA], measure->footprint);
    return sta__looks(STA__LOOK_ALL) || sta__samples_held() || samples < 8 || measure->number % 16 == 0;
}

static int64_t now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Quarters of an octave: sizes within a fifth of each other share their history. */
static uint32_t size_class(int64_t size)
{
    int octave;

    if (size < 4)
        return (uint32_t)size;
    octave = 63 - __builtin_clzll((unsigned long long)size);
    return (uint32_t)(4 * octave) + (uint32_t)(size >> (octave - 2) & 3);
}

static int64_t size_of_memory(const struct sta__memory *memory)
{
    int64_t size = 1;

    for (int axis = 0; axis < memory->ndim; axis++)
        size *= memory->shape[axis];
    return size;
}

/* The time of a task is not what counts where others run beside it: a team keeps every worker from one of its own, and waits
 * for the thread that shares its core with another body. */
static enum sta__variant pick(const struct sta__measure *measure, int64_t tasks)
{
    if (sta__runtime.settings.every_core && tasks >= sta__runtime.cpus)
        return STA__SEQUENTIAL;
    double beside = sta__runtime.settings.every_core ? (double)tasks : 1;
    return beside * sta__measure_expected(measure, STA__OPENMP) < sta__measure_expected(measure, STA__SEQUENTIAL)
               ? STA__OPENMP
               : STA__SEQUENTIAL;
}

void sta__measure_prepare(struct sta__measure *measure, struct sta__codelet *codelet, const struct sta__kernel *kernel,
                          const struct sta__job *job, struct starpu_task *task, int64_t tasks)
{
    uint32_t hash = kernel->hash ? kernel->hash(job->arguments) : 0;

    *measure =
        (struct sta__measure){.codelet = codelet, .task = task, .number = (uint32_t)sta__runtime.tasks_measured++};
    for (int k = 0; k < job->count; k++) {
        const struct sta__memory *memory = &job->memory[k];
        int64_t size = size_of_memory(memory);

        measure->bytes += (double)size * (double)sta_itemsize(memory->dtype);
        hash = starpu_hash_crc32c_be(size_class(size) << 8 | (uint32_t)memory->dtype, hash);
    }
    measure->nanoseconds = kernel->cost ? kernel->cost(job) : 0;
    measure->flops = kernel->flops ? kernel->flops(job) : 0;
    measure->footprint = hash;
    if (has_choice() && !sta__runtime.calibrate)
        give_chance(measure);
    if (sta__runtime.settings.picks)
        measure->pick = pick(measure, tasks);
    for (unsigned v = 0; v < STA__VARIANTS && has_choice() && sta__looks(STA__LOOK_DOCTOR); v++)
        measure->guessed |= isnan(sta__history_mean(&codelet->history[v], hash)) ? 1U << v : 0;
}

void sta__measure_begin(struct sta__measure *measure, int threads)
{
    measure->threads = threads;
    if (sta__samples_held())
        measure->delay = -sta__delay(threads);
    measure->begin = now_ns();
}

void sta__measure_end(struct sta__measure *measure)
{
    measure->end = now_ns();
    if (sta__samples_held())
        measure->delay += sta__delay(measure->threads);
}

static void learn(const struct sta__measure *measure, struct starpu_task *task, int worker)
{
    struct sta__codelet *codelet = measure->codelet;
    enum sta__variant variant = measure->variant;

    for (unsigned v = 0; v < STA__VARIANTS && has_choice(); v++)
        if (v != variant)
            sta__history_pass(&codelet->history[v], measure->footprint);
    if (!sta__history_add(&codelet->history[variant], measure->footprint, measure->microseconds))
        return;
    pthread_mutex_lock(&codelet->recording);
    starpu_perfmodel_update_history(&codelet->recorder[variant], task, starpu_worker_get_perf_archtype(worker, 0),
                                    (unsigned)worker, 0, measure->microseconds);
    pthread_mutex_unlock(&codelet->recording);
}

void sta__measure_record(struct sta__measure *measure)
{
    struct sta__codelet *codelet = measure->codelet;
    enum sta__variant variant = measure->threads > 1 ? STA__OPENMP : STA__SEQUENTIAL;
    double microseconds = (double)(measure->end - measure->begin) / 1000;
    int worker = starpu_worker_get_id();
    bool is_task = worker >= 0;

    if (!is_task) /* a calling thread: as one of the cores */
        worker = starpu_worker_get_by_type(STARPU_CPU_WORKER, 0);
    if (measure->timer) {
        variant = STA__CUDA;
        microseconds = sta__cuda_elapsed(measure);
    }
    if (!codelet || worker < 0 || !(microseconds > 0))
        return;
    measure->variant = variant;
    measure->microseconds = microseconds;
    if (sta__looks(STA__LOOK_PROFILE))
        measure->predicted = sta__measure_expected(measure, variant);
    if (!is_task)
        sta__measure_learn(measure, worker);
    else if (!sta__samples_keep(measure, worker))
        learn(measure, measure->task, worker);
}

/* StarPU asks its task for the footprint and the size, and no more. */
void sta__measure_learn(struct sta__measure *measure, int worker)
{
    struct starpu_task task;

    starpu_task_init(&task);
    task.cl_arg = measure;
    learn(measure, &task, worker);
    starpu_task_clean(&task);
}
