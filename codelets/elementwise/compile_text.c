/* Prints the segments of a program as C. Contract: compile.h. The texts of ufuncs.def become functions of a dtype, with
 * the helpers of scalar_*.h, as loops.h makes loops of them; a segment is one loop that calls them. */
#include "elementwise/compile.h"

#include "elementwise/texts.h"
#include "text.h"

#include <stdio.h>
#include <string.h>

/* What loops_*.c define for each dtype. */
static const struct words {
    const char *brief, *type, *unsigned_type, *other, *quotient, *largest, *letter, *helpers;
} words[STA__DTYPES] = {
    [STA_bool] = {"bool", "uint8_t", "uint8_t", "uint8_t", "uint8_t", "0", "B", sta__text_scalar_bool},
    [STA_int8] = {"i8", "int8_t", "uint32_t", "int8_t", "float", "0", "I", sta__text_scalar_integer},
    [STA_int16] = {"i16", "int16_t", "uint32_t", "int16_t", "float", "0", "I", sta__text_scalar_integer},
    [STA_int32] = {"i32", "int32_t", "uint32_t", "uint32_t", "double", "0", "I", sta__text_scalar_integer},
    [STA_int64] = {"i64", "int64_t", "uint64_t", "uint64_t", "int64_t", "0", "L", sta__text_scalar_integer},
    [STA_uint8] = {"u8", "uint8_t", "uint32_t", "uint8_t", "float", "0", "I", sta__text_scalar_integer},
    [STA_uint16] = {"u16", "uint16_t", "uint32_t", "uint16_t", "float", "0", "I", sta__text_scalar_integer},
    [STA_uint32] = {"u32", "uint32_t", "uint32_t", "int32_t", "double", "0", "I", sta__text_scalar_integer},
    [STA_uint64] = {"u64", "uint64_t", "uint64_t", "int64_t", "uint64_t", "0", "L", sta__text_scalar_integer},
    [STA_float32] = {"f32", "float", "float", "float", "float", "FLT_MAX", "F", sta__text_scalar_floating},
    [STA_float64] = {"f64", "double", "double", "double", "double", "DBL_MAX", "F", sta__text_scalar_floating},
    [STA_bfloat16] = {.brief = "bf16", .type = "uint16_t"},
};

/* Columns of ufuncs.def as text. */
static const char *const rules[STA__OPS] = {
#define STA_UFUNC(name, arity, kinds, rule, identity, cost, ulp, text, doc) [STA__OP_##name] = #rule,
#define STA_PART(name, arity, kinds, rule, identity, cost, ulp, text, doc) [STA__OP_##name] = #rule,
#include <starray/ufuncs.def>
};

static bool in_segment(const struct sta__cut *cut, int i)
{
    return cut->fused[i] && sta__cut_is_segment(cut, cut->stage[i]);
}

static void put_function(struct sta__text *text, int op)
{
    const struct sta__ufunc *row = sta__ufunc(op);
    const char *rule = rules[op];
    sta__text_put(text, "static inline __attribute__((always_inline)) STA__RESULT_%s STA__NAME(%s)(STA__X_%s x", rule,
                  row->name, rule);
    if (row->arity > 1)
        sta__text_put(text, ", STA__Y_%s y", rule);
    if (row->arity > 2)
        sta__text_put(text, ", T z");
    sta__text_put(text, ")\n{\n    return STA__KEEP_%s(%s);\n}\n", rule, row->text);
}

/* Each operation of the dtype once. */
static void put_functions(struct sta__text *text, const struct sta__program *p, const struct sta__cut *cut,
                          sta_dtype dtype)
{
    const struct words *w = &words[dtype];
    bool begun = false, seen[STA__OPS] = {false};
    for (int i = 0; i < p->instructions; i++) {
        int op = p->instruction[i].op;
        if (op < 0 || p->instruction[i].type != dtype || !in_segment(cut, i) || seen[op])
            continue;
        seen[op] = true;
        if (!begun)
            sta__text_put(text,
                          "#define T %s\n#define U %s\n#define W %s\n#define OTHER %s\n#define STA__QUOTIENT %s\n"
                          "#define LARGEST %s\n#define STA__BRIEF %s\n#define STA__CLASS %s\n%s",
                          w->type, w->type, w->unsigned_type, w->other, w->quotient, w->largest, w->brief, w->letter,
                          w->helpers);
        begun = true;
        put_function(text, op);
    }
    if (begun)
        sta__text_put(text, "#undef T\n#undef U\n#undef W\n#undef OTHER\n#undef STA__QUOTIENT\n#undef LARGEST\n"
                            "#undef STA__BRIEF\n#undef STA__CLASS\n");
}

/* ---- segments ---- */

