/* The run-time table of ufuncs.def, and the choice of loops for the CPU at hand. */
#include "ufunc.h"

#include <stdlib.h>
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
#define STA__TAKES_L STA__TAKES_64

static const struct sta__ufunc table[STA__OPS] = {
#define STA_UFUNC(name, arity, kinds, rule, identity, cost, ulp, text, doc)                                            \
    [STA__OP_##name] = {#name, #text, doc, arity, STA__TAKES_##kinds, STA__RULE_##rule, STA__IDENTITY_##identity,      \
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

/* Who fills the table for one instruction set: a function for each dtype and one for the casts. */
struct filler {
    const char *name;
    void (*casts)(sta__loop (*casts)[STA__DTYPES]);
    void (*loops[STA__DTYPES])(sta__loop *loops);
};

#define STA_DTYPE(name, number, storage, brief, kind, typestr) void sta__loops_##brief##_v2(sta__loop *loops);
#include <starray/dtypes.def>
#undef STA_DTYPE
#define STA_DTYPE(name, number, storage, brief, kind, typestr) void sta__loops_##brief##_v3(sta__loop *loops);
#include <starray/dtypes.def>
#undef STA_DTYPE
#define STA_DTYPE(name, number, storage, brief, kind, typestr) void sta__loops_##brief##_v4(sta__loop *loops);
#include <starray/dtypes.def>
#undef STA_DTYPE
void sta__casts_v2(sta__loop (*casts)[STA__DTYPES]);
void sta__casts_v3(sta__loop (*casts)[STA__DTYPES]);
void sta__casts_v4(sta__loop (*casts)[STA__DTYPES]);

static const struct filler fillers[] = {
    {"v2", sta__casts_v2, {
#define STA_DTYPE(name, number, storage, brief, kind, typestr) [number] = sta__loops_##brief##_v2,
#include <starray/dtypes.def>
#undef STA_DTYPE
    }},
    {"v3", sta__casts_v3, {
#define STA_DTYPE(name, number, storage, brief, kind, typestr) [number] = sta__loops_##brief##_v3,
#include <starray/dtypes.def>
#undef STA_DTYPE
    }},
    {"v4", sta__casts_v4, {
#define STA_DTYPE(name, number, storage, brief, kind, typestr) [number] = sta__loops_##brief##_v4,
#include <starray/dtypes.def>
#undef STA_DTYPE
    }},
};

static sta__loop loops[STA__DTYPES][STA__OPS];
static sta__loop casts[STA__DTYPES][STA__DTYPES];

/* How many of the fillers this CPU can run; v2 is what the library asks of any CPU. */
static int supported(void)
{
    __builtin_cpu_init();
    const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
                    __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
    const bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                    __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                    __builtin_cpu_supports("avx512vl");
    return v4 ? 3 : v3 ? 2 : 1;
}

const char *sta__loops_choose(void)
{
    const char *asked = getenv("STA_ISA");
    int best = supported() - 1;
    for (int k = 0; asked && k < best; k++)
        if (strcmp(asked, fillers[k].name) == 0)
            best = k;
    const struct filler *filler = &fillers[best];
    memset(loops, 0, sizeof loops);
    for (int dtype = 0; dtype < STA__DTYPES; dtype++)
        if (filler->loops[dtype])
            filler->loops[dtype](loops[dtype]);
    filler->casts(casts);
    return filler->name;
}

sta__loop sta__ufunc_loop(int op, sta_dtype loop)
{
    return (unsigned)op < STA__OPS && sta__dtype_valid(loop) ? loops[loop][op] : NULL;
}

sta__loop sta__cast_loop(sta_dtype from, sta_dtype to)
{
    return sta__dtype_valid(from) && sta__dtype_valid(to) ? casts[from][to] : NULL;
}

double sta__cast_cost(sta_dtype from, sta_dtype to)
{
    const bool saturates = sta__dtype_kind(from) >= STA__KIND_FLOATING && sta__dtype_kind(to) < STA__KIND_FLOATING;
    return saturates ? 3 : 1;
}
