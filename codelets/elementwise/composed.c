/* Element-wise functions that are made of several of the table, and what follows from their dtypes. */
#include "composed.h"
#include "elementwise/front.h"

#include <starray/logic.h>

/* Leaves with the operand as a new array. */
static sta_array leave(struct sta__call *call, struct sta__operand operand)
{
    struct sta__value *value = operand.value;
    if (!value)
        return sta__leave(call, NULL);
    struct sta__view view;
    sta__view_copy(&view, &operand.view);
    return sta__leave_under(call, value, &view);
}

/* The elements of x as they are now: a copy where they can change, or could not be written. */
static struct sta__operand copied(struct sta__call *call, struct sta__operand x)
{
    const struct sta__value *value = x.value;
    if (!value->user && !value->weak && sta__view_is_identity(&x.view, &value->shape))
        return x;
    return sta__cast(call, x, value->dtype);
}

/* ---- round ---- */

/* As NumPy makes it: exact up to 10^22. */
static double power_of_ten(int exponent)
{
    double power = 1;
    for (int i = 0; i < exponent && i < 400; i++)
        power *= 10;
    return power;
}

static struct sta__operand scaled(struct sta__call *call, struct sta__operand x, double by, bool up)
{
    if (!x.value)
        return x;
    const bool complex = sta__dtype_kind(x.value->dtype) == STA__KIND_COMPLEX;
    struct sta__operand scale = sta__number(call, by, by, complex);
    if (complex)
        return up ? STA__BINARY(call, multiply_parts, x, scale) : STA__BINARY(call, divide_parts, x, scale);
    return up ? STA__BINARY(call, multiply, x, scale) : STA__BINARY(call, divide, x, scale);
}

static struct sta__operand rounded(struct sta__call *call, struct sta__operand x, int decimals)
{
    const sta_dtype dtype = x.value->dtype;
    const enum sta__kind kind = sta__dtype_kind(dtype);
    if ((kind == STA__KIND_SIGNED || kind == STA__KIND_UNSIGNED) && decimals >= 0)
        return copied(call, x);
    if (decimals == 0)
        return STA__UNARY(call, rint, x);
    if (kind == STA__KIND_BOOL) {
        sta__fail(call, STA_ERROR_DTYPE, "bool has no decimals");
        sta__operand_drop(&x);
        return sta__whole(NULL);
    }
    const bool up = decimals > 0;
    const double scale = power_of_ten(up ? decimals : -decimals);
    struct sta__operand moved = scaled(call, x, scale, up);
    struct sta__operand back = scaled(call, STA__UNARY(call, rint, moved), scale, !up);
    return kind >= STA__KIND_FLOATING ? back : sta__cast(call, back, dtype);
}

sta_array sta_angle_deg(sta_array x)
{
    const sta_scope scope = sta_open();
    return sta__composed(scope, sta_rad2deg(sta_angle(x)));
}

sta_array sta_round(sta_array x, int decimals)
{
    struct sta__call call = sta__enter("round");
    struct sta__operand operand;
    if (!sta__operand_of(&call, x, &operand))
        return sta__leave(&call, NULL);
    return leave(&call, rounded(&call, operand, decimals > 400 ? 400 : decimals < -400 ? -400 : decimals));
}

/* Of real numbers; those of complex ones are views (src/reframe.c). */
sta_array sta__imag_of_real(sta_array x)
{
    struct sta__call call = sta__enter("imag");
    struct sta__operand operand;
    if (!sta__operand_of(&call, x, &operand))
        return sta__leave(&call, NULL);
    return leave(&call, STA__UNARY(&call, imag_part, operand));
}

/* ---- nan_to_num ---- */

/* A member of the options as it meets x; `otherwise` where it is not given. */
static struct sta__operand replacement(struct sta__call *call, sta_array given, const struct sta__operand *x,
                                       double otherwise)
{
    struct sta__operand value;
    if (call->error)
        return sta__whole(NULL);
    if (given.id == 0)
        return sta__number(call, otherwise, 0, false);
    if (!sta__operand_of(call, given, &value))
        return sta__whole(NULL);
    struct sta__shape shape = x->view.shape;
    if (sta__dtype_kind(value.value->dtype) == STA__KIND_COMPLEX)
        sta__fail(call, STA_ERROR_DTYPE, "a replacement is a real number, not %s", sta_dtype_name(value.value->dtype));
    else if (!sta__broadcast(&shape, &value.view.shape) || !sta__shape_equal(&shape, &x->view.shape))
        sta__fail(call, STA_ERROR_SHAPE, "a replacement does not broadcast to the array");
    if (!call->error)
        return sta__cast(call, value, sta__dtype_real(x->value->dtype));
    sta__operand_drop(&value);
    return sta__whole(NULL);
}