static void put_cast(struct sta__text *text, sta_dtype from, sta_dtype to, int slot)
{
    if (to == STA_bfloat16 || from == STA_bfloat16)
        sta__text_put(text, "sta__%s_to_%s(v%d)", words[from].brief, words[to].brief, slot);
    else if (to == STA_bool)
        sta__text_put(text, "(uint8_t)(v%d != 0)", slot);
    else
        sta__text_put(text, "(%s)v%d", words[to].type, slot);
}

static void put_instruction(struct sta__text *text, const struct sta__program *p, const struct sta__instruction *i)
{
    sta__text_put(text, "        const %s v%d = ", words[p->slot_dtype[i->to]].type, i->to);
    if (i->op < 0) {
        put_cast(text, i->type, p->slot_dtype[i->to], i->from[0]);
    } else {
        sta__text_put(text, "%s_%s(", sta__ufunc(i->op)->name, words[i->type].brief);
        for (int k = 0; k < i->count; k++)
            sta__text_put(text, "%sv%d", k ? ", " : "", i->from[k]);
        sta__text_put(text, ")");
    }
    sta__text_put(text, ";\n");
}

/* Slots that a segment reads from memory, and those that it writes there. */
static void memory_of(const struct sta__program *p, const struct sta__cut *cut, int stage, bool *reads, bool *writes)
{
    for (int i = 0; i < p->instructions; i++)
        for (int k = 0; cut->stage[i] == stage && cut->fused[i] && k < p->instruction[i].count; k++)
            reads[p->instruction[i].from[k]] = true;
    for (int i = 0; i < p->instructions; i++) {
        int to = p->instruction[i].to;
        if (cut->stage[i] != stage || !cut->fused[i])
            continue;
        reads[to] = false;
        writes[to] = cut->kept[to];
    }
}

/* All is read before anything is written: a result may lie where an operand lay. */
static void put_segment(struct sta__text *text, const struct sta__program *p, const struct sta__cut *cut, int stage)
{
    bool reads[STA__MAXSLOTS] = {false}, writes[STA__MAXSLOTS] = {false};
    memory_of(p, cut, stage, reads, writes);
    sta__text_put(
        text,
        "void sta__segment_%d(int64_t n, char *const *at);\nvoid sta__segment_%d(int64_t n, char *const *at)\n{\n",
        stage, stage);
    for (int s = 0; s < p->slots; s++) {
        const char *type = words[p->slot_dtype[s]].type;
        if (reads[s] && s < p->inputs && p->scalars >> s & 1)
            sta__text_put(text, "    const %s v%d = *(const %s *)at[%d];\n", type, s, type, s);
        else if (reads[s])
            sta__text_put(text, "    const %s *const a%d = (const void *)at[%d];\n", type, s, s);
        else if (writes[s])
            sta__text_put(text, "    %s *const a%d = (void *)at[%d];\n", type, s, s);
    }
    sta__text_put(text, "    _Pragma(\"omp simd\") for (int64_t i = 0; i < n; i++) {\n");
    for (int s = 0; s < p->slots; s++)
        if (reads[s] && !(s < p->inputs && p->scalars >> s & 1))
            sta__text_put(text, "        const %s v%d = a%d[i];\n", words[p->slot_dtype[s]].type, s, s);
    for (int i = 0; i < p->instructions; i++)
        if (cut->fused[i] && cut->stage[i] == stage)
            put_instruction(text, p, &p->instruction[i]);
    for (int s = 0; s < p->slots; s++)
        if (writes[s])
            sta__text_put(text, "        a%d[i] = v%d;\n", s, s);
    sta__text_put(text, "    }\n}\n");
}

static bool uses_bfloat16(const struct sta__program *p)
{
    for (int s = 0; s < p->slots; s++)
        if (p->slot_dtype[s] == STA_bfloat16)
            return true;
    return false;
}

char *sta__program_text(const struct sta__program *program, const struct sta__cut *cut)
{
    struct sta__text text;
    if (!sta__text_open(&text))
        return NULL;
    sta__text_put(&text, "#include <float.h>\n#include <stdint.h>\n#include <tgmath.h>\n#undef I\n%s%s%s",
                  sta__text_scalar, sta__text_rules, sta__text_scalar_special);
    if (uses_bfloat16(program))
        sta__text_put(&text, "%s", sta__text_half);
    for (int dtype = 0; dtype < STA__DTYPES; dtype++)
        if (words[dtype].helpers)
            put_functions(&text, program, cut, (sta_dtype)dtype);
    for (int stage = 0; stage < cut->stages; stage++)
        if (sta__cut_is_segment(cut, stage))
            put_segment(&text, program, cut, stage);
    if (!text.failed)
        return text.at;
    sta__text_close(&text);
    return NULL;
}
