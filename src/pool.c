/* Large host buffers. What is given back is kept, by size class (quarters of an octave, so that shapes that vary a
 * little still meet), and the oldest leaves first when the limit is reached. A free buffer carries its own list links
 * in its first bytes. */
#include "mem.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { CLASSES = 4 * 64, SMALLEST = 4096 };
#define HUGE_PAGE ((size_t)2 << 20)

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

/* mmap for the large: its pages go back to the system, and it can start on a huge page. */
static void *system_take(size_t bytes)
{
    char *memory, *aligned;
    size_t head, tail;

    if (bytes < HUGE_PAGE)
        return aligned_alloc(64, bytes);
    memory = mmap(NULL, bytes + HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    aligned = (char *)(((uintptr_t)memory + HUGE_PAGE - 1) & ~(uintptr_t)(HUGE_PAGE - 1));
    head = (size_t)(aligned - memory);
    tail = HUGE_PAGE - head;
    if (head)
        munmap(memory, head);
    if (tail)
        munmap(aligned + bytes, tail);
    madvise(aligned, bytes, MADV_HUGEPAGE);
    return aligned;
}

static void system_give(void *memory, size_t bytes)
{
    if (bytes < HUGE_PAGE)
        free(memory);
    else
        munmap(memory, bytes);
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

        unlink_spare(spare);
        system_give(spare, class_bytes(spare->class));
    }
}

/* The kernel promises more than it has and then kills somebody, so ask how much there is: not each time, but after
 * an eighth of it was used up. */
static bool system_has(size_t bytes)
{
    if (bytes > pool.unchecked) {
        size_t available = (size_t)sta__memory_available();

        if (bytes > available && pool.kept) {
            shrink(0);
            available = (size_t)sta__memory_available();
        }
        if (bytes > available)
            return false;
        pool.unchecked = available / 8;
    }
    pool.unchecked -= bytes < pool.unchecked ? bytes : pool.unchecked;
    return true;
}

void *sta__pool_take(size_t bytes)
{
    void *memory = NULL;
    int class;

    if (sta__allocation_fails() || bytes > PTRDIFF_MAX / 2)
        return NULL;
    class = class_of(bytes);
    pthread_mutex_lock(&pool.mutex);
    memory = pool.free[class];
    if (memory)
        unlink_spare(memory);
    else if (system_has(bytes))
        memory = system_take(class_bytes(class));
    pthread_mutex_unlock(&pool.mutex);
    return memory;
}

void sta__pool_give(void *memory, size_t bytes)
{
    int class = class_of(bytes);

    if (!memory)
        return;
    pthread_mutex_lock(&pool.mutex);
    if (class_bytes(class) > pool.limit) {
        system_give(memory, class_bytes(class));
    } else {
        shrink(pool.limit - class_bytes(class));
        link_spare(memory, class);
    }
    pthread_mutex_unlock(&pool.mutex);
}

void sta__pool_limit(size_t bytes)
{
    pthread_mutex_lock(&pool.mutex);
    pool.limit = bytes;
    shrink(bytes);
    pthread_mutex_unlock(&pool.mutex);
}
