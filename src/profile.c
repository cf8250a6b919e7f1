/* Counting for STA_PROFILE. */
#include "cuda.h"
#include "doctor.h"
#include "perfmodels/model.h"
#include "runtime.h"
#include "starpu_compat.h"
#include "task.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

atomic_int sta__look;
struct sta__profile sta__profile;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_llong memory_now[STARPU_MAXNODES], memory_peak[STARPU_MAXNODES];

int64_t sta__clock(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * (int64_t)1000000000 + time.tv_nsec;
}

void sta__profile_lock(void)
{
    pthread_mutex_lock(&mutex);
}

void sta__profile_unlock(void)
{
    pthread_mutex_unlock(&mutex);
}

/* ---- tasks ---- */

static struct sta__profile_row *row_of(const struct sta__task *task, enum sta__variant variant)
{
    uint32_t hash = task->kernel->hash ? task->kernel->hash(task->arguments) : 0;
    struct sta__profile_row **alike = &sta__profile.alike[(hash ^ (uintptr_t)task->codelet >> 4) % STA__ROW_LISTS];
    struct sta__profile_row *row = *alike;
    while (row && (row->codelet != task->codelet || row->hash != hash || row->variant != variant))
        row = row->alike;
    if (row)
        return row;
    row = sta__allocate(sizeof *row);
    if (!row)
        return NULL;
    row->codelet = task->codelet;
    row->hash = hash;
    row->variant = variant;
    if (task->kernel->describe)
        task->kernel->describe(task->arguments, row->label, sizeof row->label);
    else
        snprintf(row->label, sizeof row->label, "%s", task->kernel->name);
    row->next = sta__profile.rows;
    sta__profile.rows = row;
    row->alike = *alike;
    *alike = row;
    return row;
}

static void count_ratio(struct sta__profile_row *row, double predicted, double measured)
{
    double eighths = 8 * log2(predicted / measured) + STA__RATIO_OF_ONE;
    if (isnan(eighths)) /* nobody predicted */
        return;
    row->ratio[(int)fmin(fmax(round(eighths), 0), STA__RATIOS - 1)]++;
}

static void count_task(const struct sta__task *task)
{
    const struct sta__measure *measure = &task->measure;
    bool timed = measure->microseconds > 0;
    pthread_mutex_lock(&mutex);
    struct sta__profile_row *row = row_of(task, measure->variant);
    if (row && sta__looks(STA__LOOK_PROFILE)) {
        row->tasks++;
        row->timed += timed;
        if (timed) {
            row->microseconds += measure->microseconds;
            row->bytes += measure->bytes;
            row->flops += measure->flops;
            count_ratio(row, measure->predicted, measure->microseconds);
        }
    }
    pthread_mutex_unlock(&mutex);
    if (row && timed && sta__looks(STA__LOOK_TRACE))
        sta__trace_add(STA__EVENT_TASK, row->label, starpu_worker_get_id(), measure->begin, measure->end,
                       (int64_t)measure->bytes);
}

void sta__look_task(const struct sta__task *task)
{
    if (sta__looks(STA__LOOK_TIMES))
        count_task(task);
    if (sta__looks(STA__LOOK_DOCTOR) && starpu_worker_get_id() >= 0)
        sta__doctor_task(task);
}

/* ---- calls ---- */

struct sta__function sta__functions[STA__FUNCTIONS];

/* The last one is also for those that find no room. */
struct sta__function *sta__function_find(const char *op, uint32_t start)
{
    for (uint32_t k = 0; k < STA__FUNCTIONS; k++) {
        struct sta__function *function = &sta__functions[(start + k) % STA__FUNCTIONS];
        if (!function->op)
            function->op = op;
        if (function->op == op)
            return function;
    }
    return &sta__functions[STA__FUNCTIONS - 1];
}

void sta__look_submitted(const char *op, int64_t tasks, int64_t begin)
{
    if (sta__looks(STA__LOOK_PROFILE)) {
        struct sta__function *function = sta__function(op);
        function->operations++;
        function->tasks += tasks;
    }
    if (begin && sta__looks(STA__LOOK_TRACE))
        sta__trace_add(STA__EVENT_SUBMIT, op, -1, begin, sta__clock(), tasks);
    if (sta__looks(STA__LOOK_DOCTOR))
        sta__doctor_submitted(tasks);
}

void sta__look_waited(int64_t begin, int64_t end)
{
    if (sta__looks(STA__LOOK_PROFILE)) {
        pthread_mutex_lock(&mutex);
        sta__profile.waits++;
        sta__profile.waited += end - begin;
        pthread_mutex_unlock(&mutex);
    }
    if (sta__looks(STA__LOOK_TRACE))
        sta__trace_add(STA__EVENT_WAIT, "wait", -1, begin, end, 0);
    if (sta__looks(STA__LOOK_DOCTOR))
        sta__doctor_waited(begin, end);
}

/* ---- memory ---- */

static int kind_of(unsigned node)
{
    switch (starpu_node_get_kind(node)) {
    case STARPU_CPU_RAM:
        return 0;
    case STARPU_DISK_RAM:
        return 2;
    default:
        return 1;
    }
}

