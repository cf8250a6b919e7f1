/* Grids: how a shape is cut into tiles. For each axis either one edge length (regular) or a list of cuts. */
#include "grid.h"

static struct sta__grid *grid_new(const struct sta__shape *shape)
{
    struct sta__grid *grid = sta__allocate(sizeof *grid);
    if (!grid)
        return NULL;
    atomic_init(&grid->references, 1);
    grid->shape = *shape;
    grid->tiles = 1;
    return grid;
}

static int64_t divide_up(int64_t a, int64_t b)
{
    return a / b + (a % b != 0);
}

struct sta__grid *sta__grid_regular(const struct sta__shape *shape, const int64_t *edge)
{
    struct sta__grid *grid = grid_new(shape);
    if (!grid)
        return NULL;
    for (int a = 0; a < shape->ndim; a++) {
        int64_t length = shape->at[a];
        grid->edge[a] = edge[a] < 1 ? 1 : edge[a] > length && length > 0 ? length : edge[a];
        grid->count[a] = length ? divide_up(length, grid->edge[a]) : 1;
        grid->tiles *= grid->count[a];
    }
    return grid;
}

struct sta__grid *sta__grid_single(const struct sta__shape *shape)
{
    return sta__grid_regular(shape, shape->at);
}

/* The largest power of two that is not above n. Cuts are powers of two, so that a tile is one node of a reduction's tree. */
static int64_t power_of_two(int64_t n)
{
    int64_t p = 1;
    while (p <= n / 2)
        p *= 2;
    return p;
}

/* A GPU computes a tile of 32 MiB in the time that the task costs beside: large arrays have two or three tiles for each.
 * Where cores share the work they have more, or one that the cores took would keep the GPU waiting at the end; very large ones
 * still more, since sending those takes long, and cores are not always as fast as they were. Ranks, whose machines may differ,
 * all cut alike. */
int64_t sta__grid_room(int64_t size, sta_dtype dtype)
{
    enum { TILES = 3, LARGEST = 8, SHARED = 256 << 20, MANY = 16, SMALLER = 64 << 20 };
    const struct sta__settings *settings = &sta__runtime.settings;
    const bool shared = sta__runtime.cpus > 0 && settings->devices == STA__DEVICES_ALL;
    int64_t bytes = settings->tile_bytes, largest = LARGEST * bytes;
    if (shared)
        largest = bytes > SHARED ? bytes : largest < SHARED ? largest : SHARED;
    int64_t n = bytes / (int64_t)sta_itemsize(dtype), most = largest / (int64_t)sta_itemsize(dtype);
    if (settings->tile_elements > 0)
        return settings->tile_elements;
    if (sta__runtime.gpus && settings->ranks <= 1) {
        if (shared && size / MANY > SHARED / (int64_t)sta_itemsize(dtype))
            n = most = SMALLER / (int64_t)sta_itemsize(dtype);
        int64_t share = size / ((int64_t)TILES * sta__runtime.gpus);
        share = 2 * power_of_two(share - 1); /* where it is cut it would be rounded down, to more tiles */
        n = share < n ? n : share > most ? most : share;
    }
    return n < 1 ? 1 : n;
}

static int64_t room_of(const struct sta__shape *shape, sta_dtype dtype)
{
    int64_t size = 0;
    sta__shape_size(shape, &size);
    return sta__grid_room(size, dtype);
}

/* Cuts the leading axes first, so that tiles are runs of C order; `whole` stays uncut. */
static struct sta__grid *cut(const struct sta__shape *shape, int64_t room, int whole)
{
    int64_t edge[STA_MAXDIM];
    bool forced = sta__runtime.settings.tile_elements > 0;
    if (whole >= 0)
        room /= shape->at[whole] > 0 ? shape->at[whole] : 1;
    for (int a = shape->ndim - 1; a >= 0; a--) {
        int64_t length = shape->at[a];
        if (a == whole) {
            edge[a] = length;
            continue;
        }
        if (room < 1)
            room = 1;
        edge[a] = length <= room ? length : forced ? room : power_of_two(room);
        room = length <= room ? room / (length > 0 ? length : 1) : 1;
    }
    return sta__grid_regular(shape, edge);
}

struct sta__grid *sta__grid_default(const struct sta__shape *shape, sta_dtype dtype)
{
    return cut(shape, room_of(shape, dtype), -1);
}

struct sta__grid *sta__grid_rows(const struct sta__shape *shape, sta_dtype dtype, int whole_axis)
{
    return cut(shape, room_of(shape, dtype), whole_axis);
}

