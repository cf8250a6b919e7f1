/* The kernel of element-wise programs: the blocks of a tile, one after the other or shared out in a team. */
#include "program.h"

#include "copy/around.h"
#include "copy/lines.h"
#include "copy/stream.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

struct sta__block_walk sta__block_walk_plan(const struct sta__run *run)
{
    struct sta__block_walk walk = {.axis = run->ndim - 1, .inside = 1};
    while (walk.axis > 0 && walk.inside * run->extent[walk.axis] <= run->block)
        walk.inside *= run->extent[walk.axis--];
    walk.rows = run->block / walk.inside;
    if (walk.rows > run->extent[walk.axis])
        walk.rows = run->extent[walk.axis];
    walk.per_line = walk.rows ? (run->extent[walk.axis] + walk.rows - 1) / walk.rows : 0;
    walk.width = walk.axis == run->ndim - 1 ? 1 : run->extent[run->ndim - 1];
    walk.across = 1;
    walk.blocks = walk.per_line;
    for (int a = 0; a < walk.axis; a++)
        walk.blocks *= run->extent[a];
    return walk;
}

/* Whether an input runs along the axis before the last one, so that each element of a line has a line of the cache of its own. */
static bool is_turned(const struct sta__run *run, const struct sta__run_operand *operand)
{
    enum { NEAR = 64 };
    for (int p = 0; p < operand->pieces; p++) {
        const int64_t *stride = &operand->piece[p].stride[run->ndim - 2];
        if (stride[0] && llabs(stride[0]) < llabs(stride[1]) && llabs(stride[1]) >= NEAR)
            return true;
    }
    return false;
}

/* Elements of a block that is a square: as many as slots have room for where they are few, so that lines are long. */
static int64_t square_block(const struct sta__run *run)
{
    enum { FEW = 4, BYTES = 8192, MOST = 2048 };
    int64_t most = MOST;
    for (int i = 0; i < run->program->slots; i++) {
        const int64_t room = BYTES / (int64_t)sta_itemsize(run->program->slot_dtype[i]);
        most = room < most ? room : most;
    }
    return run->steps || run->buffers > FEW || most < run->block ? run->block : most;
}

/* Blocks that are short lines, many below each other, where that is so. */
static void turn_walk(const struct sta__run *run, struct sta__block_walk *walk)
{
    enum { LINE = 32, LEAST = 8 };
    const int last = run->ndim - 1;
    bool turned = false;
    if (last < 1 || run->extent[last] < LEAST || run->extent[last - 1] < LEAST || walk->axis < last - 1)
        return;
    for (int i = 0; i < run->program->inputs && !turned; i++)
        turned = is_turned(run, &run->operand[i]);
    if (!turned)
        return;
    walk->axis = last - 1;
    walk->inside = walk->width = run->extent[last] < LINE ? run->extent[last] : LINE;
    walk->across = (run->extent[last] + walk->width - 1) / walk->width;
    walk->rows = square_block(run) / walk->width;
    walk->rows = walk->rows < run->extent[last - 1] ? walk->rows : run->extent[last - 1];
    walk->per_line = (run->extent[last - 1] + walk->rows - 1) / walk->rows;
    walk->blocks = walk->per_line * walk->across;
    for (int a = 0; a < walk->axis; a++)
        walk->blocks *= run->extent[a];
}

void sta__block_walk_place(const struct sta__run *run, const struct sta__block_walk *walk, int64_t number,
                           struct sta__block *block)
{
    block->axis = walk->axis;
    block->width = walk->width;
    if (walk->axis < run->ndim - 1) {
        const int last = run->ndim - 1;
        block->origin[last] = number % walk->across * walk->width;
        number /= walk->across;
        if (walk->width > run->extent[last] - block->origin[last])
            block->width = run->extent[last] - block->origin[last];
    }
    block->origin[walk->axis] = number % walk->per_line * walk->rows;
    number /= walk->per_line;
    for (int a = walk->axis - 1; a >= 0; a--) {
        block->origin[a] = number % run->extent[a];
        number /= run->extent[a];
    }
    int64_t left = run->extent[walk->axis] - block->origin[walk->axis];
    block->rows = left < walk->rows ? left : walk->rows;
    block->count = block->rows * (walk->across > 1 ? block->width : walk->inside);
}

enum { STACK_SLOTS = 8, LONG_BLOCK = 4096 };

static void walk_blocks(struct sta__run *run, const struct sta__block_walk *walk, int64_t from, int64_t to)
{
    struct sta__block block = {.axis = walk->axis};
    for (int64_t number = from; number < to; number++) {
        sta__block_walk_place(run, walk, number, &block);
        sta__run_block(run, &block);
    }
}

/* Whether one loop reads the operands where they are and writes the results there: no slot bounds its blocks then. */
static bool needs_no_slots(const struct sta__run *run)
{
    const struct sta__program *program = run->program;
    if (run->ndim != 1 || run->steps || program->instructions > 1 || run->arguments->stream)
        return false;
    for (int o = 0; o < run->operands; o++) {
        const struct sta__run_operand *operand = &run->operand[o];
        const bool number = o < program->inputs && program->numbers >> o & 1;
        if (!number && (operand->pieces != 1 || operand->piece->stride[0] != (int64_t)operand->item))
            return false;
    }
    return true;
}