static struct sta__operand replaced(struct sta__call *call, struct sta__operand x,
                                    const sta_nan_to_num_options *options)
{
    const double largest = sta_finfo(x.value->dtype).max;
    struct sta__operand nan = replacement(call, options->nan, &x, 0);
    struct sta__operand above = replacement(call, options->posinf, &x, largest);
    struct sta__operand below = replacement(call, options->neginf, &x, -largest);
    struct sta__operand finite = STA__TERNARY(call, replace_infinities, sta__again(&x), above, below);
    return STA__TERNARY(call, replace_nan, x, nan, finite);
}

sta_array sta_nan_to_num_ex(sta_array x, const sta_nan_to_num_options *options)
{
    static const sta_nan_to_num_options none = {.size = sizeof none};
    struct sta__call call = sta__enter("nan_to_num");
    struct sta__operand operand;
    options = options ? options : &none;
    if (!sta__operand_of(&call, x, &operand))
        return sta__leave(&call, NULL);
    if (options->size != sizeof *options) {
        sta__operand_drop(&operand);
        return sta__leave(&call, sta__fail(&call, STA_ERROR_VALUE, "options of a wrong size"));
    }
    const bool exact = sta__dtype_kind(operand.value->dtype) < STA__KIND_FLOATING;
    return leave(&call, exact ? copied(&call, operand) : replaced(&call, operand, options));
}

/* ---- closeness, equality ---- */

static struct sta__operand both_nan(struct sta__call *call, const struct sta__operand *x, const struct sta__operand *y)
{
    struct sta__operand first = STA__UNARY(call, isnan, sta__again(x)), second = STA__UNARY(call, isnan, sta__again(y));
    return STA__BINARY(call, bitwise_and, first, second);
}

/* The least integer has no absolute value, so y is a float; weak where it was. */
static struct sta__operand as_inexact(struct sta__call *call, struct sta__operand y)
{
    const sta_dtype dtype = y.value->dtype;
    if (!y.value->weak || sta__dtype_kind(dtype) >= STA__KIND_FLOATING)
        return y.value->weak || sta__dtype_inexact(dtype) == dtype ? y : sta__cast(call, y, sta__dtype_inexact(dtype));
    const double number = dtype == STA_bool ? *(const uint8_t *)y.value->data : (double)*(const int64_t *)y.value->data;
    sta__operand_drop(&y);
    return sta__number(call, number, 0, false);
}

static struct sta__operand near(struct sta__call *call, struct sta__operand x, struct sta__operand y,
                                const sta_isclose_options *options)
{
    struct sta__operand rtol = sta__number(call, options->rtol, 0, false);
    struct sta__operand atol = sta__number(call, options->atol, 0, false);
    struct sta__operand size = STA__UNARY(call, absolute, sta__again(&y));
    struct sta__operand limit = STA__BINARY(call, add, atol, STA__BINARY(call, multiply, rtol, size));
    struct sta__operand difference = STA__BINARY(call, subtract, sta__again(&x), sta__again(&y));
    struct sta__operand within = STA__BINARY(call, less_equal, STA__UNARY(call, absolute, difference), limit);
    struct sta__operand finite = STA__UNARY(call, isfinite, sta__again(&y));
    struct sta__operand equal = STA__BINARY(call, equal, sta__again(&x), sta__again(&y));
    struct sta__operand close = STA__BINARY(call, bitwise_or, STA__BINARY(call, bitwise_and, within, finite), equal);
    if (options->equal_nan)
        close = STA__BINARY(call, bitwise_or, close, both_nan(call, &x, &y));
    sta__operand_drop(&x);
    sta__operand_drop(&y);
    return close;
}

static bool two_operands(struct sta__call *call, sta_array x, sta_array y, struct sta__operand *a,
                         struct sta__operand *b)
{
    if (!sta__operand_of(call, x, a))
        return false;
    if (sta__operand_of(call, y, b))
        return true;
    sta__operand_drop(a);
    return false;
}

