/* Looking at index arrays before anything is moved: whether all indices are in range, and which tiles they reach. */
#include "codelets/index/cuda_index.h"
#include "codelets/index/lines.h"
#include "codelets/index/loops.h"

#include "launch.h"

#include <inttypes.h>
#include <string.h>

/* ---- the kernel ---- */

struct surveyor {
    const struct sta__move *move;
    int64_t bits;
    int64_t *row;
    int axes; /* that arrays take, of evenly cut ones; -1: some are not */
    struct sta__axis axis[STA_MAXDIM];
};

static void open_axes(struct surveyor *v)
{
    const struct sta__move *move = v->move;
    int64_t weight = 1;
    v->axes = 0;
    for (int s = move->store_ndim - 1; s >= 0; s--) {
        if (move->by[s] < 0)
            continue;
        struct sta__axis *axis = &v->axis[v->axes++];
        if (!sta__axis_open(axis, move, s)) {
            v->axes = -1;
            return;
        }
        axis->weight = weight;
        weight *= move->grid->count[s];
    }
}

/* An index out of range is written down. */
static bool look_for_bad(const struct surveyor *v, int64_t first, int64_t n, const int64_t *const *ids)
{
    const struct sta__move *move = v->move;
    bool fine = true;
    for (int j = 0; j < move->arrays; j++)
        fine &= sta__ids_fit(ids[j] + first, n, move->length[j]);
    for (int64_t i = first; i < first + n && !fine; i++)
        for (int j = 0; j < move->arrays; j++) {
            if (sta__ids_fit(ids[j] + i, 1, move->length[j]))
                continue;
            v->row[0] = 1 + j;
            v->row[1] = ids[j][i];
            return false;
        }
    return true;
}

static uint64_t place_of(const struct surveyor *v, int64_t i, const int64_t *const *ids)
{
    const struct sta__move *move = v->move;
    uint64_t place = 0;
    for (int s = 0; s < move->store_ndim; s++) {
        if (move->by[s] < 0)
            continue;
        int64_t id = ids[move->by[s]][i] + (ids[move->by[s]][i] < 0 ? move->length[move->by[s]] : 0);
        int tile = move->grid->count[s] > 1
                       ? (int)sta__grid_find(move->grid, s, move->map[s].offset + move->map[s].step * id)
                       : 0;
        place = place * (uint64_t)move->grid->count[s] + (uint64_t)tile;
    }
    return place;
}

/* One bit for each place; where there are few they stay in a register. */
static void mark(uint64_t *bits, bool few, const uint64_t *place, int64_t n)
{
    uint64_t all = 0;
    if (!few)
        for (int64_t i = 0; i < n; i++)
            bits[place[i] / 64] |= (uint64_t)1 << (place[i] % 64);
    else
        for (int64_t i = 0; i < n; i++)
            all |= (uint64_t)1 << place[i];
    if (few)
        bits[0] |= all;
}

static uint64_t few_bits(const struct sta__axis *axis, int64_t first, int64_t n)
{
    const struct sta__finding f = sta__axis_finding(axis, first);
    return STA__BEST_ISA(sta__find_loops)->bits(&f, n);
}

static bool look(struct surveyor *v, int64_t count, const int64_t *const *ids)
{
    uint64_t *bits = (uint64_t *)v->row + STA__ROW_HEAD, place[STA__GROUP], offset[STA__GROUP] = {0};
    const uint64_t every = v->bits < 64 ? ((uint64_t)1 << v->bits) - 1 : UINT64_MAX; /* nothing can be added */
    for (int k = 0; k < v->axes; k++)
        v->axis[k].ids = ids[v->axis[k].array];
    for (int64_t first = 0; first < count; first += STA__GROUP) {
        const int64_t n = count - first < STA__GROUP ? count - first : STA__GROUP;
        if (!look_for_bad(v, first, n, ids))
            return false;
        if (v->bits <= 1) {
            if (v->bits == 1)
                bits[0] |= 1;
            continue;
        }
        if (v->axes == 1 && v->bits <= 64 && v->axis[0].quick) {
            if (bits[0] != every)
                bits[0] |= few_bits(&v->axis[0], first, n);
            continue;
        }
        memset(place, 0, sizeof place);
        for (int k = 0; k < v->axes; k++)
            sta__axis_find(&v->axis[k], first, n, place, offset);
        for (int64_t i = 0; i < n && v->axes < 0; i++)
            place[i] = place_of(v, first + i, ids);
        mark(bits, v->bits <= 64, place, n);
    }
    return true;
}

