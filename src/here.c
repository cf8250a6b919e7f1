/* Contract: here.h. To wake a worker, to let it run a task and to be woken by it takes longer than many an operation, and so
 * does what StarPU has to know of a tile. So a batch that takes little, by the times that were measured for such tasks, is run
 * by who asks for it, together with those workers that wake up in time (help.h).
 *
 * - Only while no task is in flight: then StarPU has nothing to say about what tiles hold, and they are read as they lie.
 *   Not with several ranks, GPUs, teams or a StarPU of the program's own; there all tasks go their usual way.
 * - Values stay what they are, tiles, so that later work does not depend on where earlier work was done. A tile that was
 *   written here has host memory (`held`) and no handle; StarPU hears of it when a task first needs it.
 * - A program that asks and does not wait wants its work done beside it: between two waits a thread computes for MOST at
 *   most. It keeps the lock meanwhile, so other threads wait no longer than that. */
#include "here.h"

#include "body.h"
#include "look.h"
#include "partition/tile.h"
#include "perfmodels/samples.h"
#include "reshape.h"
#include "runtime.h"
#include "submit.h"

#include <math.h>
#include <sched.h>
#include <starpu.h>

enum {
    SHORT = 100, /* microseconds of computing on one core: run here without asking what memory adds, and without help */
    MOST = 1000,
    SPIN = 100,
    MOST_HELPERS = 7,
    MOST_BYTES = 4 << 20 /* of a tile */
};

static bool only_cores(void)
{
    const struct sta__settings *settings = &sta__runtime.settings;
    return settings->ranks <= 1 && (settings->cpu == STA__CPU_SEQ || settings->every_core) && !sta__runtime.joined &&
           starpu_cuda_worker_get_count() == 0;
}

bool sta__all_quiet(void)
{
    return only_cores() && atomic_load(&sta__runtime.tasks_in_flight) == 0;
}

void sta__here_waits(void)
{
    sta__runtime.spent_here = 0;
}

bool sta__here_reads(const struct sta__tile *tile)
{
    if (!tile->handle)
        return tile->held != NULL;
    return tile->written && !tile->root && sta__nodes_pooled() && sta__all_quiet();
}

/* A tile that the program's memory holds, or that a task was made for and never written, is StarPU's. */
static bool is_ours(const struct sta__task *task)
{
    for (int i = 0; i < task->count; i++) {
        const struct sta__tile *tile = task->entry[i].tile;
        if (!tile)
            continue;
        const bool fresh = !tile->handle && (tile->held || task->entry[i].access == WRITES);
        if (tile->root || tile->bytes > MOST_BYTES || !(fresh || (tile->handle && tile->written)))
            return false;
    }
    return true;
}

static bool can_run(const struct sta__task *task)
{
    return task->kernel->cpu && !task->kernel->waits && is_ours(task);
}

/* Whether no task has more operands than there is room for here: those of sta__task_many may. */
static bool are_narrow(struct sta__task **tasks, int count)
{
    for (int i = 0; i < count; i++)
        if (tasks[i]->buffers > STA__MAXBUFFERS || tasks[i]->count > STA__MAXMEMORY)
            return false;
    return true;
}

static void look_at(const struct sta__task *task, struct sta__job *job)
{
    *job = (struct sta__job){.arguments = task->arguments, .count = task->count, .memory = job->memory};
    for (int i = 0; i < task->count; i++) {
        const struct entry *entry = &task->entry[i];
        if (entry->tile)
            sta__tile_layout(entry->tile, &job->memory[i]);
        else
            sta__value_memory(entry->value, &job->memory[i]);
        sta__guise_apply(entry->guise, &job->memory[i]);
    }
}

/* NaN: samples are wanted, which workers take; infinite: so is a team. */
static double microseconds_of(struct sta__task *task, int64_t tasks)
{
    struct sta__memory memory[STA__MAXMEMORY];
    struct sta__job job = {.memory = memory};
    task->codelet = sta__codelet_of(task->kernel, task->dtype);
    if (!task->codelet)
        return NAN;
    look_at(task, &job);
    sta__measure_prepare(&task->measure, task->codelet, task->kernel, &job, NULL, tasks);
    if (sta__runtime.settings.picks && task->measure.pick == STA__OPENMP)
        return INFINITY;
    return sta__measure_expected(&task->measure, STA__SEQUENTIAL);
}

static bool is_short(struct sta__task *task)
{
    struct sta__memory memory[STA__MAXMEMORY];
    struct sta__job job = {.memory = memory};
    if (!task->kernel->cost)
        return false;
    look_at(task, &job);
    if (task->kernel->cost(&job) > SHORT * 1000.0)
        return false;
    if (sta__looks(STA__LOOK_TIMES))
        microseconds_of(task, 1); /* what reports need */
    return true;
}

