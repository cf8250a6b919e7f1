/* Element-wise work on a GPU: each row against the bytes it must move at the speed of a device copy in the same run, and, where
 * there is one, against a kernel written by hand. One GPU; arrays are there before the time begins.
 *
 *      STARPU_NCPU=0 cuda_elementwise [row...]
 */
#include "cuda_compile.h"
#include "cuda_worker.h"
#include "device_copy.h"

#include <starray/starray.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- without the library ---- */

/* A kernel `k(const float *S, const float *K, const float *T, float *call, float *put, long n)` by hand. */
static double by_hand(const char *text, const char *arch, long n, int inputs)
{
    char log[500];
    size_t bytes;
    cudaLibrary_t library;
    cudaKernel_t kernel;
    cudaEvent_t begin, end;
    float best = 1e30F, took, *memory[5] = {NULL};
    void *code = sta__cuda_compile(text, arch, &bytes, log, sizeof log);
    if (!code) {
        fprintf(stderr, "by hand: %s\n", log);
        exit(EXIT_FAILURE);
    }
    check(cudaLibraryLoadData(&library, code, NULL, NULL, 0, NULL, NULL, 0), "loading");
    check(cudaLibraryGetKernel(&kernel, library, "k"), "the kernel");
    for (int i = 0; i < 5; i++)
        if (i < inputs || i >= 3) {
            check(cudaMalloc((void **)&memory[i], sizeof(float) * (size_t)n), "memory");
            cudaMemset(memory[i], 0x3f, sizeof(float) * (size_t)n);
        }
    void *arguments[] = {&memory[0], &memory[1], &memory[2], &memory[3], &memory[4], &n};
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    for (int turn = 0; turn < 8; turn++) {
        cudaEventRecord(begin, NULL);
        check(cudaLaunchKernel(kernel, (dim3){(unsigned)((n / 4 + 255) / 256), 1, 1}, (dim3){256, 1, 1}, arguments, 0,
                               NULL),
              "launching");
        cudaEventRecord(end, NULL);
        cudaEventSynchronize(end);
        cudaEventElapsedTime(&took, begin, end);
        best = took < best ? took : best;
    }
    for (int i = 0; i < 5; i++)
        cudaFree(memory[i]);
    sta__release(code);
    return (double)best;
}

#define BY_HAND(K, T, LOADS)                                                                                           \
    "static __device__ void one(float S, float K, float T, float &call, float &put) {\n"                               \
    "  const float v = 0.2f, r = 0.05f, w = v * sqrtf(T), d = (logf(S / K) + (r + v * v / 2) * T) / w, e = d - w;\n"   \
    "  const float k = K * expf(-r * T), h = 0.70710678f;\n"                                                           \
    "  const float a = 0.5f * (1 + erff(d * h)), b = 0.5f * (1 + erff(e * h));\n"                                      \
    "  call = S * a - k * b; put = S * a - (k * b + (S - k)); }\n"                                                     \
    "extern \"C\" __global__ void k(const float4 *s, const float4 *x, const float4 *t, float4 *call, float4 *put, "    \
    "long n) {\n  long i = blockIdx.x * 256L + threadIdx.x; if (i >= n / 4) return;\n"                                 \
    "  float4 S = s[i], c, p; " LOADS "\n"                                                                             \
    "  one(S.x, " K(x) ", " T(x) ", c.x, p.x); one(S.y, " K(y) ", " T(                                                 \
        y) ", c.y, p.y);\n"                                                                                            \
           "  one(S.z, " K(z) ", " T(z) ", c.z, p.z); one(S.w, " K(w) ", " T(w) ", c.w, p.w);\n"                       \
                                                                                "  call[i] = c; put[i] = p; }\n"
#define FIXED_K(part) "100.0f"
#define FIXED_T(part) "0.5f"
#define READ_K(part) "K." #part
#define READ_T(part) "T." #part
static const char hand_one[] = BY_HAND(FIXED_K, FIXED_T, "");
static const char hand_three[] = BY_HAND(READ_K, READ_T, "float4 K = x[i], T = t[i];");

/* ---- rows ---- */

static sta_array x[4];
static int64_t n;

static sta_array numbers(sta_dims shape, sta_dtype dtype, double from, double to)
{
    int64_t size = 1;
    for (int a = 0; a < shape.count; a++)
        size *= shape.at[a];
    sta_array line = sta_linspace(from, to, size, dtype);
    return shape.count == 1 ? line : sta_add(sta_zeros(shape, dtype), sta_float(0.5 * (from + to)));
}

static sta_array clip(void)
{
    return sta_clip(sta_divide(sta_subtract(x[0], x[1]), x[2]), sta_float(-3), sta_float(3));
}

