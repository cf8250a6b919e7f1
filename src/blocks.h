/* Small memory, recycled. Aligned to 64. */
#ifndef STA__BLOCKS_H
#define STA__BLOCKS_H

#include <stdbool.h>
#include <stddef.h>

/* Sanitizers see more if nothing is recycled. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { STA__RECYCLE = 0 };
#else
enum { STA__RECYCLE = 1 };
#endif

void *sta__block_take(size_t bytes); /* not zeroed; NULL: no memory */
void sta__block_give(void *memory);
void sta__blocks_clear(void);

#endif
