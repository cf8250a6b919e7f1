/* The cost table: cautious figures of a machine of today, or what the calibrator has measured. */
#include "cost.h"

#include <glib.h>
#include <stdio.h>

#define DEFAULTS                                                                                                       \
    {                                                                                                                  \
        .task = {4, 4, 12}, .fork = 4, .thread = 0.5, .core_bytes = 8000, .machine_bytes = 40000,                      \
        .gpu_bytes = 1500000, .gpu_speedup = 300                                                                       \
    }
struct sta__costs sta__costs = DEFAULTS;

static const struct row {
    const char *key;
    size_t offset;
} rows[] = {
    {"task_sequential", offsetof(struct sta__costs, task[STA__SEQUENTIAL])},
    {"task_openmp", offsetof(struct sta__costs, task[STA__OPENMP])},
    {"task_cuda", offsetof(struct sta__costs, task[STA__CUDA])},
    {"fork", offsetof(struct sta__costs, fork)},
    {"thread", offsetof(struct sta__costs, thread)},
    {"core_bytes", offsetof(struct sta__costs, core_bytes)},
    {"machine_bytes", offsetof(struct sta__costs, machine_bytes)},
    {"gpu_bytes", offsetof(struct sta__costs, gpu_bytes)},
    {"gpu_speedup", offsetof(struct sta__costs, gpu_speedup)},
};
enum { ROWS = sizeof rows / sizeof *rows };

static double *field(struct sta__costs *costs, const struct row *row)
{
    return (double *)(void *)((char *)costs + row->offset);
}

/* One file a machine: homes are shared. */
char *sta__costs_path(void)
{
    char *name = g_strconcat("costs-", g_get_host_name(), ".ini", NULL);
    char *path = g_build_filename(g_get_user_cache_dir(), "starray", name, NULL);

    g_free(name);
    return path;
}

void sta__costs_load(void)
{
    GKeyFile *file = g_key_file_new();
    char *path = sta__costs_path();

    sta__costs = (struct sta__costs)DEFAULTS;
    if (g_key_file_load_from_file(file, path, G_KEY_FILE_NONE, NULL))
        for (int k = 0; k < ROWS; k++) {
            double value = g_key_file_get_double(file, "costs", rows[k].key, NULL);

            if (value > 0) /* a broken line leaves the default */
                *field(&sta__costs, &rows[k]) = value;
        }
    g_free(path);
    g_key_file_free(file);
}

bool sta__costs_save(const struct sta__costs *costs, char *text, size_t bytes)
{
    struct sta__costs copy = *costs;
    GKeyFile *file = g_key_file_new();
    char *path = sta__costs_path(), *folder = g_path_get_dirname(path);
    GError *error = NULL;
    bool fine;

    for (int k = 0; k < ROWS; k++)
        g_key_file_set_double(file, "costs", rows[k].key, *field(&copy, &rows[k]));
    g_mkdir_with_parents(folder, 0700);
    fine = g_key_file_save_to_file(file, path, &error);
    if (!fine)
        snprintf(text, bytes, "%s", error->message);
    g_clear_error(&error);
    g_free(folder);
    g_free(path);
    g_key_file_free(file);
    return fine;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

/* Memory and arithmetic overlap: the slower of the two counts. */
double sta__cost(enum sta__variant variant, double bytes, double nanoseconds, int threads)
{
    const struct sta__costs *c = &sta__costs;
    double computing = nanoseconds / 1000;

    switch (variant) {
    case STA__OPENMP:
        return c->task[variant] + c->fork + c->thread * threads +
               larger(bytes / smaller(c->core_bytes * threads, larger(c->core_bytes, c->machine_bytes)),
                      computing / threads);
    case STA__CUDA:
        return c->task[variant] + larger(bytes / c->gpu_bytes, computing / c->gpu_speedup);
    default:
        return c->task[variant] + larger(bytes / c->core_bytes, computing);
    }
}
