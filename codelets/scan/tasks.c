/* The tasks of a scan or a reduction along one axis. Tiles that differ in their place along the axis only are a lane. */
#include "scan/tasks.h"

#include "create/create.h"

#include <string.h>

/* ---- grids ---- */

static bool copy_cuts(struct sta__grid *to, int to_axis, const struct sta__grid *from, int axis, int64_t shift)
{
    if (!from->cuts[axis] && !shift) {
        to->edge[to_axis] = from->edge[axis];
        to->count[to_axis] = from->count[axis];
        return true;
    }
    const int64_t count = from->count[axis];
    int64_t *cuts = sta__allocate((size_t)(count + 1) * sizeof *cuts);
    if (!cuts)
        return false;
    for (int64_t k = 1; k <= count; k++)
        cuts[k] = sta__grid_cut(from, axis, k) + shift;
    to->cuts[to_axis] = cuts;
    to->edge[to_axis] = 0;
    to->count[to_axis] = count;
    return true;
}

/* The grid of the result: without the axis where it is reduced; with its first tiles longer by 1 where the identity leads. */
static struct sta__grid *result_grid(const struct sta__scan_run *s)
{
    const int axis = s->r->axis;
    struct sta__shape shape = {.ndim = 0};
    for (int a = 0; a < s->grid->shape.ndim; a++)
        if (a != axis || !s->r->reduce)
            shape.at[shape.ndim++] = s->grid->shape.at[a] + (a == axis && s->r->lead ? 1 : 0);
    struct sta__grid *grid = sta__grid_single(&shape);
    if (!grid)
        return NULL;
    grid->tiles = 1;
    for (int a = 0, to = 0; a < s->grid->shape.ndim; a++) {
        if (a == axis && s->r->reduce)
            continue;
        if (!copy_cuts(grid, to, s->grid, a, a == axis && s->r->lead ? 1 : 0)) {
            sta__grid_drop(grid);
            return NULL;
        }
        grid->tiles *= grid->count[to++];
    }
    return grid;
}

static struct sta__shape result_shape(const struct sta__scan_run *s)
{
    struct sta__shape shape = {.ndim = 0};
    for (int a = 0; a < s->x->shape.ndim; a++)
        if (a != s->r->axis || !s->r->reduce)
            shape.at[shape.ndim++] = s->x->shape.at[a] + (a == s->r->axis && s->r->lead ? 1 : 0);
    return shape;
}

/* ---- tasks ---- */

struct sta__scan_arguments *sta__scan_task(struct sta__scan_run *s, struct sta__batch *batch,
                                           const struct sta__kernel *kernel, const struct sta__box *box,
                                           struct sta__task **task)
{
    sta__batch_kernel(batch, kernel, s->r->dtype);
    *task = sta__batch_task(batch, NULL, sizeof(struct sta__scan_arguments));
    if (!*task)
        return NULL;
    struct sta__scan_arguments *a = sta__task_arguments(*task);
    *a = (struct sta__scan_arguments){
        .op = s->r->op,
        .axis = s->r->axis,
        .dtype = s->r->dtype,
        .from = s->x->dtype,
        .first = box->from[s->r->axis],
        .last = box->to[s->r->axis],
        .identity = s->r->identity,
        .x = -1,
        .y = -1,
        .tiles = 1,
        .lists = 1,
        .prefix = -1,
        .partial = -1,
        .carry = -1,
    };
    a->lead = s->r->lead && a->first == 0;
    a->end[0] = a->last;
    return a;
}

struct sta__tile *sta__scan_list(struct sta__scan_run *s, const struct sta__box *box, int nodes)
{
    struct sta__box list = {.ndim = 2, .to = {nodes, 1}};
    for (int a = 0; a < box->ndim; a++)
        list.to[1] *= a == s->r->axis ? 1 : box->to[a] - box->from[a];
    struct sta__tile *tile = sta__tile_new(s->r->dtype, &list);
    if (!tile)
        sta__batch_fail(s->batch);
    return tile;
}

