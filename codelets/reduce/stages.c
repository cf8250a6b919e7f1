/* Plans the stages of a reduction. The merged axis is the last reduced axis that the grid cuts (or the first reduced
 * one): the reduced axes after it are whole in every tile, those before it ("outer") come last. */
#include "reduce/stages.h"

#include <string.h>

enum { FAN = 5 }; /* parts that one task merges: with its results no more handles than a task can have */

struct sta__stages {
    struct sta__call *call;
    struct sta__plan *plan;
    struct sta__grid *grid, *result_grid;
    int merged;                        /* the axis */
    uint32_t axes, outer;              /* reduced by the tiles' tasks and merges; reduced last */
    int64_t parts;                     /* tiles along the merged axis */
    int64_t unit;                      /* elements of a leaf of the merged axis */
    bool chain;                        /* each tile's task goes on from the part of the one before it */
    enum sta__reduce_mode first, last; /* how tiles and the last merge write */
    struct sta__value *result[STA__MAXOUTPUTS][STA__COMPONENTS]; /* by reduction; not counted */
    struct sta__tile **tile[STA__MAXOUTPUTS];                    /* parts, by tile of the grid */
    struct sta__tile **state[STA__MAXOUTPUTS];                   /* of the last merge, by group */
};

static const struct sta__reduction *reduction_of(const struct sta__stages *s, int k)
{
    return &s->plan->program->reduction[k];
}

static int reductions(const struct sta__stages *s)
{
    return s->plan->program->reductions;
}

/* The grid of results: that of the operand without the reduced axes. */
static struct sta__grid *shrink(const struct sta__grid *grid, uint32_t axes)
{
    struct sta__grid *result = sta__allocate(sizeof *result);
    if (!result)
        return NULL;
    atomic_init(&result->references, 1);
    result->tiles = 1;
    for (int a = 0; a < grid->shape.ndim; a++) {
        if (axes >> a & 1)
            continue;
        int to = result->shape.ndim++;
        result->shape.at[to] = grid->shape.at[a];
        result->count[to] = grid->count[a];
        result->edge[to] = grid->edge[a];
        result->tiles *= result->count[to];
        if (!grid->cuts[a])
            continue;
        size_t bytes = sizeof(int64_t) * (size_t)(grid->count[a] + 1);
        result->cuts[to] = sta__allocate(bytes);
        if (!result->cuts[to]) {
            sta__grid_drop(result);
            return NULL;
        }
        memcpy(result->cuts[to], grid->cuts[a], bytes);
    }
    return result;
}

static void choose_axes(struct sta__stages *s, bool chain)
{
    uint32_t axes = s->plan->program->axes;
    int ndim = s->grid->shape.ndim;
    s->merged = -1;
    for (int a = 0; a < ndim; a++)
        if ((axes >> a & 1) && (s->merged < 0 || s->grid->count[a] > 1))
            s->merged = a;
    uint32_t before = s->merged > 0 ? (1U << s->merged) - 1 : 0;
    s->outer = axes & before;
    s->axes = axes & ~before;
    s->parts = s->grid->count[s->merged];
    s->unit = 1;
    for (int a = s->merged + 1; a < ndim; a++)
        s->unit *= axes >> a & 1 ? s->grid->shape.at[a] : 1;
    s->last = s->outer ? STA__REDUCE_STATES : STA__REDUCE_FINAL;
    s->first = s->parts > 1 ? STA__REDUCE_PARTIAL : s->last;
    s->chain = chain && s->parts > 1 && !s->outer && s->grid->tiles / s->parts >= 2 * sta__runtime.settings.threads;
}

/* Kept cells of a tile, those of outer reduced axes too. */
static int64_t cells_of(const struct sta__stages *s, const struct sta__box *box)
{
    int64_t cells = 1;
    for (int a = 0; a < box->ndim; a++)
        cells *= s->axes >> a & 1 ? 1 : box->to[a] - box->from[a];
    return cells;
}

static struct sta__tile *part_tile(const struct sta__stages *s, int k, int64_t from, int64_t to, int64_t cells)
{
    const struct sta__reduction *r = reduction_of(s, k);
    int64_t bytes = (int64_t)sta__partial_bytes((enum sta__reducer)r->op, r->dtype, from, to, cells);
    struct sta__box box = {.ndim = 1, .to = {bytes}};
    return sta__tile_new(STA_uint8, &box);
}

