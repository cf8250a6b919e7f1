/* Which build of the hot loops runs. loops_*.c are compiled once for each level of x86-64, elsewhere once ("base");
 * STA__BEST_ISA(table) is the address of the table of the level in use. */
#ifndef STA__ISA_H
#define STA__ISA_H

#if defined __x86_64__
#define STA__DECLARE_ISAS(type, table) extern const type table##_v2, table##_v3, table##_v4
#define STA__BEST_ISA(table) (sta__isa() == 2 ? &table##_v4 : sta__isa() == 1 ? &table##_v3 : &table##_v2)
#else
#define STA__DECLARE_ISAS(type, table) extern const type table##_base
#define STA__BEST_ISA(table) (&table##_base)
#endif

/* 0, 1, 2 for v2, v3, v4; 0 for base. The best that the processor has, or a lower one that STA_ISA names; chosen once. */
int sta__isa(void);
const char *sta__isa_name(void);
/* Chooses again, by what STA_ISA says now: for tests. */
void sta__isa_choose(void);

#endif
