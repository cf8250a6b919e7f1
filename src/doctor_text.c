/* What the doctor found, for people and as JSON. */
#include "doctor.h"

#include "mpi/ranks.h"
#include "runtime.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- findings ---- */

enum { PLACES_TOLD = 8 }; /* of one check */

struct teller {
    FILE *to;
    struct sta__names *names;
    int found;
    void (*tell)(struct teller *teller, const struct sta__check *check, const struct sta__place *place,
                 const char *text);
    void (*tell_more)(struct teller *teller, const struct sta__check *check, int places);
};

static void run_check(struct teller *teller, const struct sta__check *check)
{
    char text[STA__CHECK_TEXT];
    int places = 0;
    if (!check->per_place && check->decide(&sta__sight, NULL, text, sizeof text))
        teller->tell(teller, check, NULL, text);
    for (int k = 0; k < STA__PLACES && check->per_place && sta__sight.place; k++) {
        const struct sta__place *place = &sta__sight.place[k];
        if (!check->decide(&sta__sight, place, text, sizeof text))
            continue;
        if (++places <= PLACES_TOLD)
            teller->tell(teller, check, place, text);
    }
    if (places > PLACES_TOLD)
        teller->tell_more(teller, check, places - PLACES_TOLD);
}

static void run_checks(struct teller *teller)
{
    teller->names = sta__names_open();
    for (size_t k = 0; k < sta__check_count; k++)
        run_check(teller, &sta__checks[k]);
    sta__names_close(teller->names);
}

static int64_t calls(void)
{
    return sta__sight.calls - sta__sight.since;
}

/* ---- text ---- */

static void put_place(const struct teller *teller, const struct sta__place *place)
{
    struct sta__source source;
    sta__names_find(teller->names, place->address, &source);
    const char *of = *source.function ? source.function : *source.module ? source.module : "address";
    if (!place->op)
        fputs("many places", teller->to);
    else if (*source.file)
        fprintf(teller->to, "%s:%d in %s, %s", source.file, source.line, of, place->op);
    else
        fprintf(teller->to, "%s+0x%llx, %s", of, (unsigned long long)source.offset, place->op);
}

static void tell_text(struct teller *teller, const struct sta__check *check, const struct sta__place *place,
                      const char *text)
{
    FILE *to = teller->to;
    fprintf(to, "\n%d. %s\n   ", ++teller->found, check->habit);
    if (place)
        put_place(teller, place);
    else
        fputs("all of the program", to);
    fprintf(to, ": %s\n   %s\n   docs/doctor.md#%s\n", text, check->remedy, check->name);
}

static void tell_more_text(struct teller *teller, const struct sta__check *check, int places)
{
    fprintf(teller->to, "   (%s: so it is at %d more places)\n", check->name, places);
}

static void put_text(FILE *to)
{
    struct teller teller = {.to = to, .tell = tell_text, .tell_more = tell_more_text};
    fputs("starray doctor", to);
    if (sta__runtime.settings.ranks > 1)
        fprintf(to, ", rank %d of %d", sta__runtime.settings.rank, sta__runtime.settings.ranks);
    fprintf(to, ": %lld calls, %lld tasks\n", (long long)calls(), (long long)sta__sight.tasks);
    run_checks(&teller);
    if (!teller.found)
        fputs("nothing to say\n", to);
}

/* ---- JSON ---- */

static void put_json_place(const struct teller *teller, const struct sta__place *place)
{
    struct sta__source source;
    FILE *to = teller->to;
    sta__names_find(teller->names, place->address, &source);
    fputs("{\"function_called\": ", to);
    sta__json_text(to, place->op ? place->op : "");
    fprintf(to, ", \"calls\": %lld, \"file\": ", (long long)place->calls);
    sta__json_text(to, source.file);
    fprintf(to, ", \"line\": %d, \"function\": ", source.line);
    sta__json_text(to, source.function);
    fputs(", \"module\": ", to);
    sta__json_text(to, source.module);
    fprintf(to, ", \"offset\": %llu}", (unsigned long long)source.offset);
}