static sta_array isclose(const char *name, sta_array x, sta_array y, const sta_isclose_options *options)
{
    static const sta_isclose_options defaults = STA_ISCLOSE_DEFAULTS;
    struct sta__call call = sta__enter(name);
    struct sta__operand a, b;
    options = options ? options : &defaults;
    if (options->size != sizeof *options)
        sta__fail(&call, STA_ERROR_VALUE, "options of a wrong size");
    if (!two_operands(&call, x, y, &a, &b))
        return sta__leave(&call, NULL);
    b = as_inexact(&call, b);
    return leave(&call, near(&call, a, b, options));
}

sta_array sta_isclose(sta_array x, sta_array y, const sta_isclose_options *options)
{
    return isclose("isclose", x, y, options);
}

/* The elements' answers are no longer needed. */
static sta_array all_of(sta_array answers)
{
    sta_array all = sta_all(answers, STA_ALL, 0);
    sta_free(answers);
    return all;
}

sta_array sta_allclose(sta_array x, sta_array y, const sta_isclose_options *options)
{
    return all_of(isclose("allclose", x, y, options));
}

sta_array sta_array_equal(sta_array x, sta_array y, int equal_nan)
{
    struct sta__call call = sta__enter("array_equal");
    struct sta__operand a, b;
    if (!two_operands(&call, x, y, &a, &b))
        return sta__leave(&call, NULL);
    const bool comparable = sta__shape_equal(&a.view.shape, &b.view.shape);
    if (!comparable) {
        const struct sta__shape scalar = {.ndim = 0};
        struct sta__value *no = sta__value_now(STA_bool, &scalar); /* zeroed */
        sta__operand_drop(&a);
        sta__operand_drop(&b);
        return sta__leave(&call, no ? no : sta__fail_memory(&call));
    }
    struct sta__operand equal = STA__BINARY(&call, equal, sta__again(&a), sta__again(&b));
    if (equal_nan)
        equal = STA__BINARY(&call, bitwise_or, equal, both_nan(&call, &a, &b));
    sta__operand_drop(&a);
    sta__operand_drop(&b);
    return all_of(leave(&call, equal));
}

/* Not by the shape alone: whether they broadcast is what is asked. */
sta_array sta_array_equiv(sta_array x, sta_array y)
{
    struct sta__call call = sta__enter("array_equiv");
    struct sta__operand a, b;
    if (!two_operands(&call, x, y, &a, &b))
        return sta__leave(&call, NULL);
    struct sta__shape shape = a.view.shape;
    if (sta__broadcast(&shape, &b.view.shape))
        return all_of(leave(&call, STA__BINARY(&call, equal, a, b)));
    const struct sta__shape scalar = {.ndim = 0};
    struct sta__value *no = sta__value_now(STA_bool, &scalar); /* zeroed */
    sta__operand_drop(&a);
    sta__operand_drop(&b);
    return sta__leave(&call, no ? no : sta__fail_memory(&call));
}

int sta_iscomplexobj(sta_array x)
{
    const sta_dtype dtype = sta_dtype_of(x);
    return dtype == STA_complex64 || dtype == STA_complex128;
}

int sta_isrealobj(sta_array x)
{
    return sta_dtype_of(x) != STA_DTYPE_NONE && !sta_iscomplexobj(x);
}

/* ---- dtypes ---- */

static bool inputs_of(struct sta__call *call, const sta_array *x, int count, struct sta__input *inputs)
{
    for (int i = 0; i < count; i++) {
        struct sta__operand operand;
        if (!sta__operand_of(call, x[i], &operand))
            return false;
        inputs[i] = (struct sta__input){operand.value->dtype, operand.value->weak, 0};
        sta__operand_drop(&operand);
    }
    return true;
}

sta_dtype sta_result_type(const sta_array *x, int count)
{
    struct sta__call call = sta__enter("result_type");
    struct sta__input *inputs = x && count > 0 ? sta__allocate(sizeof *inputs * (size_t)count) : NULL;
    const bool fine = inputs && inputs_of(&call, x, count, inputs);
    const sta_dtype common = fine ? sta__common_dtype(inputs, count) : STA_DTYPE_NONE;
    sta__release(inputs);
    sta__leave_error(&call); /* NONE tells it */
    return common;
}
