/* Nodes: what is not computed yet. They are listed in the order of the calls and die with their value. */
#include "graph.h"
#include "look.h"

#include "reduce/fold.h"

#include <string.h>

static struct {
    struct sta__node *first, *last;
} pending;

/* So many pending nodes are looked at for what may come along: the list can be long. */
enum { LOOKED_AT = 200 };

static void link_node(struct sta__node *node)
{
    node->previous = pending.last;
    if (pending.last)
        pending.last->next = node;
    else
        pending.first = node;
    pending.last = node;
}

static void unlink_node(struct sta__node *node)
{
    if (node->previous)
        node->previous->next = node->next;
    else
        pending.first = node->next;
    if (node->next)
        node->next->previous = node->previous;
    else
        pending.last = node->previous;
}

struct sta__node *sta__pending_first(void)
{
    return pending.first;
}

void sta__node_dismantle(struct sta__node *node, struct sta__value **list)
{
    unlink_node(node);
    for (int i = 0; i < node->count; i++) {
        struct sta__value *value = node->in[i].value;
        if (atomic_fetch_sub(&value->references, 1) != 1)
            continue;
        value->next_dropped = *list;
        *list = value;
    }
    sta__release(node);
}

/* Whether two operands of a program are the same: an array under the same view, or equal numbers. */
bool sta__operand_equal(const struct sta__operand *a, const struct sta__operand *b)
{
    const struct sta__value *u = a->value, *v = b->value;
    if (u->state == STA__NOW && v->state == STA__NOW && u->size == 1 && v->size == 1)
        return u->dtype == v->dtype && memcmp(u->data, v->data, sta_itemsize(u->dtype)) == 0;
    return u == v && sta__view_equal(&a->view, &b->view);
}

/* Whether a program of this shape can compute the operand on its way. */
bool sta__operand_fuses(const struct sta__operand *operand, const struct sta__shape *shape)
{
    const struct sta__value *value = operand->value;
    return value->state == STA__PENDING && value->node->kind != STA__NODE_REDUCE &&
           sta__shape_equal(&value->shape, shape) && sta__view_is_identity(&operand->view, &value->shape);
}

/* Gives the node its value and puts it on the list; ends both when something failed. */
static struct sta__value *finish_node(struct sta__call *call, struct sta__node *node, sta_dtype dtype,
                                      const struct sta__shape *result, const struct sta__shape *shape)
{
    struct sta__value *value = sta__node_shorten(call, node, shape, dtype) ? sta__value_pending(dtype, result) : NULL;
    if (!value) {
        sta__fail_memory(call);
        for (int i = 0; i < node->count; i++)
            sta__operand_drop(&node->in[i]);
        sta__release(node);
        return NULL;
    }
    value->node = node;
    node->value = value;
    link_node(node);
    return value;
}

static struct sta__node *node_new(struct sta__call *call, enum sta__node_kind kind, int op, struct sta__operand *in,
                                  int count)
{
    struct sta__node *node = sta__allocate(sizeof *node);
    if (!node) {
        for (int i = 0; i < count; i++)
            sta__operand_drop(&in[i]);
        return sta__fail_memory(call);
    }
    node->kind = kind;
    node->op = op;
    node->count = count;
    for (int i = 0; i < count; i++) {
        node->in[i].value = in[i].value;
        sta__view_copy(&node->in[i].view, &in[i].view);
        in[i].value = NULL;
    }
    return node;
}

/* One element that is there already is cast once, not in every block. Without memory it stays as it is. */
static void convert_scalar(struct sta__operand *in, sta_dtype operand, sta_dtype compute)
{
    struct sta__value *value = in->value, *cast;
    if (value->state != STA__NOW || value->size != 1 || value->dtype == compute)
        return;
    char element[16];
    const void *from[1] = {value->data}, *between[1] = {element};
    sta__cast_loop(value->dtype, operand)(1, element, from);
    if (!(cast = sta__value_raw(compute, &value->shape)))
        return;
    sta__cast_loop(operand, compute)(1, cast->data, between);
    sta__value_drop(value);
    in->value = cast;
}

