/* x[mask] = value, in place: a task a tile. Contract: fill.h. */
#include "codelets/index/fill.h"

#include "array.h"
#include "elementwise/front.h"
#include "launch.h"

/* Whether the tiles of x can be written where they lie: they are nobody else's, neither a GPU's nor another rank's, and cut
 * evenly along the axes of the mask. */
static bool in_place(const struct sta__value *x, int axes)
{
    if (x->state != STA__TILED || x->references != 1 || x->user || x->read_only || sta__runtime.gpus ||
        sta__runtime.settings.ranks > 1)
        return false;
    for (int a = 0; a < x->shape.ndim; a++)
        if (a < axes ? x->grid->edge[a] == 0 : x->grid->count[a] > 1)
            return false;
    for (int64_t t = 0; t < x->grid->tiles; t++)
        if (x->tiles[t]->references != 1)
            return false;
    return true;
}

/* The value as one tile, or there at once: one element, or one for each that an element of the mask stands for. */
static struct sta__value *ready_value(struct sta__call *call, const struct sta__value *x, int axes,
                                      const struct sta__operand *value)
{
    struct sta__operand whole = {.value = value->value};
    struct sta__shape shape = {.ndim = 0};
    sta__view_copy(&whole.view, &value->view);
    if (value->view.shape.ndim > 0)
        for (int a = axes; a < x->shape.ndim; a++)
            shape.at[shape.ndim++] = x->shape.at[a];
    sta__view_broadcast(&whole.view, &shape);
    struct sta__grid *grid = sta__grid_single(&shape);
    struct sta__value *ready = grid ? sta__prepare(call, &whole, x->dtype, grid) : sta__fail_memory(call);
    sta__grid_drop(grid);
    return ready;
}

/* The program that gives the mask. */
static bool plan_mask(struct sta__call *call, const struct sta__operand *mask, struct sta__grid *chunks,
                      struct sta__index_plan *plan)
{
    const struct sta__selection none = {.arrays = 0};
    return sta__index_plan(call, &none, mask, STA_bool, plan) && sta__index_fit(call, plan, chunks);
}

/* A filling in the making. */
struct filling {
    struct sta__call *call;
    struct sta__value *x, *value;
    struct sta__index_plan mask;
    struct sta__grid *chunks; /* of the mask, as x is cut */
    struct sta__batch *batch;
    int64_t each;
};

static bool fill_tile(struct filling *f, int64_t t)
{
    struct sta__box box = sta__grid_box(f->chunks, t);
    struct sta__plan *plan = &f->mask.plan;
    struct sta__matches matches;
    int worst;
    if (!sta__matches_find(plan, &box, STA__MOST_PIECES, &matches, &worst))
        return sta__fail(f->call, STA_ERROR_INTERNAL, "a mask lies in too many tiles") != NULL;
    struct sta__words words = {.room = 0};
    struct sta__task *task = NULL;
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1) {
            task = sta__program_task(f->batch, plan, words.count);
            if (!task)
                return true; /* the batch remembers */
            struct sta__program_arguments *arguments = sta__task_arguments(task);
            words = (struct sta__words){arguments->word, 0, words.count};
            sta__task_many(task, 64);
        }
        sta__words_box(&words, &box);
        sta__words_inputs(&words, plan, &matches, task);
        sta__words_put(&words, sta__task_updates(task, f->x, t));
        sta__words_put(&words, sta__task_reads(task, f->value, 0));
        sta__words_put(&words, f->each);
    }
    return true;
}

static bool fill_tiles(struct filling *f)
{
    f->batch = sta__batch_open(f->call, &sta__mask_fill_kernel, f->x->dtype, false);
    bool fine = f->batch != NULL;
    if (f->batch)
        sta__batch_depth(f->batch, f->x->depth + 1);
    for (int64_t t = 0; fine && t < f->x->grid->tiles; t++)
        fine = fill_tile(f, t);
    if (f->batch && !fine)
        sta__batch_discard(f->batch);
    return fine && sta__batch_submit(f->batch);
}

void sta__mask_fill(struct sta__call *call, struct sta__store *store, void *filling)
{
    struct sta__mask_filling *given = filling;
    struct filling f = {.call = call, .x = store->value, .each = 1};
    const struct sta__shape *lead = &given->mask->view.shape;
    given->done = false;
    if (given->mask->value->state == STA__PENDING || !in_place(f.x, lead->ndim))
        return;
    for (int a = lead->ndim; a < f.x->shape.ndim; a++)
        f.each *= f.x->shape.at[a];
    f.chunks = sta__index_chunks(f.x->grid, lead);
    f.value = f.chunks ? ready_value(call, f.x, lead->ndim, given->value) : sta__fail_memory(call);
    if (f.value && plan_mask(call, given->mask, f.chunks, &f.mask) && fill_tiles(&f)) {
        sta__value_forget_recuts(f.x);
        f.x->depth++;
        given->done = true;
    }
    sta__index_plan_end(&f.mask);
    sta__value_drop(f.value);
    sta__grid_drop(f.chunks);
}
