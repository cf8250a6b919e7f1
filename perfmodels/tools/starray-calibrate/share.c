/* A cost table for other machines of the same description: only what was measured properly. */
#include "calibrate.h"

#include <errno.h>
#include <math.h>

static const double most_disturbed = 0.05, most_error = 0.3;

void quality_note(const struct plan *plan)
{
    char *path = sta__costs_path();
    GKeyFile *file = g_key_file_new();
    int disturbed, measured = count_measured(plan, &disturbed);
    double never_seen = median_error(plan, false, -1), seen = median_error(plan, true, -1);
    if (g_key_file_load_from_file(file, path, G_KEY_FILE_NONE, NULL)) {
        g_key_file_set_integer(file, "quality", "points", (int)plan->points->len);
        g_key_file_set_integer(file, "quality", "measured", measured);
        g_key_file_set_integer(file, "quality", "disturbed", disturbed);
        g_key_file_set_double(file, "quality", "error_never_seen", isnan(never_seen) ? 1 : never_seen);
        g_key_file_set_double(file, "quality", "error_seen_before", isnan(seen) ? 1 : seen);
        g_key_file_save_to_file(file, path, NULL); /* else it is a table without */
    }
    g_key_file_free(file);
    g_free(path);
}

/* Why the table should not serve others; NULL: it may. */
static const char *objection(GKeyFile *file)
{
    double points = g_key_file_get_double(file, "quality", "points", NULL);
    double measured = g_key_file_get_double(file, "quality", "measured", NULL);
    double disturbed = g_key_file_get_double(file, "quality", "disturbed", NULL);
    double error = g_key_file_get_double(file, "quality", "error_never_seen", NULL);
    return !(points > 0)                         ? "it does not say how well it was measured"
           : measured < points                   ? "not all points are measured: call starray-calibrate again"
           : disturbed > most_disturbed * points ? "other programs had the cores: measure again on an idle machine"
           : !(error <= most_error)              ? "its predictions are too far off: measure again on an idle machine"
                                                 : NULL;
}

/* Named by the description that is in it; the name of the host is nobody's business. */
static bool write_to(const char *folder, GKeyFile *file, char *text, size_t bytes)
{
    char *machine = g_key_file_get_string(file, "machine", "description", NULL);
    char *name = g_strconcat(machine && *machine ? machine : "machine", ".ini", NULL);
    char *path = g_build_filename(folder, name, NULL);
    GError *error = NULL;
    g_key_file_remove_key(file, "machine", "name", NULL);
    g_mkdir_with_parents(folder, 0777);
    bool fine = g_key_file_save_to_file(file, path, &error);
    g_snprintf(text, (gulong)bytes, "%s", fine ? path : error->message);
    g_clear_error(&error);
    g_free(path);
    g_free(name);
    g_free(machine);
    return fine;
}

bool table_export(const char *folder, char *text, size_t bytes)
{
    char *path = sta__costs_path();
    GKeyFile *file = g_key_file_new();
    bool found = g_key_file_load_from_file(file, path, G_KEY_FILE_NONE, NULL);
    const char *against = found ? objection(file) : "there is none: call starray-calibrate first";
    if (against)
        g_snprintf(text, (gulong)bytes, "%s: %s", path, against);
    bool fine = !against && write_to(folder, file, text, bytes);
    g_key_file_free(file);
    g_free(path);
    return fine;
}
