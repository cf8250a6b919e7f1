/* From a plan to tasks: which grid, which pieces each task reads, where its results go. */
#include "elementwise/program.h"
#include "elementwise/program_cuda.h"
#include "graph.h"
#include "launch.h"
#include "look.h"
#include "partition/match.h"
#include "reduce/cuda_reduce.h"
#include "reduce/program.h"
#include "reduce/stages.h"
#include "reply.h"
#include "zeros.h"

#include <stddef.h>
#include <string.h>

/* ---- the words of one task's arguments ---- */

static void put(struct sta__words *words, int64_t word)
{
    if (words->count < words->room)
        words->at[words->count] = word;
    words->count++;
}

void sta__words_put(struct sta__words *words, int64_t word)
{
    put(words, word);
}

/* A program runs over one axis at least: a 0-d one over one of length 1. */
static int run_ndim(const struct sta__shape *shape)
{
    return shape->ndim ? shape->ndim : 1;
}

void sta__words_box(struct sta__words *words, const struct sta__box *box)
{
    for (int a = 0; a < box->ndim; a++)
        put(words, box->to[a] - box->from[a]);
    if (box->ndim == 0)
        put(words, 1);
    for (int a = 0; a < box->ndim; a++)
        put(words, box->from[a]);
    if (box->ndim == 0)
        put(words, 0);
}

void sta__words_operand(struct sta__words *words, const struct sta__view *view, int pieces)
{
    put(words, view->store_ndim);
    for (int s = 0; s < view->store_ndim; s++) {
        put(words, view->map[s].axis);
        put(words, view->map[s].step);
    }
    put(words, pieces);
}

void sta__words_piece(struct sta__words *words, const struct sta__view *view, int memory,
                      const struct sta__match *match)
{
    int ndim = view->shape.ndim;
    put(words, memory);
    for (int a = 0; a < ndim; a++)
        put(words, match->from[a]);
    if (ndim == 0)
        put(words, 0);
    for (int a = 0; a < ndim; a++)
        put(words, match->to[a]);
    if (ndim == 0)
        put(words, 1);
    for (int s = 0; s < view->store_ndim; s++)
        put(words, match->start[s]);
}

/* A piece that is the whole of a box: an output tile as its task sees it. */
void sta__words_whole(struct sta__words *words, const struct sta__view *view, int memory, const struct sta__box *box,
                      const int64_t *start)
{
    struct sta__match match = {.tile = 0};
    for (int a = 0; a < box->ndim; a++)
        match.to[a] = box->to[a] - box->from[a];
    for (int s = 0; s < view->store_ndim; s++)
        match.start[s] = start ? start[s] : 0;
    sta__words_operand(words, view, 1);
    sta__words_piece(words, view, memory, &match);
}

/* ---- pieces of the inputs ---- */

bool sta__matches_find(const struct sta__plan *plan, const struct sta__box *box, int most_handles,
                       struct sta__matches *to, int *worst)
{
    const struct sta__program *program = plan->program;
    int handles = 0, most = 1; /* an operand in one piece gains nothing from a re-cut */
    to->count = 0;
    *worst = -1;
    for (int i = 0; i < program->inputs; i++) {
        const struct sta__operand *in = &plan->in[i];
        to->first[i] = to->count;
        int found = sta__match_box(in->value, &in->view, box, &to->match[to->count], STA__MAXPIECES - to->count);
        int cost = found < 0 ? STA__MAXPIECES + 1 : found;
        if (in->value->state == STA__TILED && cost > most && cost > 1) { /* one piece cannot become less */
            most = cost;
            *worst = i;
        }
        if (found < 0)
            return false;
        for (int m = to->count; m < to->count + found; m++)
            to->strip[m] = NULL;
        to->count += found;
        handles += in->value->state == STA__TILED ? found : 0;
    }
    to->first[program->inputs] = to->count;
    return handles <= most_handles;
}

void sta__words_inputs(struct sta__words *words, const struct sta__plan *plan, const struct sta__matches *matches,
                       struct sta__task *task)
{
    for (int i = 0; i < plan->program->inputs; i++) {
        const struct sta__operand *in = &plan->in[i];
        sta__words_operand(words, &in->view, matches->first[i + 1] - matches->first[i]);
        for (int m = matches->first[i]; m < matches->first[i + 1]; m++) {
            struct sta__tile *strip = matches->strip[m];
            int memory =
                strip ? sta__task_reads_tile(task, strip) : sta__task_reads(task, in->value, matches->match[m].tile);
            sta__words_piece(words, &in->view, memory, &matches->match[m]);
        }
    }
}

