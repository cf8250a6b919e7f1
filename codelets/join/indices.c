/* Reading indices. Contract: indices.h. */
#include "join/indices.h"

static bool read(struct sta__call *call, struct sta__operand *x, struct sta__indices *to)
{
    sta_dtype dtype = x->value->dtype;
    if (sta__dtype_kind(dtype) > STA__KIND_UNSIGNED || dtype == STA_uint64) {
        sta__fail(call, STA_ERROR_DTYPE, "indices and numbers of elements are integers, not %s", sta_dtype_name(dtype));
        return false;
    }
    to->ndim = x->view.shape.ndim;
    to->mask = dtype == STA_bool;
    if (!sta__shape_size(&x->view.shape, &to->count)) {
        sta__fail(call, STA_ERROR_TOO_LARGE, "there are more indices than 63 bits count");
        return false;
    }
    struct sta__value *whole = sta__prepare(call, x, STA_int64, NULL);
    if (!whole)
        return false;
    struct sta__operand operand = {.value = whole, .view = sta__identity_view(&whole->shape)};
    struct sta__box box = sta__whole_box(&whole->shape);
    to->at = sta__allocate_raw(sizeof *to->at * (size_t)(to->count ? to->count : 1));
    if (!to->at)
        sta__fail_memory(call);
    else if (to->count)
        sta__read_operand(call, &operand, &box, to->at);
    sta__operand_drop(&operand);
    return !call->error;
}

bool sta__indices_read(struct sta__call *call, sta_array x, struct sta__indices *to)
{
    struct sta__operand operand;
    *to = (struct sta__indices){.at = NULL};
    if (!sta__operand_of(call, x, &operand))
        return false;
    read(call, &operand, to);
    sta__operand_drop(&operand);
    if (call->error) {
        sta__release(to->at);
        to->at = NULL;
    }
    return !call->error;
}
