/* Looking inside: the profile counts what was done, the timeline is JSON that says when. ctest: sanitize omp */
#include "sta_test.h"

#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/starray-profile-XXXXXX";
static char trace_path[64];

/* ---- reading what was written: lines of the table, events of the timeline ---- */

/* The row of the table that begins with `label`, as its columns after the label; NULL: none. */
static char **row_of(const char *text, const char *label)
{
    char **lines = g_strsplit(text, "\n", -1), **columns = NULL;
    for (char **line = lines; *line && !columns; line++)
        if (g_str_has_prefix(*line, label) && g_str_has_prefix(*line + strlen(label), "  ")) {
            char *rest = g_strdup(*line + strlen(label));
            GRegex *spaces = g_regex_new(" +", 0, 0, NULL);
            columns = g_regex_split(spaces, g_strstrip(rest), 0);
            g_regex_unref(spaces);
            g_free(rest);
        }
    g_strfreev(lines);
    return columns;
}

static int64_t count_of(const char *text, const char *label, int column)
{
    char **columns = row_of(text, label);
    int64_t count = columns && (int)g_strv_length(columns) > column ? g_ascii_strtoll(columns[column], NULL, 10) : -1;
    g_strfreev(columns);
    return count;
}

static char *report(void)
{
    char *text = sta_profile_text();
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    return text;
}

/* ---- the profile ---- */

static void run_chain(void)
{
    sta_array x = sta_linspace(0, 1, 1000000, STA_float64);
    sta_array y = sta_sqrt(sta_add(sta_multiply(x, x), x));
    STA_ASSERT_OK(sta_wait(x));
    STA_ASSERT_OK(sta_wait(y));
}

static void counts_tasks_and_calls(void)
{
    STA_ASSERT_OK(sta_profile_reset());
    STA_ASSERT_OK(sta_profile_start());
    run_chain();
    STA_ASSERT_OK(sta_profile_stop());
    run_chain(); /* not counted */
    char *text = report();
    int64_t tasks = count_of(text, "multiply add sqrt", 2);
    CU_ASSERT(tasks >= 1);
    CU_ASSERT_EQUAL(count_of(text, "range", 2), tasks); /* one a tile, and the same tiles */
    CU_ASSERT_EQUAL(count_of(text, "multiply", 0), 1);  /* it was fused: no task of its own, only the function */
    CU_ASSERT_EQUAL(count_of(text, "sqrt", 0), 1);
    CU_ASSERT_EQUAL(count_of(text, "wait", 0), 2);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "waited "));
    free(text);
    STA_ASSERT_OK(sta_profile_reset());
    text = report();
    CU_ASSERT_EQUAL(count_of(text, "multiply add sqrt", 2), -1);
    free(text);
}

static void says_what_ran_at_once(void)
{
    STA_ASSERT_OK(sta_profile_reset());
    STA_ASSERT_OK(sta_profile_start());
    sta_array x = sta_test_array(STA_float32, STA_DIMS(3), (float[]){1, 2, 3});
    for (int k = 0; k < 7; k++)
        x = sta_negative(x);
    STA_ASSERT_OK(sta_wait(x));
    STA_ASSERT_OK(sta_profile_stop());
    char *text = report();
    CU_ASSERT_EQUAL(count_of(text, "negative", 0), 7);
    if (!getenv("STA_INLINE_BYTES") && !getenv("STA_TILE_ELEMS"))
        CU_ASSERT_EQUAL(count_of(text, "negative", 1), 7);
    free(text);
}

/* Looking changes nothing of who does the work: short tasks on tiles are run by the caller, and timed. */
static void times_what_the_caller_runs(void)
{
    STA_ASSERT_OK(sta_profile_reset());
    STA_ASSERT_OK(sta_profile_start());
    sta_array x = sta_full(STA_DIMS(50000), sta_float(0.5), STA_float64);
    STA_ASSERT_OK(sta_wait(x));
    for (int k = 0; k < 5; k++)
        STA_ASSERT_OK(sta_wait(sta_exp2(x)));
    STA_ASSERT_OK(sta_profile_stop());
    char *text = report();
    int64_t tasks = count_of(text, "exp2", 2);
    char **columns = row_of(text, "exp2");
    CU_ASSERT_PTR_NOT_NULL_FATAL(columns);
    CU_ASSERT_FATAL(g_strv_length(columns) >= 9);
    CU_ASSERT(tasks >= 5 && tasks % 5 == 0);
    CU_ASSERT(g_ascii_strtod(columns[3], NULL) > 0); /* milliseconds */
    g_strfreev(columns);
    free(text);
}

