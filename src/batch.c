/* Building operations: a batch and its tasks, with what each reads and writes. Nothing of StarPU yet. */
#include "body.h"
#include "failure.h"
#include "look.h"
#include "reshape.h"
#include "submit.h"
#include "task.h"

#include "partition/tile.h"

#include <inttypes.h>
#include <string.h>

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

void sta__task_end(struct sta__task *task)
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

bool sta__tasks_fit(struct sta__call *call, int64_t count)
{
    enum { BYTES = 40000 }; /* of a task, StarPU's part of it, and the handle of what it writes */
    if (count <= sta__runtime.memory_bytes / 2 / BYTES) /* their values want some, too */
        return true;
    return sta__fail(call, STA_ERROR_MEMORY, "%" PRId64 " tasks and tiles take more than half of the machine's %.1f GB",
                     count, (double)sta__runtime.memory_bytes / 1e9) != NULL;
}

struct sta__task *sta__batch_task(struct sta__batch *batch, const void *arguments, size_t bytes)
{
    if (batch->failed || !sta__tasks_fit(batch->call, (int64_t)batch->tasks.count + 1)) {
        batch->failed = true;
        return NULL;
    }
    struct sta__task *task = sta__allocate(sizeof *task);
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
