/* Reading the settings. GLib may be used here: nothing of the array path depends on it. */
#include "settings.h"

#include <errno.h>
#include <glib.h>
#include <stdio.h>
#include <string.h>

enum kind { CHOICE, NUMBER, BYTES };
#define GROUP "starray" /* of the settings file */

/* One row a setting; the key of the settings file is the variable without STA_, in small letters. */
static const struct row {
    const char *variable;
    enum kind kind;
    int64_t least, most;
    const char *choices[4];
    const char *allowed;
} rows[STA__SETTINGS] = {
    [STA__SET_DEVICES] = {"STA_DEVICES", CHOICE, 0, 0, {"all", "cpu", "cuda"}, "all, cpu or cuda"},
    [STA__SET_CPU] = {"STA_CPU", CHOICE, 0, 0, {"seq", "omp", "auto"}, "seq, omp or auto"},
    [STA__SET_TILE_ELEMS] = {"STA_TILE_ELEMS", NUMBER, 1, INT64_MAX, {NULL}, "a number of elements, at least 1"},
    [STA__SET_INLINE_BYTES] = {"STA_INLINE_BYTES", BYTES, 0, (int64_t)1 << 30, {NULL}, "bytes (K, M, G), 0 to 1G"},
    [STA__SET_BUDGET] = {"STA_BUDGET", BYTES, 1, INT64_MAX, {NULL}, "bytes (K, M, G, T), at least 1"},
    [STA__SET_POOL] = {"STA_POOL", BYTES, 0, INT64_MAX, {NULL}, "bytes (K, M, G, T)"},
    [STA__SET_COMPILE] = {"STA_COMPILE", CHOICE, 0, 0, {"0", "1", "now"}, "0, 1 or now"},
    [STA__SET_FMA] = {"STA_FMA", NUMBER, 0, 1, {NULL}, "0 or 1"},
    [STA__SET_MPI] = {"STA_MPI", CHOICE, 0, 0, {"auto", "off"}, "auto or off"},
    [STA__SET_TRAP] = {"STA_TRAP", NUMBER, 0, 1, {NULL}, "0 or 1"},
    [STA__SET_REST] = {"STA_REST", NUMBER, 0, 1, {NULL}, "0 or 1"},
    [STA__SET_TF32] = {"STA_TF32", NUMBER, 0, 1, {NULL}, "0 or 1"},
    [STA__SET_PROFILE] = {"STA_PROFILE", NUMBER, 0, 1, {NULL}, "0 or 1"},
    [STA__SET_LOG] = {"STA_LOG", NUMBER, 0, 3, {NULL}, "0 (nothing) to 3 (everything)"},
};

const char *sta__setting_name(int setting)
{
    return setting >= 0 && setting < STA__SETTINGS ? rows[setting].variable : NULL;
}

const char *sta__setting_allowed(int setting)
{
    return setting >= 0 && setting < STA__SETTINGS ? rows[setting].allowed : NULL;
}

const char *sta__setting_text(int setting, int64_t value, char *to, size_t bytes)
{
    static const char units[] = "KMGT";
    const struct row *row = &rows[setting];
    int unit = -1;

    if (row->kind == CHOICE) {
        snprintf(to, bytes, "%s", value >= 0 && value < 4 && row->choices[value] ? row->choices[value] : "?");
        return to;
    }
    while (row->kind == BYTES && value >= 1024 && value % 1024 == 0 && unit < 3) {
        value /= 1024;
        unit++;
    }
    snprintf(to, bytes, "%lld%.*s", (long long)value, unit >= 0, unit >= 0 ? &units[unit] : "");
    return to;
}

static bool parse_choice(const struct row *row, const char *text, int64_t *to)
{
    for (int k = 0; k < 4 && row->choices[k]; k++)
        if (g_ascii_strcasecmp(text, row->choices[k]) == 0) {
            *to = k;
            return true;
        }
    return false;
}

