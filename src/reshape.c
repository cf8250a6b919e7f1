/* Values in other shapes and dtypes. Contract: reshape.h. A tile that is a run of C order is a run of any shape, if the cuts
 * fall between the rows of that shape; where they do not, the elements are copied into tiles whose cuts suit both. */
#include "reshape.h"

#include "graph.h"
#include "launch.h"

#include <string.h>

/* ---- guises ---- */

bool sta__guise_of(const struct sta__value *value, int64_t tile, struct sta__guise **to)
{
    const struct sta__tile *own = value->tiles[tile];
    struct sta__box box = sta__grid_box(value->grid, tile);
    bool same = own->dtype == value->dtype && own->ndim == box.ndim;
    for (int a = 0; a < box.ndim && same; a++)
        same = own->shape[a] == box.to[a] - box.from[a];
    *to = NULL;
    if (same)
        return true;
    struct sta__guise *guise = sta__allocate(sizeof *guise + sizeof *guise->shape * (size_t)box.ndim);
    if (!guise)
        return false;
    guise->dtype = value->dtype;
    guise->ndim = box.ndim;
    for (int a = 0; a < box.ndim; a++)
        guise->shape[a] = box.to[a] - box.from[a];
    *to = guise;
    return true;
}

bool sta__guise_equal(const struct sta__guise *a, const struct sta__guise *b)
{
    if (!a || !b)
        return a == b;
    return a->dtype == b->dtype && a->ndim == b->ndim &&
           memcmp(a->shape, b->shape, sizeof *a->shape * (size_t)a->ndim) == 0;
}

/* Strides of axes that the tile has already are kept: user memory need not be contiguous. */
void sta__guise_apply(const struct sta__guise *guise, struct sta__memory *memory)
{
    if (!guise)
        return;
    int common = guise->ndim < memory->ndim ? guise->ndim : memory->ndim;
    bool extends = true;
    for (int a = 0; a < common; a++)
        extends &= guise->shape[a] == memory->shape[a];
    int64_t stride = (int64_t)sta_itemsize(guise->dtype);
    for (int a = guise->ndim - 1; a >= 0; a--) {
        if (!extends || a >= memory->ndim)
            memory->stride[a] = stride;
        memory->shape[a] = guise->shape[a];
        stride *= guise->shape[a];
    }
    memory->ndim = guise->ndim;
    memory->dtype = guise->dtype;
}

/* ---- runs ---- */

static int64_t product(const struct sta__shape *shape, int from)
{
    int64_t n = 1;
    for (int a = from; a < shape->ndim; a++)
        n *= shape->at[a];
    return n;
}

bool sta__grid_is_runs(const struct sta__grid *grid)
{
    int cut = -1;
    for (int a = 0; a < grid->shape.ndim; a++)
        cut = grid->count[a] > 1 ? a : cut;
    for (int a = 0; a < cut; a++)
        if (grid->count[a] != grid->shape.at[a])
            return false;
    return true;
}

/* Where tile t of such a grid begins, in elements; at the end of the last one for t = tiles. */
static int64_t run_start(const struct sta__grid *grid, int64_t t)
{
    if (t == grid->tiles)
        return product(&grid->shape, 0);
    struct sta__box box = sta__grid_box(grid, t);
    int64_t at = 0;
    for (int a = 0; a < box.ndim; a++)
        at = at * grid->shape.at[a] + box.from[a];
    return at;
}

struct sta__grid *sta__grid_cut_at(const struct sta__shape *shape, int axis, int64_t *cuts, int64_t count)
{
    int64_t edge[STA_MAXDIM];
    for (int a = 0; a < shape->ndim; a++)
        edge[a] = a < axis ? 1 : shape->at[a];
    bool regular = true;
    for (int64_t k = 0; k < count; k++)
        regular &= cuts[k] == k * cuts[1];
    regular &= cuts[count] <= count * cuts[1];
    if (regular)
        edge[axis] = cuts[1];
    struct sta__grid *grid = sta__grid_regular(shape, edge);
    if (!grid || regular) {
        sta__release(cuts);
        return grid;
    }
    grid->tiles = grid->tiles / grid->count[axis] * count;
    grid->count[axis] = count;
    grid->edge[axis] = 0;
    grid->cuts[axis] = cuts;
    return grid;
}