bool sta__here_ready(const struct sta__task *task)
{
    for (int i = 0; i < task->count; i++)
        if (task->entry[i].tile && task->entry[i].access == READS && !task->entry[i].tile->written)
            return false;
    return true;
}

/* What is changed, and not only written, needs the order in which it was asked for. */
static bool needs_order(const struct sta__task *task)
{
    for (int i = 0; i < task->count; i++) {
        const struct entry *entry = &task->entry[i];
        if (entry->access == UPDATES || (entry->access == WRITES && !(entry->tile && !entry->tile->written)))
            return true;
    }
    return false;
}

/* Whether one of them changes what the other one has to do with. */
static bool are_tied(const struct sta__task *a, const struct sta__task *b)
{
    for (int i = 0; i < a->count; i++)
        for (int k = 0; k < b->count; k++) {
            const struct entry *x = &a->entry[i], *y = &b->entry[k];
            if (x->tile == y->tile && x->value == y->value && (x->access != READS || y->access != READS))
                return true;
        }
    return false;
}

int sta__here_chains(struct sta__task **tasks, int count, struct sta__task **heads)
{
    int chain[STA__MOST_HERE], chains = 0;
    bool ordered = false;
    for (int i = 0; i < count; i++) {
        chain[i] = i;
        tasks[i]->after = NULL;
        ordered |= needs_order(tasks[i]);
    }
    for (int i = 1; i < count && ordered; i++)
        for (int k = 0; k < i; k++) {
            const int one = chain[i], other = chain[k];
            if (one == other || !are_tied(tasks[i], tasks[k]))
                continue;
            for (int m = 0; m <= i; m++)
                chain[m] = chain[m] == one || chain[m] == other ? (one < other ? one : other) : chain[m];
        }
    for (int i = 0; i < count; i++) {
        int last = i - 1;
        while (last >= 0 && chain[last] != chain[i])
            last--;
        *(last < 0 ? &heads[chains++] : &tasks[last]->after) = tasks[i];
    }
    return chains;
}

static int helpers_for(struct sta__task **tasks, int count)
{
    struct sta__task *heads[STA__MOST_HERE];
    const int chains = sta__here_chains(tasks, count, heads);
    const int most = sta__runtime.cpus < chains ? sta__runtime.cpus : chains;
    return most < MOST_HELPERS ? most - 1 : MOST_HELPERS;
}

/* Whether it is worth less than the workers' way, or, with their help, about as much. */
static bool is_sooner(struct sta__task **tasks, int count, int *helpers)
{
    double all = 0;
    for (int i = 0; i < count; i++)
        all += microseconds_of(tasks[i], count);
    *helpers = all <= SHORT ? 0 : helpers_for(tasks, count);
    all /= *helpers + 1;
    if (!(sta__runtime.spent_here + all <= MOST))
        return false;
    sta__runtime.spent_here += all;
    return true;
}

static bool has_memory(const struct sta__task *task)
{
    for (int i = 0; i < task->count; i++) {
        struct sta__tile *tile = task->entry[i].tile;
        if (tile && !tile->handle && !sta__tile_hold(tile))
            return false;
    }
    return true;
}

/* Tasks of a batch may read what those before them write. */
static bool all_can(struct sta__task **tasks, int count)
{
    for (int i = 0; i < count; i++)
        if (!can_run(tasks[i]) || !has_memory(tasks[i]))
            return false;
    return true;
}

bool sta__here_takes(const struct sta__batch *batch, int *helpers)
{
    const int count = batch->tasks.count <= STA__MOST_HERE ? (int)batch->tasks.count : 0;
    struct sta__task **tasks = (struct sta__task **)(void *)batch->tasks.data;
    *helpers = 0;
    if (count == 0 || sta__runtime.settings.inline_bytes == 0 || !sta__nodes_pooled() || !sta__all_quiet() ||
        sta__inside_task() || sta__samples_held() || !are_narrow(tasks, count))
        return false;
    const bool judged = sta__looks(STA__LOOK_DOCTOR); /* who looks for habits looks at tasks */
    return ((count == 1 && is_short(tasks[0])) || (!judged && is_sooner(tasks, count, helpers))) &&
           all_can(tasks, count);
}

bool sta__here_soon(void)
{
    const bool more = sta__runtime.tasks_submitted != sta__runtime.tasks_judged;
    sta__runtime.tasks_judged = sta__runtime.tasks_submitted;
    return more && only_cores();
}

void sta__here_spin(void)
{
    const int64_t began = sta__clock();
    while (atomic_load(&sta__runtime.tasks_in_flight) > 0 && sta__clock() - began < SPIN * 1000)
        sched_yield(); /* a worker may be waiting for this very core */
}
