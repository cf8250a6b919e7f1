/* Tasks are made here and nowhere else, but for those of help.c, which have no data. A batch is one operation: all of its
 * tasks are built before the first is submitted, so that a lack of memory leaves nothing half done. */
#include "submit.h"

#include "cuda.h"
#include "help.h"
#include "here.h"
#include "look.h"
#include "placement.h"
#include "reply.h"
#include "reshape.h"
#include "rest.h"
#include "runtime.h"

#include "mpi/ranks.h"
#include "partition/tile.h"
#include "perfmodels/model.h"
#include "starpu_compat.h"
#include "task.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- building ---- */

struct sta__batch *sta__batch_open(struct sta__call *call, const struct sta__kernel *kernel, sta_dtype dtype, bool now)
{
    struct sta__batch *batch = sta__allocate(sizeof *batch);
    if (!batch)
        return sta__fail_memory(call);
    batch->call = call;
    batch->kernel = kernel;
    batch->dtype = dtype;
    batch->now = now;
    batch->operation = ++sta__runtime.operations;
    batch->tasks = STA__VECTOR(struct sta__task *);
    return batch;
}

void sta__batch_depth(struct sta__batch *batch, int depth)
{
    batch->depth = depth;
}

void sta__batch_stage(struct sta__batch *batch, int stage)
{
    batch->stage = stage;
}

static void task_end(struct sta__task *task)
{
    if (task->kernel->end && task->arguments)
        task->kernel->end(task->arguments);
    for (int i = 0; i < task->count; i++) {
        if (task->entry[i].tile)
            sta__tile_drop(task->entry[i].tile);
        sta__value_drop(task->entry[i].value);
        sta__release(task->entry[i].guise);
    }
    if (task->entry != task->few)
        sta__release(task->entry);
    sta__failure_drop(task->failure);
    sta__release(task->arguments);
    sta__release(task);
}

struct sta__task *sta__batch_task(struct sta__batch *batch, const void *arguments, size_t bytes)
{
    struct sta__task *task = batch->failed ? NULL : sta__allocate(sizeof *task);
    void *copy = task ? sta__allocate(bytes ? bytes : 1) : NULL;
    struct sta__task **place = copy ? sta__vector_add(&batch->tasks) : NULL;
    if (!place) {
        batch->failed = true;
        sta__release(copy);
        sta__release(task);
        return NULL;
    }
    if (arguments)
        memcpy(copy, arguments, bytes);
    task->kernel = batch->kernel;
    task->dtype = batch->dtype;
    task->stage = batch->stage;
    task->arguments = copy;
    task->operation = batch->operation;
    task->index = (int64_t)batch->tasks.count;
    task->op = batch->call->op;
    task->place = sta__looks(STA__LOOK_DOCTOR) ? sta__doctor_here() : NULL;
    task->batch = batch;
    task->entry = task->few;
    task->room = STA__MAXMEMORY;
    task->most_buffers = STA__MAXBUFFERS;
    return *place = task;
}

void *sta__task_arguments(struct sta__task *task)
{
    return task->arguments;
}

void sta__task_many(struct sta__task *task, int count)
{
    if (!task)
        return;
    struct entry *entry = count > task->room ? sta__allocate(sizeof *entry * (size_t)count) : NULL;
    if (count > task->room && !entry) {
        task->batch->failed = true;
        return;
    }
    if (entry) {
        task->entry = entry;
        task->room = count;
    }
    task->most_buffers = STA__MOSTBUFFERS;
}

/* A tile that many tasks share is looked for among all operands; a task of very many has each one once. */
static int add_tile(struct sta__task *task, struct sta__tile *tile, enum access access, struct sta__guise *guise)
{
    int buffer = -1, same = -1;
    for (int i = 0; i < task->count; i++) {
        struct entry *entry = &task->entry[i];
        if (entry->tile != tile)
            continue;
        if (access != READS)
            entry->access = UPDATES;
        buffer = entry->buffer;
        if (sta__guise_equal(entry->guise, guise))
            same = i;
    }
    if (same >= 0) {
        sta__release(guise);
        return same;
    }
    if (buffer >= 0) /* one handle, one mode */
        for (int i = 0; i < task->count; i++)
            if (task->entry[i].tile == tile && task->entry[i].access != READS)
                access = UPDATES;
    if (task->count == task->room || (buffer < 0 && task->buffers == task->most_buffers)) {
        task->overflow = true;
        sta__release(guise);
        return 0;
    }
    if (access != READS && buffer < 0)
        task->bytes += tile->bytes;
    task->entry[task->count] =
        (struct entry){sta__tile_take(tile), NULL, guise, access, buffer < 0 ? task->buffers++ : buffer};
    return task->count++;
}

