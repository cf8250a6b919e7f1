/* Plans the stages of a reduction. The merged axis is the last reduced axis that the grid cuts (or the first reduced
 * one): the reduced axes after it are whole in every tile, those before it ("outer") come last. */
#include "reduce/stages_own.h"

#include <string.h>

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

int64_t sta__stages_cells(const struct sta__stages *s, const struct sta__box *box)
{
    int64_t cells = 1;
    for (int a = 0; a < box->ndim; a++)
        cells *= s->axes >> a & 1 ? 1 : box->to[a] - box->from[a];
    return cells;
}

struct sta__tile *sta__stages_part(const struct sta__stages *s, int k, int64_t from, int64_t to, int64_t cells)
{
    const struct sta__reduction *r = sta__stages_reduction(s, k);
    int64_t bytes = (int64_t)sta__partial_bytes((enum sta__reducer)r->op, r->dtype, from, to, cells);
    struct sta__box box = {.ndim = 1, .to = {bytes}};
    return sta__tile_new(STA_uint8, &box);
}

static bool make_parts(struct sta__stages *s)
{
    for (int k = 0; k < sta__stages_reductions(s) && s->first != STA__REDUCE_FINAL; k++) {
        s->tile[k] = sta__allocate(sizeof(void *) * (size_t)s->grid->tiles);
        for (int64_t t = 0; s->tile[k] && t < s->grid->tiles; t++) {
            struct sta__box box = sta__grid_box(s->grid, t);
            bool partial = s->first == STA__REDUCE_PARTIAL;
            s->tile[k][t] = sta__stages_part(s, k, partial && !s->chain ? box.from[s->merged] : 0,
                                             partial ? box.to[s->merged] : 1, sta__stages_cells(s, &box));
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
    for (int k = 0; k < sta__stages_reductions(s) && s->parts > 1; k++) {
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
    s->most = chain ? sta__handles_together() : STA__MAXBUFFERS;
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
        return sta__stages_reductions(s);
    int handles = 0;
    for (int k = 0; k < sta__stages_reductions(s); k++)
        for (int c = 0; c < STA__COMPONENTS; c++)
            handles += s->result[k][c] && s->result[k][c]->state == STA__TILED;
    if (!s->chain)
        return handles;
    return sta__stages_reductions(s) + (handles > sta__stages_reductions(s) ? handles : sta__stages_reductions(s));
}

int sta__stages_most(const struct sta__stages *s)
{
    return s->most;
}

/* ---- numbering: a tile of the grid, its group (the tile without the merged axis), the tile of results ---- */

int64_t sta__stages_number(const struct sta__grid *grid, int64_t tile, uint32_t axes)
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

int64_t sta__stages_stride(const struct sta__stages *s)
{
    int64_t stride = 1;
    for (int a = s->merged + 1; a < s->grid->shape.ndim; a++)
        stride *= s->grid->count[a];
    return stride;
}

int64_t sta__stages_tile(const struct sta__stages *s, int64_t group, int64_t part)
{
    int64_t stride = sta__stages_stride(s);
    return (group / stride * s->parts + part) * stride + group % stride;
}

int64_t sta__stages_result(const struct sta__stages *s, int64_t tile)
{
    return sta__stages_number(s->grid, tile, s->axes | s->outer);
}

struct sta__reduce_target sta__stages_target(const struct sta__stages *s, int k, int64_t tile, struct sta__task *task)
{
    struct sta__reduce_target target;
    for (int c = 0; c < STA__COMPONENTS; c++)
        target.memory[c] = s->result[k][c] ? sta__task_writes(task, s->result[k][c], sta__stages_result(s, tile)) : -1;
    return target;
}

void sta__stages_words(const struct sta__stages *s, int64_t tile, struct sta__words *words, struct sta__task *task)
{
    int64_t stride = sta__stages_stride(s), part = tile / stride % s->parts;
    enum sta__reduce_mode mode = s->chain && part == s->parts - 1 ? s->last : s->first;
    sta__words_put(words, mode);
    for (int k = 0; k < sta__stages_reductions(s); k++) {
        struct sta__reduce_target target = {{-1, -1}};
        if (mode == STA__REDUCE_FINAL)
            target = sta__stages_target(s, k, tile, task);
        else
            target.memory[0] = sta__task_writes_tile(task, s->tile[k][tile]);
        for (int c = 0; c < STA__COMPONENTS; c++)
            sta__words_put(words, target.memory[c]);
        sta__words_put(words, s->chain && part ? sta__task_reads_tile(task, s->tile[k][tile - stride]) : -1);
    }
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
