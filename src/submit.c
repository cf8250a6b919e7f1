/* Tasks are made here and nowhere else, but for those of help.c, which have no data. A batch is one operation: all of its
 * tasks are built before the first is submitted, so that a lack of memory leaves nothing half done. */
#include "submit.h"

#include "body.h"
#include "help.h"
#include "here.h"
#include "late.h"
#include "look.h"
#include "placement.h"
#include "reshape.h"
#include "rest.h"
#include "runtime.h"

#include "mpi/ranks.h"
#include "partition/tile.h"
#include "perfmodels/model.h"
#include "starpu_compat.h"
#include "task.h"

#include <stdlib.h>

/* Models are told of shapes only; so is whoever makes things ready for a GPU. */
static bool prepare(struct sta__task *task, struct starpu_task *starpu, int64_t tasks)
{
    struct sta__memory few[STA__MAXMEMORY];
    struct sta__job job;
    job.arguments = task->arguments;
    job.count = task->count;
    job.no_memory = false;
    job.memory = sta__job_operands(task, few);
    if (!job.memory)
        return false;
    for (int i = 0; i < task->count; i++) {
        struct entry *entry = &task->entry[i];
        if (entry->tile)
            sta__tile_layout(entry->tile, &job.memory[i]);
        else
            sta__value_memory(entry->value, &job.memory[i]);
        sta__guise_apply(entry->guise, &job.memory[i]);
    }
    if (task->measure.codelet) /* here.c has asked, and had its answer */
        task->measure.task = starpu;
    else
        sta__measure_prepare(&task->measure, task->codelet, task->kernel, &job, starpu, tasks);
    task->measure.follows = task->index > 1;
    if (sta__runtime.gpus && task->kernel->ready && !task->kernel->ready(&job)) {
        starpu->where = STARPU_CPU;
        if (starpu_cpu_worker_get_count() == 0)
            sta__task_fail(task, job.no_memory ? STA_ERROR_MEMORY : STA_ERROR_DEVICE, job.text);
    }
    if (job.memory != few)
        sta__release(job.memory);
    return true;
}

/* More handles than StarPU has room for in its own struct; StarPU frees the lists. */
static bool make_room(struct starpu_task *starpu, int buffers)
{
    if (buffers <= STA__MAXBUFFERS)
        return true;
    if (sta__allocation_fails())
        return false;
    starpu->dyn_handles = malloc(sizeof *starpu->dyn_handles * (size_t)buffers);
    starpu->dyn_modes = malloc(sizeof *starpu->dyn_modes * (size_t)buffers);
    return starpu->dyn_handles && starpu->dyn_modes;
}

static struct starpu_task *make_starpu_task(struct sta__task *task, int64_t tasks)
{
    static const enum starpu_data_access_mode mode[] = {[READS] = STARPU_R, [WRITES] = STARPU_W, [UPDATES] = STARPU_RW};
    task->codelet = sta__codelet_of(task->kernel, task->dtype);
    struct starpu_task *starpu = task->codelet ? starpu_task_create() : NULL;
    if (!starpu)
        return NULL;
    starpu->cl = sta__codelet_starpu(task->codelet);
    starpu->cl_arg = task;
    starpu->nbuffers = task->buffers;
    if (!make_room(starpu, task->buffers) || !prepare(task, starpu, tasks)) {
        starpu->destroy = 0;
        starpu_task_destroy(starpu);
        return NULL;
    }
    for (int i = 0; i < task->count; i++)
        if (task->entry[i].tile) {
            unsigned buffer = (unsigned)task->entry[i].buffer;
            STARPU_TASK_SET_HANDLE(starpu, sta__tile_handle(task->entry[i].tile), buffer);
            STARPU_TASK_SET_MODE(starpu, mode[task->entry[i].access], buffer);
        }
    sta__place(task, tasks, starpu);
    starpu->priority = sta__priority(task->depth);
    sta__set_epilogue(starpu, sta__task_epilogue, task);
    starpu->callback_func = sta__variants.callback;
    starpu->callback_arg = task;
    return starpu;
}