static int add_value(struct sta__task *task, struct sta__value *value, int64_t tile, enum access access)
{
    if (!task)
        return 0;
    if (value->state == STA__TILED) {
        struct sta__guise *guise = NULL;
        if (value->reshaped && !sta__guise_of(value, tile, &guise))
            task->batch->failed = true;
        return add_tile(task, value->tiles[tile], access, guise);
    }
    for (int i = 0; i < task->count; i++)
        if (task->entry[i].value == value)
            return i;
    if (task->count == task->room) {
        task->overflow = true;
        return 0;
    }
    task->entry[task->count] = (struct entry){NULL, sta__value_take(value), NULL, access, -1};
    return task->count++;
}

int sta__task_reads(struct sta__task *task, struct sta__value *value, int64_t tile)
{
    return add_value(task, value, tile, READS);
}

int sta__task_writes(struct sta__task *task, struct sta__value *value, int64_t tile)
{
    return add_value(task, value, tile, WRITES);
}

int sta__task_updates(struct sta__task *task, struct sta__value *value, int64_t tile)
{
    return add_value(task, value, tile, UPDATES);
}

int sta__task_reads_tile(struct sta__task *task, struct sta__tile *tile)
{
    return task ? add_tile(task, tile, READS, NULL) : 0;
}

int sta__task_writes_tile(struct sta__task *task, struct sta__tile *tile)
{
    return task ? add_tile(task, tile, WRITES, NULL) : 0;
}

int sta__task_updates_tile(struct sta__task *task, struct sta__tile *tile)
{
    return task ? add_tile(task, tile, UPDATES, NULL) : 0;
}

void sta__batch_kernel(struct sta__batch *batch, const struct sta__kernel *kernel, sta_dtype dtype)
{
    batch->kernel = kernel;
    batch->dtype = dtype;
}

void sta__batch_fail(struct sta__batch *batch)
{
    batch->failed = true;
}

/* ---- running ---- */

void sta__value_memory(struct sta__value *value, struct sta__memory *to)
{
    to->data = value->data;
    to->value = value;
    to->on_host = true;
    to->dtype = value->dtype;
    to->ndim = value->shape.ndim;
    int64_t stride = (int64_t)sta_itemsize(value->dtype);
    for (int a = to->ndim - 1; a >= 0; a--) {
        to->shape[a] = value->shape.at[a];
        to->stride[a] = stride;
        stride *= to->shape[a];
    }
}

static void inherit(struct sta__task *task, struct sta__failure *failure)
{
    if (!failure || (task->failure && !sta__failure_before(failure, task->failure)))
        return;
    sta__failure_drop(task->failure);
    task->failure = sta__failure_take(failure);
}

static void fail_task(struct sta__task *task, sta_error_code code, const char *text)
{
    struct sta__failure *failure = sta__failure_new(code, task->op, text, task->operation, task->index);
    inherit(task, failure);
    sta__failure_drop(failure);
}

/* Fills in the operands; without buffers the calling thread runs the task. False: an operand is in error or has no memory,
 * and the task is skipped. */
static bool open_job(struct sta__task *task, void *buffers[], struct sta__job *job)
{
    job->arguments = task->arguments;
    job->count = task->count;
    job->text[0] = '\0';
    job->fault = NULL;
    bool all_there = true;
    for (int i = 0; i < task->count; i++) {
        struct entry *entry = &task->entry[i];
        if (entry->value) {
            sta__value_memory(entry->value, &job->memory[i]);
            continue;
        }
        if (entry->access != WRITES)
            inherit(task, atomic_load(&entry->tile->failure));
        all_there &= buffers ? sta__tile_memory(buffers[entry->buffer], &job->memory[i])
                             : sta__tile_memory_here(entry->tile, &job->memory[i]);
        sta__guise_apply(entry->guise, &job->memory[i]);
    }
    if (task->failure)
        return false;
    if (!all_there) {
        char text[100];
        snprintf(text, sizeof text, "not enough memory for a tile: the task works on %lld bytes of results",
                 (long long)task->bytes);
        fail_task(task, STA_ERROR_MEMORY, text);
    }
    return all_there;
}

/* What kernels on a GPU reported. */
static void read_fault(struct sta__task *task)
{
    char text[200] = "";
    uint32_t words[STA__FAULT_WORDS] = {0};
    if (task->fault)
        sta__cuda_fault_read(task->fault, words);
    task->fault = NULL;
    sta_error_code code = words[0] ? task->kernel->fault(task->arguments, words, text, sizeof text) : STA_ERROR_NONE;
    if (code)
        fail_task(task, code, text);
}

