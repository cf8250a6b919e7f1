/* The forms of element-wise functions of two operands: accumulate, reduce, outer, and _into with a mask. */
#include "scan/front.h"

#include "composed.h"

#include <string.h>

struct form {
    struct sta__call *call;
    int op;
    const struct sta__ufunc *row;
};

/* ---- names ---- */

static bool find(struct form *f, const char *name, int arity)
{
    f->op = name ? sta__ufunc_find(name) : -1;
    f->row = sta__ufunc(f->op);
    if (f->call->error)
        return false;
    if (!f->row || f->row->part)
        sta__fail(f->call, STA_ERROR_VALUE, "there is no element-wise function \"%.40s\"", name ? name : "");
    else if (f->row->arity != arity)
        sta__fail(f->call, STA_ERROR_VALUE, "%s has %d operands, not %d", name, f->row->arity, arity);
    return !f->call->error;
}

/* ---- what it is computed in ---- */

/* Sums and products of small integers are made in 64 bits, as those of reduce.h. */
static sta_dtype widened(const struct form *f, sta_dtype x)
{
    const enum sta__kind kind = sta__dtype_kind(x);
    if ((f->op != STA__OP_add && f->op != STA__OP_multiply) || kind >= STA__KIND_FLOATING)
        return x;
    return kind == STA__KIND_UNSIGNED ? STA_uint64 : STA_int64;
}

/* The dtype of the operands and of the result, which is the next operand. NONE: call->error. */
static sta_dtype dtype_of(const struct form *f, sta_dtype x, sta_dtype given)
{
    if (given && !sta__check_dtype(f->call, given))
        return STA_DTYPE_NONE;
    const sta_dtype common = f->row->rule == STA__RULE_BOOL ? STA_bool : given ? given : widened(f, x);
    const struct sta__input in[] = {{common, false, 0}, {common, false, 0}};
    struct sta__types types;
    if (!sta__ufunc_types(f->op, in, &types)) {
        sta__fail(f->call, types.code, "%s is %s", f->row->name, types.text);
        return STA_DTYPE_NONE;
    }
    /* Of 16-bit floats those that float32 computes as well. */
    if (types.result == types.operand[0] && types.result == types.operand[1] && sta__scan_loops(f->op, types.loop))
        return types.result;
    sta__fail(f->call, STA_ERROR_DTYPE, "%s of %s cannot be applied to its own results", f->row->name,
              sta_dtype_name(common));
    return STA_DTYPE_NONE;
}

/* ---- accumulate ---- */

static struct sta__value *accumulate(struct form *f, const struct sta__operand *x, int64_t axis, sta_dtype given)
{
    struct sta__scan_request request = {.op = f->op};
    if (!sta__scan_axis(f->call, &x->view.shape, axis, &request.axis))
        return NULL;
    request.dtype = dtype_of(f, x->value->dtype, given);
    return request.dtype ? sta__scan_rounded(f->call, x, &request) : NULL;
}

sta_array sta_ufunc_accumulate(const char *ufunc, sta_array x, int64_t axis, sta_dtype dtype)
{
    struct sta__call call = sta__enter("ufunc_accumulate");
    struct form f = {.call = &call};
    struct sta__operand operand;
    struct sta__value *y = NULL;
    if (find(&f, ufunc, 2) && sta__operand_of(&call, x, &operand)) {
        y = accumulate(&f, &operand, axis, dtype);
        sta__operand_drop(&operand);
    }
    return sta__leave(&call, y);
}

/* ---- outer ---- */

sta_array sta_ufunc_outer(const char *ufunc, sta_array x, sta_array y)
{
    struct sta__call call = sta__enter("ufunc_outer");
    struct form f = {.call = &call};
    struct sta__operand in[2] = {{.value = NULL}, {.value = NULL}};
    struct sta__value *value = NULL;
    if (find(&f, ufunc, 2) && sta__operand_of(&call, x, &in[0]) && sta__operand_of(&call, y, &in[1])) {
        struct sta__shape *shape = &in[0].view.shape;
        const int more = in[1].view.shape.ndim;
        if (shape->ndim + more > STA_MAXDIM)
            sta__fail(&call, STA_ERROR_SHAPE, "the result would have %d axes", shape->ndim + more);
        else
            for (int a = 0; a < more; a++) /* axes that no axis of the store names */
                shape->at[shape->ndim++] = 1;
        value = call.error ? NULL : sta__ufunc_value(&call, f.op, in, 2);
    }
    sta__operand_drop(&in[0]);
    sta__operand_drop(&in[1]);
    return sta__leave(&call, value);
}

/* ---- reduce ---- */