/* Makes the task once its words are known; they were counted in a first pass without a task. */
struct sta__task *sta__program_task(struct sta__batch *batch, struct sta__plan *plan, int64_t words)
{
    size_t bytes = sizeof(struct sta__program_arguments) + sizeof(int64_t) * (size_t)words;
    struct sta__task *task = sta__batch_task(batch, NULL, bytes);
    if (!task)
        return NULL;
    struct sta__program_arguments *arguments = sta__task_arguments(task);
    arguments->program = plan->program;
    atomic_fetch_add(&plan->program->references, 1);
    arguments->ndim = run_ndim(&plan->shape);
    arguments->words = (int)words;
    arguments->copy_from = arguments->copy_to = -1;
    return task;
}

/* ---- the grid ---- */

static bool broadcasts(const struct sta__operand *operand)
{
    return sta__view_overlaps_itself(&operand->view);
}

/* The grid of the largest operand, unless its view would cut the result much finer than is good. */
struct sta__grid *sta__plan_grid(const struct sta__plan *plan, sta_dtype dtype)
{
    for (int o = 0; o < plan->program->outputs; o++)
        if (plan->out[o]->grid && !plan->program->output[o].reduce)
            return sta__grid_take(plan->out[o]->grid);
    const struct sta__operand *largest = NULL;
    for (int i = 0; i < plan->program->inputs; i++) {
        const struct sta__operand *in = &plan->in[i];
        if (in->value->state == STA__TILED && !broadcasts(in) &&
            (!largest || sta_itemsize(in->value->dtype) > sta_itemsize(largest->value->dtype)))
            largest = in;
    }
    struct sta__grid *usual = sta__grid_default(&plan->shape, dtype);
    if (!largest || !usual)
        return usual;
    struct sta__grid *grid = sta__grid_of_view(largest->value->grid, &largest->view);
    if (grid && grid->tiles > 4 * usual->tiles + 4) {
        sta__grid_drop(grid);
        return usual;
    }
    sta__grid_drop(usual);
    return grid;
}

/* ---- running a plan ---- */

static struct sta__value *now_result(struct sta__call *call, const struct sta__value *pending)
{
    struct sta__value *value = sta__value_raw(pending->dtype, &pending->shape);
    return value ? value : sta__fail_memory(call);
}

static bool runs_now(const struct sta__plan *plan)
{
    struct sta__value *in[STA__MAXINPUTS];
    int64_t bytes = 0, size = 1;
    for (int i = 0; i < plan->program->inputs; i++)
        in[i] = plan->in[i].value;
    for (int o = 0; o < plan->program->outputs; o++)
        bytes += sta__value_bytes(plan->out[o]);
    for (int a = 0; a < plan->shape.ndim; a++)
        size *= plan->shape.at[a];
    if (bytes == 0 || size == 0)
        return true;
    return sta__runs_now(bytes > size ? bytes : size, in, plan->program->inputs);
}

/* What is computed becomes the content of the pending value. */
static void settle(struct sta__value *pending, struct sta__value *result)
{
    struct sta__value *list = NULL;
    pending->depth = pending->node->depth;
    sta__node_dismantle(pending->node, &list);
    pending->node = NULL;
    pending->state = result->state;
    sta__grid_drop(pending->grid);
    pending->grid = NULL;
    if (result->state == STA__NOW) {
        pending->data = result->data;
        pending->bytes = result; /* the block that the data lies in */
    } else {
        pending->grid = result->grid;
        pending->tiles = result->tiles;
        result->grid = NULL;
        result->tiles = NULL;
        sta__value_drop(result);
    }
    while (list) {
        struct sta__value *dead = list;
        list = dead->next_dropped;
        atomic_store(&dead->references, 1);
        sta__value_drop(dead);
    }
}

static void settle_all(struct sta__plan *plan, struct sta__value **results, bool fine)
{
    int outputs = plan->program->outputs;
    /* One output may be all that holds another one. */
    for (int o = 0; o < outputs && fine; o++)
        sta__value_take(plan->out[o]);
    for (int o = 0; o < outputs; o++) {
        if (fine)
            settle(plan->out[o], results[o]);
        else
            sta__value_drop(results[o]);
    }
    for (int o = 0; o < outputs && fine; o++)
        sta__value_drop(plan->out[o]);
}

