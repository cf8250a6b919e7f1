/* The program of the index arrays, and the tasks that run it and move elements. */
#include "codelets/index/move.h"

#include "launch.h"

#include <string.h>

/* ---- the program ---- */

static struct sta__value *pending_cast(struct sta__call *call, const struct sta__operand *operand, sta_dtype dtype)
{
    struct sta__operand own = {.value = sta__value_take(operand->value)};
    sta__view_copy(&own.view, &operand->view);
    return sta__node_cast(call, &own, dtype);
}

bool sta__index_plan(struct sta__call *call, const struct sta__selection *s, const struct sta__operand *source,
                     sta_dtype dtype, struct sta__index_plan *to)
{
    to->there = false;
    to->count = 0;
    for (int j = 0; j < s->arrays + (source != NULL) && !call->error; j++) {
        const struct sta__operand *operand = j < s->arrays ? &s->array[j] : source;
        to->value[to->count] = pending_cast(call, operand, j < s->arrays ? STA_int64 : dtype);
        to->count += to->value[to->count] != NULL;
    }
    if (call->error)
        return false;
    to->there = sta__plan_build(call, to->value, to->count, true, &to->plan);
    if (!to->there)
        return call->error ? false : sta__fail(call, STA_ERROR_INTERNAL, "indices are too long for a program") != NULL;
    struct sta__program *program = to->plan.program;
    size_t widest = 8;
    for (int i = 0; i < program->slots; i++)
        widest = sta_itemsize(program->slot_dtype[i]) > widest ? sta_itemsize(program->slot_dtype[i]) : widest;
    program->block = (int)(8192 / widest); /* a slot is that long */
    for (int o = 0; o < program->outputs; o++)
        program->output[o].reduce = true; /* not stored: the kernel looks at them */
    return true;
}

void sta__index_plan_end(struct sta__index_plan *plan)
{
    if (plan->there)
        sta__plan_end(&plan->plan);
    for (int i = 0; i < plan->count; i++)
        sta__value_drop(plan->value[i]);
    plan->there = false;
    plan->count = 0;
}

/* ---- what tasks share ---- */

struct sta__move *sta__move_new(struct sta__call *call, enum sta__move_way way, const struct sta__value *x,
                                const struct sta__selection *s)
{
    struct sta__move *move = sta__allocate(sizeof *move);
    if (!move)
        return sta__fail_memory(call);
    atomic_init(&move->references, 1);
    move->way = way;
    move->grid = x->grid ? sta__grid_take(x->grid) : sta__grid_single(&x->shape);
    move->item = sta_itemsize(x->dtype);
    move->lead = s->lead.ndim;
    move->rest = s->rest.ndim;
    move->arrays = s->arrays;
    for (int j = 0; j < s->arrays; j++) {
        move->slot[j] = j;
        move->axis[j] = s->axis[j];
        move->length[j] = s->length[j];
    }
    move->source_slot = -1;
    sta__shape_size(&s->rest, &move->elements);
    move->store_ndim = s->view.store_ndim;
    for (int k = 0; k < move->store_ndim; k++) {
        move->map[k] = s->view.map[k];
        move->by[k] = s->by[k];
    }
    if (move->grid)
        return move;
    sta__move_drop(move);
    return sta__fail_memory(call);
}

/* A few nanoseconds to find where it leads, and the bytes. */
double sta__move_cost(const struct sta__move *move)
{
    enum { FINDING = 4, BYTES = 4 };
    return FINDING + (double)(move->elements - 1) * (double)move->item / BYTES;
}

/* ---- tiles ---- */

/* Tiles along an axis of the frame that a box of the whole reaches; all, where an array takes it. */
static void reach(const struct sta__move *move, const struct sta__box *all, int s, int64_t *from, int64_t *to)
{
    const struct sta__axis_map *map = &move->map[s];
    if (move->by[s] >= 0) {
        *from = 0;
        *to = move->grid->count[s];
        return;
    }
    int64_t first = map->offset, last = map->offset;
    if (map->axis >= 0) {
        first += map->step * all->from[map->axis];
        last += map->step * (all->to[map->axis] - 1);
    }
    *from = sta__grid_find(move->grid, s, first < last ? first : last);
    *to = sta__grid_find(move->grid, s, first < last ? last : first) + 1;
}

int64_t *sta__move_tiles(const struct sta__move *move, const struct sta__box *all, const uint64_t *bits, int64_t *count)
{
    const struct sta__grid *grid = move->grid;
    int ndim = move->store_ndim, order[STA_MAXDIM], n = 0;
    int64_t from[STA_MAXDIM], to[STA_MAXDIM], at[STA_MAXDIM], weight[STA_MAXDIM], bit[STA_MAXDIM], room = 1;
    for (int s = ndim - 1, first = 1; s >= 0; s--, first = 0) {
        reach(move, all, s, &from[s], &to[s]);
        weight[s] = first ? 1 : weight[s + 1] * grid->count[s + 1];
        room *= to[s] - from[s];
        at[s] = from[s];
    }
    int64_t step = 1;
    for (int s = ndim - 1; s >= 0; s--) {
        bit[s] = move->by[s] >= 0 ? step : 0;
        step *= move->by[s] >= 0 ? grid->count[s] : 1;
    }
    for (int outer = 0; outer < 2; outer++) /* places along the rest axes change last */
        for (int s = 0; s < ndim; s++) {
            bool is = move->by[s] >= 0 || (move->map[s].axis >= 0 && move->map[s].axis < move->lead);
            if (is == (outer == 1))
                order[n++] = s;
        }
    int64_t *list = sta__allocate_raw(sizeof *list * (size_t)(room > 0 ? room : 1));
    *count = 0;
    for (bool more = list && room > 0; more;) {
        int64_t number = 0, which = 0;
        for (int s = 0; s < ndim; s++) {
            number += at[s] * weight[s];
            which += at[s] * bit[s];
        }
        if (!bits || bits[which / 64] >> (which % 64) & 1)
            list[(*count)++] = number;
        int k = ndim - 1;
        while (k >= 0 && ++at[order[k]] == to[order[k]]) {
            at[order[k]] = from[order[k]];
            k--;
        }
        more = k >= 0;
    }
    return list;
}

