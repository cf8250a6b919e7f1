/* Errors of tasks. */
#include "failure.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* Not counted: it always lives. */
static struct sta__failure no_memory = {
    .error = {STA_ERROR_MEMORY, "task", "not enough memory"}, .references = 1, .op = "task", .text = "not enough memory"};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct sta__vector kept = {NULL, 0, 0, sizeof(struct sta__failure *)};

struct sta__failure *sta__failure_new(sta_error_code code, int64_t operation, int64_t tile, const char *op,
                                      const char *format, ...)
{
    struct sta__failure *failure = sta__allocate(sizeof *failure);
    va_list arguments;

    if (!failure)
        return &no_memory;
    snprintf(failure->op, sizeof failure->op, "%s", op);
    va_start(arguments, format);
    vsnprintf(failure->text, sizeof failure->text, format, arguments);
    va_end(arguments);
    failure->error = (sta_error){code, failure->op, failure->text};
    failure->operation = operation;
    failure->tile = tile;
    atomic_init(&failure->references, 1);
    return failure;
}

struct sta__failure *sta__failure_take(struct sta__failure *failure)
{
    if (failure != &no_memory)
        atomic_fetch_add_explicit(&failure->references, 1, memory_order_relaxed);
    return failure;
}

void sta__failure_drop(struct sta__failure *failure)
{
    if (!failure || failure == &no_memory)
        return;
    if (atomic_fetch_sub_explicit(&failure->references, 1, memory_order_acq_rel) == 1)
        sta__release(failure);
}

bool sta__failure_before(const struct sta__failure *a, const struct sta__failure *b)
{
    return a->operation != b->operation ? a->operation < b->operation : a->tile < b->tile;
}

static bool is_kept(const struct sta__failure *failure)
{
    struct sta__failure *const *all = (struct sta__failure *const *)(const void *)kept.data;

    for (size_t k = kept.count; k-- > 0;)
        if (all[k] == failure)
            return true;
    return false;
}

const sta_error *sta__failure_keep(struct sta__failure *failure)
{
    const sta_error *error = &failure->error;

    if (failure == &no_memory)
        return error;
    pthread_mutex_lock(&mutex);
    if (!is_kept(failure)) {
        struct sta__failure **place = sta__vector_add(&kept);

        if (place)
            *place = sta__failure_take(failure);
        else
            error = &no_memory.error; /* true as well, and it stays */
    }
    pthread_mutex_unlock(&mutex);
    return error;
}

void sta__failures_finish(void)
{
    struct sta__failure **all;

    pthread_mutex_lock(&mutex);
    all = (struct sta__failure **)(void *)kept.data;
    for (size_t k = 0; k < kept.count; k++)
        sta__failure_drop(all[k]);
    sta__vector_clear(&kept);
    pthread_mutex_unlock(&mutex);
}
