/* Contract: here.h. Values stay what they are, tiles, so that later work does not depend on where earlier work was done; with
 * several ranks, GPUs, teams or a StarPU of the program's own all tasks go their usual way. */
#include "here.h"

#include "partition/tile.h"
#include "reshape.h"
#include "runtime.h"

#include <starpu.h>

enum {
    SHORT = 100 * 1000, /* nanoseconds: what a task costs until its caller knows that it is done */
    MOST = 4 << 20      /* bytes of a tile */
};

bool sta__all_quiet(void)
{
    const struct sta__settings *settings = &sta__runtime.settings;
    return settings->ranks <= 1 && (settings->cpu == STA__CPU_SEQ || settings->every_core) && !sta__runtime.joined &&
           atomic_load(&sta__runtime.tasks_in_flight) == 0 && starpu_cuda_worker_get_count() == 0;
}

static double cost_of(const struct sta__task *task, void *buffers[])
{
    struct sta__memory memory[STA__MAXMEMORY];
    struct sta__job job = {.arguments = task->arguments, .count = task->count, .memory = memory};
    for (int i = 0; i < task->count; i++) {
        const struct entry *entry = &task->entry[i];
        if (entry->tile)
            sta__tile_memory(buffers[entry->buffer], &memory[i]);
        sta__guise_apply(entry->guise, &memory[i]);
    }
    return task->kernel->cost(&job);
}

static bool is_ours(const struct sta__task *task)
{
    for (int i = 0; i < task->count; i++)
        if (task->entry[i].tile && (task->entry[i].tile->root || task->entry[i].tile->bytes > MOST))
            return false;
    return true;
}

static void release(const struct sta__task *task, int count)
{
    for (int i = 0; i < count; i++)
        if (task->entry[i].tile)
            starpu_data_release_on_node(task->entry[i].tile->handle, STARPU_MAIN_RAM);
}

static bool acquire(const struct sta__task *task, void *buffers[])
{
    static const enum starpu_data_access_mode mode[] = {[READS] = STARPU_R, [WRITES] = STARPU_W, [UPDATES] = STARPU_RW};
    for (int i = 0; i < task->count; i++) {
        const struct entry *entry = &task->entry[i];
        if (!entry->tile)
            continue;
        if (starpu_data_acquire_on_node(entry->tile->handle, STARPU_MAIN_RAM, mode[entry->access]) != 0) {
            release(task, i);
            return false;
        }
        buffers[entry->buffer] = starpu_data_get_interface_on_node(entry->tile->handle, STARPU_MAIN_RAM);
    }
    return true;
}

bool sta__here_begin(const struct sta__batch *batch, void *buffers[])
{
    if (batch->tasks.count != 1 || sta__runtime.settings.inline_bytes == 0 || !sta__all_quiet() || sta__inside_task())
        return false;
    const struct sta__task *task = *(struct sta__task **)(void *)batch->tasks.data;
    if (task->buffers > STA__MAXBUFFERS || task->count > STA__MAXMEMORY) /* of sta__task_many */
        return false;
    if (!task->kernel->cpu || !task->kernel->cost || !is_ours(task))
        return false;
    for (int i = 0; i < task->count; i++)
        if (task->entry[i].tile)
            buffers[task->entry[i].buffer] =
                starpu_data_get_interface_on_node(sta__tile_handle(task->entry[i].tile), STARPU_MAIN_RAM);
    return cost_of(task, buffers) <= SHORT && acquire(task, buffers);
}

void sta__here_end(const struct sta__task *task)
{
    release(task, task->count);
}
