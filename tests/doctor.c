/* The doctor: each check is triggered by one habit and left alone by an innocent relative of it. The table has a row a
 * check; each half runs in a library started with its settings. ctest: sanitize */
#include "sta_test.h"

#include "doctor.h"

#include <cblas.h>
#include <ftw.h>
#include <glib.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/starray-doctor-XXXXXX";
static int line; /* of the habit */

#define HERE (line = __LINE__)

/* ---- habits, and what only looks like them ---- */

static sta_array ones(int64_t n, sta_dtype dtype)
{
    return sta_eval(sta_ones(STA_DIMS(n), dtype));
}

static void one_by_one(void)
{
    sta_array x = sta_arange_int(0, 1000, 1, STA_float64);
    double sum = 0, element = 0;
    for (int i = 0; i < 200; i++) {
        HERE, STA_ASSERT_OK(sta_item_float(sta_slice(x, "%d", i), &element));
        sum += element;
    }
    CU_ASSERT_EQUAL(sum, 199 * 100);
}

static void one_by_one_written(void)
{
    sta_array x = ones(1000, STA_float64);
    for (int i = 0; i < 200; i++)
        HERE, sta_assign(sta_slice(x, "%d", i), sta_int(i));
}

static void numbers_of_their_own(void)
{
    double element;
    for (int i = 0; i < 200; i++)
        STA_ASSERT_OK(sta_item_float(sta_sum(sta_ones(STA_DIMS(10), STA_float64), STA_ALL, 0), &element));
}

static void ask_each_time(void)
{
    sta_array x = ones(1 << 19, STA_float64);
    double sum;
    for (int i = 0; i < 60; i++) {
        sta_array y = sta_sum(sta_multiply(x, sta_int(i)), STA_ALL, 0);
        HERE, STA_ASSERT_OK(sta_item_float(y, &sum));
    }
}

static void ask_at_the_end(void)
{
    sta_array x = ones(1 << 19, STA_float64), y = x;
    for (int i = 0; i < 60; i++)
        y = sta_eval(sta_add(y, x));
    for (int i = 0; i < 60; i++)
        STA_ASSERT_OK(sta_wait(y));
}

static void cut_again(void)
{
    sta_array x = sta_eval(sta_ones(STA_DIMS(1024, 1024), STA_complex128));
    HERE, STA_ASSERT_OK(sta_wait(sta_fft(x, 0, NULL)));
}

static void cut_well(void)
{
    sta_array x = sta_eval(sta_ones(STA_DIMS(1024, 1024), STA_complex128));
    STA_ASSERT_OK(sta_wait(sta_fft(x, 1, NULL)));
}

static void add_one_to_a_million(void)
{
    sta_array x = ones(1000000, STA_float64);
    HERE, STA_ASSERT_OK(sta_wait(sta_add(x, sta_int(1))));
}

static void add_one_to_a_few(void)
{
    sta_array x = ones(1000, STA_float64);
    for (int k = 0; k < 300; k++)
        x = sta_eval(sta_add(x, sta_int(1)));
    STA_ASSERT_OK(sta_wait(x));
}

static void add_one_to_many(void)
{
    sta_array x = ones(8 << 20, STA_float64);
    HERE, STA_ASSERT_OK(sta_wait(sta_add(x, sta_int(1))));
}

static void widen(void)
{
    sta_array x = ones(1 << 20, STA_float32), scale = sta_full(STA_DIMS(1), sta_float(2), STA_float64);
    sta_array y = (HERE, sta_multiply(x, scale));
    STA_ASSERT_OK(sta_wait(y));
}

static void stay_narrow(void)
{
    sta_array x = ones(1 << 20, STA_float32);
    STA_ASSERT_OK(sta_wait(sta_multiply(x, sta_float(2))));
    STA_ASSERT_OK(sta_wait(sta_multiply(x, ones(1 << 20, STA_float64)))); /* meant */
}

static void repeat_rows(void)
{
    sta_array row = sta_linspace(0, 1, 1024, STA_float64);
    sta_array rows = sta_broadcast_to(row, STA_DIMS(1024, 1024));
    HERE, STA_ASSERT_OK(sta_wait(sta_sqrt(rows)));
}

static void hand_rows_on(void)
{
    sta_array row = sta_linspace(0, 1, 1024, STA_float64);
    sta_array x = sta_eval(sta_zeros(STA_DIMS(1024, 1024), STA_float64));
    STA_ASSERT_OK(sta_wait(sta_add(x, row)));
    STA_ASSERT_OK(sta_wait(sta_full(STA_DIMS(1024, 1024), sta_int(7), STA_float64)));
}