/* Tells whoever waits that the results are there, or, where nothing was sent, that they come by StarPU. */
static void reply(struct sta__task *task, struct sta__job *job)
{
    for (int i = 0; i < task->count; i++) {
        struct sta__tile *tile = task->entry[i].tile;
        if (!tile || !tile->reply || task->entry[i].access == READS)
            continue;
        if (!job || task->failure || task->fault || !sta__reply_send(tile->reply, job, job->memory[i].data))
            sta__reply_refuse(tile->reply);
    }
    task->replied = true;
}

/* Before successors start: results inherit the error. */
static void task_epilogue(void *argument)
{
    struct sta__task *task = argument;
    if (task->fault)
        read_fault(task);
    if (!task->replied)
        reply(task, NULL);
    if (!task->failure)
        return;
    sta__error_of_failure(task->failure);
    for (int i = 0; i < task->count; i++)
        if (task->entry[i].tile && task->entry[i].access != READS)
            sta__tile_fail(task->entry[i].tile, task->failure);
}

/* Memory for the operands: `few` where they are. NULL: none. */
static struct sta__memory *operands_of(const struct sta__task *task, struct sta__memory *few)
{
    return task->count <= STA__MAXMEMORY ? few : sta__allocate_raw(sizeof *few * (size_t)task->count);
}

static void run_task(void *buffers[], struct sta__task *task, int threads)
{
    struct sta__memory few[STA__MAXMEMORY];
    struct sta__job job;
    job.threads = threads;
    job.cuda = NULL;
    job.memory = operands_of(task, few);
    if (!job.memory)
        fail_task(task, STA_ERROR_MEMORY, "not enough memory for the list of a task's operands");
    else if (open_job(task, buffers, &job)) {
        atomic_fetch_add(&sta__bodies, 1);
        sta__measure_begin(&task->measure, threads);
        sta_error_code code = task->kernel->cpu(&job);
        sta__measure_end(&task->measure);
        atomic_fetch_sub(&sta__bodies, 1);
        if (code)
            fail_task(task, code, job.text);
    }
    if (job.memory != few)
        sta__release(job.memory);
    task_epilogue(task); /* not all StarPUs call it */
}

static void run_sequential(void *buffers[], void *task)
{
    run_task(buffers, task, 1);
}

static void run_openmp(void *buffers[], void *task)
{
    run_task(buffers, task, sta__runtime.settings.threads);
}

static void launch(struct sta__task *task, struct sta__job *job)
{
    sta__cuda_body_begin(job, &task->measure);
    sta_error_code code = task->kernel->cuda(job);
    sta__cuda_body_end(job, &task->measure);
    task->fault = job->fault;
    if (code)
        fail_task(task, code, job->text);
    reply(task, job);
}

/* Launches; the results are there, and the epilogue is called, when the device is done. */
static void run_cuda(void *buffers[], void *argument)
{
    struct sta__task *task = argument;
    struct sta__memory few[STA__MAXMEMORY];
    struct sta__job job;
    job.threads = 1;
    job.cuda = sta__cuda_here();
    job.memory = operands_of(task, few);
    task->on_gpu = true;
    atomic_fetch_add(&sta__bodies, 1);
    if (!job.memory)
        fail_task(task, STA_ERROR_MEMORY, "not enough memory for the list of a task's operands");
    else if (open_job(task, buffers, &job))
        launch(task, &job);
    if (job.memory != few)
        sta__release(job.memory);
}

static void task_callback(void *argument)
{
    struct sta__task *task = argument;
    if (task->on_gpu)
        atomic_fetch_sub(&sta__bodies, 1);
    if (!task->failure)
        sta__measure_record(&task->measure);
    else if (task->measure.timer)
        sta__cuda_elapsed(&task->measure); /* gives it back */
    if (sta__looks(STA__LOOK_ALL))
        sta__look_task(task);
    int64_t bytes = task->bytes;
    task_end(task);
    sta__budget_leave(bytes); /* last: sta_finish waits for it */
}

const struct sta__variants sta__variants = {run_sequential, run_openmp, run_cuda, task_epilogue, task_callback};

/* ---- submitting ---- */

