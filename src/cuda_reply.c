/* Small results written to pinned memory by the GPU. Contract: reply.h. */
#include "reply.h"

#include "body.h"
#include "cuda_reply.h"
#include "cuda_worker.h"
#include "look.h"
#include "runtime.h"

#include <sched.h>
#include <time.h>

enum { BYTES = 64 * 1024, REPLIES = 64 };
enum { EAGER = 200 * 1000, AWAKE = 2 * 1000 * 1000, PATIENCE = 20 * 1000 * 1000 }; /* nanoseconds */
enum { PENDING, THERE, REFUSED };

struct sta__reply {
    int64_t bytes;
    atomic_uint *state; /* pinned, as what follows it */
    char *data;
    atomic_bool taken;
};

static struct sta__reply replies[REPLIES];
static char *pinned;

bool sta__replies_open(void)
{
    enum { STEP = BYTES + 128 };
    if (pinned || cudaHostAlloc((void **)&pinned, (size_t)REPLIES * STEP, cudaHostAllocPortable) != cudaSuccess)
        return pinned != NULL;
    for (int i = 0; i < REPLIES; i++) {
        replies[i].state = (atomic_uint *)(void *)(pinned + (size_t)i * STEP);
        replies[i].data = pinned + (size_t)i * STEP + 128;
        atomic_store(&replies[i].taken, false);
    }
    return true;
}

void sta__replies_close(void)
{
    cudaFreeHost(pinned);
    pinned = NULL;
}

struct sta__reply *sta__reply_take(int64_t bytes)
{
    if (!pinned || sta__runtime.gpus == 0 || sta__runtime.settings.ranks > 1 || bytes > BYTES)
        return NULL;
    for (int i = 0; i < REPLIES; i++)
        if (!atomic_exchange(&replies[i].taken, true)) {
            replies[i].bytes = bytes;
            atomic_store(replies[i].state, PENDING);
            return &replies[i];
        }
    return NULL;
}

void sta__reply_give(struct sta__reply *reply)
{
    if (reply)
        atomic_store(&reply->taken, false);
}

bool sta__reply_send(struct sta__reply *reply, struct sta__job *job, const void *data)
{
    const cudaError_t status =
        sta__cuda_tell(reply->data, data, (size_t)reply->bytes, (unsigned *)(void *)reply->state, job->cuda->stream);
    if (status != cudaSuccess)
        cudaGetLastError();
    return status == cudaSuccess;
}

void sta__reply_refuse(struct sta__reply *reply)
{
    unsigned pending = PENDING;
    atomic_compare_exchange_strong(reply->state, &pending, REFUSED);
}

/* Without rest at first: to be put to sleep and woken costs what is to be saved, and so does each call of the system, where
 * that is a virtual machine's. While cores compute it would take one from a team, all of which would wait for that one. */
static void rest(int64_t waited)
{
    if (waited > AWAKE)
        nanosleep(&(struct timespec){.tv_nsec = waited / 64}, NULL);
    else if (waited > EAGER && atomic_load_explicit(&sta__bodies_on_cores, memory_order_relaxed) > 0)
        sched_yield();
}

const void *sta__reply_wait(struct sta__reply *reply)
{
    const int64_t begin = sta__clock();
    for (;;) {
        const unsigned state = atomic_load_explicit(reply->state, memory_order_acquire);
        if (state != PENDING)
            return state == THERE ? reply->data : NULL;
        const int64_t waited = sta__clock() - begin;
        if (waited > PATIENCE)
            return NULL;
        rest(waited);
    }
}