static void keep(bool long_after)
{
    double sum;
    sta_array x = (HERE, sta_ones(STA_DIMS(4 << 20), STA_float64));
    STA_ASSERT_OK(sta_item_float(sta_sum(sta_eval(x), STA_ALL, 0), &sum));
    for (int k = 0; k < (long_after ? 200 : 10); k++)
        sta_free(sta_int(k));
    sta_free(x);
}

static void keep_for_long(void)
{
    keep(true);
}

static void keep_shortly(void)
{
    keep(false);
}

/* Steps of work until so much time has passed; each is waited for where the next one is made of it. */
static void work(double seconds, int64_t n, bool chain)
{
    gint64 end = g_get_monotonic_time() + (gint64)(seconds * 1e6);
    sta_scope scope = sta_open();
    sta_array x = ones(n, STA_float64);
    while (g_get_monotonic_time() < end) {
        sta_array y = sta_eval(sta_exp(sta_negative(x)));
        if (chain)
            STA_ASSERT_OK(sta_wait(y));
        sta_free(y);
    }
    STA_ASSERT_OK(sta_wait(x));
    sta_close(scope);
}

static void work_in_single_tiles(void)
{
    work(0.5, 4 << 20, true);
}

static void work_in_many_tiles(void)
{
    work(0.5, 4 << 20, false);
}

/* Nothing that could be shared. */
static void work_on_little(void)
{
    work(0.5, 100000, true);
}

static void work_shortly(void)
{
    work(0, 1 << 20, false);
}

/* More than StarPU may have, under the limit of the row: some of it has an error in the end. */
static void fill_memory(void)
{
    sta_array x[4];
    for (int k = 0; k < 4; k++)
        x[k] = ones(2 << 20, STA_float64);
    for (int k = 0; k < 4; k++)
        sta_wait(x[k]);
}

/* Programs that were never seen before. */
static void work_on_new_things(void)
{
    gint64 end = g_get_monotonic_time() + 800000;
    sta_array x = ones(4 << 20, STA_float64);
    for (int terms = 1; g_get_monotonic_time() < end; terms++) {
        sta_array y = x;
        for (int k = 0; k < terms; k++)
            y = sta_exp(sta_negative(y));
        STA_ASSERT_OK(sta_wait(y));
        sta_free(y);
    }
}

static void multiply(int threads)
{
    sta_array x = sta_eval(sta_ones(STA_DIMS(64, 64), STA_float64));
    STA_ASSERT_OK(sta_wait(sta_matmul(x, x)));
    openblas_set_num_threads(threads);
}

static void multiply_by_threads(void)
{
    multiply(4);
}

static void multiply_by_tasks(void)
{
    multiply(1);
}

/* ---- the table ---- */

struct half {
    const char *settings; /* "NAME=value NAME=value" */
    void (*run)(void);
};

static const struct row {
    const char *check;
    struct half habit; /* none: of an earlier row */
    struct half innocent;
    bool everywhere; /* not at one place of the program */
} rows[] = {
    {"element-access", {"", one_by_one}, {"", numbers_of_their_own}, false},
    {"element-access", {"", one_by_one_written}, {"", add_one_to_a_few}, false},
    {"sync-in-loop", {"", ask_each_time}, {"", ask_at_the_end}, false},
    {"recuts", {"", cut_again}, {"", cut_well}, false},
    {"tiles-too-small",
     {"STA_TILE_ELEMS=1000", add_one_to_a_million},
     {"STA_TILE_ELEMS=1000 STA_INLINE_BYTES=0", add_one_to_a_few},
     false},
    {"tiles-too-few", {"STA_TILE_ELEMS=16777216", add_one_to_many}, {"", add_one_to_many}, false},
    {"float64", {"", widen}, {"", stay_narrow}, false},
    {"broadcast-writes", {"", repeat_rows}, {"", hand_rows_on}, false},
    {"kept-arrays", {"", keep_for_long}, {"", keep_shortly}, false},
    {"idle-device", {"STA_TILE_ELEMS=16777216", work_in_single_tiles}, {"", work_in_many_tiles}, true},
    {"idle-device", {NULL, NULL}, {"", work_shortly}, true},
    {"idle-device", {NULL, NULL}, {"", work_on_little}, true},
    {"memory-pressure", {"STA_BUDGET=1M", work_in_many_tiles}, {"", work_in_many_tiles}, true},
    {"memory-pressure", {"STARPU_LIMIT_CPU_MEM=40", fill_memory}, {"", work_shortly}, true},
    {"few-workers", {"STARPU_NCPU=1", work_in_many_tiles}, {"", work_in_many_tiles}, true},
    {"few-workers", {NULL, NULL}, {"STARPU_NCPU=1", work_shortly}, true},
    {"uncalibrated", {"STA_CPU=auto OMP_NUM_THREADS=2", work_on_new_things}, {"", work_on_new_things}, true},
    {"blas-threads", {"", multiply_by_threads}, {"", multiply_by_tasks}, true},
};

