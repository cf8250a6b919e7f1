/* The matrix product: operands in blocks, a chain of tasks over the inner axis for each block of the result. */
#include "graph.h"
#include "linalg.h"
#include "product.h"

#include "partition/grid.h"

#include <starray/linalg.h>

#include <string.h>

enum { INPUTS = STA__MAXBUFFERS - 1 };

/* ---- grids ---- */

static struct sta__stored stored(const struct sta__matmul *p, const struct sta__side *side)
{
    const struct sta__value *value = side->operand.value;
    const bool as_it_is = value->state == STA__TILED && value->dtype == p->operands &&
                          sta__view_is_identity(&side->operand.view, &value->shape);
    return (struct sta__stored){as_it_is ? value->grid : NULL, side->transposed};
}

static bool make_grids(struct sta__matmul *p)
{
    struct sta__blocks *b = &p->blocks;
    struct sta__cuts cuts[STA_MAXDIM + 2], inner = b->inner, columns = b->columns;
    const int lead = b->lead;
    memcpy(cuts, b->rows, sizeof *cuts * (size_t)lead);
    cuts[lead] = inner;
    const struct sta__cuts a_transposed[] = {inner, cuts[0]}, b_plain[] = {inner, columns},
                           b_transposed[] = {columns, inner};
    p->a_grid = p->a.transposed ? sta__grid_of_cuts(a_transposed, 2) : sta__grid_of_cuts(cuts, lead + 1);
    p->b_grid = sta__grid_of_cuts(p->b.transposed ? b_transposed : b_plain, p->b.vector ? 1 : 2);
    cuts[lead] = columns;
    p->c_grid = sta__grid_of_cuts(cuts, p->b.vector ? lead : lead + 1);
    return p->a_grid && p->b_grid && p->c_grid;
}

static bool flat_grids(struct sta__matmul *p)
{
    struct sta__blocks *b = &p->blocks;
    *b = (struct sta__blocks){.lead = p->a.shape.ndim - 1, .m = p->m, .n = p->n, .k = p->k};
    for (int i = 0; i < b->lead; i++)
        b->rows[i].length = p->a.shape.at[i];
    const struct sta__stored left = stored(p, &p->a), right = stored(p, &p->b);
    sta__blocks_choose(b, p->dtype, &left, &right);
    return make_grids(p);
}

/* Whole matrices; the axes of the stack are cut. */
static bool stacked_grids(struct sta__matmul *p)
{
    struct sta__cuts cuts[STA_MAXDIM + 2];
    const int axes = p->shape.ndim - (p->a.vector ? 1 : 2);
    const int64_t sizes[] = {p->m * p->k, p->k * p->n, p->m * p->n};
    int64_t matrix = 1;
    for (int i = 0; i < 3; i++)
        matrix = sizes[i] > matrix ? sizes[i] : matrix;
    const int64_t all = p->stack > INT64_MAX / matrix ? INT64_MAX : p->stack * matrix;
    for (int i = 0; i < axes; i++)
        cuts[i] = (struct sta__cuts){.length = p->shape.at[i]};
    sta__cuts_lead(cuts, axes, sta__grid_room(all, p->dtype) / matrix);
    const struct sta__cuts m = {.length = p->m, .edge = p->m}, n = {.length = p->n, .edge = p->n},
                           k = {.length = p->k, .edge = p->k};
    const int rows = p->a.vector ? 0 : 1;
    p->blocks.groups = 1;
    cuts[axes] = m;
    cuts[axes + rows] = k;
    p->a_grid = sta__grid_of_cuts(cuts, axes + rows + 1);
    cuts[axes + rows] = n;
    p->c_grid = sta__grid_of_cuts(cuts, axes + rows + 1);
    cuts[axes] = k;
    cuts[axes + 1] = n;
    p->b_grid = sta__grid_of_cuts(cuts, axes + 2);
    return p->a_grid && p->b_grid && p->c_grid;
}

/* ---- operands ---- */

static bool broadcast_stacks(struct sta__matmul *p)
{
    struct sta__shape a = p->shape, b = p->shape;
    const int axes = p->shape.ndim - (p->a.vector ? 1 : 2);
    a.ndim = axes;
    if (!p->a.vector)
        a.at[a.ndim++] = p->m;
    a.at[a.ndim++] = p->k;
    b.ndim = axes;
    b.at[b.ndim++] = p->k;
    b.at[b.ndim++] = p->n;
    sta__view_broadcast(&p->a.operand.view, &a);
    sta__view_broadcast(&p->b.operand.view, &b);
    return true;
}

static bool prepare(struct sta__matmul *p)
{
    if (p->stacked) {
        broadcast_stacks(p);
    } else {
        sta__product_untranspose(&p->a);
        sta__product_untranspose(&p->b);
    }
    if (!(p->stacked ? stacked_grids(p) : flat_grids(p))) {
        sta__fail_memory(&p->call);
        return false;
    }
    p->a.value = sta__prepare(&p->call, &p->a.operand, p->operands, p->a_grid);
    p->b.value = p->a.value ? sta__prepare(&p->call, &p->b.operand, p->operands, p->b_grid) : NULL;
    return p->b.value != NULL;
}

