/* Prints programs as CUDA C++. Contract: cuda_text.h. As in compile_text.c the texts of ufuncs.def become functions of a
 * dtype with the helpers of scalar_*.h; C++ has namespaces and overloads where C has endings of names. */
#include "elementwise/cuda_text.h"

#include "elementwise/texts.h"

#include <stdio.h>
#include <string.h>

/* What loops_*.c define for each dtype. */
static const struct words {
    const char *brief, *type, *part, *unsigned_type, *other, *quotient, *largest, *letter, *helpers;
} words[STA__DTYPES] = {
    [STA_bool] = {"bool", "uint8_t", "uint8_t", "uint8_t", "uint8_t", "int32_t", "0", "B", sta__text_scalar_bool},
    [STA_int8] = {"i8", "int8_t", "int8_t", "uint32_t", "int8_t", "int32_t", "0", "I", sta__text_scalar_integer},
    [STA_int16] = {"i16", "int16_t", "int16_t", "uint32_t", "int16_t", "int32_t", "0", "I", sta__text_scalar_integer},
    [STA_int32] = {"i32", "int32_t", "int32_t", "uint32_t", "uint32_t", "int32_t", "0", "I", sta__text_scalar_integer},
    [STA_int64] = {"i64", "int64_t", "int64_t", "uint64_t", "uint64_t", "int64_t", "0", "L", sta__text_scalar_integer},
    [STA_uint8] = {"u8", "uint8_t", "uint8_t", "uint32_t", "uint8_t", "float", "0", "I", sta__text_scalar_integer},
    [STA_uint16] = {"u16", "uint16_t", "uint16_t", "uint32_t", "uint16_t", "float", "0", "I", sta__text_scalar_integer},
    [STA_uint32] = {"u32", "uint32_t", "uint32_t", "uint32_t", "int32_t", "uint32_t", "0", "I",
                    sta__text_scalar_integer},
    [STA_uint64] = {"u64", "uint64_t", "uint64_t", "uint64_t", "int64_t", "uint64_t", "0", "L",
                    sta__text_scalar_integer},
    [STA_float32] = {"f32", "float", "float", "float", "float", "float", "FLT_MAX", "F", sta__text_scalar_floating},
    [STA_float64] = {"f64", "double", "double", "double", "double", "double", "DBL_MAX", "F",
                     sta__text_scalar_floating},
    [STA_complex64] = {"c64", "sta__c64", "float", "float", "float", "float", "FLT_MAX", "C", sta__text_scalar_complex},
    [STA_complex128] = {"c128", "sta__c128", "double", "double", "double", "double", "DBL_MAX", "C",
                        sta__text_scalar_complex},
    [STA_float16] = {.brief = "f16", .type = "uint16_t"},
    [STA_bfloat16] = {.brief = "bf16", .type = "uint16_t"},
};

/* Columns of ufuncs.def as text. */
static const char *const rules[STA__OPS] = {
#define STA_UFUNC(name, arity, kinds, rule, identity, cost, ulp, text, doc) [STA__OP_##name] = #rule,
#define STA_PART(name, arity, kinds, rule, identity, cost, ulp, text, doc) [STA__OP_##name] = #rule,
#include <starray/ufuncs.def>
};

const char *const sta__cuda_include_name[STA__CUDA_INCLUDES] = {"stdint.h", "string.h"};
const char *const sta__cuda_include_text[STA__CUDA_INCLUDES] = {
    "#pragma once\ntypedef signed char int8_t;\ntypedef short int16_t;\ntypedef int int32_t;\ntypedef long int64_t;\n"
    "typedef unsigned char uint8_t;\ntypedef unsigned short uint16_t;\ntypedef unsigned int uint32_t;\n"
    "typedef unsigned long uint64_t;\n",
    "#pragma once\n"};

/* ---- dtypes ---- */

const char *sta__cuda_type(sta_dtype dtype)
{
    return words[dtype].type;
}

static bool is_half(sta_dtype dtype)
{
    return dtype == STA_float16 || dtype == STA_bfloat16;
}

/* By which dtype a value becomes a 16-bit float. */
static sta_dtype half_by(sta_dtype from)
{
    enum sta__kind kind = sta__dtype_kind(from);
    size_t item = sta_itemsize(from);
    bool whole = kind == STA__KIND_SIGNED || kind == STA__KIND_UNSIGNED;
    return (whole && item >= 4) || from == STA_float64 || from == STA_complex128 ? STA_float64 : STA_float32;
}

