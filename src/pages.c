/* Contract: pages.h. */
#include "pages.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Both ends of a new mapping are cut off, so that it begins, after its head, where huge pages do. */
static char *map_aligned(size_t head, size_t bytes, size_t alignment)
{
    char *memory = mmap(NULL, head + bytes + alignment, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *aligned = (char *)(((uintptr_t)memory + head + alignment - 1) & ~(uintptr_t)(alignment - 1));
    size_t before = (size_t)(aligned - head - memory), after = alignment - before;

    if (memory == MAP_FAILED)
        return NULL;
    if (before)
        munmap(memory, before);
    if (after)
        munmap(aligned + bytes, after);
    madvise(aligned - head, head + bytes, MADV_HUGEPAGE);
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

        current = (struct region *)map_aligned(0, REGION, REGION);
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

void sta__pages_rest(void)
{
    if (!current || current->buffers)
        return;
    munmap(current, REGION);
    current = NULL;
}

/* ---- the head of a buffer of huge pages lies before it, in a page of its own ---- */

#define HEAD ((size_t)64 << 10) /* a page of any size */

struct head {
    char links[64]; /* of whoever keeps the buffer */
    size_t bytes;
    bool promised;
    struct head *next, *previous; /* of those promised */
};
static struct head *promised;

static struct head *head_of(void *memory)
{
    return (struct head *)(void *)((char *)memory - HEAD);
}

void *sta__pages_links(void *memory, size_t bytes)
{
    return bytes < STA__HUGE_PAGE ? memory : head_of(memory)->links;
}

void *sta__pages_of(void *links, size_t bytes)
{
    return bytes < STA__HUGE_PAGE ? links : (char *)links - offsetof(struct head, links) + HEAD;
}

void *sta__pages_take(size_t bytes)
{
    if (bytes < LEAST_SHARED)
        return aligned_alloc(64, bytes);
    return bytes < STA__HUGE_PAGE ? region_take(bytes) : map_aligned(HEAD, bytes, STA__HUGE_PAGE);
}

void sta__pages_give(void *memory, size_t bytes)
{
    sta__pages_forget(memory, bytes);
    if (bytes < LEAST_SHARED)
        free(memory);
    else if (bytes < STA__HUGE_PAGE)
        region_give(memory, bytes);
    else
        munmap((char *)memory - HEAD, HEAD + bytes);
}

void sta__pages_promise(void *memory, size_t bytes)
{
    struct head *head = bytes < STA__HUGE_PAGE ? NULL : head_of(memory);

    if (!head || head->promised)
        return;
    head->bytes = bytes;
    head->promised = true;
    head->previous = NULL;
    head->next = promised;
    if (promised)
        promised->previous = head;
    promised = head;
}

void sta__pages_forget(void *memory, size_t bytes)
{
    struct head *head = bytes < STA__HUGE_PAGE ? NULL : head_of(memory);

    if (!head || !head->promised)
        return;
    head->promised = false;
    *(head->previous ? &head->previous->next : &promised) = head->next;
    if (head->next)
        head->next->previous = head->previous;
}

static size_t untouched(char *memory, size_t bytes)
{
    unsigned char there[4096];
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t missing = 0;

    for (size_t at = 0, part; at < bytes; at += part) {
        part = bytes - at < sizeof there * page ? bytes - at : sizeof there * page;
        if (mincore(memory + at, part, there) != 0)
            return bytes;
        for (size_t i = 0; i < part / page; i++)
            missing += there[i] & 1 ? 0 : page;
    }
    return missing;
}

size_t sta__pages_promised(void)
{
    size_t bytes = 0;

    for (struct head *head = promised; head; head = head->next)
        bytes += untouched((char *)head + HEAD, head->bytes);
    return bytes;
}