/* No worker takes it: the results are in error, and StarPU must see them written. */
static void refuse(struct sta__task *task)
{
    if (!task->failure)
        sta__task_fail(task, STA_ERROR_DEVICE, "no worker can run the task");
    for (int i = 0; i < task->count; i++)
        if (task->entry[i].tile && task->entry[i].access != READS &&
            starpu_data_acquire(task->entry[i].tile->handle, STARPU_W) == 0)
            starpu_data_release(task->entry[i].tile->handle);
    sta__task_epilogue(task);
    int64_t bytes = task->bytes;
    sta__late_next(task->late);
    sta__task_end(task);
    sta__budget_leave(bytes); /* last: sta_finish waits for it */
}

int64_t sta__tasks_submitted(void)
{
    return sta__runtime.tasks_submitted;
}

static void submit_task(struct sta__task *task, struct starpu_task *starpu)
{
    sta__runtime.tasks_submitted++;
    sta__budget_enter(task->bytes);
    for (int i = 0; i < task->count; i++)
        if (task->entry[i].tile && task->entry[i].access != READS)
            task->entry[i].tile->written = true;
    if (starpu_task_submit(starpu) == 0)
        return;
    starpu->destroy = 0;
    starpu_task_destroy(starpu);
    refuse(task);
}

static bool run_now(struct sta__batch *batch)
{
    struct sta__task **tasks = (struct sta__task **)(void *)batch->tasks.data;
    for (size_t i = 0; i < batch->tasks.count; i++) {
        struct sta__memory few[STA__MAXMEMORY]; /* values have an address each: not many */
        struct sta__job job;
        job.threads = 1;
        job.cuda = NULL;
        job.memory = few;
        sta__job_open(tasks[i], NULL, &job);
        sta_error_code code = tasks[i]->kernel->cpu(&job);
        if (code)
            sta__fail(batch->call, code, "%s", job.text);
        sta__task_end(tasks[i]);
    }
    return !batch->call->error;
}

/* The body, on tiles in host memory. */
static void run_body(struct sta__task *task)
{
    struct sta__memory few[STA__MAXMEMORY];
    struct sta__job job;
    job.threads = 1;
    job.cuda = NULL;
    job.memory = few;
    if (!sta__job_open(task, NULL, &job))
        return;
    sta__measure_begin(&task->measure, 1);
    sta_error_code code = task->kernel->cpu(&job);
    sta__measure_end(&task->measure);
    if (code)
        sta__task_fail(task, code, job.text);
}

static void end_here(struct sta__task *task)
{
    sta__runtime.tasks_submitted++;
    if (!task->failure)
        sta__measure_record(&task->measure);
    if (!task->failure && sta__looks(STA__LOOK_TIMES))
        sta__look_task(task);
    sta__task_epilogue(task);
    for (int i = 0; i < task->count; i++)
        if (task->entry[i].tile && task->entry[i].access != READS)
            task->entry[i].tile->written = true;
    sta__task_end(task);
}

/* What follows a failure learns of it first. */
static void run_chain(struct sta__task *task)
{
    for (bool fine = true; task && fine; task = task->after) {
        run_body(task);
        task->ran = true;
        fine = !task->failure;
    }
}

/* Those tasks that are ready go together, then those that read what they wrote; without helpers one after the other. */
static void run_here(struct sta__task **tasks, int count, int helpers)
{
    struct sta__task *ready[STA__MOST_HERE], *heads[STA__MOST_HERE];
    while (count > 0) {
        int together = 0, left = 0;
        for (int i = 0; i < count; i++)
            if (sta__here_ready(tasks[i]) && (helpers > 0 || together == 0))
                ready[together++] = tasks[i];
            else
                tasks[left++] = tasks[i];
        const int chains = sta__here_chains(ready, together, heads);
        sta__help(heads, chains, helpers < chains ? helpers : chains - 1, run_chain);
        for (int i = 0; i < together; i++) {
            if (!ready[i]->ran)
                run_body(ready[i]);
            end_here(ready[i]);
        }
        count = left;
    }
}

static void discard(struct sta__batch *batch, struct starpu_task **made, size_t count)
{
    struct sta__task **tasks = (struct sta__task **)(void *)batch->tasks.data;
    for (size_t i = 0; i < count; i++) {
        made[i]->destroy = 0;
        starpu_task_destroy(made[i]);
    }
    for (size_t i = 0; i < batch->tasks.count; i++)
        sta__task_end(tasks[i]);
}

