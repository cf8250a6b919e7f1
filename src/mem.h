/* Memory of the array path. Everything here returns NULL (or false) where memory is short; nothing aborts. GLib is not
 * used on this path because it aborts. All of it passes sta__allocate, which tests can make fail at the k-th call. */
#ifndef STA__MEM_H
#define STA__MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void *sta__allocate(size_t bytes);                                   /* zeroed, aligned to 64 */
void *sta__allocate_raw(size_t bytes);                               /* the same, not zeroed */
void sta__release(void *memory);                                     /* NULL is fine */
void *sta__resize(void *memory, size_t old_bytes, size_t new_bytes); /* the new part zeroed; the old stays on failure */

/* Makes the k-th call from now fail (0 = none), for tests; returns how many calls were made since the last time. */
int64_t sta__fail_allocation(int64_t k);
bool sta__allocation_fails(void); /* counts a call; for allocators beside sta__allocate */

int64_t sta__memory_available(void); /* bytes of main memory that can still be had; INT64_MAX where nobody knows */
int64_t sta__memory_total(void);     /* bytes of main memory of the machine */

/* A growing array of fixed-size items. */
struct sta__vector {
    char *data;
    size_t count, capacity, item;
};
#define STA__VECTOR(type) ((struct sta__vector){NULL, 0, 0, sizeof(type)})
void *sta__vector_add(struct sta__vector *v); /* a zeroed new item, NULL without memory */
void sta__vector_clear(struct sta__vector *v);

/* Large host buffers (the tiles in main memory): recycled by size class, since fresh pages cost more than the
 * arithmetic done on them. */
void *sta__pool_take(size_t bytes);       /* aligned to 64, to 2 MiB from there on; not zeroed */
void *sta__pool_take_zeros(size_t bytes); /* the same, zeroed: huge pages that nobody has touched yet need no writing */
void sta__pool_give(void *memory, size_t bytes);
void sta__pool_limit(size_t bytes); /* the most that is kept for reuse; 0 gives all back */

#endif