/* Starts of runs in elements of the shape, tiles + 1 of them: whether they are cuts of this axis, each index of the axes
 * before it beginning anew. */
static bool cuts_axis(const struct sta__shape *shape, int axis, const int64_t *start, int64_t tiles)
{
    int64_t inner = product(shape, axis + 1), period = inner * shape->at[axis], outer = product(shape, 0) / period;
    if (tiles % outer != 0)
        return false;
    int64_t each = tiles / outer;
    for (int64_t t = 0; t < tiles; t++)
        if (start[t] % inner != 0 || start[t] != t / each * period + start[t % each])
            return false;
    return true;
}

/* The grid of the shape whose tiles are the runs. NULL: there is none, or no memory (*memory is false). */
static struct sta__grid *grid_of_runs(const struct sta__shape *shape, const int64_t *start, int64_t tiles, bool *memory)
{
    if (tiles == 1) {
        struct sta__grid *grid = sta__grid_single(shape);
        *memory = grid != NULL;
        return grid;
    }
    for (int axis = 0; axis < shape->ndim; axis++) {
        if (!cuts_axis(shape, axis, start, tiles))
            continue;
        int64_t inner = product(shape, axis + 1), each = tiles * inner * shape->at[axis] / product(shape, 0);
        int64_t *cuts = sta__allocate(sizeof *cuts * (size_t)(each + 1));
        for (int64_t k = 0; cuts && k < each; k++)
            cuts[k] = start[k] / inner;
        if (cuts)
            cuts[each] = shape->at[axis];
        struct sta__grid *grid = cuts ? sta__grid_cut_at(shape, axis, cuts, each) : NULL;
        *memory = grid != NULL;
        return grid;
    }
    return NULL;
}

/* The grid of the value's tiles in elements of another size, and in another shape. */
static struct sta__grid *regrid_runs(const struct sta__value *value, int64_t item, const struct sta__shape *shape,
                                     bool *memory)
{
    int64_t tiles = value->grid->tiles, own = (int64_t)sta_itemsize(value->dtype);
    int64_t *start = sta__allocate(sizeof *start * (size_t)(tiles + 1));
    if (!start) {
        *memory = false;
        return NULL;
    }
    bool fits = true;
    for (int64_t t = 0; t <= tiles; t++) {
        int64_t bytes = run_start(value->grid, t) * own;
        fits &= bytes % item == 0;
        start[t] = bytes / item;
    }
    struct sta__grid *grid = fits ? grid_of_runs(shape, start, tiles, memory) : NULL;
    sta__release(start);
    return grid;
}

/* ---- sharing ---- */

/* The grid with one more axis of the length at the end, uncut; length 0: with the last axis taken away. */
static struct sta__grid *regrid_last(const struct sta__grid *grid, const struct sta__shape *shape)
{
    int64_t edge[STA_MAXDIM];
    for (int a = 0; a < shape->ndim; a++)
        edge[a] = shape->at[a];
    struct sta__grid *to = sta__grid_regular(shape, edge);
    if (!to)
        return NULL;
    for (int a = 0; a < shape->ndim && a < grid->shape.ndim; a++) {
        to->count[a] = grid->count[a];
        to->edge[a] = grid->edge[a];
        if (!grid->cuts[a])
            continue;
        to->cuts[a] = sta__allocate(sizeof(int64_t) * (size_t)(grid->count[a] + 1));
        if (!to->cuts[a]) {
            sta__grid_drop(to);
            return NULL;
        }
        memcpy(to->cuts[a], grid->cuts[a], sizeof(int64_t) * (size_t)(grid->count[a] + 1));
    }
    to->tiles = grid->tiles;
    return to;
}

/* Whether both shapes are equal but for a last axis that one of them has, and the elements of the other are made of. */
static bool differs_in_last(const struct sta__value *value, sta_dtype dtype, const struct sta__shape *shape)
{
    size_t own = sta_itemsize(value->dtype), item = sta_itemsize(dtype);
    int ndim = value->shape.ndim, common = ndim < shape->ndim ? ndim : shape->ndim;
    if (ndim == shape->ndim ? own != item : ndim != shape->ndim - 1 && ndim != shape->ndim + 1)
        return false;
    for (int a = 0; a < common; a++)
        if (value->shape.at[a] != shape->at[a])
            return false;
    return ndim <= shape->ndim || value->grid->count[ndim - 1] == 1;
}

