/* Strips: where a task of another rank needs a small part of a tile, a copy of that part travels, made by the rank that has
 * the tile. Every rank makes the same decisions, since owners and copies are known everywhere. */
#include "copy/assemble.h"
#include "launch.h"
#include "mpi/ranks.h"

enum { SMALL = 4 }; /* a strip is smaller than the tile by this factor at least */

/* What a piece touches of its tile. */
static struct sta__box touched(const struct sta__view *view, const struct sta__match *match)
{
    struct sta__box box = {.ndim = view->store_ndim};
    for (int s = 0; s < view->store_ndim; s++) {
        const struct sta__axis_map *map = &view->map[s];
        int64_t steps = map->axis < 0 ? 0 : match->to[map->axis] - match->from[map->axis] - 1;
        int64_t first = match->start[s], last = first + steps * map->step;
        box.from[s] = first < last ? first : last;
        box.to[s] = (first < last ? last : first) + 1;
    }
    return box;
}

static int64_t bytes_of(const struct sta__operand *in, const struct sta__box *part)
{
    return sta__box_size(part) * (int64_t)sta_itemsize(in->value->dtype);
}

/* Strips of one tile are small together: of what many tasks read, or one reads again and again, the whole travels once. */
static bool is_worth_it(const struct sta__tile *tile, int64_t bytes, int rank)
{
    return tile->owner >= 0 && !sta__tile_is_at(tile, rank) && (tile->cut_out + bytes) * SMALL < tile->bytes;
}

/* The task that cuts it out, on the rank that has the tile. NULL: no memory, and the batch knows. */
static struct sta__tile *cut_out(struct sta__batch *batch, const struct sta__operand *in, struct sta__tile *tile,
                                 const struct sta__box *part)
{
    const sta_dtype dtype = in->value->dtype; /* not every tile knows its own */
    sta__batch_kernel(batch, &sta__assemble_kernel, dtype);
    struct sta__task *task = sta__batch_task(batch, NULL, sizeof(struct sta__assemble_arguments));
    struct sta__tile *strip = task ? sta__tile_new(dtype, part) : NULL;
    if (!strip) {
        sta__batch_fail(batch);
        return NULL;
    }
    strip->owner = tile->owner;
    tile->cut_out += bytes_of(in, part);
    struct sta__assemble_arguments *a = sta__task_arguments(task);
    a->ndim = a->store_ndim = part->ndim;
    a->count = 1;
    for (int s = 0; s < part->ndim; s++) {
        a->map[s] = (struct sta__axis_map){0, 1, s};
        a->piece[0].to[s] = part->to[s] - part->from[s];
        a->piece[0].start[s] = part->from[s];
    }
    a->piece[0].memory = sta__task_reads_tile(task, tile);
    a->to = sta__task_writes_tile(task, strip);
    return strip;
}

typedef void visit(struct sta__batch *batch, const struct sta__operand *in, struct sta__matches *matches, int m,
                   int rank);

/* What goes whole for one piece is there for all. */
static void find_whole(struct sta__batch *batch, const struct sta__operand *in, struct sta__matches *matches, int m,
                       int rank)
{
    struct sta__tile *tile = in->value->tiles[matches->match[m].tile];
    struct sta__box part = touched(&in->view, &matches->match[m]);
    (void)batch;
    if (!is_worth_it(tile, bytes_of(in, &part), rank))
        tile->cut_out = tile->bytes;
}

static void make_strip(struct sta__batch *batch, const struct sta__operand *in, struct sta__matches *matches, int m,
                       int rank)
{
    struct sta__match *match = &matches->match[m];
    struct sta__tile *tile = in->value->tiles[match->tile];
    struct sta__box part = touched(&in->view, match);
    matches->strip[m] = is_worth_it(tile, bytes_of(in, &part), rank) ? cut_out(batch, in, tile, &part) : NULL;
    for (int s = 0; s < part.ndim && matches->strip[m]; s++)
        match->start[s] -= part.from[s];
}

static void visit_pieces(struct sta__batch *batch, const struct sta__plan *plan, struct sta__matches *matches, int rank,
                         visit *visit)
{
    for (int i = 0; i < plan->program->inputs; i++)
        for (int m = matches->first[i]; m < matches->first[i + 1] && plan->in[i].value->state == STA__TILED; m++)
            if (!sta__tile_is_at(plan->in[i].value->tiles[matches->match[m].tile], rank))
                visit(batch, &plan->in[i], matches, m, rank);
}

void sta__strips_make(struct sta__batch *batch, const struct sta__plan *plan, struct sta__matches *matches, int rank)
{
    if (sta__runtime.settings.ranks <= 1 || rank < 0)
        return;
    visit_pieces(batch, plan, matches, rank, find_whole);
    visit_pieces(batch, plan, matches, rank, make_strip);
    sta__batch_kernel(batch, sta__program_kernel(plan->program), plan->program->dtype);
}

void sta__strips_drop(struct sta__matches *matches)
{
    for (int m = 0; m < matches->count; m++)
        if (matches->strip[m])
            sta__tile_drop(matches->strip[m]);
}
