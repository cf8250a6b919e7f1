/* The grid of a reduction's tasks. Where tiles are short along the reduced axis (a row each, at worst), the parts that they
 * give are as large as the tiles themselves. So a task takes several tiles along that axis, and less of the others. And where
 * one tile is reduced in little more time than its task costs, a task takes several; on GPUs, all that one of them has. */
#include "perfmodels/cost.h"
#include "reduce/stages.h"

#include "cuda.h"
#include "partition/tile.h"
#include "starpu_compat.h"

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

/* Tiles along the merged axis that one task can read beside the parts that it reads and writes, if it may have so many handles. */
static int64_t tiles_at_once(const struct sta__plan *plan, int handles)
{
    const struct sta__program *program = plan->program;
    int64_t writes = program->reductions > program->outputs ? program->reductions : program->outputs;
    int inputs = 0;
    for (int i = 0; i < program->inputs; i++)
        inputs += plan->in[i].value->state == STA__TILED;
    return inputs ? (handles - program->reductions - writes) / inputs : 0;
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
    int64_t step = power_of_two(tiles_at_once(plan, STA__MAXBUFFERS)),
            least = (int64_t)TASKS * starpu_cpu_worker_get_count();
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

/* ---- a task for each GPU ---- */

/* Its kernel reads all of them in one launch and has the result in one trip, where a task for each tile and those that merge
 * their parts take as long again. Nothing waits that could run beside it: a GPU runs one task at a time. CPU workers could, and
 * keep tiles of their own where they are many. One for each GPU, which is what a machine with GPUs has as a rule, reads less
 * than a twentieth of what the GPU does, and shares such a task out among its threads if it ever gets one. */
static bool is_for_gpus(const struct sta__grid *grid)
{
    const int gpus = sta__runtime.gpus;
    return gpus > 0 && sta__runtime.settings.ranks <= 1 && (int)starpu_cpu_worker_get_count() <= gpus &&
           grid->tiles > gpus;
}

/* The one axis that is cut; -1: more are, or it is kept and the results are not small. */
static int only_cut(const struct sta__program *program, const struct sta__grid *grid)
{
    int cut = -1;
    int64_t inside = 1;
    for (int a = 0; a < grid->shape.ndim; a++) {
        inside *= program->axes >> a & 1 ? grid->shape.at[a] : 1;
        if (grid->count[a] > 1)
            cut = a;
    }
    if (cut < 0 || grid->count[cut] != grid->tiles)
        return -1;
    return (program->axes >> cut & 1) || inside >= WORTH ? cut : -1;
}

/* How many tasks: what one reads is there at once, beside other things. */
static int64_t tasks_for_gpus(const struct sta__plan *plan, int64_t tiles, int64_t most)
{
    enum { SHARE = 8 }; /* of a GPU's memory */
    const int64_t room = sta__cuda_memory() / SHARE;
    int64_t bytes = 0, tasks = (tiles + most - 1) / most;
    for (int i = 0; i < plan->program->inputs; i++)
        bytes += plan->in[i].value->state == STA__TILED ? sta__value_bytes(plan->in[i].value) : 0;
    tasks = tasks > sta__runtime.gpus ? tasks : sta__runtime.gpus;
    return room > 0 && bytes / room >= tasks ? bytes / room + 1 : tasks;
}

/* Neighbours together, as tiles are placed that are made from nothing (submit.c). */
static bool cut_for_gpus(struct sta__grid *to, const struct sta__grid *grid, int axis, int64_t tasks)
{
    const int64_t tiles = grid->count[axis];
    int64_t *cuts = sta__allocate(sizeof *cuts * (size_t)(tasks + 1));
    to->cuts[axis] = cuts;
    if (!cuts)
        return false;
    for (int64_t t = 0; t <= tasks; t++)
        cuts[t] = sta__grid_cut(grid, axis, (t * tiles + tasks - 1) / tasks);
    to->count[axis] = to->tiles = tasks;
    to->edge[axis] = 0;
    return true;
}

static bool lies_on(starpu_data_handle_t handle, unsigned node)
{
    int allocated, valid = 0, requested;
    starpu_data_query_status(handle, (int)node, &allocated, &valid, &requested);
    return valid != 0;
}

/* Only there: then tiles are best sent one by one while others are reduced, by CPUs too. */
static bool is_on_host(const struct sta__plan *plan)
{
    if (starpu_memory_nodes_get_count() == 1)
        return false;
    for (int i = 0; i < plan->program->inputs; i++) {
        const struct sta__value *value = plan->in[i].value;
        starpu_data_handle_t handle = value->state == STA__TILED ? sta__tile_handle(value->tiles[0]) : NULL;
        bool host = handle && lies_on(handle, STARPU_MAIN_RAM);
        for (unsigned node = 1; node < starpu_memory_nodes_get_count() && host; node++)
            host = !lies_on(handle, node);
        if (host)
            return true;
    }
    return false;
}

static struct sta__grid *grid_for_gpus(const struct sta__plan *plan, const struct sta__grid *grid)
{
    const int64_t most = tiles_at_once(plan, STA__TOGETHER);
    const int cut = only_cut(plan->program, grid);
    const bool good = most >= 2 && cut >= 0 && is_for_gpus(grid) && !is_on_host(plan);
    const int64_t tasks = good ? tasks_for_gpus(plan, grid->tiles, most) : 0;
    if (tasks == 0 || tasks >= grid->tiles)
        return NULL;
    struct sta__grid *to = sta__grid_single(&grid->shape);
    if (to && cut_for_gpus(to, grid, cut, tasks))
        return to;
    sta__grid_drop(to);
    return NULL;
}

/* ---- any of them ---- */

static struct sta__grid *longer(const struct sta__plan *plan, const struct sta__grid *grid, int merged)
{
    const int64_t most = tiles_at_once(plan, sta__handles_together()), along = grid->count[merged];
    const int64_t step = power_of_two(along < most ? along : most);
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
    if (keeps_blocks(plan->program))
        return NULL;
    struct sta__grid *to = grid_for_gpus(plan, grid);
    *chain = to != NULL;
    if (to || tiles_at_once(plan, STA__MAXBUFFERS) < 2)
        return to;
    if (merged < 0 || !is_burden(plan, grid, merged))
        return several(plan, grid, merged);
    *chain = true;
    return longer(plan, grid, merged);
}