/* The grid in which the value's tiles are tiles of the shape. NULL: there is none, or no memory. */
static struct sta__grid *shared_grid(const struct sta__value *value, sta_dtype dtype, const struct sta__shape *shape,
                                     bool *memory)
{
    *memory = true;
    if (differs_in_last(value, dtype, shape)) {
        struct sta__grid *grid = regrid_last(value->grid, shape);
        *memory = grid != NULL;
        return grid;
    }
    if (value->strided || !sta__grid_is_runs(value->grid))
        return NULL;
    return regrid_runs(value, (int64_t)sta_itemsize(dtype), shape, memory);
}

bool sta__reshape_shares(const struct sta__value *value, sta_dtype dtype, const struct sta__shape *shape)
{
    bool memory;
    if (value->state == STA__NOW)
        return true;
    struct sta__grid *grid = shared_grid(value, dtype, shape, &memory);
    sta__grid_drop(grid);
    return grid != NULL;
}

/* The same tiles in another grid, whose reference is taken over. NULL: no memory. */
static struct sta__value *share(const struct sta__value *value, sta_dtype dtype, struct sta__grid *grid)
{
    struct sta__value *shared = grid ? sta__value_pending(dtype, &grid->shape) : NULL;
    struct sta__tile **tiles = shared ? sta__allocate(sizeof *tiles * (size_t)grid->tiles) : NULL;
    if (!tiles) {
        sta__value_drop(shared);
        sta__grid_drop(grid);
        return NULL;
    }
    shared->state = STA__TILED;
    shared->grid = grid;
    shared->tiles = tiles;
    shared->depth = value->depth;
    shared->user = value->user;
    shared->strided = value->strided;
    shared->read_only = value->read_only;
    shared->reshaped = true;
    for (int64_t t = 0; t < grid->tiles; t++)
        tiles[t] = sta__tile_take(value->tiles[t]);
    return shared;
}

struct sta__value *sta__value_share(const struct sta__value *value)
{
    struct sta__value *shared = share(value, value->dtype, sta__grid_take(value->grid));
    if (shared)
        shared->reshaped = value->reshaped;
    return shared;
}

/* ---- copying into tiles that suit ---- */

static int64_t common_multiple(int64_t a, int64_t b)
{
    int64_t x = a, y = b;
    while (y) {
        int64_t rest = x % y;
        x = y;
        y = rest;
    }
    return a / x <= INT64_MAX / 16 / b ? a / x * b : INT64_MAX / 16;
}

/* A grid of runs of the new shape whose cuts fall between rows of the old one too, if rows are not too long for that: then
 * nothing is copied on the way back. */
static struct sta__grid *suitable_grid(const struct sta__value *value, sta_dtype dtype, const struct sta__shape *shape)
{
    struct sta__grid *usual = sta__grid_default(shape, dtype);
    if (!usual || usual->tiles == 1 || shape->ndim == 0 || value->shape.ndim == 0)
        return usual;
    int64_t item = (int64_t)sta_itemsize(dtype), row = product(shape, 1) * item;
    int64_t own = product(&value->shape, 1) * (int64_t)sta_itemsize(value->dtype);
    if (row == 0 || own == 0)
        return usual;
    int64_t both = common_multiple(row, own);
    int64_t wanted = (run_start(usual, 1) - run_start(usual, 0)) * item;
    if (both > 4 * wanted)
        return usual;
    int64_t edge[STA_MAXDIM];
    for (int a = 0; a < shape->ndim; a++)
        edge[a] = shape->at[a];
    edge[0] = (wanted > both ? wanted / both : 1) * (both / row);
    sta__grid_drop(usual);
    return sta__grid_regular(shape, edge);
}