static bool make_parts(struct sta__stages *s)
{
    for (int k = 0; k < reductions(s) && s->first != STA__REDUCE_FINAL; k++) {
        s->tile[k] = sta__allocate(sizeof(void *) * (size_t)s->grid->tiles);
        for (int64_t t = 0; s->tile[k] && t < s->grid->tiles; t++) {
            struct sta__box box = sta__grid_box(s->grid, t);
            bool partial = s->first == STA__REDUCE_PARTIAL;
            s->tile[k][t] = part_tile(s, k, partial && !s->chain ? box.from[s->merged] : 0,
                                      partial ? box.to[s->merged] : 1, cells_of(s, &box));
            if (!s->tile[k][t])
                return false;
        }
        if (!s->tile[k])
            return false;
    }
    return true;
}

/* Those of the last merges, by group; filled in as they are made. */
static bool make_states(struct sta__stages *s)
{
    for (int k = 0; k < reductions(s) && s->parts > 1; k++) {
        s->state[k] = sta__allocate(sizeof(void *) * (size_t)sta__stages_groups(s));
        if (!s->state[k])
            return false;
    }
    return true;
}

static bool make_results(struct sta__stages *s, bool now, struct sta__value **results)
{
    const struct sta__program *program = s->plan->program;
    for (int o = 0; o < program->outputs; o++) {
        if (!program->output[o].reduce)
            continue;
        results[o] = now ? sta__value_now(s->plan->out[o]->dtype, &s->result_grid->shape)
                         : sta__value_tiled(s->plan->out[o]->dtype, s->result_grid);
        if (!results[o])
            return false;
        s->result[program->output[o].reduction][program->output[o].component] = results[o];
    }
    return true;
}

struct sta__stages *sta__stages_plan(struct sta__call *call, struct sta__plan *plan, struct sta__grid *grid, bool now,
                                     bool chain, struct sta__value **results)
{
    struct sta__stages *s = sta__allocate(sizeof *s);
    if (!s)
        return sta__fail_memory(call);
    s->call = call;
    s->plan = plan;
    s->grid = sta__grid_take(grid);
    choose_axes(s, chain);
    s->result_grid = shrink(grid, plan->program->axes);
    if (s->result_grid && make_results(s, now, results) && make_parts(s) && make_states(s))
        return s;
    sta__stages_end(s);
    return sta__fail_memory(call);
}

uint32_t sta__stages_axes(const struct sta__stages *s)
{
    return s->axes;
}

int sta__stages_handles(const struct sta__stages *s)
{
    if (s->first != STA__REDUCE_FINAL && !s->chain)
        return reductions(s);
    int handles = 0;
    for (int k = 0; k < reductions(s); k++)
        for (int c = 0; c < STA__COMPONENTS; c++)
            handles += s->result[k][c] && s->result[k][c]->state == STA__TILED;
    if (!s->chain)
        return handles;
    return reductions(s) + (handles > reductions(s) ? handles : reductions(s));
}

/* ---- numbering: a tile of the grid, its group (the tile without the merged axis), the tile of results ---- */

static int64_t number_without(const struct sta__grid *grid, int64_t tile, uint32_t axes)
{
    int64_t at[STA_MAXDIM], number = 0;
    for (int a = grid->shape.ndim - 1; a >= 0; a--) {
        at[a] = tile % grid->count[a];
        tile /= grid->count[a];
    }
    for (int a = 0; a < grid->shape.ndim; a++)
        number = axes >> a & 1 ? number : number * grid->count[a] + at[a];
    return number;
}

int64_t sta__stages_groups(const struct sta__stages *s)
{
    return s->grid->tiles / s->parts;
}

int64_t sta__stages_parts(const struct sta__stages *s)
{
    return s->parts;
}

/* The tiles of the group of `tile` along the merged axis. */
static int64_t stride_of(const struct sta__grid *grid, int axis)
{
    int64_t stride = 1;
    for (int a = axis + 1; a < grid->shape.ndim; a++)
        stride *= grid->count[a];
    return stride;
}

int64_t sta__stages_tile(const struct sta__stages *s, int64_t group, int64_t part)
{
    int64_t stride = stride_of(s->grid, s->merged);
    return (group / stride * s->parts + part) * stride + group % stride;
}

static int64_t result_tile(const struct sta__stages *s, int64_t tile)
{
    return number_without(s->grid, tile, s->axes | s->outer);
}

static struct sta__reduce_target final_target(const struct sta__stages *s, int k, int64_t tile, struct sta__task *task)
{
    struct sta__reduce_target target;
    for (int c = 0; c < STA__COMPONENTS; c++)
        target.memory[c] = s->result[k][c] ? sta__task_writes(task, s->result[k][c], result_tile(s, tile)) : -1;
    return target;
}