/* "64", "64M", "64MiB": powers of 1024. */
static bool parse_number(const struct row *row, const char *text, int64_t *to)
{
    static const char units[] = "KMGT";
    char *end;
    const char *unit;
    gint64 number;

    errno = 0;
    number = g_ascii_strtoll(text, &end, 10);
    if (end == text || errno)
        return false;
    if (row->kind == BYTES && *end) {
        unit = strchr(units, g_ascii_toupper(*end));
        if (unit) {
            for (ptrdiff_t k = 0; k <= unit - units; k++)
                if (__builtin_mul_overflow(number, 1024, &number))
                    return false;
            end++;
            end += strcmp(end, "iB") == 0 ? 2 : 0;
        }
        end += strcmp(end, "B") == 0 ? 1 : 0;
    }
    *to = number;
    return !*end && number >= row->least && number <= row->most;
}

static bool parse(int setting, const char *given, struct sta__wishes *to)
{
    char *text = g_strstrip(g_strdup(given));
    bool understood = rows[setting].kind == CHOICE ? parse_choice(&rows[setting], text, &to->value[setting])
                                                   : parse_number(&rows[setting], text, &to->value[setting]);

    g_free(text);
    to->given[setting] = understood;
    return understood;
}

/* ---- the three places ---- */

static char *key_of(int setting)
{
    return g_ascii_strdown(rows[setting].variable + strlen("STA_"), -1);
}

static char *file_text(GKeyFile *file, int setting)
{
    char *key = key_of(setting);
    char *text = g_key_file_get_string(file, GROUP, key, NULL);

    g_free(key);
    return text;
}

/* No file is no error; one that cannot be read as settings is. */
static GKeyFile *open_file(char *text, size_t bytes, bool *wrong)
{
    char *path = g_build_filename(g_get_user_config_dir(), "starray", "settings.ini", NULL);
    GKeyFile *file = g_key_file_new();
    GError *error = NULL;

    if (!g_key_file_load_from_file(file, path, G_KEY_FILE_NONE, &error)) {
        *wrong = !g_error_matches(error, G_FILE_ERROR, G_FILE_ERROR_NOENT) &&
                 !g_error_matches(error, G_FILE_ERROR, G_FILE_ERROR_NOTDIR);
        if (*wrong)
            snprintf(text, bytes, "%s: %s", path, error->message);
        g_error_free(error);
        g_key_file_free(file);
        file = NULL;
    }
    g_free(path);
    return file;
}

static bool is_key(const char *text)
{
    bool found = false;

    for (int setting = 0; setting < STA__SETTINGS && !found; setting++) {
        char *key = key_of(setting);

        found = strcmp(text, key) == 0;
        g_free(key);
    }
    return found;
}

/* "devices, cpu, .. or log" */
static GString *all_keys(void)
{
    GString *all = g_string_new(NULL);

    for (int setting = 0; setting < STA__SETTINGS; setting++) {
        char *key = key_of(setting);

        g_string_append_printf(all, "%s%s", setting == 0 ? "" : setting == STA__SETTINGS - 1 ? " or " : ", ", key);
        g_free(key);
    }
    return all;
}

void sta__settings_warn(void)
{
    char text[200];
    bool wrong = false;
    GKeyFile *file = open_file(text, sizeof text, &wrong);
    char **groups = file ? g_key_file_get_groups(file, NULL) : NULL;
    char **keys = file ? g_key_file_get_keys(file, GROUP, NULL, NULL) : NULL;
    GString *all = all_keys();

    for (char **group = groups; group && *group; group++)
        if (strcmp(*group, GROUP) != 0)
            sta__log(1, "a group in settings.ini is \"%.40s\", but it must be " GROUP, *group);
    for (char **key = keys; key && *key; key++)
        if (!is_key(*key))
            sta__log(1, "a key in settings.ini is \"%.40s\", but it must be %s", *key, all->str);
    g_string_free(all, TRUE);
    g_strfreev(groups);
    g_strfreev(keys);
    if (file)
        g_key_file_free(file);
}

