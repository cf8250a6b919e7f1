/* How a product is cut into blocks: rows of a where b is small, blocks of the inner axis where the result is small,
 * squares where nothing is. Existing tiles are kept where they will do. */
#include "blocks.h"

#include "partition/grid.h"

#include <string.h>

enum { WHOLE_BYTES = 32 << 20, FEW_TILES = 16, MOST_GROUPS = 64, GPU_SIDE = 4096 };

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t largest(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t divide_up(int64_t a, int64_t b)
{
    return a / b + (a % b != 0);
}

static bool forced(void)
{
    return sta__runtime.settings.tile_elements > 0;
}

/* As grids are cut elsewhere: powers of two, unless the user asked for a number of elements. */
static int64_t edge_of(int64_t room)
{
    int64_t edge = 1;
    if (room < 1)
        return 1;
    while (edge <= room / 2)
        edge *= 2;
    return forced() ? room : edge;
}

int64_t sta__cuts_count(const struct sta__cuts *cuts)
{
    if (cuts->like)
        return cuts->like->count[cuts->axis];
    return cuts->length > 0 ? divide_up(cuts->length, least(cuts->edge, cuts->length)) : 1;
}

void sta__cuts_lead(struct sta__cuts *cuts, int count, int64_t room)
{
    room = largest(room, 1);
    for (int a = count - 1; a >= 0; a--) {
        const int64_t length = cuts[a].length;
        cuts[a].edge = length <= room ? largest(length, 1) : edge_of(room);
        room = length <= room ? room / largest(length, 1) : 1;
        room = largest(room, 1);
    }
}

static bool copy_cuts(struct sta__grid *grid, int axis, const struct sta__cuts *cuts)
{
    const int64_t *from = cuts->like ? cuts->like->cuts[cuts->axis] : NULL;
    if (!from)
        return true;
    const int64_t count = cuts->like->count[cuts->axis];
    grid->cuts[axis] = sta__allocate((size_t)(count + 1) * sizeof *from);
    if (!grid->cuts[axis])
        return false;
    memcpy(grid->cuts[axis], from, (size_t)(count + 1) * sizeof *from);
    grid->edge[axis] = 0;
    grid->count[axis] = count;
    return true;
}

struct sta__grid *sta__grid_of_cuts(const struct sta__cuts *cuts, int ndim)
{
    struct sta__shape shape = {.ndim = ndim};
    int64_t edge[STA_MAXDIM] = {0};
    for (int a = 0; a < ndim; a++) {
        shape.at[a] = cuts[a].length;
        edge[a] = cuts[a].like && cuts[a].like->edge[cuts[a].axis] ? cuts[a].like->edge[cuts[a].axis] : cuts[a].edge;
    }
    struct sta__grid *grid = sta__grid_regular(&shape, edge);
    bool good = grid != NULL;
    for (int a = 0; good && a < ndim; a++)
        good = copy_cuts(grid, a, &cuts[a]);
    if (!good) {
        sta__grid_drop(grid);
        return NULL;
    }
    grid->tiles = 1;
    for (int a = 0; a < ndim; a++)
        grid->tiles *= grid->count[a];
    return grid;
}

/* Whether tiles that are there are neither much larger nor much smaller than the wanted ones. */
static bool will_do(int64_t there, int64_t wanted)
{
    return there >= wanted / 4 && there <= 4 * wanted;
}

static int64_t lead_count(const struct sta__blocks *b)
{
    int64_t count = 1;
    for (int a = 0; a < b->lead; a++)
        count *= sta__cuts_count(&b->rows[a]);
    return count;
}

/* b whole, rows of a. */
static void choose_rows(struct sta__blocks *b, int64_t elements, const struct sta__stored *a)
{
    sta__cuts_lead(b->rows, b->lead, elements / largest(1, largest(b->k, b->n)));
    b->inner.edge = b->k;
    b->columns.edge = b->n;
    const struct sta__grid *grid = a->transposed ? NULL : a->grid;
    if (!grid || grid->shape.ndim != b->lead + 1 || grid->count[b->lead] != 1 || !will_do(grid->tiles, lead_count(b)))
        return;
    for (int i = 0; i < b->lead; i++) {
        b->rows[i].like = grid;
        b->rows[i].axis = i;
    }
}

/* The result whole, blocks of the inner axis. */
static void choose_inner(struct sta__blocks *b, int64_t elements, const struct sta__stored *a,
                         const struct sta__stored *w)
{
    for (int i = 0; i < b->lead; i++)
        b->rows[i].edge = b->rows[i].length;
    b->columns.edge = b->n;
    b->inner.edge = edge_of(elements / largest(1, largest(b->m, b->n)));
    const int64_t wanted = sta__cuts_count(&b->inner);
    const struct sta__grid *grids[] = {w->transposed ? NULL : w->grid, a->transposed || b->lead == 0 ? a->grid : NULL};
    for (int i = 0; i < 2; i++)
        if (grids[i] && grids[i]->tiles == grids[i]->count[0] && will_do(grids[i]->tiles, wanted)) {
            b->inner.like = grids[i];
            b->inner.axis = 0;
            return;
        }
}

/* A GPU wants larger squares than tiles are elsewhere, several GPUs each at least two of them. */
static int64_t gpu_side(const struct sta__blocks *b, int64_t least_side)
{
    int64_t side = GPU_SIDE;
    while (side > least_side && sta__runtime.gpus > 1 &&
           divide_up(b->m, side) * divide_up(b->n, side) < 2 * sta__runtime.gpus)
        side /= 2;
    return side;
}

static void choose_squares(struct sta__blocks *b, int64_t elements)
{
    int64_t side = 1;
    while ((side + 1) * (side + 1) <= elements)
        side++;
    side = edge_of(side);
    if (sta__runtime.gpus && sta__runtime.settings.ranks == 1 && !forced())
        side = gpu_side(b, side);
    sta__cuts_lead(b->rows, b->lead, side);
    b->inner.edge = side;
    b->columns.edge = side;
}

/* Whether blocks of the inner axis serve better than rows (`by_rows` of them; 0: b is too large for rows). */
static bool inner_is_better(const struct sta__blocks *b, int64_t elements, int64_t by_rows, const struct sta__stored *a)
{
    const int64_t count = divide_up(b->k, edge_of(elements / largest(1, largest(b->m, b->n))));
    if (count < 2 || b->m > elements / largest(1, b->n))
        return false;
    const bool natural = a->transposed || b->m == 1 || b->m * 4 <= b->n; /* a lies so, or is the smaller one */
    return by_rows == 0 || count > 8 * by_rows || (natural && (a->transposed || count > by_rows));
}

void sta__blocks_choose(struct sta__blocks *b, sta_dtype dtype, const struct sta__stored *a,
                        const struct sta__stored *w)
{
    const int64_t elements = sta__grid_room(largest(largest(b->m, b->n) * b->k, b->m * b->n), dtype);
    const int64_t whole = forced() ? elements : WHOLE_BYTES / (int64_t)sta_itemsize(dtype);
    b->inner.length = b->k;
    b->columns.length = b->n;
    const bool rows_fit = b->k <= whole / largest(1, b->n);
    const int64_t row = largest(1, elements / largest(1, largest(b->k, b->n)));
    if (inner_is_better(b, elements, rows_fit ? divide_up(b->m, row) : 0, a))
        choose_inner(b, elements, a, w);
    else if (rows_fit)
        choose_rows(b, elements, a);
    else
        choose_squares(b, elements);
    const int64_t tiles = lead_count(b) * sta__cuts_count(&b->columns), room = 16 * elements / largest(1, b->m * b->n);
    const bool gpus = sta__runtime.gpus > 0 && sta__runtime.settings.ranks == 1;
    b->groups = tiles >= (gpus ? 2 * sta__runtime.gpus : FEW_TILES) ? 1 : least(MOST_GROUPS / tiles, largest(1, room));
    b->groups = least(largest(1, b->groups), sta__cuts_count(&b->inner));
}
