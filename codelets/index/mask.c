/* Masks: how many elements of each tile are true is waited for; then it is known how long the results are, and each task
 * writes those of a few neighbouring tiles. Contract: index.h, mask.h. */
#include "codelets/index/mask.h"

#include "launch.h"
#include "reshape.h"

#include <string.h>

/* ---- making ready ---- */

static bool count_tiles(struct sta__call *call, struct sta__mask *mask)
{
    struct sta__value *value = mask->value;
    bool now = value->state == STA__NOW;
    int64_t tiles = now ? 1 : value->grid->tiles, edge[] = {1};
    struct sta__shape shape = {.ndim = 1, .at = {tiles}};
    struct sta__grid *grid = now ? NULL : sta__grid_regular(&shape, edge);
    struct sta__value *counts = now    ? sta__value_now(STA_int64, &shape)
                                : grid ? sta__value_tiled(STA_int64, grid)
                                       : NULL;
    struct sta__batch *batch = counts ? sta__batch_open(call, &sta__mask_count, STA_bool, now) : NULL;
    mask->count = batch ? sta__allocate(sizeof *mask->count * (size_t)tiles) : NULL;
    if (batch)
        sta__batch_depth(batch, value->depth + 1);
    for (int64_t t = 0; batch && t < tiles && value->size; t++) {
        struct sta__task *task = sta__batch_task(batch, NULL, 0);
        sta__task_writes(task, counts, t);
        sta__task_reads(task, value, t);
    }
    bool fine = batch && sta__batch_submit(batch) && mask->count;
    if (fine) {
        struct sta__operand whole = {.value = counts, .view = sta__identity_view(&shape)};
        struct sta__box box = sta__whole_box(&shape);
        fine = sta__read_operand(call, &whole, &box, mask->count);
    }
    sta__value_drop(counts);
    sta__grid_drop(grid);
    return fine || sta__fail_memory(call);
}

/* The value in tiles: itself, or a copy. Takes its reference over. */
static struct sta__value *into_tiles(struct sta__call *call, struct sta__value *value, struct sta__grid *grid)
{
    if (value->state == STA__TILED || value->size == 0)
        return value;
    struct sta__operand whole = {.value = value, .view = sta__identity_view(&value->shape)};
    struct sta__value *copy = sta__recut(call, &whole, grid);
    sta__value_drop(value);
    return copy;
}

bool sta__mask_open(struct sta__call *call, const struct sta__operand *mask, struct sta__grid *grid, bool tiled,
                    struct sta__mask *to)
{
    *to = (struct sta__mask){.value = NULL};
    struct sta__grid *own = grid ? sta__grid_take(grid) : sta__grid_default(&mask->view.shape, STA_int64);
    if (!own)
        return sta__fail_memory(call) != NULL;
    to->value = sta__prepare(call, mask, STA_bool, own);
    if (tiled && to->value)
        to->value = into_tiles(call, to->value, own);
    sta__grid_drop(own);
    if (!to->value || !count_tiles(call, to))
        return false;
    int64_t tiles = to->value->state == STA__NOW ? 1 : to->value->grid->tiles;
    for (int64_t t = 0; t < tiles; t++)
        to->total += to->count[t];
    return true;
}

void sta__mask_end(struct sta__mask *mask)
{
    sta__value_drop(mask->value);
    sta__release(mask->count);
}

/* ---- results ---- */

/* Neighbouring tiles that one task looks at: until the result is a quarter of a usual tile. end[k]: of group k. */
static int64_t *make_groups(const struct sta__mask *mask, int64_t quarter, int64_t *groups)
{
    int64_t tiles = mask->value->state == STA__NOW ? 1 : mask->value->grid->tiles, in = 0, found = 0;
    int64_t *end = sta__allocate_raw(sizeof *end * (size_t)(tiles + 1));
    *groups = 0;
    for (int64_t t = 0, first = 0; end && t < tiles; t++) {
        found += mask->count[t];
        in = t + 1 - first;
        bool last = t + 1 == tiles;
        if (found > 0 && (found >= quarter || in == STA__MASK_TILES || last)) {
            end[(*groups)++] = t + 1;
            first = t + 1;
            found = 0;
        } else if (in == STA__MASK_TILES) {
            first = t + 1; /* nothing is true there */
        }
    }
    return end;
}

/* The tiles of group k that have something true. */
static int64_t tiles_of(const struct sta__mask *mask, const int64_t *end, int64_t k, int64_t *to)
{
    int64_t n = 0;
    for (int64_t t = end[k] - 1; t >= (k ? end[k - 1] : 0) && n < STA__MASK_TILES; t--)
        if (mask->count[t])
            to[n++] = t;
    for (int64_t i = 0; i < n / 2; i++) {
        int64_t swap = to[i];
        to[i] = to[n - 1 - i];
        to[n - 1 - i] = swap;
    }
    return n;
}

