/* Errors that are still to be found. A task that looks at its data, such as one that takes elements by index, may end in an
 * error, which lies in its tiles then. Who overwrites all of them before anybody has looked would lose it; so tiles are
 * marked when such a task is submitted, and so are those that are made of them. (A lack of memory is none of these errors:
 * what there was no room for, nobody wants any more.) */
#include "graph.h"

bool sta__value_doubtful(const struct sta__value *value)
{
    if (value->state == STA__PENDING)
        return value->node->doubtful;
    for (int64_t t = 0; value->state == STA__TILED && t < value->grid->tiles; t++)
        if (value->tiles[t]->doubtful)
            return true;
    return false;
}

/* Whether each element is computed from that of the other one at its place, so that it inherits the error. It is asked of
 * what is one or two functions away, such as where(mask, source, x). */
static bool follows(const struct sta__value *value, const struct sta__value *other, int most)
{
    if (value == other)
        return true;
    if (value->state != STA__PENDING || value->node->kind == STA__NODE_REDUCE || most == 0)
        return false;
    for (int i = 0; i < value->node->count; i++) {
        const struct sta__operand *in = &value->node->in[i];
        if (sta__view_is_identity(&in->view, &value->shape) && follows(in->value, other, most - 1))
            return true;
    }
    return false;
}

bool sta__doubts_settle(struct sta__call *call, struct sta__value *old, const struct sta__value *next)
{
    enum { NEAR = 3 };
    if (!sta__value_doubtful(old) || follows(next, old, NEAR))
        return true;
    struct sta__value *value = sta__value_take(old);
    if (sta__submit_values(call, &value, 1) && value->state == STA__TILED)
        sta__tiles_await(call, value);
    sta__value_drop(value);
    return !call->error;
}