static sta_error_code survey(struct sta__job *job)
{
    const struct sta__program_arguments *arguments = job->arguments;
    struct surveyor v = {.move = arguments->shared};
    struct sta__run run;
    sta__run_open(&run, job);
    const struct sta__memory *row = &job->memory[run.reduce_words[0]];
    v.bits = run.reduce_words[1];
    v.row = (int64_t *)(void *)row->data;
    memset(v.row, 0, sizeof *v.row * (size_t)row->shape[1]);
    sta__run_collapse(&run);
    run.scratch = sta__allocate((size_t)(run.program->buffers + 1) * STA__SLOT_BYTES);
    if (!run.scratch)
        return STA_ERROR_MEMORY;
    struct sta__block_walk walk = sta__block_walk_plan(&run);
    open_axes(&v);
    bool fine = true;
    for (int64_t number = 0; number < walk.blocks && fine; number++) {
        struct sta__block block = {.axis = walk.axis};
        const int64_t *ids[STA__MAXARRAYS] = {NULL};
        sta__block_walk_place(&run, &walk, number, &block);
        sta__run_block(&run, &block);
        for (int j = 0; j < v.move->arrays; j++)
            ids[j] = run.slot[run.program->output[j].slot];
        fine = look(&v, block.count, ids);
    }
    sta__release(run.scratch);
    return STA_ERROR_NONE;
}

static void end(void *arguments)
{
    sta__move_drop(((struct sta__program_arguments *)arguments)->shared);
    sta__program_end(arguments);
}

const struct sta__kernel sta__survey_kernel = {.name = "survey",
                                               .cpu = survey,
                                               .cost = sta__program_cost,
                                               .end = end,
                                               .hash = sta__program_hash,
                                               .cuda = sta__survey_cuda,
                                               .ready = sta__survey_ready};

/* ---- the tasks ---- */

static bool survey_task(struct sta__call *call, struct sta__batch *batch, struct sta__index_plan *index,
                        struct sta__move *move, struct sta__value *rows, const struct sta__box *box, int64_t chunk,
                        int64_t bits)
{
    struct sta__plan *plan = &index->plan;
    struct sta__matches matches;
    int worst;
    if (!sta__matches_find(plan, box, STA__MOST_PIECES, &matches, &worst))
        return sta__fail(call, STA_ERROR_INTERNAL, "an index array lies in too many tiles") != NULL;
    struct sta__words words = {.room = 0};
    struct sta__task *task = NULL;
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1) {
            task = sta__program_task(batch, plan, words.count);
            if (!task)
                return true;
            struct sta__program_arguments *arguments = sta__task_arguments(task);
            arguments->shared = move;
            atomic_fetch_add(&move->references, 1);
            words = (struct sta__words){arguments->word, 0, words.count};
            sta__task_many(task, 64);
        }
        sta__words_box(&words, box);
        sta__words_inputs(&words, plan, &matches, task);
        sta__words_put(&words, sta__task_writes(task, rows, chunk));
        sta__words_put(&words, bits);
    }
    return true;
}

