/* Long programs as machine code give the same bits as instruction by instruction: random programs of every row of
 * ufuncs.def in every dtype, compiled and not. What can go wrong with compilers and files is no error. ctest: timeout=240 cpu
 */
#include "isa.h"
#include "elementwise/compile.h"
#include "sta_test.h"

#include <CUnit/Basic.h>
#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { N = 1003, POOL = 40, INPUTS = 5 };

/* ---- any row of the table on arrays ---- */

typedef sta_array unary(sta_array), binary(sta_array, sta_array), ternary(sta_array, sta_array, sta_array);

static const struct row {
    int op, arity;
    unary *one;
    binary *two;
    ternary *three;
} rows[] = {
#define ROW_1(name) sta_##name, NULL, NULL
#define ROW_2(name) NULL, sta_##name, NULL
#define ROW_3(name) NULL, NULL, sta_##name
#define STA_UFUNC(name, arity, kinds, rule, identity, cost, ulp, text, doc) {STA__OP_##name, arity, ROW_##arity(name)},
#define STA_PART(name, arity, kinds, rule, identity, cost, ulp, text, doc)
#include <starray/ufuncs.def>
};
enum { ROWS = sizeof rows / sizeof *rows };

static sta_array call(const struct row *row, const sta_array *x)
{
    return row->one ? row->one(x[0]) : row->two ? row->two(x[0], x[1]) : row->three(x[0], x[1], x[2]);
}

/* ---- random numbers ---- */

static uint64_t state;

static uint64_t draw(uint64_t below)
{
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (state >> 11) % below;
}

/* Values of which few are lost in conversions, and the special ones. */
static sta_array input(sta_dtype dtype)
{
    static double values[N];
    static const double special[] = {0, -0.0, 1, -1, 2, 127, -128, INFINITY, -INFINITY, NAN, 1e-310, 0.5, 65504, 1e300};
    for (int i = 0; i < N; i++)
        values[i] = draw(4) ? ((double)draw(1 << 20) - (1 << 19)) / (double)(1 << (6 + draw(14))) : special[draw(14)];
    return sta_eval(sta_astype(sta_test_array(STA_float64, STA_DIMS(N), values), dtype));
}

/* ---- programs ---- */

static const sta_dtype dtypes[] = {STA_bool,   STA_int8,   STA_int16,  STA_int32,    STA_int64,   STA_uint8,
                                   STA_uint16, STA_uint32, STA_uint64, STA_bfloat16, STA_float32, STA_float64};
enum { DTYPES = sizeof dtypes / sizeof *dtypes };

/* What is cheap is fused; the rest is called as before. */
static bool is_cheap(const struct row *row)
{
    return sta__ufunc(row->op)->cost <= 5 && sta__ufunc(row->op)->ulp <= 1;
}

/* The sign of a NaN is nobody's: where it would become a value it is taken away first. */
static bool shows_sign(int op)
{
    return op == STA__OP_signbit || op == STA__OP_copysign || op == STA__OP_angle;
}

/* `place`: what a turn of eight elements is from which result. */
struct program {
    sta_array place, pool[POOL], result;
    int count, results;
};

static void take_into_result(struct program *p, sta_array x)
{
    p->result = sta_where(sta_equal(p->place, sta_int(p->results++ % 8)), x, p->result);
}

/* Of the inputs if fresh, else of any earlier result too. False: not for these dtypes. */
static bool add_call(struct program *p, const struct row *row, bool fresh)
{
    sta_array x[3];
    for (int k = 0; k < row->arity; k++) {
        x[k] = p->pool[draw(fresh ? INPUTS : (uint64_t)p->count)];
        if (shows_sign(row->op))
            x[k] = sta_nan_to_num(x[k]);
        else if (k > 0 && draw(8) == 0)
            x[k] = sta_int((int64_t)draw(4));
    }
    sta_array result = call(row, x);
    if (sta_check(result) || sta_dtype_of(result) >= STA_complex64)
        return false;
    p->pool[p->count++] = result;
    take_into_result(p, result);
    return true;
}

static int next_row(int row)
{
    do
        row++;
    while (row < ROWS && !is_cheap(&rows[row]));
    return row;
}

/* Some rows from `row` on, then any; answers the row to go on with. */
static int make(struct program *p, int row, sta_dtype dtype)
{
    enum { TOGETHER = 6, MORE = 3 };
    int64_t place[N];
    for (int i = 0; i < N; i++)
        place[i] = i % 8;
    p->place = sta_eval(sta_test_array(STA_int64, STA_DIMS(N), place));
    p->count = p->results = 0;
    for (int i = 0; i < INPUTS; i++)
        p->pool[p->count++] = input(i < 2 ? dtype : dtypes[draw(DTYPES)]);
    p->result = sta_astype(p->pool[0], STA_float64);
    for (int added = 0; row < ROWS && added < TOGETHER; row = next_row(row))
        added += add_call(p, &rows[row], true);
    for (int k = 0; k < MORE; k++)
        add_call(p, &rows[draw(ROWS)], false);
    return row;
}

