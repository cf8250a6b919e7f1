/* What the submitter needs of its neighbours. */
#ifndef STA__SUBMIT_H
#define STA__SUBMIT_H

#include "failure.h"
#include "internal.h"

/* The functions of every codelet. */
struct sta__variants {
    void (*sequential)(void *buffers[], void *task);
    void (*openmp)(void *buffers[], void *task);
    void (*cuda)(void *buffers[], void *task);
    void (*epilogue)(void *task);
    void (*callback)(void *task);
};
extern const struct sta__variants sta__variants;

int64_t sta__tasks_submitted(void); /* so far, for tests: with the lock, or while nobody else submits */
int sta__priority(int depth);       /* in the range of the scheduler */

#endif
