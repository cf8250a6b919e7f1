/* Codelets, and what StarPU asks of them. It asks expected_time, which knows more than one of StarPU's models: what was measured,
 * else an estimate, so that work never seen before is placed well from its first task on. */
#include "codelet.h"

#include "cuda.h"
#include "submit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct sta__codelet *codelets;

/* ---- what StarPU asks ---- */

static enum sta__variant variant_of(const struct starpu_perfmodel_arch *arch, unsigned implementation)
{
    if (arch->ndevices > 0 && arch->devices[0].type == STARPU_CUDA_WORKER)
        return STA__CUDA;
    return implementation == 0 ? STA__SEQUENTIAL : STA__OPENMP;
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
        if (sta__runtime.calibrate < 2) /* 2: start anew */
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

    sta__runtime.calibrate = text ? atoi(text) : 0;
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
