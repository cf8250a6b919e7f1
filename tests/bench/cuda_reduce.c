/* Reductions on a GPU: each row against the bytes it must read at the speed of a device copy in the same run. One GPU; arrays are
 * there before the time begins.
 *
 *      STARPU_NCPU=0 cuda_reduce [row...]
 */
#include "device_copy.h"

#include <starray/starray.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- rows ---- */

static sta_array x;
static int64_t n;

static sta_array line(sta_dtype dtype)
{
    return sta_linspace(-100, 100, n, dtype);
}

static void make_f64(void)
{
    x = line(STA_float64);
}
static void make_long(void)
{
    x = sta_linspace(-100, 100, 1000 * 1000 * 1000, STA_float64);
}
static void make_f32(void)
{
    x = line(STA_float32);
}
static void make_f16(void)
{
    x = line(STA_float16);
}
static void make_i8(void)
{
    x = line(STA_int8);
}
static void make_i64(void)
{
    x = line(STA_int64);
}

/* (rows, columns) of numbers that are not all the same. */
static void make_table(int64_t rows, int64_t columns, sta_dtype dtype)
{
    sta_array r = sta_expand_dims(sta_linspace(0, 1, rows, dtype), STA_DIMS(1));
    x = sta_add(r, sta_linspace(0, 3, columns, dtype));
}
static void make_tall(void)
{
    make_table(1 << 21, 256, STA_float32);
}
static void make_tall_f64(void)
{
    make_table(1 << 20, 256, STA_float64);
}
static void make_thin(void)
{
    make_table((int64_t)1 << 25, 10, STA_float32);
}
static void make_square(void)
{
    make_table(16384, 16384, STA_float32);
}

static sta_array sum(void)
{
    return sta_sum(x, STA_ALL, 0);
}
static sta_array mean(void)
{
    return sta_mean(x, STA_ALL, 0);
}
static sta_array std_all(void)
{
    return sta_std(x, STA_ALL, 0);
}
static sta_array maximum(void)
{
    return sta_max(x, STA_ALL, 0);
}
static sta_array argmax(void)
{
    return sta_argmax(x, STA_ALL, 0);
}
static sta_array any(void)
{
    return sta_any(sta_greater(x, sta_float(1000)), STA_ALL, 0);
}
static sta_array sines(void)
{
    return sta_sum(sta_add(sta_sin(x), sta_cos(x)), STA_ALL, 0);
}
static sta_array norm(void)
{
    return sta_sum(sta_multiply(x, x), STA_ALL, 0);
}
static sta_array columns(void)
{
    return sta_sum(x, STA_DIMS(0), 0);
}
static sta_array columns_max(void)
{
    return sta_max(x, STA_DIMS(0), 0);
}
static sta_array columns_both(void)
{
    sta_array m = sta_mean(x, STA_DIMS(0), 0), s = sta_std(x, STA_DIMS(0), 0);
    return sta_add(m, s);
}
static sta_array rows(void)
{
    return sta_sum(x, STA_DIMS(1), 0);
}
static sta_array rows_argmax(void)
{
    return sta_argmax(x, STA_DIMS(1), 0);
}
static sta_array rows_std(void)
{
    return sta_std(x, STA_DIMS(1), 0);
}

static const double table_bytes = 4.0 * 256 * (1 << 21);
static const struct row {
    const char *name;
    void (*make)(void);
    sta_array (*run)(void);
    double bytes; /* that must be read; a number below 100: an element of n */
} table[] = {
    {"sum f64", make_f64, sum, 8},
    {"sum f64, 1e9", make_long, sum, 8e9},
    {"sum(sin+cos) f64", make_f64, sines, 8},
    {"sum(x*x) f64", make_f64, norm, 8},
    {"argmax f64", make_f64, argmax, 8},
    {"std f64", make_f64, std_all, 8},
    {"sum f32", make_f32, sum, 4},
    {"max f32", make_f32, maximum, 4},
    {"any(x > 1000) f32", make_f32, any, 4},
    {"std f32", make_f32, std_all, 4},
    {"mean f16", make_f16, mean, 2},
    {"sum i8", make_i8, sum, 1},
    {"max i8", make_i8, maximum, 1},
    {"sum i64", make_i64, sum, 8},
    {"columns: sum (2^21, 256)", make_tall, columns, table_bytes},
    {"columns: max", make_tall, columns_max, table_bytes},
    {"columns: mean and std", make_tall, columns_both, table_bytes},
    {"rows: sum", make_tall, rows, table_bytes},
    {"rows: argmax", make_tall, rows_argmax, table_bytes},
    {"rows: std", make_tall, rows_std, table_bytes},
    {"columns: sum f64 (2^20, 256)", make_tall_f64, columns, table_bytes},
    {"columns: sum (2^25, 10)", make_thin, columns, 40.0 * (1 << 25)},
    {"rows: sum (2^25, 10)", make_thin, rows, 40.0 * (1 << 25)},
    {"both axes: sum (2^25, 10)", make_thin, sum, 40.0 * (1 << 25)},
    {"columns: sum (16384, 16384)", make_square, columns, 4.0 * 16384 * 16384},
    {"rows: sum", make_square, rows, 4.0 * 16384 * 16384},
    {"both axes: std", make_square, std_all, 4.0 * 16384 * 16384},
};

static bool fine(const struct row *row, sta_array y)
{
    const sta_error *error = sta_wait(y);
    if (error)
        printf("%-28s %s: %s\n", row->name, error->op, error->text);
    return !error;
}

static void measure(const struct row *row)
{
    sta_scope scope = sta_open();
    double best = 1e30;
    row->make();
    bool good = fine(row, x);
    for (int turn = 0; turn < 9 && good; turn++) {
        sta_scope inner = sta_open();
        double begin = now();
        good = fine(row, row->run());
        double took = now() - begin;
        best = turn > 1 && took < best ? took : best;
        sta_close(inner);
    }
    sta_close(scope);
    if (!good)
        return;
    double bytes = row->bytes < 100 ? row->bytes * (double)n : row->bytes;
    printf("%-28s %8.3f ms %7.0f GB/s %6.1f %% of a copy\n", row->name, best, bytes / best * 1e-6,
           100 * bytes / copy_speed / best);
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