/* The rank that will run the task, where that is known: the owner of its first result. */
static int rank_of(const struct sta__program *program, struct sta__value **results, int64_t tile)
{
    for (int o = 0; o < program->outputs; o++)
        if (!program->output[o].reduce)
            return results[o]->state == STA__TILED ? results[o]->tiles[tile]->owner : -1;
    return -1;
}

/* One task for the box `box`, tile `tile` of stored results. False: an operand has too many pieces (*worst). */
static bool add_task(struct sta__call *call, struct sta__batch *batch, struct sta__plan *plan,
                     struct sta__value **results, const struct sta__box *box, int64_t tile,
                     const struct sta__stages *stages, int *worst)
{
    const struct sta__program *program = plan->program;
    struct sta__matches matches;
    int outputs = stages ? sta__stages_handles(stages) : 0, most = stages ? sta__stages_most(stages) : STA__MAXBUFFERS;
    for (int o = 0; o < program->outputs; o++)
        outputs += !program->output[o].reduce;
    if (!sta__matches_find(plan, box, most - outputs, &matches, worst)) {
        if (*worst < 0)
            sta__fail(call, STA_ERROR_INTERNAL, "an expression with too many operands");
        return false;
    }
    sta__strips_make(batch, plan, &matches, rank_of(program, results, tile));
    struct sta__view identity = sta__identity_view(&plan->shape);
    struct sta__words words = {.room = 0};
    struct sta__task *task = NULL;
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1) {
            task = sta__program_task(batch, plan, words.count);
            if (!task) {
                sta__strips_drop(&matches);
                return true; /* the batch remembers */
            }
            if (most > STA__MAXBUFFERS)
                sta__task_many(task, matches.count + outputs);
            words =
                (struct sta__words){((struct sta__program_arguments *)sta__task_arguments(task))->word, 0, words.count};
        }
        sta__words_box(&words, box);
        sta__words_inputs(&words, plan, &matches, task);
        for (int o = 0; o < program->outputs; o++)
            if (!program->output[o].reduce)
                sta__words_whole(&words, &identity, sta__task_writes(task, results[o], tile), box, NULL);
        if (stages)
            sta__stages_words(stages, tile, &words, task);
    }
    sta__strips_drop(&matches);
    struct sta__program_arguments *arguments = sta__task_arguments(task);
    arguments->axes = stages ? sta__stages_axes(stages) : 0;
    arguments->stream = plan->stream;
    return true;
}

static const struct sta__kernel program_kernel = {.name = "fused",
                                                  .cpu = sta__program_run,
                                                  .cost = sta__program_cost,
                                                  .end = sta__program_end,
                                                  .hash = sta__program_hash,
                                                  .describe = sta__program_describe,
                                                  .cuda = sta__program_cuda,
                                                  .ready = sta__program_ready};

/* The kernel of a program carries its name; programs live as long as their tasks. */
const struct sta__kernel *sta__program_kernel(struct sta__program *program)
{
    program->kernel = program_kernel;
    program->kernel.name = program->name;
    if (program->reductions) {
        program->kernel.cuda = sta__program_reduce_cuda;
        program->kernel.ready = sta__program_reduce_ready;
    }
    return &program->kernel;
}

/* The tasks of all tiles; with reductions group by group, each followed by what merges its parts. */
static bool add_tasks(struct sta__call *call, struct sta__batch *batch, struct sta__plan *plan,
                      struct sta__value **results, const struct sta__grid *grid, struct sta__stages *stages, int *worst)
{
    const struct sta__kernel *kernel = sta__program_kernel(plan->program);
    int64_t groups = stages ? sta__stages_groups(stages) : grid->tiles, parts = stages ? sta__stages_parts(stages) : 1;
    for (int64_t g = 0; g < groups; g++) {
        sta__batch_kernel(batch, kernel, plan->program->dtype);
        for (int64_t p = 0; p < parts; p++) {
            int64_t t = stages ? sta__stages_tile(stages, g, p) : g;
            struct sta__box box = sta__grid_box(grid, t);
            sta__batch_stage(batch, p > 0); /* the first parts of all groups are many */
            if (sta__box_size(&box) && !add_task(call, batch, plan, results, &box, t, stages, worst))
                return false;
        }
        if (stages)
            sta__stages_merge(stages, batch, g);
    }
    if (stages)
        sta__stages_outer(stages, batch);
    return true;
}

