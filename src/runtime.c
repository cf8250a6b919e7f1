/* The library's start and end. */
#include "runtime.h"

#include "array.h"
#include "blocks.h"
#include "elementwise/ufunc.h"
#include "failure.h"
#include "look.h"
#include "mpi/ranks.h"
#include "partition/filter.h"
#include "partition/tile.h"
#include "perfmodels/model.h"
#include "rest.h"
#include "settings.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct sta__runtime sta__runtime = {.settings = {.log_level = 1}};

/* ---- the one lock ---- */

static pthread_mutex_t lock = STA__LOCK_INITIALIZER;
static _Thread_local bool holds_lock;
static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER; /* held while the library starts and ends */

static void expect_zero(int answer, const char *what)
{
    if (answer == 0)
        return;
    fprintf(stderr, "starray: a defect of the library: %s\n", what);
    abort();
}

void sta__lock(void)
{
    expect_zero(pthread_mutex_lock(&lock), "the lock is taken twice by one thread");
    holds_lock = true;
}

void sta__unlock(void)
{
    holds_lock = false;
    expect_zero(pthread_mutex_unlock(&lock), "the lock is given back by a thread that does not hold it");
    sta__roots_settle();
}

bool sta__lock_held(void)
{
    return holds_lock;
}

/* ---- forked children have no workers: there every call is an error ---- */

static void in_child(void)
{
    if (!sta__runtime.starts)
        return;
    sta__runtime.forked = true;
    /* Whoever held them stayed in the parent. */
    lock = (pthread_mutex_t)STA__LOCK_INITIALIZER;
    holds_lock = false;
    starting = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}

static void guard_forks(void)
{
    pthread_atfork(NULL, NULL, in_child);
}

/* ---- what others want done at the end ---- */

enum { MOST_HOOKS = 64 };
static struct {
    pthread_mutex_t mutex;
    void (*function[MOST_HOOKS])(void);
    int count;
} hooks = {.mutex = PTHREAD_MUTEX_INITIALIZER};

void sta__at_finish(void (*function)(void))
{
    bool known = false;

    pthread_mutex_lock(&hooks.mutex);
    for (int k = 0; k < hooks.count; k++)
        known |= hooks.function[k] == function;
    if (!known)
        expect_zero(hooks.count == MOST_HOOKS, "too many functions want to be called at the end");
    if (!known)
        hooks.function[hooks.count++] = function;
    pthread_mutex_unlock(&hooks.mutex);
}

static void call_hooks(void)
{
    while (hooks.count > 0)
        hooks.function[--hooks.count]();
}

/* ---- start and end ---- */

bool sta__started(void)
{
    bool started;

    sta__lock();
    started = sta__runtime.starts > 0 && !sta__runtime.forked;
    sta__unlock();
    return started;
}

bool sta__inside_task(void)
{
    return starpu_worker_get_id() >= 0;
}

static const sta_error *refuse(sta_error_code code, const char *text)
{
    const sta_error *error = sta__error_of(code, "init", text);

    sta__error_seen(error);
    return error;
}

static int64_t machine_memory(void)
{
    int64_t total = sta__memory_total(), available = sta__memory_available();

    return available > total ? available : total;
}

static const sta_error *start(const sta_init_options *options)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    struct sta__settings settings = {0};
    struct sta__wishes wishes;
    int64_t memory = machine_memory();
    bool joined = false, fine;
    char text[200] = "";

    fine = sta__wishes_read(options, &wishes, text, sizeof text);
    if (!sta__ranks_begin(&wishes, text, sizeof text))
        return refuse(STA_ERROR_STARPU, text);
    if (!sta__ranks_share(&wishes, fine, text, sizeof text))
        return refuse(STA_ERROR_VALUE, text);
    settings.trap = wishes.value[STA__SET_TRAP];
    settings.rest = !wishes.given[STA__SET_REST] || wishes.value[STA__SET_REST];
    settings.tf32 = wishes.value[STA__SET_TF32];
    settings.profile = wishes.value[STA__SET_PROFILE];
    settings.compile =
        wishes.given[STA__SET_COMPILE] ? (enum sta__compile_choice)wishes.value[STA__SET_COMPILE] : STA__COMPILE_HOT;
    settings.fma = wishes.value[STA__SET_FMA];
    settings.log_level = wishes.given[STA__SET_LOG] ? (int)wishes.value[STA__SET_LOG] : 1;
    sta__runtime.settings = settings;
    sta__settings_warn();
    fine = sta__workers_start(&wishes, &settings, &joined, text, sizeof text);
    if (!sta__ranks_start(&settings, &memory, joined, fine)) {
        if (fine)
            starpu_shutdown();
        return refuse(STA_ERROR_STARPU, fine ? "not every rank could start StarPU and StarPU-MPI" : text);
    }
    pthread_once(&once, guard_forks);
    sta__tiles_start();
    sta__models_start();
    sta__loops_choose();
    sta__pool_limit((size_t)settings.pool_bytes);
    sta__lock();
    sta__runtime.settings = settings;
    sta__runtime.joined = joined;
    sta__runtime.start_number++;
    sta__runtime.operations = 0;
    sta__runtime.memory_bytes = memory;
    sta__rest_start();
    sta__look_start();
    sta__unlock();
    return NULL;
}

const sta_error *sta_init(const sta_init_options *options)
{
    static const sta_error forked = {STA_ERROR_FORKED, "init",
                                     "the library cannot be used in a forked child of the process that started it"};
    const sta_error *error;

    if (sta__runtime.forked)
        return &forked;
    pthread_mutex_lock(&starting);
    error = sta__runtime.starts ? NULL : start(options);
    sta__lock();
    sta__runtime.starts += !error;
    sta__unlock();
    pthread_mutex_unlock(&starting);
    return error;
}

/* Nothing of ours may be left when StarPU goes: first arrays, then tasks, then user memory and tiles. */
static void finish(void)
{
    sta__lock();
    sta__wait_begin(); /* to the end: the workers stay awake */
    sta__arrays_finish();
    sta__runtime.starts = 0;
    sta__unlock();
    sta__tasks_wait();
    if (!sta__runtime.joined)
        starpu_task_wait_for_all(); /* the last callbacks return */
    sta__roots_finish();
    sta__tiles_wait();
    sta__look_finish();
    call_hooks();
    sta__models_settle();
    sta__ranks_end();
    starpu_shutdown();
    sta__failures_finish();
    sta__errors_finish();
    sta__pool_limit(0);
    sta__blocks_clear();
}

void sta_finish(void)
{
    if (sta__runtime.forked)
        return;
    pthread_mutex_lock(&starting);
    if (sta__runtime.starts == 1) {
        finish();
    } else if (sta__runtime.starts > 1) {
        sta__lock();
        sta__runtime.starts--;
        sta__unlock();
    }
    pthread_mutex_unlock(&starting);
}

int sta_version(void)
{
    return STA_VERSION_MAJOR * 10000 + STA_VERSION_MINOR * 100 + STA_VERSION_PATCH;
}
