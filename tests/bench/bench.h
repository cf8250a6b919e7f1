/* What the benchmark programs share: options, data, measuring, peak memory. A program has a table of cases and ends with
 *
 *      int main(int argc, char **argv) { return bench_main(argc, argv, &program); }
 *
 *  program [--case NAME] [--size 1000x10] [--dtype float64] [--repeat 7]   a JSON line for each measurement
 *  program --serve ...      measures when told to on standard input, for a fair comparison with others:
 *      run CASE             {"seconds": of one call}
 *      peak CASE            {"peak_bytes": anonymous resident memory above that after sta_init}
 *      save CASE PREFIX     the results of the last run as PREFIX.0.npy, PREFIX.1.npy: {"saved": how many, "updates"}
 */
#ifndef STARRAY_BENCH_H
#define STARRAY_BENCH_H

#include "data.h"

#include <errno.h>
#include <getopt.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BENCH_RESULTS 2

struct bench {
    sta_dims shape;
    sta_dtype dtype;
    int64_t calls;                   /* of the operation in one measurement; a case that is a loop obeys it */
    int64_t updates;                 /* of an input in place so far: those who check must know */
    sta_array input[4];              /* made by prepare */
    void *buffer;                    /* the program's own */
    sta_array result[BENCH_RESULTS]; /* set by a case; alive until the next measurement */
};

/* Does the work and waits for it; NULL or the error. */
typedef const sta_error *bench_run(struct bench *bench);

struct bench_case {
    const char *name;
    bench_run *run;
};

struct bench_program {
    const char *size; /* if not given, as dtype */
    sta_dtype dtype;
    const sta_error *(*prepare)(struct bench *bench); /* makes the inputs */
    bool short_calls;                                 /* a measurement is a loop of calls that takes long enough */
    const struct bench_case *cases;
    int count;
};

/* ---- measuring ---- */

static inline double bench_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Seconds of one call; less than 0 where it failed, and then said so. */
static inline double bench_measure(struct bench *bench, const struct bench_case *which)
{
    double start = bench_now(), took;
    const sta_error *error = which->run(bench);

    took = bench_now() - start;
    if (!error)
        return took / (double)bench->calls;
    printf("{\"case\": \"%s\", \"error\": \"%s: %s\"}\n", which->name, error->op, error->text);
    return -1;
}

static inline int64_t bench_resident(void)
{
    char line[200];
    long long kib = 0;
    FILE *file = fopen("/proc/self/status", "r");

    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "RssAnon: %lld", &kib) == 1)
            break;
    if (file)
        fclose(file);
    return kib * 1024;
}

struct bench_sampler {
    atomic_bool stop;
    int64_t peak;
};

static inline void *bench_sample(void *argument)
{
    struct bench_sampler *sampler = argument;
    const struct timespec pause = {0, 500000};

    do {
        int64_t now = bench_resident();
        sampler->peak = now > sampler->peak ? now : sampler->peak;
        nanosleep(&pause, NULL);
    } while (!atomic_load(&sampler->stop));
    return NULL;
}

/* Not together with the time: reading the kernel's figures costs some. */
static inline int64_t bench_peak(struct bench *bench, const struct bench_case *which)
{
    struct bench_sampler sampler = {0};
    pthread_t thread;
    bool failed;

    if (pthread_create(&thread, NULL, bench_sample, &sampler))
        return -1;
    failed = bench_measure(bench, which) < 0;
    atomic_store(&sampler.stop, true);
    pthread_join(thread, NULL);
    return failed ? -1 : sampler.peak;
}

/* So many calls that a measurement takes 20 ms. */
static inline void bench_settle(struct bench *bench, const struct bench_program *program,
                                const struct bench_case *which)
{
    double least = 0.02;

    bench->calls = 1;
    for (int turn = 0; program->short_calls && turn < 5; turn++) {
        sta_scope scope = sta_open();
        double seconds = bench_measure(bench, which);
        sta_close(scope);
        if (seconds <= 0)
            return;
        least = seconds < least ? seconds : least;
        bench->calls = (int64_t)(0.02 / least);
    }
}

/* ---- the program ---- */

static inline void bench_print(struct bench *bench, const struct bench_case *which)
{
    double seconds = bench_measure(bench, which);
    if (seconds >= 0)
        printf("{\"case\": \"%s\", \"seconds\": %.9g, \"calls\": %lld}\n", which->name, seconds,
               (long long)bench->calls);
}

static inline void bench_save(struct bench *bench, const struct bench_case *which, const char *prefix)
{
    char path[1100];
    const sta_error *error = NULL;
    int count = 0;

    while (!error && count < BENCH_RESULTS && bench->result[count].id) {
        snprintf(path, sizeof path, "%s.%d.npy", prefix, count);
        error = sta_save(path, bench->result[count++]);
    }
    if (error)
        printf("{\"case\": \"%s\", \"error\": \"%s: %s\"}\n", which->name, error->op, error->text);
    else
        printf("{\"case\": \"%s\", \"saved\": %d, \"updates\": %lld}\n", which->name, count, (long long)bench->updates);
}

