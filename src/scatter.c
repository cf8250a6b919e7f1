/* Writing through a view by tasks, a tile each. Contract: scatter.h. Tiles that others may read are replaced by new ones, which the
 * task fills with the old contents first where it overwrites only a part; a tile that nobody else holds is written in place
 * (donation). User memory is always written in place, after those who were to read its old contents were submitted. */
#include "scatter.h"

#include "graph.h"
#include "launch.h"
#include "reshape.h"

#include <string.h>

struct scatter {
    struct sta__call *call;
    struct sta__plan *plan;
    struct sta__value *value; /* the target's, TILED */
    const struct sta__view *view;
    struct sta__tile **fresh; /* by tile: what replaces it, or NULL */
    struct sta__batch *batch;
    bool alone; /* nobody else holds the value */
};

/* The tile that the task writes. *mode tells how: 0 a new one, whole; 1 a new one, after a copy; 2 the old one. */
static struct sta__tile *target_tile(struct scatter *s, int64_t t, bool whole, int *mode)
{
    struct sta__tile *old = s->value->tiles[t];
    if (s->value->user || (s->alone && old->references == 1 && sta__runtime.settings.ranks == 1)) {
        *mode = 2;
        return old;
    }
    struct sta__box box = sta__grid_box(s->value->grid, t);
    *mode = whole && !old->doubtful ? 0 : 1; /* the copy inherits an error */
    s->fresh[t] = sta__tile_new(s->value->dtype, &box);
    if (s->fresh[t])
        s->fresh[t]->owner = old->owner;
    return s->fresh[t];
}

static int write_tile(const struct scatter *s, struct sta__task *task, int64_t t, struct sta__tile *tile, int mode)
{
    return mode == 2 ? sta__task_updates(task, s->value, t) : sta__task_writes_tile(task, tile);
}

/* The task of one tile. False: an input has too many pieces, or no memory. */
static bool scatter_tile(struct scatter *s, int64_t t, const struct sta__box *part, bool whole, int *worst)
{
    struct sta__matches matches;
    if (!sta__matches_find(s->plan, part, STA__MAXBUFFERS - 2, &matches, worst))
        return false;
    struct sta__box box = sta__grid_box(s->value->grid, t);
    int64_t start[STA_MAXDIM];
    for (int a = 0; a < s->view->store_ndim; a++) {
        const struct sta__axis_map *map = &s->view->map[a];
        start[a] = map->offset + map->step * (map->axis < 0 ? 0 : part->from[map->axis]) - box.from[a];
    }
    *worst = -1;
    int mode;
    struct sta__tile *tile = target_tile(s, t, whole, &mode);
    if (!tile)
        return false;
    sta__strips_make(s->batch, s->plan, &matches, tile->owner);
    struct sta__words words = {.room = 0};
    struct sta__task *task = NULL;
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1) {
            task = sta__program_task(s->batch, s->plan, words.count);
            if (!task) {
                sta__strips_drop(&matches);
                return false;
            }
            words =
                (struct sta__words){((struct sta__program_arguments *)sta__task_arguments(task))->word, 0, words.count};
        }
        sta__words_box(&words, part);
        sta__words_inputs(&words, s->plan, &matches, task);
        int memory = task ? write_tile(s, task, t, tile, mode) : 0;
        sta__words_whole(&words, s->view, memory, part, start);
        if (task && mode == 1) {
            struct sta__program_arguments *arguments = sta__task_arguments(task);
            arguments->copy_from = sta__task_reads(task, s->value, t);
            arguments->copy_to = memory;
        }
    }
    sta__strips_drop(&matches);
    return true;
}

/* All tasks. False: *worst is the input to re-cut, or the call has an error. */
static bool scatter_all(struct scatter *s, int *worst)
{
    const struct sta__grid *grid = s->value->grid;
    *worst = -1;
    for (int64_t t = 0; t < grid->tiles; t++) {
        struct sta__box box = sta__grid_box(grid, t), part = sta__view_preimage(s->view, &box);
        if (part.ndim < 0)
            continue;
        bool empty = false;
        for (int a = 0; a < part.ndim; a++)
            empty |= part.from[a] >= part.to[a];
        if (empty)
            continue;
        bool whole = sta__box_size(&part) == sta__box_size(&box);
        if (!scatter_tile(s, t, &part, whole, worst))
            return false;
    }
    return true;
}

