/* What the machine can do, which the limits of the other programs are made of: STREAM's triad, with plain stores and with
 * such that go past the caches, in bytes a second (24 an element), and products of matrices in flops a second. Best of 7.
 *  limits [MiB an array (256) [n of the matrices (2048)]]     prints one JSON line */
#include <cblas.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#if defined(__SSE2__)
#include <emmintrin.h>

static inline void store_past_caches(double *to, double first, double second)
{
    _mm_stream_pd(to, _mm_set_pd(second, first));
}
#else
static inline void store_past_caches(double *to, double first, double second)
{
    to[0] = first;
    to[1] = second;
}
#endif

static double now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void triad(double *restrict a, const double *restrict b, const double *restrict c, long count)
{
#pragma omp parallel for schedule(static)
    for (long i = 0; i < count; i++)
        a[i] = b[i] + 3.0 * c[i];
}

static void triad_past_caches(double *restrict a, const double *restrict b, const double *restrict c, long count)
{
#pragma omp parallel for schedule(static)
    for (long i = 0; i < count - 1; i += 2)
        store_past_caches(a + i, b[i] + 3.0 * c[i], b[i + 1] + 3.0 * c[i + 1]);
}

/* Zeros, whose pages lie where the threads are that use them. */
static double *allocate(long count)
{
    double *memory = aligned_alloc(64, (size_t)count * sizeof *memory);

    if (!memory) {
        fprintf(stderr, "limits: no memory\n");
        exit(EXIT_FAILURE);
    }
#pragma omp parallel for schedule(static)
    for (long i = 0; i < count; i++)
        memory[i] = 0;
    return memory;
}

static double bandwidth(void (*loop)(double *, const double *, const double *, long), double *const *array, long count)
{
    double best = 0;

    for (int turn = 0; turn < 7; turn++) {
        double start = now(), speed;
        loop(array[0], array[1], array[2], count);
        speed = 24.0 * (double)count / (now() - start);
        best = speed > best ? speed : best;
    }
    return best;
}

static double products(int single, double *const *array, int n)
{
    double best = 0;

    for (int turn = 0; turn < 7; turn++) {
        double start = now(), speed;
        if (single)
            cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, (float *)array[1], n, (float *)array[2],
                        n, 0, (float *)array[0], n);
        else
            cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, array[1], n, array[2], n, 0, array[0],
                        n);
        speed = 2.0 * n * n * n / (now() - start);
        best = speed > best ? speed : best;
    }
    return best;
}

int main(int argc, char **argv)
{
    long mebibytes = argc > 1 ? atol(argv[1]) : 256;
    int n = argc > 2 ? atoi(argv[2]) : 2048;
    long count = mebibytes > 0 ? mebibytes << 17 : 1 << 17;
    double *array[3];

    if (n < 1 || n > 46340)
        return 2;
    count = count < (long)n * n ? ((long)n * n + 7) / 8 * 8 : count;
    for (int k = 0; k < 3; k++)
        array[k] = allocate(count);
    printf("{\"triad\": %.4g, ", bandwidth(triad, array, count));
    printf("\"triad_past_caches\": %.4g, ", bandwidth(triad_past_caches, array, count));
    printf("\"gemm_float32\": %.4g, ", products(1, array, n));
    printf("\"gemm_float64\": %.4g}\n", products(0, array, n));
    for (int k = 0; k < 3; k++)
        free(array[k]);
    return 0;
}
