/* Reductions on a GPU. Without one: every reducer in every dtype is compiled by NVRTC, in every kind of kernel. With one: the bits
 * are those of the CPU, for sizes around powers of two, in tiles of several sizes.
 * ctest: timeout=300 cpu */
#include "nvrtc.h"

#include "elementwise/cuda_text.h"
#include "reduce/cuda_reduce.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- texts ---- */

struct variant {
    enum sta__reduce_kind kind;
    uint8_t vector, unroll, lanes, warps, outer, pieces;
    bool every; /* for every dtype, else for those of 8 bytes */
};
static const struct variant variants[] = {
    {STA__REDUCE_ROWS, 1, 1, 32, 8, 1, 1, true},
    {STA__REDUCE_MERGE, 0, 0, 0, 0, 0, 0, true},
    {STA__REDUCE_COLUMNS, 1, 1, 0, 0, 4, 8, false},
    {STA__REDUCE_NODES, 1, 2, 0, 0, 1, 1, false},
};
enum { VARIANTS = sizeof variants / sizeof *variants, AT_ONCE = 4 };

static void undefine(struct sta__text *text)
{
    static const char *const names[] = {"REDUCTIONS", "INPUTS", "STORES", "ELEMENT", "OUTER",
                                        "OPERANDS",   "PIECES", "VECTOR", "UNROLL",  "LANES",
                                        "WARPS",      "LIGHT",  "STATES", "UNIT",    "sta_kernel"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        sta__text_put(text, "#undef %s\n", names[i]);
}

/* One kernel, in a namespace of its own. */
static void put_kernel(struct sta__text *text, const struct sta__program *p, const struct variant *variant,
                       struct sta__reduce_key key, int number)
{
    key.kind = (uint8_t)variant->kind;
    key.vector = variant->vector;
    key.unroll = variant->unroll;
    key.lanes = variant->lanes;
    key.warps = variant->warps;
    key.outer = variant->outer;
    key.pieces = variant->pieces;
    key.access[0] = STA__ACCESS_STRIDED;
    sta__text_put(text, "namespace k%d {\n#define sta_kernel kernel_%d\n", number, number);
    sta__reduce_put_kernel(text, &key, key.kind <= STA__REDUCE_COLUMNS ? p : NULL);
    sta__text_put(text, "}\n");
    undefine(text);
}

/* The kernels of a program that reduces one array by all of the reducers; a merge has one of them. */
static void put_kernels(struct sta__text *text, const struct sta__program *p, const struct sta__reduce_key *reducers)
{
    int number = 0;
    for (int v = 0; v < VARIANTS; v++) {
        struct sta__reduce_key key = *reducers;
        const bool merges = variants[v].kind == STA__REDUCE_MERGE;
        if (!variants[v].every && sta_itemsize(p->slot_dtype[0]) != 8)
            continue;
        key.count = merges ? 1 : key.count;
        for (int r = 0; r < (merges ? reducers->count : 1); r++) {
            key.reducer[0] = reducers->reducer[r];
            put_kernel(text, p, &variants[v], key, number++);
        }
    }
}

static void make_program(struct sta__program *p, sta_dtype dtype, struct sta__reduce_key *key)
{
    memset(p, 0, sizeof *p);
    p->inputs = p->slots = p->outputs = 1;
    p->slot_dtype[0] = dtype;
    p->output[0].reduce = true;
    memset(key, 0, sizeof *key);
    key->operands = 1;
}

static void compiles_of(sta_dtype dtype)
{
    static struct sta__program p;
    struct sta__reduce_key key;
    make_program(&p, dtype, &key);
    for (int reducer = 0; reducer < STA__REDUCERS; reducer++) {
        if (sta__reducer_dtype((enum sta__reducer)reducer, dtype) == dtype) {
            p.reduction[key.count] = (struct sta__reduction){0, reducer, dtype};
            key.reducer[key.count] = (uint8_t)reducer;
            key.dtype[key.count++] = (uint8_t)dtype;
            p.reductions = key.count;
        }
        if (key.count == 0 || (key.count < AT_ONCE && reducer + 1 < STA__REDUCERS))
            continue;
        struct sta__text text;
        if (!sta__text_open(&text))
            abort();
        sta__cuda_put_prelude(&text);
        put_kernels(&text, &p, &key);
        compiles(&text, sta_dtype_name(dtype));
        sta__text_close(&text);
        make_program(&p, dtype, &key);
    }
}

static void all_compile(void)
{
    for (int dtype = STA_bool; dtype <= STA_complex128; dtype++)
        compiles_of((sta_dtype)dtype);
}

/* ---- bits ---- */

typedef sta_array (*function)(sta_array x, sta_dims axes, unsigned flags);
static const struct {
    const char *name;
    function run;
    bool floats; /* for these dtypes only */
} functions[] = {
    {"sum", sta_sum, false},
    {"max", sta_max, false},
    {"argmin", sta_argmin, false},
    {"var", sta_var, false},
    {"prod", sta_prod, true},
    {"min", sta_min, true},
    {"argmax", sta_argmax, true},
    {"any", sta_any, true},
    {"all", sta_all, true},
    {"mean", sta_mean, true},
    {"std", sta_std, true},
    {"count_nonzero", sta_count_nonzero, true},
    {"nansum", sta_nansum, true},
    {"nanprod", sta_nanprod, true},
    {"nanmin", sta_nanmin, true},
    {"nanmax", sta_nanmax, true},
    {"nanmean", sta_nanmean, true},
    {"nanvar", sta_nanvar, true},
    {"nanargmin", sta_nanargmin, true},
    {"nanargmax", sta_nanargmax, true},
};
static const sta_dtype dtypes[] = {STA_float64, STA_float32,    STA_float16, STA_complex64,
                                   STA_int8,    STA_complex128, STA_int64,   STA_bool};
static const int64_t sizes[] = {1, 2, 3, 31, 33, 64, 65, 127, 1000, 1025, 4095, 16385, 40000, 131073};
enum { LAYOUTS = 5, WIDE = 4, WIDE_COLUMNS = 256, MOST_WIDE = 1025, MOST_BYTES = 64 };

/* The array of the layout, and what is reduced. */
static sta_array make(int layout, sta_dtype dtype, int64_t n, sta_dims *axes)
{
    const sta_dims shapes[LAYOUTS] = {STA_DIMS(n), STA_DIMS(n, 3), STA_DIMS(2, n), STA_DIMS(2, n, 3),
                                      STA_DIMS(n, WIDE_COLUMNS)};
    const sta_dims reduced[LAYOUTS] = {STA_ALL, STA_DIMS(0), STA_DIMS(1), STA_DIMS(0, 1), STA_DIMS(0)};
    static double numbers[6 * 131073];
    uint64_t seed = (uint64_t)n * 77 + (uint64_t)layout;
    const int64_t elements[LAYOUTS] = {1, 3, 2, 6, WIDE_COLUMNS}, count = n * elements[layout];
    for (int64_t i = 0; i < count; i++) {
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        numbers[i] = (double)(int64_t)(seed >> 40) * 0x1p-23 - 1;
    }
    if (n > 100)
        numbers[n / 3] = numbers[n / 2] = -7;
    *axes = reduced[layout];
    return sta_astype(sta_test_array(STA_float64, shapes[layout], numbers), dtype);
}

/* The results of everything in a dtype, one after the other in `to`; where `want` is not NULL they must be the same. */
static void all_results(size_t d, char *to, const char *want, const char *what)
{
    size_t at = 0;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int layout = 0; layout < (sizes[s] > MOST_WIDE ? WIDE : LAYOUTS); layout++) {
            sta_scope scope = sta_open();
            sta_dims axes;
            sta_array x = make(layout, dtypes[d], sizes[s], &axes);
            for (size_t f = 0; f < sizeof functions / sizeof *functions; f++) {
                if (functions[f].floats && d > 1)
                    continue;
                char *here = to + at;
                sta_array y = functions[f].run(x, axes, 0);
                if (layout == WIDE)
                    y = sta_at(y, STA_INDEX(STA_SPAN_RANGE(WIDE_COLUMNS - 2, WIDE_COLUMNS)));
                const size_t bytes = (size_t)sta_size(y) * sta_itemsize(sta_dtype_of(y));
                STA_ASSERT_OK(sta_read(y, here, bytes));
                if (want && memcmp(here, want + at, bytes))
                    sta_test_fail(__FILE__, __LINE__, "%s: %s of %lld %s, layout %d, has other bits", what,
                                  functions[f].name, (long long)sizes[s], sta_dtype_name(dtypes[d]), layout);
                at += MOST_BYTES;
            }
            sta_close(scope);
        }
}

