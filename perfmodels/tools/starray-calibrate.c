/* starray-calibrate: measures this machine, so that the library places work well from the first call on.
 * links: glib-2.0 starpu */
#include "starray-calibrate/calibrate.h"

#include "perfmodels/model.h"
#include "runtime.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static gboolean quick, full, restart, list, show_version;
static gchar *report, *only;
static const GOptionEntry entries[] = {
    {"quick", 'q', 0, G_OPTION_ARG_NONE, &quick, "The most common work, under a minute (the default)", NULL},
    {"full", 'f', 0, G_OPTION_ARG_NONE, &full, "Every family, dtype and size: some ten minutes", NULL},
    {"only", 'o', 0, G_OPTION_ARG_STRING, &only, "Only this family: elementwise, reduce, linalg, fft ...", "FAMILY"},
    {"report", 'r', 0, G_OPTION_ARG_FILENAME, &report, "Write a page with plots, tables and advice", "FILE.html"},
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
    "  starray-calibrate --only fft                after a change of the FFT library\n\n"
    "An interrupted calibration goes on where it stopped. Other work on the machine spoils the figures.\n\n"
    "Exit status: 0; 1 where something could not be measured or written; 2 for a wrong option.\n";

static volatile sig_atomic_t interrupted;

static void interrupt(int unused)
{
    (void)unused;
    interrupted = 1;
}

static bool parse(int argc, char **argv)
{
    GError *error = NULL;
    GOptionContext *context = g_option_context_new(NULL);
    g_option_context_add_main_entries(context, entries, NULL);
    g_option_context_set_summary(context, summary);
    g_option_context_set_description(context, description);
    bool fine = g_option_context_parse(context, &argc, &argv, &error) && argc == 1 && !(quick && full);
    g_option_context_free(context);
    if (!fine)
        g_printerr("starray-calibrate: %s\n", error           ? error->message
                                              : quick && full ? "--quick and --full exclude each other"
                                                              : "there are no arguments, only options");
    g_clear_error(&error);
    return fine;
}

/* The variants need a worker with a team, and what is timed must not run on the calling thread. */
static bool start(void)
{
    setenv("STA_INLINE_BYTES", "0", 1);
    setenv("STA_CPU", "auto", 1);
    setenv("STARPU_SILENT", "1", 0);
    setenv("STARPU_CALIBRATE", "0", 1);
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

/* Returns how many could not be measured. */
static int measure_points(struct plan *plan, GKeyFile *state)
{
    int failed = 0, count = (int)plan->points->len;
    char text[300];
    for (int k = 0; k < count && !interrupted; k++) {
        struct point *point = &g_array_index(plan->points, struct point, (guint)k);
        snprintf(text, sizeof text, "%s %s %lld on %s", point->work->name, sta__dtype_brief(point->dtype),
                 (long long)point->n, variant_names[point->variant]);
        progress_show(k, count, text);
        bool late = plan->limit > 0 && progress_seconds() > plan->limit;
        if (state_find(state, point) || late)
            continue;
        if (point_measure(point, plan, text, sizeof text))
            state_add(state, point);
        else
            failed++, g_printerr("starray-calibrate: %s\n", text);
        if (k % 32 == 31)
            state_save(state);
    }
    progress_end();
    return failed;
}

static void print_outcome(const struct plan *plan, const struct sta__costs *costs)
{
    int measured = 0;
    for (guint k = 0; k < plan->points->len; k++)
        measured += g_array_index(plan->points, struct point, k).microseconds > 0;
    char *path = sta__costs_path();
    g_print("%d of %u points measured, %.0f s.\n", measured, plan->points->len, progress_seconds());
    g_print("Memory: %.1f GB/s a core, %.1f GB/s all cores", costs->core_bytes / 1000, costs->machine_bytes / 1000);
    g_print(sta__runtime.gpus ? ", %.0f GB/s on a GPU.\n" : ".\n", costs->gpu_bytes / 1000);
    g_print("Arrays up to %.0f KiB at once; tiles of %.0f KiB (cpu), %.0f KiB (omp), %.0f KiB (cuda).\n",
            costs->inline_bytes / 1024, costs->tile_bytes[STA__SEQUENTIAL] / 1024,
            costs->tile_bytes[STA__OPENMP] / 1024, costs->tile_bytes[STA__CUDA] / 1024);
    g_print("Error of predictions, median: %.0f %% for programs never seen, %.0f %% for those seen.\n",
            100 * median_error(plan, false), 100 * median_error(plan, true));
    g_print("The cost table is in %s.\n", path);
    g_free(path);
}

static int calibrate(struct plan *plan)
{
    struct sta__costs costs;
    char text[300];
    GKeyFile *state = state_open(restart);
    progress_start(plan->limit);
    loops_measure(plan->full);
    int failed = measure_points(plan, state);
    state_save(state);
    costs_measure(&costs, plan);
    sta__costs = costs;
    predictions_measure(plan);
    if (!sta__costs_save(&costs, text, sizeof text))
        failed++, g_printerr("starray-calibrate: the cost table cannot be written: %s\n", text);
    print_outcome(plan, &costs);
    if (report && !report_write(report, plan, text, sizeof text))
        failed++, g_printerr("starray-calibrate: %s: %s\n", report, text);
    if (interrupted)
        g_print("Interrupted: the next call goes on here.\n");
    g_key_file_free(state);
    return failed || interrupted ? 1 : 0;
}

int main(int argc, char **argv)
{
    if (!parse(argc, argv) || !known_family())
        return 2;
    if (show_version) {
        g_print("starray %d.%d.%d\n", STA_VERSION_MAJOR, STA_VERSION_MINOR, STA_VERSION_PATCH);
        return 0;
    }
    if (!start())
        return 1;
    struct plan plan = {.points = g_array_new(FALSE, TRUE, sizeof(struct point)),
                        .predictions = g_array_new(FALSE, TRUE, sizeof(struct prediction)),
                        .full = full,
                        .limit = full ? 0 : 45,
                        .only = only};
    signal(SIGINT, interrupt);
    plan_points(&plan);
    if (list)
        print_points(&plan);
    int answer = list ? 0 : calibrate(&plan);
    sta_finish();
    g_array_free(plan.points, TRUE);
    g_array_free(plan.predictions, TRUE);
    return answer;
}