/* ---- tasks ---- */

static int64_t length(const struct sta__box *box, int axis)
{
    return box->to[axis] - box->from[axis];
}

/* The block of a side that a task reads: a tile, or a part of what is in host memory as a whole. `first` axes come
 * before the matrix and are merged. */
static void read_block(struct sta__task *task, const struct sta__side *side, const struct sta__grid *grid, int64_t tile,
                       int rows_axes, struct sta__matrix *to)
{
    const struct sta__box box = sta__grid_box(grid, tile);
    const int last = box.ndim - 1;
    const bool whole = side->value->state == STA__NOW;
    to->at = sta__task_reads(task, side->value, whole ? 0 : tile);
    to->transposed = side->transposed;
    to->first = 0;
    for (int a = 0; whole && a < box.ndim; a++)
        to->first = to->first * grid->shape.at[a] + box.from[a];
    to->pitch = rows_axes == 0 ? 1 : whole ? grid->shape.at[last] : length(&box, last);
}

static int64_t rows_of(const struct sta__box *box, int count)
{
    int64_t rows = 1;
    for (int a = 0; a < count; a++)
        rows *= length(box, a);
    return rows;
}

/* Block l of the inner axis, for one tile of the result. */
static void flat_task(struct sta__matmul *p, struct sta__value *c, int64_t tile, int64_t l, bool add)
{
    struct sta__task *task = sta__batch_task(p->batch, NULL, sizeof(struct sta__matmul_arguments));
    if (!task)
        return;
    struct sta__matmul_arguments *arguments = sta__task_arguments(task);
    const int lead = p->blocks.lead;
    const int64_t columns = sta__cuts_count(&p->blocks.columns), inner = sta__cuts_count(&p->blocks.inner);
    const int64_t row = tile / columns, column = tile % columns, rows = p->c_grid->tiles / columns;
    const struct sta__box box = sta__grid_box(p->c_grid, tile);
    *arguments = (struct sta__matmul_arguments){.stack = 1, .add = add};
    arguments->m = rows_of(&box, lead);
    arguments->n = p->b.vector ? 1 : length(&box, lead);
    if (add)
        sta__task_updates(task, c, tile);
    else
        sta__task_writes(task, c, tile);
    const int64_t a_tile = p->a.transposed ? l * rows + row : row * inner + l;
    const int64_t b_tile = p->b.transposed ? column * inner + l : l * columns + column;
    read_block(task, &p->a, p->a_grid, a_tile, 1, &arguments->a);
    read_block(task, &p->b, p->b_grid, b_tile, p->b.vector ? 0 : 1, &arguments->b);
    const struct sta__box a_box = sta__grid_box(p->a_grid, a_tile);
    arguments->k = length(&a_box, p->a.transposed ? 0 : a_box.ndim - 1);
}

static void stacked_task(struct sta__matmul *p, struct sta__value *c, int64_t tile)
{
    struct sta__task *task = sta__batch_task(p->batch, NULL, sizeof(struct sta__matmul_arguments));
    if (!task)
        return;
    struct sta__matmul_arguments *arguments = sta__task_arguments(task);
    const struct sta__box box = sta__grid_box(p->c_grid, tile);
    const int axes = box.ndim - (p->a.vector ? 1 : 2);
    *arguments = (struct sta__matmul_arguments){.m = p->m, .n = p->n, .k = p->k, .stack = rows_of(&box, axes)};
    sta__task_writes(task, c, tile);
    read_block(task, &p->a, p->a_grid, tile, 1, &arguments->a);
    read_block(task, &p->b, p->b_grid, tile, 1, &arguments->b);
    arguments->a.step = p->m * p->k;
    arguments->b.step = p->k * p->n;
}

/* Partial sums become one, tile by tile, in a tree of a fixed form. */
static void add_tasks(struct sta__matmul *p, struct sta__value **parts, int64_t count, struct sta__value *c)
{
    sta__batch_kernel(p->batch, &sta__matmul_add, p->dtype);
    while (count > 1) {
        const int64_t next = (count + INPUTS - 1) / INPUTS;
        for (int64_t s = 0; s < next; s++) {
            struct sta__value *sum = next == 1 ? sta__value_take(c) : sta__value_tiled(p->dtype, p->c_grid);
            const int64_t from = s * INPUTS, to = from + INPUTS < count ? from + INPUTS : count;
            for (int64_t tile = 0; sum && tile < p->c_grid->tiles; tile++) {
                struct sta__task *task = sta__batch_task(p->batch, NULL, 0);
                sta__task_writes(task, sum, tile);
                for (int64_t i = from; i < to; i++)
                    sta__task_reads(task, parts[i], tile);
            }
            if (!sum)
                sta__batch_fail(p->batch);
            for (int64_t i = from; i < to; i++) {
                sta__value_drop(parts[i]);
                parts[i] = NULL;
            }
            parts[s] = sum;
            if (!sum)
                return;
        }
        count = next;
    }
}

