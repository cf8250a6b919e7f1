/** @file ufunc.h
 *  Element-wise functions. Each row of ufuncs.def makes two functions:
 *
 *      sta_array sta_add(sta_array x, sta_array y);                      a new array
 *      sta_array sta_add_into(sta_array out, sta_array x, sta_array y);  writes out and returns it
 *
 *  Those with two results (STA_PAIR) return them in a struct: sta_divmod(x, y).remainder.
 *
 *  Operands broadcast as in NumPy. The dtype of the result follows NumPy 2 (NEP 50) and the row's rule. _into casts the
 *  result to the dtype of out, as if the operands had been read first.
 *  Errors: SHAPE if the operands do not broadcast; DTYPE if the function is not defined for them; VALUE if a weak
 *  integer does not fit the dtype it meets; READ_ONLY if out cannot be written.
 */
#ifndef STARRAY_UFUNC_H
#define STARRAY_UFUNC_H

#include <starray/array.h>

#ifdef __cplusplus
extern "C" {
#endif

#define STA__PROTOTYPE_1(name)                                                                                         \
    sta_array sta_##name(sta_array x);                                                                                 \
    sta_array sta_##name##_into(sta_array out, sta_array x);
#define STA__PROTOTYPE_2(name)                                                                                         \
    sta_array sta_##name(sta_array x, sta_array y);                                                                    \
    sta_array sta_##name##_into(sta_array out, sta_array x, sta_array y);
#define STA__PROTOTYPE_3(name)                                                                                         \
    sta_array sta_##name(sta_array x, sta_array y, sta_array z);                                                       \
    sta_array sta_##name##_into(sta_array out, sta_array x, sta_array y, sta_array z);

#define STA__PROTOTYPE_PAIR_1(name) sta_##name##_result sta_##name(sta_array x);
#define STA__PROTOTYPE_PAIR_2(name) sta_##name##_result sta_##name(sta_array x, sta_array y);
#define STA_UFUNC(name, arity, kinds, rule, identity, cost, ulp, text, doc) STA__PROTOTYPE_##arity(name)
#define STA_PAIR(name, arity, first, second, first_op, second_op, doc)                                                 \
    typedef struct sta_##name##_result {                                                                               \
        sta_array first, second;                                                                                       \
    } sta_##name##_result;                                                                                             \
    STA__PROTOTYPE_PAIR_##arity(name)
#include <starray/ufuncs.def>

#ifdef __cplusplus
}
#endif
#endif
