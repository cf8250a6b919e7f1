/* Recycled small blocks: an operation on small arrays takes and gives back a handful of them, and aligned_alloc is slow.
 * Each block has a header of one cache line that names its class; a class is a size of 64, 96, 128, 192, 256 ... bytes. The
 * lists are kept under a flag that nobody waits for: who finds it taken goes to malloc. */
#include "blocks.h"

#include "mem.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 64, CLASSES = 28, MOST = 64, LARGE = CLASSES };
static const size_t most_bytes = (size_t)8 << 20;

struct block {
    uint32_t class;
    size_t pooled; /* bytes, where it came from the pool */
    struct block *next;
};

static struct {
    atomic_flag taken;
    struct block *first[CLASSES];
    int count[CLASSES];
    size_t bytes;
} lists = {.taken = ATOMIC_FLAG_INIT};

static size_t class_bytes(uint32_t class)
{
    size_t power = (size_t)LINE << class / 2;
    return class % 2 ? power + power / 2 : power;
}

static uint32_t class_of(size_t bytes)
{
    if (bytes <= LINE)
        return 0;
    int bits = 63 - __builtin_clzll(bytes - 1); /* 2^bits < bytes <= 2^(bits + 1) */
    uint32_t low = 2 * ((uint32_t)bits - 6);
    uint32_t class = bytes <= ((size_t)3 << (bits - 1)) ? low + 1 : low + 2;
    return class < CLASSES ? class : LARGE;
}

static struct block *take(uint32_t class)
{
    if (class == LARGE || atomic_flag_test_and_set_explicit(&lists.taken, memory_order_acquire))
        return NULL;
    struct block *block = lists.first[class];
    if (block) {
        lists.first[class] = block->next;
        lists.count[class]--;
        lists.bytes -= class_bytes(class);
    }
    atomic_flag_clear_explicit(&lists.taken, memory_order_release);
    return block;
}

static bool give(struct block *block)
{
    uint32_t class = block->class;
    if (!STA__RECYCLE || class == LARGE || atomic_flag_test_and_set_explicit(&lists.taken, memory_order_acquire))
        return false;
    bool room = lists.count[class] < MOST && lists.bytes + class_bytes(class) <= most_bytes;
    if (room) {
        block->next = lists.first[class];
        lists.first[class] = block;
        lists.count[class]++;
        lists.bytes += class_bytes(class);
    }
    atomic_flag_clear_explicit(&lists.taken, memory_order_release);
    return room;
}

/* A header, and so many bytes. Much memory comes from the pool: fresh pages cost more than what is written into them. */
static struct block *take_new(size_t bytes)
{
    const size_t whole = (bytes + 2 * LINE - 1) / LINE * LINE; /* C11 wants a multiple */
    const bool pooled = STA__RECYCLE && whole > most_bytes;
    struct block *block = pooled ? sta__pool_take(whole) : aligned_alloc(LINE, whole);
    if (block)
        block->pooled = pooled ? whole : 0;
    return block;
}

static void end(struct block *block)
{
    if (block->pooled)
        sta__pool_give(block, block->pooled);
    else
        free(block);
}

void *sta__block_take(size_t bytes)
{
    uint32_t class = class_of(bytes);
    struct block *block = take(class);
    if (!block) {
        block = take_new(class == LARGE ? bytes : class_bytes(class));
        if (!block)
            return NULL;
        block->class = class;
    }
    return (char *)block + LINE;
}

void sta__block_give(void *memory)
{
    struct block *block = (struct block *)(void *)((char *)memory - LINE);
    if (!give(block))
        end(block);
}

void sta__blocks_clear(void)
{
    while (atomic_flag_test_and_set_explicit(&lists.taken, memory_order_acquire))
        ;
    for (int class = 0; class < CLASSES; class ++)
        while (lists.first[class]) {
            struct block *block = lists.first[class];
            lists.first[class] = block->next;
            free(block);
        }
    memset(lists.count, 0, sizeof lists.count);
    lists.bytes = 0;
    atomic_flag_clear_explicit(&lists.taken, memory_order_release);
}
