/* What comes after a reduction: divisions, roots, choices. Small values are computed at once, without a node; for
 * others the nodes fuse with whatever reads them. */
#include "reduce/front.h"

#include <math.h>
#include <string.h>

enum { WIDEST = 16 }; /* bytes of the widest element */

struct sta__operand sta__reduce_whole(struct sta__value *value)
{
    struct sta__operand operand = {.value = value};
    if (value)
        operand.view = sta__identity_view(&value->shape);
    return operand;
}

struct sta__operand sta__reduce_again(const struct sta__operand *operand)
{
    struct sta__operand again = {.value = operand->value ? sta__value_take(operand->value) : NULL};
    if (again.value)
        sta__view_copy(&again.view, &operand->view);
    return again;
}

static struct sta__operand weak(struct sta__call *call, sta_dtype dtype, const void *number)
{
    struct sta__shape scalar = {.ndim = 0};
    struct sta__value *value = sta__value_now(dtype, &scalar);
    if (value) {
        memcpy(value->data, number, sta_itemsize(dtype));
        value->weak = true;
    } else {
        sta__fail_memory(call);
    }
    return sta__reduce_whole(value);
}

struct sta__operand sta__reduce_number(struct sta__call *call, double number)
{
    return weak(call, STA_float64, &number);
}

struct sta__operand sta__reduce_nan(struct sta__call *call, sta_dtype dtype)
{
    const double parts[] = {(double)NAN, (double)NAN};
    return weak(call, sta__dtype_kind(dtype) == STA__KIND_COMPLEX ? STA_complex128 : STA_float64, parts);
}

struct sta__operand sta__reduce_integer(struct sta__call *call, int64_t number)
{
    return weak(call, STA_int64, &number);
}

struct sta__view sta__reduce_kept_view(const struct sta__shape *shape, uint32_t axes, int ndim)
{
    struct sta__view view = {.shape = {.ndim = ndim}, .store_ndim = shape->ndim};
    for (int a = 0, s = 0; a < ndim; a++) {
        bool reduced = axes >> a & 1;
        view.shape.at[a] = reduced ? 1 : shape->at[s];
        if (!reduced)
            view.map[s++] = (struct sta__axis_map){0, 1, a};
    }
    return view;
}

/* ---- at once ---- */

/* Small values that lie as they are wanted, or are one element. */
static bool is_plain(const struct sta__operand *in, int count, const struct sta__shape *shape)
{
    for (int i = 0; i < count; i++) {
        const struct sta__value *value = in[i].value;
        if (value->state != STA__NOW)
            return false;
        if (value->size != 1 &&
            (!sta__shape_equal(&value->shape, shape) || !sta__view_is_identity(&in[i].view, &value->shape)))
            return false;
    }
    return true;
}

/* Copies that as_wanted makes of the operand. */
static int copies(const struct sta__types *types, const struct sta__value *value, int i, int64_t size)
{
    return (value->dtype != types->operand[i]) + (types->operand[i] != types->compute[i]) + (value->size != size);
}

/* One element, or `size` of them, as `size` elements of the dtype that the loop reads. */
static const void *as_wanted(const struct sta__types *types, const struct sta__value *value, int i, int64_t size,
                             char **spare)
{
    const void *from = value->data;
    const sta_dtype step[] = {value->dtype, types->operand[i], types->compute[i]};
    size_t item = sta_itemsize(types->compute[i]);
    for (int s = 0; s < 2; s++) {
        if (step[s] == step[s + 1])
            continue;
        sta__cast_loop(step[s], step[s + 1])(value->size, *spare, &from);
        from = *spare;
        *spare += (size_t)size * WIDEST;
    }
    if (value->size == size)
        return from;
    char *to = *spare;
    for (int64_t k = 0; k < size; k++)
        memcpy(to + (size_t)k * item, from, item);
    *spare += (size_t)size * WIDEST;
    return to;
}

/* NULL: no memory. */
static struct sta__value *apply_now(const struct sta__types *types, const struct sta__operand *in, int count,
                                    const struct sta__shape *shape, int64_t size)
{
    enum { FEW = 4, MOST = 3 * STA__MAXOPERANDS + 1 };
    _Alignas(64) char few[FEW * WIDEST * MOST];
    int spares = types->computed != types->result;
    for (int i = 0; i < count; i++)
        spares += copies(types, in[i].value, i, size);
    char *many = size > FEW ? sta__allocate_raw((size_t)size * WIDEST * (size_t)spares) : NULL,
         *spare = size > FEW ? many : few;
    struct sta__value *value = spare ? sta__value_now(types->result, shape) : NULL;
    if (value) {
        const void *from[STA__MAXOPERANDS];
        for (int i = 0; i < count; i++)
            from[i] = as_wanted(types, in[i].value, i, size, &spare);
        void *to = types->computed == types->result ? value->data : spare;
        sta__ufunc_loop(types->op, types->loop)(size, to, from);
        if (to != value->data)
            sta__cast_loop(types->computed, types->result)(size, value->data, (const void *const[]){to});
    }
    sta__release(many);
    return value;
}

/* ---- one operation ---- */

static void drop_all(struct sta__operand *in, int count)
{
    for (int i = 0; i < count; i++)
        sta__operand_drop(&in[i]);
}

static struct sta__value *settled(struct sta__call *call, struct sta__value *value)
{
    if (value && !sta__submit_when_now(call, value)) {
        sta__value_drop(value);
        return NULL;
    }
    return value;
}

struct sta__value *sta__reduce_apply(struct sta__call *call, int op, int count, struct sta__operand *in)
{
    struct sta__input input[STA__MAXOPERANDS];
    struct sta__types types;
    struct sta__shape shape = {.ndim = 0};
    int64_t size = 0;
    bool fine = true;
    for (int i = 0; i < count && fine; i++) {
        fine = in[i].value != NULL && sta__broadcast(&shape, &in[i].view.shape);
        if (fine)
            input[i] = (struct sta__input){.dtype = in[i].value->dtype, .weak = in[i].value->weak};
    }
    if (fine && !sta__ufunc_types(op, input, &types)) {
        sta__fail(call, types.code, "%s", types.text);
        fine = false;
    }
    if (!fine || !sta__shape_size(&shape, &size)) {
        drop_all(in, count);
        return NULL;
    }
    if (!is_plain(in, count, &shape) || size * WIDEST > sta__runtime.settings.inline_bytes)
        return settled(call, sta__node_ufunc(call, &types, in, count, &shape));
    struct sta__value *value = apply_now(&types, in, count, &shape, size);
    drop_all(in, count);
    return value ? value : sta__fail_memory(call);
}

struct sta__value *sta__reduce_cast(struct sta__call *call, struct sta__operand operand, sta_dtype dtype)
{
    struct sta__value *value = operand.value;
    if (!value)
        return NULL;
    bool whole = sta__view_is_identity(&operand.view, &value->shape);
    if (whole && value->dtype == dtype && !value->weak)
        return value;
    if (!whole || value->state != STA__NOW)
        return settled(call, sta__node_cast(call, &operand, dtype));
    struct sta__value *cast = sta__value_now(dtype, &value->shape);
    if (cast)
        sta__cast_loop(value->dtype, dtype)(value->size, cast->data, (const void *const[]){value->data});
    sta__operand_drop(&operand);
    return cast ? cast : sta__fail_memory(call);
}
