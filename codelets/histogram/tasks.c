/* The tasks of a histogram: edges, counts of each tile, their sum, and what the result is made of it. */
#include "call.h"

enum { PARTIALS = 256, INPUTS = STA__MAXBUFFERS - 1 };

static void edges_task(struct sta__histogram *p)
{
    if (p->explicit_edges) {
        const struct sta__histogram_check_arguments check = {.edges = p->given->size};
        struct sta__task *task = sta__batch_task(p->batch, &check, sizeof check);
        sta__task_writes(task, p->edges, 0);
        const int at = sta__task_reads(task, p->given, 0);
        if (task)
            ((struct sta__histogram_check_arguments *)sta__task_arguments(task))->given_at = at;
        return;
    }
    const bool empty = p->data->size == 0 && !p->options.has_range;
    const struct sta__histogram_edges_arguments equal = {
        .bins = p->bins,
        .has_range = p->options.has_range || empty,
        .lo = p->options.has_range ? p->options.lo : 0,
        .hi = p->options.has_range ? p->options.hi : 1,
    };
    struct sta__task *task = sta__batch_task(p->batch, &equal, sizeof equal);
    sta__task_writes(task, p->edges, 0);
    if (!task || equal.has_range)
        return;
    struct sta__histogram_edges_arguments *arguments = sta__task_arguments(task);
    arguments->lo_at = sta__task_reads(task, p->lo, 0);
    arguments->hi_at = sta__task_reads(task, p->hi, 0);
}

static void count_task(struct sta__histogram *p, int64_t tile, struct sta__value *sums, int64_t part, bool add)
{
    const struct sta__histogram_count_arguments count = {.bins = p->bins, .add = add, .weights_at = -1};
    struct sta__task *task = sta__batch_task(p->batch, &count, sizeof count);
    if (!task)
        return;
    struct sta__histogram_count_arguments *arguments = sta__task_arguments(task);
    if (add)
        sta__task_updates(task, sums, part);
    else
        sta__task_writes(task, sums, part);
    arguments->data_at = sta__task_reads(task, p->data, tile);
    arguments->edges_at = sta__task_reads(task, p->edges, 0);
    if (p->weights)
        arguments->weights_at = sta__task_reads(task, p->weights, tile);
}

/* `count` tables of sums, one tile each. */
static struct sta__value *tables(struct sta__histogram *p, int64_t count)
{
    const struct sta__shape shape = {.ndim = 2, .at = {count, p->bins}};
    const int64_t edge[] = {1, p->bins};
    struct sta__grid *grid = sta__grid_regular(&shape, edge);
    struct sta__value *value = grid ? sta__value_tiled(p->sums->dtype, grid) : NULL;
    sta__grid_drop(grid);
    if (!value)
        sta__batch_fail(p->batch);
    return value;
}

/* A tree of sums; takes the reference of `parts` over. */
static void add_tasks(struct sta__histogram *p, struct sta__value *parts, int64_t count)
{
    const struct sta__histogram_add_arguments add = {.bins = p->bins};
    sta__batch_kernel(p->batch, &sta__histogram_add, p->sums->dtype);
    while (parts && count > 1) {
        const int64_t next = (count + INPUTS - 1) / INPUTS;
        struct sta__value *sums = next == 1 ? sta__value_take(p->sums) : tables(p, next);
        for (int64_t s = 0; sums && s < next; s++) {
            struct sta__task *task = sta__batch_task(p->batch, &add, sizeof add);
            sta__task_writes(task, sums, s);
            for (int64_t i = s * INPUTS; i < (s + 1) * INPUTS && i < count; i++)
                sta__task_reads(task, parts, i);
        }
        sta__value_drop(parts);
        parts = sums;
        count = next;
    }
    sta__value_drop(parts);
}

/* Tiles t, t + parts, t + 2 parts ... are counted into one table after the other: a table is worth at least four
 * elements a bin. How many tables there are follows from sizes alone, so that sums of floats are the same everywhere.
 * */
static void count_tasks(struct sta__histogram *p)
{
    const int64_t tiles = p->data->state == STA__TILED ? p->data->grid->tiles : 1;
    const int64_t worth = p->data->size / (4 * p->bins);
    int64_t parts = tiles < PARTIALS ? tiles : PARTIALS;
    parts = worth < 1 ? 1 : worth < parts ? worth : parts;
    struct sta__value *sums = parts == 1 ? sta__value_take(p->sums) : tables(p, parts);
    sta__batch_kernel(p->batch, &sta__histogram_count, p->data->dtype);
    for (int64_t t = 0; sums && t < tiles; t++)
        count_task(p, t, sums, t % parts, t >= parts);
    if (parts > 1)
        add_tasks(p, sums, parts);
    else
        sta__value_drop(sums);
}

static void finish_task(struct sta__histogram *p)
{
    const struct sta__histogram_finish_arguments finish = {
        .bins = p->bins,
        .as = p->weighted ? p->weights->dtype : STA_int64,
        .density = p->options.density != 0,
    };
    sta__batch_kernel(p->batch, &sta__histogram_finish, p->counts->dtype);
    struct sta__task *task = sta__batch_task(p->batch, &finish, sizeof finish);
    sta__task_writes(task, p->counts, 0);
    const int sums_at = sta__task_reads(task, p->sums, 0), edges_at = sta__task_reads(task, p->edges, 0);
    if (!task)
        return;
    struct sta__histogram_finish_arguments *arguments = sta__task_arguments(task);
    arguments->sums_at = sums_at;
    arguments->edges_at = edges_at;
}

bool sta__histogram_submit(struct sta__histogram *p)
{
    const struct sta__kernel *kernel = p->explicit_edges ? &sta__histogram_check : &sta__histogram_edges;
    p->batch = sta__batch_open(&p->call, kernel, p->edges->dtype, p->now);
    if (!p->batch)
        return false;
    sta__batch_depth(p->batch, p->data->depth + 1);
    if (p->edges->size > 0)
        edges_task(p);
    if (p->bins > 0)
        count_tasks(p);
    if (p->bins > 0 && p->counts != p->sums)
        finish_task(p);
    return sta__batch_submit(p->batch);
}
