/* The run-time table of ufuncs.def, and the choice of loops for the CPU at hand. */
#include "ufunc.h"

#include "isa.h"

#include <string.h>

/* The kinds column as bits. */
#define STA__TAKES_BIFC (STA__TAKES_BOOL | STA__TAKES_INTEGER | STA__TAKES_FLOATING | STA__TAKES_COMPLEX)
#define STA__TAKES_bIFC (STA__TAKES_BOOL_AS_INT8 | STA__TAKES_INTEGER | STA__TAKES_FLOATING | STA__TAKES_COMPLEX)
#define STA__TAKES_IFC (STA__TAKES_INTEGER | STA__TAKES_FLOATING | STA__TAKES_COMPLEX)
#define STA__TAKES_BIF (STA__TAKES_BOOL | STA__TAKES_INTEGER | STA__TAKES_FLOATING)
#define STA__TAKES_bIF (STA__TAKES_BOOL_AS_INT8 | STA__TAKES_INTEGER | STA__TAKES_FLOATING)
#define STA__TAKES_BI (STA__TAKES_BOOL | STA__TAKES_INTEGER)
#define STA__TAKES_bI (STA__TAKES_BOOL_AS_INT8 | STA__TAKES_INTEGER)
#define STA__TAKES_I STA__TAKES_INTEGER
#define STA__TAKES_FC (STA__TAKES_FLOATING | STA__TAKES_COMPLEX)
#define STA__TAKES_F STA__TAKES_FLOATING
#define STA__TAKES_C STA__TAKES_COMPLEX
#define STA__TAKES_L STA__TAKES_64

static const struct sta__ufunc table[STA__OPS] = {
#define STA_UFUNC(name, arity, kinds, rule, identity, cost, ulp, text, doc)                                            \
    [STA__OP_##name] = {#name, #text, doc,  arity, STA__TAKES_##kinds, STA__RULE_##rule, STA__IDENTITY_##identity,     \
                        cost,  ulp,   false},
#define STA_PART(name, arity, kinds, rule, identity, cost, ulp, text, doc)                                             \
    [STA__OP_##name] = {#name, #text, doc, arity, STA__TAKES_##kinds, STA__RULE_##rule, STA__IDENTITY_##identity,      \
                        cost,  ulp,   true},
#include <starray/ufuncs.def>
};

const struct sta__ufunc *sta__ufunc(int op)
{
    return (unsigned)op < STA__OPS ? &table[op] : NULL;
}

int sta__ufunc_find(const char *name)
{
    for (int op = 0; op < STA__OPS; op++)
        if (strcmp(table[op].name, name) == 0)
            return op;
    return -1;
}

/* ---- loops ---- */

/* Who fills the table for one instruction set: a function for each dtype and one for the casts, in loops_*.c. */
struct filler {
    void (*casts)(sta__loop (*casts)[STA__DTYPES]);
    void (*loops[STA__DTYPES])(sta__loop *loops);
};

#define STA__DECLARE(isa)                                                                                              \
    void sta__casts_##isa(sta__loop(*casts)[STA__DTYPES]);                                                             \
    void sta__loops_bool_##isa(sta__loop *), sta__loops_i8_##isa(sta__loop *), sta__loops_i16_##isa(sta__loop *);      \
    void sta__loops_i32_##isa(sta__loop *), sta__loops_i64_##isa(sta__loop *), sta__loops_u8_##isa(sta__loop *);       \
    void sta__loops_u16_##isa(sta__loop *), sta__loops_u32_##isa(sta__loop *), sta__loops_u64_##isa(sta__loop *);      \
    void sta__loops_f16_##isa(sta__loop *), sta__loops_bf16_##isa(sta__loop *), sta__loops_f32_##isa(sta__loop *);     \
    void sta__loops_f64_##isa(sta__loop *), sta__loops_c64_##isa(sta__loop *), sta__loops_c128_##isa(sta__loop *);
/* clang-format off */
#define STA__FILLER(isa)                                                                                               \
    {                                                                                                                  \
        sta__casts_##isa,                                                                                        \
        {                                                                                                              \
            [STA_bool] = sta__loops_bool_##isa, [STA_int8] = sta__loops_i8_##isa, [STA_int16] = sta__loops_i16_##isa,  \
            [STA_int32] = sta__loops_i32_##isa, [STA_int64] = sta__loops_i64_##isa, [STA_uint8] = sta__loops_u8_##isa, \
            [STA_uint16] = sta__loops_u16_##isa, [STA_uint32] = sta__loops_u32_##isa,                                  \
            [STA_uint64] = sta__loops_u64_##isa, [STA_float16] = sta__loops_f16_##isa,                                 \
            [STA_bfloat16] = sta__loops_bf16_##isa, [STA_float32] = sta__loops_f32_##isa,                              \
            [STA_float64] = sta__loops_f64_##isa, [STA_complex64] = sta__loops_c64_##isa,                              \
            [STA_complex128] = sta__loops_c128_##isa,                                                                  \
        }                                                                                                              \
    },
/* clang-format on */

STA__EACH_ISA(STA__DECLARE)
static const struct filler fillers[] = {STA__EACH_ISA(STA__FILLER)};

static sta__loop loops[STA__DTYPES][3 * STA__OPS]; /* all operands in memory; scalars on the right; on the left */
static sta__loop casts[STA__DTYPES][STA__DTYPES];

const char *sta__loops_choose(void)
{
    sta__isa_choose();
    const struct filler *filler = &fillers[sta__isa()];
    memset(loops, 0, sizeof loops);
    for (int dtype = 0; dtype < STA__DTYPES; dtype++)
        if (filler->loops[dtype])
            filler->loops[dtype](loops[dtype]);
    filler->casts(casts);
    return sta__isa_name();
}

sta__loop sta__ufunc_loop(int op, sta_dtype loop)
{
    return (unsigned)op < STA__OPS && sta__dtype_valid(loop) ? loops[loop][op] : NULL;
}

sta__loop sta__ufunc_loop_scalar(int op, sta_dtype loop, unsigned scalars)
{
    if ((unsigned)op >= STA__OPS || !sta__dtype_valid(loop))
        return NULL;
    int arity = table[op].arity;
    unsigned right = (1U << arity) - 2;
    if (arity > 1 && scalars == right)
        return loops[loop][STA__OPS + op];
    return arity == 2 && scalars == 1 ? loops[loop][2 * STA__OPS + op] : NULL;
}

sta__loop sta__cast_loop(sta_dtype from, sta_dtype to)
{
    return sta__dtype_valid(from) && sta__dtype_valid(to) ? casts[from][to] : NULL;
}

double sta__cast_cost(sta_dtype from, sta_dtype to)
{
    const enum sta__kind have = sta__dtype_kind(from), want = sta__dtype_kind(to);
    const bool saturates = have >= STA__KIND_FLOATING && want < STA__KIND_FLOATING && want != STA__KIND_BOOL;
    const bool long_integer = (have == STA__KIND_SIGNED || have == STA__KIND_UNSIGNED) && sta_itemsize(from) == 8;
    const bool to_float = want >= STA__KIND_FLOATING;
    return saturates || (long_integer && to_float) ? 5 : to == STA_float16 || to == STA_bfloat16 ? 3 : 1;
}