struct sta__value *sta__node_ufunc(struct sta__call *call, const struct sta__types *types, struct sta__operand *in,
                                   int count, const struct sta__shape *shape)
{
    if (sta__looks(STA__LOOK_DOCTOR))
        sta__look_types(in, count, types->result, shape);
    struct sta__node *node = node_new(call, STA__NODE_UFUNC, types->op, in, count);
    if (!node)
        return NULL;
    for (int i = 0; i < count; i++) {
        sta__view_broadcast(&node->in[i].view, shape);
        node->operand[i] = types->operand[i];
        node->compute[i] = types->compute[i];
        convert_scalar(&node->in[i], types->operand[i], types->compute[i]);
    }
    node->loop = types->loop;
    node->natural = types->computed;
    return finish_node(call, node, types->result, shape, shape);
}

struct sta__value *sta__node_cast(struct sta__call *call, struct sta__operand *in, sta_dtype dtype)
{
    struct sta__shape shape = in->view.shape;
    sta_dtype from = in->value->dtype;
    struct sta__node *node = node_new(call, STA__NODE_CAST, 0, in, 1);
    if (!node)
        return NULL;
    node->operand[0] = node->compute[0] = node->loop = node->natural = from;
    return finish_node(call, node, dtype, &shape, &shape);
}

/* Whether two reductions read the same operand over the same axes. */
static bool same_operand(const struct sta__node *node, const struct sta__operand *in, uint32_t axes)
{
    return node->kind == STA__NODE_REDUCE && node->axes == axes && node->in[0].value == in->value &&
           sta__view_equal(&node->in[0].view, &in->view);
}

/* The same reduction as one that is pending: what was asked for last is looked at first, and not all of a long list. */
static struct sta__value *known_reduction(int op, int component, const struct sta__operand *in, sta_dtype accumulator,
                                          uint32_t axes)
{
    int seen = 0;
    for (struct sta__node *node = pending.last; node && seen < LOOKED_AT; node = node->previous, seen++)
        if (same_operand(node, in, axes) && node->op == op && node->component == component && node->loop == accumulator)
            return sta__value_take(node->value);
    return NULL;
}

struct sta__value *sta__node_reduce(struct sta__call *call, int op, int component, struct sta__operand *in,
                                    sta_dtype accumulator, sta_dtype dtype, uint32_t axes)
{
    struct sta__shape shape = in->view.shape, result = {.ndim = 0};
    for (int a = 0; a < shape.ndim; a++)
        if (!(axes >> a & 1))
            result.at[result.ndim++] = shape.at[a];
    struct sta__value *known = known_reduction(op, component, in, accumulator, axes);
    if (known) {
        sta__operand_drop(in);
        return known;
    }
    struct sta__node *node = node_new(call, STA__NODE_REDUCE, op, in, 1);
    if (!node)
        return NULL;
    node->component = component;
    node->operand[0] = node->compute[0] = node->loop = accumulator;
    node->natural = dtype;
    node->axes = axes;
    return finish_node(call, node, dtype, &result, &shape);
}

/* ---- submission ---- */

/* Whether two nodes read a common operand in the same way: tiles that suit another view would have to be cut again. */
static bool shares_input(const struct sta__node *a, const struct sta__node *b)
{
    for (int i = 0; i < a->count; i++)
        for (int j = 0; j < b->count; j++)
            if (a->in[i].value == b->in[j].value && a->in[i].value->shape.ndim > 0 &&
                sta__view_equal(&a->in[i].view, &b->in[j].view))
                return true;
    return false;
}

static const struct sta__shape *run_shape(const struct sta__value *value)
{
    return value->node->kind == STA__NODE_REDUCE ? &value->node->in[0].view.shape : &value->shape;
}

/* Whether all that the node reads is there, or computed on the way: what waits for something else may wait for the very
 * values that it would be computed with. */
static bool ready(const struct sta__node *node, const struct sta__shape *shape)
{
    for (int i = 0; i < node->count; i++) {
        const struct sta__value *value = node->in[i].value;
        bool there = sta__operand_fuses(&node->in[i], shape) ? ready(value->node, shape) : value->state != STA__PENDING;
        if (!there)
            return false;
    }
    return true;
}

/* Whether one pass over memory serves two reductions over an array of the shape: they read the same, or what is
 * computed from the same. */
static bool same_pass(const struct sta__node *a, const struct sta__node *b, const struct sta__shape *shape)
{
    if (same_operand(b, &a->in[0], a->axes))
        return true;
    if (b->kind != STA__NODE_REDUCE || a->axes != b->axes || !sta__shape_equal(&b->in[0].view.shape, shape))
        return false;
    bool a_fuses = sta__operand_fuses(&a->in[0], shape), b_fuses = sta__operand_fuses(&b->in[0], shape);
    return a_fuses && b_fuses && shares_input(a->in[0].value->node, b->in[0].value->node);
}

