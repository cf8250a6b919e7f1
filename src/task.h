/* Tasks and batches as the submitter keeps them. */
#ifndef STA__TASK_H
#define STA__TASK_H

#include "internal.h"
#include "perfmodels/model.h"

enum access { READS, WRITES, UPDATES };

struct entry {
    struct sta__tile *tile;   /* a handle, or */
    struct sta__value *value; /* a NOW value that enters by address */
    struct sta__guise *guise; /* the shape and dtype that the tile has for the task; NULL: its own */
    enum access access;
    int buffer; /* which of the task's handles */
};

struct sta__task {
    struct sta__measure measure; /* first: perfmodels/model.c finds it by cl_arg */
    const struct sta__kernel *kernel;
    struct sta__codelet *codelet;
    struct sta__batch *batch; /* while it is built */
    sta_dtype dtype;
    void *arguments;
    int count, buffers, room, most_buffers;
    struct entry *entry; /* `few`, or more */
    struct entry few[STA__MAXMEMORY];
    int64_t operation, index, bytes;
    const char *op;
    struct sta__place *place; /* in the program, where the doctor looks */
    int depth, stage;
    bool on_gpu;     /* its body was launched there */
    bool replied;    /* reply.h */
    uint32_t *fault; /* of sta__cuda_fault */
    bool overflow;   /* more handles than a task can have: a defect */
    struct sta__failure *failure;
    struct sta__late *late;  /* whom its end concerns; NULL: nobody */
    struct sta__task *after; /* here.h */
    bool ran;                /* by who asked for it, or a helper */
};

struct sta__batch {
    struct sta__call *call;
    const struct sta__kernel *kernel;
    sta_dtype dtype;
    bool now, failed;
    int depth, stage;
    int64_t operation;
    struct sta__vector tasks; /* of struct sta__task * */
};

#endif