static char **set(const char *settings)
{
    char **list = g_strsplit(settings, " ", -1);
    for (char **at = list; *at; at++) {
        char *value = strchr(*at, '=');
        if (value) {
            *value = '\0';
            g_setenv(*at, value + 1, TRUE);
        }
    }
    return list;
}

static void unset(char **list)
{
    for (char **at = list; *at; at++)
        if (**at)
            g_unsetenv(*at);
    g_strfreev(list);
}

/* What the doctor says of one half. */
static char *examine(const struct half *half)
{
    char **list = set(half->settings);
    STA_ASSERT_OK(sta_init(NULL));
    STA_ASSERT_OK(sta_doctor_start());
    half->run();
    char *text = sta_doctor_text();
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    openblas_set_num_threads(1);
    sta_finish();
    unset(list);
    return text;
}

static void expect_habit(const struct row *row, const char *anchor)
{
    char place[80];
    line = 0;
    char *found = examine(&row->habit);
    snprintf(place, sizeof place, "tests/doctor.c:%d in ", line);
    const char *where = row->everywhere ? "all of the program: " : sta__names_have_lines() ? place : "+0x";
    if (!strstr(found, anchor) || !strstr(found, where))
        sta_test_fail(__FILE__, __LINE__, "no %s at %s in:\n%s", row->check, where, found);
    free(found);
}

/* Thread sanitizer does not know how the threads of a team agree. */
#ifdef __SANITIZE_THREAD__
enum { TEAMS = 0 };
#else
enum { TEAMS = 1 };
#endif

static bool has_team(const struct row *row)
{
    return row->habit.settings && strstr(row->habit.settings, "STA_CPU=auto");
}

static void every_check(void)
{
    char anchor[80];
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        if (has_team(&rows[k]) && !TEAMS)
            continue;
        snprintf(anchor, sizeof anchor, "docs/doctor.md#%s\n", rows[k].check);
        if (rows[k].habit.run)
            expect_habit(&rows[k], anchor);
        char *calm = examine(&rows[k].innocent);
        if (strstr(calm, anchor))
            sta_test_fail(__FILE__, __LINE__, "row %zu: %s in:\n%s", k, rows[k].check, calm);
        free(calm);
    }
}

/* Each check has a row here, and its section in the document. */
static void no_check_is_forgotten(void)
{
    char *path = g_build_filename(g_getenv("STARRAY_SOURCE"), "docs", "doctor.md", NULL), *document = NULL;
    CU_ASSERT_FATAL(g_file_get_contents(path, &document, NULL, NULL));
    for (size_t c = 0; c < sta__check_count; c++) {
        bool tested = false;
        char heading[80];
        for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
            tested |= strcmp(rows[k].check, sta__checks[c].name) == 0;
        snprintf(heading, sizeof heading, "\n## %s\n", sta__checks[c].name);
        if (!tested || !strstr(document, heading))
            sta_test_fail(__FILE__, __LINE__, "%s has no row here or no section in doctor.md", sta__checks[c].name);
    }
    g_free(document);
    g_free(path);
}

/* ---- the ways to ask ---- */

static char *contents(const char *path)
{
    char *text = NULL;
    CU_ASSERT_FATAL(g_file_get_contents(path, &text, NULL, NULL));
    unlink(path);
    return text;
}

static void by_the_environment(void)
{
    char path[80];
    snprintf(path, sizeof path, "%s/found.json", folder);
    g_setenv("STA_DOCTOR", path, TRUE);
    STA_ASSERT_OK(sta_init(NULL));
    one_by_one();
    sta_finish();
    char *text = contents(path);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "{\"check\": \"element-access\""));
    CU_ASSERT(!sta__names_have_lines() || strstr(text, "\"function\": \"one_by_one\""));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"anchor\": \"docs/doctor.md#element-access\"}"));
    CU_ASSERT(g_str_has_suffix(text, "\n]}\n"));
    g_free(text);
    snprintf(path, sizeof path, "%s/found.txt", folder);
    g_setenv("STA_DOCTOR", path, TRUE);
    STA_ASSERT_OK(sta_init(NULL));
    numbers_of_their_own();
    sta_finish();
    text = contents(path);
    CU_ASSERT(g_str_has_suffix(text, "tasks\nnothing to say\n"));
    g_free(text);
    g_unsetenv("STA_DOCTOR");
}

