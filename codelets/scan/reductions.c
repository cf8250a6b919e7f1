/* Reductions by the loops of scans: some tiles of a lane go to one task, and one task puts together what they give. */
#include "scan/tasks.h"

/* Tile k of the lane. */
static int64_t tile_of(const struct sta__scan_run *s, int64_t lane, int64_t k)
{
    return (lane / s->below * s->grid->count[s->r->axis] + k) * s->below + lane % s->below;
}

/* A task of too many tiles has no room for their handles. */
bool sta__scan_goes_together(const struct sta__scan_run *s)
{
    enum { MOST = STA__SCAN_LISTS * (STA__MOSTBUFFERS / 2) };
    return s->r->reduce && !s->serial && s->grid->count[s->r->axis] <= MOST && sta__runtime.gpus == 0 &&
           sta__runtime.settings.ranks <= 1;
}

/* As many parts of a lane as keep the workers busy; few operands for each task, if that can be. */
static int64_t parts_of(const struct sta__scan_run *s, int64_t lanes)
{
    enum { NARROW = STA__MAXBUFFERS - 1 };
    const int64_t along = s->grid->count[s->r->axis], cpus = sta__runtime.cpus > 0 ? sta__runtime.cpus : 1;
    int64_t parts = lanes >= 4 * cpus ? 1 : cpus <= NARROW ? NARROW / cpus * cpus : 2 * cpus;
    if (parts < (along + NARROW - 1) / NARROW)
        parts = (along + NARROW - 1) / NARROW;
    parts = parts < STA__SCAN_LISTS ? parts : STA__SCAN_LISTS;
    return parts < along ? parts : along;
}

static void read_tiles(struct sta__scan_run *s, struct sta__task *task, struct sta__scan_arguments *a, int64_t lane,
                       int64_t from, int64_t to)
{
    a->tiles = (int)(to - from);
    for (int64_t k = from; k < to; k++) {
        const int memory = sta__task_reads(task, s->x, tile_of(s, lane, k));
        a->x = k == from ? memory : a->x;
    }
}

/* The box of the tiles [from, to) of a lane. */
static struct sta__box box_of(const struct sta__scan_run *s, int64_t lane, int64_t from, int64_t to)
{
    struct sta__box box = sta__grid_box(s->grid, tile_of(s, lane, from));
    box.to[s->r->axis] = sta__grid_box(s->grid, tile_of(s, lane, to - 1)).to[s->r->axis];
    return box;
}

/* The list of the tiles [from, to), a new reference. */
static struct sta__tile *part_task(struct sta__scan_run *s, int64_t lane, int64_t from, int64_t to)
{
    struct sta__task *task;
    const struct sta__box box = box_of(s, lane, from, to);
    const int axis = s->r->axis;
    struct sta__tile *list = sta__scan_list(s, &box, sta__scan_partial_nodes(box.from[axis], box.to[axis]));
    struct sta__scan_arguments *a = list ? sta__scan_task(s, s->lists, &sta__scan_total, &box, &task) : NULL;
    if (a) {
        sta__task_many(task, (int)(to - from) + 1);
        a->carry = sta__task_writes_tile(task, list);
        read_tiles(s, task, a, lane, from, to);
    }
    return list;
}

static void lane_tasks(struct sta__scan_run *s, int64_t lane, int64_t parts)
{
    struct sta__tile *list[STA__SCAN_LISTS];
    struct sta__task *task;
    const int64_t along = s->grid->count[s->r->axis];
    const struct sta__box box = box_of(s, lane, 0, along);
    struct sta__scan_arguments *a = sta__scan_task(s, s->batch, &sta__scan_finish, &box, &task);
    if (!a)
        return;
    a->y = sta__task_writes(task, s->y, lane);
    if (parts == 1) {
        read_tiles(s, task, a, lane, 0, along);
        return;
    }
    sta__task_many(task, (int)parts + 1);
    a->lists = (int)parts;
    for (int64_t p = 0; p < parts; p++) {
        const int64_t from = along * p / parts, to = along * (p + 1) / parts;
        list[p] = part_task(s, lane, from, to);
        a->end[p] = box_of(s, lane, from, to).to[s->r->axis];
        const int memory = list[p] ? sta__task_reads_tile(task, list[p]) : 0;
        a->partial = p == 0 ? memory : a->partial;
    }
    for (int64_t p = 0; p < parts; p++)
        sta__tile_drop(list[p]);
}

void sta__scan_reductions(struct sta__scan_run *s)
{
    const int64_t lanes = s->grid->tiles / s->grid->count[s->r->axis], parts = parts_of(s, lanes);
    for (int64_t lane = 0; lane < lanes; lane++)
        lane_tasks(s, lane, parts);
}