static void put_plain_cast(struct sta__text *text, sta_dtype from, sta_dtype to, const char *what)
{
    enum sta__kind have = sta__dtype_kind(from), want = sta__dtype_kind(to);
    const char *part = have == STA__KIND_COMPLEX ? ".re" : "", *type = words[to].type;
    if (want == STA__KIND_BOOL)
        sta__text_put(text, "(uint8_t)((%s) != 0)", what);
    else if (want == STA__KIND_COMPLEX && have == STA__KIND_COMPLEX)
        sta__text_put(text, "%s(%s)", type, what);
    else if (want == STA__KIND_COMPLEX)
        sta__text_put(text, "%s((%s)(%s), 0)", type, words[to].part, what);
    else if (want != STA__KIND_FLOATING && have >= STA__KIND_FLOATING)
        sta__text_put(text, "sta__saturate<%s>((%s)%s)", type, what, part);
    else
        sta__text_put(text, "(%s)(%s)%s", type, what, part);
}

void sta__cuda_put_cast(struct sta__text *text, sta_dtype from, sta_dtype to, const char *what)
{
    char middle[300];
    if (from == to) {
        sta__text_put(text, "%s", what);
    } else if (is_half(from)) {
        snprintf(middle, sizeof middle, "sta__load_%s(%s)", words[from].brief, what);
        sta__cuda_put_cast(text, STA_float32, to, middle);
    } else if (!is_half(to)) {
        put_plain_cast(text, from, to, what);
    } else {
        sta_dtype by = half_by(from);
        sta__text_put(text, by == STA_float64 ? "sta__store_%s(sta__f64_to_odd(" : "sta__store_%s((", words[to].brief);
        sta__cuda_put_cast(text, from, by, what);
        sta__text_put(text, "))");
    }
}

/* ---- functions ---- */

void sta__cuda_put_prelude(struct sta__text *text)
{
    sta__text_put(text, "%s%s%s%s%s%s", sta__text_half, sta__text_scalar, sta__text_rules, sta__text_cuda_device,
                  sta__text_scalar_special, sta__text_cuda_complex);
}

static void put_function(struct sta__text *text, int op, sta_dtype dtype)
{
    const struct sta__ufunc *row = sta__ufunc(op);
    const char *rule = rules[op];
    sta__text_put(text, "STA__INLINE STA__RESULT_%s op_%s(STA__X_%s x", rule, row->name, rule);
    if (row->arity > 1)
        sta__text_put(text, ", STA__Y_%s y", rule);
    if (row->arity > 2)
        sta__text_put(text, ", T z");
    const char *settled = dtype == STA_int16 ? "sta__settled" : "";
    sta__text_put(text, ")\n{\n    return %s(STA__KEEP_%s(%s));\n}\n", settled, rule, row->text);
}

/* Each operation of the dtype once. */
static void put_functions(struct sta__text *text, const struct sta__program *p, sta_dtype dtype)
{
    const struct words *w = &words[dtype];
    bool begun = false, seen[STA__OPS] = {false};
    for (int i = 0; i < p->instructions; i++) {
        int op = p->instruction[i].op;
        if (op < 0 || p->instruction[i].type != dtype || seen[op])
            continue;
        seen[op] = true;
        if (!begun)
            sta__text_put(text,
                          "#define T %s\n#define U %s\n#define W %s\n#define OTHER %s\n#define STA__QUOTIENT %s\n"
                          "#define LARGEST %s\n#define STA__CLASS %s\nnamespace of_%s {\n%s",
                          w->type, w->part, w->unsigned_type, w->other, w->quotient, w->largest, w->letter, w->brief,
                          w->helpers);
        begun = true;
        put_function(text, op, dtype);
    }
    if (begun)
        sta__text_put(text, "}\n#undef T\n#undef U\n#undef W\n#undef OTHER\n#undef STA__QUOTIENT\n#undef LARGEST\n"
                            "#undef STA__CLASS\n");
}

void sta__cuda_put_functions(struct sta__text *text, const struct sta__program *program)
{
    for (int dtype = 0; dtype < STA__DTYPES; dtype++)
        if (words[dtype].helpers)
            put_functions(text, program, (sta_dtype)dtype);
}