static bool start(const char *devices, int64_t tile)
{
    const sta_init_options options = {
        .size = sizeof options, .devices = devices, .tile_elements = tile, .inline_bytes = -1};
    return sta_init(&options) == NULL;
}

static void bits(size_t d)
{
    static const int64_t tiles[] = {0, 5000, 4096, 16384, 999}; /* of 16384: kernels that find the tile of a chunk */
    const size_t room = sizeof functions / sizeof *functions * sizeof sizes / sizeof *sizes * LAYOUTS * MOST_BYTES;
    const bool starts = start("cuda", 0), there = starts && sta__runtime.gpus > 0;
    if (starts)
        sta_finish();
    if (!there) {
        printf("no GPU ...");
        return;
    }
    char *want = calloc(1, room), *have = calloc(1, room);
    CU_ASSERT_FATAL(want && have);
    if (!start("cpu", 0)) {
        printf("no CPU worker ...");
        free(want);
        free(have);
        return;
    }
    all_results(d, want, NULL, "");
    sta_finish();
    for (size_t t = 0; t < sizeof tiles / sizeof *tiles; t++) {
        char what[40];
        snprintf(what, sizeof what, "tiles of %lld", (long long)tiles[t]);
        CU_ASSERT_FATAL(start("cuda", tiles[t]));
        all_results(d, have, want, what);
        sta_finish();
    }
    free(want);
    free(have);
}

/* By themselves, so that they can run side by side: nearly all of their time goes into compiling. */
#define BITS(d, name)                                                                                                  \
    static void bits_##name(void)                                                                                      \
    {                                                                                                                  \
        bits(d);                                                                                                       \
    }
BITS(0, float64)
BITS(1, float32)
BITS(2, float16)
BITS(3, complex64)
BITS(4, int8)
BITS(5, complex128)
BITS(6, int64)
BITS(7, bool)

STA_PURE_TESTS("cuda_reduce", STA_CASE(all_compile), STA_CASE(bits_float64), STA_CASE(bits_float32),
               STA_CASE(bits_float16), STA_CASE(bits_complex64), STA_CASE(bits_int8), STA_CASE(bits_complex128),
               STA_CASE(bits_int64), STA_CASE(bits_bool))
