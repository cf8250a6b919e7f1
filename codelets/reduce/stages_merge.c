/* The tasks after the tiles' own: merges of parts, a few at a time, and the gathering of states whose outer axes are
 * reduced last. */
#include "reduce/stages_own.h"

enum { FAN = 5 }; /* parts that one task merges: with its results no more handles than a task can have */

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
    const struct sta__reduction *r = sta__stages_reduction(s, k);
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
        a.target = sta__stages_target(s, k, tile, task);
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
    int64_t stride = sta__stages_stride(s);
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
            next.part[n] = sta__stages_part(s, k, level.cut[from], level.cut[to], cells);
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
        s->state[k][group] = sta__stages_part(s, k, 0, 1, cells);
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
    return s->parts > 1 ? s->state[k][sta__stages_number(s->grid, tile, 1U << s->merged)] : s->tile[k][tile];
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
    const struct sta__reduction *r = sta__stages_reduction(s, k);
    struct sta__outer_arguments a = {.reducer = r->op, .dtype = r->dtype, .axes = s->outer, .unit = s->unit};
    a.unit *= s->grid->shape.at[s->merged];
    struct sta__tile *gathered = NULL;
    struct sta__task *task = NULL;
    bool fine = true;
    int64_t seen = 0, total = 1;
    for (int d = 0; d < s->grid->shape.ndim; d++)
        total *= s->outer >> d & 1 ? s->grid->count[d] : 1;
    for (int64_t t = 0; t < s->grid->tiles && fine && seen < total; t++) {
        if (sta__stages_result(s, t) != wanted || t / sta__stages_stride(s) % s->parts)
            continue;
        struct sta__box box = sta__grid_box(s->grid, t);
        if (!gathered) {
            outer_extent(s, &box, &a);
            int64_t cells = 1;
            for (int d = 0; d < a.ndim; d++)
                cells *= a.extent[d];
            gathered = sta__stages_part(s, k, 0, 1, cells);
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
        a.target = a.last ? sta__stages_target(s, k, t, task) : (struct sta__reduce_target){{-1, -1}};
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
    for (int k = 0; k < sta__stages_reductions(s) && s->parts > 1 && !s->chain && fine; k++) {
        sta__batch_kernel(batch, &sta__merge_kernel, sta__stages_reduction(s, k)->dtype);
        fine = merge_group(s, batch, k, tile, sta__stages_cells(s, &box), group);
    }
    if (!fine)
        sta__batch_fail(batch);
}

void sta__stages_outer(struct sta__stages *s, struct sta__batch *batch)
{
    bool fine = true;
    sta__batch_stage(batch, 2);
    for (int k = 0; k < sta__stages_reductions(s) && s->outer && fine; k++) {
        sta__batch_kernel(batch, &sta__outer_kernel, sta__stages_reduction(s, k)->dtype);
        for (int64_t w = 0; w < s->result_grid->tiles && fine; w++)
            fine = outer_group(s, batch, k, w);
    }
    if (!fine)
        sta__batch_fail(batch);
}