struct sta__grid *sta__reshape_grid(sta_dtype own, const struct sta__shape *from, sta_dtype dtype,
                                    const struct sta__shape *shape)
{
    const int64_t item = (int64_t)sta_itemsize(dtype), size = (int64_t)sta_itemsize(own);
    struct sta__grid *usual = sta__grid_default(shape, dtype), *grid = NULL;
    int64_t *start = usual ? sta__allocate(sizeof *start * (size_t)(usual->tiles + 1)) : NULL;
    bool fits = start && sta__grid_is_runs(usual) && product(from, 0) > 0, memory;
    for (int64_t t = 0; fits && t <= usual->tiles; t++) {
        const int64_t bytes = run_start(usual, t) * item;
        fits = bytes % size == 0;
        start[t] = bytes / size;
    }
    if (fits)
        grid = grid_of_runs(from, start, usual->tiles, &memory);
    sta__release(start);
    sta__grid_drop(usual);
    return grid;
}

/* The value's elements, tiles of runs, cut at each start of `grid` (of elements of `item` bytes): a flat copy. */
static struct sta__value *cut_flat(struct sta__call *call, struct sta__value *value, const struct sta__grid *grid,
                                   int64_t item)
{
    int64_t own = (int64_t)sta_itemsize(value->dtype);
    struct sta__shape line = {.ndim = 1, .at = {value->size * own}};
    struct sta__value *bytes = NULL, *copy = NULL;
    int64_t *cuts = sta__allocate(sizeof *cuts * (size_t)(grid->tiles + 1));
    for (int64_t t = 0; cuts && t <= grid->tiles; t++)
        cuts[t] = run_start(grid, t) * item;
    struct sta__grid *flat = cuts ? sta__grid_cut_at(&line, 0, cuts, grid->tiles) : NULL;
    if (flat)
        bytes = sta__reshaped(call, value, STA_uint8, &line);
    if (bytes) {
        struct sta__operand whole = {.value = bytes, .view = sta__identity_view(&line)};
        copy = sta__recut(call, &whole, flat);
    }
    sta__value_drop(bytes);
    sta__grid_drop(flat);
    return copy ? copy : sta__fail_memory(call);
}

static struct sta__value *copy_tiles(struct sta__call *call, struct sta__value *value, sta_dtype dtype,
                                     const struct sta__shape *shape)
{
    struct sta__value *runs = sta__value_take(value), *flat = NULL, *result = NULL;
    struct sta__grid *grid = suitable_grid(value, dtype, shape), *own = NULL;
    if (grid && (value->strided || !sta__grid_is_runs(value->grid))) {
        struct sta__operand whole = {.value = runs, .view = sta__identity_view(&runs->shape)};
        own = sta__grid_default(&runs->shape, runs->dtype);
        struct sta__value *copy = own ? sta__recut(call, &whole, own) : NULL;
        sta__value_drop(runs);
        runs = copy;
    }
    if (grid && runs)
        flat = cut_flat(call, runs, grid, (int64_t)sta_itemsize(dtype));
    if (flat)
        result = share(flat, dtype, sta__grid_take(grid));
    sta__value_drop(flat);
    sta__value_drop(runs);
    sta__grid_drop(own);
    sta__grid_drop(grid);
    return result ? result : sta__fail_memory(call);
}

struct sta__value *sta__reshaped(struct sta__call *call, struct sta__value *value, sta_dtype dtype,
                                 const struct sta__shape *shape)
{
    if (value->dtype == dtype && sta__shape_equal(&value->shape, shape))
        return sta__value_take(value);
    if (value->state == STA__NOW || value->size == 0) {
        struct sta__value *copy = sta__value_raw(dtype, shape);
        if (!copy)
            return sta__fail_memory(call);
        if (value->size)
            memcpy(copy->data, value->data, (size_t)sta__value_bytes(value));
        copy->read_only = value->read_only;
        return copy;
    }
    bool memory;
    struct sta__grid *grid = shared_grid(value, dtype, shape, &memory);
    if (!grid) {
        struct sta__value *copy = memory ? copy_tiles(call, value, dtype, shape) : sta__fail_memory(call);
        if (copy)
            copy->read_only = value->read_only;
        return copy;
    }
    struct sta__value *shared = share(value, dtype, grid);
    return shared ? shared : sta__fail_memory(call);
}
