/* The cost table: cautious figures of a machine of today, or what the calibrator has measured. */
#include "cost.h"

#include <glib.h>
#include <math.h>
#include <stdio.h>

#define DEFAULTS                                                                                                       \
    {                                                                                                                  \
        .task = {4, 4, 12}, .fork = 4, .thread = 0.5, .core_bytes = 8000, .machine_bytes = 40000,                      \
        .gpu_bytes = 1500000, .gpu_speedup = 300, .overlap = 8, .instruction = 0.25                                    \
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
    {"overlap", offsetof(struct sta__costs, overlap)},
    {"overlap_far", offsetof(struct sta__costs, overlap_far)},
    {"instruction", offsetof(struct sta__costs, instruction)},
    {"inline_bytes", offsetof(struct sta__costs, inline_bytes)},
    {"tile_bytes_sequential", offsetof(struct sta__costs, tile_bytes[STA__SEQUENTIAL])},
    {"tile_bytes_openmp", offsetof(struct sta__costs, tile_bytes[STA__OPENMP])},
    {"tile_bytes_cuda", offsetof(struct sta__costs, tile_bytes[STA__CUDA])},
};
enum { ROWS = sizeof rows / sizeof *rows };
static const char *const near_key[STA__VARIANTS] = {"core_bytes_near", "machine_bytes_near", "gpu_bytes_near"};

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

static char *source;

const char *sta__costs_source(void)
{
    return source;
}

static void read_near(GKeyFile *file, int variant)
{
    gsize count = 0;
    gdouble *speeds = g_key_file_get_double_list(file, "costs", near_key[variant], &count, NULL);

    for (gsize k = 0; speeds && k < count && k < STA__LEVELS; k++)
        if (speeds[k] > 0 && isfinite(speeds[k]))
            sta__costs.near[variant][k] = speeds[k];
    g_free(speeds);
}

static bool load(char *path)
{
    GKeyFile *file = g_key_file_new();
    bool fine = g_key_file_load_from_file(file, path, G_KEY_FILE_NONE, NULL);

    for (int k = 0; k < ROWS && fine; k++) {
        double value = g_key_file_get_double(file, "costs", rows[k].key, NULL);

        if (value > 0 && isfinite(value)) /* a broken line leaves the default */
            *field(&sta__costs, &rows[k]) = value;
    }
    for (int v = 0; v < STA__VARIANTS && fine; v++)
        read_near(file, v);
    if (fine) {
        sta__loops_read(file);
        sta__kernels_read(file);
    }
    g_key_file_free(file);
    if (fine)
        source = path;
    else
        g_free(path);
    return fine;
}

static char *shipped_path(void)
{
    char *machine = sta__machine_description(), *name = g_strconcat(machine, ".ini", NULL);
    const char *folder = g_getenv("STA_MACHINES");
    char *path = g_build_filename(folder ? folder : STA__MACHINES, name, NULL);

    g_free(name);
    g_free(machine);
    return path;
}

void sta__costs_load(void)
{
    sta__costs = (struct sta__costs)DEFAULTS;
    sta__loops_read(NULL);
    sta__kernels_read(NULL);
    g_free(source);
    source = NULL;
    if (!load(sta__costs_path()))
        load(shipped_path());
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
    for (int v = 0; v < STA__VARIANTS; v++)
        g_key_file_set_double_list(file, "costs", near_key[v], copy.near[v], STA__LEVELS);
    char *machine = sta__machine_description();
    sta__loops_write(file);
    sta__kernels_write(file);
    g_key_file_set_string(file, "machine", "description", machine);
    g_key_file_set_string(file, "machine", "name", g_get_host_name());
    g_free(machine);
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

/* 64 KiB, 512 KiB, 4 MiB, 32 MiB: one cache after the other. */
double sta__level_bytes(int level)
{
    return (double)((int64_t)1 << (16 + 3 * level));
}

/* Between the levels on a straight line, both scales logarithmic. */
double sta__cost_speed(const struct sta__costs *c, enum sta__variant variant, double bytes)
{
    const double far[STA__VARIANTS] = {c->core_bytes, larger(c->core_bytes, c->machine_bytes), c->gpu_bytes};
    double at = bytes > 0 ? (log2(bytes) - 16) / 3 : 0;
    int level = at < 0 ? 0 : (int)at;
    double below = level < STA__LEVELS ? c->near[variant][level] : 0;
    double above = level + 1 < STA__LEVELS ? c->near[variant][level + 1] : far[variant];

    if (!(below > 0) || !(above > 0))
        return below > 0 ? below : far[variant];
    at = at < 0 ? 0 : at - level;
    return exp2(log2(below) * (1 - at) + log2(above) * at);
}

/* Moving and computing hide each other in part: the longer one counts, and something of the shorter one. */
double sta__cost_together(double moving, double computing, double exponent)
{
    double most = larger(moving, computing), least = smaller(moving, computing);

    if (!(least > 0) || exponent >= 8)
        return most;
    return most * pow(1 + pow(least / most, exponent), 1 / exponent);
}

/* Up to 1 MiB as in caches, from 16 MiB on as in memory. */
double sta__cost_overlap(const struct sta__costs *c, double bytes)
{
    double share = bytes > 0 ? (log2(bytes) - 20) / 4 : 0;

    if (!(c->overlap_far > 0))
        return c->overlap;
    share = smaller(larger(share, 0), 1);
    return 1 / ((1 - share) / c->overlap + share / c->overlap_far);
}

double sta__cost(enum sta__variant variant, double bytes, double nanoseconds, int threads)
{
    const struct sta__costs *c = &sta__costs;
    double computing = nanoseconds / 1000, task = c->task[variant];
    double moving = bytes / sta__cost_speed(c, variant, bytes);

    if (variant == STA__OPENMP) {
        task += c->fork + c->thread * threads;
        computing /= threads;
        if (!(c->near[variant][0] > 0)) /* few threads do not reach what the machine can */
            moving = larger(moving, bytes / (c->core_bytes * threads));
    } else if (variant == STA__CUDA) {
        computing /= c->gpu_speedup;
    }
    return task + sta__cost_together(moving, computing, sta__cost_overlap(c, bytes));
}
