/* Errors of tasks. */
#include "failure.h"

#include <pthread.h>
#include <stdio.h>

/* Not counted: it always lives. */
static struct sta__failure no_memory = {.error = {STA_ERROR_MEMORY, "task", "not enough memory"},
                                        .references = 1,
                                        .op = "task",
                                        .text = "not enough memory"};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct sta__vector retired = {NULL, 0, 0, sizeof(struct sta__failure *)};

struct sta__failure *sta__failure_new(sta_error_code code, const char *op, const char *text, int64_t operation,
                                      int64_t tile)
{
    struct sta__failure *failure = sta__allocate(sizeof *failure);

    if (!failure)
        return &no_memory;
    snprintf(failure->op, sizeof failure->op, "%s", op);
    snprintf(failure->text, sizeof failure->text, "%s", text);
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

const sta_error *sta__error_of_failure(const struct sta__failure *failure)
{
    return sta__error_of(failure->error.code, failure->error.op, failure->error.text);
}

void sta__failure_retire(struct sta__failure *failure)
{
    struct sta__failure **place;

    pthread_mutex_lock(&mutex);
    place = sta__vector_add(&retired);
    if (place)
        *place = failure; /* else it stays for ever: better than a pointer to nothing */
    pthread_mutex_unlock(&mutex);
}

void sta__failures_finish(void)
{
    struct sta__failure **all;

    pthread_mutex_lock(&mutex);
    all = (struct sta__failure **)(void *)retired.data;
    for (size_t k = 0; k < retired.count; k++)
        sta__failure_drop(all[k]);
    sta__vector_clear(&retired);
    pthread_mutex_unlock(&mutex);
}
