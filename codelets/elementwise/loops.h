/* The loops of one dtype, made from ufuncs.def. loops_*.c include it once per dtype, after its scalar_*.h, having
 * defined
 *     T, STA__BRIEF   as for scalar.h
 *     U               the type of REAL results: T, or the parts of a complex T
 *     W, STA__QUOTIENT, LARGEST   as scalar_*.h asks
 *     OTHER           the type that OPPOSED rows compare with (any type where there are none)
 *     STA__CLASS      B, I, L, F or C: which rows to take; L: 64-bit integers
 * It takes all of them back.
 */

#define STA_UFUNC(name, arity, kinds, rule, identity, cost, ulp, text, doc)                                            \
    STA__SELECT(STA__KINDS_##kinds, STA__LOOP_##arity(name##_values, rule, text))
#define STA_PART(name, arity, kinds, rule, identity, cost, ulp, text, doc)                                             \
    STA__SELECT(STA__KINDS_##kinds, STA__LOOP_##arity(name##_values, rule, text))
#include <starray/ufuncs.def>

#ifdef STA__SCALARS
#define STA_UFUNC(name, arity, kinds, rule, identity, cost, ulp, text, doc)                                            \
    STA__SELECT(STA__KINDS_##kinds, STA__LOOP_SCALAR_##arity(name##_values, rule, text))
#define STA_PART(name, arity, kinds, rule, identity, cost, ulp, text, doc)
#include <starray/ufuncs.def>
#endif

/* Enters the dtype's loops into its row of the table. */
void STA__SYMBOL(STA__NAME(sta__loops))(sta__loop *loops);
void STA__SYMBOL(STA__NAME(sta__loops))(sta__loop *loops)
{
#define STA_UFUNC(name, arity, kinds, rule, identity, cost, ulp, text, doc)                                            \
    STA__SELECT(STA__KINDS_##kinds, loops[STA__OP_##name] = STA__ENTRY(name##_values);)
#define STA_PART(name, arity, kinds, rule, identity, cost, ulp, text, doc)                                             \
    STA__SELECT(STA__KINDS_##kinds, loops[STA__OP_##name] = STA__ENTRY(name##_values);)
#include <starray/ufuncs.def>
#ifdef STA__SCALARS
#define STA_UFUNC(name, arity, kinds, rule, identity, cost, ulp, text, doc)                                            \
    STA__SELECT(STA__KINDS_##kinds, STA__SCALAR_ENTRY_##arity(name))
#define STA_PART(name, arity, kinds, rule, identity, cost, ulp, text, doc)
#include <starray/ufuncs.def>
#endif
}

#undef T
#undef U
#undef W
#undef OTHER
#undef LARGEST
#undef STA__QUOTIENT
#undef STA__BRIEF
#undef STA__CLASS