/* Those that reduce.h has: one pass, fused with what x is made of, and over all axes at once. */
static const struct reducer {
    int op;
    sta_array (*plain)(sta_array x, sta_dims axes, unsigned flags);
    sta_array (*extended)(sta_array x, sta_dims axes, unsigned flags, const sta_reduce_options *options);
} reducers[] = {
    {STA__OP_add, sta_sum, sta_sum_ex},        {STA__OP_multiply, sta_prod, sta_prod_ex},
    {STA__OP_maximum, sta_max, sta_max_ex},    {STA__OP_minimum, sta_min, sta_min_ex},
    {STA__OP_fmax, sta_nanmax, sta_nanmax_ex}, {STA__OP_fmin, sta_nanmin, sta_nanmin_ex},
    {STA__OP_logical_and, sta_all, NULL},      {STA__OP_logical_or, sta_any, NULL},
};

static const struct reducer *reducer_of(int op)
{
    for (size_t i = 0; i < sizeof reducers / sizeof *reducers; i++)
        if (reducers[i].op == op)
            return &reducers[i];
    return NULL;
}

/* Whether the order of the operands does not matter, so that several axes can be reduced. */
static bool reorderable(const struct form *f)
{
    return f->row->identity != STA__IDENTITY_NONE || f->op == STA__OP_lcm || reducer_of(f->op);
}

/* What does not change the other operand, in the dtype. Without a value: call->error. */
static struct sta__operand identity(const struct form *f, sta_dtype dtype)
{
    const struct sta__shape scalar = {.ndim = 0};
    if (f->row->identity == STA__IDENTITY_ALL_ONES) {
        struct sta__value *ones = sta__value_now(dtype, &scalar);
        if (!ones)
            return sta__whole(sta__fail_memory(f->call));
        memset(ones->data, dtype == STA_bool ? 1 : 0xff, sta_itemsize(dtype));
        return sta__whole(ones);
    }
    const double number = f->row->identity == STA__IDENTITY_LOWEST ? -__builtin_inf()
                          : f->row->identity == STA__IDENTITY_ONE  ? 1
                                                                   : 0;
    return sta__cast(f->call, sta__number(f->call, number, 0, false), dtype);
}

struct reduction {
    struct form f;
    sta_ufunc_reduce_options options;
    uint32_t axes;
    sta_dtype dtype;
    struct sta__operand x, initial, where; /* value NULL: not given */
};

static bool read_options(struct reduction *r, const sta_ufunc_reduce_options *given)
{
    if (!given)
        return true;
    if (given->size < sizeof given->size || given->size > 4096) {
        sta__fail(r->f.call, STA_ERROR_VALUE,
                  "sta_ufunc_reduce_options.size is %zu, but it must be sizeof(sta_ufunc_reduce_options)", given->size);
        return false;
    }
    memcpy(&r->options, given, given->size < sizeof r->options ? given->size : sizeof r->options);
    return (!r->options.initial.id || sta__operand_of(r->f.call, r->options.initial, &r->initial)) &&
           (!r->options.where.id || sta__operand_of(r->f.call, r->options.where, &r->where));
}

static bool read_axes(struct reduction *r, const sta_dims *axes)
{
    char why[STA__WHY];
    int list[STA_MAXDIM], count;
    const sta_error_code code = sta__axes(axes, r->x.view.shape.ndim, list, &count, why);
    if (code)
        return sta__fail(r->f.call, code, "%s", why) != NULL;
    for (int i = 0; i < count; i++)
        r->axes |= 1U << list[i];
    if (count > 1 && !reorderable(&r->f))
        sta__fail(r->f.call, STA_ERROR_AXIS, "%s depends on the order of its operands, and has one axis at most",
                  r->f.row->name);
    return !r->f.call->error;
}

static bool one_element(struct reduction *r)
{
    struct sta__view *view = &r->initial.view;
    for (int a = 0; a < view->shape.ndim; a++)
        if (view->shape.at[a] != 1) {
            sta__fail(r->f.call, STA_ERROR_SHAPE, "initial is one element");
            return false;
        }
    for (int s = 0; s < view->store_ndim; s++)
        view->map[s].axis = -1;
    view->shape.ndim = 0;
    return true;
}