static struct sta__tile *total_task(struct sta__scan_run *s, int64_t tile, const struct sta__box *box)
{
    struct sta__task *task;
    const int64_t first = box->from[s->r->axis], last = box->to[s->r->axis];
    struct sta__tile *partial = sta__scan_list(s, box, sta__scan_partial_nodes(first, last));
    struct sta__scan_arguments *a = partial ? sta__scan_task(s, s->lists, &sta__scan_total, box, &task) : NULL;
    if (a) {
        a->carry = sta__task_writes_tile(task, partial);
        a->x = sta__task_reads(task, s->x, tile);
    }
    return partial;
}

/* The list of [0, last) from that of [0, first) and that of the tile, whose reference is taken over. */
static struct sta__tile *prefix_task(struct sta__scan_run *s, struct sta__tile *before, struct sta__tile *partial,
                                     const struct sta__box *box)
{
    struct sta__task *task;
    if (!before || !partial) /* the first tile: both are the same list */
        return partial;
    struct sta__tile *after = sta__scan_list(s, box, sta__scan_prefix_nodes(box->to[s->r->axis]));
    struct sta__scan_arguments *a = after ? sta__scan_task(s, s->lists, &sta__scan_prefix, box, &task) : NULL;
    if (a) {
        a->carry = sta__task_writes_tile(task, after);
        a->prefix = sta__task_reads_tile(task, before);
        a->partial = sta__task_reads_tile(task, partial);
    }
    sta__tile_drop(partial);
    return after;
}

static void scan_task(struct sta__scan_run *s, int64_t tile, struct sta__tile *before, const struct sta__box *box)
{
    struct sta__task *task;
    struct sta__scan_arguments *a = sta__scan_task(s, s->batch, &sta__scan_kernel, box, &task);
    if (!a)
        return;
    a->y = sta__task_writes(task, s->y, tile);
    a->x = sta__task_reads(task, s->x, tile);
    if (before)
        a->prefix = sta__task_reads_tile(task, before);
}

static void finish_task(struct sta__scan_run *s, int64_t lane, struct sta__tile *before, struct sta__tile *partial,
                        const struct sta__box *box)
{
    struct sta__task *task;
    struct sta__scan_arguments *a = partial ? sta__scan_task(s, s->batch, &sta__scan_finish, box, &task) : NULL;
    if (!a)
        return;
    a->y = sta__task_writes(task, s->y, lane);
    a->partial = sta__task_reads_tile(task, partial);
    if (before)
        a->prefix = sta__task_reads_tile(task, before);
}

/* ---- scans, and reductions where GPUs or other ranks may have a part: tile by tile ---- */

/* The last row is the result where the axis is reduced. */
static void serial_task(struct sta__scan_run *s, int64_t tile, int64_t lane, const struct sta__box *box)
{
    struct sta__task *task;
    const bool started = box->from[s->r->axis] > 0;
    struct sta__scan_arguments *a = sta__scan_task(s, s->batch, &sta__scan_serial, box, &task);
    if (a && !s->r->reduce && !started)
        s->carry[lane] = sta__scan_list(s, box, 1);
    if (!a || (!s->r->reduce && !s->carry[lane]))
        return;
    a->started = started;
    if (s->r->reduce)
        a->carry = started ? sta__task_updates(task, s->y, lane) : sta__task_writes(task, s->y, lane);
    else
        a->carry = started ? sta__task_updates_tile(task, s->carry[lane]) : sta__task_writes_tile(task, s->carry[lane]);
    if (!s->r->reduce)
        a->y = sta__task_writes(task, s->y, tile);
    a->x = sta__task_reads(task, s->x, tile);
}

