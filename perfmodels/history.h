/* Mean times by footprint, of one codelet and variant: our own reading copy of StarPU's history. */
#ifndef STA__HISTORY_H
#define STA__HISTORY_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum { STA__HISTORY_ENTRIES = 256 };

struct sta__history {
    pthread_mutex_t mutex;
    struct {
        uint32_t footprint, samples, slow; /* slow: of the last samples, those far above the mean */
        uint32_t passed, chances;          /* tasks of this work that others ran since; trials after it had lost */
        bool on_trial;
        double mean;
    } entry[STA__HISTORY_ENTRIES];
};

struct starpu_perfmodel;

/* From StarPU's file of the symbol, if there is one. */
void sta__history_load(struct sta__history *history, const char *symbol);
/* StarPU's model, which counts samples that here were found to be bad later, before it writes its file. While no task
 * runs. */
void sta__history_settle(struct sta__history *history, struct starpu_perfmodel *model);
/* False: not a time of this work; the thread was kept waiting by others. */
bool sta__history_add(struct sta__history *history, uint32_t footprint, double microseconds);
/* A task of this work ran as another variant. */
void sta__history_pass(struct sta__history *history, uint32_t footprint);
/* Whether the mean, which speaks against this variant, is to be tried again: after 16 tasks of others, then after twice as
 * many each time. The next sample then counts as a new beginning if it is much better. */
bool sta__history_due(struct sta__history *history, uint32_t footprint);
uint32_t sta__history_samples(struct sta__history *history, uint32_t footprint);
/* The mean and of how many; NaN: not known. */
double sta__history_look(struct sta__history *history, uint32_t footprint, uint32_t *samples);
double sta__history_mean(struct sta__history *history, uint32_t footprint);

#endif