/* The rows as a value: in one tile each, or there at once. */
static struct sta__value *make_rows(struct sta__call *call, const struct sta__selection *s,
                                    struct sta__index_plan *index, const struct sta__value *x,
                                    const struct sta__grid *chunks, int64_t bits, int64_t words)
{
    struct sta__shape shape = {.ndim = 2, .at = {chunks->tiles, words}};
    const int64_t edge[] = {1, words};
    bool now = chunks->tiles == 1;
    for (int i = 0; i < index->plan.program->inputs; i++)
        now &= index->plan.in[i].value->state == STA__NOW;
    struct sta__grid *grid = now ? NULL : sta__grid_regular(&shape, edge);
    struct sta__value *rows = now ? sta__value_now(STA_int64, &shape) : grid ? sta__value_tiled(STA_int64, grid) : NULL;
    struct sta__move *move = rows ? sta__move_new(call, STA__MOVE_READ, x, s) : NULL;
    struct sta__batch *batch = move ? sta__batch_open(call, &sta__survey_kernel, STA_int64, now) : NULL;
    bool fine = batch != NULL;
    for (int64_t c = 0; fine && c < chunks->tiles; c++) {
        struct sta__box box = sta__grid_box(chunks, c);
        fine = survey_task(call, batch, index, move, rows, &box, c, bits);
    }
    if (batch)
        sta__batch_depth(batch, index->plan.depth);
    if (batch && !fine)
        sta__batch_discard(batch);
    else if (batch)
        fine = sta__batch_submit(batch);
    sta__move_drop(move);
    sta__grid_drop(grid);
    if (fine)
        return rows;
    sta__value_drop(rows);
    return sta__fail_memory(call);
}

static void check_rows(struct sta__call *call, const struct sta__selection *s, const struct sta__survey *survey)
{
    for (int64_t c = 0; c < survey->chunks->tiles; c++) {
        const int64_t *row = survey->row + c * survey->words;
        if (row[0] == 0)
            continue;
        sta__fail(call, STA_ERROR_INDEX, "index %" PRId64 " is out of range for axis %d of length %" PRId64, row[1],
                  s->axis[row[0] - 1], s->length[row[0] - 1]);
        return;
    }
}

bool sta__survey(struct sta__call *call, const struct sta__selection *s, struct sta__index_plan *index,
                 const struct sta__value *x, struct sta__grid *chunks, struct sta__survey *to)
{
    enum { MOST_BITS = 1 << 20 }; /* above, any tile may be reached */
    int64_t bits = 1;
    *to = (struct sta__survey){.chunks = chunks};
    if (!chunks)
        return sta__fail_memory(call) != NULL;
    for (int k = 0; k < s->view.store_ndim && bits <= MOST_BITS; k++)
        bits *= s->by[k] >= 0 && x->grid ? x->grid->count[k] : 1;
    if (bits > MOST_BITS)
        bits = 0;
    to->words = STA__ROW_HEAD + (bits + 63) / 64;
    if (sta__survey_recall(s, x, to))
        return true;
    struct sta__value *rows = make_rows(call, s, index, x, chunks, bits, to->words);
    to->row = rows ? sta__allocate_raw(sizeof *to->row * (size_t)(chunks->tiles * to->words)) : NULL;
    if (rows && !to->row)
        sta__fail_memory(call);
    if (to->row) {
        struct sta__operand whole = {.value = rows, .view = sta__identity_view(&rows->shape)};
        struct sta__box box = sta__whole_box(&rows->shape);
        if (sta__read_operand(call, &whole, &box, to->row))
            check_rows(call, s, to);
    }
    sta__value_drop(rows);
    if (!call->error)
        sta__survey_remember(s, x, to);
    return !call->error;
}

void sta__survey_end(struct sta__survey *survey)
{
    sta__grid_drop(survey->chunks);
    sta__release(survey->row);
    survey->chunks = NULL;
    survey->row = NULL;
}

const uint64_t *sta__survey_bits(const struct sta__survey *survey, const struct sta__grid *all, int64_t t)
{
    if (!survey->row || survey->words == STA__ROW_HEAD)
        return NULL;
    int64_t rest = 1;
    for (int a = survey->chunks->shape.ndim; a < all->shape.ndim; a++)
        rest *= all->count[a];
    return (const uint64_t *)(survey->row + t / rest * survey->words + STA__ROW_HEAD);
}

struct sta__grid *sta__index_chunks(const struct sta__grid *all, const struct sta__shape *lead)
{
    int64_t edge[STA_MAXDIM];
    for (int a = 0; a < lead->ndim; a++)
        edge[a] = all->edge[a];
    return sta__grid_regular(lead, edge);
}