/* Whether every element is the same, and they lie one after the other: what is filled with a number. */
static bool is_constant(const struct sta__run *run)
{
    bool constant = run->ndim == 1 && !run->arguments->stream && run->operands == run->program->inputs + 1;
    for (int o = 0; o < run->operands; o++) {
        const struct sta__run_operand *operand = &run->operand[o];
        const int64_t stride = o < run->program->inputs ? 0 : (int64_t)operand->item;
        constant = constant && operand->pieces == 1 && operand->piece->stride[0] == stride;
    }
    return constant;
}

/* The first element is computed, the others are copied; zeros are set in one go. */
static void run_constant(struct sta__run *run, const struct sta__block_walk *walk, int64_t first, int64_t end)
{
    const struct sta__run_operand *result = &run->operand[run->program->inputs];
    const int64_t from = first * walk->rows, to = end * walk->rows < run->extent[0] ? end * walk->rows : run->extent[0];
    char *at = result->piece->base + from * (int64_t)result->item;
    const size_t bytes = (size_t)(to - from) * result->item;
    static const char zero[16];
    if (first >= end)
        return;
    struct sta__block block = {.axis = 0, .rows = 1, .width = 1, .count = 1, .origin = {from}};
    sta__run_block(run, &block);
    if (memcmp(at, zero, result->item) == 0)
        memset(at, 0, bytes);
    else
        sta__copy_line(to - from - 1, at + result->item, (int64_t)result->item, at, 0, result->item);
}

/* One member of the team: its own slots, a share of the blocks. False without memory. */
static bool run_share(struct sta__job *job, int member, int team)
{
    _Alignas(64) char stack[STACK_SLOTS * STA__SLOT_BYTES];
    struct sta__run run;
    sta__run_open(&run, job);
    sta__run_collapse(&run);
    if (needs_no_slots(&run))
        run.block = LONG_BLOCK;
    size_t bytes = (size_t)run.buffers * STA__SLOT_BYTES;
    void *heap = bytes > sizeof stack ? sta__allocate_raw(bytes) : NULL;
    if (bytes > sizeof stack && !heap)
        return false;
    run.scratch = heap ? heap : stack;
    struct sta__block_walk walk = sta__block_walk_plan(&run);
    turn_walk(&run, &walk);
    const int64_t first = walk.blocks * member / team, end = walk.blocks * (member + 1) / team;
    if (is_constant(&run))
        run_constant(&run, &walk, first, end);
    else
        walk_blocks(&run, &walk, first, end);
    sta__stream_end();
    sta__release(heap);
    return true;
}

static bool run_elementwise(struct sta__job *job)
{
    if (job->threads <= 1)
        return run_share(job, 0, 1);
    bool fine = true;
    int size = 1;
#pragma omp parallel num_threads(job->threads) reduction(&& : fine) reduction(max : size)
    {
        size = omp_get_num_threads();
        fine = run_share(job, omp_get_thread_num(), size);
    }
    if (size > atomic_load(&sta__runtime.largest_team))
        atomic_store(&sta__runtime.largest_team, size);
    return fine;
}

sta_error_code sta__program_run(struct sta__job *job)
{
    const struct sta__program_arguments *arguments = job->arguments;
    if (arguments->copy_from >= 0)
        sta__copy_rest(job);
    bool fine = arguments->axes ? sta__program_reduce(job) : run_elementwise(job);
    return fine ? STA_ERROR_NONE : STA_ERROR_MEMORY;
}

/* Of the tile that is copied whole before a part of it is written. */
static double copy_cost(const struct sta__job *job, const struct sta__program_arguments *arguments)
{
    enum { BYTES = 8 }; /* a nanosecond, there and back */
    if (arguments->copy_to < 0)
        return 0;
    const struct sta__memory *to = &job->memory[arguments->copy_to];
    double bytes = (double)sta_itemsize(to->dtype);
    for (int a = 0; a < to->ndim; a++)
        bytes *= (double)to->shape[a];
    return bytes / BYTES;
}

double sta__program_cost(const struct sta__job *job)
{
    const struct sta__program_arguments *arguments = job->arguments;
    double elements = 1;
    for (int a = 0; a < arguments->ndim; a++)
        elements *= (double)arguments->word[a];
    return elements * (double)arguments->program->cost + copy_cost(job, arguments);
}

void sta__program_end(void *arguments)
{
    sta__program_drop(((struct sta__program_arguments *)arguments)->program);
}

/* How an operand lies along the last axis: one element, contiguous, with gaps, or along another axis of its own. */
static uint32_t lie_of(const int64_t *map, int64_t store_ndim, int ndim)
{
    for (int64_t s = 0; s < store_ndim; s++)
        if (map[2 * s] == ndim - 1)
            return s < store_ndim - 1 ? 3 : map[2 * s + 1] == 1 ? 1 : 2;
    return 0;
}

/* The program, whether it is compiled, which axes it reduces, how its operands lie; sizes are in the footprint already. */
uint32_t sta__program_hash(const void *arguments)
{
    const struct sta__program_arguments *a = arguments;
    const int64_t *word = a->word + 2 * a->ndim;
    uint32_t lies = 0;
    for (int i = 0; i < a->program->inputs && word < a->word + a->words; i++) {
        int64_t store_ndim = *word;
        lies = 5 * lies + lie_of(word + 1, store_ndim, a->ndim) + 1;
        word += 1 + 2 * store_ndim;
        word += 1 + *word * (1 + 2 * a->ndim + store_ndim);
    }
    return a->program->hash ^ (sta__steps_of(a->program) ? 1U : 0U) ^ (lies << 8) ^ (a->axes * 2654435761U);
}