void sta__look_moved(unsigned from_node, unsigned to_node, int64_t bytes, int64_t begin, int64_t end)
{
    static const char *const name[STA__KINDS][STA__KINDS] = {
        {"copy host to host", "copy host to GPU", "copy host to disk"},
        {"copy GPU to host", "copy GPU to GPU", "copy GPU to disk"},
        {"copy disk to host", "copy disk to GPU", "copy disk to disk"}};
    int from = kind_of(from_node), to = kind_of(to_node);
    if (sta__looks(STA__LOOK_PROFILE)) {
        pthread_mutex_lock(&mutex);
        sta__profile.moved[from][to] += bytes;
        sta__profile.moves[from][to]++;
        pthread_mutex_unlock(&mutex);
    }
    if (sta__looks(STA__LOOK_TRACE))
        sta__trace_add(STA__EVENT_COPY, name[from][to], -1, begin, end, bytes);
    if (sta__looks(STA__LOOK_DOCTOR))
        sta__doctor_moved(to_node, bytes);
}

void sta__look_memory(unsigned node, int64_t bytes)
{
    long long now = atomic_fetch_add_explicit(&memory_now[node], bytes, memory_order_relaxed) + bytes;
    long long peak = atomic_load_explicit(&memory_peak[node], memory_order_relaxed);
    while (now > peak && !atomic_compare_exchange_weak(&memory_peak[node], &peak, now))
        continue;
}

int64_t sta__memory_peak(unsigned node)
{
    return atomic_load(&memory_peak[node]);
}

/* ---- on and off ---- */

void sta__look_set(int what, bool on)
{
    if (on)
        atomic_fetch_or(&sta__look, what);
    else
        atomic_fetch_and(&sta__look, ~what);
}

static void forget(void)
{
    while (sta__profile.rows) {
        struct sta__profile_row *row = sta__profile.rows;
        sta__profile.rows = row->next;
        sta__release(row);
    }
    memset(&sta__profile, 0, sizeof sta__profile);
    for (struct sta__function *f = sta__functions; f < sta__functions + STA__FUNCTIONS; f++)
        f->calls = f->at_once = f->operations = f->tasks = 0;
    for (int node = 0; node < STARPU_MAXNODES; node++)
        atomic_store(&memory_peak[node], atomic_load(&memory_now[node]));
}

static void count(bool on)
{
    bool counting = sta__looks(STA__LOOK_PROFILE);
    int64_t now = sta__clock();
    if (on && !counting)
        sta__profile.since = now;
    if (!on && counting)
        sta__profile.lasted += now - sta__profile.since;
    sta__look_set(STA__LOOK_PROFILE, on);
}

const sta_error *sta__look_refuse(const char *op)
{
    struct sta__call call = sta__enter(op);
    return sta__leave_error(&call);
}

const sta_error *sta_profile_start(void)
{
    if (!sta__started())
        return sta__look_refuse("profile_start");
    pthread_mutex_lock(&mutex);
    count(true);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

const sta_error *sta_profile_stop(void)
{
    if (!sta__started())
        return sta__look_refuse("profile_stop");
    sta__tasks_wait(); /* a task is counted a moment after its results are there */
    pthread_mutex_lock(&mutex);
    count(false);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

/* Rows may be looked at by tasks that end: not before they have. */
const sta_error *sta_profile_reset(void)
{
    if (!sta__started())
        return sta__look_refuse("profile_reset");
    sta__lock();
    pthread_mutex_lock(&mutex);
    bool counting = sta__looks(STA__LOOK_PROFILE);
    if (!sta__looks(STA__LOOK_TRACE)) /* its events name rows */
        forget();
    else
        for (struct sta__profile_row *row = sta__profile.rows; row; row = row->next) {
            row->tasks = row->timed = 0;
            row->microseconds = row->bytes = row->flops = 0;
            memset(row->ratio, 0, sizeof row->ratio);
        }
    sta__profile.since = counting ? sta__clock() : 0;
    pthread_mutex_unlock(&mutex);
    sta__unlock();
    return NULL;
}

static bool wants_profile(void)
{
    return sta__runtime.settings.profile;
}

void sta__look_start(void)
{
    if (sta__runtime.starts)
        return;
    count(wants_profile());
    if (getenv("STA_TRACE") && *getenv("STA_TRACE")) {
        sta__trace_start();
        sta__look_set(STA__LOOK_TRACE, true);
    }
    if (getenv("STA_DOCTOR") && *getenv("STA_DOCTOR") && strcmp(getenv("STA_DOCTOR"), "0") != 0)
        sta__look_set(STA__LOOK_DOCTOR, sta__doctor_start());
}

void sta__look_finish(void)
{
    bool counting = sta__looks(STA__LOOK_PROFILE);
    count(false);
    if (counting && wants_profile()) {
        char *text = sta__profile_report();
        if (text)
            fputs(text, stderr);
        free(text);
    }
    if (sta__looks(STA__LOOK_TRACE))
        sta__trace_finish();
    sta__look_set(STA__LOOK_TRACE, false);
    if (sta__looks(STA__LOOK_DOCTOR))
        sta__doctor_tell();
    sta__look_set(STA__LOOK_DOCTOR, false);
    sta__doctor_end();
    forget();
}
