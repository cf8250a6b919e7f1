/* Mean times by footprint, of one codelet and variant: our own reading copy of StarPU's history. */
#ifndef STA__HISTORY_H
#define STA__HISTORY_H

#include <pthread.h>
#include <stdint.h>

enum { STA__HISTORY_ENTRIES = 256 };

struct sta__history {
    pthread_mutex_t mutex;
    struct {
        uint32_t footprint, samples;
        double mean;
    } entry[STA__HISTORY_ENTRIES];
};

/* From StarPU's file of the symbol, if there is one. */
void sta__history_load(struct sta__history *history, const char *symbol);
void sta__history_add(struct sta__history *history, uint32_t footprint, double microseconds);
uint32_t sta__history_samples(struct sta__history *history, uint32_t footprint);
double sta__history_mean(struct sta__history *history, uint32_t footprint); /* NaN: not known */

#endif
