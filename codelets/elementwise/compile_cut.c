/* Cuts a program into segments and single instructions. Contract: compile.h. */
#include "elementwise/compile.h"

#include "perfmodels/cost.h"

#include <string.h>

enum { CHEAP = 5, STEADY = 1 }; /* the columns cost and ulp of what is fused: plain arithmetic, no call */

static bool is_half(sta_dtype dtype)
{
    return dtype == STA_float16 || dtype == STA_bfloat16;
}

/* float16 has instructions of its own, which the library's loops use; complex functions are calls or shuffles. */
static bool is_plain(sta_dtype dtype)
{
    return !is_half(dtype) && sta__dtype_kind(dtype) != STA__KIND_COMPLEX;
}

static bool fuses_cast(sta_dtype from, sta_dtype to)
{
    if (from == STA_bfloat16 || to == STA_bfloat16)
        return from == STA_float32 || to == STA_float32;
    return is_plain(from) && is_plain(to) && sta__cast_cost(from, to) <= 1;
}

static bool fuses(const struct sta__program *p, const struct sta__instruction *instruction)
{
    if (instruction->op < 0)
        return fuses_cast(instruction->type, p->slot_dtype[instruction->to]);
    const struct sta__ufunc *row = sta__ufunc(instruction->op);
    return is_plain(instruction->type) && row->cost <= CHEAP && row->ulp <= STEADY;
}

/* The instruction that gives each slot; -1: an input. */
static void find_makers(const struct sta__program *p, int *maker)
{
    for (int s = 0; s < p->slots; s++)
        maker[s] = -1;
    for (int i = 0; i < p->instructions; i++)
        maker[p->instruction[i].to] = i;
}

static int stage_of(const struct sta__program *p, const struct sta__cut *cut, const int *maker, int i)
{
    int stage = 0;
    for (int k = 0; k < p->instruction[i].count; k++) {
        int from = maker[p->instruction[i].from[k]];
        int after = from < 0 ? 0 : cut->stage[from] + (cut->fused[i] && !cut->fused[from]);
        stage = after > stage ? after : stage;
    }
    return stage;
}

static void find_kept(const struct sta__program *p, struct sta__cut *cut, const int *maker)
{
    for (int s = 0; s < p->slots; s++)
        cut->kept[s] = maker[s] < 0 || !cut->fused[maker[s]] || !sta__cut_is_segment(cut, cut->stage[maker[s]]);
    for (int o = 0; o < p->outputs; o++)
        cut->kept[p->output[o].slot] = true;
    for (int r = 0; r < p->reductions; r++)
        cut->kept[p->reduction[r].slot] = true;
    for (int i = 0; i < p->instructions; i++)
        for (int k = 0; k < p->instruction[i].count; k++) {
            int from = p->instruction[i].from[k];
            if (maker[from] >= 0 && !(cut->fused[i] && cut->stage[i] == cut->stage[maker[from]]))
                cut->kept[from] = true;
        }
}

void sta__cut_program(const struct sta__program *program, struct sta__cut *cut)
{
    int maker[STA__MAXSLOTS];
    memset(cut, 0, sizeof *cut);
    find_makers(program, maker);
    for (int i = 0; i < program->instructions; i++) {
        cut->fused[i] = fuses(program, &program->instruction[i]);
        cut->stage[i] = stage_of(program, cut, maker, i);
        cut->fused_in[cut->stage[i]] += cut->fused[i];
        if (cut->stage[i] >= cut->stages)
            cut->stages = cut->stage[i] + 1;
    }
    find_kept(program, cut, maker);
}

bool sta__cut_is_segment(const struct sta__cut *cut, int stage)
{
    return cut->fused_in[stage] > 1;
}

/* ---- steps ---- */

static void add_steps_of(const struct sta__program *p, const struct sta__cut *cut, int stage, struct sta__steps *steps)
{
    if (sta__cut_is_segment(cut, stage))
        steps->step[steps->count++].stage = stage;
    for (int single = 1; single >= 0; single--) /* what would be a segment of one is first */
        for (int i = 0; i < p->instructions; i++)
            if (cut->stage[i] == stage && cut->fused[i] == single && !(single && sta__cut_is_segment(cut, stage)))
                steps->step[steps->count++] = (struct sta__step){NULL, p->instruction[i], -1};
}

/* The step that instruction i belongs to. */
static bool belongs(const struct sta__cut *cut, const struct sta__program *p, int i, const struct sta__step *step)
{
    if (step->stage < 0)
        return step->instruction.to == p->instruction[i].to;
    return cut->fused[i] && cut->stage[i] == step->stage;
}

/* The last step that reads each slot. */
static void last_uses(const struct sta__program *p, const struct sta__cut *cut, const struct sta__steps *steps,
                      int *last)
{
    for (int s = 0; s < p->slots; s++)
        last[s] = -1;
    for (int t = 0; t < steps->count; t++)
        for (int i = 0; i < p->instructions; i++)
            for (int k = 0; k < p->instruction[i].count && belongs(cut, p, i, &steps->step[t]); k++)
                last[p->instruction[i].from[k]] = t;
    for (int o = 0; o < p->outputs; o++)
        last[p->output[o].slot] = steps->count;
    for (int r = 0; r < p->reductions; r++)
        last[p->reduction[r].slot] = steps->count;
}