static void tile_tasks(struct sta__scan_run *s, int64_t tile)
{
    const int64_t along = s->grid->count[s->r->axis], k = tile / s->below % along;
    const int64_t lane = tile / (s->below * along) * s->below + tile % s->below;
    const struct sta__box box = sta__grid_box(s->grid, tile);
    if (s->serial) {
        serial_task(s, tile, lane, &box);
        return;
    }
    struct sta__tile *before = s->carry[lane], *partial = NULL;
    if (!s->r->reduce)
        scan_task(s, tile, before, &box);
    if (k < along - 1 || s->r->reduce)
        partial = total_task(s, tile, &box);
    if (k < along - 1) {
        s->carry[lane] = prefix_task(s, before, partial, &box);
    } else {
        if (s->r->reduce)
            finish_task(s, lane, before, partial, &box);
        if (partial)
            sta__tile_drop(partial);
        s->carry[lane] = NULL;
    }
    if (before)
        sta__tile_drop(before);
}

/* ---- all at once, in host memory ---- */

static struct sta__value *list_value(struct sta__scan_run *s, int nodes, int64_t cells)
{
    const struct sta__shape shape = {.ndim = 2, .at = {nodes, cells}};
    struct sta__value *list = sta__value_raw(s->r->dtype, &shape);
    if (!list)
        sta__batch_fail(s->batch);
    return list;
}

static void now_tasks(struct sta__scan_run *s)
{
    struct sta__task *task;
    const struct sta__box box = sta__whole_box(&s->x->shape);
    const int64_t length = box.to[s->r->axis];
    const struct sta__kernel *kernel = s->serial      ? &sta__scan_serial
                                       : s->r->reduce ? &sta__scan_total
                                                      : &sta__scan_kernel;
    struct sta__value *list =
        s->serial || s->r->reduce
            ? list_value(s, s->serial ? 1 : sta__scan_partial_nodes(0, length), s->x->size / (length ? length : 1))
            : NULL;
    struct sta__scan_arguments *a = sta__scan_task(s, s->batch, kernel, &box, &task);
    if (a) {
        a->x = sta__task_reads(task, s->x, 0);
        if (s->serial && s->r->reduce)
            a->carry = sta__task_writes(task, s->y, 0);
        else if (list)
            a->carry = sta__task_writes(task, list, 0);
        if (!s->r->reduce)
            a->y = sta__task_writes(task, s->y, 0);
    }
    a = !s->serial && s->r->reduce ? sta__scan_task(s, s->batch, &sta__scan_finish, &box, &task) : NULL;
    if (a) {
        a->partial = sta__task_reads(task, list, 0);
        a->y = sta__task_writes(task, s->y, 0);
    }
    sta__value_drop(list);
}

/* ---- submission ---- */

static bool open(struct sta__scan_run *s)
{
    const struct sta__shape shape = result_shape(s);
    int64_t size = 1;
    for (int a = 0; a < shape.ndim; a++)
        size *= shape.at[a];
    s->now = sta__runs_now(size * (int64_t)sta_itemsize(s->r->dtype), &s->x, 1);
    struct sta__grid *grid = s->now ? NULL : result_grid(s);
    if (s->now)
        s->y = sta__value_raw(s->r->dtype, &shape);
    else
        s->y = grid ? sta__value_tiled(s->r->dtype, grid) : NULL;
    sta__grid_drop(grid);
    s->carry = sta__allocate(sizeof(struct sta__tile *) * (size_t)s->grid->tiles);
    s->batch = s->y && s->carry ? sta__batch_open(s->call, &sta__scan_kernel, s->r->dtype, s->now) : NULL;
    s->lists = s->batch ? sta__batch_open(s->call, &sta__scan_total, s->r->dtype, s->now) : NULL;
    if (s->lists)
        return true;
    if (s->batch)
        sta__batch_discard(s->batch);
    sta__fail_memory(s->call);
    return false;
}

