/* Which dtypes an element-wise operation computes in and returns: NumPy 2's rules (NEP 50). Pure. */
#include "ufunc.h"

#include <inttypes.h>
#include <stdio.h>

/* ---- the common dtype ---- */

/* Python's bool is as strong as NumPy's. */
static bool is_strong(const struct sta__input *input)
{
    return !input->weak || input->dtype == STA_bool;
}

/* As in NumPy each one meets the highest kind first, so that the order does not matter: int8, uint8 and float16 fit float16,
 * though int8 and uint8 by themselves make an int16, which does not. */
static sta_dtype strong_dtype(const struct sta__input *inputs, int count)
{
    sta_dtype highest = STA_DTYPE_NONE, common = STA_DTYPE_NONE;
    for (int k = 0; k < count; k++)
        if (is_strong(&inputs[k]) &&
            (highest == STA_DTYPE_NONE || sta__dtype_kind(inputs[k].dtype) > sta__dtype_kind(highest)))
            highest = inputs[k].dtype;
    for (int k = 0; k < count; k++)
        if (is_strong(&inputs[k])) {
            const sta_dtype next = sta_promote_types(highest, inputs[k].dtype);
            common = common == STA_DTYPE_NONE ? next : sta_promote_types(common, next);
        }
    return common;
}

/* A weak scalar changes the dtype only if it is of a higher kind; then to the default dtype of that kind. */
static sta_dtype meet_weak(sta_dtype common, sta_dtype weak)
{
    const enum sta__kind kind = sta__dtype_kind(weak);
    if (common == STA_DTYPE_NONE || kind == STA__KIND_BOOL)
        return common == STA_DTYPE_NONE ? weak : common;
    const enum sta__kind have = sta__dtype_kind(common);
    if (kind == STA__KIND_COMPLEX)
        return sta__dtype_complex(common);
    if (kind == STA__KIND_FLOATING)
        return have >= STA__KIND_FLOATING ? common : STA_float64;
    return have == STA__KIND_BOOL ? STA_int64 : common;
}

sta_dtype sta__common_dtype(const struct sta__input *inputs, int count)
{
    const sta_dtype strong = strong_dtype(inputs, count);
    sta_dtype highest = STA_DTYPE_NONE;
    for (int k = 0; k < count; k++)
        if (inputs[k].weak &&
            (highest == STA_DTYPE_NONE || sta__dtype_kind(inputs[k].dtype) > sta__dtype_kind(highest)))
            highest = inputs[k].dtype;
    return highest == STA_DTYPE_NONE ? strong : meet_weak(strong, highest);
}

bool sta__dtype_holds(sta_dtype dtype, int64_t value)
{
    const enum sta__kind kind = sta__dtype_kind(dtype);
    const int bits = 8 * (int)sta_itemsize(dtype);
    if (kind == STA__KIND_SIGNED)
        return bits == 64 || (value >= -(INT64_C(1) << (bits - 1)) && value < INT64_C(1) << (bits - 1));
    if (kind == STA__KIND_UNSIGNED)
        return value >= 0 && (bits == 64 || value < INT64_C(1) << bits);
    return true;
}

/* ---- rules ---- */

static sta_dtype same(sta_dtype dtype)
{
    return dtype;
}

static sta_dtype as_float(sta_dtype dtype)
{
    if (sta__dtype_kind(dtype) >= STA__KIND_FLOATING)
        return dtype;
    const size_t bytes = sta_itemsize(dtype);
    return bytes == 1 ? STA_float16 : bytes == 2 ? STA_float32 : STA_float64;
}

/* NumPy's angle is arctan2(0, x), where the 0 makes an int64 of bool. */
static sta_dtype as_angle(sta_dtype dtype)
{
    return dtype == STA_bool ? STA_float64 : as_float(dtype);
}

static sta_dtype as_wide(sta_dtype dtype)
{
    return sta__dtype_kind(dtype) == STA__KIND_COMPLEX ? STA_complex128 : STA_float64;
}

