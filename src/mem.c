/* Small memory of the array path: everything may fail, nothing aborts. The large buffers are in pool.c. */
#include "mem.h"

#include "blocks.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 };

/* Above this the pages are looked for before they are touched: the kernel promises more memory than it has. */
static const size_t checked_bytes = (size_t)16 << 20;

static atomic_llong calls;   /* since the last sta__fail_allocation */
static atomic_llong fail_at; /* the call that fails; 0 = none */

int64_t sta__fail_allocation(int64_t k)
{
    int64_t seen = atomic_exchange(&calls, 0);

    atomic_store(&fail_at, k);
    return seen;
}

bool sta__allocation_fails(void)
{
    long long call = atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed) + 1;

    return call == atomic_load_explicit(&fail_at, memory_order_relaxed);
}

void *sta__allocate_raw(size_t bytes)
{
    if (sta__allocation_fails() || bytes > PTRDIFF_MAX - 2 * ALIGNMENT)
        return NULL;
    if (bytes > checked_bytes && bytes > (size_t)sta__memory_available())
        return NULL;
    return sta__block_take(bytes ? bytes : 1);
}

void *sta__allocate(size_t bytes)
{
    void *memory = sta__allocate_raw(bytes);

    return memory ? memset(memory, 0, bytes) : NULL;
}

void sta__release(void *memory)
{
    if (memory)
        sta__block_give(memory);
}

void *sta__resize(void *memory, size_t old_bytes, size_t new_bytes)
{
    void *wider = sta__allocate(new_bytes);

    if (!wider)
        return NULL;
    if (memory)
        memcpy(wider, memory, old_bytes < new_bytes ? old_bytes : new_bytes);
    sta__release(memory);
    return wider;
}

void *sta__vector_add(struct sta__vector *v)
{
    if (v->count == v->capacity) {
        size_t capacity = v->capacity ? 2 * v->capacity : 8;
        char *wider;

        if (capacity > PTRDIFF_MAX / v->item)
            return NULL;
        wider = sta__resize(v->data, v->capacity * v->item, capacity * v->item);
        if (!wider)
            return NULL;
        v->data = wider;
        v->capacity = capacity;
    }
    /* The caller may have lowered count: what lies there is old. */
    return memset(v->data + v->item * v->count++, 0, v->item);
}

void sta__vector_clear(struct sta__vector *v)
{
    sta__release(v->data);
    v->data = NULL;
    v->count = v->capacity = 0;
}
