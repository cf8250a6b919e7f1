/* What STA_DOCTOR sees: counters for each place in the caller's code and for the program, in which habits show.
 * doctor.c collects, doctor_checks.c decides, doctor_text.c tells; place.c and dwarf.c find and name the places. */
#ifndef STA__DOCTOR_H
#define STA__DOCTOR_H

#include "array.h"
#include "look.h"

#include <starpu.h>

/* ---- places (place.c) ---- */

void sta__caller_start(void); /* before sta__caller_walk */
/* The return address of the innermost function that is not the library's, and how far beyond `frame` it lies on the stack
 * (0: it does not). Takes microseconds; the first time it may load a library: without the lock. */
struct sta__caller {
    uintptr_t address, distance;
};
struct sta__caller sta__caller_walk(uintptr_t frame);
/* Looks at the stack beyond the caller's own frame. */
__attribute__((no_sanitize_address)) static inline uintptr_t sta__stack_at(uintptr_t at)
{
    return *(const uintptr_t *)at; // NOLINT(performance-no-int-to-ptr)
}

struct sta__source {
    char file[512]; /* empty: not known */
    int line;
    char function[128], module[128]; /* empty: not known */
    uint64_t offset;                 /* in the function, or in the module where the function is not known */
};
/* Names addresses of this process: by libdw (dwarf.c), or by the dynamic linker alone (no_dwarf.c). */
struct sta__names;
bool sta__names_have_lines(void);
struct sta__names *sta__names_open(void); /* NULL: without memory; then names are empty */
void sta__names_find(struct sta__names *names, uintptr_t address, struct sta__source *to);
void sta__names_close(struct sta__names *names);

/* ---- what was seen ---- */

/* One function called at one place. Times in nanoseconds. */
struct sta__place {
    uintptr_t address;
    const char *op; /* of the library: lives for ever; NULL: not in use */
    int64_t calls;
    int64_t elements;            /* accesses to one element of a larger array */
    int64_t waits, soon, waited; /* calls that waited for work given since the last one; soon after that */
    int64_t last_wait;           /* when it began */
    int64_t work_seen;           /* operations of the program by then */
    int64_t recuts, recut_bytes;
    int64_t widened_bytes;                /* results in double precision because of a small operand */
    int64_t broadcast_bytes;              /* results that repeat themselves along an axis */
    int64_t kept, kept_bytes, kept_calls; /* arrays made here that lived on when nobody read them any more */
    int64_t operations, tasks;
    double task_bytes; /* of operands and results of all tasks */
};

enum { STA__SOON = 50000000 }; /* nanoseconds: from one wait to the next */
enum { STA__PLACES = 4096, STA__CHECK_TEXT = 400 };
struct sta__sight {
    struct sta__place *place; /* hashed by address and op; the first has what found no room */
    int64_t places;           /* in use */
    int64_t calls, since;     /* of the library, ever; when counting began */
    int64_t work;             /* operations submitted */
    int64_t tasks;
    double task_bytes;
    int64_t busy[STARPU_NMAXWORKERS];
    int64_t loaded, loaded_until; /* time in which a task ran; up to when it is counted */
    int64_t guessed;              /* time of tasks whose models had measured nothing */
    double guessed_factors;       /* sum of |log2| of predicted over measured, weighed by that time */
    int64_t shortages, to_disk;   /* asks for memory that failed; bytes */
    int64_t held;                 /* time that callers were held back by the budget */
};

/* With the mutex that guards it; calls, of places too, with the library's lock. */
extern struct sta__sight sta__sight;
void sta__sight_lock(void);
void sta__sight_unlock(void);

/* ---- arrays, with the library's lock: hooks in headers, as functions of less than a microsecond call several ---- */

void sta__look_made(struct sta__store *store);
static inline void sta__look_used(struct sta__store *store)
{
    store->used = sta__sight.calls;
}

void sta__doctor_freed(const struct sta__store *store);
/* Only what nobody used for so many calls is worth a look. */
static inline void sta__look_freed(const struct sta__store *store)
{
    enum { LONG = 100 };
    if (store->place && sta__sight.calls - store->used >= LONG)
        sta__doctor_freed(store);
}

/* ---- hooks that look.h hands on ---- */

void sta__doctor_waited(int64_t begin, int64_t end);
void sta__doctor_submitted(int64_t tasks);
void sta__doctor_task(const struct sta__task *task);
void sta__doctor_moved(unsigned to_node, int64_t bytes);

/* ---- checks: a table ---- */

struct sta__check {
    const char *name;   /* the section of docs/doctor.md */
    const char *habit;  /* what it is */
    const char *remedy; /* what to do */
    bool per_place;     /* else place is NULL */
    /* Whether it is worth telling; the text says what was seen. */
    bool (*decide)(const struct sta__sight *sight, const struct sta__place *place, char *text, size_t bytes);
};
extern const struct sta__check sta__checks[];
extern const size_t sta__check_count;

/* ---- the report ---- */

bool sta__doctor_start(void); /* what was seen before is forgotten; false: no memory */
void sta__doctor_tell(void);  /* as STA_DOCTOR says, at the end */
void sta__doctor_end(void);

#endif
