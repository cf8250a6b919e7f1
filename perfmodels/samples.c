/* Contract: samples.h. */
#include "samples.h"

#include <pthread.h>

enum { MOST = 512 };

static struct {
    pthread_mutex_t mutex;
    atomic_bool held;
    int count;
    struct {
        struct sta__measure measure;
        int worker;
    } sample[MOST];
} list = {.mutex = PTHREAD_MUTEX_INITIALIZER};

void sta__samples_hold(void)
{
    atomic_store(&list.held, true);
}

bool sta__samples_held(void)
{
    return atomic_load_explicit(&list.held, memory_order_relaxed);
}

bool sta__samples_keep(const struct sta__measure *measure, int worker)
{
    if (!sta__samples_held())
        return false;
    pthread_mutex_lock(&list.mutex);
    if (list.count < MOST) {
        list.sample[list.count].measure = *measure;
        list.sample[list.count++].worker = worker;
    }
    pthread_mutex_unlock(&list.mutex);
    return true;
}

int sta__samples(struct sta__measure *to, int room)
{
    int count = 0;

    pthread_mutex_lock(&list.mutex);
    for (; count < list.count && count < room; count++)
        to[count] = list.sample[count].measure;
    pthread_mutex_unlock(&list.mutex);
    return count;
}

bool sta__sample_undisturbed(const struct sta__measure *measure)
{
    return measure->delay < 1 + 0.03 * measure->microseconds;
}

void sta__samples_settle(bool learn)
{
    pthread_mutex_lock(&list.mutex);
    for (int k = 0; k < list.count && learn; k++)
        if (sta__sample_undisturbed(&list.sample[k].measure))
            sta__measure_learn(&list.sample[k].measure, list.sample[k].worker);
    list.count = 0;
    pthread_mutex_unlock(&list.mutex);
}

void sta__samples_end(void)
{
    sta__samples_settle(false);
    atomic_store(&list.held, false);
}