/* A result whose first axis has the true elements, cut as the groups are. */
static struct sta__value *result_of(struct sta__call *call, const struct sta__mask *mask, const int64_t *end,
                                    int64_t groups, sta_dtype dtype, const struct sta__shape *shape, bool now)
{
    if (now) {
        struct sta__value *value = sta__value_now(dtype, shape);
        return value ? value : sta__fail_memory(call);
    }
    int64_t *cuts = sta__allocate(sizeof *cuts * (size_t)(groups + 1));
    if (!cuts)
        return sta__fail_memory(call);
    for (int64_t k = 0, t = 0; k < groups; k++) {
        cuts[k + 1] = cuts[k];
        for (; t < end[k]; t++)
            cuts[k + 1] += mask->count[t];
    }
    struct sta__grid *grid = sta__grid_cut_at(shape, 0, cuts, groups);
    struct sta__value *value = grid ? sta__value_tiled(dtype, grid) : NULL;
    sta__grid_drop(grid);
    if (!value)
        return sta__fail_memory(call);
    value->depth = mask->value->depth + 2;
    return value;
}

static int64_t quarter_of(sta_dtype dtype, const struct sta__shape *shape)
{
    struct sta__grid *grid = sta__grid_default(shape, dtype);
    int64_t quarter = grid ? (grid->edge[0] + 3) / 4 : 1;
    sta__grid_drop(grid);
    return quarter;
}

/* ---- indices ---- */

static void index_task(struct sta__batch *batch, const struct sta__mask *mask, int form, struct sta__value **to,
                       int results, int64_t k, const int64_t *end)
{
    struct sta__task *task = sta__batch_task(batch, NULL, sizeof(struct sta__mask_indices_arguments));
    if (!task)
        return;
    struct sta__mask_indices_arguments *a = sta__task_arguments(task);
    int64_t tiles[STA__MASK_TILES] = {0};
    const struct sta__value *value = mask->value;
    sta__task_many(task, STA__MAXMEMORY);
    a->form = (enum sta__indices_form)form;
    a->ndim = value->shape.ndim;
    a->tiles = (int)tiles_of(mask, end, k, tiles);
    memcpy(a->shape, value->shape.at, sizeof(int64_t) * (size_t)a->ndim);
    for (int r = 0; r < results; r++)
        a->to[r] = sta__task_writes(task, to[r], k);
    for (int i = 0; i < a->tiles; i++) {
        a->mask[i] = sta__task_reads(task, mask->value, tiles[i]);
        a->count[i] = mask->count[tiles[i]];
        if (value->state == STA__NOW)
            continue;
        struct sta__box box = sta__grid_box(value->grid, tiles[i]);
        memcpy(a->first[i], box.from, sizeof(int64_t) * (size_t)a->ndim);
    }
}

bool sta__mask_write(struct sta__call *call, const struct sta__mask *mask, int form, struct sta__value **to)
{
    int ndim = mask->value->shape.ndim, results = form == STA__INDICES_APART ? ndim : 1;
    struct sta__shape shape = {.ndim = form == STA__INDICES_COLUMNS ? 2 : 1, .at = {mask->total, ndim}};
    bool now = mask->value->state == STA__NOW || mask->total == 0;
    int64_t groups = 0, *end = make_groups(mask, quarter_of(STA_int64, &shape), &groups);
    bool fine = end || sta__fail_memory(call);
    for (int r = 0; r < results; r++) {
        to[r] = fine ? result_of(call, mask, end, groups, STA_int64, &shape, now) : NULL;
        fine = fine && to[r];
    }
    struct sta__batch *batch = fine ? sta__batch_open(call, &sta__mask_indices_kernel, STA_int64, now) : NULL;
    if (batch)
        sta__batch_depth(batch, mask->value->depth + 2);
    for (int64_t k = 0; batch && k < groups; k++)
        index_task(batch, mask, form, to, results, k, end);
    fine = batch && sta__batch_submit(batch);
    sta__release(end);
    for (int r = 0; r < results && !fine; r++) {
        sta__value_drop(to[r]);
        to[r] = NULL;
    }
    return fine;
}

bool sta__mask_indices(struct sta__call *call, const struct sta__operand *mask, struct sta__value **to)
{
    struct sta__mask ready;
    bool fine =
        sta__mask_open(call, mask, NULL, false, &ready) && sta__mask_write(call, &ready, STA__INDICES_APART, to);
    sta__mask_end(&ready);
    return fine;
}

/* ---- taking ---- */