/* ---- one element ---- */

/* The rows that 16-bit floats have of their own. */
static void put_half(struct sta__text *text, const struct sta__instruction *i)
{
    if (i->op == STA__OP_nextafter)
        sta__text_put(text, "sta__next_%s(v%d, v%d)", words[i->type].brief, i->from[0], i->from[1]);
    else
        sta__text_put(text, "sta__finite_half(v%d, %s)", i->from[0], i->type == STA_float16 ? "0x7c00" : "0x7f80");
}

static void put_call(struct sta__text *text, const struct sta__instruction *i)
{
    sta__text_put(text, "of_%s::op_%s(", words[i->type].brief, sta__ufunc(i->op)->name);
    for (int k = 0; k < i->count; k++)
        sta__text_put(text, "%sv%d", k ? ", " : "", i->from[k]);
    sta__text_put(text, ")");
}

/* The instruction that gives the other one of sin(x) and cos(x): one reduction of x serves both. */
static int partner_of(const struct sta__program *p, int i)
{
    const struct sta__instruction *one = &p->instruction[i];
    int other = one->op == STA__OP_sin ? STA__OP_cos : STA__OP_sin;
    if ((one->op != STA__OP_sin && one->op != STA__OP_cos) || sta__dtype_kind(one->type) != STA__KIND_FLOATING)
        return -1;
    for (int k = 0; k < p->instructions; k++)
        if (p->instruction[k].op == other && p->instruction[k].type == one->type &&
            p->instruction[k].from[0] == one->from[0])
            return k;
    return -1;
}

static void put_pair(struct sta__text *text, const struct sta__program *p, int i, int partner)
{
    const struct sta__instruction *one = &p->instruction[i], *two = &p->instruction[partner];
    const char *type = words[one->type].type;
    int sine = one->op == STA__OP_sin ? one->to : two->to, cosine = one->op == STA__OP_sin ? two->to : one->to;
    if (partner > i) /* else the first of the two has printed it */
        sta__text_put(text, "    %s v%d, v%d;\n    sincos(v%d, &v%d, &v%d);\n", type, sine, cosine, one->from[0], sine,
                      cosine);
}

static void put_instruction(struct sta__text *text, const struct sta__program *p, int number)
{
    const struct sta__instruction *i = &p->instruction[number];
    char operand[16];
    int partner = partner_of(p, number);
    if (partner >= 0) {
        put_pair(text, p, number, partner);
        return;
    }
    sta__text_put(text, "    const %s v%d = ", words[p->slot_dtype[i->to]].type, i->to);
    snprintf(operand, sizeof operand, "v%d", i->from[0]);
    if (i->op < 0)
        sta__cuda_put_cast(text, i->type, p->slot_dtype[i->to], operand);
    else if (is_half(i->type))
        put_half(text, i);
    else
        put_call(text, i);
    sta__text_put(text, ";\n");
}

void sta__cuda_put_element(struct sta__text *text, const struct sta__program *p)
{
    const char *comma = "";
    sta__text_put(text, "static __device__ __forceinline__ void element(");
    for (int i = 0; i < p->inputs; i++, comma = ", ")
        sta__text_put(text, "%sconst %s v%d", comma, words[p->slot_dtype[i]].type, i);
    for (int o = 0, k = 0; o < p->outputs; o++)
        if (!p->output[o].reduce) {
            sta__text_put(text, "%s%s &o%d", comma, words[p->slot_dtype[p->output[o].slot]].type, k++);
            comma = ", ";
        }
    for (int r = 0; r < p->reductions; r++, comma = ", ")
        sta__text_put(text, "%s%s &r%d", comma, words[p->slot_dtype[p->reduction[r].slot]].type, r);
    sta__text_put(text, ")\n{\n");
    for (int i = 0; i < p->instructions; i++)
        put_instruction(text, p, i);
    for (int o = 0, k = 0; o < p->outputs; o++)
        if (!p->output[o].reduce)
            sta__text_put(text, "    o%d = v%d;\n", k++, p->output[o].slot);
    for (int r = 0; r < p->reductions; r++)
        sta__text_put(text, "    r%d = v%d;\n", r, p->reduction[r].slot);
    sta__text_put(text, "}\n");
}
