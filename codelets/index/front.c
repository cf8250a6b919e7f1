/* Reading, writing and operators by any index: the public functions. */
#include "codelets/index/fill.h"
#include "codelets/index/front.h"

#include "slice.h"

#include <string.h>

/* ---- what all of them share ---- */

bool sta__has_arrays(sta_items items)
{
    for (int i = 0; items.at && i < items.count; i++)
        if (items.at[i].kind == STA_SPAN_ARRAY)
            return true;
    return false;
}

bool sta__index_view(struct sta__call *call, struct sta__view *view, sta_items items)
{
    char why[STA__WHY] = "";
    sta_error_code error = items.count > STA__MAXSPANS ? STA_ERROR_INDEX : STA_ERROR_NONE;
    if (error)
        sta__fail(call, error, "too many indices: an array has at most %d axes", STA_MAXDIM);
    else if ((error = sta__view_index(view, items.at, items.count, why)))
        sta__fail(call, error, "%s", why);
    return !error;
}

struct sta__operand sta__whole_number(struct sta__call *call, int64_t number)
{
    struct sta__shape scalar = {.ndim = 0};
    struct sta__value *value = call->error ? NULL : sta__value_now(STA_int64, &scalar);
    if (!value)
        return sta__fail_memory(call), sta__whole(NULL);
    memcpy(value->data, &number, sizeof number);
    return sta__whole(value);
}

void sta__pass_error(sta_array to, sta_array from)
{
    struct sta__call call = {.op = "view", .locked = !sta__runtime.forked};
    struct sta__target target;
    if (!call.locked)
        return;
    sta__lock();
    const struct sta__slot *source = sta__slot_of(from);
    call.error = source ? source->error : NULL;
    if (!source)
        sta__fail_memory(&call);
    if (call.error) {
        sta__target_open(&call, to, &target);
        target.refused |= source && source->store; /* else the view was never made: what was to be written is not */
        sta__target_close(&call, &target);
    }
    sta__call_end(&call);
}

/* The mask alone, for the leading axes of x: {0} where the index is another one. */
static bool only_mask(struct sta__call *call, const struct sta__view *view, sta_items items, struct sta__operand *mask)
{
    if (items.count != 1 || !items.at || items.at[0].kind != STA_SPAN_ARRAY || sta__view_overlaps_itself(view))
        return false;
    if (!sta__operand_of(call, items.at[0].by, mask))
        return false;
    bool fits =
        mask->value->dtype == STA_bool && mask->view.shape.ndim > 0 && mask->view.shape.ndim <= view->shape.ndim;
    for (int a = 0; fits && a < mask->view.shape.ndim; a++)
        fits = mask->view.shape.at[a] == view->shape.at[a];
    if (!fits)
        sta__operand_drop(mask);
    return fits;
}

/* ---- reading ---- */

/* Whether the view shows the elements of the shape in the order in which they lie: only axes of length 1 have moved. */
static bool keeps_order(const struct sta__view *view, const struct sta__shape *shape)
{
    for (int s = 0, last = -1; s < shape->ndim; s++) {
        if (shape->at[s] == 1)
            continue;
        if (view->map[s].axis < last)
            return false;
        last = view->map[s].axis;
    }
    return true;
}

/* The elements were moved in the order of the selection: an array of them has them in the order of its own axes, as any
 * new array, so that what ravel and reshape view does not depend on the index. */
static struct sta__value *in_order(struct sta__call *call, struct sta__value *value, struct sta__view *view)
{
    if (keeps_order(view, &value->shape))
        return value;
    struct sta__operand moved = {.value = value};
    sta__view_copy(&moved.view, view);
    struct sta__value *copy = sta__node_cast(call, &moved, value->dtype);
    if (copy && !sta__submit_when_now(call, copy)) {
        sta__value_drop(copy);
        return NULL;
    }
    if (copy)
        *view = sta__identity_view(&copy->shape);
    return copy;
}

