/* Points that were measured, in the cache: a calibration that was interrupted goes on. They hold for this machine, these
 * histories and this version only. */
#include "calibrate.h"

#include "perfmodels/samples.h"
#include "starpu_compat.h"

#include <stdio.h>
#include <unistd.h>

enum { FIGURES = 7 };

static char *state_path(void)
{
    char *name = g_strconcat("calibration-", g_get_host_name(), ".ini", NULL);
    char *path = g_build_filename(g_get_user_cache_dir(), "starray", name, NULL);
    g_free(name);
    return path;
}

/* Somebody may have removed StarPU's files. */
static bool has_history(const char *symbol)
{
    char path[1024] = "";
    starpu_perfmodel_get_model_path(symbol, path, sizeof path);
    return access(path, R_OK) == 0;
}

static char *identity(void)
{
    char *machine = sta__machine_description();
    char *text = g_strdup_printf("%d %s", sta_version(), machine);
    g_free(machine);
    return text;
}

static void write_identity(GKeyFile *state)
{
    char *now = identity();
    g_key_file_set_string(state, "calibration", "of", now);
    g_free(now);
}

static bool is_ours(GKeyFile *state)
{
    char *then = g_key_file_get_string(state, "calibration", "of", NULL), *now = identity();
    bool ours = g_strcmp0(then, now) == 0;
    g_free(then);
    g_free(now);
    return ours;
}

GKeyFile *state_open(bool restart)
{
    GKeyFile *state = g_key_file_new();
    char *path = state_path();
    if (!restart)
        g_key_file_load_from_file(state, path, G_KEY_FILE_NONE, NULL);
    g_free(path);
    if (!is_ours(state)) {
        g_key_file_free(state);
        state = g_key_file_new();
    }
    write_identity(state);
    return state;
}

static char *key_of(const struct point *point)
{
    char *key = g_strdup_printf("%s|%s|%lld|%s", point->work->name, sta__dtype_brief(point->dtype), (long long)point->n,
                                variant_names[point->variant]);
    return g_strdelimit(key, "[]=", '_');
}

bool state_find(GKeyFile *state, struct point *point)
{
    char *key = key_of(point);
    gsize count = 0;
    gdouble *figures = g_key_file_get_double_list(state, "points", key, &count, NULL);
    char *symbol = g_key_file_get_string(state, "symbols", key, NULL);
    bool found = figures && symbol && count == FIGURES && figures[0] > 0 && has_history(symbol);
    if (found) {
        point->microseconds = figures[0];
        point->bytes = figures[1];
        point->nanoseconds = figures[2];
        point->flops = figures[3];
        point->tasks = (int)figures[4];
        point->undisturbed = figures[5] > 0;
        point->median = figures[6];
        g_strlcpy(point->symbol, symbol, sizeof point->symbol);
    }
    g_free(symbol);
    g_free(figures);
    g_free(key);
    return found && point->undisturbed;
}

void state_add(GKeyFile *state, const struct point *point)
{
    char *key = key_of(point);
    gdouble figures[FIGURES] = {point->microseconds,  point->bytes,       point->nanoseconds, point->flops,
                                (double)point->tasks, point->undisturbed, point->median};
    g_key_file_set_double_list(state, "points", key, figures, FIGURES);
    g_key_file_set_string(state, "symbols", key, point->symbol);
    g_free(key);
}

/* The histories first: a point that is done has one. */
bool state_save(GKeyFile *state, bool at_end)
{
    if (!sta__models_save() && !at_end)
        return true; /* StarPU 1.3 keeps them to the end */
    char *path = state_path(), *folder = g_path_get_dirname(path);
    GError *error = NULL;
    g_mkdir_with_parents(folder, 0700);
    bool fine = g_key_file_save_to_file(state, path, &error);
    if (!fine)
        g_printerr("starray-calibrate: what was done cannot be kept: %s\n", error->message);
    g_clear_error(&error);
    g_free(folder);
    g_free(path);
    return fine;
}
