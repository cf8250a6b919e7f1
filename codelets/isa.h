/* Which build of the hot loops runs. loops_*.c are compiled once for each level of x86-64, elsewhere once ("base");
 * STA__BEST_ISA(table) is the address of the table of the level in use, STA__EACH_ISA(DO) is DO(level) for each, rising. */
#ifndef STA__ISA_H
#define STA__ISA_H

#if defined __x86_64__
#define STA__DECLARE_ISAS(type, table) extern const type table##_v2, table##_v3, table##_v4
#define STA__EACH_ISA(DO) DO(v2) DO(v3) DO(v4)
#define STA__BEST_ISA(table) (sta__isa() == 2 ? &table##_v4 : sta__isa() == 1 ? &table##_v3 : &table##_v2)
#else
#define STA__DECLARE_ISAS(type, table) extern const type table##_base
#define STA__EACH_ISA(DO) DO(base)
#define STA__BEST_ISA(table) (&table##_base)
#endif

/* Bytes of a vector register of the level that a file of loops is compiled for, whose name is STA__ISA. */
#if defined __AVX512F__
#define STA__VECTOR_BYTES 64
#elif defined __AVX2__
#define STA__VECTOR_BYTES 32
#else
#define STA__VECTOR_BYTES 16
#endif
#define STA__ISA_PASTE(name, isa) name##isa
#define STA__ISA_NAME(name, isa) STA__ISA_PASTE(name, isa)
#define STA__FOR_ISA(name) STA__ISA_NAME(name, STA__ISA)

/* 0, 1, 2 for v2, v3, v4; 0 for base. The best that the processor has, or a lower one that STA_ISA names; chosen once. */
int sta__isa(void);
const char *sta__isa_name(void);
/* The same before STA_ISA is asked: levels.c, or no_levels.c where the processor has none. */
int sta__isa_best(void);
/* Chooses again, by what STA_ISA says now: for tests. */
void sta__isa_choose(void);

#endif
