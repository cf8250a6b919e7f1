/* From pending values to a program: which nodes it computes, which operands it reads, which slots they use. */
#include "elementwise/compile.h"
#include "elementwise/ufunc.h"
#include "graph.h"
#include "perfmodels/cost.h"
#include "reduce/tree.h"

#include <stdio.h>
#include <string.h>

/* The compiler's state: what each value and input got as its slot. */
struct compiler {
    struct sta__call *call;
    struct sta__plan *plan;
    struct sta__program *program;
    const struct sta__value *value[STA__MAXINSTRUCTIONS]; /* computed so far */
    int value_slot[STA__MAXINSTRUCTIONS];
    int values;
    struct sta__node *node[STA__MAXINSTRUCTIONS]; /* that were computed on the way */
    bool full, again;
};

static int new_slot(struct compiler *c, sta_dtype dtype)
{
    if (c->program->slots == STA__MAXSLOTS) {
        c->full = true;
        return 0;
    }
    c->program->slot_dtype[c->program->slots] = dtype;
    return c->program->slots++;
}

/* The same operation on the same slots is computed once. */
static int emit(struct compiler *c, struct sta__instruction what, sta_dtype dtype, const int *from)
{
    int count = what.count;
    struct sta__program *p = c->program;
    for (int i = 0; i < p->instructions; i++) {
        const struct sta__instruction *old = &p->instruction[i];
        bool same = old->loop == what.loop && old->count == count && p->slot_dtype[old->to] == dtype;
        for (int k = 0; k < count && same; k++)
            same = old->from[k] == from[k];
        if (same)
            return old->to;
    }
    if (p->instructions == STA__MAXINSTRUCTIONS) {
        c->full = true;
        return 0;
    }
    int to = new_slot(c, dtype);
    struct sta__instruction *new = &p->instruction[p->instructions++];
    *new = what;
    new->to = (uint8_t)to;
    for (int k = 0; k < count; k++)
        new->from[k] = (uint8_t)from[k];
    return to;
}

static int emit_cast(struct compiler *c, int slot, sta_dtype to)
{
    sta_dtype from = c->program->slot_dtype[slot];
    if (from == to)
        return slot;
    c->program->cost += (float)sta__cast_nanoseconds(from, to);
    struct sta__instruction cast = {.loop = sta__cast_loop(from, to), .op = -1, .type = from, .count = 1};
    return emit(c, cast, to, &slot);
}

/* Inputs have the first slots; they are numbered in a pass before anything is emitted. */
static int input_slot(struct compiler *c, const struct sta__operand *operand)
{
    struct sta__plan *plan = c->plan;
    struct sta__operand wide = {.value = operand->value};
    sta__view_copy(&wide.view, &operand->view);
    sta__view_broadcast(&wide.view, &plan->shape);
    for (int i = 0; i < c->program->inputs; i++)
        if (sta__operand_equal(&plan->in[i], &wide))
            return i;
    if (c->program->inputs == STA__MAXINPUTS) {
        c->full = true;
        return 0;
    }
    int slot = c->program->inputs++;
    plan->in[slot].value = sta__value_take(operand->value);
    sta__view_copy(&plan->in[slot].view, &wide.view);
    c->program->slot_dtype[slot] = operand->value->dtype;
    c->program->slots = c->program->inputs;
    return slot;
}

/* Inputs of one element: the loops that can take them so need no repeated copy of it. */
static unsigned scalar_operands(const struct compiler *c, const int *slots, int count)
{
    unsigned scalars = 0;
    for (int k = 0; k < count; k++)
        if (slots[k] < c->program->inputs && c->plan->in[slots[k]].value->size == 1)
            scalars |= 1U << k;
    return scalars;
}

static int known_slot(const struct compiler *c, const struct sta__value *value)
{
    for (int i = 0; i < c->values; i++)
        if (c->value[i] == value)
            return c->value_slot[i];
    return -1;
}

static bool visit_operand(struct compiler *c, const struct sta__operand *operand);

/* First pass: inputs get their slots; what is pending and cannot be fused is submitted. */
static bool visit(struct compiler *c, struct sta__value *value)
{
    if (known_slot(c, value) >= 0)
        return true;
    if (c->values == STA__MAXINSTRUCTIONS) {
        c->full = true;
        return true;
    }
    c->value[c->values] = value;
    c->value_slot[c->values++] = 0;
    for (int i = 0; !c->again && i < value->node->count; i++)
        if (!visit_operand(c, &value->node->in[i]))
            return false;
    return true;
}

