/* How a mosaic is cut. Where only one axis has several strips, as in a concatenation, it is cut where its parts are, so
 * that their tiles can stand in the result; unless that makes it much finer than usual. */
#include "join/tiles.h"

#include <string.h>

bool sta__mosaic_shares(const struct sta__operand *part)
{
    const struct sta__value *value = part->value;
    if (value->state != STA__TILED || value->user || part->view.store_ndim != part->view.shape.ndim)
        return false;
    for (int s = 0; s < part->view.store_ndim; s++)
        if (part->view.map[s].axis != s || part->view.map[s].step != 1)
            return false;
    return true;
}

/* ---- usual cuts ---- */

static struct sta__grid *usual(const struct sta__mosaic *m, const struct sta__shape *shape)
{
    struct sta__grid *merged = sta__grid_default(shape, m->dtype);
    if (!merged || !m->merged)
        return merged;
    const struct sta__shape *wide = &m->pattern->shape;
    int64_t edge[STA_MAXDIM];
    for (int a = 0, to = 0; a < wide->ndim; a++, to++) {
        edge[a] = merged->edge[to];
        if (m->merged >> a & 1) {
            int64_t inner = wide->at[a + 1];
            edge[a] = edge[a] > inner ? edge[a] / inner : 1;
            edge[++a] = inner;
        }
    }
    sta__grid_drop(merged);
    return sta__grid_regular(wide, edge);
}

/* ---- cuts of parts ---- */

struct cuts {
    int64_t *at, count, room;
    bool failed;
};

static void add_cut(struct cuts *cuts, int64_t at)
{
    if (cuts->failed || (cuts->count && cuts->at[cuts->count - 1] >= at))
        return;
    if (cuts->count == cuts->room) {
        int64_t room = cuts->room ? 2 * cuts->room : 16;
        int64_t *more = sta__resize(cuts->at, sizeof *more * (size_t)cuts->room, sizeof *more * (size_t)room);
        cuts->failed = !more;
        if (!more)
            return;
        cuts->at = more;
        cuts->room = room;
    }
    cuts->at[cuts->count++] = at;
}

/* Inside of a strip: where the part is cut, or as usual. */
static void cut_strip(struct cuts *cuts, const struct sta__mosaic *m, int axis, int64_t first,
                      const struct sta__strip *strip, int64_t edge)
{
    const struct sta__operand *part = &m->part[strip->part];
    if (strip->step != 1 || !sta__mosaic_shares(part)) {
        for (int64_t at = first + edge; at < strip->end; at += edge)
            add_cut(cuts, at);
    } else {
        const struct sta__grid *grid = part->value->grid;
        int64_t shift = strip->start + part->view.map[axis].offset - first; /* store index - index of the result */
        int64_t k = sta__grid_find(grid, axis, first + shift) + 1;
        for (; k < grid->count[axis] && sta__grid_cut(grid, axis, k) - shift < strip->end; k++)
            add_cut(cuts, sta__grid_cut(grid, axis, k) - shift);
    }
    add_cut(cuts, strip->end);
}

/* The part whose tiles matter most. */
static int largest_shared(const struct sta__mosaic *m)
{
    int best = -1;
    for (int i = 0; i < m->pattern->parts; i++)
        if (sta__mosaic_shares(&m->part[i]) && (best < 0 || m->part[i].value->size > m->part[best].value->size))
            best = i;
    return best;
}

static void take_cuts(struct sta__grid *grid, int axis, struct cuts *cuts)
{
    grid->tiles /= grid->count[axis];
    grid->count[axis] = cuts->count - 1;
    grid->tiles *= grid->count[axis];
    grid->edge[axis] = 0;
    grid->cuts[axis] = cuts->at;
}

/* NULL: no memory, or too fine. */
static struct sta__grid *parts_grid(const struct sta__mosaic *m, const struct sta__grid *like, int part, int64_t most)
{
    const struct sta__pattern *p = m->pattern;
    struct sta__grid *grid = sta__grid_single(&p->shape);
    for (int a = 0; grid && a < p->shape.ndim; a++) {
        struct cuts cuts = {.at = NULL};
        add_cut(&cuts, 0);
        for (int64_t k = 0; k < p->count[a]; k++) {
            struct sta__strip strip = p->strip[a][k];
            strip.part = p->count[a] == 1 ? part : strip.part;
            cut_strip(&cuts, m, a, sta__strip_first(p, a, k), &strip, like->edge[a]);
            if (cuts.count > most)
                break;
        }
        bool fine = !cuts.failed && (cuts.count - 1) <= most / grid->tiles;
        if (!fine) {
            sta__release(cuts.at);
            sta__grid_drop(grid);
            return NULL;
        }
        take_cuts(grid, a, &cuts);
    }
    return grid;
}

struct sta__grid *sta__mosaic_grid(const struct sta__mosaic *m, const struct sta__shape *shape, bool *shares)
{
    struct sta__grid *grid = usual(m, shape);
    int part = grid && !m->merged ? largest_shared(m) : -1, lists = 0;
    for (int a = 0; a < m->pattern->shape.ndim; a++)
        lists += m->pattern->count[a] > 1;
    *shares = false;
    if (part < 0 || lists > 1)
        return grid;
    struct sta__grid *own = parts_grid(m, grid, part, 2 * grid->tiles + 8);
    if (!own)
        return grid;
    *shares = true;
    sta__grid_drop(grid);
    return own;
}

/* ---- merging ---- */

struct sta__grid *sta__mosaic_merged_grid(const struct sta__mosaic *m, const struct sta__grid *grid,
                                          const struct sta__shape *shape)
{
    if (!m->merged)
        return sta__grid_take((struct sta__grid *)grid);
    int64_t edge[STA_MAXDIM];
    for (int a = 0, to = 0; a < grid->shape.ndim; a++, to++) {
        edge[to] = grid->edge[a];
        if (m->merged >> a & 1)
            edge[to] *= grid->edge[++a];
    }
    return sta__grid_regular(shape, edge);
}
