/* The grid of a reduction's tasks. Where tiles are short along the reduced axis (a row each, at worst), the parts that they
 * give are as large as the tiles themselves. So a task takes several tiles along that axis, and less of the others. And where
 * one tile is reduced in little more time than its task costs, a task takes several. */
#include "perfmodels/cost.h"
#include "reduce/stages.h"

#include <starpu.h>

enum { WORTH = 8 };               /* a part is no burden if it is so much smaller than what it is made of */
enum { SHORT = 1500, TASKS = 8 }; /* microseconds of a task; the least tasks for each worker */

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

/* Tiles along the merged axis that one task can read beside the parts that it reads and writes. */
static int64_t tiles_at_once(const struct sta__plan *plan)
{
    const struct sta__program *program = plan->program;
    int64_t writes = program->reductions > program->outputs ? program->reductions : program->outputs;
    int inputs = 0;
    for (int i = 0; i < program->inputs; i++)
        inputs += plan->in[i].value->state == STA__TILED;
    return inputs ? (STA__MAXBUFFERS - program->reductions - writes) / inputs : 0;
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
            states += (int64_t)sta_itemsize(
                sta__reducer_component((enum sta__reducer)program->reduction[k].op, program->reduction[k].dtype, c));
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

/* Cuts an axis after each `step`-th tile of the grid, but the rest of `most` tiles is not cut. */
static bool cut_axis(struct sta__grid *to, const struct sta__grid *grid, int axis, int64_t step, int64_t most)
{
    int64_t *cuts = sta__allocate(sizeof *cuts * (size_t)(grid->count[axis] + 1)), count = 0;
    to->cuts[axis] = cuts;
    if (!cuts)
        return false;
    for (int64_t tile = 0; tile < grid->count[axis]; count++) {
        tile += grid->count[axis] - tile <= most ? grid->count[axis] - tile : step;
        cuts[count + 1] = sta__grid_cut(grid, axis, tile);
    }
    to->count[axis] = count;
    to->edge[axis] = 0;
    return true;
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

static void cut_evenly(struct sta__grid *to, int axis, int64_t edge)
{
    to->edge[axis] = edge < 1 ? 1 : edge;
    to->count[axis] = to->shape.at[axis] ? (to->shape.at[axis] + to->edge[axis] - 1) / to->edge[axis] : 1;
}

/* ---- several tiles a task ---- */

/* Microseconds for a tile, by the cost table. */
static double time_of(const struct sta__plan *plan, const struct sta__grid *grid)
{
    double elements = 1, bytes = 0;
    for (int a = 0; a < grid->shape.ndim; a++)
        elements *= (double)edge_of(grid, a);
    for (int i = 0; i < plan->program->inputs; i++)
        bytes += plan->in[i].value->state == STA__TILED ? elements * (double)sta_itemsize(plan->in[i].value->dtype) : 0;
    return sta__cost(STA__SEQUENTIAL, bytes, elements * (double)plan->program->cost, 1);
}

/* The outermost axis that is cut; -1: parts of it would not be merged by the tasks that follow the tiles' own. */
static int outermost_axis(const struct sta__program *program, const struct sta__grid *grid, int merged)
{
    int axis = 0;
    while (axis < grid->shape.ndim && grid->count[axis] == 1)
        axis++;
    bool reduced = axis < grid->shape.ndim && program->axes >> axis & 1;
    return axis == grid->shape.ndim || (reduced && axis != merged) ? -1 : axis;
}

/* Tiles of a GPU are large by themselves; those of other ranks should stay there. */
static struct sta__grid *several(const struct sta__plan *plan, const struct sta__grid *grid, int merged)
{
    int axis = outermost_axis(plan->program, grid, merged);
    if (axis < 0 || sta__runtime.gpus || sta__runtime.settings.ranks > 1 || sta__runtime.settings.tile_elements > 0)
        return NULL;
    int64_t step = power_of_two(tiles_at_once(plan)), least = (int64_t)TASKS * starpu_cpu_worker_get_count();
    double time = time_of(plan, grid);
    while (step > 1 && ((double)step * time > SHORT || grid->tiles / step < least))
        step /= 2;
    struct sta__grid *to = step > 1 ? sta__grid_single(&grid->shape) : NULL;
    bool fine = to != NULL;
    for (int a = 0; a < grid->shape.ndim && fine; a++) {
        if (grid->cuts[a])
            fine = cut_axis(to, grid, a, a == axis ? step : 1, a == axis ? step : 1);
        else
            cut_evenly(to, a, a == axis ? grid->edge[a] * step : grid->edge[a]);
        to->tiles *= to->count[a];
    }
    if (fine)
        return to;
    sta__grid_drop(to);
    return NULL;
}

/* ---- either ---- */

static struct sta__grid *longer(const struct sta__plan *plan, const struct sta__grid *grid, int merged)
{
    int64_t most = tiles_at_once(plan), step = power_of_two(most);
    struct sta__grid *to = sta__grid_single(&grid->shape);
    if (!to)
        return NULL;
    bool fine = true;
    int finer = finer_axis(plan->program, grid);
    for (int a = 0; a < grid->shape.ndim && fine; a++) {
        if (a == merged)
            fine = cut_axis(to, grid, a, step, most);
        else if (grid->cuts[a])
            fine = cut_axis(to, grid, a, 1, 1);
        else
            cut_evenly(to, a, a == finer ? grid->edge[a] / step : grid->edge[a]);
        to->tiles *= to->count[a];
    }
    if (fine)
        return to;
    sta__grid_drop(to);
    return NULL;
}

struct sta__grid *sta__stages_grid(const struct sta__plan *plan, const struct sta__grid *grid, bool *chain)
{
    int merged = merged_axis(plan->program, grid);
    *chain = false;
    if (tiles_at_once(plan) < 2 || keeps_blocks(plan->program))
        return NULL;
    if (merged < 0 || !is_burden(plan, grid, merged))
        return several(plan, grid, merged);
    *chain = true;
    return longer(plan, grid, merged);
}
