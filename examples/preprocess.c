/* The main job of many data sets: standardise the columns of X, clip them, multiply by W, transform the rows, and count
 * the magnitudes. Options, drawing and samples are in preprocess/.
 * links: glib-2.0   ctest: omp sanitize -- --profile --svg histogram.svg --output . */
#include "preprocess/preprocess.h"

#include <errno.h>
#include <glib.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum stage { LOAD, MOMENTS, STANDARDISE, MATMUL, FFT, ABSOLUTE, HISTOGRAM, STAGES };
static const char *const stage_names[STAGES] = {"load", "mean, std", "standardise, clip", "matmul",
                                                "fft",  "absolute",  "histogram"};

struct run {
    const struct options *options;
    bool waits;                        /* for each stage */
    double start, last, stage[STAGES]; /* seconds */
    sta_array x, w;                    /* made up; zero: from files */
    char shape[80];
    double bytes; /* of X */
};

static double now(void)
{
    return (double)g_get_monotonic_time() * 1e-6;
}

static bool complain(const char *what, const sta_error *error)
{
    if (error)
        fprintf(stderr, "preprocess: %s: %s: %s\n", what, error->op, error->text);
    return !error;
}

/* As a rule nothing is waited for: stages overlap, and abs is computed on the way into the histogram. For --profile each
 * stage is waited for, in a run of its own. */
static sta_array stage(struct run *run, enum stage which, sta_array x)
{
    if (!run->waits)
        return x;
    sta_wait(x); /* an error stays in x */
    run->stage[which] += now() - run->last;
    run->last = now();
    return x;
}

/* False: X is not what the pipeline takes. */
static bool check(struct run *run, sta_array x)
{
    const char *name = run->options->input ? run->options->input : "samples";
    sta_dtype dtype = sta_dtype_of(x);
    sta_dims shape = sta_shape(x);

    if (!complain(name, sta_check(x)))
        return false;
    if (shape.count != 2 || (dtype != STA_float32 && dtype != STA_float64)) {
        fprintf(stderr, "preprocess: %s has %d axes of %s, but X must be (rows, columns) of float32 or float64\n", name,
                shape.count, sta_dtype_name(dtype));
        return false;
    }
    snprintf(run->shape, sizeof run->shape, "%lld x %lld %s", (long long)shape.at[0], (long long)shape.at[1],
             sta_dtype_name(dtype));
    run->bytes = (double)sta_size(x) * (double)sta_itemsize(dtype);
    return true;
}

/* Made up once, and kept for the runs that follow. */
static sta_array weights(struct run *run, sta_array x)
{
    sta_dims shape = sta_shape(x);
    int64_t columns = shape.at[1];

    if (run->options->weights)
        return sta_load(run->options->weights);
    if (!run->w.id) {
        sta_array w = samples_normal(columns, columns, 1 / sqrt((double)columns), 2);
        run->w = sta_keep(sta_astype(w, sta_dtype_of(x)));
    }
    return run->w;
}

static sta_histogram_result pipeline(struct run *run, sta_array x, sta_array w)
{
    sta_array mean = sta_mean(x, STA_AXES(0), STA_KEEPDIMS);
    sta_array std = sta_std(x, STA_AXES(0), STA_KEEPDIMS);
    stage(run, MOMENTS, mean);
    stage(run, MOMENTS, std);
    sta_array z = sta_clip(sta_divide(sta_subtract(x, mean), std), sta_int(-3), sta_int(3));
    sta_array y = sta_matmul(sta_move(stage(run, STANDARDISE, z)), w);
    sta_array spectrum = sta_fft(sta_move(stage(run, MATMUL, y)), -1, NULL);
    sta_array magnitude = sta_absolute(sta_move(stage(run, FFT, spectrum)));
    sta_histogram_result h = sta_histogram(sta_move(stage(run, ABSOLUTE, magnitude)), run->options->bins, NULL);
    stage(run, HISTOGRAM, h.counts);
    return h;
}

/* ---- results ---- */

