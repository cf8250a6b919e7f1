/* The grid of a reduction's tasks. Where tiles are short along the reduced axis (a row each, at worst), the parts that they
 * give are as large as the tiles themselves. So a task takes several tiles along that axis, and less of the others. */
#include "reduce/stages.h"

enum { WORTH = 8 }; /* a part is no burden if it is so much smaller than what it is made of */

static int64_t power_of_two(int64_t n)
{
    int64_t p = 1;
    while (p <= n / 2)
        p *= 2;
    return p;
}

/* The longest tile along an axis. */
static int64_t edge_of(const struct sta__grid *grid, int axis)
{
    int64_t longest = grid->edge[axis];
    for (int64_t k = 0; grid->cuts[axis] && k < grid->count[axis]; k++) {
        int64_t edge = grid->cuts[axis][k + 1] - grid->cuts[axis][k];
        longest = edge > longest ? edge : longest;
    }
    return longest;
}

/* The axis whose parts are merged: the last reduced one that is cut. -1: none is. */
static int merged_axis(const struct sta__program *program, const struct sta__grid *grid)
{
    for (int a = grid->shape.ndim - 1; a >= 0; a--)
        if ((program->axes >> a & 1) && grid->count[a] > 1)
            return a;
    return -1;
}

/* Tiles along the merged axis that one task can read beside what it writes. */
static int64_t tiles_at_once(const struct sta__plan *plan, int64_t there)
{
    const struct sta__program *program = plan->program;
    int64_t room = STA__MAXBUFFERS - (program->reductions > program->outputs ? program->reductions : program->outputs);
    int inputs = 0;
    for (int i = 0; i < program->inputs; i++)
        inputs += plan->in[i].value->state == STA__TILED;
    room = inputs ? room / inputs : 0;
    return there <= room ? there : power_of_two(room);
}

static bool keeps_blocks(const struct sta__program *program)
{
    for (int o = 0; o < program->outputs; o++)
        if (!program->output[o].reduce)
            return true;
    return false;
}

static bool is_burden(const struct sta__plan *plan, const struct sta__grid *grid, int merged)
{
    const struct sta__program *program = plan->program;
    int64_t states = 0, items = 0, inside = edge_of(grid, merged);
    bool cells = false;
    for (int k = 0; k < program->reductions; k++)
        for (int c = 0; c < STA__COMPONENTS; c++)
            states += (int64_t)sta_itemsize(sta__reducer_component((enum sta__reducer)program->reduction[k].op,
                                                                   program->reduction[k].dtype, c));
    for (int i = 0; i < program->inputs; i++)
        items += plan->in[i].value->state == STA__TILED ? (int64_t)sta_itemsize(plan->in[i].value->dtype) : 0;
    for (int a = 0; a < grid->shape.ndim; a++) {
        bool reduced = program->axes >> a & 1;
        if (reduced && a > merged)
            inside *= grid->shape.at[a];
        cells |= !reduced && edge_of(grid, a) > 1;
    }
    return cells && states * WORTH > items * inside;
}

/* Copies the cuts of an axis that has a list of them, each `step`-th one. */
static bool take_cuts(struct sta__grid *to, const struct sta__grid *grid, int axis, int64_t step)
{
    int64_t count = (grid->count[axis] + step - 1) / step;
    to->cuts[axis] = sta__allocate(sizeof(int64_t) * (size_t)(count + 1));
    for (int64_t k = 0; to->cuts[axis] && k <= count; k++)
        to->cuts[axis][k] = sta__grid_cut(grid, axis, k * step < grid->count[axis] ? k * step : grid->count[axis]);
    to->count[axis] = count;
    to->edge[axis] = 0;
    return to->cuts[axis] != NULL;
}

/* The longest kept axis, whose tiles are regular: it is cut finer. */
static int finer_axis(const struct sta__program *program, const struct sta__grid *grid)
{
    int best = -1;
    for (int a = 0; a < grid->shape.ndim; a++)
        if (!(program->axes >> a & 1) && !grid->cuts[a] && (best < 0 || grid->edge[a] > grid->edge[best]))
            best = a;
    return best;
}

struct sta__grid *sta__stages_grid(const struct sta__plan *plan, const struct sta__grid *grid)
{
    int merged = merged_axis(plan->program, grid);
    if (merged < 0 || keeps_blocks(plan->program) || !is_burden(plan, grid, merged))
        return NULL;
    int64_t group = tiles_at_once(plan, grid->count[merged]);
    struct sta__grid *to = group > 1 ? sta__grid_single(&grid->shape) : NULL;
    if (!to)
        return NULL;
    bool fine = true;
    int finer = finer_axis(plan->program, grid);
    to->tiles = 1;
    for (int a = 0; a < grid->shape.ndim; a++) {
        int64_t step = a == merged ? group : 1, edge = grid->edge[a] * step;
        if (a == finer)
            edge = edge / power_of_two(group) > 1 ? edge / power_of_two(group) : 1;
        if (grid->cuts[a]) {
            fine = fine && take_cuts(to, grid, a, step);
        } else {
            to->edge[a] = edge < 1 ? 1 : edge;
            to->count[a] = grid->shape.at[a] ? (grid->shape.at[a] + to->edge[a] - 1) / to->edge[a] : 1;
        }
        to->tiles *= to->count[a];
    }
    if (fine)
        return to;
    sta__grid_drop(to);
    return NULL;
}
