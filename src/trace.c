/* The timeline of STA_TRACE, kept in memory and written at the end in the trace event format. */
#include "look.h"

#include "runtime.h"
#include "starpu_compat.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_EVENTS = 1 << 21, MOST_NESTED = 32, FIRST_THREAD = 1000 };

struct event {
    const char *name;
    enum sta__event kind;
    int thread; /* a worker, or FIRST_THREAD + number of an application's thread */
    int64_t begin, end, amount;
};

static struct {
    pthread_mutex_t mutex;
    struct sta__vector events, names; /* names that were copied */
    int64_t origin, lost;
    atomic_int threads;
} trace = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static _Thread_local int this_thread; /* 0: has no number yet */
static _Thread_local struct {
    const char *name;
    int64_t begin;
} ranges[MOST_NESTED];
static _Thread_local int nested;

static int thread_number(void)
{
    if (this_thread == 0)
        this_thread = FIRST_THREAD + atomic_fetch_add(&trace.threads, 1);
    return this_thread;
}

void sta__trace_start(void)
{
    trace.events = STA__VECTOR(struct event);
    trace.names = STA__VECTOR(char *);
    trace.origin = sta__clock();
    trace.lost = 0;
}

void sta__trace_add(enum sta__event kind, const char *name, int worker, int64_t begin, int64_t end, int64_t amount)
{
    int thread = worker >= 0 ? worker : starpu_worker_get_id() >= 0 ? starpu_worker_get_id() : thread_number();
    pthread_mutex_lock(&trace.mutex);
    struct event *event = trace.events.count < MOST_EVENTS ? sta__vector_add(&trace.events) : NULL;
    if (event)
        *event = (struct event){name, kind, thread, begin, end, amount};
    else
        trace.lost++;
    pthread_mutex_unlock(&trace.mutex);
}

/* ---- ranges of the program ---- */

/* Equal names are kept once. */
static const char *keep_name(const char *name)
{
    pthread_mutex_lock(&trace.mutex);
    char **names = (char **)(void *)trace.names.data, *copy = NULL;
    for (size_t i = 0; i < trace.names.count && !copy; i++)
        if (strcmp(names[i], name) == 0)
            copy = names[i];
    if (!copy && (copy = strdup(name))) {
        char **place = sta__vector_add(&trace.names);
        if (place)
            *place = copy;
        else
            free(copy), copy = NULL;
    }
    pthread_mutex_unlock(&trace.mutex);
    return copy ? copy : "range";
}

void sta_range_push(const char *name)
{
    if (!sta__looks(STA__LOOK_TRACE))
        return;
    if (nested < MOST_NESTED) {
        ranges[nested].name = keep_name(name ? name : "range");
        ranges[nested].begin = sta__clock();
    }
    nested++;
}

void sta_range_pop(void)
{
    if (!sta__looks(STA__LOOK_TRACE) || nested == 0)
        return;
    if (--nested < MOST_NESTED)
        sta__trace_add(STA__EVENT_RANGE, ranges[nested].name, -1, ranges[nested].begin, sta__clock(), 0);
}

/* ---- writing ---- */

void sta__json_text(FILE *to, const char *text)
{
    fputc('"', to);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', to);
        if ((unsigned char)*text >= 32)
            fputc(*text, to);
    }
    fputc('"', to);
}

static void put_thread(FILE *to, int thread, const char *name)
{
    fprintf(to, "{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":%d,\"tid\":%d,\"args\":{\"name\":",
            sta__runtime.settings.rank, thread);
    sta__json_text(to, name);
    fputs("}},\n", to);
}

static void put_threads(FILE *to)
{
    char name[80];
    for (int worker = 0; worker < (int)starpu_worker_get_count(); worker++) {
        starpu_worker_get_name(worker, name, sizeof name);
        put_thread(to, worker, name);
    }
    for (int k = 0; k < atomic_load(&trace.threads); k++) {
        snprintf(name, sizeof name, "program, thread %d", k + 1);
        put_thread(to, FIRST_THREAD + k, name);
    }
}

static void put_event(FILE *to, const struct event *event)
{
    static const struct {
        const char *category, *amount;
    } kind[] = {[STA__EVENT_TASK] = {"task", "bytes"},
                [STA__EVENT_SUBMIT] = {"submit", "tasks"},
                [STA__EVENT_WAIT] = {"wait", NULL},
                [STA__EVENT_COPY] = {"copy", "bytes"},
                [STA__EVENT_RANGE] = {"range", NULL}};
    fputs("{\"name\":", to);
    sta__json_text(to, event->name);
    fprintf(to, ",\"cat\":\"%s\",\"ph\":\"X\",\"pid\":%d,\"tid\":%d,\"ts\":%.3f,\"dur\":%.3f",
            kind[event->kind].category, sta__runtime.settings.rank, event->thread,
            (double)(event->begin - trace.origin) / 1000, (double)(event->end - event->begin) / 1000);
    if (kind[event->kind].amount)
        fprintf(to, ",\"args\":{\"%s\":%lld}", kind[event->kind].amount, (long long)event->amount);
    fputs("},\n", to);
}

void sta__look_file(const char *given, char *to, size_t bytes)
{
    const char *dot = strrchr(given, '.');
    if (sta__runtime.settings.ranks <= 1 || !dot || strchr(dot, '/'))
        snprintf(to, bytes, sta__runtime.settings.ranks <= 1 ? "%s" : "%s.%d", given, sta__runtime.settings.rank);
    else
        snprintf(to, bytes, "%.*s.%d%s", (int)(dot - given), given, sta__runtime.settings.rank, dot);
}

static void write_events(FILE *to)
{
    const struct event *events = (const struct event *)(const void *)trace.events.data;
    fputs("[\n", to);
    put_threads(to);
    for (size_t i = 0; i < trace.events.count; i++)
        put_event(to, &events[i]);
    fprintf(to, "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%d,\"args\":{\"name\":\"rank %d\"}}\n]\n",
            sta__runtime.settings.rank, sta__runtime.settings.rank);
}

void sta__trace_finish(void)
{
    char path[4096];
    sta__look_file(getenv("STA_TRACE") ? getenv("STA_TRACE") : "trace.json", path, sizeof path);
    FILE *to = fopen(path, "w");
    if (to)
        write_events(to);
    if (!to || ferror(to) | fclose(to))
        sta__log(0, "the timeline cannot be written to %s: %s", path, strerror(errno));
    else if (trace.lost)
        sta__log(1, "the timeline in %s has the first %d events; %lld more were left out", path, MOST_EVENTS,
                 (long long)trace.lost);
    for (size_t i = 0; i < trace.names.count; i++)
        free(((char **)(void *)trace.names.data)[i]);
    sta__vector_clear(&trace.names);
    sta__vector_clear(&trace.events);
}