static void for_a_part(void)
{
    char path[80];
    STA_ASSERT_FAILS(sta_doctor_start(), STA_ERROR_NOT_STARTED);
    STA_ASSERT_FAILS(sta_doctor_stop(), STA_ERROR_NOT_STARTED);
    STA_ASSERT_FAILS(sta_doctor_save("never.json"), STA_ERROR_NOT_STARTED);
    CU_ASSERT_PTR_NULL(sta_doctor_text());
    STA_ASSERT_OK(sta_init(NULL));
    one_by_one(); /* nobody looks yet */
    STA_ASSERT_OK(sta_doctor_start());
    numbers_of_their_own();
    STA_ASSERT_OK(sta_doctor_stop());
    one_by_one(); /* nor now */
    char *text = sta_doctor_text();
    CU_ASSERT_FATAL(text != NULL);
    CU_ASSERT(g_str_has_suffix(text, "\nnothing to say\n"));
    free(text);
    snprintf(path, sizeof path, "%s/part.json", folder);
    STA_ASSERT_OK(sta_doctor_save(path));
    text = contents(path);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"findings\": [\n]}"));
    g_free(text);
    STA_ASSERT_FAILS(sta_doctor_save(NULL), STA_ERROR_VALUE);
    STA_ASSERT_FAILS(sta_doctor_save("/nowhere/at/all.json"), STA_ERROR_IO);
    sta_finish();
}

/* More places than there is room for. */
static void fill_table(void)
{
    static char names[STA__PLACES];
    for (int k = 0; k < STA__PLACES; k++) {
        struct sta__function function = {.op = &names[k]};
        sta__lock();
        sta__doctor_call(&function, (uintptr_t)__builtin_frame_address(0));
        sta__unlock();
    }
}

static void many_places(void)
{
    STA_ASSERT_OK(sta_init(NULL));
    STA_ASSERT_OK(sta_doctor_start());
    for (int turn = 0; turn < 2; turn++) {
        one_by_one_written(); /* a place that is known before and after */
        if (turn == 0)
            fill_table();
    }
    one_by_one();
    char *text = sta_doctor_text();
    CU_ASSERT_FATAL(text != NULL);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "assign: 400 times one element"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "many places: 200 times one element"));
    free(text);
    sta_finish();
}

/* Every machine is one of two cores. */
static void take_two_cores(void)
{
    cpu_set_t all, two;
    CPU_ZERO(&two);
    if (sched_getaffinity(0, sizeof all, &all))
        exit(77);
    for (size_t cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&two) < 2; cpu++)
        if (CPU_ISSET(cpu, &all))
            CPU_SET(cpu, &two);
    if (CPU_COUNT(&two) < 2 || sched_setaffinity(0, sizeof two, &two))
        exit(77); /* nobody to be idle */
}

/* Neither measured times nor cost tables of this machine; before the library starts. */
__attribute__((constructor)) static void forget_the_machine(void)
{
    static const char *const settings[] = {"STA_TILE_ELEMS", "STA_INLINE_BYTES", "STA_CPU",        "STA_BUDGET",
                                           "STARPU_NCPU",    "STA_DOCTOR",       "OMP_NUM_THREADS"};
    take_two_cores();
    if (!mkdtemp(folder))
        abort();
    g_setenv("STA_DEVICES", "cpu", TRUE);
    for (size_t k = 0; k < sizeof settings / sizeof *settings; k++)
        g_unsetenv(settings[k]);
    g_setenv("STARPU_HOME", folder, TRUE);
    g_setenv("XDG_CACHE_HOME", folder, TRUE);
    g_setenv("STA_MACHINES", folder, TRUE);
}

static int remove_one(const char *path, const struct stat *facts, int type, struct FTW *where)
{
    (void)facts, (void)type, (void)where;
    return remove(path);
}

static void remove_folder(void)
{
    CU_ASSERT_EQUAL(nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS), 0);
}

STA_PURE_TESTS("doctor", STA_CASE(every_check), STA_CASE(no_check_is_forgotten), STA_CASE(by_the_environment),
               STA_CASE(for_a_part), STA_CASE(many_places), STA_CASE(remove_folder))
