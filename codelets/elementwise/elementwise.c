/* The public element-wise functions: validate, infer, make a node. All of them are rows of ufuncs.def. */
#include "array.h"
#include "elementwise/front.h"
#include "frame.h"

#include <starray/ufunc.h>

#include <string.h>

static void describe(const struct sta__operand *operand, struct sta__input *input)
{
    const struct sta__value *value = operand->value;
    input->dtype = value->dtype;
    input->weak = value->weak;
    input->value = value->weak && value->dtype == STA_int64 ? *(const int64_t *)value->data : 0;
}

static bool broadcast(struct sta__call *call, const struct sta__operand *in, int arity, struct sta__shape *shape)
{
    int64_t size;
    *shape = in[0].view.shape;
    for (int i = 1; i < arity; i++) {
        if (sta__broadcast(shape, &in[i].view.shape))
            continue;
        char a[STA__SHAPE_TEXT], b[STA__SHAPE_TEXT];
        sta__fail(call, STA_ERROR_SHAPE, "shapes %s and %s do not broadcast", sta__shape_text(shape, a, sizeof a),
                  sta__shape_text(&in[i].view.shape, b, sizeof b));
        return false;
    }
    if (sta__shape_size(shape, &size) && size <= INT64_MAX / 16)
        return true;
    sta__fail(call, STA_ERROR_TOO_LARGE, "the result has more than 2^59 elements");
    return false;
}

/* One element, as the loop reads it. */
static void scalar_element(const struct sta__types *types, const struct sta__value *value, int i, void *to)
{
    char between[16];
    const void *from[1] = {value->data}, *rounded[1] = {between};
    sta__cast_loop(value->dtype, types->operand[i])(1, between, from);
    sta__cast_loop(types->operand[i], types->compute[i])(1, to, rounded);
}

/* Where the elements of a view of a small array lie one after the other. NULL: they do not. */
static char *contiguous(const struct sta__value *value, const struct sta__view *view)
{
    int64_t stride[STA_MAXDIM], axis[STA_MAXDIM] = {0}, step = (int64_t)sta_itemsize(value->dtype);
    char *data = value->data;
    for (int s = value->shape.ndim - 1; s >= 0; s--, step *= value->shape.at[s + 1])
        stride[s] = step;
    for (int s = 0; s < view->store_ndim; s++) {
        data += view->map[s].offset * stride[s];
        if (view->map[s].axis >= 0)
            axis[view->map[s].axis] += view->map[s].step * stride[s];
    }
    step = (int64_t)sta_itemsize(value->dtype);
    for (int a = view->shape.ndim - 1; a >= 0; step *= view->shape.at[a--])
        if (view->shape.at[a] != 1 && axis[a] != step)
            return NULL;
    return data;
}

/* Small operands that lie as the loop wants them, or are one element. */
struct plain {
    sta__loop loop;
    int64_t size;
    const void *data[3];
    _Alignas(16) char element[3][16];
};

static bool find_plain(const struct sta__types *types, const struct sta__operand *in, int arity,
                       const struct sta__shape *shape, struct plain *to)
{
    unsigned scalars = 0;
    to->size = 1;
    for (int a = 0; a < shape->ndim; a++)
        to->size *= shape->at[a];
    if (types->computed != types->result ||
        to->size * (int64_t)sta_itemsize(types->result) > sta__runtime.settings.inline_bytes)
        return false;
    for (int i = 0; i < arity; i++) {
        const struct sta__value *value = in[i].value;
        if (value->state != STA__NOW)
            return false;
        if (value->size == 1 && to->size != 1) {
            scalar_element(types, value, i, to->element[i]);
            to->data[i] = to->element[i];
            scalars |= 1U << i;
        } else if (value->dtype != types->compute[i] || !sta__shape_equal(&in[i].view.shape, shape) ||
                   !(to->data[i] = contiguous(value, &in[i].view))) {
            return false;
        }
    }
    to->loop =
        scalars ? sta__ufunc_loop_scalar(types->op, types->loop, scalars) : sta__ufunc_loop(types->op, types->loop);
    return to->loop != NULL;
}

/* No node, no program. NULL: not so simple, or no memory. */
static struct sta__value *compute_plain(const struct sta__types *types, const struct sta__operand *in, int arity,
                                        const struct sta__shape *shape)
{
    struct plain plain;
    struct sta__value *value =
        find_plain(types, in, arity, shape, &plain) ? sta__value_raw(types->result, shape) : NULL;
    if (value)
        plain.loop(plain.size, value->data, plain.data);
    return value;
}

