/* Functions made of several: their steps. Contract: front.h. */
#include "elementwise/front.h"

#include <string.h>

struct sta__operand sta__whole(struct sta__value *value)
{
    struct sta__operand operand = {.value = value};
    if (value)
        operand.view = sta__identity_view(&value->shape);
    return operand;
}

struct sta__operand sta__again(const struct sta__operand *operand)
{
    struct sta__operand again = {.value = operand->value ? sta__value_take(operand->value) : NULL};
    if (again.value)
        sta__view_copy(&again.view, &operand->view);
    return again;
}

struct sta__operand sta__number(struct sta__call *call, double re, double im, bool complex)
{
    const struct sta__shape scalar = {.ndim = 0};
    const sta_complex128 number = {re, im};
    struct sta__value *value = sta__value_now(complex ? STA_complex128 : STA_float64, &scalar);
    if (!value)
        return sta__whole(sta__fail_memory(call));
    memcpy(value->data, &number, sta_itemsize(value->dtype));
    value->weak = true;
    return sta__whole(value);
}

struct sta__operand sta__cast(struct sta__call *call, struct sta__operand x, sta_dtype dtype)
{
    if (!x.value)
        return x;
    struct sta__value *value = sta__node_cast(call, &x, dtype);
    if (value && !sta__submit_when_now(call, value)) {
        sta__value_drop(value);
        value = NULL;
    }
    return sta__whole(value);
}

struct sta__operand sta__apply(struct sta__call *call, int op, int arity, struct sta__operand *in)
{
    bool fine = true;
    for (int i = 0; i < arity; i++)
        fine = fine && in[i].value;
    struct sta__value *value = fine ? sta__ufunc_value(call, op, in, arity) : NULL;
    for (int i = 0; i < arity; i++)
        sta__operand_drop(&in[i]);
    return sta__whole(value);
}