void sta__stages_words(const struct sta__stages *s, int64_t tile, struct sta__words *words, struct sta__task *task)
{
    int64_t stride = stride_of(s->grid, s->merged), part = tile / stride % s->parts;
    enum sta__reduce_mode mode = s->chain && part == s->parts - 1 ? s->last : s->first;
    sta__words_put(words, mode);
    for (int k = 0; k < reductions(s); k++) {
        struct sta__reduce_target target = {{-1, -1}};
        if (mode == STA__REDUCE_FINAL)
            target = final_target(s, k, tile, task);
        else
            target.memory[0] = sta__task_writes_tile(task, s->tile[k][tile]);
        for (int c = 0; c < STA__COMPONENTS; c++)
            sta__words_put(words, target.memory[c]);
        sta__words_put(words, s->chain && part ? sta__task_reads_tile(task, s->tile[k][tile - stride]) : -1);
    }
}

/* ---- merges ---- */

struct level {
    struct sta__tile **part; /* own references from the second level on */
    int64_t *cut;            /* one more than parts */
    int64_t count;
};

/* One merge of parts from .. to; `into` NULL: the last one. */
static void merge_task(struct sta__stages *s, struct sta__batch *batch, int k, const struct level *level, int64_t from,
                       int64_t to, int64_t cells, int64_t tile, struct sta__tile *into)
{
    const struct sta__reduction *r = reduction_of(s, k);
    struct sta__merge_arguments a = {
        .reducer = r->op, .dtype = r->dtype, .count = (int)(to - from), .cells = cells, .unit = s->unit};
    struct sta__task *task = sta__batch_task(batch, NULL, sizeof a);
    if (!task)
        return;
    for (int64_t p = from; p < to; p++) {
        sta__task_reads_tile(task, level->part[p]);
        a.cut[p - from] = level->cut[p];
    }
    a.cut[to - from] = level->cut[to];
    a.target = (struct sta__reduce_target){{-1, -1}};
    a.mode = into && level->count > FAN ? STA__REDUCE_PARTIAL : s->last;
    if (into)
        a.target.memory[0] = sta__task_writes_tile(task, into);
    else
        a.target = final_target(s, k, tile, task);
    *(struct sta__merge_arguments *)sta__task_arguments(task) = a;
}

static void level_end(struct level *level)
{
    for (int64_t p = 0; level->part && p < level->count; p++)
        if (level->part[p])
            sta__tile_drop(level->part[p]);
    sta__release(level->part);
    sta__release(level->cut);
}

static bool level_new(struct level *level, int64_t count)
{
    level->count = count;
    level->part = sta__allocate(sizeof(void *) * (size_t)count);
    level->cut = sta__allocate(sizeof(int64_t) * (size_t)(count + 1));
    if (level->part && level->cut)
        return true;
    level_end(level);
    *level = (struct level){NULL, NULL, 0};
    return false;
}

/* Merges by FAN until one task can finish. */
static bool merge_group(struct sta__stages *s, struct sta__batch *batch, int k, int64_t tile, int64_t cells,
                        int64_t group)
{
    struct level level;
    if (!level_new(&level, s->parts))
        return false;
    int64_t stride = stride_of(s->grid, s->merged);
    for (int64_t p = 0; p < s->parts; p++) {
        level.part[p] = sta__tile_take(s->tile[k][tile + p * stride]);
        level.cut[p] = sta__grid_cut(s->grid, s->merged, p);
    }
    level.cut[s->parts] = s->grid->shape.at[s->merged];
    bool fine = true;
    while (level.count > FAN && fine) {
        struct level next;
        fine = level_new(&next, (level.count + FAN - 1) / FAN);
        for (int64_t n = 0; n < next.count && fine; n++) {
            int64_t from = n * FAN, to = from + FAN < level.count ? from + FAN : level.count;
            next.cut[n] = level.cut[from];
            next.part[n] = part_tile(s, k, level.cut[from], level.cut[to], cells);
            fine = next.part[n] != NULL;
            if (fine)
                merge_task(s, batch, k, &level, from, to, cells, tile, next.part[n]);
        }
        if (fine)
            next.cut[next.count] = level.cut[level.count];
        level_end(&level);
        level = next;
    }
    if (fine && s->outer) {
        s->state[k][group] = part_tile(s, k, 0, 1, cells);
        fine = s->state[k][group] != NULL;
    }
    if (fine)
        merge_task(s, batch, k, &level, 0, level.count, cells, tile, s->outer ? s->state[k][group] : NULL);
    level_end(&level);
    return fine;
}

/* ---- outer axes ---- */

static struct sta__tile *state_of(const struct sta__stages *s, int k, int64_t tile)
{
    return s->parts > 1 ? s->state[k][number_without(s->grid, tile, 1U << s->merged)] : s->tile[k][tile];
}