/* As in src/plan.c: what a step writes may lie where something lay that is not read after it; in place where the sizes of the
 * elements are equal. */
static void share_buffers(const struct sta__program *p, const struct sta__cut *cut, struct sta__steps *steps)
{
    int last[STA__MAXSLOTS], holder[STA__MAXSLOTS];
    last_uses(p, cut, steps, last);
    for (int s = 0; s < p->inputs; s++)
        steps->buffer[s] = (uint8_t)(steps->numbers >> s & 1 ? 0 : steps->buffers++);
    const int first = steps->buffers;
    for (int t = 0; t < steps->count; t++)
        for (int i = 0; i < p->instructions; i++) {
            int to = p->instruction[i].to, found = -1;
            if (!cut->kept[to] || !belongs(cut, p, i, &steps->step[t]))
                continue;
            size_t item = sta_itemsize(p->slot_dtype[to]);
            for (int b = first; b < steps->buffers && found < 0; b++) {
                bool alike = sta_itemsize(p->slot_dtype[holder[b]]) == item;
                found = last[holder[b]] < t || (last[holder[b]] == t && alike) ? b : -1;
            }
            if (found < 0)
                found = steps->buffers++;
            if (last[to] <= t)
                last[to] = t + 1; /* nobody reads it: it is not free all the same, while the step runs */
            holder[found] = to;
            steps->buffer[to] = (uint8_t)found;
        }
}

/* Other loops want as many elements as the block has. */
static uint64_t find_numbers(const struct sta__program *p, const struct sta__cut *cut)
{
    uint64_t numbers = p->scalars;
    for (int i = 0; i < p->instructions; i++)
        for (int k = 0; k < p->instruction[i].count; k++)
            if (p->instruction[i].from[k] < p->inputs && !(cut->fused[i] && sta__cut_is_segment(cut, cut->stage[i])))
                numbers &= ~((uint64_t)1 << p->instruction[i].from[k]);
    for (int o = 0; o < p->outputs; o++)
        if (p->output[o].slot < p->inputs)
            numbers &= ~((uint64_t)1 << p->output[o].slot);
    for (int r = 0; r < p->reductions; r++)
        if (p->reduction[r].slot < p->inputs)
            numbers &= ~((uint64_t)1 << p->reduction[r].slot);
    return numbers;
}

bool sta__cut_steps(const struct sta__program *program, const struct sta__cut *cut, struct sta__steps *steps)
{
    enum { BLOCK_BYTES = 8192 }; /* of the widest slot: longer than without segments, since less lies in the cache */
    size_t widest = 1;
    bool some = false;
    memset(steps, 0, sizeof *steps);
    for (int stage = 0; stage < cut->stages; stage++) {
        some |= sta__cut_is_segment(cut, stage);
        add_steps_of(program, cut, stage, steps);
    }
    steps->numbers = find_numbers(program, cut);
    share_buffers(program, cut, steps);
    for (int s = 0; s < program->slots; s++)
        if (cut->kept[s] && sta_itemsize(program->slot_dtype[s]) > widest)
            widest = sta_itemsize(program->slot_dtype[s]);
    steps->block = (int)(BLOCK_BYTES / widest);
    if (steps->block > 2048)
        steps->block = 2048;
    return some;
}

/* ---- what is gained ---- */

/* A loop of its own fetches and stores each element as an addition does, which may be all that it does. */
static double saving_of(const struct sta__program *p, const struct sta__instruction *instruction)
{
    const sta_dtype dtype = instruction->op < 0 ? p->slot_dtype[instruction->to] : instruction->type;
    const double whole = instruction->op < 0 ? sta__cast_nanoseconds(instruction->type, dtype)
                                             : sta__ufunc_nanoseconds(instruction->op, dtype);
    const double passing = 0.8 * sta__ufunc_nanoseconds(STA__OP_add, dtype);
    return passing < 0.75 * whole ? passing : 0.75 * whole;
}

float sta__cut_saving(const struct sta__program *p, const struct sta__cut *cut)
{
    double saving[STA__MAXINSTRUCTIONS] = {0}, largest[STA__MAXINSTRUCTIONS] = {0}, sum = 0;
    for (int i = 0; i < p->instructions; i++)
        if (cut->fused[i] && sta__cut_is_segment(cut, cut->stage[i])) {
            const double each = saving_of(p, &p->instruction[i]);
            saving[cut->stage[i]] += each;
            largest[cut->stage[i]] = each > largest[cut->stage[i]] ? each : largest[cut->stage[i]];
        }
    for (int stage = 0; stage < cut->stages; stage++)
        sum += saving[stage] - largest[stage]; /* the segment fetches and stores, too */
    return (float)sum;
}