struct sta__value *sta__ufunc_value(struct sta__call *call, int op, struct sta__operand *in, int arity)
{
    struct sta__input input[3] = {{STA_DTYPE_NONE, false, 0}};
    struct sta__types types;
    struct sta__shape shape;
    for (int i = 0; i < arity; i++)
        describe(&in[i], &input[i]);
    if (!sta__ufunc_types(op, input, &types))
        return sta__fail(call, types.code, "%s", types.text);
    if (!broadcast(call, in, arity, &shape))
        return NULL;
    struct sta__value *value = compute_plain(&types, in, arity, &shape);
    if (value)
        return value;
    struct sta__value *values[3];
    int64_t size = 1;
    for (int i = 0; i < arity; i++)
        values[i] = in[i].value;
    for (int a = 0; a < shape.ndim; a++)
        size *= shape.at[a];
    bool now = size == 0 || sta__runs_now(size * (int64_t)sta_itemsize(types.result), values, arity);
    value = sta__node_ufunc(call, &types, in, arity, &shape);
    if (value && now && !sta__submit_values(call, &value, 1)) {
        sta__value_drop(value);
        return NULL;
    }
    return value;
}

/* As in NumPy a weak bound that no value of an integer x passes is no bound: the dtype's own stands for it. */
static void limit_bounds(struct sta__call *call, struct sta__operand *in)
{
    const sta_iinfo_result info = sta_iinfo(in[0].value->dtype);
    for (int k = 1; k <= 2 && info.bits && !in[0].value->weak; k++) {
        struct sta__value *bound = in[k].value;
        if (!bound->weak || bound->dtype != STA_int64)
            continue;
        const int64_t value = *(const int64_t *)bound->data;
        const bool idle = k == 1 ? value < info.min : value > 0 && (uint64_t)value > info.max;
        if (!idle)
            continue;
        const int64_t limit = k == 1 ? info.min : (int64_t)info.max;
        struct sta__value *other = sta__value_now(STA_int64, &bound->shape);
        if (!other) {
            sta__fail_memory(call);
            return;
        }
        memcpy(other->data, &limit, sizeof limit);
        other->weak = true;
        sta__value_drop(bound);
        in[k].value = other;
    }
}

/* How many of them could be had; all of them where there is no error. */
static int operands_of(struct sta__call *call, int op, const sta_array *x, int arity, struct sta__operand *in)
{
    int got = 0;
    while (got < arity && sta__operand_of(call, x[got], &in[got]))
        got++;
    if (got == arity && op == STA__OP_clip)
        limit_bounds(call, in);
    return got;
}

static struct sta__value *call_ufunc(struct sta__call *call, int op, const sta_array *x, int arity)
{
    struct sta__operand in[3];
    int got = operands_of(call, op, x, arity, in);
    struct sta__value *value = got == arity && !call->error ? sta__ufunc_value(call, op, in, arity) : NULL;
    for (int i = 0; i < got; i++)
        sta__operand_drop(&in[i]);
    return value;
}

static sta_array ufunc(const char *name, int op, const sta_array *x, int arity)
{
    struct sta__call call = sta__enter(name);
    return sta__leave(&call, call_ufunc(&call, op, x, arity));
}

/* Whether an operand lies where the result goes, so that it is read before it is overwritten, or elsewhere. */
static bool stays_readable(const struct plain *plain, int i, const char *out, size_t result_item, size_t item)
{
    const char *const from = plain->data[i];
    if (from == plain->element[i])
        return true;
    const size_t bytes = (size_t)plain->size * result_item, read = (size_t)plain->size * item;
    return (from == out && item == result_item) || from + read <= out || out + bytes <= from;
}

/* Whether the value, which may be turned into another frame of the store, is in the one that the array sees. */
static bool is_in_frame(const struct sta__slot *slot)
{
    const struct sta__value *value = slot->store->value;
    return !(slot->frame && slot->frame->window) && sta__slot_dtype(slot) == value->dtype &&
           sta__shape_equal(sta__frame_shape(slot->store, slot->frame), &value->shape);
}

