/* The bytes of results of tasks that have not ended. Who asks for much more is held back, since each temporary wants
 * fresh pages: never by waiting for the tasks of the program around us. */
#include "runtime.h"

#include "look.h"

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t less = PTHREAD_COND_INITIALIZER;
static atomic_int waiting;

void sta__budget_enter(int64_t bytes)
{
    atomic_fetch_add(&sta__runtime.bytes_in_flight, bytes);
    atomic_fetch_add(&sta__runtime.tasks_in_flight, 1);
}

void sta__budget_leave(int64_t bytes)
{
    atomic_fetch_sub(&sta__runtime.bytes_in_flight, bytes);
    atomic_fetch_sub(&sta__runtime.tasks_in_flight, 1);
    if (atomic_load(&waiting)) {
        pthread_mutex_lock(&mutex);
        pthread_cond_broadcast(&less);
        pthread_mutex_unlock(&mutex);
    }
}

static void wait_until(int64_t bytes)
{
    pthread_mutex_lock(&mutex);
    atomic_fetch_add(&waiting, 1);
    while (atomic_load(&sta__runtime.bytes_in_flight) > bytes && atomic_load(&sta__runtime.tasks_in_flight) > 0)
        pthread_cond_wait(&less, &mutex);
    atomic_fetch_sub(&waiting, 1);
    pthread_mutex_unlock(&mutex);
}

void sta__budget_wait(void)
{
    int64_t budget = sta__runtime.settings.budget_bytes;

    /* Down to half of it: waking up for each task would cost more than it gives. */
    if (budget > 0 && atomic_load_explicit(&sta__runtime.bytes_in_flight, memory_order_relaxed) > budget &&
        !sta__inside_task()) {
        int64_t begin = sta__looks(STA__LOOK_DOCTOR) ? sta__clock() : 0;
        wait_until(budget / 2);
        if (begin)
            sta__look_held(begin, sta__clock());
    }
}

void sta__tasks_wait(void)
{
    wait_until(-1);
}