/* Models are told of shapes only; so is whoever makes things ready for a GPU. */
static bool prepare(struct sta__task *task, struct starpu_task *starpu)
{
    struct sta__memory few[STA__MAXMEMORY];
    struct sta__job job;
    job.arguments = task->arguments;
    job.count = task->count;
    job.no_memory = false;
    job.memory = operands_of(task, few);
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
    sta__measure_prepare(&task->measure, task->codelet, task->kernel, &job, starpu);
    if (sta__runtime.gpus && task->kernel->ready && !task->kernel->ready(&job)) {
        starpu->where = STARPU_CPU;
        if (starpu_cpu_worker_get_count() == 0)
            fail_task(task, job.no_memory ? STA_ERROR_MEMORY : STA_ERROR_DEVICE, job.text);
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
    if (!make_room(starpu, task->buffers) || !prepare(task, starpu)) {
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
    sta__set_epilogue(starpu, task_epilogue, task);
    starpu->callback_func = task_callback;
    starpu->callback_arg = task;
    return starpu;
}

/* No worker takes it: the results are in error, and StarPU must see them written. */
static void refuse(struct sta__task *task)
{
    if (!task->failure)
        fail_task(task, STA_ERROR_DEVICE, "no worker can run the task");
    for (int i = 0; i < task->count; i++)
        if (task->entry[i].tile && task->entry[i].access != READS &&
            starpu_data_acquire(task->entry[i].tile->handle, STARPU_W) == 0)
            starpu_data_release(task->entry[i].tile->handle);
    task_epilogue(task);
    int64_t bytes = task->bytes;
    task_end(task);
    sta__budget_leave(bytes); /* last: sta_finish waits for it */
}

static int64_t submitted; /* with the lock */

int64_t sta__tasks_submitted(void)
{
    return submitted;
}

static void submit_task(struct sta__task *task, struct starpu_task *starpu)
{
    submitted++;
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
        open_job(tasks[i], NULL, &job);
        sta_error_code code = tasks[i]->kernel->cpu(&job);
        if (code)
            sta__fail(batch->call, code, "%s", job.text);
        task_end(tasks[i]);
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
    if (!open_job(task, NULL, &job))
        return;
    sta__measure_begin(&task->measure, 1);
    sta_error_code code = task->kernel->cpu(&job);
    sta__measure_end(&task->measure);
    if (code)
        fail_task(task, code, job.text);
}

static void end_here(struct sta__task *task)
{
    submitted++;
    if (!task->failure)
        sta__measure_record(&task->measure);
    task_epilogue(task);
    for (int i = 0; i < task->count; i++)
        if (task->entry[i].tile && task->entry[i].access != READS)
            task->entry[i].tile->written = true;
    task_end(task);
}

/* Those tasks that are ready go together, then those that read what they wrote; without helpers one after the other. */
static void run_here(struct sta__task **tasks, int count, int helpers)
{
    struct sta__task *ready[STA__MOST_HERE];
    while (count > 0) {
        int together = 0, left = 0;
        for (int i = 0; i < count; i++)
            if (sta__here_ready(tasks[i]) && (helpers > 0 || together == 0))
                ready[together++] = tasks[i];
            else
                tasks[left++] = tasks[i];
        sta__help(ready, together, helpers < together ? helpers : together - 1, run_body);
        for (int i = 0; i < together; i++)
            end_here(ready[i]);
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
        task_end(tasks[i]);
}

/* On several ranks: a task that runs elsewhere is forgotten here. */
static bool share_out_tasks(struct sta__batch *batch)
{
    struct sta__task **tasks = (struct sta__task **)(void *)batch->tasks.data;
    int64_t count = (int64_t)batch->tasks.count;
    for (int64_t i = 0; i < count; i++) {
        tasks[i]->depth = batch->depth + tasks[i]->stage;
        if (!sta__task_runs_here(tasks[i], i, count)) {
            task_end(tasks[i]);
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
        for (size_t i = 0; i < count; i++)
            submit_task(tasks[i], starpu[i]);
    else
        discard(batch, starpu, made);
    sta__release(starpu);
    if (!fine)
        sta__fail_memory(batch->call);
    return fine;
}

bool sta__batch_submit(struct sta__batch *batch)
{
    struct sta__task **tasks = (struct sta__task **)(void *)batch->tasks.data;
    for (size_t i = 0; i < batch->tasks.count; i++)
        if (tasks[i]->overflow) {
            sta__fail(batch->call, STA_ERROR_INTERNAL, "a task has more than %d handles", tasks[i]->most_buffers);
            batch->failed = true;
        }
    batch->failed |= !sta__batch_fits_ranks(batch);
    if (batch->failed && batch->call->error == NULL)
        sta__fail_memory(batch->call);
    int64_t task_count = (int64_t)batch->tasks.count;
    int64_t begin = sta__looks(STA__LOOK_ALL) ? sta__clock() : 0;
    bool fine = batch->failed ? (discard(batch, NULL, 0), false) : batch->now ? run_now(batch) : submit_tasks(batch);
    if (begin && !batch->now)
        sta__look_submitted(batch->call->op, task_count, begin, sta__clock());
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
