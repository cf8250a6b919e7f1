/* Long programs as machine code give the same bits as instruction by instruction: random programs of every row of
 * ufuncs.def in every dtype, compiled and not. What can go wrong with compilers and files is no error. ctest: timeout=240
 */
#include "elementwise/compile.h"
#include "sta_test.h"

#include <CUnit/Basic.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { N = 1003, POOL = 40, INPUTS = 6, BYTES = N * 16 };

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

static const sta_dtype dtypes[] = {STA_bool,   STA_int8,   STA_int16,    STA_int32,   STA_int64,     STA_uint8,    STA_uint16,
                                   STA_uint32, STA_uint64, STA_bfloat16, STA_float32, STA_complex64, STA_float64};
enum { DTYPES = sizeof dtypes / sizeof *dtypes };

/* The sign of a NaN is nobody's: where it would become a value it is taken away first. */
static bool shows_sign(int op)
{
    return op == STA__OP_signbit || op == STA__OP_copysign || op == STA__OP_angle;
}

struct program {
    sta_array pool[POOL];
    int count;
    bool used[POOL];
};

static void add_call(struct program *p, const struct row *row, bool fresh)
{
    sta_array x[3];
    int from[3];
    for (int k = 0; k < row->arity; k++) {
        from[k] = (int)draw(fresh ? INPUTS : (uint64_t)p->count);
        x[k] = p->pool[from[k]];
        if (shows_sign(row->op))
            x[k] = sta_nan_to_num(x[k]);
        if (draw(8) == 0 && k > 0)
            x[k] = draw(2) ? sta_int((int64_t)draw(100)) : sta_float((double)draw(1000) / 16);
    }
    sta_array result = call(row, x);
    if (sta_check(result))
        return; /* not for these dtypes */
    for (int k = 0; k < row->arity; k++)
        p->used[from[k]] = true;
    p->used[p->count] = false;
    p->pool[p->count++] = result;
}

/* `first`: the row that the program begins with; the others are cheap ones mostly, which are fused. */
static void make(struct program *p, int first, int number, sta_dtype dtype)
{
    p->count = 0;
    for (int i = 0; i < INPUTS; i++)
        p->pool[p->count++] = input(i < 4 ? dtype : dtypes[draw(DTYPES)]);
    memset(p->used, true, sizeof p->used);
    for (int k = 0; k < number; k++)
        add_call(p, &rows[(first + k) % ROWS], true);
    for (int k = 0; k < 12 && p->count < POOL; k++) {
        const struct row *row = &rows[draw(ROWS)];
        if (sta__ufunc(row->op)->cost <= 5)
            add_call(p, row, false);
    }
}

/* The elements of all that nothing else was made of. */
static int read_all(struct program *p, char (*to)[BYTES])
{
    int count = 0;
    for (int i = 0; i < p->count; i++)
        if (!p->used[i])
            STA_ASSERT_OK(sta_read(p->pool[i], to[count++], (size_t)N * sta_itemsize(sta_dtype_of(p->pool[i]))));
    return count;
}

static char plain[POOL][BYTES], machine[POOL][BYTES];

static void compare(int first, int number, sta_dtype dtype, uint64_t seed)
{
    struct program p;
    sta_scope scope = sta_open();
    state = seed;
    sta__runtime.settings.compile = STA__COMPILE_OFF;
    make(&p, first, number, dtype);
    int count = read_all(&p, plain);
    sta__runtime.settings.compile = STA__COMPILE_NOW;
    state = seed;
    make(&p, first, number, dtype);
    CU_ASSERT_EQUAL(read_all(&p, machine), count);
    for (int i = 0, k = 0; i < p.count; i++) {
        if (p.used[i])
            continue;
        if (!sta_test_compare_data(__FILE__, __LINE__, "compiled", sta_dtype_of(p.pool[i]), N, machine[k], plain[k],
                                   STA_EXACT))
            printf("rows %s .. of %s, seed %llu, result %d\n", sta__ufunc(rows[first].op)->name, sta_dtype_name(dtype),
                   (unsigned long long)seed, i);
        k++;
    }
    sta_close(scope);
}

/* Every row in every dtype, some at a time. */
static void walk(int step, uint64_t seed)
{
    enum { AT_ONCE = 16 };
    int64_t before = sta__compiled();
    for (int d = 0, turn = 0; d < DTYPES; d++)
        for (int first = 0; first < ROWS; first += AT_ONCE, turn++)
            if (turn % step == 0)
                compare(first, AT_ONCE, dtypes[d], seed + (uint64_t)turn * 7919);
    CU_ASSERT(sta__compiled() - before >= 10);
    sta__runtime.settings.compile = STA__COMPILE_OFF;
}

static void any_row(void)
{
    walk(1, 12345);
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

int main(int argc, char **argv)
{
    static const struct sta_test_case cases[] = {STA_CASE(any_row)};
    char folder[] = "/tmp/starray-compile-XXXXXX";
    (void)restart;
    if (!mkdtemp(folder))
        return 2;
    setenv("STA_CACHE", folder, 1);
    setenv("STA_INLINE_BYTES", "0", 1);
    return sta_test_main(argc, argv, "compile", true, cases, sizeof cases / sizeof *cases);
}