/* On several ranks: a task that runs elsewhere is forgotten here. */
static bool share_out_tasks(struct sta__batch *batch)
{
    struct sta__task **tasks = (struct sta__task **)(void *)batch->tasks.data;
    int64_t count = (int64_t)batch->tasks.count;
    for (int64_t i = 0; i < count; i++) {
        tasks[i]->depth = batch->depth + tasks[i]->stage;
        if (!sta__task_runs_here(tasks[i], i, count)) {
            sta__task_end(tasks[i]);
            continue;
        }
        struct starpu_task *starpu = make_starpu_task(tasks[i], count);
        if (!starpu) {
            sta__fail_memory(batch->call); /* ends the job */
            return false;
        }
        submit_task(tasks[i], starpu);
    }
    return true;
}

static void submit_all(struct sta__task **tasks, struct starpu_task **starpu, size_t count)
{
    struct sta__late *late = sta__late_open(tasks, (int64_t)count);
    for (size_t i = 0; i < count; i++) {
        sta__late_hold(late, (int64_t)i, starpu[i]);
        submit_task(tasks[i], starpu[i]);
    }
}

static bool submit_tasks(struct sta__batch *batch)
{
    if (sta__runtime.settings.ranks > 1 && !batch->failed)
        return share_out_tasks(batch);
    struct sta__task **tasks = (struct sta__task **)(void *)batch->tasks.data;
    int helpers = 0;
    if (!batch->failed && sta__here_takes(batch, &helpers)) {
        run_here(tasks, (int)batch->tasks.count, helpers);
        return true;
    }
    if (!batch->failed)
        sta__workers_wake(); /* while tasks are made: it takes them as long */
    size_t count = batch->tasks.count, made = 0;
    struct starpu_task **starpu = sta__allocate(sizeof *starpu * (count ? count : 1));
    bool fine = starpu && !batch->failed;
    for (; fine && made < count; made++) {
        tasks[made]->depth = batch->depth + tasks[made]->stage;
        fine = (starpu[made] = make_starpu_task(tasks[made], (int64_t)count)) != NULL;
        if (!fine)
            break;
    }
    if (fine)
        submit_all(tasks, starpu, count);
    else
        discard(batch, starpu, made);
    sta__release(starpu);
    if (!fine)
        sta__fail_memory(batch->call);
    return fine;
}

/* The same on every rank, whoever runs the task. */
static void pass_doubts(const struct sta__task *task)
{
    bool doubtful = task->kernel->fails;
    for (int i = 0; i < task->count; i++)
        doubtful |= task->entry[i].tile && task->entry[i].access != WRITES && task->entry[i].tile->doubtful;
    for (int i = 0; i < task->count && doubtful; i++)
        if (task->entry[i].tile && task->entry[i].access != READS)
            task->entry[i].tile->doubtful = true;
}

bool sta__batch_submit(struct sta__batch *batch)
{
    struct sta__task **tasks = (struct sta__task **)(void *)batch->tasks.data;
    for (size_t i = 0; i < batch->tasks.count && !batch->now; i++)
        pass_doubts(tasks[i]);
    for (size_t i = 0; i < batch->tasks.count; i++)
        if (tasks[i]->overflow) {
            sta__fail(batch->call, STA_ERROR_INTERNAL, "a task has more than %d handles", tasks[i]->most_buffers);
            batch->failed = true;
        }
    batch->failed |= !sta__batch_fits_ranks(batch);
    if (batch->failed && batch->call->error == NULL)
        sta__fail_memory(batch->call);
    int64_t task_count = (int64_t)batch->tasks.count;
    int64_t begin = !batch->now && sta__looks(STA__LOOK_TRACE) ? sta__clock() : 0;
    bool fine = batch->failed ? (discard(batch, NULL, 0), false) : batch->now ? run_now(batch) : submit_tasks(batch);
    if (!batch->now && sta__looks(STA__LOOK_ALL))
        sta__look_submitted(batch->call->op, task_count, begin);
    sta__vector_clear(&batch->tasks);
    sta__release(batch);
    return fine;
}

void sta__batch_discard(struct sta__batch *batch)
{
    discard(batch, NULL, 0);
    sta__vector_clear(&batch->tasks);
    sta__release(batch);
}

bool sta__runs_now(int64_t result_bytes, struct sta__value *const *inputs, int count)
{
    if (result_bytes > sta__runtime.settings.inline_bytes && result_bytes > 0)
        return false;
    for (int i = 0; i < count; i++)
        if (inputs[i]->state != STA__NOW)
            return false;
    return true;
}