static bool visit_operand(struct compiler *c, const struct sta__operand *operand)
{
    /* A scatter keeps nothing: what was computed on the way once is computed by itself, not again and again. */
    bool again = c->plan->scatter && operand->value->state == STA__PENDING && operand->value->node->absorbed > 0;
    if (sta__operand_fuses(operand, &c->plan->shape) && !again)
        return visit(c, operand->value);
    if (operand->value->state == STA__PENDING) {
        c->again = true; /* it may take along what was visited already, the node of this operand as well */
        return sta__submit_values(c->call, &operand->value, 1);
    }
    input_slot(c, operand);
    return true;
}

static void forget_inputs(struct compiler *c)
{
    for (int i = 0; i < c->program->inputs; i++)
        sta__operand_drop(&c->plan->in[i]);
    c->program->inputs = c->program->slots = c->values = 0;
    c->again = false;
}

static bool visit_all(struct compiler *c, struct sta__value *const *values, int count)
{
    do {
        forget_inputs(c);
        for (int i = 0; i < count && !c->again; i++) {
            struct sta__value *value = values[i];
            bool reduces = value->state == STA__PENDING && value->node->kind == STA__NODE_REDUCE;
            if (value->state == STA__PENDING && !(reduces ? visit_operand(c, &value->node->in[0]) : visit(c, value)))
                return false;
        }
    } while (c->again);
    c->values = 0;
    return true;
}

static int emit_value(struct compiler *c, struct sta__value *value);

static int emit_operand(struct compiler *c, const struct sta__operand *operand)
{
    if (sta__operand_fuses(operand, &c->plan->shape))
        return emit_value(c, operand->value);
    return input_slot(c, operand);
}

/* Second pass, operands before what uses them. */
static int emit_value(struct compiler *c, struct sta__value *value)
{
    int slot = known_slot(c, value);
    if (slot >= 0 || c->full)
        return slot < 0 ? 0 : slot;
    struct sta__node *node = value->node;
    int from[STA__MAXOPERANDS];
    for (int i = 0; i < node->count; i++) {
        int operand = emit_cast(c, emit_operand(c, &node->in[i]), node->operand[i]);
        from[i] = emit_cast(c, operand, node->compute[i]);
    }
    if (node->kind == STA__NODE_UFUNC) {
        sta__loop loop = sta__ufunc_loop_scalar(node->op, node->loop, scalar_operands(c, from, node->count));
        if (!loop)
            loop = sta__ufunc_loop(node->op, node->loop);
        struct sta__instruction apply = {loop, (int16_t)node->op, node->loop, .count = (uint8_t)node->count};
        slot = emit(c, apply, node->natural, from);
        c->program->cost += (float)sta__ufunc_nanoseconds(node->op, node->loop);
    } else {
        slot = from[0];
    }
    slot = emit_cast(c, slot, value->dtype);
    if (c->values == STA__MAXINSTRUCTIONS) {
        c->full = true;
        return slot;
    }
    c->node[c->values] = node;
    c->value[c->values] = value;
    c->value_slot[c->values++] = slot;
    return slot;
}

/* The reduction of the slot by the reducer: one that is there already serves, and var's state holds the sum. */
static int find_reduction(struct sta__program *p, int slot, int op, sta_dtype dtype)
{
    for (int i = 0; i < p->reductions; i++) {
        struct sta__reduction *r = &p->reduction[i];
        if (r->slot != slot || r->dtype != dtype)
            continue;
        if (r->op == STA__REDUCE_sum && op == STA__REDUCE_var)
            r->op = op;
        if (r->op == op || (r->op == STA__REDUCE_var && op == STA__REDUCE_sum))
            return i;
    }
    p->reduction[p->reductions] = (struct sta__reduction){(uint8_t)slot, op, dtype};
    return p->reductions++;
}

static void add_output(struct compiler *c, struct sta__value *value)
{
    struct sta__program *p = c->program;
    const struct sta__node *node = value->node;
    struct sta__output *out = &p->output[p->outputs];
    if (node->kind == STA__NODE_REDUCE) {
        int slot = emit_cast(c, emit_operand(c, &node->in[0]), node->compute[0]);
        int reduction = find_reduction(p, slot, node->op, node->compute[0]);
        for (int o = 0; o < p->outputs; o++) /* the same result twice: one stays pending for another time */
            if (p->output[o].reduce && p->output[o].reduction == reduction && p->output[o].component == node->component)
                return;
        *out = (struct sta__output){(uint8_t)slot, true, reduction, node->component, value->dtype};
        p->axes |= node->axes;
        p->cost += (float)sta__fold_nanoseconds(node->compute[0]);
    } else {
        *out = (struct sta__output){(uint8_t)emit_value(c, value), false, 0, 0, value->dtype};
    }
    c->plan->out[p->outputs++] = value;
    if (node->depth > c->plan->depth)
        c->plan->depth = node->depth;
}

