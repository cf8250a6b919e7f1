/* Components of reductions: small arrays that are there are reduced at once, without a program; others become nodes. */
#include "reduce/fold.h"
#include "reduce/front.h"
#include "reduce/program.h"

#include <string.h>

enum {
    WIDEST = 16,  /* bytes of an element of a state */
    WIDTH = 512,  /* columns at a time */
    SHORT = 128,  /* axes up to here are folded many at a time */
    AT_ONCE = 512 /* elements of those */
};

/* One reduction of an array in memory, C order, in the accumulator's dtype. */
struct direct {
    enum sta__reducer reducer;
    sta_dtype dtype;
    const char *data;
    int64_t before, length, after; /* of the last reduced axis */
};

static size_t line(size_t bytes)
{
    return (bytes + 63) & ~(size_t)63;
}

/* ---- the last reduced axis ---- */

static size_t scratch_bytes(const struct direct *d)
{
    if (d->after == 1 && d->length <= SHORT)
        return sta__fold_rows_bytes(d->reducer, d->dtype, AT_ONCE / d->length, d->length);
    return sta__tree_bytes(d->reducer, d->dtype, d->after < WIDTH ? d->after : WIDTH, 0, d->length);
}

static void reduce_rows(const struct direct *d, const struct sta__state *to, void *scratch)
{
    int64_t rows = AT_ONCE / d->length, item = (int64_t)sta_itemsize(d->dtype);
    for (int64_t b = 0; b < d->before; b += rows) {
        struct sta__state here = sta__state_at(d->reducer, d->dtype, to, b);
        sta__fold_rows(d->reducer, d->dtype, d->data + b * d->length * item,
                       d->before - b < rows ? d->before - b : rows, d->length, &here, scratch);
    }
}

static void reduce_columns(const struct direct *d, const struct sta__state *to, void *scratch)
{
    int64_t item = (int64_t)sta_itemsize(d->dtype);
    struct sta__tree tree;
    for (int64_t b = 0; b < d->before; b++)
        for (int64_t c = 0; c < d->after; c += WIDTH) {
            struct sta__state here = sta__state_at(d->reducer, d->dtype, to, b * d->after + c);
            int64_t width = d->after - c < WIDTH ? d->after - c : WIDTH;
            sta__tree_begin(&tree, d->reducer, d->dtype, width, 0, 1, scratch);
            sta__tree_push(&tree, d->data + (b * d->length * d->after + c) * item, d->length, d->after);
            sta__tree_finish(&tree, &here);
        }
}

/* ---- all of them ---- */

/* Splits the shape at the last reduced axis; returns the axes that are left. */
static uint32_t split(struct direct *d, const struct sta__shape *shape, uint32_t axes, int *last)
{
    d->before = d->after = 1;
    *last = 31 - __builtin_clz(axes);
    for (int a = 0; a < shape->ndim; a++)
        if (a != *last)
            *(a < *last ? &d->before : &d->after) *= shape->at[a];
    d->length = shape->at[*last];
    return axes & ~(1U << *last);
}

static bool reduce_now(struct direct *d, struct sta__shape shape, uint32_t axes, struct sta__value *const *to)
{
    int last;
    uint32_t rest = split(d, &shape, axes, &last);
    size_t scratch = line(scratch_bytes(d)), states = line((size_t)(d->before * d->after) * WIDEST);
    char *memory = sta__allocate_raw(scratch + states * 2 * STA__COMPONENTS);
    if (!memory)
        return false;
    struct sta__state first = {{NULL}}, spare = {{NULL}};
    const struct sta__state *done = &first;
    for (int c = 0; c < STA__COMPONENTS; c++) {
        first.at[c] = !rest && to[c] ? to[c]->data : memory + scratch + states * (size_t)c;
        spare.at[c] = memory + scratch + states * (size_t)(c + STA__COMPONENTS);
    }
    if (d->after == 1 && d->length <= SHORT)
        reduce_rows(d, &first, memory);
    else
        reduce_columns(d, &first, memory);
    shape.at[last] = 1;
    if (rest)
        done = sta__reduce_states(d->reducer, d->dtype, &shape, rest, d->length, &first, &spare);
    for (int c = 0; c < STA__COMPONENTS && done && rest; c++)
        if (to[c])
            memcpy(to[c]->data, done->at[c], (size_t)sta__value_bytes(to[c]));
    sta__release(memory);
    return done != NULL;
}

/* False: no memory, nothing was made. */
static bool components_now(struct sta__reduction_call *r, const struct sta__value *x, int reducer,
                           sta_dtype accumulator, unsigned wanted, struct sta__value **to)
{
    struct direct d = {(enum sta__reducer)reducer, accumulator, x->data, 0, 0, 0};
    bool cast = x->dtype != accumulator, fine = true;
    char *copy = cast ? sta__allocate_raw((size_t)x->size * sta_itemsize(accumulator)) : NULL;
    if (cast && copy) {
        sta__cast_loop(x->dtype, accumulator)(x->size, copy, (const void *const[]){x->data});
        d.data = copy;
    }
    for (int c = 0; c < STA__COMPONENTS; c++) {
        to[c] = NULL;
        if (wanted >> c & 1) {
            to[c] = sta__value_now(sta__reducer_component(d.reducer, accumulator, c), &r->shape);
            fine = fine && to[c] != NULL;
        }
    }
    fine = fine && (copy || !cast) && reduce_now(&d, r->x.view.shape, r->axes, to);
    sta__release(copy);
    for (int c = 0; c < STA__COMPONENTS && !fine; c++) {
        sta__value_drop(to[c]);
        to[c] = NULL;
    }
    return fine;
}

/* ---- nodes ---- */

static bool component_nodes(struct sta__reduction_call *r, const struct sta__operand *operand, int reducer,
                            sta_dtype accumulator, unsigned wanted, struct sta__value **to)
{
    bool fine = true;
    for (int c = 0; c < STA__COMPONENTS; c++) {
        to[c] = NULL;
        if (!(wanted >> c & 1) || !fine)
            continue;
        struct sta__operand in = sta__reduce_again(operand);
        to[c] = sta__node_reduce(r->call, reducer, c, &in, accumulator,
                                 sta__reducer_component((enum sta__reducer)reducer, accumulator, c), r->axes);
        fine = to[c] != NULL;
    }
    for (int c = 0; c < STA__COMPONENTS && fine; c++)
        fine = !to[c] || sta__submit_when_now(r->call, to[c]);
    for (int c = 0; c < STA__COMPONENTS && !fine; c++) {
        sta__value_drop(to[c]);
        to[c] = NULL;
    }
    return fine;
}

bool sta__reduce_components(struct sta__reduction_call *r, const struct sta__operand *operand, int reducer,
                            sta_dtype accumulator, unsigned wanted, struct sta__value **to)
{
    const struct sta__value *x = operand->value;
    if (!x)
        return false;
    bool small = x->state == STA__NOW && sta__value_bytes(x) <= sta__runtime.settings.inline_bytes;
    /* An axis of length 1 was added, or the view is that of the store. */
    bool plain = sta__view_is_identity(&operand->view, &x->shape) ||
                 (x->size == 1 && operand->view.shape.ndim == 1 && operand->view.shape.at[0] == 1);
    if (!small || !plain)
        return component_nodes(r, operand, reducer, accumulator, wanted, to);
    if (!components_now(r, x, reducer, accumulator, wanted, to))
        return sta__fail_memory(r->call) != NULL;
    return true;
}
