/* Medians: the elements that make one result are brought together, the reduced axes last and whole. */
#include "reduce/front.h"
#include "reduce/median.h"

/* x with the kept axes first. */
static struct sta__operand turned(const struct sta__reduction_call *r)
{
    struct sta__operand x = sta__reduce_again(&r->x);
    int ndim = x.view.shape.ndim, kept = 0, reduced = r->shape.ndim, place[STA_MAXDIM];
    for (int a = 0; a < ndim; a++) {
        place[a] = r->axes >> a & 1 ? reduced++ : kept++;
        x.view.shape.at[place[a]] = r->x.view.shape.at[a];
    }
    for (int s = 0; s < x.view.store_ndim; s++)
        if (x.view.map[s].axis >= 0)
            x.view.map[s].axis = place[x.view.map[s].axis];
    return x;
}

/* The results of one tile, as many as have their elements in an ordinary one. */
static struct sta__grid *results_grid(const struct sta__reduction_call *r)
{
    const struct sta__settings *settings = &sta__runtime.settings;
    int64_t room = settings->tile_elements > 0 ? settings->tile_elements
                                               : settings->tile_bytes / (int64_t)sta_itemsize(r->x.value->dtype);
    int64_t edge[STA_MAXDIM];
    room /= r->count;
    for (int a = r->shape.ndim - 1; a >= 0; a--) {
        edge[a] = room < 1 ? 1 : room < r->shape.at[a] ? room : r->shape.at[a];
        room = edge[a] == r->shape.at[a] ? room / edge[a] : 1;
    }
    return sta__grid_regular(&r->shape, edge);
}

/* That of their elements: the same tiles. */
static struct sta__grid *elements_grid(const struct sta__grid *results, const struct sta__shape *shape)
{
    int64_t edge[STA_MAXDIM];
    for (int a = 0; a < shape->ndim; a++)
        edge[a] = a < results->shape.ndim ? results->edge[a] : shape->at[a];
    return sta__grid_regular(shape, edge);
}

static struct sta__value *submit(struct sta__reduction_call *r, struct sta__value *x, struct sta__grid *grid, bool nan)
{
    const struct sta__median_arguments arguments = {r->count, nan};
    const bool now = sta__runs_now(sta__value_bytes(x), &x, 1);
    if (!now && x->state == STA__NOW) {
        sta__grid_drop(grid);
        grid = sta__grid_single(&r->shape);
    }
    struct sta__value *result = now    ? sta__value_now(r->result, &r->shape)
                                : grid ? sta__value_tiled(r->result, grid)
                                       : NULL;
    sta__grid_drop(grid);
    struct sta__batch *batch = result ? sta__batch_open(r->call, &sta__median_kernel, x->dtype, now) : NULL;
    if (!batch) {
        sta__value_drop(result);
        return sta__fail_memory(r->call);
    }
    result->depth = x->depth + 1;
    sta__batch_depth(batch, result->depth);
    for (int64_t t = 0; t < (now ? 1 : result->grid->tiles); t++) {
        struct sta__task *task = sta__batch_task(batch, &arguments, sizeof arguments);
        sta__task_writes(task, result, t);
        sta__task_reads(task, x, t);
    }
    if (sta__batch_submit(batch))
        return result;
    sta__value_drop(result);
    return NULL;
}

static struct sta__value *median(struct sta__reduction_call *r, bool nan)
{
    struct sta__operand x = turned(r);
    struct sta__grid *results = results_grid(r), *grid = results ? elements_grid(results, &x.view.shape) : NULL;
    struct sta__value *value = grid ? sta__prepare(r->call, &x, STA_DTYPE_NONE, grid) : sta__fail_memory(r->call);
    sta__grid_drop(grid);
    sta__operand_drop(&x);
    if (!value) {
        sta__grid_drop(results);
        return NULL;
    }
    struct sta__value *result = submit(r, value, results, nan);
    sta__value_drop(value);
    return result;
}

struct sta__value *sta__reduce_median(struct sta__reduction_call *r)
{
    return median(r, false);
}

struct sta__value *sta__reduce_nan_median(struct sta__reduction_call *r)
{
    return median(r, true);
}