static bool read_setting(int setting, GKeyFile *file, struct sta__wishes *to, char *text, size_t bytes)
{
    const char *from = "the environment", *given = g_getenv(rows[setting].variable);
    enum sta__origin origin = STA__FROM_ENVIRONMENT;
    char *copy = NULL;
    bool fine = true;

    if ((!given || !*given) && file) {
        from = "settings.ini";
        origin = STA__FROM_FILE;
        given = copy = file_text(file, setting);
    }
    if (given && *given)
        fine = parse(setting, given, to);
    if (given && *given && fine)
        to->origin[setting] = origin;
    if (!fine)
        snprintf(text, bytes, "%s in %s is \"%.40s\", but it must be %s", rows[setting].variable, from, given,
                 rows[setting].allowed);
    g_free(copy);
    return fine;
}

#define HAS(options, member)                                                                                           \
    ((options)->size >= offsetof(sta_init_options, member) + sizeof(options)->member && (options)->member)

static bool read_word(const char *member, int setting, const char *given, struct sta__wishes *to, char *text,
                      size_t bytes)
{
    to->origin[setting] = STA__FROM_OPTIONS;
    if (parse(setting, given, to))
        return true;
    snprintf(text, bytes, "sta_init_options.%s is \"%.40s\", but it must be %s", member, given, rows[setting].allowed);
    return false;
}

/* An option that is given hides what the environment says, right or wrong. */
static bool read_options(const sta_init_options *options, struct sta__wishes *to, char *text, size_t bytes)
{
    const struct {
        const char *member;
        bool given;
        int64_t value;
        int setting;
    } numbers[] = {
        {"tile_elements", HAS(options, tile_elements), options->tile_elements, STA__SET_TILE_ELEMS},
        {"inline_bytes", HAS(options, inline_bytes), options->inline_bytes == -1 ? 0 : options->inline_bytes,
         STA__SET_INLINE_BYTES},
        {"budget_bytes", HAS(options, budget_bytes), options->budget_bytes, STA__SET_BUDGET},
    };

    if (HAS(options, devices) && !read_word("devices", STA__SET_DEVICES, options->devices, to, text, bytes))
        return false;
    if (HAS(options, cpu) && !read_word("cpu", STA__SET_CPU, options->cpu, to, text, bytes))
        return false;
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        const struct row *row = &rows[numbers[k].setting];

        if (!numbers[k].given)
            continue;
        if (numbers[k].value < row->least || numbers[k].value > row->most) {
            snprintf(text, bytes, "sta_init_options.%s is %lld, but it must be %s", numbers[k].member,
                     (long long)numbers[k].value, row->allowed);
            return false;
        }
        to->value[numbers[k].setting] = numbers[k].value;
        to->given[numbers[k].setting] = true;
        to->origin[numbers[k].setting] = STA__FROM_OPTIONS;
    }
    return true;
}

bool sta__wishes_read(const sta_init_options *options, struct sta__wishes *to, char *text, size_t bytes)
{
    bool wrong = false;
    GKeyFile *file;

    *to = (struct sta__wishes){.origin = {STA__FROM_DEFAULT}};
    if (g_getenv("STA_MPI"))
        parse(STA__SET_MPI, g_getenv("STA_MPI"), to); /* known even where the rest is wrong: others may wait */
    if (options && options->size < sizeof options->size) {
        snprintf(text, bytes, "sta_init_options.size is %zu, but it must be sizeof(sta_init_options)", options->size);
        return false;
    }
    if (options && !read_options(options, to, text, bytes))
        return false;
    file = open_file(text, bytes, &wrong);
    for (int setting = 0; setting < STA__SETTINGS && !wrong; setting++)
        wrong = !to->given[setting] && !read_setting(setting, file, to, text, bytes);
    if (file)
        g_key_file_free(file);
    return !wrong;
}