static sta_dtype to_bool(sta_dtype dtype)
{
    (void)dtype;
    return STA_bool;
}

static sta_dtype to_int32(sta_dtype dtype)
{
    (void)dtype;
    return STA_int32;
}

static const struct rule {
    sta_dtype (*in)(sta_dtype common); /* what the operands become */
    sta_dtype (*out)(sta_dtype operand);
    sta_dtype x, y; /* an operand of a dtype of its own, which does not take part in the common one */
} rules[STA__RULES] = {
    [STA__RULE_SAME] = {same, same, 0, 0},
    [STA__RULE_POWER] = {same, same, 0, 0},
    [STA__RULE_BOOL] = {same, to_bool, 0, 0},
    [STA__RULE_COMPARE] = {same, to_bool, 0, 0},
    [STA__RULE_FLOAT] = {as_float, same, 0, 0},
    [STA__RULE_DIVIDE] = {sta__dtype_inexact, same, 0, 0},
    [STA__RULE_WIDE] = {as_wide, same, 0, 0},
    [STA__RULE_REAL] = {same, sta__dtype_real, 0, 0},
    [STA__RULE_ANGLE] = {as_angle, sta__dtype_real, 0, 0},
    [STA__RULE_EXPONENT] = {as_float, to_int32, 0, 0},
    [STA__RULE_SCALE] = {as_float, same, 0, STA_int64},
    [STA__RULE_CHOICE] = {same, same, STA_bool, 0},
    [STA__RULE_OPPOSED] = {same, to_bool, 0, 0},
};

static bool undefined(const struct sta__ufunc *row, const struct sta__input *in, struct sta__types *to)
{
    const char *const between[3][3] = {{""}, {"", " and "}, {"", ", ", " and "}};
    int used = snprintf(to->text, sizeof to->text, "not defined for ");
    for (int k = 0; k < row->arity; k++)
        used += snprintf(to->text + used, sizeof to->text - (size_t)used, "%s%s", between[row->arity - 1][k],
                         sta_dtype_name(in[k].dtype));
    to->code = STA_ERROR_DTYPE;
    return false;
}

static bool is_integer(sta_dtype dtype)
{
    return sta__dtype_kind(dtype) == STA__KIND_SIGNED || sta__dtype_kind(dtype) == STA__KIND_UNSIGNED;
}

static bool is_weak_integer(const struct sta__input *in)
{
    return in->weak && in->dtype == STA_int64;
}

/* Every weak integer must have a value that the dtype can hold, as Python's in NumPy. */
static bool weak_integers_fit(sta_dtype dtype, const struct sta__input *in, int count, struct sta__types *to)
{
    for (int k = 0; k < count; k++) {
        if (!is_weak_integer(&in[k]) || sta__dtype_holds(dtype, in[k].value))
            continue;
        snprintf(to->text, sizeof to->text, "the integer %" PRId64 " does not fit %s", in[k].value,
                 sta_dtype_name(dtype));
        to->code = STA_ERROR_VALUE;
        return false;
    }
    return true;
}

/* ---- comparisons of integers by value, whatever their signs ---- */

static bool compare_opposed(int op, bool x_is_signed, struct sta__types *to)
{
    const sta_dtype x = x_is_signed ? STA_int64 : STA_uint64, y = x_is_signed ? STA_uint64 : STA_int64;
    *to = (struct sta__types){.op = op - STA__OP_greater + STA__OP_greater_opposed,
                              .operand = {x, y},
                              .compute = {x, y},
                              .loop = x,
                              .computed = STA_bool,
                              .result = STA_bool};
    return true;
}

/* Whether the comparison is of integers that no common integer dtype holds; if so `to` is filled in. A weak integer
 * that does not fit is compared as int64. */
