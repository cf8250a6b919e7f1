/* Memory as it comes from the system and goes back, for pool.c, which holds its lock meanwhile. Sizes are those of classes. */
#ifndef STA__PAGES_H
#define STA__PAGES_H

#include "mem.h"

#define STA__HUGE_PAGE ((size_t)2 << 20)

void *sta__pages_take(size_t bytes); /* NULL: there is none */
void sta__pages_give(void *memory, size_t bytes);
void sta__pages_rest(void); /* nothing is kept for buffers to come */

/* Where the links of a free buffer lie: in its first bytes; for one of huge pages before it, so that nothing of it is
 * touched. sta__pages_of finds the buffer again. */
void *sta__pages_links(void *memory, size_t bytes);
void *sta__pages_of(void *links, size_t bytes);

/* Zeros: huge pages that nobody has touched since they came from the system need no writing. It has not given the memory
 * for them yet and calls it free, so it is told here what was promised, and that it is not a promise any more. */
void sta__pages_promise(void *memory, size_t bytes);
void sta__pages_forget(void *memory, size_t bytes);
size_t sta__pages_promised(void); /* bytes that the system still has to give */

#endif
