/* starray-calibrate: measures this machine, so that the library places work well from the first call on.
 * links: glib-2.0 starpu */
#include "starray-calibrate/calibrate.h"

#include "runtime.h"
#include "starpu_compat.h"
#include "written.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static gboolean quick, full, restart, list, show_version;
static gchar *report, *only, *export_to;
static gdouble budget;
static const GOptionEntry entries[] = {
    {"quick", 'q', 0, G_OPTION_ARG_NONE, &quick, "The most common work, under a minute (the default)", NULL},
    {"full", 'f', 0, G_OPTION_ARG_NONE, &full, "Every family, dtype and size: some ten minutes", NULL},
    {"budget", 'b', 0, G_OPTION_ARG_DOUBLE, &budget, "Stop measuring after so long; the next call goes on", "SECONDS"},
    {"only", 'o', 0, G_OPTION_ARG_STRING, &only, "Only this family: elementwise, reduce, linalg, fft ...", "FAMILY"},
    {"report", 'r', 0, G_OPTION_ARG_FILENAME, &report, "Write a page with plots, tables and advice", "FILE.html"},
    {"export", 'e', 0, G_OPTION_ARG_FILENAME, &export_to,
     "Measure nothing: copy the cost table into this folder, for other machines like this one", "FOLDER"},
    {"restart", 0, 0, G_OPTION_ARG_NONE, &restart, "Forget what an earlier calibration has measured", NULL},
    {"list", 'l', 0, G_OPTION_ARG_NONE, &list, "Say what would be measured, and measure nothing", NULL},
    {"version", 'V', 0, G_OPTION_ARG_NONE, &show_version, "Print the version and exit", NULL},
    G_OPTION_ENTRY_NULL,
};
static const char summary[] =
    "Measures the kernels of starray on every kind of worker of this machine: StarPU's performance models\n"
    "(starpu_perfmodel_display shows them) and the cost table for work that was never seen.";
static const char description[] =
    "Examples:\n"
    "  starray-calibrate                           once on a new machine\n"
    "  starray-calibrate --full --report page.html everything, with a page to look at\n"
    "  starray-calibrate --only fft --restart      after a change of the FFT library\n"
    "  starray-calibrate --export machines         for other machines like this one\n\n"
    "A calibration that was interrupted, or had no time left, goes on where it stopped. Times in which a thread had "
    "to\n"
    "wait for a core are measured again; with much other work on the machine some remain.\n\n"
    "Exit status: 0; 1 where something could not be measured or written; 2 for a wrong option.\n";

static volatile sig_atomic_t interrupted;

static void interrupt(int unused)
{
    (void)unused;
    interrupted = 1;
}

bool stop_wanted(void)
{
    return interrupted;
}

static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = interrupt, .sa_flags = (int)SA_RESETHAND}; /* twice ends at once */
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
}

static bool parse(int argc, char **argv)
{
    GError *error = NULL;
    GOptionContext *context = g_option_context_new(NULL);
    g_option_context_add_main_entries(context, entries, NULL);
    g_option_context_set_summary(context, summary);
    g_option_context_set_description(context, description);
    bool fine = g_option_context_parse(context, &argc, &argv, &error) && argc == 1 && !(quick && full) && budget >= 0;
    g_option_context_free(context);
    if (!fine)
        g_printerr("starray-calibrate: %s\n", error            ? error->message
                                              : quick && full  ? "--quick and --full exclude each other"
                                              : !(budget >= 0) ? "--budget must be at least 0"
                                                               : "there are no arguments, only options");
    g_clear_error(&error);
    return fine;
}

/* The variants need a worker with a team, and what is timed must not run on the calling thread. */
static bool start(void)
{
    setenv("STA_INLINE_BYTES", "0", 1);
    setenv("STA_CPU", "auto", 1);
    setenv("STARPU_NCPU", "1", 0);
    setenv("STARPU_SILENT", "1", 0);
    unsetenv("STARPU_CALIBRATE");
    const sta_error *error = sta_init(NULL);
    if (error)
        g_printerr("starray-calibrate: the library does not start: %s\n", error->text);
    return !error;
}

static bool known_family(void)
{
    bool known = !only;
    for (int w = 0; w < work_count && !known; w++)
        known = g_strcmp0(only, works[w].family) == 0;
    if (!known)
        g_printerr("starray-calibrate: there is no family %s\n", only);
    return known;
}

static void print_points(const struct plan *plan)
{
    for (guint k = 0; k < plan->points->len; k++) {
        const struct point *point = &g_array_index(plan->points, struct point, k);
        g_print("%-12s %-28s %-5s %10lld %s\n", point->work->family, point->work->name, sta__dtype_brief(point->dtype),
                (long long)point->n, variant_names[point->variant]);
    }
}

/* ---- before and after ---- */

/* A calibration that cannot be kept is not begun. */
static bool can_write(char *path, bool make)
{
    char *folder = g_path_get_dirname(path), *probe = g_build_filename(folder, ".starray-XXXXXX", NULL);
    int file = !make || g_mkdir_with_parents(folder, 0700) == 0 ? g_mkstemp(probe) : -1;
    if (file < 0)
        g_printerr("starray-calibrate: %s cannot be written: %s\n", folder, g_strerror(errno));
    else
        close(file), unlink(probe);
    g_free(probe);
    g_free(folder);
    g_free(path);
    return file >= 0;
}

