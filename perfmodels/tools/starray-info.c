/* starray-info: what the library finds on this machine, and what is missing. links: glib-2.0 starpu */
#include "starray-info/info.h"
#include "written.h"

#include "cuda.h"
#include "runtime.h"

#include <stdlib.h>

static gboolean as_json, show_version, name_models;
static const GOptionEntry entries[] = {
    {"json", 'j', 0, G_OPTION_ARG_NONE, &as_json, "Print JSON instead of text", NULL},
    {"models", 'm', 0, G_OPTION_ARG_NONE, &name_models, "Name every performance model", NULL},
    {"version", 'V', 0, G_OPTION_ARG_NONE, &show_version, "Print the version and exit", NULL},
    G_OPTION_ENTRY_NULL,
};
static const char summary[] =
    "Shows what starray finds on this machine: processors and GPUs, StarPU and its limits, workers,\n"
    "performance models, settings and where each comes from, and what is missing.";
static const char description[] =
    "Examples:\n"
    "  starray-info                      everything\n"
    "  STA_DEVICES=cpu starray-info      as a program with this setting would see it\n"
    "  starray-info --json | jq .workers for a script\n\n"
    "Exit status: 0; 1 where the library does not start or the output cannot be written (the message says why);\n"
    "2 for a wrong option.\n";

static int parse(int argc, char **argv)
{
    GError *error = NULL;
    GOptionContext *context = g_option_context_new(NULL);
    g_option_context_add_main_entries(context, entries, NULL);
    g_option_context_set_summary(context, summary);
    g_option_context_set_description(context, description);
    bool fine = g_option_context_parse(context, &argc, &argv, &error) && argc == 1;
    g_option_context_free(context);
    if (!fine)
        g_printerr("starray-info: %s\n", error ? error->message : "there are no arguments, only options");
    g_clear_error(&error);
    return fine ? 0 : 2;
}

int main(int argc, char **argv)
{
    struct sta__wishes wishes;
    char text[200];
    if (parse(argc, argv))
        return 2;
    if (show_version) {
        g_print("starray %d.%d.%d\n", STA_VERSION_MAJOR, STA_VERSION_MINOR, STA_VERSION_PATCH);
        return written("starray-info", 0);
    }
    setenv("STARPU_SILENT", "1", 0);
    const sta_error *error = sta_init(NULL);
    if (error) {
        g_printerr("starray-info: the library does not start: %s\n", error->text);
        return 1;
    }
    sta__wishes_read(NULL, &wishes, text, sizeof text);
    struct info info = {.json = as_json, .first = true, .models = name_models};
    info_open(&info);
    info_machine(&info);
    info_starpu(&info);
    info_workers(&info);
    info_models(&info);
    info_settings(&info, &wishes);
    info_advice(&info);
    info_close(&info);
    sta_finish();
    return written("starray-info", 0);
}
