/* Codelets and their performance models. StarPU asks expected_time, which knows more than one of StarPU's models: what
 * was measured, else an estimate, so that work never seen before is placed well from its first task on. The times are
 * kept in StarPU's own histories, one a variant, always as implementation 0: StarPU loses the entries of an
 * implementation whose lower ones never ran. */
#include "model.h"

#include "cuda.h"
#include "history.h"
#include "look.h"
#include "samples.h"
#include "starpu_compat.h"
#include "submit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct sta__codelet {
    struct sta__codelet *next;
    char name[64], kernel[56];
    sta_dtype dtype;
    bool for_gpu; /* whether the kernel has a variant for it */
    char symbol[STA__VARIANTS][72];
    struct starpu_codelet starpu;
    struct starpu_perfmodel model;                   /* what StarPU asks */
    struct starpu_perfmodel recorder[STA__VARIANTS]; /* what it keeps */
    struct sta__history history[STA__VARIANTS];
    pthread_mutex_t recording;    /* StarPU's first look at a model is not made for two workers at once */
    double factor[STA__VARIANTS]; /* of the cost table, for this kernel */
};

static struct sta__codelet *codelets;
static int calibrate; /* STARPU_CALIBRATE */

/* ---- what StarPU asks ---- */

static enum sta__variant variant_of(const struct starpu_perfmodel_arch *arch, unsigned implementation)
{
    if (arch->ndevices > 0 && arch->devices[0].type == STARPU_CUDA_WORKER)
        return STA__CUDA;
    return implementation == 0 ? STA__SEQUENTIAL : STA__OPENMP;
}

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
        return calibrate ? NAN : sta__measure_estimate(measure, variant);
    if (measure->hope > 0 && variant == measure->again)
        return measure->hope;
    return trusted(mean, sta__measure_estimate(measure, variant), samples);
}

double sta__measure_estimate(const struct sta__measure *measure, enum sta__variant variant)
{
    return sta__cost(variant, measure->bytes, measure->nanoseconds * measure->codelet->factor[variant],
                     sta__runtime.settings.threads);
}

/* Schedulers take what is sent while other tasks run for free. Of a row of tasks, each of which brings operands of its own,
 * none is done before they are there: where cores could share the work, that is how long each takes. StarPU expects as much
 * to come back at the same time, which of operands that are only read nothing does. */
static double with_operands(double microseconds, struct starpu_task *task, int device)
{
    enum { BOTH_WAYS = 2 };
    const struct sta__measure *measure = task->cl_arg;
    int worker = starpu_worker_get_by_devid(STARPU_CUDA_WORKER, device);

    if (isnan(microseconds) || !measure->follows || worker < 0 || starpu_cpu_worker_get_count() == 0)
        return microseconds;
    return fmax(microseconds, starpu_task_expected_data_transfer_time_for(task, (unsigned)worker) / BOTH_WAYS);
}

static double expected_time(struct starpu_task *task, struct starpu_perfmodel_arch *arch, unsigned implementation)
{
    enum sta__variant variant = variant_of(arch, implementation);
    double microseconds = sta__measure_expected(task->cl_arg, variant);

    return variant == STA__CUDA ? with_operands(microseconds, task, arch->devices[0].devid) : microseconds;
}

static uint32_t footprint_of(struct starpu_task *task)
{
    const struct sta__measure *measure = task->cl_arg;

    return measure ? measure->footprint : 0;
}

/* What StarPU's files and plots have as the size. */
static size_t size_of(struct starpu_task *task, unsigned implementation)
{
    const struct sta__measure *measure = task->cl_arg;

    (void)implementation;
    return measure ? (size_t)measure->bytes : 0;
}

/* CPU workers take the variants that were asked for; in "auto" the models decide. STA_DEVICES=cuda leaves them what no
 * GPU can do. */
static int can_execute(unsigned worker, struct starpu_task *task, unsigned implementation)
{
    bool for_gpu = task->cl->cuda_funcs[0] != NULL;
    enum sta__device_choice devices = sta__runtime.settings.devices;
    if (starpu_worker_get_type((int)worker) != STARPU_CPU_WORKER)
        return implementation == 0 && devices != STA__DEVICES_CPU;
    if (devices == STA__DEVICES_CUDA && for_gpu && sta__runtime.gpus && task->where != STARPU_CPU)
        return 0;
    switch (sta__runtime.settings.cpu) {
    case STA__CPU_SEQ:
        return implementation == 0;
    case STA__CPU_OMP:
        return implementation == 1;
    default:
        if (sta__runtime.settings.picks && implementation != (unsigned)((struct sta__measure *)task->cl_arg)->pick)
            return 0;
        return implementation == 0 || worker == 0 || !sta__runtime.settings.every_core; /* one team at a time */
    }
}

/* ---- codelets ---- */

/* Where there are only GPU workers, what has no variant for them runs on their threads, in host memory. */
static void offer_to_gpus(struct sta__codelet *codelet)
{
    struct starpu_codelet *starpu = &codelet->starpu;

    if (!sta__runtime.gpus)
        return;
    if (codelet->for_gpu) {
        starpu->cuda_funcs[0] = sta__variants.cuda;
        starpu->cuda_flags[0] = STARPU_CUDA_ASYNC;
        return;
    }
    if (starpu_cpu_worker_get_count() > 0)
        return;
    starpu->cuda_funcs[0] = sta__variants.sequential;
    sta__set_host_nodes(starpu);
}

