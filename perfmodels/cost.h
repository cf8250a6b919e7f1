/* What work costs on this machine before it was ever measured. */
#ifndef STA__COST_H
#define STA__COST_H

#include "internal.h"

enum sta__variant { STA__SEQUENTIAL, STA__OPENMP, STA__CUDA, STA__VARIANTS };

/* Times in microseconds, speeds in bytes a microsecond (MB/s). */
struct sta__costs {
    double task[STA__VARIANTS]; /* of any task, however small */
    double fork, thread;        /* of a team: once, and for each of its threads */
    double core_bytes;          /* memory speed of one core */
    double machine_bytes;       /* of all of them together */
    double gpu_bytes;
    double gpu_speedup; /* of computing: one GPU against one core */
};
extern struct sta__costs sta__costs;

/* The file of this machine; g_free() it. */
char *sta__costs_path(void);
/* From the file of the calibrator, where there is one. */
void sta__costs_load(void);
/* For the calibrator: false, and a reason in text. */
bool sta__costs_save(const struct sta__costs *costs, char *text, size_t bytes);

/* Microseconds, never 0, for so many bytes read and written and so many nanoseconds of computing on one core. */
double sta__cost(enum sta__variant variant, double bytes, double nanoseconds, int threads);

#endif