/* By a selection that was made, or failed. */
sta_array sta__read_selected(struct sta__call *call, struct sta__operand *x, struct sta__selection *s, bool fine)
{
    struct sta__value *value = NULL;
    struct sta__layout layout;
    if (fine && sta__submit_values(call, &x->value, 1)) {
        layout = sta__select_layout(s);
        value = sta__move_read(call, x->value, s, &layout);
    }
    if (value)
        value = in_order(call, value, &layout.order);
    sta__select_end(s);
    sta__operand_drop(x);
    return sta__leave_under(call, value, &layout.order);
}

static struct sta__value *copy_of_view(struct sta__call *call, struct sta__operand *x, sta_items items)
{
    if (!sta__index_view(call, &x->view, items))
        return NULL;
    struct sta__value *copy = sta__node_cast(call, x, x->value->dtype);
    if (copy && !sta__submit_when_now(call, copy)) {
        sta__value_drop(copy);
        return NULL;
    }
    return copy;
}

sta_array sta_at(sta_array x, sta_items index)
{
    struct sta__call call = sta__enter("at");
    struct sta__operand from, mask;
    struct sta__selection s = {.arrays = 0};
    if (!sta__operand_of(&call, x, &from))
        return sta__leave(&call, NULL);
    if (sta__has_arrays(index) && !only_mask(&call, &from.view, index, &mask))
        return sta__read_selected(&call, &from, &s, sta__select(&call, &from.view, index, &s));
    struct sta__value *value = NULL;
    if (sta__has_arrays(index)) {
        value = sta__mask_take(&call, &from, &mask);
        sta__operand_drop(&mask);
    } else {
        value = copy_of_view(&call, &from, index);
    }
    sta__operand_drop(&from);
    return sta__leave(&call, value);
}

/* ---- writing ---- */

void sta__write_selected(struct sta__call *call, struct sta__target *target, struct sta__selection *s,
                         struct sta__operand *source, int op)
{
    struct sta__writing writing = {.s = s, .source = source, .op = op};
    do {
        sta__frame_write(call, target->store, target->frame, sta__index_write, &writing);
    } while (writing.again && !call->error);
    target->refused |= writing.refused;
}

/* The source without an axis of length 1 that stands for the true elements. */
static struct sta__operand value_of(const struct sta__operand *source, int rest)
{
    struct sta__operand value = sta__again(source);
    if (value.view.shape.ndim > rest) {
        for (int k = 0; k < value.view.store_ndim; k++)
            value.view.map[k].axis = value.view.map[k].axis < 1 ? -1 : value.view.map[k].axis - 1;
        memmove(value.view.shape.at, value.view.shape.at + 1, sizeof(int64_t) * (size_t)--value.view.shape.ndim);
    }
    return value;
}

/* where(mask, value, x), in one pass; the value's reference is taken over. */
static void choose(struct sta__call *call, const struct sta__operand *mask, struct sta__operand value,
                   struct sta__operand *x)
{
    struct sta__operand wide = sta__again(mask);
    int rest = x->view.shape.ndim - wide.view.shape.ndim;
    for (int a = 0; a < rest; a++)
        wide.view.shape.at[wide.view.shape.ndim++] = 1;
    *x = STA__TERNARY(call, where, wide, sta__cast(call, value, x->value->dtype), *x);
}

/* In place. False: it cannot be, and nothing was done. */
static bool fill(struct sta__call *call, const struct sta__target *target, const struct sta__operand *mask,
                 const struct sta__operand *value)
{
    struct sta__mask_filling filling = {.mask = mask, .value = value};
    bool whole = sta__view_is_identity(&target->view, sta__frame_shape(target->store, target->frame));
    if (whole && target->store->value->state == STA__TILED && !(target->frame && target->frame->window))
        sta__frame_write(call, target->store, target->frame, sta__mask_fill, &filling);
    return filling.done || call->error;
}