/* What the caller waits for comes the short way, if it is small. */
static void expect_replies(const struct sta__call *call, const struct sta__plan *plan, struct sta__value **results)
{
    for (int o = 0; o < plan->program->outputs; o++)
        if (plan->out[o] == call->wanted && results[o]->state == STA__TILED && results[o]->grid->tiles == 1)
            results[o]->tiles[0]->reply = sta__reply_take(sta__value_bytes(results[o]));
}

/* Builds and submits for one grid. -1: done; -2: failed; else the input to re-cut. */
static int try_grid(struct sta__call *call, struct sta__plan *plan, struct sta__grid *grid, bool now, bool chain)
{
    struct sta__program *program = plan->program;
    struct sta__value *results[STA__MAXOUTPUTS] = {NULL};
    struct sta__stages *stages = NULL;
    struct sta__batch *batch = sta__batch_open(call, sta__program_kernel(program), program->dtype, now);
    if (!batch)
        return -2;
    sta__batch_depth(batch, plan->depth);
    int worst = -1;
    for (int o = 0; o < program->outputs && !call->error; o++)
        if (!program->output[o].reduce)
            results[o] = now ? now_result(call, plan->out[o]) : sta__value_tiled(plan->out[o]->dtype, grid);
    if (program->reductions)
        stages = sta__stages_plan(call, plan, grid, now, chain, results);
    bool fine = !call->error && (stages || !program->reductions);
    for (int o = 0; o < program->outputs && fine; o++)
        fine = results[o] != NULL;
    if (fine && call->wanted)
        expect_replies(call, plan, results);
    fine = fine && add_tasks(call, batch, plan, results, grid, stages, &worst);
    if (!fine) {
        if (worst < 0)
            sta__fail_memory(call);
        sta__batch_discard(batch);
    } else {
        fine = sta__batch_submit(batch);
    }
    sta__stages_end(stages);
    settle_all(plan, results, fine);
    return fine ? -1 : call->error ? -2 : worst;
}

/* Copies an input into the grid, once for all who read that view of it. */
static bool recut(struct sta__call *call, struct sta__plan *plan, int input, struct sta__grid *grid)
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

/* More than the machine has can never be there at once. */
static bool fits_memory(struct sta__call *call, const struct sta__plan *plan)
{
    int64_t bytes = 0, have = sta__runtime.memory_bytes;
    for (int o = 0; o < plan->program->outputs; o++)
        bytes += sta__value_bytes(plan->out[o]);
    if (bytes <= have)
        return true;
    char text[STA__SHAPE_TEXT];
    sta__fail(call, STA_ERROR_MEMORY, "an array of shape %s takes %.1f GB, the machine has %.1f GB",
              sta__shape_text(&plan->out[0]->shape, text, sizeof text), (double)bytes / 1e9, (double)have / 1e9);
    return false;
}

/* Results that the caches cannot hold and that nobody reads at once. */
static bool goes_past_caches(const struct sta__call *call, const struct sta__plan *plan)
{
    int64_t bytes = 0;
    for (int o = 0; o < plan->program->outputs; o++)
        bytes += sta__value_bytes(plan->out[o]);
    return !call->consumes && bytes > 2 * sta__runtime.settings.cache_bytes;
}

bool sta__plan_run(struct sta__call *call, struct sta__plan *plan)
{
    bool now = runs_now(plan);
    plan->stream = !now && goes_past_caches(call, plan);
    if (!now && sta__looks(STA__LOOK_DOCTOR))
        sta__look_plan(plan);
    if (!now && !fits_memory(call, plan))
        return false;
    struct sta__grid *grid = now ? sta__grid_single(&plan->shape) : sta__plan_grid(plan, plan->program->dtype);
    if (!grid)
        return sta__fail_memory(call) != NULL;
    if (!sta__tasks_fit(call, grid->tiles)) {
        sta__grid_drop(grid);
        return false;
    }
    struct sta__value *zeros = now ? NULL : sta__zeros(call, plan, grid);
    if (zeros) {
        settle_all(plan, &zeros, true);
        sta__grid_drop(grid);
        return true;
    }
    bool chain = false;
    struct sta__grid *better = now || !plan->program->reductions ? NULL : sta__stages_grid(plan, grid, &chain);
    int answer = better ? try_grid(call, plan, better, now, chain) : 0;
    sta__grid_drop(better);
    bool again = !better || answer >= 0; /* an operand had too many pieces in it */
    while (again) {
        answer = try_grid(call, plan, grid, now, false);
        again = answer >= 0 && recut(call, plan, answer, grid);
    }
    sta__grid_drop(grid);
    return !call->error;
}
