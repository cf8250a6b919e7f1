/* What is kept of a codelet: codelet.c makes it, model.c measures and predicts its tasks. */
#ifndef STA__CODELET_H
#define STA__CODELET_H

#include "history.h"
#include "model.h"
#include "starpu_compat.h"

#include <pthread.h>

struct sta__codelet {
    struct sta__codelet *next;
    char name[64], kernel[56];
    sta_dtype dtype;
    bool for_gpu; /* whether the kernel has a variant for it */
    char symbol[STA__VARIANTS][72];
    struct starpu_codelet starpu;
    struct starpu_perfmodel model;                   /* what StarPU asks */
    struct starpu_perfmodel recorder[STA__VARIANTS]; /* what it keeps */
    struct sta__history history[STA__VARIANTS];
    pthread_mutex_t recording;    /* StarPU's first look at a model is not made for two workers at once */
    double factor[STA__VARIANTS]; /* of the cost table, for this kernel */
};

#endif