/* ---- one task ---- */

/* Where the partner's elements of the box begin in its tile: it lies in one. */
static int64_t partner_tile(const struct sta__partner *partner, const struct sta__box *all, int64_t *start)
{
    const struct sta__value *value = partner->value;
    struct sta__box touched = sta__view_box(&partner->view, all);
    int64_t tile = 0;
    for (int s = 0; value->state == STA__TILED && s < partner->view.store_ndim; s++)
        tile = tile * value->grid->count[s] + sta__grid_find(value->grid, s, touched.from[s]);
    struct sta__box box = value->state == STA__TILED ? sta__grid_box(value->grid, tile) : sta__whole_box(&value->shape);
    for (int s = 0; s < partner->view.store_ndim; s++) {
        const struct sta__axis_map *map = &partner->view.map[s];
        start[s] = map->offset + (map->axis < 0 ? 0 : map->step * all->from[map->axis]) - box.from[s];
    }
    return tile;
}

static void put_partner(struct sta__words *words, struct sta__task *task, const struct sta__move *move,
                        const struct sta__partner *partner, const struct sta__box *all, bool first)
{
    int64_t start[STA_MAXDIM];
    if (!partner->value) {
        sta__words_put(words, -1);
        sta__words_put(words, 0);
        return;
    }
    int64_t tile = partner_tile(partner, all, start);
    int memory = move->way != STA__MOVE_READ ? sta__task_reads(task, partner->value, tile)
                 : first                     ? sta__task_writes(task, partner->value, tile)
                                             : sta__task_updates(task, partner->value, tile);
    sta__words_put(words, memory);
    sta__words_put(words, partner->view.store_ndim);
    for (int s = 0; s < partner->view.store_ndim; s++) {
        sta__words_put(words, partner->view.map[s].axis);
        sta__words_put(words, partner->view.map[s].step);
        sta__words_put(words, start[s]);
    }
}

bool sta__move_task(struct sta__call *call, struct sta__batch *batch, struct sta__index_plan *index,
                    struct sta__move *move, struct sta__value *x, const struct sta__box *all,
                    const struct sta__partner *partner, const int64_t *tiles, int64_t count, bool first)
{
    struct sta__plan *plan = &index->plan;
    struct sta__matches matches;
    struct sta__box lead = *all;
    int worst;
    lead.ndim = move->lead;
    if (!sta__matches_find(plan, &lead, STA__MOST_PIECES, &matches, &worst))
        return sta__fail(call, STA_ERROR_INTERNAL, "an index array lies in too many tiles") != NULL;
    struct sta__words words = {.room = 0};
    struct sta__task *task = NULL;
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1) {
            task = sta__program_task(batch, plan, words.count);
            if (!task)
                return true; /* the batch remembers */
            struct sta__program_arguments *arguments = sta__task_arguments(task);
            arguments->shared = move;
            atomic_fetch_add(&move->references, 1);
            words = (struct sta__words){arguments->word, 0, words.count};
            sta__task_many(task, (int)count + 64);
        }
        sta__words_box(&words, &lead);
        sta__words_inputs(&words, plan, &matches, task);
        for (int a = 0; a < move->rest; a++)
            sta__words_put(&words, all->from[move->lead + a]);
        for (int a = 0; a < move->rest; a++)
            sta__words_put(&words, all->to[move->lead + a]);
        put_partner(&words, task, move, partner, all, first);
        sta__words_put(&words, count);
        for (int64_t i = 0; i < count; i++) {
            int memory =
                move->way == STA__MOVE_READ ? sta__task_reads(task, x, tiles[i]) : sta__task_updates(task, x, tiles[i]);
            sta__words_put(&words, memory);
            sta__words_put(&words, tiles[i]);
        }
    }
    return true;
}

/* ---- index arrays that lie in too many tiles ---- */

bool sta__index_fit(struct sta__call *call, struct sta__index_plan *index, struct sta__grid *chunks)
{
    struct sta__plan *plan = &index->plan;
    if (!sta__tasks_fit(call, chunks->tiles))
        return false;
    for (int64_t c = 0; c < chunks->tiles && !call->error; c++) {
        struct sta__box box = sta__grid_box(chunks, c);
        struct sta__matches matches;
        int worst = -1;
        while (!call->error && !sta__matches_find(plan, &box, STA__MOST_PIECES, &matches, &worst)) {
            struct sta__operand *in = worst < 0 ? NULL : &plan->in[worst];
            struct sta__value *copy = in ? sta__recut(call, in, chunks) : NULL;
            if (!copy)
                return in ? false : sta__fail(call, STA_ERROR_INTERNAL, "too many index arrays") != NULL;
            sta__operand_drop(in);
            in->value = copy;
            in->view = sta__identity_view(&copy->shape);
        }
    }
    return !call->error;
}