/* The row to go on with, where the program is left out. */
static int skip(int row)
{
    for (int k = 0; k < 6 && row < ROWS; k++)
        row = next_row(row);
    return row;
}

static int run(int first, sta_dtype dtype, uint64_t seed, enum sta__compile_choice choice, double *to, double *sum)
{
    struct program p;
    state = seed;
    sta__runtime.settings.compile = choice;
    int next = make(&p, first, dtype);
    sta_array total = sta_sum(sta_nan_to_num(sta_multiply(p.result, sta_float(1e-300))), STA_ALL, 0);
    STA_ASSERT_OK(sta_read(total, sum, sizeof *sum));
    STA_ASSERT_OK(sta_read(p.result, to, sizeof *to * N));
    return next;
}

static int compare(int first, sta_dtype dtype, uint64_t seed)
{
    double plain[N + 1], machine[N + 1];
    sta_scope scope = sta_open();
    run(first, dtype, seed, STA__COMPILE_OFF, plain, &plain[N]);
    int next = run(first, dtype, seed, STA__COMPILE_NOW, machine, &machine[N]);
    if (!sta_test_compare_data(__FILE__, __LINE__, "compiled", STA_float64, N + 1, machine, plain, STA_EXACT))
        printf("\n    rows from %s on, of %s, seed %llu\n", sta__ufunc(rows[first].op)->name, sta_dtype_name(dtype),
               (unsigned long long)seed);
    sta_close(scope);
    return next;
}

/* Every cheap row in every dtype takes minutes: STARRAY_ALL=1. Else one program of so many; other ones for each seed. */
static void walk(int seed)
{
    const int64_t before = sta__compiled();
    const int stride = getenv("STARRAY_ALL") ? 1 : 17;
    int turn = seed, programs = 0;
    for (int d = 0; d < DTYPES; d++)
        for (int row = next_row(-1); row < ROWS; turn++) {
            const bool wanted = turn % stride == 0;
            row = wanted ? compare(row, dtypes[d], (uint64_t)turn * 7919 + 1) : skip(row);
            programs += wanted;
        }
    CU_ASSERT(sta__compiled() - before >= programs);
}

/* ---- one program whose values are easy to check: 16 (and more) steps of f(x) = x * a + b ---- */

static sta_array long_chain(sta_array x, double a, double b)
{
    for (int k = 0; k < 16; k++)
        x = sta_add(sta_multiply(x, sta_float(a)), sta_float(b));
    return x;
}

static double long_value(double x, double a, double b)
{
    for (int k = 0; k < 16; k++) {
        volatile double product = x * a; /* two roundings */
        x = product + b;
    }
    return x;
}

static bool is_right(int64_t n, double a, double b)
{
    sta_scope scope = sta_open();
    sta_array x = sta_eval(sta_arange_int(0, n, 1, STA_float64)), y = long_chain(x, a, b);
    double last = 0;
    STA_ASSERT_OK(sta_read(sta_slice(y, "-1:"), &last, sizeof last));
    sta_close(scope);
    return last == long_value((double)(n - 1), a, b);
}

/* Whether the chain is compiled when it is asked for. */
static bool compiles(double a)
{
    const int64_t before = sta__compiled();
    CU_ASSERT(is_right(500, a, 0.1));
    return sta__compiled() > before;
}

static void restart(const char *variable, const char *value)
{
    sta_finish();
    if (value)
        setenv(variable, value, 1);
    else
        unsetenv(variable);
    STA_ASSERT_OK(sta_init(NULL));
}

/* ---- cases ---- */

static void same_bits(void)
{
    static const char *const levels[] = {"v4", "v3", "v2"};
    for (int k = 0; k < 3; k++) {
        restart("STA_ISA", levels[k]);
        sta__runtime.settings.compile = STA__COMPILE_NOW;
        if (strcmp(sta__isa_name(), levels[k]) == 0)
            walk(k * 5);
    }
    restart("STA_ISA", NULL);
}

