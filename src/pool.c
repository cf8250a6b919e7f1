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

/* Both ends of a new mapping are cut off, so that it begins where huge pages do. */
static char *map_aligned(size_t bytes, size_t alignment)
{
    char *memory = mmap(NULL, bytes + alignment, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *aligned = (char *)(((uintptr_t)memory + alignment - 1) & ~(uintptr_t)(alignment - 1));
    size_t head = (size_t)(aligned - memory), tail = alignment - head;

    if (memory == MAP_FAILED)
        return NULL;
    if (head)
        munmap(memory, head);
    if (tail)
        munmap(aligned + bytes, tail);
    madvise(aligned, bytes, MADV_HUGEPAGE);
    return aligned;
}

/* ---- regions: buffers of less than a huge page share some. Small pages cost half of the speed of memory. A region is cut
 * from its start to its end once; when its last buffer is gone, so is the region ---- */

#define REGION ((size_t)32 << 20)
enum { PAGE = 4096, LEAST_SHARED = 64 * 1024 };

struct region {
    size_t used, buffers;
};
static struct region *current; /* where the next buffers come from */

static struct region *region_of(void *memory)
{
    return (struct region *)((uintptr_t)memory & ~(uintptr_t)(REGION - 1));
}

static void region_drop(struct region *region)
{
    if (region->buffers == 0 && region != current)
        munmap(region, REGION);
}

static void *region_take(size_t bytes)
{
    if (!current || current->used + bytes > REGION) {
        struct region *full = current;

        current = (struct region *)map_aligned(REGION, REGION);
        if (full)
            region_drop(full);
        if (!current)
            return NULL;
        *current = (struct region){.used = PAGE};
    }
    current->used += bytes;
    current->buffers++;
    return (char *)current + (current->used - bytes);
}

static void region_give(void *memory, size_t bytes)
{
    struct region *region = region_of(memory);

    region->buffers--;
    madvise(memory, bytes, MADV_DONTNEED);
    region_drop(region);
}

static void *system_take(size_t bytes)
{
    if (bytes < LEAST_SHARED)
        return aligned_alloc(64, bytes);
    return bytes < HUGE_PAGE ? region_take(bytes) : map_aligned(bytes, HUGE_PAGE);
}

static void system_give(void *memory, size_t bytes)
{
    if (bytes < LEAST_SHARED)
        free(memory);
    else if (bytes < HUGE_PAGE)
        region_give(memory, bytes);
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
    if (!bytes && current && current->buffers == 0) {
        munmap(current, REGION);
        current = NULL;
    }
    pthread_mutex_unlock(&pool.mutex);
}
