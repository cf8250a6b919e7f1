/* Writing what a selection selects: x gets new tiles where it is written, which begin as copies of the old ones; each task
 * looks at one chunk of the indices, in order, and writes those of its tiles that they name. Contract: index.h. */
#include "codelets/index/move.h"

#include "array.h"
#include "copy/assemble.h"
#include "frame.h"
#include "launch.h"
#include "mpi/ranks.h"
#include "reshape.h"

#include <string.h>

/* A write in the making. */
struct writing {
    struct sta__call *call;
    struct sta__store *store;
    struct sta__value *x, *next; /* the old table of tiles, and the new one */
    struct sta__selection *s;
    sta_dtype dtype; /* of the source */
    struct sta__index_plan index;
    struct sta__move *move;
    struct sta__survey survey;
    struct sta__layout layout;            /* of a source that differs from index to index */
    struct sta__grid *grid, *source_grid; /* of s->all: chunks; of the source */
    struct sta__batch *batch;
    struct sta__partner partner;
    int *group; /* of each tile of x; -1: not written */
    int groups;
};

/* ---- the source ---- */

/* The source along the axes of which it repeats nothing: those have length 1 here. */
static bool compress(const struct sta__operand *source, int lead, struct sta__operand *to)
{
    bool named[STA_MAXDIM] = {false}, leads = false;
    to->value = source->value;
    sta__view_copy(&to->view, &source->view);
    for (int k = 0; k < source->view.store_ndim; k++)
        if (source->view.map[k].axis >= 0)
            named[source->view.map[k].axis] = true;
    for (int a = 0; a < source->view.shape.ndim; a++) {
        to->view.shape.at[a] = named[a] ? source->view.shape.at[a] : 1;
        leads |= named[a] && a < lead && source->view.shape.at[a] > 1;
    }
    return leads;
}

/* The source with its axes as the layout has them. */
static void lay_out(const struct writing *w, const struct sta__operand *source, struct sta__operand *to)
{
    int place[STA_MAXDIM];
    to->value = source->value;
    sta__view_copy(&to->view, &source->view);
    to->view.shape = w->layout.shape;
    for (int i = 0; i < w->s->all.ndim; i++)
        place[w->layout.axis[i]] = i;
    for (int k = 0; k < to->view.store_ndim; k++)
        if (to->view.map[k].axis >= 0)
            to->view.map[k].axis = place[to->view.map[k].axis];
}

/* The source as a value each chunk of which lies in one tile. */
static bool prepare_source(struct writing *w, const struct sta__operand *source)
{
    struct sta__operand own;
    bool leads = compress(source, w->s->lead.ndim, &own);
    if (leads)
        lay_out(w, source, &own);
    struct sta__grid *grid = leads ? sta__grid_take(w->source_grid) : sta__grid_single(&own.view.shape);
    if (!grid)
        return sta__fail_memory(w->call) != NULL;
    w->partner.value = sta__prepare(w->call, &own, w->dtype, grid);
    sta__grid_drop(grid);
    if (!w->partner.value)
        return false;
    w->partner.view = leads ? w->layout.all : sta__identity_view(&w->partner.value->shape);
    sta__view_broadcast(&w->partner.view, &w->s->all);
    return true;
}

/* Memory of the program is written in place: what is read of it is copied first. */
static bool detach(struct sta__call *call, struct sta__operand *operand)
{
    if (!operand->value->user)
        return true;
    struct sta__value *copy = sta__node_cast(call, operand, operand->value->dtype);
    if (copy && sta__submit_values(call, &copy, 1)) {
        operand->value = copy;
        operand->view = sta__identity_view(&copy->shape);
        return true;
    }
    sta__value_drop(copy);
    operand->value = NULL;
    return false;
}