struct sta__grid *sta__grid_at_most(const struct sta__shape *shape, sta_dtype dtype, int64_t tiles)
{
    int64_t size = 0, room = room_of(shape, dtype);
    sta__shape_size(shape, &size);
    return cut(shape, room > size / tiles ? room : size / tiles + 1, -1);
}

struct sta__grid *sta__grid_take(struct sta__grid *grid)
{
    atomic_fetch_add(&grid->references, 1);
    return grid;
}

void sta__grid_drop(struct sta__grid *grid)
{
    if (!grid || atomic_fetch_sub(&grid->references, 1) != 1)
        return;
    for (int a = 0; a < grid->shape.ndim; a++)
        sta__release(grid->cuts[a]);
    sta__release(grid);
}

int64_t sta__grid_cut(const struct sta__grid *grid, int axis, int64_t k)
{
    if (grid->cuts[axis])
        return grid->cuts[axis][k];
    int64_t at = k * grid->edge[axis];
    return at < grid->shape.at[axis] ? at : grid->shape.at[axis];
}

int64_t sta__grid_find(const struct sta__grid *grid, int axis, int64_t index)
{
    const int64_t *cuts = grid->cuts[axis];
    if (!cuts)
        return grid->edge[axis] ? index / grid->edge[axis] : 0;
    int64_t low = 0, high = grid->count[axis];
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (cuts[middle] <= index)
            low = middle;
        else
            high = middle;
    }
    return low;
}

struct sta__box sta__grid_box(const struct sta__grid *grid, int64_t tile)
{
    struct sta__box box = {.ndim = grid->shape.ndim};
    for (int a = box.ndim - 1; a >= 0; a--) {
        int64_t k = tile % grid->count[a];
        tile /= grid->count[a];
        box.from[a] = sta__grid_cut(grid, a, k);
        box.to[a] = sta__grid_cut(grid, a, k + 1);
    }
    return box;
}

bool sta__grid_equal(const struct sta__grid *a, const struct sta__grid *b)
{
    if (a == b)
        return true;
    if (!sta__shape_equal(&a->shape, &b->shape))
        return false;
    for (int axis = 0; axis < a->shape.ndim; axis++) {
        if (a->count[axis] != b->count[axis])
            return false;
        for (int64_t k = 0; k < a->count[axis]; k++)
            if (sta__grid_cut(a, axis, k) != sta__grid_cut(b, axis, k))
                return false;
    }
    return true;
}

/* The cuts that a grid of the store makes along one axis of a view of it, as a new axis of `to`. */
static bool map_axis(struct sta__grid *to, int axis, const struct sta__grid *store, int store_axis,
                     const struct sta__axis_map *map)
{
    int64_t length = to->shape.at[axis], count = store->count[store_axis];
    int64_t *cuts = sta__allocate(sizeof *cuts * (size_t)(count + 2));
    if (!cuts)
        return false;
    int64_t n = 0;
    cuts[n++] = 0;
    for (int64_t j = 1; j < count; j++) {
        int64_t k = map->step > 0 ? j : count - j;
        int64_t at = sta__view_cut(map, sta__grid_cut(store, store_axis, k));
        if (at > cuts[n - 1] && at < length)
            cuts[n++] = at;
    }
    cuts[n] = length;
    to->cuts[axis] = cuts;
    to->edge[axis] = 0;
    to->count[axis] = n;
    return true;
}

int64_t sta__view_cut(const struct sta__axis_map *map, int64_t cut)
{
    int64_t distance = cut - map->offset;
    if (map->step > 0)
        return distance <= 0 ? 0 : divide_up(distance, map->step);
    return distance > 0 ? 0 : -distance / -map->step + 1;
}

struct sta__grid *sta__grid_of_view(const struct sta__grid *store, const struct sta__view *view)
{
    if (sta__view_is_identity(view, &store->shape))
        return sta__grid_take((struct sta__grid *)store);
    struct sta__grid *grid = grid_new(&view->shape);
    if (!grid)
        return NULL;
    for (int a = 0; a < view->shape.ndim; a++) {
        grid->edge[a] = view->shape.at[a] ? view->shape.at[a] : 1;
        grid->count[a] = 1;
    }
    for (int s = 0; s < view->store_ndim; s++) {
        const struct sta__axis_map *map = &view->map[s];
        if (map->axis < 0 || map->step == 0 || store->count[s] == 1 || grid->cuts[map->axis])
            continue;
        if (!map_axis(grid, map->axis, store, s, map)) {
            sta__grid_drop(grid);
            return NULL;
        }
    }
    for (int a = 0; a < view->shape.ndim; a++)
        grid->tiles *= grid->count[a];
    return grid;
}