static bool does_not_tell_apart(const struct sta__operand *mask, const struct sta__operand *source,
                                const struct sta__view *x)
{
    int rest = x->shape.ndim - mask->view.shape.ndim, ndim = source->view.shape.ndim;
    if (ndim > rest + 1 || (ndim == rest + 1 && source->view.shape.at[0] != 1))
        return false;
    for (int a = 1; a <= rest && a <= ndim; a++) {
        int64_t length = source->view.shape.at[ndim - a];
        if (length != 1 && length != x->shape.at[x->shape.ndim - a])
            return false;
    }
    return true;
}

/* x[mask] = source where the source does not tell true elements apart. False: it is to be done by indices. The source is
 * used up where it is true. */
static bool assign_by_mask(struct sta__call *call, sta_array array, const struct sta__target *target, sta_items items,
                           struct sta__operand *source)
{
    struct sta__operand mask, x;
    if (!only_mask(call, &target->view, items, &mask))
        return false;
    bool fine = does_not_tell_apart(&mask, source, &target->view);
    if (fine) {
        struct sta__operand value = value_of(source, target->view.shape.ndim - mask.view.shape.ndim);
        sta__operand_drop(source);
        if (!fill(call, target, &mask, &value) && sta__operand_of(call, array, &x)) {
            choose(call, &mask, sta__again(&value), &x);
            sta__assign(call, array, &x);
        }
        sta__operand_drop(&value);
    }
    sta__operand_drop(&mask);
    return fine;
}

/* Of weak numbers the dtype that they take: they are rounded to it first. */
static void settle_weak(struct sta__call *call, int op, sta_dtype x, struct sta__operand *source)
{
    struct sta__types types;
    const struct sta__value *value = source->value;
    const struct sta__input in[2] = {
        {.dtype = x},
        {value->dtype, value->weak, value->weak && value->dtype == STA_int64 ? *(const int64_t *)value->data : 0}};
    if (value->weak && sta__ufunc_types(op, in, &types))
        *source = sta__cast(call, *source, types.operand[1]);
}

static sta_array write_at(const char *name, sta_array array, sta_items items, sta_array from, int op)
{
    struct sta__call call = sta__enter(name);
    struct sta__operand source = {.value = NULL};
    struct sta__selection s = {.arrays = 0};
    struct sta__target target;
    sta__operand_of(&call, from, &source);
    bool fine = sta__target_open(&call, array, &target);
    if (fine && op == STA__NO_OP && assign_by_mask(&call, array, &target, items, &source))
        fine = false;
    if (fine && !call.error && op != STA__NO_OP)
        settle_weak(&call, op, sta__frame_dtype(target.store, target.frame), &source);
    if (fine && !call.error && sta__select(&call, &target.view, items, &s) && sta__select_source(&call, &s, &source))
        sta__write_selected(&call, &target, &s, &source, op);
    target.refused |= call.error && call.error->code == STA_ERROR_INDEX;
    sta__select_end(&s);
    sta__operand_drop(&source);
    sta__target_close(&call, &target);
    sta__call_end(&call);
    return array;
}

sta_array sta_assign_at(sta_array x, sta_items index, sta_array source)
{
    return write_at("assign_at", x, index, source, STA__NO_OP);
}

#define AT_1(name)
#define AT_2(name)                                                                                                     \
    sta_array sta_##name##_at(sta_array x, sta_items index, sta_array y)                                               \
    {                                                                                                                  \
        return write_at(#name "_at", x, index, y, STA__OP_##name);                                                     \
    }
#define AT_3(name)
#define STA_UFUNC(name, arity, kinds, rule, identity, cost, ulp, text, doc) AT_##arity(name)
#define STA_PART(name, arity, kinds, rule, identity, cost, ulp, text, doc)
#define STA_PAIR(name, arity, first, second, first_op, second_op, doc)
#include <starray/ufuncs.def>