static bool settle_operands(struct writing *w, struct sta__operand *source)
{
    struct sta__value *values[STA__MAXARRAYS + 1];
    int count = 0;
    for (int j = 0; j < w->s->arrays; j++)
        values[count++] = w->s->array[j].value;
    values[count++] = source->value;
    if (!sta__submit_values(w->call, values, count))
        return false;
    if (!w->x->user)
        return true;
    bool fine = sta__submit_readers(w->call, w->x, NULL) && detach(w->call, source);
    for (int j = 0; j < w->s->arrays && fine; j++)
        fine = detach(w->call, &w->s->array[j]);
    return fine;
}

/* ---- tiles ---- */

/* Which tiles are written at all: group 0 for the time being. */
static bool mark(struct writing *w)
{
    int64_t tiles = w->x->grid->tiles;
    w->group = sta__allocate_raw(sizeof *w->group * (size_t)tiles);
    for (int64_t t = 0; w->group && t < tiles; t++)
        w->group[t] = -1;
    for (int64_t c = 0; w->group && c < w->grid->tiles; c++) {
        struct sta__box box = sta__grid_box(w->grid, c);
        int64_t count, *list = sta__move_tiles(w->move, &box, sta__survey_bits(&w->survey, w->grid, c), &count);
        if (!list)
            return sta__fail_memory(w->call) != NULL;
        for (int64_t i = 0; i < count; i++)
            w->group[list[i]] = 0;
        sta__release(list);
    }
    return w->group || sta__fail_memory(w->call);
}

/* How many groups of tiles are worth while. Every group looks at all indices: no more than workers, of GPUs where there are
 * any, which put all indices in order for each. */
static int64_t best_groups(void)
{
    const struct sta__settings *settings = &sta__runtime.settings;
    if (sta__runtime.gpus)
        return sta__runtime.gpus;
    if (settings->threads > 1 || settings->ranks > 1)
        return settings->threads;
    return sta__runtime.cpus;
}

/* What one worker has done before another one has begun is not shared out. */
static bool is_short(const struct writing *w)
{
    enum { SHORT = 100 * 1000 }; /* nanoseconds */
    int64_t indices = 0;
    sta__shape_size(&w->s->lead, &indices);
    return (double)indices * sta__move_cost(w->move) < SHORT;
}

/* Tiles that one task writes together. */
static void share_out(struct writing *w)
{
    int64_t written = 0, tiles = w->x->grid->tiles;
    for (int64_t t = 0; t < tiles; t++)
        written += w->group[t] == 0;
    int64_t parts = is_short(w) ? 1 : best_groups(), least = (written + STA__MOST_PLACES - 1) / STA__MOST_PLACES;
    parts = parts < least ? least : parts;
    int64_t each = (written + parts - 1) / (parts ? parts : 1), in = 0;
    int owner = -2;
    w->groups = 0;
    for (int64_t t = 0; t < tiles; t++) {
        if (w->group[t] < 0)
            continue;
        bool starts = w->groups == 0 || in == each || w->x->tiles[t]->owner != owner;
        w->groups += starts;
        in = starts ? 1 : in + 1;
        owner = w->x->tiles[t]->owner;
        w->group[t] = w->groups - 1;
    }
}

static bool copy_tile(struct writing *w, int64_t t)
{
    struct sta__box box = sta__grid_box(w->x->grid, t);
    struct sta__assemble_arguments a = {.ndim = box.ndim, .store_ndim = box.ndim, .count = 1};
    struct sta__task *task = sta__batch_task(w->batch, &a, sizeof a);
    if (!task)
        return false;
    struct sta__assemble_arguments *own = sta__task_arguments(task);
    for (int s = 0; s < box.ndim; s++) {
        own->map[s] = (struct sta__axis_map){0, 1, s};
        own->piece[0].to[s] = box.to[s] - box.from[s];
    }
    own->to = sta__task_writes(task, w->next, t);
    own->piece[0].memory = sta__task_reads(task, w->x, t);
    return true;
}