static void outer_extent(const struct sta__stages *s, const struct sta__box *box, struct sta__outer_arguments *a)
{
    a->ndim = box->ndim;
    for (int d = 0; d < box->ndim; d++) {
        bool outer = s->outer >> d & 1, inner = s->axes >> d & 1;
        a->extent[d] = outer ? s->grid->shape.at[d] : inner ? 1 : box->to[d] - box->from[d];
    }
}

static void outer_box(const struct sta__stages *s, const struct sta__box *box, struct sta__outer_arguments *a, int i)
{
    for (int d = 0; d < box->ndim; d++) {
        bool outer = s->outer >> d & 1;
        a->box[i].from[d] = outer ? box->from[d] : 0;
        a->box[i].to[d] = outer ? box->to[d] : a->extent[d];
    }
}

/* Gathers the states of all tiles that give one tile of results, at most FAN a task, in a chain on their array. */
static bool outer_group(struct sta__stages *s, struct sta__batch *batch, int k, int64_t wanted)
{
    const struct sta__reduction *r = reduction_of(s, k);
    struct sta__outer_arguments a = {.reducer = r->op, .dtype = r->dtype, .axes = s->outer, .unit = s->unit};
    a.unit *= s->grid->shape.at[s->merged];
    struct sta__tile *gathered = NULL;
    struct sta__task *task = NULL;
    bool fine = true;
    int64_t seen = 0, total = 1;
    for (int d = 0; d < s->grid->shape.ndim; d++)
        total *= s->outer >> d & 1 ? s->grid->count[d] : 1;
    for (int64_t t = 0; t < s->grid->tiles && fine && seen < total; t++) {
        if (result_tile(s, t) != wanted || t / stride_of(s->grid, s->merged) % s->parts)
            continue;
        struct sta__box box = sta__grid_box(s->grid, t);
        if (!gathered) {
            outer_extent(s, &box, &a);
            int64_t cells = 1;
            for (int d = 0; d < a.ndim; d++)
                cells *= a.extent[d];
            gathered = part_tile(s, k, 0, 1, cells);
        }
        if (!task) {
            task = gathered ? sta__batch_task(batch, NULL, sizeof a) : NULL;
            a.count = 0;
        }
        fine = task != NULL;
        if (!fine)
            break;
        outer_box(s, &box, &a, a.count++);
        sta__task_reads_tile(task, state_of(s, k, t));
        a.last = ++seen == total;
        if (a.count < FAN && !a.last)
            continue;
        a.gathered = seen <= FAN ? sta__task_writes_tile(task, gathered) : sta__task_updates_tile(task, gathered);
        a.target = a.last ? final_target(s, k, t, task) : (struct sta__reduce_target){{-1, -1}};
        *(struct sta__outer_arguments *)sta__task_arguments(task) = a;
        task = NULL;
    }
    if (gathered)
        sta__tile_drop(gathered);
    return fine;
}

/* ---- all tasks after the tiles' own ---- */

void sta__stages_merge(struct sta__stages *s, struct sta__batch *batch, int64_t group)
{
    int64_t tile = sta__stages_tile(s, group, 0);
    struct sta__box box = sta__grid_box(s->grid, tile);
    bool fine = true;
    sta__batch_stage(batch, 1);
    for (int k = 0; k < reductions(s) && s->parts > 1 && !s->chain && fine; k++) {
        sta__batch_kernel(batch, &sta__merge_kernel, reduction_of(s, k)->dtype);
        fine = merge_group(s, batch, k, tile, cells_of(s, &box), group);
    }
    if (!fine)
        sta__batch_fail(batch);
}

void sta__stages_outer(struct sta__stages *s, struct sta__batch *batch)
{
    bool fine = true;
    sta__batch_stage(batch, 2);
    for (int k = 0; k < reductions(s) && s->outer && fine; k++) {
        sta__batch_kernel(batch, &sta__outer_kernel, reduction_of(s, k)->dtype);
        for (int64_t w = 0; w < s->result_grid->tiles && fine; w++)
            fine = outer_group(s, batch, k, w);
    }
    if (!fine)
        sta__batch_fail(batch);
}

static void drop_tiles(struct sta__tile **tiles, int64_t count)
{
    for (int64_t t = 0; tiles && t < count; t++)
        if (tiles[t])
            sta__tile_drop(tiles[t]);
    sta__release(tiles);
}

void sta__stages_end(struct sta__stages *s)
{
    if (!s)
        return;
    for (int k = 0; k < STA__MAXOUTPUTS; k++) {
        drop_tiles(s->tile[k], s->grid->tiles);
        drop_tiles(s->state[k], s->grid->tiles / s->parts);
    }
    sta__grid_drop(s->grid);
    sta__grid_drop(s->result_grid);
    sta__release(s);
}
