/* Small results that a caller waits for: the GPU writes them to host memory itself, as the last work of their task, and the
 * caller looks there. Through StarPU, which sees the end of the task, is asked for the tile, copies it and wakes the caller, they
 * come 100 to 200 us later, in which a GPU reads half a gigabyte. That way stays open: whatever goes wrong here is refused, and
 * the caller takes it.
 *
 * cuda_reply.c with CUDA, no_cuda_reply.c without. */
#ifndef STA__REPLY_H
#define STA__REPLY_H

#include "internal.h"

struct sta__reply;

/* Room for a tile that one task will write, with the lock. NULL: there is no GPU, it is not small, all room is taken. */
struct sta__reply *sta__reply_take(int64_t bytes);
/* The tile is gone: nobody writes or reads there any more. NULL is fine; from any thread. */
void sta__reply_give(struct sta__reply *reply);
/* In a body, after what it launched. False: it cannot be sent. */
bool sta__reply_send(struct sta__reply *reply, struct sta__job *job, const void *data);
/* It will not come. */
void sta__reply_refuse(struct sta__reply *reply);
/* Without the lock. Where the content is, until the tile is gone; NULL: it was refused, or takes long. */
const void *sta__reply_wait(struct sta__reply *reply);

/* With CUDA: on the thread of the first worker, and at the end. */
bool sta__replies_open(void);
void sta__replies_close(void);

#endif