/* Black and Scholes' formula for both kinds, with functions of the C library in its midst, of two dtypes. */
static sta_array options(sta_array s, sta_array k, sta_array t)
{
    sta_array root = sta_multiply(sta_sqrt(t), sta_float(0.3));
    sta_array d1 = sta_divide(sta_add(sta_log(sta_divide(s, k)), sta_multiply(t, sta_float(0.065))), root);
    sta_array d2 = sta_subtract(d1, root), half = sta_float(0.5);
    sta_array n1 = sta_add(sta_multiply(sta_erf(sta_multiply(d1, sta_float(0.70710678))), half), half);
    sta_array n2 = sta_add(sta_multiply(sta_erf(sta_multiply(d2, sta_float(0.70710678))), half), half);
    sta_array paid = sta_multiply(k, sta_exp(sta_multiply(t, sta_float(-0.02))));
    return sta_subtract(sta_multiply(s, n1), sta_multiply(paid, n2));
}

static void price(enum sta__compile_choice choice, double *prices, double *facts)
{
    sta_scope scope = sta_open();
    sta__runtime.settings.compile = choice;
    sta_array s = sta_eval(sta_linspace(10, 100, N, STA_float64));
    sta_array k = sta_eval(sta_astype(sta_linspace(90, 20, N, STA_float64), STA_float32));
    sta_array t = sta_eval(sta_linspace(0.1, 3, N, STA_float64)), c = options(s, k, t);
    STA_ASSERT_OK(sta_read(sta_sum(c, STA_ALL, 0), &facts[0], sizeof *facts));
    STA_ASSERT_OK(sta_read(sta_max(options(k, s, t), STA_ALL, 0), &facts[1], sizeof *facts));
    STA_ASSERT_OK(sta_read(c, prices, sizeof *prices * N));
    sta_close(scope);
}

static void functions_and_reductions(void)
{
    static double plain[N], machine[N];
    double plain_facts[2], machine_facts[2];
    const int64_t before = sta__compiled();
    price(STA__COMPILE_OFF, plain, plain_facts);
    price(STA__COMPILE_NOW, machine, machine_facts);
    CU_ASSERT(sta__compiled() >= before + 2);
    CU_ASSERT(memcmp(plain, machine, sizeof plain) == 0);
    CU_ASSERT(memcmp(plain_facts, machine_facts, sizeof plain_facts) == 0);
}

/* Numbers are not part of the machine code. */
static void other_numbers(void)
{
    restart("STA_COMPILE", "now");
    CU_ASSERT(compiles(0.9));
    CU_ASSERT(!compiles(0.8)); /* the same program */
    CU_ASSERT(is_right(500, 0.7, -3));
}

static void off(void)
{
    restart("STA_COMPILE", "0");
    CU_ASSERT(!compiles(0.9));
}

/* In the background, after two times a million elements: it has 32 instructions. */
static void when_hot(void)
{
    restart("STA_COMPILE", "1");
    const int64_t before = sta__compiled();
    CU_ASSERT(is_right(1000000, 0.9, 2));
    CU_ASSERT(is_right(1000000, 0.9, 2));
    usleep(20000);
    CU_ASSERT_EQUAL(sta__compiled(), before);
    CU_ASSERT(is_right(1000000, 0.9, 2));
    for (int k = 0; k < 3000 && sta__compiled() == before; k++)
        usleep(10000);
    CU_ASSERT_EQUAL(sta__compiled(), before + 1);
    CU_ASSERT(is_right(1000000, 0.8, 2));
    CU_ASSERT(is_right(300, 0.8, 2));
}

/* The library ends while a compiler runs: it does not wait for it. */
static void ends_at_once(void)
{
    char folder[] = "/tmp/starray-cc-XXXXXX", path[64];
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/cc", folder);
    FILE *file = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fputs("#!/bin/sh\nexec sleep 100\n", file);
    fclose(file);
    chmod(path, 0700);
    setenv("STA_CC", path, 1);
    restart("STA_COMPILE", "1");
    CU_ASSERT(is_right(3000000, 0.9, 2));
    usleep(50000);
    const time_t begin = time(NULL);
    restart("STA_CC", NULL);
    CU_ASSERT(time(NULL) - begin < 50);
    unlink(path);
    rmdir(folder);
}

static void no_compiler(void)
{
    setenv("STA_COMPILE", "now", 1);
    restart("STA_CC", "/nowhere/cc");
    CU_ASSERT(!compiles(0.9));
    restart("STA_CC", "false"); /* one that fails */
    CU_ASSERT(!compiles(0.9));
    restart("STA_CC", NULL);
    CU_ASSERT(compiles(0.9));
}

/* ---- files ---- */

static char folder[] = "/tmp/starray-compile-XXXXXX";

/* The only file of the folder. */
static const char *only_file(void)
{
    static char path[400];
    DIR *all = opendir(folder);
    int count = 0;
    for (struct dirent *entry = all ? readdir(all) : NULL; entry; entry = readdir(all))
        if (entry->d_name[0] != '.' && ++count)
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    if (all)
        closedir(all);
    CU_ASSERT_EQUAL(count, 1);
    return path;
}