static void tell_json(struct teller *teller, const struct sta__check *check, const struct sta__place *place,
                      const char *text)
{
    FILE *to = teller->to;
    fprintf(to, "%s\n  {\"check\": \"%s\", \"habit\": \"%s\", \"place\": ", teller->found++ ? "," : "", check->name,
            check->habit);
    if (place)
        put_json_place(teller, place);
    else
        fputs("null", to);
    fputs(", \"seen\": ", to);
    sta__json_text(to, text);
    fputs(", \"remedy\": ", to);
    sta__json_text(to, check->remedy);
    fprintf(to, ", \"anchor\": \"docs/doctor.md#%s\"}", check->name);
}

static void tell_more_json(struct teller *teller, const struct sta__check *check, int places)
{
    fprintf(teller->to, "%s\n  {\"check\": \"%s\", \"more_places\": %d}", teller->found++ ? "," : "", check->name,
            places);
}

static void put_json(FILE *to)
{
    struct teller teller = {.to = to, .tell = tell_json, .tell_more = tell_more_json};
    fprintf(to, "{\"rank\": %d, \"calls\": %lld, \"tasks\": %lld, \"findings\": [", sta__runtime.settings.rank,
            (long long)calls(), (long long)sta__sight.tasks);
    run_checks(&teller);
    fputs("\n]}\n", to);
}

/* ---- the public functions, and the end ---- */

static void put(FILE *to, bool json)
{
    sta__lock(); /* of calls; first */
    sta__sight_lock();
    if (json)
        put_json(to);
    else
        put_text(to);
    sta__sight_unlock();
    sta__unlock();
}

static bool names_json(const char *path)
{
    size_t length = strlen(path);
    return length >= 5 && strcmp(path + length - 5, ".json") == 0;
}

static bool save(const char *path)
{
    FILE *to = fopen(path, "w");
    if (!to)
        return false;
    put(to, names_json(path));
    bool fine = !ferror(to);
    return (fclose(to) == 0) & fine;
}

void sta__doctor_tell(void)
{
    const char *given = getenv("STA_DOCTOR");
    char path[4096];
    if (!given || !*given || strcmp(given, "0") == 0)
        return; /* the program asked, and has seen it */
    if (strcmp(given, "1") == 0) {
        put(stderr, false);
        return;
    }
    sta__look_file(given, path, sizeof path);
    if (!save(path))
        sta__log(0, "what the doctor found cannot be written to %s: %s", path, strerror(errno));
}

const sta_error *sta_doctor_start(void)
{
    if (!sta__started())
        return sta__look_refuse("doctor_start");
    sta__tasks_wait(); /* what they do belongs to the time before */
    struct sta__call call = sta__enter("doctor_start");
    if (sta__doctor_start())
        sta__look_set(STA__LOOK_DOCTOR, true);
    else
        sta__fail_memory(&call);
    return sta__leave_error(&call);
}

const sta_error *sta_doctor_stop(void)
{
    if (!sta__started())
        return sta__look_refuse("doctor_stop");
    sta__tasks_wait();
    sta__look_set(STA__LOOK_DOCTOR, false);
    return NULL;
}

char *sta_doctor_text(void)
{
    char *text = NULL;
    size_t bytes;
    if (!sta__started())
        return NULL;
    sta__tasks_wait();
    FILE *to = open_memstream(&text, &bytes);
    if (!to)
        return NULL;
    put(to, false);
    return fclose(to) == 0 ? text : NULL;
}

const sta_error *sta_doctor_save(const char *path)
{
    struct sta__call call = sta__enter("doctor_save");
    if (call.error)
        return sta__leave_error(&call);
    sta__unlock();
    call.locked = false;
    sta__tasks_wait();
    if (!path)
        sta__fail(&call, STA_ERROR_VALUE, "the path is NULL: give the name of a file");
    else if (!save(path))
        sta__fail(&call, STA_ERROR_IO, "%s: %s", path, strerror(errno));
    return sta__leave_error(&call);
}