/* The table to be written: tiles that nobody else holds stay, others get a copy. */
static bool renew_tiles(struct writing *w)
{
    bool alone = w->x->references == 2 && /* the store's and our own */
                 sta__runtime.settings.ranks == 1;
    if (w->x->user) {
        w->next = sta__value_take(w->x);
        return true;
    }
    int64_t tiles = w->x->grid->tiles;
    bool *stays = sta__allocate(sizeof *stays * (size_t)tiles);
    for (int64_t t = 0; stays && t < tiles; t++)
        stays[t] = w->group[t] < 0 || (alone && w->x->tiles[t]->references == 1);
    w->next = stays ? sta__value_share(w->x) : NULL;
    bool fine = w->next != NULL;
    sta__batch_kernel(w->batch, &sta__assemble_kernel, w->x->dtype);
    for (int64_t t = 0; fine && t < tiles; t++) {
        struct sta__box box = sta__grid_box(w->x->grid, t);
        if (stays[t])
            continue;
        struct sta__tile *fresh = sta__tile_new(w->x->dtype, &box);
        if (!fresh) {
            fine = false;
            break;
        }
        fresh->owner = w->x->tiles[t]->owner;
        sta__tile_drop(w->next->tiles[t]);
        w->next->tiles[t] = fresh;
        fine = copy_tile(w, t);
    }
    sta__release(stays);
    return fine || sta__fail_memory(w->call);
}

/* ---- tasks ---- */

static bool write_chunk(struct writing *w, int64_t c)
{
    struct sta__box box = sta__grid_box(w->grid, c);
    int64_t count, *list = sta__move_tiles(w->move, &box, sta__survey_bits(&w->survey, w->grid, c), &count);
    int64_t *own = list ? sta__allocate_raw(sizeof *own * (size_t)(count ? count : 1)) : NULL;
    bool fine = own || sta__fail_memory(w->call);
    for (int g = 0; g < w->groups && fine; g++) {
        int64_t some = 0;
        for (int64_t i = 0; i < count; i++)
            if (w->group[list[i]] == g)
                own[some++] = list[i];
        if (some)
            fine = sta__move_task(w->call, w->batch, &w->index, w->move, w->next, &box, &w->partner, own, some, false);
    }
    sta__release(own);
    sta__release(list);
    return fine;
}

static bool write_all(struct writing *w)
{
    w->batch = sta__batch_open(w->call, &sta__assemble_kernel, w->x->dtype, false);
    bool fine = w->batch && renew_tiles(w);
    if (w->batch) {
        sta__batch_depth(w->batch, w->index.plan.depth > w->x->depth ? w->index.plan.depth : w->x->depth + 1);
        sta__batch_kernel(w->batch, &sta__move_kernel[w->move->way], w->x->dtype);
    }
    for (int64_t c = 0; fine && c < w->grid->tiles; c++)
        fine = write_chunk(w, c);
    if (!fine && w->batch)
        sta__batch_discard(w->batch);
    return fine && sta__batch_submit(w->batch);
}

/* Everything is small and there: on the calling thread. */
static bool write_now(struct writing *w)
{
    w->next = sta__value_raw(w->x->dtype, &w->x->shape);
    if (!w->next)
        return sta__fail_memory(w->call) != NULL;
    memcpy(w->next->data, w->x->data, (size_t)sta__value_bytes(w->x));
    struct sta__box whole = sta__whole_box(&w->s->all);
    const int64_t only = 0;
    w->batch = sta__batch_open(w->call, &sta__move_kernel[w->move->way], w->x->dtype, true);
    if (!w->batch)
        return false;
    if (sta__move_task(w->call, w->batch, &w->index, w->move, w->next, &whole, &w->partner, &only, 1, false))
        return sta__batch_submit(w->batch);
    sta__batch_discard(w->batch);
    return false;
}

/* ---- the whole ---- */

static bool plan(struct writing *w, struct sta__operand *source, struct sta__at *at)
{
    bool single = w->s->rest.ndim == 0;
    if (!sta__index_plan(w->call, w->s, single ? source : NULL, w->dtype, &w->index))
        return false;
    w->move = sta__move_new(w->call, at ? STA__MOVE_AT : STA__MOVE_WRITE, w->x, w->s);
    if (!w->move)
        return false;
    w->move->at = at ? sta__allocate(sizeof *at) : NULL;
    if (at && !w->move->at)
        return sta__fail_memory(w->call) != NULL;
    if (at)
        *w->move->at = *at;
    w->move->source_slot = single ? w->s->arrays : -1;
    return true;
}

