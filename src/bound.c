/* How long the program of a pending value may become. What would be too long, or reads too much, is cut by submitting
 * operands first; so is a tower of pending values each of which waits for another one, since those are submitted by
 * recursion. */
#include "graph.h"

enum { HIGHEST = 20 };

/* Quick bounds: what two operands have in common is counted twice. */
static void add_up(struct sta__node *node, const struct sta__shape *shape, sta_dtype result)
{
    node->slots = 1 + (node->natural != result);
    node->inputs = node->leaves = node->depth = node->height = 0;
    node->doubtful = false;
    for (int i = 0; i < node->count; i++) {
        const struct sta__value *value = node->in[i].value;
        const struct sta__node *below = value->state == STA__PENDING ? value->node : NULL;
        bool fuses = sta__operand_fuses(&node->in[i], shape);
        node->slots += (value->dtype != node->operand[i]) + (node->operand[i] != node->compute[i]);
        node->slots += fuses ? below->slots : 1;
        node->inputs += fuses ? below->inputs : value->shape.ndim > 0 || value->state != STA__NOW;
        node->leaves += fuses ? below->leaves : 1;
        node->doubtful |= sta__value_doubtful(value);
        int depth = below ? below->depth + 1 : value->depth + 1, height = below ? below->height + !fuses : 0;
        node->depth = depth > node->depth ? depth : node->depth;
        node->height = height > node->height ? height : node->height;
    }
}

/* What the program really needs. */
struct measure {
    const struct sta__shape *shape;
    int64_t number; /* of this measurement: nodes that were seen in it have it */
    const struct sta__operand *leaf[STA__MAXINPUTS];
    int values, leaves, inputs, slots;
    bool over;
};

static void measure_leaf(struct measure *m, const struct sta__operand *in)
{
    for (int i = 0; i < m->leaves; i++)
        if (sta__operand_equal(m->leaf[i], in))
            return;
    if (m->leaves == STA__MAXINPUTS) {
        m->over = true;
        return;
    }
    m->leaf[m->leaves++] = in;
    m->inputs += in->value->shape.ndim > 0 || in->value->state != STA__NOW;
    m->slots++;
}

static void measure_node(struct measure *m, struct sta__node *node, sta_dtype result)
{
    m->slots += 1 + (node->natural != result);
    for (int i = 0; i < node->count && !m->over; i++) {
        const struct sta__operand *in = &node->in[i];
        m->slots += (in->value->dtype != node->operand[i]) + (node->operand[i] != node->compute[i]);
        if (!sta__operand_fuses(in, m->shape)) {
            measure_leaf(m, in);
            continue;
        }
        if (in->value->node->seen == m->number)
            continue;
        m->over |= m->values == STA__MAXINSTRUCTIONS || m->slots > STA__LONGEST;
        if (m->over)
            return;
        m->values++;
        in->value->node->seen = m->number;
        measure_node(m, in->value->node, in->value->dtype);
    }
}

static int64_t measurements; /* so far; with the lock */

bool sta__nodes_measure(struct sta__value *const *values, int count, const struct sta__shape *shape,
                        struct sta__needs *to)
{
    struct measure m = {.shape = shape, .number = ++measurements};
    for (int i = 0; i < count && !m.over; i++) {
        if (values[i]->node->seen == m.number)
            continue;
        values[i]->node->seen = m.number;
        measure_node(&m, values[i]->node, values[i]->dtype);
    }
    *to = (struct sta__needs){m.slots, m.inputs, m.leaves};
    return !m.over;
}

static bool fits(const struct sta__node *node)
{
    return node->slots <= STA__LONGEST && node->inputs <= STA__MOST_INPUTS && node->leaves <= STA__MAXINPUTS;
}

static void bound(struct sta__node *node, const struct sta__shape *shape, sta_dtype result)
{
    add_up(node, shape, result);
    if (fits(node))
        return;
    struct measure m = {.shape = shape, .number = ++measurements};
    measure_node(&m, node, result);
    if (m.over)
        return;
    node->slots = m.slots;
    node->inputs = m.inputs;
    node->leaves = m.leaves;
}

struct sta__operand *sta__node_worst_operand(struct sta__node *node, const struct sta__shape *shape)
{
    struct sta__operand *worst = NULL;
    for (int i = 0; i < node->count; i++) {
        struct sta__operand *in = &node->in[i];
        if (in->value->state != STA__PENDING || (node->height <= HIGHEST && !sta__operand_fuses(in, shape)))
            continue;
        const struct sta__node *a = in->value->node, *b = worst ? worst->value->node : NULL;
        if (!b || (node->height > HIGHEST ? a->height > b->height : a->slots > b->slots))
            worst = in;
    }
    return worst;
}

bool sta__node_shorten(struct sta__call *call, struct sta__node *node, const struct sta__shape *shape, sta_dtype result)
{
    for (;;) {
        bound(node, shape, result);
        if (fits(node) && node->height <= HIGHEST)
            return true;
        struct sta__operand *worst = sta__node_worst_operand(node, shape);
        if (!worst)
            return true;
        if (!sta__submit_values(call, &worst->value, 1))
            return false;
    }
}