static bool compare_by_value(int op, const struct sta__input *in, sta_dtype *common, struct sta__types *to)
{
    if (!is_integer(in[0].dtype) || !is_integer(in[1].dtype))
        return false;
    if (*common == STA_float64)
        return compare_opposed(op, sta__dtype_kind(in[0].dtype) == STA__KIND_SIGNED, to);
    for (int k = 0; k < 2; k++) {
        if (!is_weak_integer(&in[k]) || sta__dtype_holds(*common, in[k].value))
            continue;
        if (*common == STA_uint64)
            return compare_opposed(op, k == 0, to);
        *common = STA_int64;
    }
    return false;
}

/* ---- resolution ---- */

/* The dtype in the row's terms, NONE where the row does not take it. */
static sta_dtype accepted(const struct sta__ufunc *row, sta_dtype dtype)
{
    static const unsigned bit[] = {[STA__KIND_BOOL] = STA__TAKES_BOOL,
                                   [STA__KIND_SIGNED] = STA__TAKES_INTEGER,
                                   [STA__KIND_UNSIGNED] = STA__TAKES_INTEGER,
                                   [STA__KIND_FLOATING] = STA__TAKES_FLOATING,
                                   [STA__KIND_COMPLEX] = STA__TAKES_COMPLEX};
    if (dtype == STA_bool && row->takes & STA__TAKES_BOOL_AS_INT8)
        return STA_int8;
    return row->takes & bit[sta__dtype_kind(dtype)] ? dtype : STA_DTYPE_NONE;
}

/* The operands of FLOAT each become a float before they meet: int8 with uint8 is computed in float16. */
static sta_dtype meet_as_floats(const struct sta__input *in)
{
    return sta_promote_types(as_float(in[0].dtype), as_float(in[1].dtype));
}

/* 16-bit floats are computed in float32 unless the row has loops of their own. */
static sta_dtype computed_in(int op, sta_dtype dtype)
{
    const bool half = dtype == STA_float16 || dtype == STA_bfloat16;
    return half && !sta__ufunc_loop(op, dtype) ? STA_float32 : dtype;
}

bool sta__ufunc_types(int op, const struct sta__input *inputs, struct sta__types *to)
{
    *to = (struct sta__types){.op = op};
    const struct sta__ufunc *row = sta__ufunc(op);
    const struct rule *rule = &rules[row->rule];
    const int first = rule->x ? 1 : 0, count = (rule->y ? 1 : row->arity) - first; /* those with the common dtype */
    sta_dtype common = sta__common_dtype(inputs + first, count);
    if (common == STA_DTYPE_NONE || (rule->y && sta__dtype_kind(inputs[1].dtype) >= STA__KIND_FLOATING))
        return undefined(row, inputs, to);
    if (row->rule == STA__RULE_COMPARE && compare_by_value(op, inputs, &common, to))
        return true;
    if (row->rule == STA__RULE_FLOAT && row->arity == 2 && !inputs[0].weak && !inputs[1].weak)
        common = meet_as_floats(inputs);
    sta_dtype operand = accepted(row, rule->in(common));
    if (operand == STA_DTYPE_NONE)
        return undefined(row, inputs, to);
    if (!weak_integers_fit(operand, inputs + first, count, to)) {
        if (row->rule != STA__RULE_BOOL)
            return false;
        operand = STA_int64; /* whether an integer is 0 shows in any dtype */
    }
    if (row->rule == STA__RULE_POWER && is_integer(operand) && is_weak_integer(&inputs[1]) && inputs[1].value < 0) {
        to->code = STA_ERROR_VALUE;
        snprintf(to->text, sizeof to->text, "integers to negative integer powers are not allowed");
        return false;
    }
    to->loop = computed_in(op, operand);
    for (int k = 0; k < row->arity; k++) {
        const sta_dtype own = k == 0 ? rule->x : k == 1 ? rule->y : STA_DTYPE_NONE;
        to->operand[k] = own ? own : operand;
        to->compute[k] = own ? own : to->loop;
    }
    to->computed = rule->out(to->loop);
    to->result = rule->out(operand);
    return true;
}
