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
    STA__LOOK_TIMES = STA__LOOK_PROFILE | STA__LOOK_TRACE, /* of each task, also of those that the caller runs */
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

/* ---- functions of the library ---- */

/* What is known of a function, in a line of the cache: calls may take less than a microsecond, and counting them may not
 * take a hundredth of that. With the lock. */
struct sta__place;
struct sta__function {
    _Alignas(64) const char *op;               /* a literal, known by its address: reports join equal texts */
    int64_t calls, at_once, operations, tasks; /* the profile's */
    uintptr_t distance;       /* from the frame of a call to the address that it came from; 0: not known */
    struct sta__place *place; /* of the last call that the doctor saw */
};
enum { STA__FUNCTIONS = 1024 };
extern struct sta__function sta__functions[STA__FUNCTIONS]; /* op NULL: not in use */
struct sta__function *sta__function_find(const char *op, uint32_t start);
static inline struct sta__function *sta__function(const char *op)
{
    uint32_t start = (uint32_t)((uintptr_t)op * 0x9e3779b97f4a7c15U >> 32) % STA__FUNCTIONS;
    struct sta__function *function = &sta__functions[start];
    return function->op == op ? function : sta__function_find(op, start);
}

/* ---- hooks ---- */

struct sta__task;
void sta__look_task(
    const struct sta__task *task); /* once it was measured: in its callback, or by the caller who ran it */
/* A public function was called, whose frame on the stack is there; with the lock, which the doctor lets go of while it
 * looks for a caller that it does not know. */
void sta__doctor_call(struct sta__function *function, uintptr_t frame);
static inline void sta__look_call(const char *op, uintptr_t frame)
{
    struct sta__function *function = sta__function(op);
    if (sta__looks(STA__LOOK_PROFILE))
        function->calls++;
    if (sta__looks(STA__LOOK_DOCTOR))
        sta__doctor_call(function, frame);
}
void sta__look_waited(int64_t begin, int64_t end);
void sta__look_submitted(const char *op, int64_t tasks, int64_t begin); /* for the timeline, 0 where there is none */
/* A copy between memories; asynchronous ones end later. */
void sta__look_moved(unsigned from_node, unsigned to_node, int64_t bytes, int64_t begin, int64_t end);
void sta__look_memory(unsigned node, int64_t bytes); /* taken, or given back where negative; always on */

/* Only for the doctor: call them where sta__looks(STA__LOOK_DOCTOR). */
struct sta__plan;
struct sta__store;
struct sta__place *sta__doctor_here(void); /* what the calling thread works for */
void sta__look_access(const struct sta__view *view, const struct sta__value *value); /* from outside, to elements */
void sta__look_recut(const struct sta__value *copy); /* tiles were copied to be cut in another way */
void sta__look_plan(const struct sta__plan *plan);   /* a program that will run in tasks */
void sta__look_types(const struct sta__operand *in, int count, sta_dtype result, const struct sta__shape *shape);
void sta__look_held(int64_t begin, int64_t end); /* a caller, by the budget */
void sta__look_short(void);                      /* a memory has no room */

/* ---- what is counted ---- */

enum {
    STA__RATIOS = 65,
    STA__RATIO_OF_ONE = 32
}; /* predicted over measured in eighths of an octave, from 2^-4 to 2^4 */

/* Tasks of one kind on one kind of device. */
struct sta__profile_row {
    struct sta__profile_row *next, *alike; /* of all; of those of nearly the same hash */
    const struct sta__codelet *codelet;
    uint32_t hash;
    enum sta__variant variant;
    char label[96];
    int64_t tasks, timed;
    double microseconds, bytes, flops; /* of those that were timed */
    int64_t ratio[STA__RATIOS];
};
enum { STA__KINDS = 3 }; /* kinds of memory: main, GPU, disk */
enum { STA__ROW_LISTS = 64 };
struct sta__profile {
    struct sta__profile_row *rows, *alike[STA__ROW_LISTS];
    int64_t waits, waited; /* nanoseconds */
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
