/* Bodies of tasks (body.c), for who makes tasks and for who runs them without a worker. */
#ifndef STA__BODY_H
#define STA__BODY_H

#include "task.h"

/* A NOW value as an operand: C order. */
void sta__value_memory(struct sta__value *value, struct sta__memory *to);
/* Memory for the operands: `few` where they are. NULL: none. */
struct sta__memory *sta__job_operands(const struct sta__task *task, struct sta__memory *few);
/* Fills in the operands; without buffers the calling thread runs the task. False: an operand is in error or has no memory, and the task is skipped. */
bool sta__job_open(struct sta__task *task, void *buffers[], struct sta__job *job);
void sta__task_fail(struct sta__task *task, sta_error_code code, const char *text);
/* Before successors start: results inherit the error. */
void sta__task_epilogue(void *argument);
void sta__task_end(struct sta__task *task); /* frees it (batch.c) */

extern atomic_int sta__bodies_on_cores; /* that run now, on CPU workers */

#endif