static bool save(const struct options *options, sta_histogram_result h)
{
    if (g_mkdir_with_parents(options->output, 0777)) {
        fprintf(stderr, "preprocess: %s: %s\n", options->output, strerror(errno));
        return false;
    }
    char *counts = g_build_filename(options->output, "counts.npy", NULL);
    char *edges = g_build_filename(options->output, "edges.npy", NULL);
    bool fine = complain(counts, sta_save(counts, h.counts)) && complain(edges, sta_save(edges, h.edges));

    g_free(counts);
    g_free(edges);
    return fine;
}

static bool show(const struct run *run, const int64_t *counts, const double *edges)
{
    char title[160];
    struct picture picture = {run->options->bins, counts, edges, title};

    snprintf(title, sizeof title, "|fft(clip((x - mean) / std) w)| of %s", run->shape);
    picture_print(&picture);
    if (!run->options->svg || picture_save(&picture, run->options->svg))
        return true;
    fprintf(stderr, "preprocess: %s: %s\n", run->options->svg, strerror(errno));
    return false;
}

static bool deliver(const struct run *run, sta_histogram_result h)
{
    size_t bins = (size_t)run->options->bins;
    int64_t *counts = calloc(bins, sizeof *counts);
    double *edges = calloc(bins + 1, sizeof *edges);
    bool fine = counts && edges && complain("reading", sta_read(h.counts, counts, bins * sizeof *counts)) &&
                complain("reading", sta_read(sta_astype(h.edges, STA_float64), edges, (bins + 1) * sizeof *edges)) &&
                show(run, counts, edges) && (!run->options->output || save(run->options, h));

    free(counts);
    free(edges);
    return fine;
}

/* ---- times ---- */

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void tell_times(const struct run *run, double *times)
{
    int repeat = run->options->repeat;

    qsort(times, (size_t)repeat, sizeof *times, ascending);
    printf("\n%s (%.1f MB): %.3f s, %.2f GB/s of X", run->shape, run->bytes * 1e-6, times[repeat / 2],
           run->bytes * 1e-9 / times[repeat / 2]);
    printf(repeat > 1 ? " (median of %d runs, the best %.3f s)\n" : "\n", repeat, times[0]);
}

static void tell_stages(const struct run *run)
{
    double sum = 0;

    printf("\nOnce more, each stage waited for:\n");
    for (int s = 0; s < STAGES; s++)
        sum += run->stage[s];
    for (int s = 0; s < STAGES; s++)
        printf("  %-18s %9.2f ms %5.1f %%\n", stage_names[s], run->stage[s] * 1e3, 100 * run->stage[s] / sum);
}

/* All of it once, from the file to the histogram; the last run shows what came out. */
static bool run_once(struct run *run, double *time, bool last)
{
    sta_scope scope = sta_open();
    run->start = run->last = now();
    sta_array x = run->options->input ? sta_load(run->options->input) : run->x;
    bool fine = check(run, stage(run, LOAD, x));

    if (fine) {
        sta_array w = stage(run, LOAD, weights(run, x));
        sta_histogram_result h = pipeline(run, x, w);
        fine = complain("the pipeline", sta_wait(h.counts));
        *time = now() - run->start;
        fine = fine && (!last || deliver(run, h));
    }
    sta_close(scope);
    return fine;
}

int main(int argc, char **argv)
{
    struct options options;
    struct run run = {.options = &options};
    int code = 0;

    setlocale(LC_CTYPE, "");
    if (options_read(argc, argv, &options, &code)) {
        double *times = g_new0(double, options.repeat);
        const sta_error *error = sta_init(NULL);
        bool fine = complain("starting", error);

        if (fine && !options.input)
            run.x = samples_normal(20000, 64, 1, 1);
        for (int k = 0; k < options.repeat && fine; k++)
            fine = run_once(&run, &times[k], k == options.repeat - 1);
        if (fine)
            tell_times(&run, times);
        run.waits = true;
        if (fine && options.profile && run_once(&run, &times[0], false))
            tell_stages(&run);
        if (!error)
            sta_finish();
        g_free(times);
        code = fine ? 0 : 1;
    }
    options_end(&options);
    return code;
}