/* Anew whenever StarPU is: the workers may be others. */
static void describe(struct sta__codelet *codelet)
{
    struct starpu_codelet *starpu = &codelet->starpu;

    starpu_codelet_init(starpu);
    starpu->name = codelet->name;
    starpu->nbuffers = STARPU_VARIABLE_NBUFFERS;
    starpu->cpu_funcs[0] = sta__variants.sequential;
    starpu->cpu_funcs[1] = sta__variants.openmp;
    starpu->can_execute = can_execute;
    starpu->model = &codelet->model;
    offer_to_gpus(codelet);
}

static void set_up(struct sta__codelet *codelet, const struct sta__kernel *kernel)
{
    static const char *const ending[STA__VARIANTS] = {"", "_omp", "_cuda"};

    codelet->for_gpu = kernel->cuda != NULL;
    pthread_mutex_init(&codelet->recording, NULL);
    describe(codelet);
    codelet->model.type = STARPU_PER_ARCH;
    codelet->model.symbol = codelet->name;
    codelet->model.arch_cost_function = expected_time;
    codelet->model.footprint = footprint_of;
    for (int v = 0; v < STA__VARIANTS; v++) {
        snprintf(codelet->symbol[v], sizeof codelet->symbol[v], "%s%s", codelet->name, ending[v]);
        codelet->recorder[v].type = STARPU_HISTORY_BASED;
        codelet->recorder[v].symbol = codelet->symbol[v];
        codelet->recorder[v].footprint = footprint_of;
        codelet->recorder[v].size_base = size_of;
        codelet->factor[v] = sta__kernel_factor(codelet->symbol[v]);
        pthread_mutex_init(&codelet->history[v].mutex, NULL);
        if (calibrate < 2) /* 2: start anew */
            sta__history_load(&codelet->history[v], codelet->symbol[v]);
    }
}

struct sta__codelet *sta__codelet_of(const struct sta__kernel *kernel, sta_dtype dtype)
{
    struct sta__codelet *codelet;

    for (codelet = codelets; codelet;
         codelet = codelet->next) /* for each task: names are put together for new ones only */
        if (codelet->dtype == dtype && strcmp(codelet->kernel, kernel->name) == 0)
            return codelet;
    codelet = sta__allocate(sizeof *codelet);
    if (!codelet)
        return NULL;
    codelet->dtype = dtype;
    snprintf(codelet->kernel, sizeof codelet->kernel, "%s", kernel->name);
    snprintf(codelet->name, sizeof codelet->name, "sta_%s_%s", kernel->name, sta__dtype_brief(dtype));
    set_up(codelet, kernel);
    codelet->next = codelets;
    codelets = codelet;
    return codelet;
}

struct starpu_codelet *sta__codelet_starpu(struct sta__codelet *codelet)
{
    return &codelet->starpu;
}

const char *sta__codelet_symbol(const struct sta__codelet *codelet, enum sta__variant variant)
{
    return codelet->symbol[variant];
}

void sta__models_start(void)
{
    const char *text = getenv("STARPU_CALIBRATE");

    calibrate = text ? atoi(text) : 0;
    for (struct sta__codelet *codelet = codelets; codelet; codelet = codelet->next)
        describe(codelet);
    sta__models_refit();
}

void sta__models_refit(void)
{
    for (struct sta__codelet *codelet = codelets; codelet; codelet = codelet->next)
        for (int v = 0; v < STA__VARIANTS; v++)
            codelet->factor[v] = sta__kernel_factor(codelet->symbol[v]);
}

void sta__models_settle(void)
{
    for (struct sta__codelet *codelet = codelets; codelet; codelet = codelet->next)
        for (int v = 0; v < STA__VARIANTS; v++)
            sta__history_settle(&codelet->history[v], &codelet->recorder[v]);
}

bool sta__models_save(void)
{
    bool saved = true;

    sta__models_settle();
    for (struct sta__codelet *codelet = codelets; codelet; codelet = codelet->next)
        for (int v = 0; v < STA__VARIANTS && saved; v++)
            saved = !codelet->recorder[v].is_loaded || sta__save_model(&codelet->recorder[v]);
    return saved;
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

    static uint32_t number; /* with the lock */
    *measure = (struct sta__measure){.codelet = codelet, .task = task, .number = number++};
    for (int k = 0; k < job->count; k++) {
        const struct sta__memory *memory = &job->memory[k];
        int64_t size = size_of_memory(memory);

        measure->bytes += (double)size * (double)sta_itemsize(memory->dtype);
        hash = starpu_hash_crc32c_be(size_class(size) << 8 | (uint32_t)memory->dtype, hash);
    }
    measure->nanoseconds = kernel->cost ? kernel->cost(job) : 0;
    measure->flops = kernel->flops ? kernel->flops(job) : 0;
    measure->footprint = hash;
    if (has_choice() && !calibrate)
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