static uint32_t hash_bytes(uint32_t hash, const void *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * 16777619U;
    return hash;
}

/* The codelet's name: programs of one operation use its name, longer ones share one. */
static void name_program(struct sta__program *p, const struct sta__plan *plan)
{
    const struct sta__node *node = plan->out[0]->node;
    p->dtype = p->output[0].dtype;
    const char *name = p->reductions ? "reduce" : "fused";
    int real = 0;
    for (int i = 0; i < p->instructions; i++)
        real += p->instruction[i].count > 1 ||
                p->slot_dtype[p->instruction[i].from[0]] == p->slot_dtype[p->instruction[i].to];
    if (p->outputs == 1 && node->kind == STA__NODE_REDUCE && p->instructions <= 1 && !real)
        name = sta__reducer_name((enum sta__reducer)node->op);
    else if (p->outputs == 1 && node->kind == STA__NODE_CAST && !real)
        name = "copy";
    else if (p->outputs == 1 && node->kind == STA__NODE_UFUNC && real <= 1)
        name = sta__ufunc(node->op)->name, p->dtype = node->loop;
    snprintf(p->name, sizeof p->name, "%s", name);
    uint32_t hash = 2166136261U;
    for (int i = 0; i < p->instructions; i++) { /* names, not numbers: histories outlive a version */
        const struct sta__instruction *in = &p->instruction[i];
        const char *op = in->op < 0 ? "cast" : sta__ufunc(in->op)->name;
        hash = hash_bytes(hash, op, strlen(op));
        hash = hash_bytes(hash, &in->to, 2 + STA__MAXOPERANDS);
    }
    hash = hash_bytes(hash, p->slot_dtype, sizeof *p->slot_dtype * (size_t)p->slots);
    for (int i = 0; i < p->outputs; i++)
        hash = hash_bytes(hash, &plan->out[i]->node->op, sizeof(int));
    p->hash = hash;
}

/* The last instruction that reads each slot; results are read at the end. */
static void last_uses(const struct sta__program *p, int *last)
{
    for (int s = 0; s < p->slots; s++)
        last[s] = -1;
    for (int i = 0; i < p->instructions; i++)
        for (int k = 0; k < p->instruction[i].count; k++)
            last[p->instruction[i].from[k]] = i;
    for (int o = 0; o < p->outputs; o++)
        last[p->output[o].slot] = p->instructions;
    for (int r = 0; r < p->reductions; r++)
        last[p->reduction[r].slot] = p->instructions;
}

static bool is_scalar(const struct sta__program *p, int slot)
{
    return slot < p->inputs && p->scalars >> slot & 1;
}

bool sta__reads_number(const struct sta__program *program, const struct sta__instruction *instruction, int k)
{
    unsigned scalars = 0;
    for (int i = 0; i < instruction->count; i++)
        scalars |= (unsigned)is_scalar(program, instruction->from[i]) << i;
    return instruction->op >= 0 && scalars >> k & 1 &&
           instruction->loop == sta__ufunc_loop_scalar(instruction->op, instruction->type, scalars);
}

static void note_scalars(struct sta__plan *plan)
{
    struct sta__program *p = plan->program;
    for (int i = 0; i < p->inputs; i++)
        p->scalars |= (uint64_t)(plan->in[i].value->size == 1) << i;
    p->numbers = p->scalars;
    for (int i = 0; i < p->instructions; i++)
        for (int k = 0; k < p->instruction[i].count; k++)
            if (is_scalar(p, p->instruction[i].from[k]) && !sta__reads_number(p, &p->instruction[i], k))
                p->numbers &= ~((uint64_t)1 << p->instruction[i].from[k]);
    for (int o = 0; o < p->outputs; o++)
        if (is_scalar(p, p->output[o].slot))
            p->numbers &= ~((uint64_t)1 << p->output[o].slot);
    for (int r = 0; r < p->reductions; r++)
        if (is_scalar(p, p->reduction[r].slot))
            p->numbers &= ~((uint64_t)1 << p->reduction[r].slot);
}

