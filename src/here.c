/* Contract: here.h. Values stay what they are, tiles, so that later work does not depend on where earlier work was done; with
 * several ranks, GPUs, teams or a StarPU of the program's own all tasks go their usual way. */
#include "here.h"

#include "partition/tile.h"
#include "reshape.h"
#include "runtime.h"

#include <starpu.h>

enum {
    SHORT = 100 * 1000, /* nanoseconds: what tasks cost until their caller knows that they are done */
    ACCESS = 1000,      /* to get one tile */
    MOST = 4 << 20,     /* bytes of a tile */
    TASKS = 64
};

bool sta__all_quiet(void)
{
    const struct sta__settings *settings = &sta__runtime.settings;
    return settings->ranks <= 1 && settings->cpu == STA__CPU_SEQ && !sta__runtime.joined &&
           atomic_load(&sta__runtime.tasks_in_flight) == 0 && starpu_cuda_worker_get_count() == 0;
}

static bool is_ours(const struct sta__task *task)
{
    if (!task->kernel->cpu || !task->kernel->cost || task->count > STA__MAXMEMORY)
        return false;
    for (int i = 0; i < task->count; i++)
        if (task->entry[i].tile && (task->entry[i].tile->root || task->entry[i].tile->bytes > MOST))
            return false;
    return true;
}

static double cost_of(const struct sta__task *task)
{
    struct sta__memory memory[STA__MAXMEMORY];
    struct sta__job job = {.arguments = task->arguments, .count = task->count, .memory = memory};
    for (int i = 0; i < task->count; i++) {
        if (task->entry[i].tile)
            sta__tile_layout(task->entry[i].tile, &memory[i]);
        sta__guise_apply(task->entry[i].guise, &memory[i]);
    }
    return task->kernel->cost(&job) + (double)task->buffers * ACCESS;
}

bool sta__here_fits(const struct sta__batch *batch)
{
    struct sta__task *const *tasks = (struct sta__task *const *)(const void *)batch->tasks.data;
    if (batch->tasks.count > TASKS || sta__runtime.settings.inline_bytes == 0 || !sta__all_quiet() ||
        sta__inside_task())
        return false;
    double cost = 0;
    for (size_t k = 0; k < batch->tasks.count && cost <= SHORT; k++)
        cost += is_ours(tasks[k]) ? cost_of(tasks[k]) : SHORT + 1;
    return cost <= SHORT;
}

/* The first entry, from i on, of a handle: those that share one came with it, and have its mode. */
static int next_entry(const struct sta__task *task, int i, int buffer)
{
    while (i < task->count && (!task->entry[i].tile || task->entry[i].buffer != buffer))
        i++;
    return i;
}

static void release(const struct sta__task *task, int buffers)
{
    for (int b = 0, i = 0; b < buffers; b++) {
        i = next_entry(task, i, b);
        starpu_data_release_on_node(task->entry[i].tile->handle, STARPU_MAIN_RAM);
    }
}

bool sta__here_begin(const struct sta__task *task, void *buffers[])
{
    static const enum starpu_data_access_mode mode[] = {[READS] = STARPU_R, [WRITES] = STARPU_W, [UPDATES] = STARPU_RW};
    for (int b = 0, i = 0; b < task->buffers; b++) {
        i = next_entry(task, i, b);
        const struct entry *entry = &task->entry[i];
        starpu_data_handle_t handle = sta__tile_handle(entry->tile);
        if (starpu_data_acquire_on_node(handle, STARPU_MAIN_RAM, mode[entry->access]) != 0) {
            release(task, b);
            return false;
        }
        buffers[b] = starpu_data_get_interface_on_node(handle, STARPU_MAIN_RAM);
    }
    return true;
}

void sta__here_end(const struct sta__task *task)
{
    release(task, task->buffers);
}