/* x += y and its like on a small array: the loop writes to where the elements are. False: not so simple. */
static bool compute_in_place(struct sta__call *call, int op, sta_array out, struct sta__operand *in, int arity)
{
    struct sta__slot *slot = call->locked ? sta__slot_of(out) : NULL;
    if (!slot || slot->error || slot->store->error || slot->store->value->state != STA__NOW || !is_in_frame(slot))
        return false;
    struct sta__value *target = slot->store->value;
    struct sta__input input[3];
    struct sta__types types;
    struct sta__shape shape;
    struct plain plain;
    int held = 1; /* by the store, and by the operands */
    for (int i = 0; i < arity; i++) {
        describe(&in[i], &input[i]);
        held += in[i].value == target;
    }
    char *to = target->references == held && !target->read_only && !target->weak && !target->recuts
                   ? contiguous(target, &slot->view)
                   : NULL;
    if (!to || !sta__ufunc_types(op, input, &types) || types.result != target->dtype ||
        !broadcast(call, in, arity, &shape) || !sta__shape_equal(&shape, &slot->view.shape) ||
        !find_plain(&types, in, arity, &shape, &plain))
        return false;
    for (int i = 0; i < arity; i++)
        if (!stays_readable(&plain, i, to, sta_itemsize(types.result), sta_itemsize(types.compute[i])))
            return false;
    plain.loop(plain.size, to, plain.data);
    return true;
}

static sta_array ufunc_into(int op, sta_array out, const sta_array *x, int arity)
{
    struct sta__call call = sta__enter(sta__ufunc(op)->name);
    struct sta__operand in[3], source = {.value = NULL};
    int got = operands_of(&call, op, x, arity, in);
    bool done = got == arity && !call.error && compute_in_place(&call, op, out, in, arity);
    if (!done && got == arity && !call.error)
        source.value = sta__ufunc_value(&call, op, in, arity);
    for (int i = 0; i < got; i++)
        sta__operand_drop(&in[i]);
    if (source.value)
        source.view = sta__identity_view(&source.value->shape);
    if (!done)
        sta__assign(&call, out, &source);
    sta__call_end(&call);
    return out;
}

#define FUNCTION_1(name)                                                                                               \
    sta_array sta_##name(sta_array x)                                                                                  \
    {                                                                                                                  \
        return ufunc(#name, STA__OP_##name, &x, 1);                                                                    \
    }                                                                                                                  \
    sta_array sta_##name##_into(sta_array out, sta_array x)                                                            \
    {                                                                                                                  \
        return ufunc_into(STA__OP_##name, out, &x, 1);                                                                 \
    }
#define FUNCTION_2(name)                                                                                               \
    sta_array sta_##name(sta_array x, sta_array y)                                                                     \
    {                                                                                                                  \
        return ufunc(#name, STA__OP_##name, (sta_array[]){x, y}, 2);                                                   \
    }                                                                                                                  \
    sta_array sta_##name##_into(sta_array out, sta_array x, sta_array y)                                               \
    {                                                                                                                  \
        return ufunc_into(STA__OP_##name, out, (sta_array[]){x, y}, 2);                                                \
    }
#define FUNCTION_3(name)                                                                                               \
    sta_array sta_##name(sta_array x, sta_array y, sta_array z)                                                        \
    {                                                                                                                  \
        return ufunc(#name, STA__OP_##name, (sta_array[]){x, y, z}, 3);                                                \
    }                                                                                                                  \
    sta_array sta_##name##_into(sta_array out, sta_array x, sta_array y, sta_array z)                                  \
    {                                                                                                                  \
        return ufunc_into(STA__OP_##name, out, (sta_array[]){x, y, z}, 3);                                             \
    }

/* Two nodes that share their operands: one pass over memory computes both. */
#define PAIR_1(name, first_op, second_op)                                                                              \
    sta_##name##_result sta_##name(sta_array x)                                                                        \
    {                                                                                                                  \
        return (sta_##name##_result){ufunc(#name, STA__OP_##first_op, &x, 1),                                          \
                                     ufunc(#name, STA__OP_##second_op, &x, 1)};                                        \
    }
#define PAIR_2(name, first_op, second_op)                                                                              \
    sta_##name##_result sta_##name(sta_array x, sta_array y)                                                           \
    {                                                                                                                  \
        const sta_array in[] = {x, y};                                                                                 \
        return (sta_##name##_result){ufunc(#name, STA__OP_##first_op, in, 2),                                          \
                                     ufunc(#name, STA__OP_##second_op, in, 2)};                                        \
    }

#define STA_UFUNC(name, arity, kinds, rule, identity, cost, ulp, text, doc) FUNCTION_##arity(name)
#define STA_PART(name, arity, kinds, rule, identity, cost, ulp, text, doc)
#define STA_PAIR(name, arity, first, second, first_op, second_op, doc) PAIR_##arity(name, first_op, second_op)
#include <starray/ufuncs.def>