/* What stands where the mask is false: the identity; `initial` where that is one, as it is of extremes. */
static struct sta__operand masked(struct reduction *r)
{
    struct form *f = &r->f;
    const bool extreme =
        f->op == STA__OP_maximum || f->op == STA__OP_minimum || f->op == STA__OP_fmax || f->op == STA__OP_fmin;
    struct sta__shape shape = r->x.view.shape;
    if (!r->where.value)
        return sta__again(&r->x);
    if (f->row->identity == STA__IDENTITY_NONE && !(extreme && r->initial.value)) {
        sta__fail(f->call, STA_ERROR_VALUE, "%s has no identity to stand where the mask is false%s", f->row->name,
                  extreme ? ": give an initial value" : "");
        return sta__whole(NULL);
    }
    if (!sta__broadcast(&shape, &r->where.view.shape) || !sta__shape_equal(&shape, &r->x.view.shape)) {
        sta__fail(f->call, STA_ERROR_SHAPE, "the mask does not broadcast to the array");
        return sta__whole(NULL);
    }
    struct sta__operand rest = extreme ? sta__cast(f->call, sta__again(&r->initial), r->dtype) : identity(f, r->dtype);
    struct sta__operand x = sta__cast(f->call, sta__again(&r->x), r->dtype);
    return STA__TERNARY(f->call, where, sta__again(&r->where), x, rest);
}

/* Of an axis of length 0: the identity, or `initial`. Takes the reference of x over. */
static struct sta__operand of_nothing(struct reduction *r, struct sta__operand x, int axis)
{
    struct form *f = &r->f;
    struct sta__shape shape = {.ndim = 0};
    for (int a = 0; a < x.view.shape.ndim; a++)
        if (a != axis)
            shape.at[shape.ndim++] = x.view.shape.at[a];
    sta__operand_drop(&x);
    if (f->row->identity == STA__IDENTITY_NONE)
        return sta__whole(
            sta__fail(f->call, STA_ERROR_EMPTY, "axis %d has length 0 and %s has no identity", axis, f->row->name));
    struct sta__operand one = identity(f, r->dtype);
    if (one.value)
        sta__view_broadcast(&one.view, &shape);
    return sta__cast(f->call, one, r->dtype);
}

static struct sta__operand reduce_axis(struct reduction *r, struct sta__operand x, int axis)
{
    if (!x.value)
        return x;
    if (x.view.shape.at[axis] == 0)
        return of_nothing(r, x, axis);
    const struct sta__scan_request request = {.op = r->f.op, .dtype = r->dtype, .axis = axis, .reduce = true};
    struct sta__operand y = sta__whole(sta__scan_rounded(r->f.call, &x, &request));
    sta__operand_drop(&x);
    return y;
}

/* Functions that change an element when they combine it with their identity do so with one that stands alone, too. */
static bool is_absolute(int op)
{
    return op == STA__OP_gcd || op == STA__OP_hypot;
}

static struct sta__operand with_initial(struct reduction *r, struct sta__operand y)
{
    if (!y.value || !(r->initial.value || is_absolute(r->f.op)))
        return y;
    struct sta__operand initial =
        r->initial.value ? sta__cast(r->f.call, sta__again(&r->initial), r->dtype) : identity(&r->f, r->dtype);
    return sta__cast(r->f.call, sta__apply(r->f.call, r->f.op, 2, (struct sta__operand[]){initial, y}), r->dtype);
}

static struct sta__operand reduce(struct reduction *r)
{
    r->dtype = dtype_of(&r->f, r->x.value->dtype, r->options.dtype);
    if (!r->dtype || (r->initial.value && !one_element(r)))
        return sta__whole(NULL);
    if (r->initial.value && !reorderable(&r->f)) {
        sta__fail(r->f.call, STA_ERROR_VALUE, "%s takes no initial value: it depends on the order of its operands",
                  r->f.row->name);
        return sta__whole(NULL);
    }
    struct sta__operand y = masked(r);
    if (y.value && y.value->dtype != r->dtype && r->axes == 0)
        y = sta__cast(r->f.call, y, r->dtype);
    for (int a = STA_MAXDIM - 1; a >= 0; a--)
        if (r->axes >> a & 1)
            y = reduce_axis(r, y, a);
    return with_initial(r, y);
}

/* The axes as they are in the result with STA_KEEPDIMS. */
static struct sta__operand kept(const struct reduction *r, struct sta__operand y)
{
    char why[STA__WHY];
    sta_dims axes = {0};
    for (int a = 0; a < STA_MAXDIM; a++)
        if (r->axes >> a & 1)
            axes.at[axes.count++] = a;
    if (y.value)
        sta__view_expand_dims(&y.view, &axes, why);
    return y;
}

static void leave_operands(struct reduction *r)
{
    sta__operand_drop(&r->x);
    sta__operand_drop(&r->initial);
    sta__operand_drop(&r->where);
}

static sta_array leave(struct sta__call *call, struct sta__operand y)
{
    return y.value ? sta__leave_under(call, y.value, &y.view) : sta__leave(call, NULL);
}

