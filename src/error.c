/* Errors: where they are born, how calls begin. Equal errors are one record, kept until finish, so that a loop of failing
 * calls needs no memory. */
#include "array.h"
#include "graph.h"
#include "look.h"
#include "mpi/ranks.h"
#include "rest.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct record {
    sta_error error; /* first: a sta_error is a record */
    struct record *next;
    bool seen;
    char op[32], text[200];
};

static struct {
    pthread_mutex_t mutex;
    struct record *first, **last;
} records = {PTHREAD_MUTEX_INITIALIZER, NULL, &records.first};

/* The error that needs no memory. */
static struct record no_memory = {.error = {STA_ERROR_MEMORY, "starray", "not enough memory"}};
static const sta_error not_started = {STA_ERROR_NOT_STARTED, "starray",
                                      "the library is not started: call sta_init first"};
static const sta_error forked = {STA_ERROR_FORKED, "starray",
                                 "the library cannot be used in a forked child of the process that started it"};

static const struct {
    sta_error_code code;
    const char *name, *text;
} table[] = {
#define STA_ERROR(name, code, text) {STA_ERROR_##name, #name, text},
#include <starray/errors.def>
#undef STA_ERROR
};

const char *sta_error_name(sta_error_code code)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].code == code)
            return table[i].name;
    return code == STA_ERROR_NONE ? "NONE" : "UNKNOWN";
}

static const char *default_text(sta_error_code code)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].code == code)
            return table[i].text;
    return "unknown error";
}

static struct record *find(sta_error_code code, const char *op, const char *text)
{
    for (struct record *r = records.first; r; r = r->next)
        if (r->error.code == code && !strcmp(r->error.op, op) && !strcmp(r->error.text, text))
            return r;
    return NULL;
}

const sta_error *sta__error_of(sta_error_code code, const char *op, const char *text)
{
    if (!text || !*text)
        text = default_text(code);
    pthread_mutex_lock(&records.mutex);
    struct record *r = find(code, op, text);
    if (!r && (r = calloc(1, sizeof *r))) {
        snprintf(r->op, sizeof r->op, "%s", op);
        snprintf(r->text, sizeof r->text, "%s", text);
        r->error = (sta_error){code, r->op, r->text};
        *records.last = r;
        records.last = &r->next;
    }
    pthread_mutex_unlock(&records.mutex);
    if (sta__runtime.settings.trap) {
        fprintf(stderr, "starray: %s: %s\n", op, text);
        abort();
    }
    return r ? &r->error : &no_memory.error;
}

void sta__error_seen(const sta_error *error)
{
    if (error == &not_started || error == &forked)
        return;
    pthread_mutex_lock(&records.mutex);
    ((struct record *)(uintptr_t)error)->seen = true;
    pthread_mutex_unlock(&records.mutex);
}

void sta__errors_finish(void)
{
    bool told = false;
    for (struct record *r = records.first, *next; r; r = next) {
        next = r->next;
        if (!r->seen && !told) {
            fprintf(stderr, "starray: nobody looked at this error: %s: %s\n", r->error.op, r->error.text);
            told = true;
        }
        free(r);
    }
    records.first = NULL;
    records.last = &records.first;
}

void *sta__fail(struct sta__call *call, sta_error_code code, const char *format, ...)
{
    if (call->error)
        return NULL;
    char text[200];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    call->error = sta__error_of(code, call->op, text);
    return NULL;
}

void *sta__fail_memory(struct sta__call *call)
{
    if (!call->error)
        sta__ranks_lost(call->op);
    return sta__fail(call, STA_ERROR_MEMORY, "not enough memory");
}

bool sta__no_place(const char *op, const sta_array *to, int64_t count)
{
    if (to || count < 1)
        return false;
    struct sta__call call = sta__enter(op);
    sta__fail(&call, STA_ERROR_VALUE, "there is no place for the arrays: NULL is given");
    const sta_error *error = call.error;
    sta__call_end(&call);
    sta__log(1, "%s: %s", error->op, error->text);
    return true;
}

struct sta__call sta__enter(const char *op)
{
    struct sta__call call = {.op = op};
    if (sta__runtime.forked) {
        call.error = &forked;
        return call;
    }
    sta__budget_wait();
    sta__lock();
    call.locked = true;
    if (sta__looks(STA__LOOK_PROFILE | STA__LOOK_DOCTOR) && sta__runtime.starts)
        sta__look_call(op, (uintptr_t)__builtin_frame_address(0));
    if (sta__runtime.starts == 0)
        call.error = &not_started;
    if (!call.error)
        sta__rest_when_idle();
    return call;
}