/* All indices are looked at before anything is written. */
static bool look(struct writing *w, bool *refused)
{
    struct sta__index_plan ids = {.there = false};
    struct sta__grid *chunks = sta__index_chunks(w->grid, &w->s->lead);
    if (!chunks)
        return sta__fail_memory(w->call) != NULL;
    bool fine = sta__index_fit(w->call, &w->index, chunks) &&
                sta__index_plan(w->call, w->s, NULL, STA_DTYPE_NONE, &ids) && sta__index_fit(w->call, &ids, chunks);
    if (fine)
        fine = sta__survey(w->call, w->s, &ids, w->x, sta__grid_take(chunks), &w->survey);
    *refused = w->call->error && w->call->error->code == STA_ERROR_INDEX;
    sta__index_plan_end(&ids);
    sta__grid_drop(chunks);
    return fine;
}

static bool runs_now(const struct writing *w, const struct sta__operand *source, int64_t bytes)
{
    struct sta__value *values[STA__MAXARRAYS + 2] = {w->x, source->value};
    for (int j = 0; j < w->s->arrays; j++)
        values[j + 2] = w->s->array[j].value;
    return sta__runs_now(bytes, values, w->s->arrays + 2);
}

static void write_store(struct writing *w, struct sta__operand *source, struct sta__at *at, bool *refused, bool *again)
{
    int64_t size = 0, lead = 0;
    sta__shape_size(&w->s->all, &size);
    sta__shape_size(&w->s->lead, &lead);
    if (!at && sta__index_write_few(w->x, w->s, source))
        return;
    bool now = runs_now(w, source, size * (int64_t)sta_itemsize(w->x->dtype));
    if (!now && size > 0 && w->x->state == STA__NOW) {
        if (!sta__store_spread(w->call, w->store))
            return;
        sta__value_drop(w->x);
        w->x = sta__value_take(w->store->value);
    }
    w->layout = sta__select_layout(w->s);
    if (!sta__select_grids(w->s, &w->layout, w->x->dtype, now && size > 0, &w->source_grid, &w->grid))
        sta__fail_memory(w->call);
    if (w->call->error || lead == 0 || !plan(w, source, at) || !look(w, refused) || size == 0)
        return;
    if (w->store->value != w->x) { /* another thread wrote while this one waited */
        *again = true;
        return;
    }
    if (w->s->rest.ndim > 0 && !prepare_source(w, source))
        return;
    bool fine = now ? write_now(w) : mark(w) && (share_out(w), write_all(w));
    if (!fine) {
        sta__fail_memory(w->call);
        return;
    }
    w->next->depth = w->x->depth + 1;
    sta__value_forget_recuts(w->next);
    sta__value_drop(w->store->value);
    w->store->value = w->next;
    w->next = NULL;
}

void sta__index_write(struct sta__call *call, struct sta__store *store, void *argument)
{
    struct sta__writing *given = argument;
    struct writing w = {.call = call, .store = store, .s = given->s};
    struct sta__at at;
    if (!sta__submit_values(call, &store->value, 1))
        return;
    given->again = false;
    w.x = sta__value_take(store->value); /* looking at the indices may wait, without the lock */
    w.dtype = w.x->dtype;
    if (given->op != STA__NO_OP)
        w.dtype = sta__at_types(call, given->op, w.x->dtype, given->source->value, &at);
    if (!call->error && settle_operands(&w, given->source))
        write_store(&w, given->source, given->op == STA__NO_OP ? NULL : &at, &given->refused, &given->again);
    sta__value_drop(w.x);
    sta__value_drop(w.next);
    sta__value_drop(w.partner.value);
    sta__release(w.group);
    sta__survey_end(&w.survey);
    sta__index_plan_end(&w.index);
    sta__move_drop(w.move);
    sta__grid_drop(w.grid);
    sta__grid_drop(w.source_grid);
}
