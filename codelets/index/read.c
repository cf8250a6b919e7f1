/* Reading what a selection selects: a task for each tile of the result, which reads the tiles of x that its indices may
 * reach. Contract: index.h. */
#include "codelets/index/move.h"

#include "launch.h"

/* Above so many tiles that a task might read, the indices are looked at first. */
enum { UNSEEN = 256 };

static bool fits_memory(struct sta__call *call, const struct sta__shape *shape, int64_t bytes)
{
    char text[STA__SHAPE_TEXT];
    if (bytes <= sta__runtime.memory_bytes)
        return true;
    return sta__fail(call, STA_ERROR_MEMORY, "an array of shape %s takes %.1f GB, the machine has %.1f GB",
                     sta__shape_text(shape, text, sizeof text), (double)bytes / 1e9,
                     (double)sta__runtime.memory_bytes / 1e9) != NULL;
}

/* A read in the making. */
struct reading {
    struct sta__call *call;
    struct sta__value *x, *result;
    struct sta__selection *s;
    struct sta__index_plan index;
    struct sta__move *move;
    struct sta__survey survey; /* row NULL: nothing was looked at */
    const struct sta__layout *layout;
    struct sta__grid *grid, *result_grid; /* of s->all: a task each; of the result */
    struct sta__batch *batch;
};

static int64_t tiles_in_reach(const struct reading *r)
{
    struct sta__box whole = sta__grid_box(r->grid, 0);
    int64_t count = 0, *list = sta__move_tiles(r->move, &whole, NULL, &count);
    sta__release(list);
    return count;
}

/* The tasks of one tile of the result: of several the later ones add what the first one could not reach. */
static bool read_tile(struct reading *r, int64_t t, const struct sta__partner *partner)
{
    struct sta__box box = sta__grid_box(r->grid, t);
    int64_t count = 0, *list = sta__move_tiles(r->move, &box, sta__survey_bits(&r->survey, r->grid, t), &count);
    if (!list)
        return sta__fail_memory(r->call) != NULL;
    bool fine = true;
    for (int64_t first = 0; first < count && fine; first += STA__MOST_PLACES) {
        int64_t some = count - first < STA__MOST_PLACES ? count - first : STA__MOST_PLACES;
        fine =
            sta__move_task(r->call, r->batch, &r->index, r->move, r->x, &box, partner, list + first, some, first == 0);
    }
    sta__release(list);
    return fine;
}

static bool read_all(struct reading *r, bool now)
{
    struct sta__partner partner = {.value = r->result, .view = r->layout->all};
    r->batch = sta__batch_open(r->call, &sta__move_kernel[STA__MOVE_READ], r->x->dtype, now);
    bool fine = r->batch != NULL;
    if (r->batch)
        sta__batch_depth(r->batch, r->result->depth);
    for (int64_t t = 0; fine && t < r->grid->tiles; t++)
        fine = read_tile(r, t, &partner);
    if (r->batch && !fine)
        sta__batch_discard(r->batch);
    return fine && sta__batch_submit(r->batch);
}

/* Single small elements cost what their indices do: tiles of as many as of indices, so that all workers have some. */
static sta_dtype tiled_as(const struct reading *r)
{
    bool single = r->s->rest.ndim == 0 && sta_itemsize(r->x->dtype) < sta_itemsize(STA_int64);
    return single ? STA_int64 : r->x->dtype;
}

static bool prepare(struct reading *r, bool now)
{
    struct sta__call *call = r->call;
    if (!sta__index_plan(call, r->s, NULL, STA_DTYPE_NONE, &r->index))
        return false;
    bool cut = sta__select_grids(r->s, r->layout, tiled_as(r), now, &r->result_grid, &r->grid);
    r->move = cut ? sta__move_new(call, STA__MOVE_READ, r->x, r->s) : NULL;
    struct sta__grid *chunks = r->move ? sta__index_chunks(r->grid, &r->s->lead) : NULL;
    if (!chunks)
        return sta__fail_memory(call) != NULL;
    bool fine = sta__index_fit(call, &r->index, chunks);
    bool look = !now && (sta__runtime.settings.ranks > 1 || tiles_in_reach(r) > UNSEEN);
    if (fine && look)
        return sta__survey(call, r->s, &r->index, r->x, chunks, &r->survey);
    sta__grid_drop(chunks);
    return fine;
}

/* Nothing is selected, but indices may be wrong all the same. */
static struct sta__value *read_nothing(struct reading *r)
{
    struct sta__value *value = sta__value_now(r->x->dtype, &r->layout->shape);
    struct sta__grid *chunks = NULL;
    int64_t size = 0;
    sta__shape_size(&r->s->lead, &size);
    if (value && size > 0 && sta__index_plan(r->call, r->s, NULL, STA_DTYPE_NONE, &r->index)) {
        chunks = sta__grid_default(&r->s->lead, STA_int64);
        if (chunks && sta__index_fit(r->call, &r->index, chunks))
            sta__survey(r->call, r->s, &r->index, r->x, sta__grid_take(chunks), &r->survey);
        sta__grid_drop(chunks);
    }
    if (!r->call->error && value)
        return value;
    sta__value_drop(value);
    return sta__fail_memory(r->call);
}

struct sta__value *sta__move_read(struct sta__call *call, struct sta__value *x, struct sta__selection *s,
                                  const struct sta__layout *layout)
{
    struct reading r = {.call = call, .x = x, .s = s, .layout = layout};
    struct sta__value *values[STA__MAXARRAYS + 1] = {x};
    int64_t size = 0;
    for (int j = 0; j < s->arrays; j++)
        values[j + 1] = s->array[j].value;
    sta__shape_size(&s->all, &size);
    int64_t bytes = size * (int64_t)sta_itemsize(x->dtype);
    if (!fits_memory(call, &s->all, bytes) || !sta__submit_values(call, values, s->arrays + 1))
        return NULL;
    bool now = sta__runs_now(bytes, values, s->arrays + 1);
    if (size == 0) {
        r.result = read_nothing(&r);
    } else if (prepare(&r, now)) {
        r.result = now ? sta__value_raw(x->dtype, &layout->shape) : sta__value_tiled(x->dtype, r.result_grid);
        if (!r.result)
            sta__fail_memory(call);
        else
            r.result->depth = x->depth + 1;
        if (r.result && !read_all(&r, now)) {
            sta__value_drop(r.result);
            r.result = NULL;
        }
    }
    sta__index_plan_end(&r.index);
    sta__survey_end(&r.survey);
    sta__move_drop(r.move);
    sta__grid_drop(r.grid);
    sta__grid_drop(r.result_grid);
    return r.result ? r.result : sta__fail_memory(call);
}
