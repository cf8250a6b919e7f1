/** @file profile.h
 *  Looking inside: where the time goes.
 *
 *  `STA_PROFILE=1` counts from sta_init on and prints a table to the standard error at sta_finish; the functions here do
 *  the same for a part of a program. `STA_TRACE=file.json` writes a timeline (the trace event format, which Perfetto and
 *  chrome://tracing read) at sta_finish: what each worker computed, what was copied between memories, what the program
 *  submitted and waited for, and the ranges that it named itself. With several ranks the file of rank r is named
 *  file.r.json; its events carry the rank as the process; `jq -s add file.*.json` makes one of all.
 *
 *  Off, nothing is measured that the performance models do not need anyway. On, counts are exact and every task is timed: a
 *  task costs some 100 ns more, a call 2 ns. What is computed at once, on arrays up to STA_INLINE_BYTES, is counted by
 *  function and not timed: looking at the clock would take a tenth of it.
 */
#ifndef STARRAY_PROFILE_H
#define STARRAY_PROFILE_H

#include <starray/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Starts counting, or goes on after sta_profile_stop. Error: NOT_STARTED. */
const sta_error *sta_profile_start(void);
/** Waits for the tasks under way and stops counting; what was counted stays. */
const sta_error *sta_profile_stop(void);
/** Forgets what was counted. */
const sta_error *sta_profile_reset(void);
/** The table as text, to be released with free(); NULL without memory or before sta_init. One row for each kind of task
 *  and device:
 *
 *      task        the codelet and dtype; a fused program is named by its operations
 *      on          cpu (one thread), omp (a team) or cuda
 *      tasks, total, mean   how many ended, and their time (on a GPU by its own clock, of the tasks that were timed);
 *                  short tasks that the calling thread ran itself are among those of cpu
 *      GB/s        bytes of operands and results over the time; GFLOP/s where a count is known (matmul, fft)
 *      limit       of the memory's speed as the cost table has it (starray-calibrate measures it)
 *      predicted   the median of predicted over measured, with its spread; of tasks that a model was asked for
 *
 *  Below it: functions called, time that callers waited, bytes copied between memories, the peak of each memory. Waits
 *  for the tasks that are under way. */
char *sta_profile_text(void);
/** The same as JSON. Errors: IO; NOT_STARTED. */
const sta_error *sta_profile_save(const char *path);

/** Names a part of the program in the timeline, until the sta_range_pop of the same thread. Ranges nest. Without
 *  STA_TRACE they cost nothing. The name is copied. */
void sta_range_push(const char *name);
void sta_range_pop(void);

#ifdef __cplusplus
}
#endif
#endif
