/* Nodes: what is not computed yet. They are listed in the order of the calls and die with their value. */
#include "graph.h"

static struct {
    struct sta__node *first, *last;
} pending;

/* A program longer than this, or with more inputs, is cut by submitting operands first. */
enum { LONGEST = 40, MOST_INPUTS = 6 };

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

/* Whether a program of this shape can compute the operand on its way. */
bool sta__operand_fuses(const struct sta__operand *operand, const struct sta__shape *shape)
{
    const struct sta__value *value = operand->value;
    return value->state == STA__PENDING && value->node->kind != STA__NODE_REDUCE &&
           sta__shape_equal(&value->shape, shape) && sta__view_is_identity(&operand->view, &value->shape);
}

/* Bounds of the program that would compute the node. */
static void bound(struct sta__node *node, const struct sta__shape *shape)
{
    node->instructions = 1;
    node->inputs = node->depth = 0;
    for (int i = 0; i < node->count; i++) {
        const struct sta__value *value = node->in[i].value;
        bool fuses = sta__operand_fuses(&node->in[i], shape);
        node->instructions += 1 + (fuses ? value->node->instructions : 0);
        node->inputs += fuses ? value->node->inputs : value->shape.ndim > 0 || value->state != STA__NOW;
        int depth = value->state == STA__PENDING ? value->node->depth + 1 : value->depth + 1;
        if (depth > node->depth)
            node->depth = depth;
    }
}

static bool shorten(struct sta__call *call, struct sta__node *node, const struct sta__shape *shape)
{
    for (;;) {
        bound(node, shape);
        if (node->instructions <= LONGEST && node->inputs <= MOST_INPUTS)
            return true;
        struct sta__operand *longest = NULL;
        for (int i = 0; i < node->count; i++)
            if (sta__operand_fuses(&node->in[i], shape) &&
                (!longest || node->in[i].value->node->instructions > longest->value->node->instructions))
                longest = &node->in[i];
        if (!longest)
            return true;
        if (!sta__submit_values(call, &longest->value, 1))
            return false;
    }
}

/* Gives the node its value and puts it on the list; ends both when something failed. */
static struct sta__value *finish_node(struct sta__call *call, struct sta__node *node, sta_dtype dtype,
                                      const struct sta__shape *result, const struct sta__shape *shape)
{
    struct sta__value *value = shorten(call, node, shape) ? sta__value_pending(dtype, result) : NULL;
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

struct sta__value *sta__node_ufunc(struct sta__call *call, const struct sta__types *types, struct sta__operand *in, int count,
                                   const struct sta__shape *shape)
{
    struct sta__node *node = node_new(call, STA__NODE_UFUNC, types->op, in, count);
    if (!node)
        return NULL;
    for (int i = 0; i < count; i++) {
        sta__view_broadcast(&node->in[i].view, shape);
        node->operand[i] = types->operand[i];
        node->compute[i] = types->compute[i];
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
    enum { LOOKED_AT = 200 };
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

/* Whether two nodes read a common operand. */
static bool shares_input(const struct sta__node *a, const struct sta__node *b)
{
    for (int i = 0; i < a->count; i++)
        for (int j = 0; j < b->count; j++)
            if (a->in[i].value == b->in[j].value && a->in[i].value->shape.ndim > 0)
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

/* Whether one pass over memory serves two reductions over an array of the shape: they read the same, or what is computed
 * from the same. */
static bool same_pass(const struct sta__node *a, const struct sta__node *b, const struct sta__shape *shape)
{
    if (same_operand(b, &a->in[0], a->axes))
        return true;
    if (b->kind != STA__NODE_REDUCE || a->axes != b->axes || !sta__shape_equal(&b->in[0].view.shape, shape))
        return false;
    bool a_fuses = sta__operand_fuses(&a->in[0], shape), b_fuses = sta__operand_fuses(&b->in[0], shape);
    return a_fuses && b_fuses && shares_input(a->in[0].value->node, b->in[0].value->node);
}

/* Pending values that the program of `value` can give in the same pass. */
static int add_siblings(struct sta__value **list, int count)
{
    const struct sta__node *node = list[0]->node;
    const struct sta__shape *shape = run_shape(list[0]);
    int instructions = node->instructions, inputs = node->inputs;
    for (struct sta__node *other = pending.first; other && count < STA__MAXOUTPUTS - 2; other = other->next) {
        bool listed = false;
        for (int i = 0; i < count; i++)
            listed |= list[i] == other->value;
        bool same = node->kind == STA__NODE_REDUCE && same_operand(other, &node->in[0], node->axes);
        int more = same ? 0 : other->inputs;
        if (listed || instructions + other->instructions > LONGEST || inputs + more > MOST_INPUTS ||
            inputs + more + count >= STA__MAXBUFFERS)
            continue;
        bool wanted = node->kind == STA__NODE_REDUCE
                          ? same_pass(node, other, shape)
                          : other->kind != STA__NODE_REDUCE && other->value->references == 1 &&
                                sta__shape_equal(&other->value->shape, shape) && shares_input(node, other);
        if (!wanted || !ready(other, shape))
            continue;
        instructions += other->instructions;
        inputs += more;
        list[count++] = other->value;
    }
    return count;
}

static bool submit_group(struct sta__call *call, struct sta__value **group, int count)
{
    struct sta__plan plan;
    bool built = sta__plan_build(call, group, count, &plan);
    bool done = built && sta__plan_run(call, &plan);
    if (built)
        sta__plan_end(&plan);
    return done;
}

bool sta__submit_values(struct sta__call *call, struct sta__value *const *values, int count)
{
    for (int i = 0; i < count && !call->error; i++) {
        if (values[i]->state != STA__PENDING)
            continue;
        struct sta__value *group[STA__MAXOUTPUTS] = {values[i]};
        int n = 1;
        uint32_t axes = values[i]->node->axes;
        for (int j = i + 1; j < count && n < STA__MAXOUTPUTS; j++) {
            if (values[j]->state != STA__PENDING || !sta__shape_equal(run_shape(values[j]), run_shape(values[i])))
                continue;
            uint32_t others = values[j]->node->axes;
            if (!axes || !others || axes == others) {
                group[n++] = values[j];
                axes |= others;
            }
        }
        n = add_siblings(group, n);
        for (int k = 0; k < n; k++)
            sta__value_take(group[k]);
        submit_group(call, group, n);
        for (int k = 0; k < n; k++)
            sta__value_drop(group[k]);
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
    return value->size == 0 || sta__runs_now(bytes, in, value->node->count) ? sta__submit_values(call, &value, 1) : true;
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
