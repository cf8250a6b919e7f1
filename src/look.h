/* Looking inside: what STA_PROFILE, STA_TRACE and STA_DOCTOR are told. profile.c counts, profile_text.c reports, trace.c
 * keeps the timeline, doctor.c what costly habits show in. Where nobody looks a hook is one load and a branch. */
#ifndef STA__LOOK_H
#define STA__LOOK_H

#include "internal.h"
#include "perfmodels/cost.h"

#include <stdio.h>

enum {
    STA__LOOK_PROFILE = 1,
    STA__LOOK_TRACE = 2,
    STA__LOOK_DOCTOR = 4,
    STA__LOOK_TIMES = STA__LOOK_PROFILE | STA__LOOK_TRACE, /* a task must be one, not done on the way */
    STA__LOOK_ALL = STA__LOOK_TIMES | STA__LOOK_DOCTOR
};
extern atomic_int sta__look;

static inline bool sta__looks(int what)
{
    return atomic_load_explicit(&sta__look, memory_order_relaxed) & what;
}

int64_t sta__clock(void); /* nanoseconds, monotonic */

/* By the environment; once StarPU runs and the settings are known. */
void sta__look_start(void);
/* Prints and writes what was asked for, while StarPU still runs and no task does. */
void sta__look_finish(void);
void sta__look_set(int what, bool on);
const sta_error *sta__look_refuse(const char *op); /* where the library is not started */
/* The file that a variable names, for this rank: "trace.json" -> "trace.2.json" for rank 2. */
void sta__look_file(const char *given, char *to, size_t bytes);
void sta__json_text(FILE *to, const char *text); /* quoted */

/* ---- hooks ---- */

struct sta__task;
void sta__look_task(const struct sta__task *task); /* in its callback, once it was measured */
/* A public function was called from there (0: nobody looked); with the lock. */
void sta__look_call(const char *op, uintptr_t caller);
/* The return address of the innermost function that is not the library's (place.c); op: a literal, by which it is
 * remembered. */
uintptr_t sta__caller(const char *op);
void sta__look_waited(int64_t begin, int64_t end);
void sta__look_submitted(const char *op, int64_t tasks, int64_t begin, int64_t end);
void sta__look_inline(const char *op); /* an operation that ran at once on the calling thread */
/* A copy between memories; asynchronous ones end later. */
void sta__look_moved(unsigned from_node, unsigned to_node, int64_t bytes, int64_t begin, int64_t end);
void sta__look_memory(unsigned node, int64_t bytes); /* taken, or given back where negative; always on */

/* Only for the doctor: call them where sta__looks(STA__LOOK_DOCTOR). */
struct sta__place;
struct sta__plan;
struct sta__store;
struct sta__place *sta__doctor_here(void); /* what the calling thread works for */
void sta__look_access(const struct sta__view *view, const struct sta__value *value); /* from outside, to elements */
void sta__look_recut(const struct sta__value *copy); /* tiles were copied to be cut in another way */
void sta__look_plan(const struct sta__plan *plan);   /* a program that will run in tasks */
void sta__look_types(const struct sta__operand *in, int count, sta_dtype result, const struct sta__shape *shape);
void sta__look_held(int64_t begin, int64_t end);          /* a caller, by the budget */
void sta__look_used(struct sta__store *store, bool made); /* with the lock, as the next */
void sta__look_freed(const struct sta__store *store);
void sta__look_short(void); /* a memory has no room */

/* ---- what is counted ---- */

enum {
    STA__RATIOS = 65,
    STA__RATIO_OF_ONE = 32
}; /* predicted over measured in eighths of an octave, from 2^-4 to 2^4 */

/* Tasks of one kind on one kind of device. */
struct sta__profile_row {
    struct sta__profile_row *next;
    const struct sta__codelet *codelet;
    uint32_t hash;
    enum sta__variant variant;
    char label[96];
    int64_t tasks, timed;
    double microseconds, bytes, flops, predicted; /* of those that were timed */
    int64_t ratio[STA__RATIOS];
};
struct sta__profile_call {
    const char *op; /* of the library: lives for ever */
    int64_t calls, at_once, operations, tasks;
};
enum { STA__PROFILE_CALLS = 512, STA__KINDS = 3 }; /* kinds of memory: main, GPU, disk */
struct sta__profile {
    struct sta__profile_row *rows;
    struct sta__profile_call call[STA__PROFILE_CALLS]; /* hashed by op */
    int64_t waits, waited;                             /* nanoseconds */
    int64_t moved[STA__KINDS][STA__KINDS], moves[STA__KINDS][STA__KINDS];
    int64_t since, lasted; /* nanoseconds of counting */
};
/* A copy of the numbers; the rows stay the profile's. With sta__profile_lock. */
extern struct sta__profile sta__profile;
void sta__profile_lock(void);
void sta__profile_unlock(void);
int64_t sta__memory_peak(unsigned node);

char *sta__profile_report(void); /* malloc'd */

/* ---- the timeline (trace.c) ---- */

enum sta__event { STA__EVENT_TASK, STA__EVENT_SUBMIT, STA__EVENT_WAIT, STA__EVENT_COPY, STA__EVENT_RANGE };
void sta__trace_start(void);
void sta__trace_finish(void);
/* worker: of StarPU; -1: the calling thread. The name lives until finish. */
void sta__trace_add(enum sta__event kind, const char *name, int worker, int64_t begin, int64_t end, int64_t amount);

#endif
