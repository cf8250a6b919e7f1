/* Which build of the hot loops this machine runs. loops_*.c are compiled once for each level; `STA__BEST_ISA(table)` is the
 * address of the table of the best one. */
#ifndef STA__ISA_H
#define STA__ISA_H

#if defined __x86_64__
#define STA__DECLARE_ISAS(type, table) extern const type table##_v2, table##_v3, table##_v4
#define STA__BEST_ISA(table) (sta__isa_level() == 4 ? &table##_v4 : sta__isa_level() == 3 ? &table##_v3 : &table##_v2)

static inline int sta__isa_level(void)
{
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !__builtin_cpu_supports("bmi2"))
        return 2;
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
        !__builtin_cpu_supports("avx512dq") || !__builtin_cpu_supports("avx512vl"))
        return 3;
    return 4;
}
#else
#define STA__DECLARE_ISAS(type, table) extern const type table##_base
#define STA__BEST_ISA(table) (&table##_base)
#endif

#endif
