/* Memory of StarPU's nodes for tiles. Main memory comes from our pool where StarPU has no reason to count or pin it.
 *
 * StarPU asks again and again for memory that it cannot get, for ever. So this file also says when to stop: when the
 * node could never hold the buffer, or when nothing came back for a while although nothing runs that could give it. */
#include "tile.h"

#include "look.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

atomic_int sta__bodies;

enum { PATIENT_ASKS = 12, SLOW_ASKS = 6 };
static const int64_t patience_ns = 500000000, pause_ns = 1000000;

static bool pooled; /* main memory from our pool */

/* What happened to a node since it last gave or got back memory. */
static struct shortage {
    atomic_int asks;
    int64_t since;
} shortage[STARPU_MAXNODES];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int64_t now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

void sta__nodes_start(void)
{
    pooled = starpu_worker_get_count() == starpu_cpu_worker_get_count() && starpu_memory_nodes_get_numa_count() <= 1 &&
             !getenv("STARPU_LIMIT_CPU_MEM") && !getenv("STARPU_LIMIT_CPU_NUMA_MEM") && !getenv("STARPU_DISK_SWAP");
    starpu_malloc_set_align(64);
}

bool sta__nodes_pooled(void)
{
    return pooled;
}

size_t sta__node_size(size_t bytes)
{
    size_t step = 256;

    /* Sixteenths of an octave: shapes that vary a little share buffers, and little is lost. */
    while (step < bytes / 32)
        step *= 2;
    return bytes < step ? step : (bytes + step - 1) / step * step;
}

static void note_progress(unsigned node)
{
    if (atomic_load_explicit(&shortage[node].asks, memory_order_relaxed))
        atomic_store(&shortage[node].asks, 0);
}

/* A body that runs will give memory back, or an application thread may; nobody else can. */
static bool is_hopeless(unsigned node)
{
    int asks = atomic_fetch_add(&shortage[node].asks, 1) + 1;
    int64_t waited;

    pthread_mutex_lock(&mutex);
    if (asks == 1)
        shortage[node].since = now_ns();
    waited = now_ns() - shortage[node].since;
    pthread_mutex_unlock(&mutex);
    if (asks > PATIENT_ASKS && waited > patience_ns && atomic_load(&sta__bodies) == 0)
        return true;
    if (asks > SLOW_ASKS) /* StarPU spins here */
        nanosleep(&(struct timespec){.tv_nsec = pause_ns}, NULL);
    return false;
}

static bool is_too_large(unsigned node, size_t bytes)
{
    starpu_ssize_t total = starpu_memory_get_total(node);

    if (total > 0 && bytes > (size_t)total)
        return true;
    return starpu_node_get_kind(node) == STARPU_CPU_RAM && (int64_t)bytes > sta__runtime.memory_bytes &&
           bytes > (size_t)sta__memory_total(); /* which asks the kernel */
}

static uintptr_t take(unsigned node, size_t bytes)
{
    if (starpu_node_get_kind(node) != STARPU_CPU_RAM)
        return starpu_malloc_on_node(node, sta__node_size(bytes));
    if (pooled)
        return (uintptr_t)sta__pool_take(sta__node_size(bytes));
    if (sta__allocation_fails() || bytes > (size_t)sta__memory_available())
        return 0;
    starpu_ssize_t left = starpu_memory_get_available(node);
    if (sta__looks(STA__LOOK_DOCTOR) && left >= 0 && (size_t)left < bytes)
        sta__look_short(); /* StarPU itself waits for room here */
    return starpu_malloc_on_node(node, sta__node_size(bytes));
}

uintptr_t sta__node_take(unsigned node, size_t bytes, bool *give_up)
{
    uintptr_t memory = 0;

    *give_up = is_too_large(node, bytes);
    if (*give_up)
        return 0;
    memory = take(node, bytes);
    if (memory) {
        note_progress(node);
        sta__look_memory(node, (int64_t)sta__node_size(bytes));
    } else {
        if (sta__looks(STA__LOOK_DOCTOR))
            sta__look_short();
        *give_up = is_hopeless(node);
    }
    return memory;
}

void *sta__node_take_zeros(size_t bytes)
{
    void *memory = pooled ? sta__pool_take_zeros(sta__node_size(bytes)) : NULL;

    if (memory) {
        note_progress(STARPU_MAIN_RAM);
        sta__look_memory(STARPU_MAIN_RAM, (int64_t)sta__node_size(bytes));
    }
    return memory;
}

void sta__node_give(unsigned node, uintptr_t memory, size_t bytes)
{
    sta__look_memory(node, -(int64_t)sta__node_size(bytes));
    if (pooled && starpu_node_get_kind(node) == STARPU_CPU_RAM)
        sta__pool_give((void *)memory, sta__node_size(bytes));
    else
        starpu_free_on_node(node, memory, sta__node_size(bytes));
    note_progress(node);
}