/* Values that are computed by one program, and what bounds it. */
struct group {
    struct sta__value *value[STA__MAXOUTPUTS];
    int count;
    struct sta__needs needs;
    int64_t bytes;
};

static bool fits(const struct sta__needs *needs, int values)
{
    return needs->slots <= STA__LONGEST && needs->inputs <= STA__MOST_INPUTS && needs->leaves <= STA__MAXINPUTS &&
           needs->inputs + values < STA__MAXBUFFERS;
}

/* Bytes of what one element is in the reductions of the values together. */
static size_t state_bytes(struct sta__value *const *values, int count)
{
    size_t bytes = 0;
    for (int i = 0; i < count; i++) {
        const struct sta__node *node = values[i]->node;
        bool known = node->kind != STA__NODE_REDUCE;
        for (int j = 0; j < i && !known; j++) {
            const struct sta__node *other = values[j]->node;
            known = same_operand(other, &node->in[0], node->axes) && other->op == node->op && other->loop == node->loop;
        }
        if (!known)
            bytes += sta__state_bytes((enum sta__reducer)node->op, node->loop, 1);
    }
    return bytes;
}

/* Threads of a block on a GPU exchange states in shared memory. */
static bool fits_gpu(struct sta__value *const *values, int count)
{
    enum { MOST_STATE = 184 }; /* 256 threads and some more in 48 KiB */
    return sta__runtime.gpus == 0 || state_bytes(values, count) <= MOST_STATE;
}

/* Adds the value if the program is not too long with it; one that is there already is as good as added. What it shares with
 * the others is counted twice at first, and counted exactly where that seems to be too much. */
static bool add_to_group(struct group *group, struct sta__value *value, int most)
{
    const struct sta__node *node = value->node;
    struct sta__needs needs = group->needs;
    bool same = false;
    for (int i = 0; i < group->count; i++) {
        if (group->value[i] == value)
            return true;
        same |= node->kind == STA__NODE_REDUCE && same_operand(group->value[i]->node, &node->in[0], node->axes);
    }
    needs.slots += same ? 1 : node->slots;
    needs.inputs += same ? 0 : node->inputs;
    needs.leaves += same ? 0 : node->leaves;
    int64_t bytes = group->bytes + sta__value_bytes(value);
    if (group->count && (group->count >= most || bytes > sta__runtime.memory_bytes))
        return false;
    group->value[group->count] = value;
    if (group->count && !fits_gpu(group->value, group->count + 1))
        return false;
    if (group->count && !fits(&needs, group->count) &&
        !(sta__nodes_measure(group->value, group->count + 1, run_shape(value), &needs) && fits(&needs, group->count)))
        return false;
    group->count++;
    group->needs = needs;
    group->bytes = bytes;
    return true;
}

static bool is_sibling(const struct sta__node *node, const struct sta__node *other, const struct sta__shape *shape)
{
    return other->kind != STA__NODE_REDUCE && other->value != node->value && other->value->references == 1 &&
           sta__shape_equal(&other->value->shape, shape);
}

/* Pending values that the group's program can give in the same pass. */
static void add_siblings(struct group *group)
{
    const struct sta__node *node = group->value[0]->node;
    const struct sta__shape *shape = run_shape(group->value[0]);
    int seen = 0;
    for (struct sta__node *other = pending.first; other && seen < LOOKED_AT; other = other->next, seen++) {
        bool wanted = node->kind == STA__NODE_REDUCE ? same_pass(node, other, shape)
                                                     : is_sibling(node, other, shape) && shares_input(node, other);
        if (wanted && ready(other, shape))
            add_to_group(group, other->value, STA__MAXOUTPUTS - 2);
    }
}

/* Whether at least half of what the shorter one computes is part of the other too, such as the call and the put of an
 * option. */
static bool shares_work(const struct sta__node *node, const struct sta__node *other, const struct sta__shape *shape)
{
    struct sta__value *both[] = {node->value, other->value};
    struct sta__needs one, two, all;
    return sta__nodes_measure(both, 1, shape, &one) && sta__nodes_measure(&both[1], 1, shape, &two) &&
           sta__nodes_measure(both, 2, shape, &all) &&
           2 * (one.slots + two.slots - all.slots) >= (one.slots < two.slots ? one.slots : two.slots);
}

