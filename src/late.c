/* Tasks that are placed late. Contract: late.h. A task waits for a gate, a task of StarPU that does nothing and is submitted when
 * the other may go; what it reads and writes StarPU knows from the start, so later operations keep their order. Tasks only wait
 * for gates that earlier ones open: there is no circle. */
#include "late.h"

#include "runtime.h"
#include "task.h"

#include "partition/tile.h"

#include <pthread.h>

/* A GPU is sent the operands of the next tasks while it computes. */
enum { FOR_A_GPU = 4, FOR_A_CORE = 2 };
static int64_t for_all; /* tests: so many in place of these, whatever there is; 0: as usual */

struct sta__late {
    pthread_mutex_t mutex;
    int64_t first; /* so many do not wait */
    int64_t ended, tasks;
    int64_t made, opened; /* of gates; more opened than made: the next ones need none */
    struct starpu_task *gate[];
};

static bool lies_on_host_only(struct sta__tile *tile)
{
    int allocated, here, there, requested;
    starpu_data_query_status(sta__tile_handle(tile), STARPU_MAIN_RAM, &allocated, &here, &requested);
    for (int gpu = 0; gpu < sta__runtime.gpus && here; gpu++) {
        const int worker = starpu_worker_get_by_type(STARPU_CUDA_WORKER, gpu);
        const int node = (int)starpu_worker_get_memory_node((unsigned)worker);
        starpu_data_query_status(sta__tile_handle(tile), node, &allocated, &there, &requested);
        here = !there;
    }
    return here;
}

/* Whether sending what the task reads may take longer than the task. */
static bool reads_host(const struct sta__task *task)
{
    enum { SMALL = 1 << 20 };
    for (int i = 0; i < task->count; i++) {
        struct sta__tile *tile = task->entry[i].tile;
        if (tile && task->entry[i].access != WRITES && tile->bytes >= SMALL && lies_on_host_only(tile))
            return true;
    }
    return false;
}

void sta__late_for_all(int64_t first)
{
    for_all = first;
}

struct sta__late *sta__late_open(struct sta__task **tasks, int64_t count)
{
    const int64_t cores = starpu_cpu_worker_get_count(), gpus = sta__runtime.gpus;
    const int64_t first = for_all ? for_all : FOR_A_GPU * gpus + FOR_A_CORE * cores;
    if (count <= first || !(for_all || (cores > 0 && gpus > 0 && reads_host(tasks[0]))))
        return NULL;
    struct sta__late *late = sta__allocate(sizeof *late + sizeof *late->gate * (size_t)count);
    if (!late)
        return NULL;
    pthread_mutex_init(&late->mutex, NULL);
    late->first = first;
    late->tasks = count;
    for (int64_t i = 0; i < count; i++)
        tasks[i]->late = late;
    return late;
}

void sta__late_hold(struct sta__late *late, int64_t index, struct starpu_task *task)
{
    if (!late || index < late->first)
        return;
    pthread_mutex_lock(&late->mutex);
    struct starpu_task *gate = late->made >= late->opened ? starpu_task_create() : NULL;
    if (gate)
        starpu_task_declare_deps_array(task, 1, &gate);
    late->gate[late->made++] = gate;
    pthread_mutex_unlock(&late->mutex);
}

static void drop(struct sta__late *late)
{
    pthread_mutex_destroy(&late->mutex);
    sta__release(late);
}

void sta__late_next(struct sta__late *late)
{
    if (!late)
        return;
    pthread_mutex_lock(&late->mutex);
    const int64_t number = late->opened++;
    struct starpu_task *gate = number < late->made ? late->gate[number] : NULL;
    const bool last = ++late->ended == late->tasks;
    pthread_mutex_unlock(&late->mutex);
    if (gate)
        (void)!starpu_task_submit(gate); /* no worker is needed for it */
    if (last)
        drop(late);
}
