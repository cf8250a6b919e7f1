/* Which workers may take a task. A scheduler weighs one task alone: what lies on the host is computed there again and again
 * where sending it takes longer than one task gains, however often it is read, and so is all that is made of it. So what each
 * task would gain on a GPU is written down, as due, with the tiles that it reads and writes. Once more is due than sending its
 * operands takes, a task must go to a GPU. That is the rule for renting until one has paid the price of buying: whatever
 * comes, at most twice the time that knowing it would have taken. */
#include "placement.h"

#include "cuda.h"
#include "perfmodels/model.h"
#include "starpu_compat.h"

#include <math.h>

/* Tiles that are made from nothing are spread over the GPUs, neighbours together: where tiles are first decides where all
 * later work on them runs. */
static bool is_first(const struct sta__task *task)
{
    enum { SMALL = 1 << 20 };
    if (sta__runtime.gpus < 2 || task->bytes < SMALL)
        return false;
    for (int i = 0; i < task->count; i++)
        if (task->entry[i].tile && task->entry[i].access != WRITES)
            return false;
    return true;
}

/* Microseconds, when all CPU workers are as busy as this one; NaN where it is not known. */
static double time_on_cpus(const struct sta__task *task)
{
    const enum sta__cpu_variant cpu = sta__runtime.settings.cpu;
    double alone = INFINITY, team = INFINITY;
    if (cpu != STA__CPU_OMP)
        alone = sta__measure_expected(&task->measure, STA__SEQUENTIAL);
    if (cpu != STA__CPU_SEQ)
        team = sta__measure_expected(&task->measure, STA__OPENMP);
    return fmin(alone, team) / starpu_cpu_worker_get_count();
}

static double time_to_send(const struct sta__task *task)
{
    double time = 0;
    for (int i = 0; i < task->count; i++)
        if (task->entry[i].tile && task->entry[i].access != WRITES)
            time += starpu_transfer_predict(STARPU_MAIN_RAM, STARPU_MAIN_RAM + 1, (size_t)task->entry[i].tile->bytes);
    return time;
}

/* The most that is due for anything the task reads: where two paths meet, what both come from counts once. */
static double due(const struct sta__task *task)
{
    float most = 0;
    for (int i = 0; i < task->count; i++)
        if (task->entry[i].tile && task->entry[i].access != WRITES)
            most = fmaxf(most, task->entry[i].tile->due);
    return (double)most;
}

static bool is_due(struct sta__task *task)
{
    const double gain = time_on_cpus(task) - sta__measure_expected(&task->measure, STA__CUDA), before = due(task);
    if (!(gain > 0))
        return false; /* or not known */
    const bool buys = before > time_to_send(task);
    for (int i = 0; i < task->count; i++) {
        struct sta__tile *tile = task->entry[i].tile;
        if (tile && task->entry[i].access != READS)
            tile->due = (float)(buys ? gain : before + gain);
        else if (tile)
            tile->due = buys ? 0 : tile->due + (float)gain;
    }
    return buys;
}

void sta__place(struct sta__task *task, int64_t tasks, struct starpu_task *starpu)
{
    const int gpus = sta__runtime.settings.devices == STA__DEVICES_CPU ? 0 : sta__runtime.gpus;
    if (gpus == 0 || !task->kernel->cuda || starpu->where == STARPU_CPU)
        return;
    if (!is_first(task) && (starpu_cpu_worker_get_count() == 0 || !is_due(task)))
        return;
    unsigned words;
    const uint32_t *mask = sta__cuda_mask((int)((task->index - 1) * gpus / tasks), &words);
    sta__set_workers(starpu, mask, words);
}
