/* Programs as CUDA: every operation and every cast, in every dtype, is compiled by NVRTC. No GPU is needed.
 * ctest: timeout=120 */
#include "nvrtc.h"

#include "codelets/index/cuda_index.h"
#include "codelets/index/index.h"
#include "elementwise/cuda_layout.h"
#include "scan/cuda.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- programs of one instruction ---- */

static void start(struct sta__program *p)
{
    memset(p, 0, sizeof *p);
    p->outputs = 1;
}

static void make_ufunc(struct sta__program *p, const struct sta__types *types)
{
    int arity = sta__ufunc(types->op)->arity;
    start(p);
    p->inputs = arity;
    p->slots = arity + 1;
    p->instructions = 1;
    p->instruction[0] = (struct sta__instruction){
        .op = (int16_t)types->op, .type = types->loop, .to = (uint8_t)arity, .count = (uint8_t)arity};
    for (int k = 0; k < arity; k++) {
        p->slot_dtype[k] = types->compute[k];
        p->instruction[0].from[k] = (uint8_t)k;
    }
    p->slot_dtype[arity] = types->computed;
    p->output[0] = (struct sta__output){.slot = (uint8_t)arity, .dtype = types->computed};
}

static void make_cast(struct sta__program *p, sta_dtype from, sta_dtype to)
{
    start(p);
    p->inputs = 1;
    p->slots = 2;
    p->instructions = 1;
    p->instruction[0] = (struct sta__instruction){.op = -1, .type = from, .to = 1, .count = 1};
    p->slot_dtype[0] = from;
    p->slot_dtype[1] = to;
    p->output[0] = (struct sta__output){.slot = 1, .dtype = to};
}

/* A kernel that computes the program for the elements of plain arrays, in a namespace of its own. */
static void put_kernel(struct sta__text *text, const struct sta__program *p, int number)
{
    const char *type = sta__cuda_type(p->slot_dtype[p->slots - 1]);
    sta__text_put(text, "namespace p%d {\n", number);
    sta__cuda_put_functions(text, p);
    sta__cuda_put_element(text, p);
    sta__text_put(text, "}\nextern \"C\" __global__ void k%d(%s *to", number, type);
    for (int i = 0; i < p->inputs; i++)
        sta__text_put(text, ", const %s *x%d", sta__cuda_type(p->slot_dtype[i]), i);
    sta__text_put(text, ")\n{\n    p%d::element(", number);
    for (int i = 0; i < p->inputs; i++)
        sta__text_put(text, "x%d[threadIdx.x], ", i);
    sta__text_put(text, "to[threadIdx.x]);\n}\n");
}

static void ufuncs_of(sta_dtype dtype)
{
    struct sta__text text;
    struct sta__program *p = sta__allocate(sizeof *p);
    int number = 0;
    if (!p || !sta__text_open(&text))
        abort();
    sta__cuda_put_prelude(&text);
    for (int op = 0; op < STA__OPS; op++) {
        struct sta__types types;
        struct sta__input in[3] = {{dtype, false, 0}, {dtype, false, 0}, {dtype, false, 0}};
        if (sta__ufunc(op)->takes == STA__TAKES_64)
            in[1].dtype = dtype == STA_int64 ? STA_uint64 : STA_int64;
        if (!sta__ufunc_types(op, in, &types) || types.loop != dtype)
            continue;
        make_ufunc(p, &types);
        put_kernel(&text, p, number++);
    }
    if (number)
        compiles(&text, sta_dtype_name(dtype));
    sta__text_close(&text);
    sta__release(p);
}

static void ufuncs(void)
{
    for (int dtype = STA_bool; dtype <= STA_complex128; dtype++)
        ufuncs_of((sta_dtype)dtype);
}

static void casts(void)
{
    struct sta__text text;
    struct sta__program *p = sta__allocate(sizeof *p);
    int number = 0;
    if (!p || !sta__text_open(&text))
        abort();
    sta__cuda_put_prelude(&text);
    for (int from = STA_bool; from <= STA_complex128; from++)
        for (int to = STA_bool; to <= STA_complex128; to++) {
            make_cast(p, (sta_dtype)from, (sta_dtype)to);
            put_kernel(&text, p, number++);
        }
    compiles(&text, "casts");
    sta__text_close(&text);
    sta__release(p);
}

/* ---- layouts ---- */

/* clip(x, y, z) of float64 from what is read; x also as float32: two results. */
static void make_clip(struct sta__program *p, sta_dtype dtype)
{
    struct sta__types types;
    struct sta__input in[3] = {{STA_float64, false, 0}, {STA_float64, false, 0}, {STA_float64, false, 0}};
    CU_ASSERT_TRUE_FATAL(sta__ufunc_types(STA__OP_clip, in, &types));
    make_ufunc(p, &types);
    p->slot_dtype[0] = dtype;
    p->slot_dtype[4] = STA_float64;
    p->slot_dtype[5] = STA_float32;
    p->instruction[1] = p->instruction[0];
    p->instruction[1].from[0] = 4;
    p->instruction[0] = (struct sta__instruction){.op = -1, .type = dtype, .to = 4, .count = 1};
    p->instruction[2] = (struct sta__instruction){.op = -1, .type = STA_float64, .to = 5, .count = 1, .from = {3}};
    p->instructions = 3;
    p->slots = 6;
    p->output[1] = (struct sta__output){.slot = 5, .dtype = STA_float32};
    p->outputs = 2;
}

