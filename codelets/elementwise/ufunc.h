/* Element-wise functions without StarPU: the run-time table of ufuncs.def, the dtypes an operation computes in, and the
 * loops. Everything here is pure but sta__loops_choose.
 */
#ifndef STA__UFUNC_H
#define STA__UFUNC_H

#include "internal.h"

/* The rows of ufuncs.def, those for internal use (STA_PART) too. */
enum sta__op {
#define STA_UFUNC(name, arity, kinds, rule, identity, cost, ulp, text, doc) STA__OP_##name,
#define STA_PART(name, arity, kinds, rule, identity, cost, ulp, text, doc) STA__OP_##name,
#include <starray/ufuncs.def>
    STA__OPS
};

enum sta__rule {
    STA__RULE_SAME,
    STA__RULE_POWER, /* SAME, and an integer to a negative weak integer is an error */
    STA__RULE_BOOL,
    STA__RULE_COMPARE,
    STA__RULE_FLOAT,
    STA__RULE_DIVIDE,
    STA__RULE_WIDE,
    STA__RULE_REAL,
    STA__RULE_ANGLE,
    STA__RULE_EXPONENT,
    STA__RULE_SCALE,
    STA__RULE_CHOICE,
    STA__RULE_OPPOSED,
    STA__RULES
};

enum sta__identity {
    STA__IDENTITY_NONE,
    STA__IDENTITY_ZERO,
    STA__IDENTITY_ONE,
    STA__IDENTITY_ALL_ONES, /* every bit set; true for bool */
    STA__IDENTITY_LOWEST    /* minus infinity */
};

/* The kinds column as bits. */
enum {
    STA__TAKES_BOOL = 1,
    STA__TAKES_INTEGER = 2,
    STA__TAKES_FLOATING = 4,
    STA__TAKES_COMPLEX = 8,
    STA__TAKES_BOOL_AS_INT8 = 16,
    STA__TAKES_64 = 32
};

struct sta__ufunc {
    const char *name, *text, *doc;
    int arity;
    unsigned takes;
    enum sta__rule rule;
    enum sta__identity identity;
    double cost; /* of an element, add = 1 */
    double ulp;  /* stated bound for float32 and float64 */
    bool part;   /* no public function of that name */
};

const struct sta__ufunc *sta__ufunc(int op); /* NULL: no such op */
int sta__ufunc_find(const char *name);       /* -1: no such name */

/* ---- types: what NumPy 2 answers for operands of these dtypes ---- */

struct sta__input {
    sta_dtype dtype;
    bool weak;     /* sta_int and its like */
    int64_t value; /* of a weak integer: it must fit the dtype it takes */
};

struct sta__types {
    int op;               /* the row that computes it: another one for comparisons of int64 with uint64 */
    sta_dtype operand[3]; /* what the inputs become in NumPy's terms: weak scalars are rounded to it first */
    sta_dtype compute[3]; /* what the loop reads: float32 for 16-bit floats */
    sta_dtype loop;       /* key of sta__ufunc_loop */
    sta_dtype computed;   /* what the loop writes */
    sta_dtype result;     /* what the operation returns: computed, or a 16-bit float that it is rounded to */
    sta_error_code code;  /* when it is not defined */
    char text[160];
};

/* False: code and text say why, without the op's name ("not defined for bool and bool"). */
bool sta__ufunc_types(int op, const struct sta__input *inputs, struct sta__types *to);
/* The common dtype of operands (NEP 50): NONE where there is none. The weak ones do not pull the strong ones up. */
sta_dtype sta__common_dtype(const struct sta__input *inputs, int count);
bool sta__dtype_holds(sta_dtype dtype, int64_t value); /* an integer dtype and a weak integer; true for other dtypes */

/* ---- loops ---- out[i] = f(in[0][i], ...) for n elements, all contiguous at any alignment. out may be one of the
 * inputs exactly if the sizes of the elements are equal; else they do not overlap. An element's result depends on its
 * inputs alone: the same bits at any place, in any n. */
typedef void (*sta__loop)(int64_t n, void *out, const void *const *in);

/* Picks x86-64-v2, v3 or v4 by what the CPU has; STA_ISA=v2|v3|v4 asks for less. Call it once before the others;
 * returns the choice, "v3". */
const char *sta__loops_choose(void);
/* By types.op and types.loop: NULL where there is none. Its operands are types.compute, its result types.computed. */
sta__loop sta__ufunc_loop(int op, sta_dtype loop);
/* The same where some operands are one element: bit k of `scalars` for operand k. NULL where there is none: the scalar must
 * then be repeated for the whole block. The same bits as the other loop. */
sta__loop sta__ufunc_loop_scalar(int op, sta_dtype loop, unsigned scalars);
/* Float to integer truncates and saturates, NaN gives 0; complex to real drops the imaginary part; to bool is != 0;
 * integers wrap. Equal dtypes copy. NULL for a number that is no dtype. */
sta__loop sta__cast_loop(sta_dtype from, sta_dtype to);
/* Cost of one element of a cast relative to add = 1. */
double sta__cast_cost(sta_dtype from, sta_dtype to);

#endif
