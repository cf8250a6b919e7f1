/* Without CUDA: no replies. */
#include "reply.h"

struct sta__reply *sta__reply_take(int64_t bytes)
{
    (void)bytes;
    return NULL;
}

void sta__reply_give(struct sta__reply *reply)
{
    (void)reply;
}

bool sta__reply_send(struct sta__reply *reply, struct sta__job *job, const void *data)
{
    (void)reply, (void)job, (void)data;
    return false;
}

void sta__reply_refuse(struct sta__reply *reply)
{
    (void)reply;
}

const void *sta__reply_wait(struct sta__reply *reply)
{
    (void)reply;
    return NULL;
}
