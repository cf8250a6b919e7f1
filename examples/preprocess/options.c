/* The command line, by GLib. */
#include "preprocess.h"

#include <glib.h>
#include <stdio.h>

static const char summary[] =
    "Standardises the columns of X, clips them to [-3, 3], multiplies by W, transforms the rows (FFT), and counts the\n"
    "magnitudes of the spectrum in a histogram.";
static const char description[] =
    "X is a .npy file of shape (rows, columns), float32 or float64; W one of shape (columns, any). Without them "
    "samples\n"
    "and a random, nearly orthogonal W are made up, the same ones every time.\n"
    "Exit status: 0 done, 1 a file or the computation failed, 2 the command line is wrong.";

static bool refuse(int *code, const char *text)
{
    fprintf(stderr, "preprocess: %s\nTry preprocess --help.\n", text);
    *code = 2;
    return false;
}

static bool check(const struct options *options, int *code)
{
    if (options->bins < 1 || options->bins > 1000000)
        return refuse(code, "--bins must be 1 to 1000000");
    if (options->repeat < 1)
        return refuse(code, "--repeat must be at least 1");
    return true;
}

bool options_read(int argc, char **argv, struct options *to, int *code)
{
    gboolean profile = FALSE;
    GOptionEntry entries[] = {
        {"input", 'i', 0, G_OPTION_ARG_FILENAME, &to->input, "The samples (default: made up)", "X.npy"},
        {"weights", 'w', 0, G_OPTION_ARG_FILENAME, &to->weights, "The matrix (default: made up)", "W.npy"},
        {"bins", 'b', 0, G_OPTION_ARG_INT, &to->bins, "Bins of the histogram (default: 64)", "N"},
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &to->output, "Write DIR/counts.npy and DIR/edges.npy", "DIR"},
        {"svg", 's', 0, G_OPTION_ARG_FILENAME, &to->svg, "Write a picture of the histogram", "FILE"},
        {"repeat", 'r', 0, G_OPTION_ARG_INT, &to->repeat, "Do all of it N times, for the time (default: 1)", "N"},
        {"profile", 'p', 0, G_OPTION_ARG_NONE, &profile,
         "Show where the time goes, in one more run that waits after each stage", NULL},
        {NULL, 0, 0, G_OPTION_ARG_NONE, NULL, NULL, NULL},
    };
    GOptionContext *context = g_option_context_new(NULL);
    GError *error = NULL;
    bool fine = true;

    *to = (struct options){.bins = 64, .repeat = 1};
    g_option_context_set_summary(context, summary);
    g_option_context_set_description(context, description);
    g_option_context_add_main_entries(context, entries, NULL);
    if (!g_option_context_parse(context, &argc, &argv, &error)) {
        fine = refuse(code, error->message);
        g_error_free(error);
    } else if (argc > 1) {
        fine = refuse(code, "files are named by options: --input X.npy");
    }
    g_option_context_free(context);
    to->profile = profile;
    return fine && check(to, code);
}

void options_end(struct options *options)
{
    g_free(options->input);
    g_free(options->weights);
    g_free(options->output);
    g_free(options->svg);
}
