/* Where something is true: nonzero and its like. */
#include "codelets/index/front.h"
#include "codelets/index/mask.h"

#include "composed.h"

#include <starray/scope.h>

/* The indices of x in a form. False: call->error. */
static bool find(struct sta__call *call, sta_array array, int form, struct sta__value **to)
{
    struct sta__operand x;
    struct sta__mask mask = {.value = NULL};
    if (!sta__operand_of(call, array, &x))
        return false;
    if (form == STA__INDICES_APART && x.view.shape.ndim == 0)
        sta__fail(call, STA_ERROR_SHAPE, "an array without axes has no indices");
    bool fine = !call->error && sta__mask_open(call, &x, NULL, false, &mask) && sta__mask_write(call, &mask, form, to);
    sta__mask_end(&mask);
    sta__operand_drop(&x);
    return fine;
}

static sta_array find_one(const char *op, sta_array x, int form)
{
    struct sta__call call = sta__enter(op);
    struct sta__value *value = NULL;
    return sta__leave(&call, find(&call, x, form, &value) ? value : NULL);
}

void sta_nonzero(sta_array *to, sta_array x)
{
    if (sta__no_place("nonzero", to, 1))
        return;
    struct sta__value *values[STA_MAXDIM] = {NULL};
    struct sta__call call = sta__enter("nonzero");
    const sta_error *error;
    int ndim = 1;
    if (find(&call, x, STA__INDICES_APART, values)) {
        struct sta__slot *slot = sta__slot_of(x);
        ndim = slot ? slot->view.shape.ndim : 1;
    }
    error = call.error;
    for (int a = 0; a < ndim; a++) {
        struct sta__call one = a ? sta__enter("nonzero") : call;
        one.error = one.error ? one.error : error;
        to[a] = sta__leave(&one, values[a]);
    }
}

sta_array sta_flatnonzero(sta_array x)
{
    return find_one("flatnonzero", x, STA__INDICES_FLAT);
}

sta_array sta_argwhere(sta_array x)
{
    return find_one("argwhere", x, STA__INDICES_COLUMNS);
}

/* Number i of `count` arrays, along axis i. */
static sta_array across(sta_array ids, int i, int count)
{
    if (!sta__in_error(ids) && (count > STA_MAXDIM || sta_ndim(ids) != 1)) {
        struct sta__call call = sta__enter("ix_");
        if (count > STA_MAXDIM)
            sta__fail(&call, STA_ERROR_SHAPE, "%d index arrays, but an array has %d axes at most", count, STA_MAXDIM);
        else
            sta__fail(&call, STA_ERROR_SHAPE, "index array %d must have one axis", i);
        return sta__leave(&call, NULL);
    }
    sta_dims shape = {.count = count};
    for (int a = 0; a < count && a < STA_MAXDIM; a++)
        shape.at[a] = a == i ? -1 : 1;
    const bool mask = sta_dtype_of(ids) == STA_bool;
    const sta_array line = mask ? sta_flatnonzero(ids) : ids, result = sta_reshape(line, shape);
    if (mask)
        sta_free(line);
    return result;
}

void sta_ix_(sta_array *to, const sta_array *ids, int count)
{
    if (sta__no_place("ix_", to, count))
        return;
    for (int i = 0; i < count; i++)
        to[i] = ids ? across(ids[i], i, count) : sta__failed("ix_", STA_ERROR_VALUE, "the index arrays are NULL");
}
