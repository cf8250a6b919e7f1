/* Collecting for STA_DOCTOR. A public function says that it was called; what happens on its thread until the next one is
 * put down to the place that called it, and so are the tasks that it makes. */
#include "doctor.h"

#include "array.h"
#include "graph.h"
#include "perfmodels/model.h"
#include "runtime.h"
#include "task.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

struct sta__sight sta__sight;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local struct {
    struct sta__place *place;
    int64_t start; /* of the library: places die with it */
    int64_t call;  /* number of the call under way */
    int64_t wait;  /* of the last one that waited */
} here;

void sta__sight_lock(void)
{
    pthread_mutex_lock(&mutex);
}

void sta__sight_unlock(void)
{
    pthread_mutex_unlock(&mutex);
}

/* ---- places ---- */

/* NULL: a new one, unless it is added. Rows come under both locks, so that one of them is enough to look. */
static struct sta__place *place_of(uintptr_t address, const char *op, bool add)
{
    uint64_t start = (address ^ (uintptr_t)op << 7) * 0x9e3779b97f4a7c15U >> 20;
    for (uint64_t k = 0; k < STA__PLACES; k++) {
        struct sta__place *place = &sta__sight.place[1 + (start + k) % (STA__PLACES - 1)];
        if (place->op == op && place->address == address)
            return place;
        if (place->op)
            continue;
        if (sta__sight.places == STA__PLACES * 3 / 4) /* the rest keeps searches short */
            break;
        if (!add)
            return NULL;
        *place = (struct sta__place){.address = address, .op = op};
        sta__sight.places++;
        return place;
    }
    return &sta__sight.place[0];
}

/* A walk up the stack takes microseconds. A function that is called again has its caller's address as far up, if it came by
 * the same way; and there only an address is believed that a walk has found for that function before. With the lock. */
__attribute__((noinline)) static struct sta__place *find_place(struct sta__function *function, uintptr_t frame,
                                                               uintptr_t address)
{
    struct sta__place *place = address ? place_of(address, function->op, false) : NULL;
    if (place)
        return place;
    sta__unlock();
    struct sta__caller caller = sta__caller_walk(frame);
    sta__lock();
    if (!sta__looks(STA__LOOK_DOCTOR)) /* meanwhile it has gone */
        return NULL;
    pthread_mutex_lock(&mutex);
    place = place_of(caller.address, function->op, true);
    pthread_mutex_unlock(&mutex);
    function->distance = caller.distance;
    return place;
}

/* Calls are counted under the library's lock alone: they may take less than a microsecond. */
void sta__doctor_call(struct sta__function *function, uintptr_t frame)
{
    struct sta__place *place = function->place;
    uintptr_t address = function->distance ? sta__stack_at(frame + function->distance) : 0;
    if (!place || address != place->address)
        place = function->place = find_place(function, frame, address);
    if (!place)
        return;
    place->calls++;
    here.place = place;
    here.start = sta__runtime.start_number;
    here.call = ++sta__sight.calls;
}

struct sta__place *sta__doctor_here(void)
{
    return here.place && here.start == sta__runtime.start_number ? here.place : &sta__sight.place[0];
}

/* The place of the call under way, with the mutex; without one that of all others. */
static struct sta__place *this_place(void)
{
    pthread_mutex_lock(&mutex);
    return sta__doctor_here();
}

/* ---- on the calling thread ---- */

void sta__look_access(const struct sta__view *view, const struct sta__value *value)
{
    int64_t size = 0;
    if (value->size == 1 || !sta__shape_size(&view->shape, &size) || size != 1)
        return;
    this_place()->elements++;
    pthread_mutex_unlock(&mutex);
}

/* A call counts once, and only where there was new work to wait for. */
void sta__doctor_waited(int64_t begin, int64_t end)
{
    struct sta__place *place = this_place();
    place->waited += end - begin;
    if (here.wait != here.call && place->work_seen != sta__sight.work) {
        place->soon += place->waits && begin - place->last_wait < STA__SOON;
        place->last_wait = begin;
        place->waits++;
    }
    here.wait = here.call;
    place->work_seen = sta__sight.work;
    pthread_mutex_unlock(&mutex);
}

void sta__doctor_submitted(int64_t tasks)
{
    struct sta__place *place = this_place();
    sta__sight.work++;
    place->operations++;
    place->tasks += tasks;
    pthread_mutex_unlock(&mutex);
}

void sta__look_recut(const struct sta__value *copy)
{
    struct sta__place *place = this_place();
    place->recuts++;
    place->recut_bytes += sta__value_bytes(copy);
    pthread_mutex_unlock(&mutex);
}

static bool is_double(sta_dtype dtype)
{
    return dtype == STA_float64 || dtype == STA_complex128;
}

static bool is_single(sta_dtype dtype)
{
    return dtype == STA_float32 || dtype == STA_complex64;
}

