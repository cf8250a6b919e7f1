/* Points that were measured, in the cache: a calibration that was interrupted goes on. */
#include "calibrate.h"

#include <stdio.h>

static char *state_path(void)
{
    char *name = g_strconcat("calibration-", g_get_host_name(), ".ini", NULL);
    char *path = g_build_filename(g_get_user_cache_dir(), "starray", name, NULL);
    g_free(name);
    return path;
}

GKeyFile *state_open(bool restart)
{
    GKeyFile *state = g_key_file_new();
    char *path = state_path();
    if (!restart)
        g_key_file_load_from_file(state, path, G_KEY_FILE_NONE, NULL);
    g_free(path);
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
    bool found = figures && count == 3 && figures[0] > 0;
    if (found) {
        point->microseconds = figures[0];
        point->bytes = figures[1];
        point->flops = figures[2];
    }
    g_free(figures);
    g_free(key);
    return found;
}

void state_add(GKeyFile *state, const struct point *point)
{
    char *key = key_of(point);
    gdouble figures[] = {point->microseconds, point->bytes, point->flops};
    g_key_file_set_double_list(state, "points", key, figures, 3);
    g_free(key);
}

void state_save(GKeyFile *state)
{
    char *path = state_path(), *folder = g_path_get_dirname(path);
    GError *error = NULL;
    g_mkdir_with_parents(folder, 0700);
    if (!g_key_file_save_to_file(state, path, &error))
        g_printerr("starray-calibrate: what was done cannot be kept: %s\n", error->message);
    g_clear_error(&error);
    g_free(folder);
    g_free(path);
}
