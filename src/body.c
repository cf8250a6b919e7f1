/* What happens in a task: its operands are opened, its kernel runs, errors go on to the results. */
#include "body.h"

#include "cuda.h"
#include "failure.h"
#include "late.h"
#include "look.h"
#include "reply.h"
#include "reshape.h"
#include "runtime.h"
#include "submit.h"

#include "partition/tile.h"

#include <stdio.h>

atomic_int sta__bodies_on_cores;

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

void sta__task_fail(struct sta__task *task, sta_error_code code, const char *text)
{
    struct sta__failure *failure = sta__failure_new(code, task->op, text, task->operation, task->index);
    inherit(task, failure);
    sta__failure_drop(failure);
}

bool sta__job_open(struct sta__task *task, void *buffers[], struct sta__job *job)
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
        sta__task_fail(task, STA_ERROR_MEMORY, text);
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
        sta__task_fail(task, code, text);
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

void sta__task_epilogue(void *argument)
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

struct sta__memory *sta__job_operands(const struct sta__task *task, struct sta__memory *few)
{
    return task->count <= STA__MAXMEMORY ? few : sta__allocate_raw(sizeof *few * (size_t)task->count);
}

/* Who waits for a tile and then writes it in place shall not find it held by the task that is over. */
static void let_go(struct sta__task *task)
{
    for (int i = 0; i < task->count; i++)
        if (task->entry[i].tile && sta__tile_drop_shared(task->entry[i].tile))
            task->entry[i].tile = NULL;
}

static void run_task(void *buffers[], struct sta__task *task, int threads)
{
    struct sta__memory few[STA__MAXMEMORY];
    struct sta__job job;
    job.threads = threads;
    job.cuda = NULL;
    job.memory = sta__job_operands(task, few);
    if (!job.memory)
        sta__task_fail(task, STA_ERROR_MEMORY, "not enough memory for the list of a task's operands");
    else if (sta__job_open(task, buffers, &job)) {
        atomic_fetch_add(&sta__bodies, 1);
        atomic_fetch_add(&sta__bodies_on_cores, 1);
        sta__measure_begin(&task->measure, threads);
        sta_error_code code = task->kernel->cpu(&job);
        sta__measure_end(&task->measure);
        atomic_fetch_sub(&sta__bodies_on_cores, 1);
        atomic_fetch_sub(&sta__bodies, 1);
        if (code)
            sta__task_fail(task, code, job.text);
    }
    if (job.memory != few)
        sta__release(job.memory);
    sta__task_epilogue(task); /* not all StarPUs call it */
    let_go(task);
}

static void run_sequential(void *buffers[], void *task)
{
    run_task(buffers, task, 1);
}

static void run_openmp(void *buffers[], void *task)
{
    cpu_set_t bound;
    sta__team_begin(&bound);
    run_task(buffers, task, sta__runtime.settings.threads);
    sta__team_end(&bound);
}

static void launch(struct sta__task *task, struct sta__job *job)
{
    sta__cuda_body_begin(job, &task->measure);
    sta_error_code code = task->kernel->cuda(job);
    sta__cuda_body_end(job, &task->measure);
    task->fault = job->fault;
    if (code)
        sta__task_fail(task, code, job->text);
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
    job.memory = sta__job_operands(task, few);
    task->on_gpu = true;
    atomic_fetch_add(&sta__bodies, 1);
    if (!job.memory)
        sta__task_fail(task, STA_ERROR_MEMORY, "not enough memory for the list of a task's operands");
    else if (sta__job_open(task, buffers, &job))
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
    sta__late_next(task->late);
    sta__task_end(task);
    sta__budget_leave(bytes); /* last: sta_finish waits for it */
}

const struct sta__variants sta__variants = {run_sequential, run_openmp, run_cuda, sta__task_epilogue, task_callback};