static void clear_folder(void)
{
    DIR *all = opendir(folder);
    for (struct dirent *entry = all ? readdir(all) : NULL; entry; entry = readdir(all))
        if (entry->d_name[0] != '.')
            unlinkat(dirfd(all), entry->d_name, 0);
    if (all)
        closedir(all);
}

/* Whether the file does instead of a compiler. The library is not running before and after: what it has loaded must not
 * change. */
static bool is_used(const char *path)
{
    struct stat before, after;
    struct timespec times[2] = {{1000, 0}, {1000, 0}};
    utimensat(AT_FDCWD, path, times, 0);
    if (stat(path, &before) != 0)
        return false;
    STA_ASSERT_OK(sta_init(NULL));
    CU_ASSERT(compiles(0.9));
    sta_finish();
    return stat(path, &after) == 0 && before.st_ino == after.st_ino && after.st_mtime > 1000;
}

static void change_byte(const char *path, long place)
{
    FILE *file = fopen(path, "r+");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fseek(file, place, place < 0 ? SEEK_END : SEEK_SET);
    const int byte = fgetc(file);
    fseek(file, place, place < 0 ? SEEK_END : SEEK_SET);
    fputc(byte ^ 1, file);
    fclose(file);
}

static void files(void)
{
    clear_folder();
    restart("STA_COMPILE", "now");
    CU_ASSERT(compiles(0.9));
    sta_finish();
    const char *path = only_file();
    CU_ASSERT(is_used(path));
    static const long places[] = {100, 5000, -1, -20, -40};
    for (int k = 0; k < 5; k++) {
        change_byte(path, places[k]);
        CU_ASSERT(!is_used(path)); /* made anew */
        CU_ASSERT(is_used(path));
    }
    CU_ASSERT_EQUAL(truncate(path, 3000), 0);
    CU_ASSERT(!is_used(path));
    CU_ASSERT_EQUAL(truncate(path, 0), 0);
    CU_ASSERT(!is_used(path));
    CU_ASSERT_EQUAL(chmod(path, 0666), 0); /* others could have written it */
    CU_ASSERT(!is_used(path));
    only_file();
    STA_ASSERT_OK(sta_init(NULL));
}

static void folders(void)
{
    CU_ASSERT_EQUAL(chmod(folder, 0755), 0);
    restart("STA_COMPILE", "now");
    CU_ASSERT(!compiles(0.9));
    CU_ASSERT_EQUAL(chmod(folder, 0700), 0);
    char link[sizeof folder + 8];
    snprintf(link, sizeof link, "%s-link", folder);
    CU_ASSERT_EQUAL(symlink(folder, link), 0);
    restart("STA_CACHE", link);
    CU_ASSERT(!compiles(0.9));
    unlink(link);
    restart("STA_CACHE", "/dev/null/x");
    CU_ASSERT(!compiles(0.9));
    restart("STA_CACHE", folder);
    CU_ASSERT(compiles(0.9));
}

/* With STA_FMA=1 a product and a sum may be rounded once. */
static void contraction(void)
{
    if (!sta__isa_name() || strcmp(sta__isa_name(), "v2") == 0 || strcmp(sta__isa_name(), "base") == 0)
        return;
    setenv("STA_COMPILE", "now", 1);
    restart("STA_FMA", "1");
    double x = 499, last = 0;
    for (int k = 0; k < 16; k++)
        x = fma(x, 0.9, 0.1);
    sta_array y = long_chain(sta_eval(sta_arange_int(0, 500, 1, STA_float64)), 0.9, 0.1);
    STA_ASSERT_OK(sta_read(sta_slice(y, "-1:"), &last, sizeof last));
    CU_ASSERT_EQUAL(last, x);
    restart("STA_FMA", NULL);
    CU_ASSERT(is_right(500, 0.9, 0.1));
    CU_ASSERT(x != long_value(499, 0.9, 0.1)); /* or this shows nothing */
}

int main(int argc, char **argv)
{
    static const struct sta_test_case cases[] = {
        STA_CASE(same_bits),     STA_CASE(functions_and_reductions),
        STA_CASE(other_numbers), STA_CASE(off),
        STA_CASE(when_hot),      STA_CASE(ends_at_once),
        STA_CASE(no_compiler),   STA_CASE(files),
        STA_CASE(folders),       STA_CASE(contraction),
    };
    if (!mkdtemp(folder))
        return 2;
    setenv("STA_CACHE", folder, 1);
    setenv("STA_INLINE_BYTES", "0", 1);
    const int status = sta_test_main(argc, argv, "compile", true, cases, sizeof cases / sizeof *cases);
    clear_folder();
    rmdir(folder);
    return status;
}
