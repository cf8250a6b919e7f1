/* The evaluator: reads a task's arguments, then gives the elements of a program block by block. A block stays in the
 * first-level cache; operands that lie contiguous are used where they are, others are gathered into a slot. */
#include "program.h"

#include "copy/lines.h"
#include "copy/stream.h"

#include <string.h>

static const int64_t *read_piece(struct sta__run *run, struct sta__piece *piece, const int64_t *word,
                                 const int64_t *map, int64_t store_ndim)
{
    const struct sta__memory *memory = &run->job->memory[*word++];
    piece->base = memory->data;
    for (int a = 0; a < run->ndim; a++) {
        piece->from[a] = *word++;
        piece->stride[a] = 0;
    }
    for (int a = 0; a < run->ndim; a++)
        piece->to[a] = *word++;
    for (int64_t s = 0; s < store_ndim; s++) {
        piece->base += *word++ * memory->stride[s];
        if (map[2 * s] >= 0)
            piece->stride[map[2 * s]] += map[2 * s + 1] * memory->stride[s];
    }
    for (int a = 0; a < run->ndim; a++)
        piece->base -= piece->from[a] * piece->stride[a];
    return word;
}

void sta__run_open(struct sta__run *run, struct sta__job *job)
{
    const struct sta__program_arguments *arguments = job->arguments;
    const struct sta__program *program = arguments->program;
    const int64_t *word = arguments->word;
    run->program = program;
    run->arguments = arguments;
    run->job = job;
    run->steps = sta__steps_of(program);
    run->buffers = run->steps ? run->steps->buffers : program->buffers;
    run->block = run->steps && !program->reductions ? run->steps->block : program->block;
    run->ndim = arguments->ndim;
    run->axes = arguments->axes;
    for (int a = 0; a < run->ndim; a++)
        run->extent[a] = *word++;
    for (int a = 0; a < run->ndim; a++)
        run->first[a] = *word++;
    struct sta__piece *piece = run->piece;
    run->operands = program->inputs;
    for (int o = 0; o < program->outputs; o++)
        run->operands += !program->output[o].reduce;
    for (int o = 0, out = 0; o < run->operands; o++) {
        struct sta__run_operand *operand = &run->operand[o];
        int slot = o;
        if (o >= program->inputs) {
            while (program->output[out].reduce)
                out++;
            slot = program->output[out++].slot;
        }
        int64_t store_ndim = *word++;
        const int64_t *map = word;
        word += 2 * store_ndim;
        *operand = (struct sta__run_operand){.piece = piece, .pieces = (int)*word++};
        operand->item = sta_itemsize(program->slot_dtype[slot]);
        for (int p = 0; p < operand->pieces; p++)
            word = read_piece(run, piece++, word, map, store_ndim);
    }
    run->reduce_words = word;
}

/* ---- merging axes ---- */

bool sta__run_merges(const struct sta__run *run, int axis)
{
    for (int o = 0; o < run->operands; o++)
        for (int p = 0; p < run->operand[o].pieces; p++) {
            const struct sta__piece *piece = &run->operand[o].piece[p];
            if (piece->from[axis + 1] != 0 || piece->to[axis + 1] != run->extent[axis + 1] ||
                piece->stride[axis] != piece->stride[axis + 1] * run->extent[axis + 1])
                return false;
        }
    return true;
}

static void remove_axis(struct sta__run *run, int axis)
{
    size_t rest = sizeof(int64_t) * (size_t)(run->ndim - 1 - axis);
    memmove(&run->extent[axis], &run->extent[axis + 1], rest);
    memmove(&run->first[axis], &run->first[axis + 1], rest);
    for (int o = 0; o < run->operands; o++)
        for (int p = 0; p < run->operand[o].pieces; p++) {
            struct sta__piece *piece = &run->operand[o].piece[p];
            memmove(&piece->from[axis], &piece->from[axis + 1], rest);
            memmove(&piece->to[axis], &piece->to[axis + 1], rest);
            memmove(&piece->stride[axis], &piece->stride[axis + 1], rest);
        }
    uint32_t below = run->axes & ((1U << axis) - 1);
    run->axes = below | (run->axes >> (axis + 1) << axis);
    run->ndim--;
}

void sta__run_merge(struct sta__run *run, int axis)
{
    int64_t length = run->extent[axis + 1];
    for (int o = 0; o < run->operands; o++)
        for (int p = 0; p < run->operand[o].pieces; p++) {
            struct sta__piece *piece = &run->operand[o].piece[p];
            piece->from[axis + 1] = piece->from[axis] * length;
            piece->to[axis + 1] = piece->to[axis] * length;
        }
    run->extent[axis + 1] *= run->extent[axis];
    run->first[axis + 1] = 0;
    remove_axis(run, axis);
}

void sta__run_collapse(struct sta__run *run)
{
    for (int a = run->ndim - 1; a >= 0; a--)
        if (run->extent[a] == 1 && !(run->axes >> a & 1) && run->ndim > 1)
            remove_axis(run, a);
    for (int a = run->ndim - 2; a >= 0; a--)
        if (!(((run->axes >> a) | (run->axes >> (a + 1))) & 1) && sta__run_merges(run, a))
            sta__run_merge(run, a);
}

