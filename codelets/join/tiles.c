/* The values of mosaics. Contract: tiles.h. */
#include "join/tiles.h"

#include "mpi/ranks.h"

#include <string.h>

/* ---- what a box of the result is made from ---- */

struct source {
    int part;
    int64_t tile;
};

struct sources {
    const struct sta__mosaic *m;
    struct sta__vector list; /* of struct source */
    bool failed;
};

enum { LOOKED_BACK = 64, FEW_CELLS = 64 };

static struct source *source_at(const struct sources *s, size_t i)
{
    return (struct source *)(void *)s->list.data + i;
}

/* Once, as far as that is cheap to know; twice does no harm. */
static void add_source(struct sources *s, int part, int64_t tile)
{
    size_t count = s->list.count, first = count > LOOKED_BACK ? count - LOOKED_BACK : 0;
    for (size_t i = count; i-- > first;)
        if (source_at(s, i)->part == part && source_at(s, i)->tile == tile)
            return;
    struct source *source = sta__vector_add(&s->list);
    s->failed |= !source;
    if (source)
        *source = (struct source){part, tile};
}

/* The tiles of a part that a cell touches. */
static bool add_cell(const struct sta__cell *cell, void *argument)
{
    struct sources *s = argument;
    const struct sta__operand *part = &s->m->part[cell->part];
    if (part->value->state == STA__NOW) {
        add_source(s, cell->part, 0);
        return !s->failed;
    }
    const struct sta__grid *grid = part->value->grid;
    int ndim = part->view.store_ndim;
    int64_t first[STA_MAXDIM], last[STA_MAXDIM], at[STA_MAXDIM];
    for (int i = 0; i < ndim; i++) {
        const struct sta__axis_map *map = &part->view.map[i];
        int a = map->axis;
        int64_t from = map->offset, to = map->offset;
        if (a >= 0) {
            from += map->step * (cell->offset[a] + cell->step[a] * cell->from[a]);
            to += map->step * (cell->offset[a] + cell->step[a] * (cell->to[a] - 1));
        }
        first[i] = at[i] = sta__grid_find(grid, i, from < to ? from : to);
        last[i] = sta__grid_find(grid, i, from < to ? to : from);
    }
    for (;;) {
        int64_t tile = 0;
        for (int i = 0; i < ndim; i++)
            tile = tile * grid->count[i] + at[i];
        add_source(s, cell->part, tile);
        int i = ndim - 1;
        while (i >= 0 && ++at[i] > last[i]) {
            at[i] = first[i];
            i--;
        }
        if (i < 0)
            return !s->failed;
    }
}

/* One cell for all of a part's in the box, where they are many: it may touch more than they do. */
static void add_bounds(struct sources *s, const struct sta__box *box, int part)
{
    const struct sta__pattern *p = s->m->pattern;
    struct sta__cell cell = {.part = part};
    for (int a = 0; a < p->shape.ndim; a++) {
        int64_t low = INT64_MAX, high = -1;
        for (int64_t k = sta__strip_find(p, a, box->from[a]), at = box->from[a]; at < box->to[a]; k++) {
            const struct sta__strip *strip = &p->strip[a][k];
            int64_t end = strip->end < box->to[a] ? strip->end : box->to[a], first = sta__strip_first(p, a, k);
            int64_t one = strip->start + strip->step * (at - first),
                    two = strip->start + strip->step * (end - 1 - first);
            at = end;
            if (p->count[a] > 1 && strip->part != part)
                continue;
            low = one < low ? one : low;
            low = two < low ? two : low;
            high = one > high ? one : high;
            high = two > high ? two : high;
        }
        if (high < 0)
            return;
        cell.to[a] = high - low + 1;
        cell.offset[a] = low;
        cell.step[a] = 1;
    }
    add_cell(&cell, s);
}

