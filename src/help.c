/* Contract: help.h. Helpers are StarPU tasks without data: StarPU only says which worker has time for them. Whoever has time
 * takes the next task of the list, so nothing waits for a worker that is still asleep; one that comes late finds nothing left
 * to do. */
#include "help.h"

#include "rest.h"

#include <sched.h>
#include <starpu.h>
#include <string.h>

struct help {
    atomic_int references; /* the caller and the helpers */
    atomic_int next, done;
    int count;
    void (*run)(struct sta__task *task);
    struct sta__task *task[]; /* the caller's, who waits for those that were begun */
};

static void drop(void *argument)
{
    struct help *help = argument;
    if (atomic_fetch_sub(&help->references, 1) == 1)
        sta__release(help);
}

static void work(struct help *help)
{
    for (int i = atomic_fetch_add(&help->next, 1); i < help->count; i = atomic_fetch_add(&help->next, 1)) {
        help->run(help->task[i]);
        atomic_fetch_add(&help->done, 1);
    }
}

/* Where each worker ran last, plus 1; workers are bound. 0: not known. */
static atomic_int processor[STARPU_NMAXWORKERS];

static void helper(void *buffers[], void *argument)
{
    (void)buffers;
    atomic_store_explicit(&processor[starpu_worker_get_id()], sched_getcpu() + 1, memory_order_relaxed);
    work(argument);
}

static struct starpu_codelet codelet = {.cpu_funcs = {helper}, .nbuffers = 0, .name = "sta_help"};

static void ask(struct help *help, int worker)
{
    struct starpu_task *task = starpu_task_create();
    if (!task)
        return;
    task->execute_on_a_specific_worker = 1;
    task->workerid = (unsigned)worker;
    task->cl = &codelet;
    task->cl_arg = help;
    task->callback_func = drop;
    task->callback_arg = help;
    atomic_fetch_add(&help->references, 1);
    if (starpu_task_submit(task) == 0)
        return;
    task->destroy = 0;
    starpu_task_destroy(task);
    drop(help);
}

/* Not the worker whose core the caller has. */
static void ask_for(struct help *help, int helpers)
{
    int worker[STARPU_NMAXWORKERS];
    const int count = (int)starpu_worker_get_ids_by_type(STARPU_CPU_WORKER, worker, STARPU_NMAXWORKERS);
    const int here = sched_getcpu() + 1;
    for (int i = 0; i < count && helpers > 0; i++) {
        if (atomic_load_explicit(&processor[worker[i]], memory_order_relaxed) == here)
            continue;
        ask(help, worker[i]);
        helpers--;
    }
}

void sta__help(struct sta__task **tasks, int count, int helpers, void (*run)(struct sta__task *task))
{
    struct help *help = helpers > 0 ? sta__allocate(sizeof *help + sizeof *help->task * (size_t)count) : NULL;
    if (!help) {
        for (int i = 0; i < count; i++)
            run(tasks[i]);
        return;
    }
    atomic_init(&help->references, 1);
    help->count = count;
    help->run = run;
    memcpy(help->task, tasks, sizeof *tasks * (size_t)count);
    sta__workers_wake();
    ask_for(help, helpers);
    work(help);
    while (atomic_load(&help->done) < count)
        sched_yield(); /* a helper may be waiting for this very core */
    drop(help);
}