/* An array in single precision met a small one in double precision, or integers: the result has twice the bytes. */
void sta__look_types(const struct sta__operand *in, int count, sta_dtype result, const struct sta__shape *shape)
{
    bool single = false, meant = false;
    int64_t size = 0;
    if (!is_double(result) || !sta__shape_size(shape, &size))
        return;
    for (int i = 0; i < count; i++) {
        single |= is_single(in[i].value->dtype) && in[i].value->size > 1;
        meant |= is_double(in[i].value->dtype) && in[i].value->size > size / 2;
    }
    if (!single || meant)
        return;
    this_place()->widened_bytes += size * (int64_t)sta_itemsize(result);
    pthread_mutex_unlock(&mutex);
}

/* Whether all that the program reads is repeated along the axis. */
static bool repeats(const struct sta__plan *plan, int axis)
{
    bool arrays = false;
    for (int i = 0; i < plan->program->inputs; i++) {
        const struct sta__view *view = &plan->in[i].view;
        arrays |= plan->in[i].value->size > 1;
        for (int s = 0; s < view->store_ndim; s++)
            if (view->map[s].axis == axis)
                return false;
    }
    return arrays;
}

void sta__look_plan(const struct sta__plan *plan)
{
    int64_t bytes = 0;
    bool some = false;
    for (int a = 0; a < plan->shape.ndim; a++)
        some |= plan->shape.at[a] > 1 && repeats(plan, a);
    for (int o = 0; o < plan->program->outputs && some; o++)
        bytes += plan->program->output[o].reduce ? 0 : sta__value_bytes(plan->out[o]);
    this_place()->broadcast_bytes += bytes;
    pthread_mutex_unlock(&mutex);
}

void sta__look_held(int64_t begin, int64_t end)
{
    pthread_mutex_lock(&mutex);
    sta__sight.held += end - begin;
    pthread_mutex_unlock(&mutex);
}

void sta__look_made(struct sta__store *store)
{
    store->used = sta__sight.calls;
    store->place = sta__doctor_here();
}

void sta__doctor_freed(const struct sta__store *store)
{
    enum { LARGE = 16 << 20 };
    const struct sta__value *value = store->value;
    if (!value || value->state == STA__PENDING || value->user || sta__value_bytes(value) < LARGE)
        return;
    pthread_mutex_lock(&mutex);
    store->place->kept++;
    store->place->kept_bytes += sta__value_bytes(value);
    store->place->kept_calls += sta__sight.calls - store->used;
    pthread_mutex_unlock(&mutex);
}

/* ---- workers ---- */

/* The time covered by tasks, which end nearly in the order of their ends. */
static void count_loaded(int64_t begin, int64_t end)
{
    if (end <= sta__sight.loaded_until)
        return;
    sta__sight.loaded += end - (begin > sta__sight.loaded_until ? begin : sta__sight.loaded_until);
    sta__sight.loaded_until = end;
}

void sta__doctor_task(const struct sta__task *task)
{
    const struct sta__measure *measure = &task->measure;
    int worker = starpu_worker_get_id();
    pthread_mutex_lock(&mutex);
    sta__sight.tasks++;
    sta__sight.task_bytes += measure->bytes;
    if (task->place)
        task->place->task_bytes += measure->bytes;
    if (worker >= 0 && measure->microseconds > 0) {
        int64_t time = (int64_t)(measure->microseconds * 1000);
        sta__sight.busy[worker] += time;
        count_loaded(measure->begin, measure->end);
        if (measure->guessed >> measure->variant & 1) {
            double cost = sta__cost(measure->variant, measure->bytes, measure->nanoseconds, measure->threads);
            sta__sight.guessed += time;
            sta__sight.guessed_factors += (double)time * fabs(log2(cost / measure->microseconds));
        }
    }
    pthread_mutex_unlock(&mutex);
}

void sta__look_short(void)
{
    pthread_mutex_lock(&mutex);
    sta__sight.shortages++;
    pthread_mutex_unlock(&mutex);
}

void sta__doctor_moved(unsigned to_node, int64_t bytes)
{
    if (starpu_node_get_kind(to_node) != STARPU_DISK_RAM)
        return;
    pthread_mutex_lock(&mutex);
    sta__sight.to_disk += bytes;
    pthread_mutex_unlock(&mutex);
}

/* ---- on and off ---- */

/* Places stay where they are, since arrays and tasks point to them; only what was counted goes. */
bool sta__doctor_start(void)
{
    pthread_mutex_lock(&mutex);
    struct sta__place *place = sta__sight.place;
    if (!place)
        place = sta__allocate(sizeof *place * STA__PLACES);
    for (int k = 0; k < STA__PLACES && place; k++)
        place[k] = (struct sta__place){.address = place[k].address, .op = place[k].op};
    int64_t calls = sta__sight.calls, places = sta__sight.places;
    sta__sight = (struct sta__sight){.place = place, .places = places};
    sta__sight.calls = calls; /* arrays remember at which one they were used */
    sta__sight.since = calls;
    pthread_mutex_unlock(&mutex);
    sta__caller_start();
    return place != NULL;
}

void sta__doctor_end(void)
{
    for (struct sta__function *f = sta__functions; f < sta__functions + STA__FUNCTIONS; f++)
        f->place = NULL;
    pthread_mutex_lock(&mutex);
    sta__release(sta__sight.place);
    sta__sight = (struct sta__sight){0};
    pthread_mutex_unlock(&mutex);
}