static inline const struct bench_case *bench_find(const struct bench_program *program, const char *name)
{
    for (int k = 0; k < program->count; k++)
        if (strcmp(program->cases[k].name, name) == 0)
            return &program->cases[k];
    return NULL;
}

static inline void bench_serve(struct bench *bench, const struct bench_program *program, int64_t before)
{
    char line[1300], verb[8], name[64], prefix[1000];
    const struct bench_case *which, *settled = NULL;
    sta_scope scope = sta_open();

    printf("{\"ready\": true}\n");
    fflush(stdout);
    while (fgets(line, sizeof line, stdin)) {
        int words = sscanf(line, "%7s %63s %999s", verb, name, prefix);
        if (words < 1 || strcmp(verb, "quit") == 0)
            break;
        which = words < 2 ? NULL : bench_find(program, name);
        if (which && strcmp(verb, "save") == 0) {
            bench_save(bench, which, words == 3 ? prefix : "result");
        } else if (which) {
            sta_close(scope);
            if (which != settled)
                bench_settle(bench, program, settled = which);
            scope = sta_open();
            memset(bench->result, 0, sizeof bench->result);
            if (strcmp(verb, "peak") != 0)
                bench_print(bench, which);
            else
                printf("{\"case\": \"%s\", \"peak_bytes\": %lld}\n", name,
                       (long long)(bench_peak(bench, which) - before));
        } else {
            printf("{\"case\": \"%s\", \"error\": \"there is no such case\"}\n", words < 2 ? "" : name);
        }
        fflush(stdout);
    }
    sta_close(scope);
}

static inline void bench_all(struct bench *bench, const struct bench_program *program, const char *name, int repeat)
{
    for (int k = 0; k < program->count; k++) {
        const struct bench_case *which = &program->cases[k];
        if (name && strcmp(name, which->name) != 0)
            continue;
        bench_settle(bench, program, which);
        for (int turn = -1; turn < repeat; turn++) {
            sta_scope scope = sta_open();
            memset(bench->result, 0, sizeof bench->result);
            if (turn >= 0)
                bench_print(bench, which);
            else
                bench_measure(bench, which);
            sta_close(scope);
        }
    }
}

static inline bool bench_parse_shape(const char *text, sta_dims *shape)
{
    char *end = NULL;

    shape->count = 0;
    do {
        errno = 0;
        shape->at[shape->count++] = strtoll(text, &end, 10);
        if (errno || end == text || shape->count == STA_MAXDIM)
            return false;
        text = end + 1;
    } while (*end == 'x');
    return !*end;
}

/* A dtype by its name; NONE: there is none of that name. */
static inline sta_dtype bench_dtype(const char *name)
{
    for (int dtype = STA_bool; dtype <= STA_complex128; dtype++)
        if (strcmp(sta_dtype_name((sta_dtype)dtype), name) == 0)
            return (sta_dtype)dtype;
    return STA_DTYPE_NONE;
}

struct bench_options {
    const char *name, *size;
    int repeat;
    bool serve;
};

static inline bool bench_parse(int argc, char **argv, struct bench *bench, struct bench_options *options)
{
    static const struct option names[] = {
        {"case", required_argument, NULL, 'c'},  {"size", required_argument, NULL, 's'},
        {"dtype", required_argument, NULL, 'd'}, {"repeat", required_argument, NULL, 'r'},
        {"serve", no_argument, NULL, 'S'},       {NULL, 0, NULL, 0}};
    int key;

    while ((key = getopt_long(argc, argv, "", names, NULL)) >= 0) {
        if (key == 'c')
            options->name = optarg;
        else if (key == 's')
            options->size = optarg;
        else if (key == 'd')
            bench->dtype = bench_dtype(optarg);
        else if (key == 'r')
            options->repeat = atoi(optarg);
        else if (key == 'S')
            options->serve = true;
        else
            return false;
    }
    return optind == argc && bench->dtype && bench_parse_shape(options->size, &bench->shape);
}

static inline int bench_main(int argc, char **argv, const struct bench_program *program)
{
    struct bench bench = {.dtype = program->dtype, .calls = 1};
    struct bench_options options = {NULL, program->size, 7, false};
    const sta_error *error;
    int64_t before;

    if (!bench_parse(argc, argv, &bench, &options)) {
        fprintf(stderr, "usage: %s [--case NAME] [--size 1000x10] [--dtype float64] [--repeat N] [--serve]\n", argv[0]);
        return 2;
    }
    error = sta_init(NULL);
    before = bench_resident();
    if (!error)
        error = program->prepare(&bench);
    if (error) {
        fprintf(stderr, "%s: %s: %s\n", argv[0], error->op, error->text);
        return EXIT_FAILURE;
    }
    if (options.serve)
        bench_serve(&bench, program, before);
    else
        bench_all(&bench, program, options.name, options.repeat);
    sta_finish();
    free(bench.buffer);
    return EXIT_SUCCESS;
}

#endif