/* The same for values that share more than an operand, deep inside: of long programs only, and a few that were asked for just
 * before or after. */
static void add_relatives(struct group *group)
{
    enum { LOOKS = 4, NEAR = 60, LONG = 12 };
    const struct sta__node *node = group->value[0]->node;
    const struct sta__shape *shape = run_shape(group->value[0]);
    if (node->kind == STA__NODE_REDUCE || node->slots < LONG)
        return;
    for (int back = 0; back < 2; back++) {
        struct sta__node *other = back ? node->previous : node->next;
        for (int seen = 0, looks = 0; other && seen < NEAR && looks < LOOKS; seen++) {
            bool looked = other->slots >= LONG && is_sibling(node, other, shape);
            looks += looked;
            if (looked && shares_work(node, other, shape) && ready(other, shape))
                add_to_group(group, other->value, STA__MAXOUTPUTS - 2);
            other = back ? other->previous : other->next;
        }
    }
}

static bool submit_group(struct sta__call *call, struct sta__value **values, int count);

/* What is too long for one program: each value by itself, or operands first. */
static bool submit_parts(struct sta__call *call, struct sta__value **values, int count)
{
    if (count > 1) {
        for (int i = 0; i < count && !call->error; i++)
            if (values[i]->state == STA__PENDING)
                submit_group(call, &values[i], 1);
        return !call->error;
    }
    const struct sta__shape *shape = run_shape(values[0]);
    struct sta__operand *worst = sta__node_worst_operand(values[0]->node, shape);
    if (!worst)
        return sta__fail(call, STA_ERROR_INTERNAL, "one operation is too long for a program") != NULL;
    return sta__submit_values(call, &worst->value, 1) &&
           (values[0]->state != STA__PENDING || submit_group(call, values, 1));
}

static bool submit_group(struct sta__call *call, struct sta__value **values, int count)
{
    struct sta__plan plan;
    if (sta__plan_build(call, values, count, false, &plan)) {
        sta__plan_run(call, &plan);
        sta__plan_end(&plan);
    } else if (plan.too_long && !call->error) {
        submit_parts(call, values, count);
    }
    return !call->error;
}

bool sta__submit_values(struct sta__call *call, struct sta__value *const *values, int count)
{
    for (int i = 0; i < count && !call->error; i++) {
        if (values[i]->state != STA__PENDING)
            continue;
        struct group group = {.count = 0};
        add_to_group(&group, values[i], STA__MAXOUTPUTS);
        uint32_t axes = values[i]->node->axes;
        for (int j = i + 1; j < count; j++) {
            if (values[j]->state != STA__PENDING || !sta__shape_equal(run_shape(values[j]), run_shape(values[i])))
                continue;
            uint32_t others = values[j]->node->axes;
            if ((!axes || !others || axes == others) && add_to_group(&group, values[j], STA__MAXOUTPUTS))
                axes |= others;
        }
        add_siblings(&group);
        add_relatives(&group);
        for (int k = 0; k < group.count; k++)
            sta__value_take(group.value[k]);
        submit_group(call, group.value, group.count);
        for (int k = 0; k < group.count; k++)
            sta__value_drop(group.value[k]);
    }
    return !call->error;
}

bool sta__submit_when_now(struct sta__call *call, struct sta__value *value)
{
    if (value->state != STA__PENDING)
        return true;
    struct sta__value *in[STA__MAXOPERANDS];
    int64_t bytes = sta__value_bytes(value);
    for (int i = 0; i < value->node->count; i++)
        in[i] = value->node->in[i].value;
    return value->size == 0 || sta__runs_now(bytes, in, value->node->count) ? sta__submit_values(call, &value, 1)
                                                                            : true;
}

static bool node_reads(const struct sta__node *node, const struct sta__value *value)
{
    for (int i = 0; i < node->count; i++)
        if (node->in[i].value == value)
            return true;
    return false;
}

/* The list changes with each submission: it is searched from the start again. */
bool sta__submit_readers(struct sta__call *call, struct sta__value *value, const struct sta__value *but)
{
    struct sta__node *node = pending.first;
    while (node) {
        if (node->value == but || !node_reads(node, value)) {
            node = node->next;
            continue;
        }
        if (!sta__submit_values(call, &node->value, 1))
            return false;
        node = pending.first;
    }
    return true;
}