/* Many strips stand on one axis only (deleting, inserting, repeating): elsewhere cells are few. */
static void find_sources(struct sources *s, const struct sta__box *box)
{
    const struct sta__pattern *p = s->m->pattern;
    int lists = 0;
    for (int a = 0; a < p->shape.ndim; a++)
        lists += p->count[a] > 1;
    s->list.count = 0;
    if (lists > 1 || p->parts > 2 || sta__cells_count(p, box) <= FEW_CELLS) {
        sta__cells(p, box, add_cell, s);
        return;
    }
    for (int i = 0; i < p->parts; i++)
        add_bounds(s, box, i);
}

/* ---- tasks ---- */

static void set_source(struct sta__mosaic_source *to, const struct sta__mosaic *m, const struct source *source,
                       struct sta__task *task)
{
    struct sta__value *value = m->part[source->part].value;
    to->part = source->part;
    to->memory = sta__task_reads(task, value, source->tile);
    if (value->state == STA__NOW)
        return;
    struct sta__box box = sta__grid_box(value->grid, source->tile);
    memcpy(to->from, box.from, sizeof to->from);
}

/* The tasks that fill one tile: each reads a few sources; those after the first update the tile. */
static bool fill_tile(struct sources *s, struct sta__batch *batch, struct sta__value *value, int64_t tile,
                      const struct sta__box *box)
{
    const struct sta__mosaic *m = s->m;
    find_sources(s, box);
    for (size_t first = 0, next; first < s->list.count && !s->failed; first = next) {
        int handles = 1, count = 0;
        for (next = first; next < s->list.count && count < STA__MAXMEMORY - 1; next++, count++) {
            handles += m->part[source_at(s, next)->part].value->state == STA__TILED;
            if (handles > STA__MAXBUFFERS)
                break;
        }
        struct sta__mosaic_arguments *a;
        struct sta__task *task = sta__batch_task(batch, NULL, sizeof *a + sizeof *a->source * (next - first));
        if (!task)
            return false;
        a = sta__task_arguments(task);
        a->pattern = m->pattern;
        atomic_fetch_add(&m->pattern->references, 1);
        a->box = *box;
        a->to = first ? sta__task_updates(task, value, tile) : sta__task_writes(task, value, tile);
        for (size_t i = first; i < next; i++)
            set_source(&a->source[a->sources++], m, source_at(s, i), task);
    }
    return !s->failed;
}

static int depth_of(const struct sta__mosaic *m)
{
    int depth = 0;
    for (int i = 0; i < m->pattern->parts; i++)
        depth = m->part[i].value->depth > depth ? m->part[i].value->depth : depth;
    return depth;
}

struct sta__value *sta__mosaic_now(struct sta__mosaic *m, const struct sta__shape *shape)
{
    struct sta__value *value = sta__value_raw(m->dtype, shape);
    struct sta__batch *batch = value ? sta__batch_open(m->call, &sta__mosaic_kernel, m->dtype, true) : NULL;
    struct sources s = {.m = m, .list = STA__VECTOR(struct source)};
    struct sta__box box = sta__whole_box(&m->pattern->shape);
    if (batch && !fill_tile(&s, batch, value, 0, &box))
        sta__batch_fail(batch);
    sta__vector_clear(&s.list);
    if (batch && sta__batch_submit(batch))
        return value;
    sta__value_drop(value);
    return NULL;
}

/* ---- tiles taken from parts ---- */

struct single {
    struct sta__cell cell;
    int count;
};

static bool take_cell(const struct sta__cell *cell, void *argument)
{
    struct single *single = argument;
    single->cell = *cell;
    return ++single->count < 2;
}

