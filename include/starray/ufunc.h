/** @file ufunc.h
 *  Element-wise functions. Each row of ufuncs.def makes two functions:
 *
 *      sta_array sta_add(sta_array x, sta_array y);                      a new array
 *      sta_array sta_add_into(sta_array out, sta_array x, sta_array y);  writes out and returns it
 *
 *  Those with two results (STA_PAIR) return them in a struct: sta_divmod(x, y).remainder.
 *
 *  Operands broadcast as in NumPy. The dtype of the result follows NumPy 2 (NEP 50) and the row's rule. _into computes in
 *  that dtype and then casts to the dtype of out as sta_astype does, whatever the two are: a float result into an integer
 *  array is truncated, where NumPy's out= refuses all casts but those of the same kind. The operands are read first, also
 *  where they are views of out.
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

/** sta_modf and so on into arrays that are there: what each member of the result would be is cast to the dtype of its array, as
 *  _into does. x and y are read before anything is written. Errors: as of _into, in the array concerned. */
void sta_modf_into(sta_array fractional, sta_array integral, sta_array x);
void sta_frexp_into(sta_array mantissa, sta_array exponent, sta_array x);
void sta_divmod_into(sta_array quotient, sta_array remainder, sta_array x, sta_array y);

/** values[k] where conditions[k] is true, of several that of the last; elsewhere values[count], or 0 where there are only
 *  `count` values. Shape and dtype: those of x, to which values broadcast and are cast; computed in one pass. NumPy takes
 *  functions of x[condition] where this one takes arrays: a function of all of x gives the same elements.
 *  Errors: VALUE for another number of values; SHAPE where a condition or value does not broadcast to x. */
sta_array sta_piecewise(sta_array x, const sta_array *conditions, int count, const sta_array *values, int value_count);

/** x rounded to `decimals` digits after the point, halves to the even digit: rint(x * 10^decimals) / 10^decimals, which for
 *  decimals < 0 is rint(x / 10^-decimals) * 10^-decimals, each step in the dtype of x; complex numbers part by part.
 *  Integers: x itself for decimals >= 0; others are computed in float64 and cast back. bool: as sta_rint, float16.
 *  Errors: DTYPE for bool and decimals other than 0. */
sta_array sta_round(sta_array x, int decimals);

/** What sta_nan_to_num_ex puts in place of what is not finite. A member {0}: as sta_nan_to_num. */
typedef struct sta_nan_to_num_options {
    size_t size;                   /**< sizeof(sta_nan_to_num_options) */
    sta_array nan, posinf, neginf; /**< real, of a shape that broadcasts to that of x; cast to its dtype */
} sta_nan_to_num_options;
/** sta_nan_to_num with other replacements: NaN by `nan`, infinity by `posinf`, minus infinity by `neginf`. Complex numbers
 *  part by part. bool and integers: x itself. NULL: as sta_nan_to_num.
 *  Errors: SHAPE for a member that does not broadcast to x; DTYPE for a complex one; VALUE for a wrong `size`. */
sta_array sta_nan_to_num_ex(sta_array x, const sta_nan_to_num_options *options);

/** sta_angle in degrees: NumPy's angle(x, deg=True). */
sta_array sta_angle_deg(sta_array x);

/** The real and the imaginary part, of a complex x as views: sta_assign to them writes x. Of others sta_real is x itself, a
 *  view, and sta_imag zeros. dtype: that of the parts. */
sta_array sta_real(sta_array x);
sta_array sta_imag(sta_array x);

#ifdef __cplusplus
}
#endif
#endif