static void layout_compiles(const struct sta__program *p, const struct sta__cuda_layout *layout, const char *what)
{
    struct sta__text text;
    if (!sta__text_open(&text))
        abort();
    sta__cuda_put_prelude(&text);
    sta__cuda_put_functions(&text, p);
    sta__cuda_put_element(&text, p);
    sta__cuda_put_kernel(&text, p, layout);
    compiles(&text, what);
    sta__text_close(&text);
}

static void layouts(void)
{
    enum { N = STA__CUDA_NUMBER, Y = STA__CUDA_ANY, L = STA__CUDA_ALONG, M = STA__CUDA_SAME, X = STA__CUDA_ACROSS };
    static const struct {
        const char *what;
        sta_dtype dtype;
        struct sta__cuda_layout layout;
    } table[] = {
        {"contiguous", STA_float16, {1, 4, 2, 0, 0, 0, 0, 5, 1, 2, 1, {L, N, N, L, L}, {0, 0, 1, 0, 0}}},
        {"rows", STA_uint8, {2, 4, 1, 0, 0, 0, 0, 5, 3, 0, 1, {L, M, L, L, L}, {0, 1, 0, 2, 2}}},
        {"strided", STA_complex128, {3, 1, 4, 0, 0, 0, 0, 5, 2, 1, 1, {Y, N, Y, Y, Y}, {0, 0, 1, 1, 1}}},
        {"wide", STA_int64, {3, 2, 2, 1, 0, 0, 0, 5, 2, 1, 1, {L, N, L, L, L}, {0, 0, 1, 1, 1}}},
        {"boxes", STA_float64, {2, 2, 2, 0, 0, 0, 0, 5, 4, 0, 9, {L, L, M, L, L}, {0, 1, 2, 3, 3}}},
        {"lines", STA_int16, {2, 1, 4, 0, 1, 0, 0, 5, 3, 1, 4, {L, N, Y, L, Y}, {0, 0, 1, 0, 2}}},
        {"wide lines", STA_bfloat16, {3, 1, 2, 1, 1, 0, 0, 5, 3, 0, 1, {Y, Y, L, L, L}, {0, 0, 1, 2, 2}}},
        {"squares", STA_float32, {2, 1, 1, 0, 0, 1, 64, 5, 3, 1, 1, {X, N, Y, Y, Y}, {0, 0, 1, 2, 2}}},
        {"squares in boxes", STA_uint16, {4, 1, 1, 1, 0, 2, 32, 5, 3, 0, 4, {X, X, Y, Y, Y}, {0, 0, 1, 2, 2}}},
    };
    struct sta__program *p = sta__allocate(sizeof *p);
    if (!p)
        abort();
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        make_clip(p, table[k].dtype);
        layout_compiles(p, &table[k].layout, table[k].what);
    }
    sta__release(p);
}

/* ---- scans, and operators on what indices select ---- */

static void scans(void)
{
    static const struct {
        int op;
        sta_dtype dtype;
    } table[] = {{STA__OP_logical_or, STA_bool},
                 {STA__OP_add, STA_int16},
                 {STA__OP_fmax, STA_float32},
                 {STA__OP_multiply, STA_complex128}};
    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        for (int kind = 0;; kind++) {
            struct sta__text text;
            bool more = sta__text_open(&text) && sta__scan_text(kind, table[k].op, table[k].dtype, &text);
            if (more)
                compiles(&text, sta_dtype_name(table[k].dtype));
            sta__text_close(&text);
            if (!more)
                break;
        }
}

static void operators(void)
{
    static const struct {
        int op;
        sta_dtype x, source;
    } table[] = {{STA__OP_add, STA_float16, STA_float16},
                 {STA__OP_multiply, STA_complex64, STA_int8},
                 {STA__OP_floor_divide, STA_int16, STA_int8},
                 {STA__OP_logical_xor, STA_bool, STA_bool}};
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        struct sta__types types;
        struct sta__input in[2] = {{table[k].x, false, 0}, {table[k].source, false, 0}};
        CU_ASSERT_TRUE_FATAL(sta__ufunc_types(table[k].op, in, &types));
        const struct sta__at at = {.op = types.op,
                                   .type = types.loop,
                                   .compute = {types.compute[0], types.compute[1]},
                                   .computed = types.computed};
        struct sta__text text;
        CU_ASSERT_TRUE_FATAL(sta__text_open(&text) && sta__cuda_at_text(&at, table[k].x, &text));
        compiles(&text, sta_dtype_name(table[k].x));
        sta__text_close(&text);
    }
}

STA_PURE_TESTS("cuda_text", STA_CASE(ufuncs), STA_CASE(casts), STA_CASE(layouts), STA_CASE(scans), STA_CASE(operators))