/* The grid of x as it is where tiles are runs that cut the mask's axes only; else one like that. */
static struct sta__grid *grid_for(const struct sta__operand *x, int axes)
{
    const struct sta__value *value = x->value;
    bool own = value->state == STA__TILED && !value->strided && sta__view_is_identity(&x->view, &value->shape) &&
               sta__grid_is_runs(value->grid);
    for (int a = axes; own && a < value->shape.ndim; a++)
        own = value->grid->count[a] == 1;
    if (own)
        return sta__grid_take(value->grid);
    struct sta__shape lead = x->view.shape;
    int64_t edge[STA_MAXDIM];
    struct sta__grid *usual = sta__grid_default(&x->view.shape, value->dtype);
    for (int a = 0; usual && a < lead.ndim; a++)
        edge[a] = a < axes ? usual->edge[a] : lead.at[a];
    struct sta__grid *grid = usual ? sta__grid_regular(&x->view.shape, edge) : NULL;
    sta__grid_drop(usual);
    return grid;
}

static struct sta__grid *lead_of(const struct sta__grid *grid, int axes)
{
    struct sta__shape shape = {.ndim = axes};
    int axis = 0;
    for (int a = 0; a < axes; a++) {
        shape.at[a] = grid->shape.at[a];
        axis = grid->count[a] > 1 ? a : axis;
    }
    int64_t count = grid->count[axis], *cuts = sta__allocate(sizeof *cuts * (size_t)(count + 1));
    for (int64_t k = 0; cuts && k <= count; k++)
        cuts[k] = sta__grid_cut(grid, axis, k);
    return cuts ? sta__grid_cut_at(&shape, axis, cuts, count) : NULL;
}

static void take_task(struct sta__batch *batch, const struct sta__mask *mask, struct sta__value *x,
                      struct sta__value *result, int64_t k, const int64_t *end)
{
    struct sta__task *task = sta__batch_task(batch, NULL, sizeof(struct sta__mask_take_arguments));
    if (!task)
        return;
    struct sta__mask_take_arguments *a = sta__task_arguments(task);
    int64_t tiles[STA__MASK_TILES] = {0};
    sta__task_many(task, 2 * STA__MASK_TILES + 1);
    a->tiles = (int)tiles_of(mask, end, k, tiles);
    sta__task_writes(task, result, k);
    for (int i = 0; i < a->tiles; i++) {
        a->mask[i] = sta__task_reads(task, mask->value, tiles[i]);
        a->count[i] = mask->count[tiles[i]];
        a->x[i] = sta__task_reads(task, x, tiles[i]);
    }
}

static struct sta__value *take(struct sta__call *call, struct sta__value *x, const struct sta__mask *mask)
{
    int axes = mask->value->shape.ndim;
    struct sta__shape shape = {.ndim = 1 + x->shape.ndim - axes, .at = {mask->total}};
    for (int a = axes; a < x->shape.ndim; a++)
        shape.at[1 + a - axes] = x->shape.at[a];
    int64_t groups = 0, size = 0, *end = make_groups(mask, quarter_of(x->dtype, &shape), &groups);
    sta__shape_size(&shape, &size);
    bool now = mask->value->state == STA__NOW || size == 0;
    struct sta__value *result =
        end ? result_of(call, mask, end, groups, x->dtype, &shape, now) : sta__fail_memory(call);
    struct sta__batch *batch = result ? sta__batch_open(call, &sta__mask_take_kernel, x->dtype, now) : NULL;
    if (batch)
        sta__batch_depth(batch, x->depth + 2);
    for (int64_t k = 0; batch && size && k < groups; k++)
        take_task(batch, mask, x, result, k, end);
    bool fine = batch && sta__batch_submit(batch);
    sta__release(end);
    if (fine)
        return result;
    sta__value_drop(result);
    return NULL;
}

struct sta__value *sta__mask_take(struct sta__call *call, const struct sta__operand *x, const struct sta__operand *mask)
{
    struct sta__mask ready = {.value = NULL};
    struct sta__value *values[2] = {x->value, mask->value}, *result = NULL, *ours = NULL;
    int axes = mask->view.shape.ndim;
    if (!sta__submit_values(call, values, 1))
        return NULL;
    struct sta__grid *grid = grid_for(x, axes), *lead = grid ? lead_of(grid, axes) : NULL;
    bool fine = lead || sta__fail_memory(call);
    ours = fine ? sta__prepare(call, x, STA_DTYPE_NONE, grid) : NULL;
    if (ours && sta__mask_open(call, mask, lead, ours->state == STA__TILED, &ready)) {
        if (ready.value->state == STA__TILED)
            ours = into_tiles(call, ours, grid);
        result = ours ? take(call, ours, &ready) : NULL;
    }
    sta__mask_end(&ready);
    sta__value_drop(ours);
    sta__grid_drop(lead);
    sta__grid_drop(grid);
    return result;
}