static void flat_tasks(struct sta__matmul *p, struct sta__value *c)
{
    const int64_t groups = p->blocks.groups, inner = sta__cuts_count(&p->blocks.inner);
    struct sta__value *parts[64] = {NULL};
    for (int64_t g = 0; g < groups; g++) {
        parts[g] = groups == 1 ? sta__value_take(c) : sta__value_tiled(p->dtype, p->c_grid);
        if (!parts[g]) {
            sta__batch_fail(p->batch);
            break;
        }
        for (int64_t l = inner * g / groups; l < inner * (g + 1) / groups; l++)
            for (int64_t tile = 0; tile < p->c_grid->tiles; tile++)
                flat_task(p, parts[g], tile, l, l > inner * g / groups);
    }
    if (groups > 1 && parts[groups - 1])
        add_tasks(p, parts, groups, c);
    for (int64_t g = 0; g < groups; g++)
        sta__value_drop(parts[g]);
}

/* One product at once, of operands in host memory: whole matrices are the only block. */
static bool whole_grids(struct sta__matmul *p)
{
    struct sta__grid **grids[] = {&p->a_grid, &p->b_grid, &p->c_grid};
    const struct sta__shape *shapes[] = {&p->a.value->shape, &p->b.value->shape, &p->shape};
    for (int i = 0; i < 3; i++) {
        sta__grid_drop(*grids[i]);
        *grids[i] = sta__grid_single(shapes[i]);
    }
    p->blocks.groups = 1;
    for (int i = 0; i < p->blocks.lead; i++)
        p->blocks.rows[i] = (struct sta__cuts){.length = p->blocks.rows[i].length, .edge = p->blocks.rows[i].length};
    p->blocks.inner = (struct sta__cuts){.length = p->k, .edge = p->k};
    p->blocks.columns = (struct sta__cuts){.length = p->n, .edge = p->n};
    return p->a_grid && p->b_grid && p->c_grid;
}

static struct sta__value *submit(struct sta__matmul *p)
{
    int64_t size = 0;
    sta__shape_size(&p->shape, &size);
    struct sta__value *inputs[] = {p->a.value, p->b.value};
    p->now = size == 0 || sta__runs_now(size * (int64_t)sta_itemsize(p->dtype), inputs, 2);
    if (p->now && !whole_grids(p))
        return sta__fail_memory(&p->call);
    struct sta__value *c = p->now ? sta__value_now(p->dtype, &p->shape) : sta__value_tiled(p->dtype, p->c_grid);
    p->batch = c ? sta__batch_open(&p->call, &sta__matmul, p->dtype, p->now) : sta__fail_memory(&p->call);
    if (!p->batch) {
        sta__value_drop(c);
        return NULL;
    }
    c->depth = (p->a.value->depth > p->b.value->depth ? p->a.value->depth : p->b.value->depth) + 1;
    sta__batch_depth(p->batch, c->depth);
    if (size > 0 && p->stacked)
        for (int64_t tile = 0; tile < p->c_grid->tiles; tile++)
            stacked_task(p, c, tile);
    else if (size > 0)
        flat_tasks(p, c);
    if (sta__batch_submit(p->batch))
        return c;
    sta__value_drop(c);
    return NULL;
}

/* What was computed in float32 becomes 16 bits in the next pass over it. */
static struct sta__value *narrow(struct sta__matmul *p, struct sta__value *c, sta_dtype dtype)
{
    if (!c || c->dtype == dtype)
        return c;
    struct sta__operand wide = {.value = c, .view = sta__identity_view(&c->shape)};
    struct sta__value *result = sta__node_cast(&p->call, &wide, dtype);
    if (result && !sta__submit_when_now(&p->call, result)) {
        sta__value_drop(result);
        return NULL;
    }
    return result;
}

static struct sta__value *multiply(struct sta__matmul *p)
{
    p->a.shape = p->a.operand.view.shape;
    p->b.shape = p->b.operand.view.shape;
    const sta_dtype dtype = sta_promote_types(p->a.operand.value->dtype, p->b.operand.value->dtype);
    p->operands = dtype;
    p->dtype = dtype == STA_float16 || dtype == STA_bfloat16 ? STA_float32 : dtype;
    if (!sta__product_align(p) || !prepare(p))
        return NULL;
    return narrow(p, submit(p), dtype);
}

sta_array sta_matmul(sta_array a, sta_array b)
{
    struct sta__matmul p = {.call = sta__enter("matmul")};
    struct sta__value *c = NULL;
    if (sta__operand_of(&p.call, a, &p.a.operand) && sta__operand_of(&p.call, b, &p.b.operand))
        c = multiply(&p);
    struct sta__value *values[] = {p.a.operand.value, p.b.operand.value, p.a.value, p.b.value};
    for (int i = 0; i < 4; i++)
        sta__value_drop(values[i]);
    struct sta__grid *grids[] = {p.a_grid, p.b_grid, p.c_grid};
    for (int i = 0; i < 3; i++)
        sta__grid_drop(grids[i]);
    return sta__leave(&p.call, c);
}