/* Before StarPU starts: where it cannot write its figures it aborts. */
static bool can_write_all(void)
{
    static const char *const homes[] = {"STARPU_HOME", "STARPU_PERF_MODEL_DIR"};
    bool fine = can_write(sta__costs_path(), true) && (!report || can_write(g_strdup(report), false));
    for (size_t k = 0; k < sizeof homes / sizeof *homes && fine; k++)
        if (g_getenv(homes[k]))
            fine = can_write(g_build_filename(g_getenv(homes[k]), "sampling", NULL), true);
    return fine;
}

int count_measured(const struct plan *plan, int *disturbed)
{
    int measured = 0;
    *disturbed = 0;
    for (guint k = 0; k < plan->points->len; k++) {
        const struct point *point = &g_array_index(plan->points, struct point, k);
        measured += point->microseconds > 0;
        *disturbed += point->microseconds > 0 && !point->undisturbed;
    }
    return measured;
}

static void print_errors(const struct plan *plan)
{
    for (int seen = 0; seen < 2; seen++) {
        g_print("Predictions of %s are off by (median)", seen ? "programs seen before" : "programs never seen ");
        for (int v = 0; v < STA__VARIANTS; v++)
            if (!isnan(median_error(plan, seen, v)))
                g_print(" %3.0f %% on %s", 100 * median_error(plan, seen, v), variant_names[v]);
        g_print(", %.0f %% in all.\n", 100 * median_error(plan, seen, -1));
    }
}

static void print_sizes(const struct sta__costs *costs)
{
    const char *before = "Tiles of";
    if (costs->inline_bytes > 0)
        g_print("Arrays up to %.0f KiB at once.\n", costs->inline_bytes / 1024);
    for (int v = 0; v < STA__VARIANTS; v++)
        if (costs->tile_bytes[v] > 0) {
            g_print("%s %.0f KiB (%s)", before, costs->tile_bytes[v] / 1024, variant_names[v]);
            before = ",";
        }
    g_print("%s",
            strcmp(before, ",") == 0 ? ".\n" : "No time was left for the sizes of tiles: the usual ones are taken.\n");
}

static void print_outcome(const struct plan *plan, const struct sta__costs *costs)
{
    int disturbed, measured = count_measured(plan, &disturbed);
    char *path = sta__costs_path();
    g_print("%d of %u points measured", measured, plan->points->len);
    if (disturbed)
        g_print(", %d while other programs had the cores", disturbed);
    g_print(", %.0f s.\n", progress_seconds());
    g_print("Memory: %.1f GB/s a core, %.1f GB/s all cores", costs->core_bytes / 1000, costs->machine_bytes / 1000);
    if (sta__runtime.gpus)
        g_print(", %.0f GB/s on a GPU", costs->gpu_bytes / 1000);
    g_print(".\n");
    print_sizes(costs);
    if (plan->predictions->len)
        print_errors(plan);
    g_print("The cost table is in %s.\n", path);
    g_free(path);
}

static int finish(struct plan *plan, const struct sta__costs *costs)
{
    char text[300];
    int failed = 0;
    if (!sta__costs_save(costs, text, sizeof text))
        failed++, g_printerr("starray-calibrate: the cost table cannot be written: %s\n", text);
    else
        quality_note(plan);
    print_outcome(plan, costs);
    if (report && !report_write(report, plan, text, sizeof text))
        failed++, g_printerr("starray-calibrate: %s: %s\n", report, text);
    return failed;
}

static int calibrate(struct plan *plan)
{
    struct sta__costs costs = sta__costs;
    GKeyFile *state = state_open(restart);
    progress_start(plan->budget);
    for (int dtype = 0; dtype < STA__DTYPES; dtype++)
        sta__fold_measured((sta_dtype)dtype, 0); /* points of an earlier call have the guess in them */
    loops_measure(plan, PART_LOOPS);
    int failed = measure_points(plan, state, PART_POINTS);
    loops_measure(plan, PART_LOOPS_AGAIN); /* what disturbs one pass is over at the next */
    failed += measure_points(plan, state, PART_POINTS_AGAIN);
    failed += !state_save(state, true);
    if (!interrupted) {
        costs_fit(&costs, plan);
        sizes_measure(&costs);
        sta__costs = costs;
        sta__models_refit();
        predictions_measure(plan);
    }
    progress_end();
    if (interrupted)
        g_print("Interrupted: the next call goes on here.\n");
    else
        failed += finish(plan, &costs);
    g_key_file_free(state);
    return failed || interrupted ? 1 : 0;
}

static int export_table(void)
{
    char text[500];
    bool fine = table_export(export_to, text, sizeof text);
    if (fine)
        g_print("%s\n", text);
    else
        g_printerr("starray-calibrate: %s\n", text);
    return fine ? 0 : 1;
}

int main(int argc, char **argv)
{
    if (!parse(argc, argv) || !known_family())
        return 2;
    if (show_version) {
        g_print("starray %d.%d.%d\n", STA_VERSION_MAJOR, STA_VERSION_MINOR, STA_VERSION_PATCH);
        return written("starray-calibrate", 0);
    }
    if (export_to)
        return written("starray-calibrate", export_table());
    if ((!list && !can_write_all()) || !start())
        return 1;
    struct plan plan = {.points = g_array_new(FALSE, TRUE, sizeof(struct point)),
                        .predictions = g_array_new(FALSE, TRUE, sizeof(struct prediction)),
                        .full = full,
                        .budget = budget > 0 ? budget
                                  : full     ? 0
                                             : 40,
                        .only = only};
    plan_points(&plan);
    catch_signals();
    if (list)
        print_points(&plan);
    int answer = list ? 0 : calibrate(&plan);
    sta_finish();
    g_array_free(plan.points, TRUE);
    g_array_free(plan.predictions, TRUE);
    return written("starray-calibrate", answer);
}