static sta_array axpby(void)
{
    return sta_add(sta_multiply(sta_float(2), x[0]), sta_multiply(sta_float(3), x[1]));
}

static sta_array normal(sta_array d)
{
    return sta_multiply(sta_float(0.5), sta_add(sta_float(1), sta_erf(sta_multiply(d, sta_float(0.70710678)))));
}

/* Two results in one pass: they share an operand. */
static sta_array both(sta_array d, sta_array w, sta_array k)
{
    sta_array a = normal(d), b = normal(sta_subtract(d, w));
    sta_array now = sta_multiply(x[0], a), later = sta_multiply(k, b);
    sta_array call = sta_subtract(now, later), put = sta_subtract(now, sta_add(later, sta_subtract(x[0], k)));
    sta_eval(call);
    return put;
}

static sta_array options_one(void)
{
    double w = 0.2 * sqrt(0.5), k = 100 * exp(-0.05 * 0.5);
    sta_array d = sta_divide(sta_add(sta_log(sta_divide(x[0], sta_float(100))), sta_float(0.07 * 0.5)), sta_float(w));
    return both(d, sta_float(w), sta_float(k));
}

static sta_array options_three(void)
{
    sta_array w = sta_multiply(sta_float(0.2), sta_sqrt(x[2]));
    sta_array d = sta_divide(sta_add(sta_log(sta_divide(x[0], x[1])), sta_multiply(sta_float(0.07), x[2])), w);
    return both(d, w, sta_multiply(x[1], sta_exp(sta_multiply(sta_float(-0.05), x[2]))));
}

static sta_array transposed(void)
{
    return sta_copy(sta_matrix_transpose(x[0]));
}

static sta_array plus_transposed(void)
{
    return sta_add(x[1], sta_matrix_transpose(x[0]));
}

static sta_array strided(void)
{
    return sta_add(sta_slice(x[0], "::2"), sta_slice(x[1], "1::2"));
}

static sta_array reversed(void)
{
    return sta_copy(sta_slice(x[0], "::-1"));
}

static sta_array shifted(void)
{
    return sta_add(sta_slice(x[0], "1:"), sta_slice(x[0], ":-1"));
}

static sta_array rows(void)
{
    return sta_add(x[0], x[1]);
}

static sta_array to_half(void)
{
    return sta_astype(x[0], STA_float16);
}

static sta_array compare(void)
{
    return sta_greater(x[0], sta_float(0.5));
}

static sta_array fill(void)
{
    return sta_full(STA_DIMS(n), sta_float(1.5), STA_float32);
}

static sta_array range(void)
{
    return sta_arange(0, (double)n, 1, STA_float32);
}

static sta_array sines(void)
{
    return sta_add(sta_sin(x[0]), sta_cos(x[0]));
}

static sta_array jacobi(void)
{
    sta_array u = x[0];
    for (int sweep = 0; sweep < 10; sweep++) {
        sta_scope scope = sta_open();
        sta_array sum = sta_add(sta_add(sta_slice(u, ":-2, 1:-1"), sta_slice(u, "2:, 1:-1")),
                                sta_add(sta_slice(u, "1:-1, :-2"), sta_slice(u, "1:-1, 2:")));
        sta_assign(sta_slice(u, "1:-1, 1:-1"), sta_multiply(sta_float(0.25), sum));
        sta_close(scope);
    }
    return u;
}

static sta_array chain(void)
{
    sta_array y = x[0];
    for (int k = 0; k < 5; k++)
        y = sta_multiply(sta_add(y, x[1]), sta_float(0.5));
    return y;
}

static void make_clip(void)
{
    x[0] = numbers(STA_DIMS(1 << 21, 256), STA_float32, -3, 3);
    x[1] = numbers(STA_DIMS(256), STA_float32, 0, 1);
    x[2] = numbers(STA_DIMS(256), STA_float32, 1, 2);
}

static void make_pair(void)
{
    x[0] = numbers(STA_DIMS(n), STA_float64, 0, 1);
    x[1] = numbers(STA_DIMS(n), STA_float64, 0, 1);
}

static void make_single(void)
{
    x[0] = numbers(STA_DIMS(n), STA_float32, 50, 150);
    x[1] = numbers(STA_DIMS(n), STA_float32, 90, 110);
    x[2] = numbers(STA_DIMS(n), STA_float32, 0.1, 1);
}

static void make_square(void)
{
    x[0] = numbers(STA_DIMS(16384, 16384), STA_float32, 0, 1);
    x[1] = numbers(STA_DIMS(16384, 16384), STA_float32, 0, 1);
}

static void make_column(void)
{
    x[0] = numbers(STA_DIMS(16384, 16384), STA_float32, 0, 1);
    x[1] = sta_expand_dims(numbers(STA_DIMS(16384), STA_float32, 0, 1), STA_DIMS(1));
}