/* ---- loading and storing ---- */

/* The part of an axis that a block covers. */
static int64_t block_length(const struct sta__run *run, const struct sta__block *block, int axis)
{
    if (axis == block->axis)
        return block->rows;
    return axis == run->ndim - 1 && axis == block->axis + 1 ? block->width : run->extent[axis];
}

/* Copies the common part of a block and a piece between the piece and a slot; a recursion over the block's axes. */
struct transfer {
    const struct sta__run *run;
    const struct sta__block *block;
    const struct sta__piece *piece;
    size_t item;
    bool store;
};

/* The last two axes, of the first of which `rows` indices are common. */
static void transfer_plane(const struct transfer *t, int64_t rows, char *slot, int64_t slot_row, char *memory)
{
    const int axis = t->run->ndim - 1;
    const int64_t length = block_length(t->run, t->block, axis), origin = t->block->origin[axis];
    const int64_t from = t->piece->from[axis] > origin ? t->piece->from[axis] - origin : 0;
    const int64_t to = t->piece->to[axis] < origin + length ? t->piece->to[axis] - origin : length;
    const int64_t item = (int64_t)t->item, row = t->piece->stride[axis - 1], step = t->piece->stride[axis];
    if (from >= to)
        return;
    const struct sta__plane plane = {{rows, to - from}, {slot_row, item}, {row, step}, t->item};
    const struct sta__plane back = {{rows, to - from}, {row, step}, {slot_row, item}, t->item};
    if (t->store)
        sta__copy_plane(&back, memory + from * step, slot + from * item);
    else
        sta__copy_plane(&plane, slot + from * item, memory + from * step);
}

static void transfer_axis(const struct transfer *t, int axis, char *slot, char *memory, int64_t inner)
{
    const struct sta__block *block = t->block;
    int64_t length = block_length(t->run, block, axis), origin = block->origin[axis];
    int64_t from = t->piece->from[axis] > origin ? t->piece->from[axis] - origin : 0;
    int64_t to = t->piece->to[axis] < origin + length ? t->piece->to[axis] - origin : length;
    if (from >= to)
        return;
    inner /= length;
    int64_t slot_step = inner * (int64_t)t->item, step = t->piece->stride[axis];
    slot += from * slot_step;
    memory += from * step;
    if (axis == t->run->ndim - 1) {
        if (t->store)
            sta__copy_line(to - from, memory, step, slot, slot_step, t->item);
        else
            sta__copy_line(to - from, slot, slot_step, memory, step, t->item);
        return;
    }
    if (axis == t->run->ndim - 2) {
        transfer_plane(t, to - from, slot, slot_step, memory);
        return;
    }
    for (int64_t i = from; i < to; i++, slot += slot_step, memory += step)
        transfer_axis(t, axis + 1, slot, memory, inner);
}

static void transfer(const struct sta__run *run, const struct sta__run_operand *operand, const struct sta__piece *piece,
                     const struct sta__block *block, char *slot, bool store)
{
    struct transfer t = {run, block, piece, operand->item, store};
    char *memory = piece->base;
    for (int a = 0; a < run->ndim; a++) {
        memory += block->origin[a] * piece->stride[a];
        if (a < block->axis && (block->origin[a] < piece->from[a] || block->origin[a] >= piece->to[a]))
            return;
    }
    transfer_axis(&t, block->axis, slot, memory, block->count);
}

static bool holds(const struct sta__run *run, const struct sta__piece *piece, const struct sta__block *block)
{
    for (int a = 0; a < run->ndim; a++) {
        int64_t length = a < block->axis ? 1 : block_length(run, block, a);
        if (block->origin[a] < piece->from[a] || block->origin[a] + length > piece->to[a])
            return false;
    }
    return true;
}

/* The piece that holds the whole block, NULL where the block lies across pieces. */
static const struct sta__piece *piece_of(const struct sta__run *run, struct sta__run_operand *operand,
                                         const struct sta__block *block)
{
    if (operand->pieces == 1)
        return operand->piece;
    for (int k = 0; k < operand->pieces; k++) {
        int p = (operand->last + k) % operand->pieces;
        if (holds(run, &operand->piece[p], block)) {
            operand->last = p;
            return &operand->piece[p];
        }
    }
    return NULL;
}

static char *address(const struct sta__run *run, const struct sta__piece *piece, const struct sta__block *block)
{
    char *at = piece->base;
    for (int a = 0; a < run->ndim; a++)
        at += block->origin[a] * piece->stride[a];
    return at;
}

/* Whether the elements of a block lie one after the other. */
static bool contiguous(const struct sta__run *run, const struct sta__piece *piece, const struct sta__block *block,
                       size_t item)
{
    int64_t step = (int64_t)item;
    for (int a = run->ndim - 1; a >= block->axis; a--) {
        int64_t length = block_length(run, block, a);
        if (length != 1 && piece->stride[a] != step)
            return false;
        step *= length;
    }
    return true;
}