/* Both batches are built before the first is submitted; tasks that write y are consumers of those that make lists. */
static bool submit(struct sta__scan_run *s)
{
    s->below = 1;
    for (int a = s->r->axis + 1; a < s->grid->shape.ndim; a++)
        s->below *= s->grid->count[a];
    s->y->depth = s->x->depth + 2;
    sta__batch_depth(s->lists, s->x->depth + 1);
    sta__batch_depth(s->batch, s->x->depth + 2);
    if (s->now)
        now_tasks(s);
    const bool together = !s->now && sta__scan_goes_together(s);
    if (together)
        sta__scan_reductions(s);
    for (int64_t t = 0; !s->now && !together && t < s->grid->tiles; t++)
        tile_tasks(s, t);
    for (int64_t lane = 0; lane < s->grid->tiles; lane++)
        if (s->carry[lane])
            sta__tile_drop(s->carry[lane]);
    if (sta__batch_submit(s->lists))
        return sta__batch_submit(s->batch);
    sta__batch_discard(s->batch);
    return false;
}

static struct sta__value *run(struct sta__scan_run *s)
{
    s->serial = sta__scan_loops(s->r->op, s->r->dtype)->serial != NULL;
    s->grid = s->x->state == STA__TILED ? sta__grid_take(s->x->grid) : sta__grid_single(&s->x->shape);
    if (!s->grid)
        return sta__fail_memory(s->call);
    const bool fine = open(s) && submit(s);
    sta__grid_drop(s->grid);
    sta__release(s->carry);
    if (fine)
        return s->y;
    sta__value_drop(s->y);
    return NULL;
}

/* Nothing to scan: at most the identities. */
static struct sta__value *nothing(struct sta__scan_run *s)
{
    const struct sta__shape shape = result_shape(s);
    if (s->r->lead)
        return sta__fill(s->call, &shape, s->r->dtype, s->r->identity);
    struct sta__value *value = sta__value_now(s->r->dtype, &shape);
    return value ? value : sta__fail_memory(s->call);
}

/* What x is read as: narrow elements are cast by the kernel, not in a pass of their own. */
static sta_dtype read_as(const struct sta__operand *x, const struct sta__scan_request *request)
{
    enum { LONG = 64 };
    const sta_dtype own = x->value->dtype;
    const bool casts = !sta__runtime.gpus && !sta__scan_loops(request->op, request->dtype)->serial &&
                       x->view.shape.at[request->axis] >= LONG && sta_itemsize(own) < sta_itemsize(request->dtype);
    return casts ? own : request->dtype;
}

/* Tiles along the axis wait for each other. Where arrays are cut along it alone, and the operator takes longer than a copy, x
 * is cut across, so that every core has some columns. NULL: it stays as it is. */
static struct sta__grid *columns(const struct sta__operand *x, const struct sta__scan_request *request)
{
    enum { DEAR = 5, MANY = 1 << 16 };
    const struct sta__shape *shape = &x->view.shape;
    const int across = request->axis + 1;
    const int64_t workers = sta__runtime.cpus, length = across < shape->ndim ? shape->at[across] : 0;
    int64_t size = 0;
    sta__shape_size(shape, &size);
    if (!sta__scan_loops(request->op, request->dtype)->serial || sta__ufunc(request->op)->cost < DEAR || size < MANY ||
        workers < 2 || length < workers || shape->at[request->axis] * length < size || sta__runtime.gpus ||
        sta__runtime.settings.ranks > 1)
        return NULL;
    struct sta__grid *grid = sta__grid_single(shape);
    if (!grid)
        return NULL;
    grid->edge[across] = (length + workers - 1) / workers;
    grid->count[across] = (length + grid->edge[across] - 1) / grid->edge[across];
    grid->tiles = grid->count[across];
    return grid;
}

struct sta__value *sta__scan_value(struct sta__call *call, const struct sta__operand *x,
                                   const struct sta__scan_request *request)
{
    struct sta__scan_run s = {.call = call, .r = request};
    struct sta__grid *grid = columns(x, request);
    s.x = sta__prepare(call, x, read_as(x, request), grid);
    sta__grid_drop(grid);
    if (!s.x)
        return NULL;
    struct sta__value *y = s.x->size ? run(&s) : nothing(&s);
    sta__value_drop(s.x);
    return y;
}