/* The tile of a part that is just this box of the result, or NULL. */
static struct sta__tile *shared_tile(const struct sta__mosaic *m, const struct sta__box *box)
{
    struct single single = {.count = 0};
    sta__cells(m->pattern, box, take_cell, &single);
    const struct sta__operand *part = &m->part[single.cell.part];
    if (single.count != 1 || !sta__mosaic_shares(part))
        return NULL;
    const struct sta__grid *grid = part->value->grid;
    struct sta__box store = *box;
    int64_t number = 0;
    for (int a = 0; a < box->ndim; a++) {
        int64_t length = box->to[a] - box->from[a];
        if (single.cell.step[a] != 1 && length != 1)
            return NULL;
        store.from[a] = part->view.map[a].offset + single.cell.offset[a] + single.cell.step[a] * box->from[a];
        store.to[a] = store.from[a] + length;
        int64_t k = sta__grid_find(grid, a, store.from[a]);
        if (sta__grid_cut(grid, a, k) != store.from[a] || sta__grid_cut(grid, a, k + 1) != store.to[a])
            return NULL;
        number = number * grid->count[a] + k;
    }
    return part->value->tiles[number];
}

/* Whether tiles that are taken may be of another shape or dtype than what their part's value shows. */
static bool any_reshaped(const struct sta__mosaic *m)
{
    for (int i = 0; i < m->pattern->parts; i++)
        if (m->part[i].value->reshaped)
            return true;
    return false;
}

/* The value with its tiles, of which those that are taken are not to be filled: `taken` has a mark for each. */
static struct sta__value *make_tiles(const struct sta__mosaic *m, const struct sta__grid *cells, struct sta__grid *grid,
                                     bool shares, bool *taken)
{
    struct sta__value *value = sta__value_pending(m->dtype, &grid->shape);
    if (!value)
        return NULL;
    value->tiles = sta__allocate(sizeof *value->tiles * (size_t)grid->tiles);
    value->state = STA__TILED;
    value->grid = sta__grid_take(grid);
    value->depth = depth_of(m) + 1;
    value->reshaped = shares && any_reshaped(m);
    for (int64_t t = 0; value->tiles && t < grid->tiles; t++) {
        struct sta__box cell = sta__grid_box(cells, t), box = sta__grid_box(grid, t);
        struct sta__tile *tile = shares ? shared_tile(m, &cell) : NULL;
        taken[t] = tile != NULL;
        value->tiles[t] = tile ? sta__tile_take(tile) : sta__tile_new(m->dtype, &box);
        if (!value->tiles[t])
            break;
        if (!tile)
            value->tiles[t]->owner = sta__owner_of(grid, t);
    }
    if (value->tiles && value->tiles[grid->tiles - 1])
        return value;
    sta__value_drop(value);
    return NULL;
}

static bool fill_all(struct sta__mosaic *m, struct sta__value *value, const struct sta__grid *cells, const bool *taken)
{
    struct sta__batch *batch = sta__batch_open(m->call, &sta__mosaic_kernel, m->dtype, false);
    struct sources s = {.m = m, .list = STA__VECTOR(struct source)};
    if (!batch)
        return false;
    sta__batch_depth(batch, value->depth);
    for (int64_t t = 0; t < cells->tiles && !s.failed; t++) {
        struct sta__box box = sta__grid_box(cells, t);
        if (!taken[t] && !fill_tile(&s, batch, value, t, &box))
            s.failed = true;
    }
    sta__vector_clear(&s.list);
    if (s.failed)
        sta__batch_fail(batch);
    return sta__batch_submit(batch);
}

struct sta__value *sta__mosaic_tiled(struct sta__mosaic *m, const struct sta__shape *shape)
{
    bool shares;
    struct sta__grid *cells = sta__mosaic_grid(m, shape, &shares);
    struct sta__grid *grid = cells ? sta__mosaic_merged_grid(m, cells, shape) : NULL;
    bool *taken = grid && grid->tiles <= INT32_MAX ? sta__allocate(sizeof *taken * (size_t)grid->tiles) : NULL;
    struct sta__value *value = taken ? make_tiles(m, cells, grid, shares, taken) : NULL;
    if (value && !fill_all(m, value, cells, taken)) {
        sta__value_drop(value);
        value = NULL;
    }
    sta__release(taken);
    sta__grid_drop(grid);
    sta__grid_drop(cells);
    return value;
}