static const void *load(struct sta__run *run, int input, const struct sta__block *block)
{
    struct sta__run_operand *operand = &run->operand[input];
    const struct sta__piece *piece = piece_of(run, operand, block);
    const uint8_t *buffer = run->steps ? run->steps->buffer : run->program->buffer;
    char *slot = run->scratch + (size_t)buffer[input] * STA__SLOT_BYTES;
    if (!piece) {
        operand->loaded = NULL;
        for (int p = 0; p < operand->pieces; p++)
            transfer(run, operand, &operand->piece[p], block, slot, false);
        return slot;
    }
    const char *at = address(run, piece, block);
    if (contiguous(run, piece, block, operand->item))
        return at;
    bool same = operand->loaded == at && operand->loaded_width == block->width;
    if (same && block->rows <= operand->loaded_rows)
        return slot; /* scalars and broadcast rows are loaded once */
    transfer(run, operand, piece, block, slot, false);
    operand->loaded = at;
    operand->loaded_rows = block->rows;
    operand->loaded_width = block->width;
    return slot;
}

/* Where an output lies contiguous its instruction writes it in place. */
static void aim_outputs(struct sta__run *run, const struct sta__block *block, char **target)
{
    const struct sta__program *program = run->program;
    const uint8_t *buffer = run->steps ? run->steps->buffer : program->buffer;
    for (int i = program->inputs; i < program->slots; i++)
        target[i] = run->scratch + (size_t)buffer[i] * STA__SLOT_BYTES;
    for (int out = 0, o = program->inputs; out < program->outputs; out++) {
        if (program->output[out].reduce)
            continue;
        const struct sta__run_operand *operand = &run->operand[o++];
        int slot = program->output[out].slot;
        if (slot >= program->inputs && !run->arguments->stream && contiguous(run, operand->piece, block, operand->item))
            target[slot] = address(run, operand->piece, block);
    }
}

static void store_outputs(struct sta__run *run, const struct sta__block *block)
{
    const struct sta__program *program = run->program;
    for (int out = 0, o = program->inputs; out < program->outputs; out++) {
        if (program->output[out].reduce)
            continue;
        const struct sta__run_operand *operand = &run->operand[o++];
        const char *from = run->slot[program->output[out].slot];
        char *to = address(run, operand->piece, block);
        if (from == to)
            continue;
        bool whole = contiguous(run, operand->piece, block, operand->item);
        if (whole && run->arguments->stream)
            sta__stream_copy(to, from, (size_t)block->count * operand->item);
        else if (whole)
            memcpy(to, from, (size_t)block->count * operand->item);
        else
            transfer(run, operand, operand->piece, block, (char *)(uintptr_t)from, true);
    }
}

static void run_instruction(struct sta__run *run, const struct sta__instruction *instruction, int64_t count,
                            char *const *target)
{
    const void *in[STA__MAXOPERANDS];
    for (int k = 0; k < instruction->count; k++)
        in[k] = run->slot[instruction->from[k]];
    instruction->loop(count, target[instruction->to], in);
    run->slot[instruction->to] = target[instruction->to];
}

/* The same where it is compiled. */
static void run_steps(struct sta__run *run, int64_t count, char **target)
{
    const struct sta__program *program = run->program;
    for (int i = 0; i < program->inputs; i++)
        target[i] = (char *)(uintptr_t)run->slot[i];
    for (int i = program->inputs; i < program->slots; i++)
        run->slot[i] = target[i];
    for (int t = 0; t < run->steps->count; t++) {
        const struct sta__step *step = &run->steps->step[t];
        if (step->segment)
            step->segment(count, target);
        else
            run_instruction(run, &step->instruction, count, target);
    }
}

void sta__run_block(struct sta__run *run, const struct sta__block *block)
{
    const struct sta__program *program = run->program;
    char *target[STA__MAXSLOTS];
    const uint64_t numbers = run->steps ? run->steps->numbers : program->numbers;
    for (int i = 0; i < program->inputs; i++)
        run->slot[i] = numbers >> i & 1 ? run->operand[i].piece->base : load(run, i, block);
    aim_outputs(run, block, target);
    if (run->steps)
        run_steps(run, block->count, target);
    for (int i = 0; i < program->instructions && !run->steps; i++)
        run_instruction(run, &program->instruction[i], block->count, target);
    store_outputs(run, block);
}

bool sta__run_direct(const struct sta__run *run, int slot)
{
    if (slot >= run->program->inputs)
        return false;
    const struct sta__run_operand *operand = &run->operand[slot];
    for (int p = 0; p < operand->pieces; p++)
        if (operand->piece[p].stride[run->ndim - 1] != (int64_t)operand->item)
            return false;
    return true;
}

const struct sta__piece *sta__run_piece_at(const struct sta__run *run, int slot, const int64_t *at)
{
    const struct sta__run_operand *operand = &run->operand[slot];
    for (int p = 0; p < operand->pieces - 1; p++) {
        const struct sta__piece *piece = &operand->piece[p];
        bool inside = true;
        for (int a = 0; a < run->ndim && inside; a++)
            inside = at[a] >= piece->from[a] && at[a] < piece->to[a];
        if (inside)
            return piece;
    }
    return &operand->piece[operand->pieces - 1];
}