/* Fewer buffers leave more of the first-level cache to the operands. Inputs keep theirs: what was gathered once, such as a
 * scalar, serves the next block too. A result may take the place of an operand of its size that is not read again. */
static void share_buffers(struct sta__program *p)
{
    int last[STA__MAXSLOTS], holder[STA__MAXSLOTS]; /* of each buffer */
    last_uses(p, last);
    for (int s = 0; s < p->inputs; s++)
        p->buffer[s] = (uint8_t)(p->numbers >> s & 1 ? 0 : p->buffers++);
    const int first = p->buffers;
    for (int i = 0; i < p->instructions; i++) {
        int to = p->instruction[i].to, found = -1;
        size_t item = sta_itemsize(p->slot_dtype[to]);
        for (int b = first; b < p->buffers && found < 0; b++) {
            bool free_now = last[holder[b]] < i;
            bool in_place = last[holder[b]] == i && sta_itemsize(p->slot_dtype[holder[b]]) == item;
            found = free_now || in_place ? b : -1;
        }
        if (found < 0)
            found = p->buffers++;
        holder[found] = to;
        p->buffer[to] = (uint8_t)found;
    }
}

static void size_blocks(struct sta__program *p)
{
    share_buffers(p);
    size_t widest = 1;
    for (int i = 0; i < p->slots; i++)
        if (sta_itemsize(p->slot_dtype[i]) > widest)
            widest = sta_itemsize(p->slot_dtype[i]);
    p->block =
        (int)((p->reductions || !p->instructions ? 8192 : 2048) / widest); /* trees and copies like longer runs */
    if (p->block > 2048)
        p->block = 2048;
}

/* Inputs that take a handle of a task: small values that are there enter by address. */
static int handles_of(const struct compiler *c)
{
    int handles = 0;
    for (int i = 0; i < c->program->inputs; i++)
        handles += c->plan->in[i].value->state != STA__NOW;
    return handles;
}

/* Tells the nodes that were computed without being kept; one that comes by a second time becomes an output. */
static void note_absorbed(struct compiler *c)
{
    struct sta__program *p = c->program;
    const int handles = handles_of(c);
    for (int i = 0; i < c->values; i++) {
        struct sta__node *node = c->node[i];
        bool out = false;
        for (int k = 0; k < p->outputs; k++)
            out |= c->plan->out[k]->node == node;
        if (out || node->absorbed++ == 0 || c->plan->scatter || handles + p->outputs >= STA__MAXBUFFERS - 1 ||
            p->outputs == STA__MAXOUTPUTS)
            continue;
        p->output[p->outputs] = (struct sta__output){(uint8_t)c->value_slot[i], false, 0, 0, node->value->dtype};
        c->plan->out[p->outputs++] = node->value;
    }
}

bool sta__plan_build(struct sta__call *call, struct sta__value *const *values, int count, bool scatter,
                     struct sta__plan *plan)
{
    struct compiler c = {.call = call, .plan = plan};
    memset(plan, 0, offsetof(struct sta__plan, in));
    plan->depth = 0;
    plan->scatter = scatter;
    plan->too_long = false;
    plan->program = c.program = sta__allocate(sizeof *plan->program);
    if (!plan->program)
        return sta__fail_memory(call) != NULL;
    atomic_init(&plan->program->references, 1);
    const struct sta__node *first = values[0]->node;
    plan->shape = first->kind == STA__NODE_REDUCE ? first->in[0].view.shape : values[0]->shape;
    bool fine = visit_all(&c, values, count);
    for (int i = 0; i < count && fine; i++)
        if (values[i]->state == STA__PENDING)
            add_output(&c, values[i]);
    plan->too_long = fine && c.full;
    if (fine && !c.full && plan->program->outputs) {
        note_absorbed(&c);
        name_program(plan->program, plan);
        note_scalars(plan);
        size_blocks(plan->program);
        sta__compile_note(plan->program, &plan->shape);
        return true;
    }
    sta__plan_end(plan);
    return false;
}

void sta__plan_end(struct sta__plan *plan)
{
    for (int i = 0; i < plan->program->inputs; i++)
        sta__operand_drop(&plan->in[i]);
    sta__program_drop(plan->program);
}

void sta__program_drop(struct sta__program *program)
{
    if (program && atomic_fetch_sub(&program->references, 1) == 1)
        sta__release(program);
}