static void counts_flops(void)
{
    STA_ASSERT_OK(sta_profile_reset());
    STA_ASSERT_OK(sta_profile_start());
    sta_array a = sta_full(STA_DIMS(400, 400), sta_float(0.5), STA_float64);
    STA_ASSERT_OK(sta_wait(sta_matmul(a, a)));
    STA_ASSERT_OK(sta_profile_stop());
    char *text = report();
    char **columns = row_of(text, "matmul");
    CU_ASSERT_PTR_NOT_NULL_FATAL(columns);
    CU_ASSERT_FATAL(g_strv_length(columns) >= 9); /* of a task, not of a function */
    CU_ASSERT(g_ascii_strtod(columns[6], NULL) > 0);
    g_strfreev(columns);
    free(text);
}

static void saves_json(void)
{
    char path[96];
    snprintf(path, sizeof path, "%s/profile.json", folder);
    STA_ASSERT_OK(sta_profile_start());
    run_chain();
    STA_ASSERT_OK(sta_profile_save(path));
    STA_ASSERT_OK(sta_profile_stop());
    char *text = NULL;
    CU_ASSERT_FATAL(g_file_get_contents(path, &text, NULL, NULL));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"task\": \"multiply add sqrt\""));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"peaks\": ["));
    g_free(text);
    unlink(path);
    STA_ASSERT_FAILS(sta_profile_save("/nowhere/at/all.json"), STA_ERROR_IO);
    STA_ASSERT_FAILS(sta_profile_save(NULL), STA_ERROR_VALUE);
}

/* ---- the timeline ---- */

static void writes_a_timeline(void)
{
    char *text = NULL;
    sta_range_push("outer \"range\"");
    sta_range_push("inner");
    run_chain();
    sta_range_pop();
    sta_range_pop();
    sta_range_pop(); /* one too many is nothing */
    sta_finish();
    CU_ASSERT_FATAL(g_file_get_contents(trace_path, &text, NULL, NULL));
    CU_ASSERT(text[0] == '[');
    CU_ASSERT(g_str_has_suffix(text, "]\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "{\"name\":\"outer \\\"range\\\"\",\"cat\":\"range\""));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "{\"name\":\"inner\",\"cat\":\"range\""));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "{\"name\":\"multiply add sqrt\",\"cat\":\"task\""));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"cat\":\"submit\""));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"cat\":\"wait\""));
    g_free(text);
    unlink(trace_path);
    CU_ASSERT_PTR_NULL(sta_profile_text()); /* not started any more */
    STA_ASSERT_FAILS(sta_profile_start(), STA_ERROR_NOT_STARTED);
    STA_ASSERT_OK(sta_init(NULL));
}

static void remove_folder(void)
{
    unlink(trace_path); /* the library wrote it once more when it ended */
    CU_ASSERT_EQUAL(rmdir(folder), 0);
    unsetenv("STA_TRACE");
}

/* Before the library starts. */
__attribute__((constructor)) static void ask_for_a_timeline(void)
{
    if (!mkdtemp(folder))
        abort();
    snprintf(trace_path, sizeof trace_path, "%s/trace.json", folder);
    setenv("STA_TRACE", trace_path, 1);
}

STA_TESTS("profile", STA_CASE(counts_tasks_and_calls), STA_CASE(says_what_ran_at_once),
          STA_CASE(times_what_the_caller_runs), STA_CASE(counts_flops), STA_CASE(saves_json),
          STA_CASE(writes_a_timeline), STA_CASE(remove_folder))
