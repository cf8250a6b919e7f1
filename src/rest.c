/* Idle workers of StarPU poll for tasks and take the cores of the program: small arrays, computed by the calling thread,
 * become several times slower on a machine whose cores are all workers. So they are paused while the library has no task,
 * and woken before one is submitted. Not where the program runs StarPU itself, nor with several ranks: there others may
 * have tasks. Only application threads pause, and never while one of them waits: what it waits for may need a worker. */
#include "rest.h"

#include "internal.h"
#include "look.h"

#include <starpu.h>
#include <time.h>

enum { IDLE = 300 * 1000, LONG_WAIT = 1000 * 1000 }; /* nanoseconds */

static struct {
    bool allowed, resting;
    int waiting;        /* threads that wait for StarPU */
    int64_t idle_since; /* 0: not known to be idle */
    int64_t woken;
} rest;

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * (int64_t)1000000000 + time.tv_nsec;
}

void sta__rest_start(void)
{
    rest.allowed = sta__runtime.settings.rest && !sta__runtime.joined && sta__runtime.settings.ranks <= 1;
    rest.resting = false;
    rest.waiting = 0;
    rest.idle_since = rest.woken = 0;
}

void sta__workers_wake(void)
{
    rest.idle_since = 0;
    if (!rest.resting)
        return;
    starpu_resume();
    rest.resting = false;
    rest.woken = now();
}

void sta__rest_forbid(void)
{
    sta__workers_wake();
    rest.allowed = false;
}

static bool can_rest(void)
{
    return rest.allowed && !rest.resting && rest.waiting == 0 && atomic_load(&sta__runtime.tasks_in_flight) == 0;
}

static void pause_workers(void)
{
    starpu_pause();
    rest.resting = true;
}

void sta__rest_when_idle(void)
{
    if (!can_rest()) {
        rest.idle_since = 0;
        return;
    }
    int64_t time = now();
    if (rest.idle_since == 0)
        rest.idle_since = time;
    else if (time - rest.idle_since > IDLE)
        pause_workers();
}

static _Thread_local int64_t wait_began;

void sta__wait_begin(void)
{
    wait_began = sta__looks(STA__LOOK_ALL) ? now() : 0;
    rest.waiting++;
    sta__workers_wake();
}

void sta__wait_end(void)
{
    if (wait_began)
        sta__look_waited(wait_began, now());
    rest.waiting--;
    if (can_rest() && now() - rest.woken > LONG_WAIT)
        pause_workers();
}