/* The store's value with the fresh tiles in it: `next`, or the same one where nobody else holds it. */
static void install(struct scatter *s, struct sta__store *store, struct sta__value *next)
{
    struct sta__value *value = s->value;
    if (next) {
        sta__value_drop(value);
        store->value = value = next;
    }
    for (int64_t t = 0; t < value->grid->tiles; t++)
        if (s->fresh[t]) {
            sta__tile_drop(value->tiles[t]);
            value->tiles[t] = s->fresh[t];
            s->fresh[t] = NULL;
        }
    sta__value_forget_recuts(value);
    if (s->plan->depth > value->depth)
        value->depth = s->plan->depth;
}

static bool recut_input(struct sta__call *call, struct sta__plan *plan, int input, struct sta__grid *grid)
{
    struct sta__operand *in = &plan->in[input];
    struct sta__value *copy = sta__recut(call, in, grid);
    if (!copy)
        return false;
    sta__operand_drop(in);
    in->value = copy;
    in->view = sta__identity_view(&copy->shape);
    return true;
}

/* One attempt. -1: done, -2: failed, else the input to re-cut. */
static int try_scatter(struct scatter *s, struct sta__store *store)
{
    int worst = -1;
    int64_t tiles = s->value->grid->tiles;
    struct sta__program *program = s->plan->program;
    bool shares = !s->alone && !s->value->user; /* user memory stays what it is, whoever reads it meanwhile */
    struct sta__value *next = shares ? sta__value_share(s->value) : NULL; /* readers keep the old table */
    s->fresh = shares && !next ? NULL : sta__allocate(sizeof *s->fresh * (size_t)tiles);
    s->batch = s->fresh ? sta__batch_open(s->call, sta__program_kernel(program), program->dtype, false) : NULL;
    bool fine = s->batch && scatter_all(s, &worst);
    if (s->batch) {
        sta__batch_depth(s->batch, s->plan->depth);
        if (fine)
            fine = sta__batch_submit(s->batch);
        else
            sta__batch_discard(s->batch);
    }
    if (fine)
        install(s, store, next);
    else if (worst < 0)
        sta__fail_memory(s->call);
    for (int64_t t = 0; s->fresh && t < tiles && !fine; t++)
        if (s->fresh[t])
            sta__tile_drop(s->fresh[t]);
    sta__release(s->fresh);
    if (!fine)
        sta__value_drop(next);
    return fine ? -1 : s->call->error ? -2 : worst;
}

static bool reads(const struct sta__plan *plan, const struct sta__value *value)
{
    for (int i = 0; i < plan->program->inputs; i++)
        if (plan->in[i].value == value)
            return true;
    return false;
}

/* The plan that writes the source through a view. What was computed already (user memory that the assignment itself reads
 * is read first; and others may have taken the source along) is copied. */
static bool plan_source(struct sta__call *call, struct sta__value **source, bool compute_first, struct sta__plan *plan)
{
    if (compute_first && !sta__submit_values(call, source, 1))
        return false;
    for (int attempt = 0; attempt < 2; attempt++) {
        if ((*source)->state != STA__PENDING) {
            struct sta__operand operand = {.value = *source, .view = sta__identity_view(&(*source)->shape)};
            *source = sta__node_cast(call, &operand, operand.value->dtype);
            if (!*source)
                return false;
        }
        if (sta__plan_build(call, source, 1, true, plan))
            return true;
        if (call->error || !sta__submit_values(call, source, 1)) /* it is too long to be written as it is */
            return false;
    }
    return sta__fail(call, STA_ERROR_INTERNAL, "a copy is too long for a program") != NULL;
}

void sta__scatter(struct sta__call *call, struct sta__store *store, const struct sta__view *view,
                  struct sta__value **source)
{
    struct sta__plan plan;
    bool user = store->value->user;
    if (user && !sta__submit_readers(call, store->value, *source))
        return;
    if (!plan_source(call, source, false, &plan))
        return;
    if (user && reads(&plan, store->value)) {
        sta__plan_end(&plan);
        if (!plan_source(call, source, true, &plan))
            return;
    }
    struct scatter s = {call, &plan, store->value, view, NULL, NULL, store->value->references == 1};
    struct sta__grid *grid = sta__grid_of_view(store->value->grid, view);
    int answer = grid ? 0 : -2;
    if (!grid)
        sta__fail_memory(call);
    do {
        if (answer >= 0)
            answer = try_scatter(&s, store);
    } while (answer >= 0 && recut_input(call, &plan, answer, grid));
    sta__grid_drop(grid);
    sta__plan_end(&plan);
}
