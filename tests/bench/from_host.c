/* sum(sin(x) + cos(x)) of doubles that lie in host memory when the time begins: what is gained where CPUs and GPUs share
 * the work, each on the tiles that it gets? One line for each repetition, then the median.
 *
 *      from_host [elements [repetitions]]                       all workers; with STARPU_SCHED=dmdas by their models
 *      STARPU_NCPU=0 from_host; STARPU_NCUDA=0 from_host        one kind alone
 */
#include <starray/starray.h>

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOST = 50 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double *make(int64_t n)
{
    double *data = malloc((size_t)n * sizeof *data);
    for (int64_t i = 0; data && i < n; i++)
        data[i] = (double)(i % 4096) / 512;
    return data;
}

/* The sum of one period, by the C library, times the number of periods. */
static double expected(const double *data, int64_t n)
{
    double sum = 0, rest = 0;
    for (int64_t i = 0; i < 4096; i++) {
        const double term = sin(data[i]) + cos(data[i]);
        sum += term;
        rest += i < n % 4096 ? term : 0;
    }
    return sum * (double)(n / 4096) + rest;
}

/* Seconds; negative where the value is wrong or an error happened. The array is a copy in tiles, made before. */
static double measure(double *data, int64_t n, double want)
{
    double value = 0, seconds = 0;
    sta_scope scope = sta_open();
    sta_array x = sta_from_buffer(data, STA_float64, STA_DIMS(n), NULL, STA_COPY, NULL, NULL);
    const sta_error *error = sta_wait(x);
    if (!error) {
        const double start = now();
        error = sta_item_float(sta_sum(sta_add(sta_sin(x), sta_cos(x)), STA_ALL, 0), &value);
        seconds = now() - start;
    }
    const bool good = !error && fabs(value - want) <= 1e-9 * (double)n;
    if (!good)
        fprintf(stderr, "%s: %.17g, expected %.17g\n", error ? error->text : "the sum is wrong", value, want);
    sta_close(scope);
    return good ? seconds : -1;
}

int main(int argc, char **argv)
{
    const int64_t n = argc > 1 ? atoll(argv[1]) : 1000000000;
    const int repetitions = argc > 2 ? atoi(argv[2]) : 5;
    double seconds[MOST], *data = make(n < 4096 ? 0 : n);
    if (!data || repetitions < 1 || repetitions > MOST || sta_init(NULL)) {
        fprintf(stderr, "usage: %s [elements, 4096 and more [repetitions, 1 to %d]]\n", argv[0], MOST);
        return 2;
    }
    const double want = expected(data, n);
    for (int k = -1; k < repetitions; k++) { /* the first one makes plans, kernels and models */
        const double took = measure(data, n, want);
        if (took < 0)
            return 1;
        printf("%s %.2f ms  %.1f GB/s\n", k < 0 ? "warm-up" : "       ", took * 1e3, (double)n * 8e-9 / took);
        if (k >= 0)
            seconds[k] = took;
    }
    qsort(seconds, (size_t)repetitions, sizeof *seconds, by_value);
    printf("median  %.2f ms\n", seconds[repetitions / 2] * 1e3);
    free(data);
    sta_finish();
    return 0;
}
