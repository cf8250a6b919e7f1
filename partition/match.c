/* Boxes of views onto tiles: since each store axis is an affine map of one axis of the view, a tile's part of a view is
 * a box again. */
#include "match.h"

struct sta__box sta__view_preimage(const struct sta__view *view, const struct sta__box *store)
{
    struct sta__box box = sta__whole_box(&view->shape);
    for (int s = 0; s < view->store_ndim; s++) {
        const struct sta__axis_map *map = &view->map[s];
        if (map->axis < 0 || map->step == 0) {
            if (map->offset < store->from[s] || map->offset >= store->to[s])
                box.ndim = -1;
            continue;
        }
        int64_t low = sta__view_cut(map, store->from[s]), high = sta__view_cut(map, store->to[s]);
        int64_t from = map->step > 0 ? low : high, to = map->step > 0 ? high : low;
        if (from > box.from[map->axis])
            box.from[map->axis] = from;
        if (to < box.to[map->axis])
            box.to[map->axis] = to;
    }
    return box;
}

/* The tiles of each store axis that a box of the view touches. */
static void touched(const struct sta__grid *grid, const struct sta__view *view, const struct sta__box *box,
                    int64_t *first, int64_t *last)
{
    struct sta__box store = sta__view_box(view, box);
    for (int s = 0; s < view->store_ndim; s++) {
        first[s] = sta__grid_find(grid, s, store.from[s]);
        last[s] = sta__grid_find(grid, s, store.to[s] - 1);
    }
}

/* One piece: false if the tile holds nothing of the box. */
static bool piece(const struct sta__view *view, const struct sta__box *box, const struct sta__box *tile,
                  struct sta__match *to)
{
    struct sta__box part = sta__view_preimage(view, tile);
    if (part.ndim < 0)
        return false;
    for (int a = 0; a < box->ndim; a++) {
        int64_t from = part.from[a] > box->from[a] ? part.from[a] : box->from[a];
        int64_t end = part.to[a] < box->to[a] ? part.to[a] : box->to[a];
        if (from >= end)
            return false;
        to->from[a] = from - box->from[a];
        to->to[a] = end - box->from[a];
    }
    for (int s = 0; s < view->store_ndim; s++) {
        const struct sta__axis_map *map = &view->map[s];
        int64_t index = map->axis < 0 ? 0 : to->from[map->axis] + box->from[map->axis];
        to->start[s] = map->offset + map->step * index - tile->from[s];
    }
    return true;
}

int sta__match_box(const struct sta__value *value, const struct sta__view *view, const struct sta__box *box,
                   struct sta__match *to, int most)
{
    if (value->state == STA__NOW) {
        struct sta__box whole = sta__whole_box(&value->shape);
        to->tile = 0;
        return piece(view, box, &whole, to) ? 1 : 0;
    }
    const struct sta__grid *grid = value->grid;
    int64_t first[STA_MAXDIM], last[STA_MAXDIM], at[STA_MAXDIM];
    touched(grid, view, box, first, last);
    for (int s = 0; s < view->store_ndim; s++)
        at[s] = first[s];
    int count = 0;
    for (;;) {
        int64_t number = 0;
        for (int s = 0; s < view->store_ndim; s++)
            number = number * grid->count[s] + at[s];
        struct sta__box tile = sta__grid_box(grid, number);
        struct sta__match found;
        if (piece(view, box, &tile, &found)) {
            if (count == most)
                return -1;
            found.tile = number;
            to[count++] = found;
        }
        int s = view->store_ndim - 1;
        while (s >= 0 && ++at[s] > last[s]) {
            at[s] = first[s];
            s--;
        }
        if (s < 0)
            return count;
    }
}

/* All pieces of one box, whatever their number. NULL: no memory. */
struct sta__match *sta__match_all(const struct sta__operand *operand, const struct sta__box *box, int *count)
{
    for (int room = 64;; room *= 4) {
        struct sta__match *match = sta__allocate(sizeof *match * (size_t)room);
        if (!match)
            return NULL;
        *count = sta__match_box(operand->value, &operand->view, box, match, room);
        if (*count >= 0)
            return match;
        sta__release(match);
    }
}
