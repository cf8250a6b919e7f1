/* Times that are looked at before anybody learns from them: the calibrator drops those of moments in which other programs
 * had the cores. */
#ifndef STA__SAMPLES_H
#define STA__SAMPLES_H

#include "model.h"

void sta__samples_hold(void); /* from then on bodies look at their delays, too */
bool sta__samples_held(void);
bool sta__samples_keep(const struct sta__measure *measure, int worker); /* false: nobody holds them */
/* What was kept since, once its tasks are done: at most so many. */
int sta__samples(struct sta__measure *to, int room);
/* No thread waited for a core for long. */
bool sta__sample_undisturbed(const struct sta__measure *measure);
void sta__samples_settle(bool learn); /* the undisturbed ones go to the histories; or all are forgotten */
/* What is learned goes there again at once. */
void sta__samples_end(void);

/* Microseconds that this thread, or where it has a team all but the main thread, has waited for a core; 0 where the kernel
 * does not say (delay.c). */
double sta__delay(int threads);

#endif