static void make_grid(void)
{
    x[0] = numbers(STA_DIMS(8192, 8192), STA_float32, 0, 1);
}

static void make_small(void)
{
    x[0] = numbers(STA_DIMS(1000), STA_float32, 0, 1);
    x[1] = numbers(STA_DIMS(1000), STA_float32, 0, 1);
}

static const struct row {
    const char *name;
    void (*make)(void);
    sta_array (*run)(void);
    double bytes; /* that must move; a number below 100: an element of n */
    int together; /* runs in one measurement */
} table[] = {
    {"clip((x-a)/b) f32", make_clip, clip, 2.0 * 4 * 256 * (1 << 21), 4},
    {"2a+3b f64", make_pair, axpby, 24, 4},
    {"options, S f32", make_single, options_one, 12, 4},
    {"options, S K T f32", make_single, options_three, 20, 4},
    {"copy(x.T) f32 16384^2", make_square, transposed, 8.0 * 16384 * 16384, 4},
    {"y + x.T f32 16384^2", make_square, plus_transposed, 12.0 * 16384 * 16384, 4},
    {"x[::2]+y[1::2] f32", make_single, strided, 10, 4},
    {"x[::-1] f32", make_single, reversed, 8, 4},
    {"x[1:]+x[:-1] f32", make_single, shifted, 8, 4},
    {"x + column f32 16384^2", make_column, rows, 8.0 * 16384 * 16384, 4},
    {"f32 to f16", make_single, to_half, 6, 4},
    {"x > 0.5 f32", make_single, compare, 5, 4},
    {"full f32", make_single, fill, 4, 4},
    {"arange f32", make_single, range, 4, 4},
    {"sin(x)+cos(x) f64", make_pair, sines, 16, 4},
    {"jacobi f32 8192^2, 10", make_grid, jacobi, 10 * 8.0 * 8192 * 8192, 1},
    {"chain of 10, n = 1000", make_small, chain, 0, 200},
};

static void free_inputs(void)
{
    for (int i = 0; i < 4; i++)
        x[i] = (sta_array){0};
}

static bool fine(const struct row *row, sta_array y)
{
    const sta_error *error = sta_wait(y);
    if (error)
        printf("%-28s %s: %s\n", row->name, error->op, error->text);
    return !error;
}

static double once(const struct row *row, bool *good)
{
    sta_scope scope = sta_open();
    sta_array last = {0};
    double begin = now();
    for (int k = 0; k < row->together && *good; k++) {
        sta_array y = row->run();
        sta_eval(y);
        if (last.id && last.id != x[0].id)
            sta_free(last);
        last = y;
    }
    *good = *good && fine(row, last);
    double took = (now() - begin) / row->together;
    sta_close(scope);
    return took;
}

static void measure(const struct row *row)
{
    sta_scope scope = sta_open();
    bool good = true;
    double best = 1e30;
    row->make();
    for (int i = 0; i < 4; i++)
        if (x[i].id && !fine(row, x[i])) {
            sta_close(scope);
            return;
        }
    for (int turn = 0; turn < 7 && good; turn++) {
        double took = once(row, &good);
        best = turn && took < best ? took : best;
    }
    sta_close(scope);
    free_inputs();
    if (!good)
        return;
    double bytes = row->bytes < 100 ? row->bytes * (double)n : row->bytes, floor = bytes / copy_speed;
    printf("%-28s %8.3f ms %7.0f GB/s %6.1f %% of a copy", row->name, best, bytes / best * 1e-6, 100 * floor / best);
    if (strncmp(row->name, "options", 7) == 0) {
        char arch[16];
        const struct sta__cuda_worker *worker = NULL;
        for (int k = 0; k < sta__cuda_workers() && !worker; k++)
            worker = sta__cuda_worker(k);
        snprintf(arch, sizeof arch, "sm_%d", worker ? worker->arch : 90);
        bool three = strstr(row->name, "K T") != NULL;
        double hand = by_hand(three ? hand_three : hand_one, arch, (long)n, three ? 3 : 1);
        printf("  by hand %.3f ms: %.2f", hand, best / hand);
    }
    printf("\n");
    fflush(stdout);
}

int main(int argc, char **argv)
{
    const sta_error *error = sta_init(NULL);
    n = 100 * 1000 * 1000;
    if (error) {
        fprintf(stderr, "%s: %s\n", error->op, error->text);
        return EXIT_FAILURE;
    }
    measure_copy();
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        bool wanted = argc < 2;
        for (int i = 1; i < argc; i++)
            wanted |= strncmp(argv[i], table[k].name, strlen(argv[i])) == 0;
        if (wanted)
            measure(&table[k]);
    }
    sta_finish();
    return EXIT_SUCCESS;
}