/* The elements of x in the dtype asked for, where the mask is true. */
static sta_array elements(struct reduction *r)
{
    r->dtype = dtype_of(&r->f, r->x.value->dtype, r->options.dtype);
    if (r->initial.value && r->dtype)
        one_element(r);
    struct sta__operand y = r->dtype && !r->f.call->error ? masked(r) : sta__whole(NULL);
    if (y.value && r->options.dtype)
        y = sta__cast(r->f.call, y, r->dtype);
    leave_operands(r);
    return leave(r->f.call, y);
}

/* By a function of reduce.h; the call has ended. */
static sta_array by_reducer(const struct reducer *reducer, sta_array x, sta_dims axes, unsigned flags,
                            sta_array initial)
{
    const sta_reduce_options options = {.size = sizeof options, .initial = initial};
    if (!initial.id)
        return reducer->plain(x, axes, flags);
    if (reducer->extended)
        return reducer->extended(x, axes, flags, &options);
    const sta_array truth = reducer->plain(x, axes, flags);
    return reducer->op == STA__OP_logical_and ? sta_logical_and(initial, truth) : sta_logical_or(initial, truth);
}

static sta_array end(struct sta__call *call, struct reduction *r, struct sta__operand y, unsigned flags)
{
    leave_operands(r);
    return leave(call, flags & STA_KEEPDIMS ? kept(r, y) : y);
}

static sta_array reduced(const char *ufunc, sta_array x, sta_dims axes, unsigned flags,
                         const sta_ufunc_reduce_options *options)
{
    struct sta__call call = sta__enter("ufunc_reduce");
    struct reduction r = {.f.call = &call};
    const bool fine = find(&r.f, ufunc, 2) && sta__operand_of(&call, x, &r.x) && read_options(&r, options);
    const struct reducer *reducer = reducer_of(r.f.op);
    if (fine && (flags & ~(unsigned)STA_KEEPDIMS))
        sta__fail(&call, STA_ERROR_VALUE, "flags 0x%x are not known", flags & ~(unsigned)STA_KEEPDIMS);
    if (call.error || !reducer)
        return end(&call, &r, fine && !call.error && read_axes(&r, &axes) ? reduce(&r) : sta__whole(NULL), flags);
    const sta_array initial = r.options.initial;
    if (r.options.dtype || r.where.value)
        return by_reducer(reducer, elements(&r), axes, flags, initial);
    leave_operands(&r);
    sta__call_end(&call);
    return by_reducer(reducer, x, axes, flags, initial);
}

sta_array sta_ufunc_reduce(const char *ufunc, sta_array x, sta_dims axes, unsigned flags,
                           const sta_ufunc_reduce_options *options)
{
    const sta_scope scope = sta_open();
    sta_ufunc_reduce_options own = {.size = sizeof own};
    if (options && options->size >= sizeof options->size && options->size <= 4096) {
        /* Given up by sta_move at the end, not by the first step that looks at them. */
        memcpy(&own, options, options->size < sizeof own ? options->size : sizeof own);
        own.size = sizeof own;
        own.initial = sta__taken(own.initial);
        own.where = sta__taken(own.where);
        options = &own;
    }
    return sta__composed(scope, reduced(ufunc, sta__taken(x), axes, flags, options));
}

/* ---- into, with a mask ---- */

static struct sta__value *chosen(struct form *f, sta_array out, sta_array where, struct sta__operand *in, int arity)
{
    struct sta__operand old = {.value = NULL}, mask = {.value = NULL};
    struct sta__value *value = NULL;
    if (sta__operand_of(f->call, out, &old) && sta__operand_of(f->call, where, &mask)) {
        struct sta__operand new = sta__whole(sta__ufunc_value(f->call, f->op, in, arity));
        const sta_dtype dtype = old.value->dtype;
        new = sta__cast(f->call, new, dtype);
        value = STA__TERNARY(f->call, where, sta__again(&mask), new, sta__again(&old)).value;
    }
    sta__operand_drop(&old);
    sta__operand_drop(&mask);
    return value;
}

sta_array sta_ufunc_into(const char *ufunc, sta_array out, sta_array where, const sta_array *x, int count)
{
    struct sta__call call = sta__enter("ufunc_into");
    struct form f = {.call = &call};
    struct sta__operand in[3] = {{.value = NULL}, {.value = NULL}, {.value = NULL}}, source;
    bool fine = find(&f, ufunc, count);
    if (fine && !x)
        fine = sta__fail(&call, STA_ERROR_VALUE, "the operands are NULL") != NULL;
    for (int i = 0; fine && i < count; i++)
        fine = sta__operand_of(&call, x[i], &in[i]);
    source = sta__whole(fine ? chosen(&f, out, where, in, count) : NULL);
    for (int i = 0; i < 3; i++)
        sta__operand_drop(&in[i]);
    sta__assign(&call, out, &source);
    sta__call_end(&call);
    return out;
}
