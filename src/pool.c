/* Large host buffers. What is given back is kept, by size class (quarters of an octave, so that shapes that vary a
 * little still meet), and the oldest leaves first when the limit is reached. */
#include "pages.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

enum { CLASSES = 4 * 64, SMALLEST = 4096 };

/* A free buffer's links, where sta__pages_links says. */
struct spare {
    struct spare *class_next, *class_previous; /* of the same size */
    struct spare *newer, *older;               /* of all */
    int class;
};

static struct {
    pthread_mutex_t mutex;
    size_t kept, limit;
    size_t unchecked; /* bytes that may still be taken from the system before its free memory is looked up again */
    struct spare *free[CLASSES];
    struct spare *newest, *oldest;
} pool = {.mutex = PTHREAD_MUTEX_INITIALIZER, .limit = (size_t)512 << 20};

static size_t class_bytes(int class)
{
    return (size_t)(4 + class % 4) << (class / 4 + 10); /* class 0: 4 KiB */
}

static int class_of(size_t bytes)
{
    size_t more = bytes <= SMALLEST ? SMALLEST : bytes;
    int octave = 63 - __builtin_clzll(more);
    int class = 4 * (octave - 12) + (int)(more >> (octave - 2) & 3);

    return class_bytes(class) < more ? class + 1 : class;
}

static void unlink_spare(struct spare *spare)
{
    if (spare->class_previous)
        spare->class_previous->class_next = spare->class_next;
    else
        pool.free[spare->class] = spare->class_next;
    if (spare->class_next)
        spare->class_next->class_previous = spare->class_previous;
    *(spare->newer ? &spare->newer->older : &pool.newest) = spare->older;
    *(spare->older ? &spare->older->newer : &pool.oldest) = spare->newer;
    pool.kept -= class_bytes(spare->class);
}

static void link_spare(struct spare *spare, int class)
{
    *spare = (struct spare){.class = class, .class_next = pool.free[class], .older = pool.newest};
    if (spare->class_next)
        spare->class_next->class_previous = spare;
    *(pool.newest ? &pool.newest->newer : &pool.oldest) = spare;
    pool.free[class] = pool.newest = spare;
    pool.kept += class_bytes(class);
}

static void shrink(size_t to)
{
    while (pool.kept > to) {
        struct spare *spare = pool.oldest;
        size_t bytes = class_bytes(spare->class);

        unlink_spare(spare);
        sta__pages_give(sta__pages_of(spare, bytes), bytes);
    }
}

static size_t available_memory(void)
{
    size_t available = (size_t)sta__memory_available(), promised = sta__pages_promised();

    return promised < available ? available - promised : 0;
}

/* The kernel promises more than it has and then kills somebody, so ask how much there is: not each time, but after
 * an eighth of it was used up. */
static bool system_has(size_t bytes)
{
    if (bytes > pool.unchecked) {
        size_t available = available_memory();

        if (bytes > available && pool.kept) {
            shrink(0);
            available = available_memory();
        }
        if (bytes > available)
            return false;
        pool.unchecked = available / 8;
    }
    pool.unchecked -= bytes < pool.unchecked ? bytes : pool.unchecked;
    return true;
}

/* *fresh: it comes from the system. */
static void *take(size_t bytes, struct spare *spare, bool zeros, bool *fresh)
{
    void *memory = NULL;

    *fresh = !spare;
    if (spare) {
        unlink_spare(spare);
        memory = sta__pages_of(spare, bytes);
    } else if (system_has(bytes)) {
        memory = sta__pages_take(bytes);
    }
    if (memory && zeros)
        sta__pages_promise(memory, bytes);
    else if (spare)
        sta__pages_forget(memory, bytes);
    return memory;
}

static void *take_class(size_t bytes, bool zeros, bool *fresh)
{
    void *memory;
    int class;

    if (sta__allocation_fails() || bytes > PTRDIFF_MAX / 2)
        return NULL;
    class = class_of(bytes);
    pthread_mutex_lock(&pool.mutex);
    memory = take(class_bytes(class), pool.free[class], zeros, fresh);
    pthread_mutex_unlock(&pool.mutex);
    return memory;
}

void *sta__pool_take(size_t bytes)
{
    bool fresh;

    return take_class(bytes, false, &fresh);
}

/* To drop pages of huge ones takes a tenth of the time that writing them does. */
void *sta__pool_take_zeros(size_t bytes)
{
    bool fresh;
    void *memory = take_class(bytes, true, &fresh);
    size_t whole = memory ? class_bytes(class_of(bytes)) : 0;
    bool dropped = whole >= STA__HUGE_PAGE && (fresh || madvise(memory, whole, MADV_DONTNEED) == 0);

    return !memory || dropped ? memory : memset(memory, 0, bytes);
}

void sta__pool_give(void *memory, size_t bytes)
{
    int class = class_of(bytes);
    size_t whole = class_bytes(class);

    if (!memory)
        return;
    pthread_mutex_lock(&pool.mutex);
    if (whole > pool.limit) {
        sta__pages_give(memory, whole);
    } else {
        shrink(pool.limit - whole);
        link_spare(sta__pages_links(memory, whole), class);
    }
    pthread_mutex_unlock(&pool.mutex);
}

void sta__pool_limit(size_t bytes)
{
    pthread_mutex_lock(&pool.mutex);
    pool.limit = bytes;
    shrink(bytes);
    if (!bytes)
        sta__pages_rest();
    pthread_mutex_unlock(&pool.mutex);
}
