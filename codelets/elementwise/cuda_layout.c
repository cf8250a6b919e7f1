/* Layouts of operands on a GPU. Contract: cuda_layout.h. */
#include "elementwise/cuda_layout.h"

#include <string.h>

/* ---- the order of axes ---- */

static int64_t size_of(int64_t stride)
{
    return stride < 0 ? -stride : stride;
}

static void swap(int64_t *values, int a, int b)
{
    int64_t value = values[a];
    values[a] = values[b];
    values[b] = value;
}

static void swap_axes(struct sta__run *run, int a, int b)
{
    swap(run->extent, a, b);
    swap(run->first, a, b);
    for (int o = 0; o < run->operands; o++)
        for (int p = 0; p < run->operand[o].pieces; p++) {
            struct sta__piece *piece = &run->operand[o].piece[p];
            swap(piece->from, a, b);
            swap(piece->to, a, b);
            swap(piece->stride, a, b);
        }
}

/* The result's largest strides first: elements do not depend on the order. */
static void sort_axes(struct sta__run *run)
{
    if (run->operands <= run->program->inputs)
        return;
    const int64_t *stride = run->operand[run->program->inputs].piece->stride;
    for (int a = 1; a < run->ndim; a++)
        for (int b = a; b > 0 && size_of(stride[b - 1]) < size_of(stride[b]); b--)
            swap_axes(run, b - 1, b);
}

/* ---- boxes ---- */

static void add_cut(struct sta__cuda_nest *nest, int axis, int64_t at)
{
    int k = nest->cuts[axis];
    int64_t *cut = nest->cut[axis];
    for (int i = 0; i < k; i++)
        if (cut[i] == at)
            return;
    for (; k > 0 && cut[k - 1] > at; k--)
        cut[k] = cut[k - 1];
    cut[k] = at;
    nest->cuts[axis]++;
}

static void cut_axes(struct sta__cuda_nest *nest)
{
    const struct sta__run *run = &nest->run;
    nest->boxes = 1;
    for (int a = 0; a < run->ndim; a++) {
        nest->cuts[a] = 0;
        add_cut(nest, a, 0);
        add_cut(nest, a, run->extent[a]);
        for (int o = 0; o < run->operands; o++)
            for (int p = 0; p < run->operand[o].pieces && run->operand[o].pieces > 1; p++) {
                add_cut(nest, a, run->operand[o].piece[p].from[a]);
                add_cut(nest, a, run->operand[o].piece[p].to[a]);
            }
        nest->boxes *= nest->cuts[a] - 1;
    }
}

/* One box: its extent, and where each operand lies in it. */
struct box {
    int64_t extent[STA_MAXDIM];
    char *base[STA__CUDA_OPERANDS];
    const int64_t *stride[STA__CUDA_OPERANDS];
};

static const struct sta__piece *piece_at(const struct sta__run_operand *operand, int ndim, const int64_t *at)
{
    for (int p = 0; p < operand->pieces; p++) {
        const struct sta__piece *piece = &operand->piece[p];
        bool inside = true;
        for (int a = 0; a < ndim && inside; a++)
            inside = piece->from[a] <= at[a] && at[a] < piece->to[a];
        if (inside)
            return piece;
    }
    return operand->piece;
}

static void find_box(const struct sta__cuda_nest *nest, int64_t number, struct box *box)
{
    const struct sta__run *run = &nest->run;
    int64_t at[STA_MAXDIM];
    for (int a = run->ndim - 1; a >= 0; a--) {
        int64_t k = number % (nest->cuts[a] - 1);
        number /= nest->cuts[a] - 1;
        at[a] = nest->cut[a][k];
        box->extent[a] = nest->cut[a][k + 1] - at[a];
    }
    for (int o = 0; o < run->operands; o++) {
        const struct sta__piece *piece = piece_at(&run->operand[o], run->ndim, at);
        box->stride[o] = piece->stride;
        box->base[o] = piece->base;
        for (int a = 0; a < run->ndim; a++)
            box->base[o] += at[a] * piece->stride[a];
    }
}

static int64_t elements_of(const struct box *box, int ndim)
{
    int64_t elements = 1;
    for (int a = 0; a < ndim; a++)
        elements *= box->extent[a];
    return elements;
}

/* ---- which kernel ---- */

/* Small operands of one element are told with the launch: no memory of the device is needed. */
static bool is_number(const struct sta__run *run, int operand)
{
    const struct sta__memory *memory = run->job->memory;
    if (operand >= run->program->inputs)
        return false;
    for (int i = 0; i < run->job->count; i++)
        if (memory[i].on_host && memory[i].value && memory[i].value->size == 1 &&
            run->operand[operand].piece->base >= memory[i].data &&
            run->operand[operand].piece->base < memory[i].data + sta_itemsize(memory[i].dtype))
            return true;
    return false;
}

static bool same_strides(const struct box *box, int ndim, int a, int b)
{
    return memcmp(box->stride[a], box->stride[b], sizeof(int64_t) * (size_t)ndim) == 0;
}

/* Facts about all boxes together. */
struct facts {
    bool along[STA__CUDA_OPERANDS], same[STA__CUDA_OPERANDS];
    bool apart[STA__CUDA_OPERANDS][STA__CUDA_OPERANDS]; /* two operands have other strides somewhere */
    uint64_t bits[STA__CUDA_OPERANDS];  /* of all addresses and strides but the last: how they are aligned */
    int64_t reach;                      /* the largest offset, or number of elements */
    int64_t elements;
    struct box largest;
};

static void look_at_box(const struct sta__run *run, const struct box *box, struct facts *facts)
{
    int last = run->ndim - 1;
    int64_t elements = elements_of(box, run->ndim);
    facts->reach = elements > facts->reach ? elements : facts->reach;
    for (int o = 0; o < run->operands; o++) {
        const int64_t *stride = box->stride[o];
        int64_t reach = 0;
        facts->along[o] &= stride[last] == (int64_t)run->operand[o].item;
        facts->same[o] &= stride[last] == 0;
        facts->bits[o] |= (uint64_t)(uintptr_t)box->base[o];
        for (int a = 0; a < run->ndim; a++) {
            reach += size_of(stride[a]) * (box->extent[a] - 1);
            facts->bits[o] |= a < last && box->extent[a] > 1 ? (uint64_t)stride[a] : 0;
        }
        facts->reach = reach > facts->reach ? reach : facts->reach;
        for (int other = 0; other < o; other++)
            facts->apart[o][other] |= !same_strides(box, run->ndim, o, other);
    }
    if (elements > facts->elements || facts->elements == 0) {
        facts->elements = elements;
        facts->largest = *box;
    }
}

static void look(const struct sta__cuda_nest *nest, struct facts *facts)
{
    struct box box;
    memset(facts, 0, sizeof *facts);
    memset(facts->along, 1, sizeof facts->along);
    memset(facts->same, 1, sizeof facts->same);
    for (int64_t k = 0; k < nest->boxes; k++) {
        find_box(nest, k, &box);
        look_at_box(&nest->run, &box, facts);
    }
}

/* The number of elements in a group: 16 bytes of the widest operand; more where narrow ones would be read by bytes. Limited by
 * what one element costs: too much text does no good. */
static int group_of(const struct sta__run *run, const struct sta__cuda_layout *layout)
{
    size_t widest = 1, narrowest = 16;
    for (int o = 0; o < run->operands; o++)
        if (layout->way[o] == STA__CUDA_ALONG) {
            widest = run->operand[o].item > widest ? run->operand[o].item : widest;
            narrowest = run->operand[o].item < narrowest ? run->operand[o].item : narrowest;
        }
    int most = run->program->cost > 50 ? 2 : run->program->cost > 10 ? 4 : 16, group = 16 / (int)widest;
    while (group * (int)narrowest < 4)
        group *= 2;
    return group < most ? group : most;
}

/* All that is not one number, or the same along the last axis, must be contiguous and aligned for groups. */
static void choose_groups(const struct sta__run *run, const struct facts *facts, struct sta__cuda_layout *layout)
{
    bool fine = true;
    for (int o = 0; o < run->operands; o++) {
        if (layout->way[o] == STA__CUDA_NUMBER)
            continue;
        bool same = facts->same[o] && o < run->program->inputs;
        layout->way[o] = same ? STA__CUDA_SAME : STA__CUDA_ALONG;
        fine &= same || facts->along[o];
    }
    layout->vector = (uint8_t)group_of(run, layout);
    for (int o = 0; o < run->operands && fine; o++) {
        size_t bytes = layout->vector * run->operand[o].item;
        if (layout->way[o] == STA__CUDA_ALONG)
            fine = facts->bits[o] % (bytes < 16 ? bytes : 16) == 0;
    }
    if (fine)
        return;
    layout->vector = 1;
    for (int o = 0; o < run->operands; o++)
        if (layout->way[o] != STA__CUDA_NUMBER)
            layout->way[o] = STA__CUDA_ANY;
}

static void choose_unroll(const struct sta__run *run, const struct facts *facts, struct sta__cuda_layout *layout)
{
    size_t bytes = 0;
    int most = run->program->cost > 10 ? 4 / layout->vector : 4;
    for (int o = 0; o < run->program->inputs; o++)
        if (layout->way[o] == STA__CUDA_ALONG || layout->way[o] == STA__CUDA_ANY)
            bytes += layout->vector * run->operand[o].item;
    int unroll = bytes ? (int)(64 / bytes) : 4;
    unroll = unroll > most ? most : unroll;
    layout->unroll = (uint8_t)(unroll < 1 || facts->elements < STA__CUDA_SMALL ? 1 : unroll == 3 ? 2 : unroll);
}

/* The axis along which an input is contiguous where it is not along the last one; -1: none. */
static int other_axis(const struct sta__run *run, const struct box *box, int o)
{
    enum { LEAST = 16 };
    int last = run->ndim - 1;
    const int64_t *stride = box->stride[o];
    if (stride[last] == 0 || size_of(stride[last]) == (int64_t)run->operand[o].item || box->extent[last] < LEAST)
        return -1;
    for (int a = 0; a < last; a++)
        if (size_of(stride[a]) == (int64_t)run->operand[o].item && box->extent[a] >= LEAST)
            return a;
    return -1;
}

static void choose_squares(const struct sta__run *run, const struct facts *facts, struct sta__cuda_layout *layout)
{
    enum { SHARED = 48 << 10 };
    size_t item = 0;
    int axis = -1;
    for (int o = 0; o < run->program->inputs; o++) {
        int other = layout->way[o] == STA__CUDA_NUMBER ? -1 : other_axis(run, &facts->largest, o);
        if (other < 0 || (axis >= 0 && axis != other))
            continue;
        if ((item + run->operand[o].item) * 33 * 32 + 1024 > SHARED)
            continue;
        axis = other;
        item += run->operand[o].item;
        layout->way[o] = STA__CUDA_ACROSS;
    }
    layout->across = (uint8_t)(axis + 1);
    if (axis < 0)
        return;
    layout->edge = item * 66 * 64 < 20 << 10 ? 64 : 32;
    layout->vector = layout->unroll = 1;
    for (int o = 0; o < run->operands; o++)
        if (layout->way[o] != STA__CUDA_ACROSS && layout->way[o] != STA__CUDA_NUMBER)
            layout->way[o] = STA__CUDA_ANY;
}

/* Operands whose strides are the same in all boxes share their offsets. */
static void choose_sets(const struct sta__run *run, const struct facts *facts, struct sta__cuda_layout *layout)
{
    for (int o = 0; o < run->operands; o++) {
        int with = -1;
        if (layout->way[o] == STA__CUDA_NUMBER)
            continue;
        for (int other = 0; other < o && with < 0; other++)
            if (layout->way[other] != STA__CUDA_NUMBER && !facts->apart[o][other])
                with = layout->set[other];
        layout->set[o] = (uint8_t)(with >= 0 ? with : layout->sets++);
    }
}

static int words_of_box(const struct sta__cuda_layout *layout)
{
    return 1 + 3 * layout->ndim + layout->sets * layout->ndim + layout->operands;
}

void sta__cuda_nest_open(struct sta__cuda_nest *nest, struct sta__job *job)
{
    sta__run_open(&nest->run, job);
    sta__cuda_nest_plan(nest);
}

void sta__cuda_nest_plan(struct sta__cuda_nest *nest)
{
    struct sta__run *run = &nest->run;
    struct sta__cuda_layout *layout = &nest->layout;
    struct facts facts;
    memset(layout, 0, sizeof *layout);
    for (int o = 0; o < run->operands; o++) /* before axes go: a number has no strides that matter */
        if (is_number(run, o)) {
            layout->way[o] = STA__CUDA_NUMBER;
            layout->set[o] = layout->numbers++;
        }
    sta__run_collapse(run);
    sort_axes(run);
    sta__run_collapse(run);
    cut_axes(nest);
    look(nest, &facts);
    layout->ndim = (uint8_t)run->ndim;
    layout->operands = (uint8_t)run->operands;
    layout->wide = facts.reach >= INT32_MAX / 2;
    choose_squares(run, &facts, layout);
    if (!layout->across) {
        choose_groups(run, &facts, layout);
        choose_unroll(run, &facts, layout);
    }
    choose_sets(run, &facts, layout);
    int room = (STA__CUDA_USUAL_WORDS - 2 - 2 * layout->numbers) / words_of_box(layout);
    layout->boxes = (uint8_t)(nest->boxes == 1 ? 1 : room > 16 ? 16 : room < 1 ? 1 : room);
}

/* ---- the words of a launch ---- */

/* x / divisor = (high 32 bits of x * magic + x) >> shift for x < 2^31 (D. Lemire and others: round up). */
static void put_divisor(uint64_t *magic, uint64_t *shift, int64_t divisor)
{
    int bits = 0;
    while (bits < 31 && (int64_t)1 << bits < divisor)
        bits++;
    *magic = divisor > 0 ? (((uint64_t)1 << bits) - (uint64_t)divisor) * ((uint64_t)1 << 32) / (uint64_t)divisor + 1 : 0;
    *shift = (uint64_t)bits;
}

static int64_t parts(int64_t length, int64_t part)
{
    return (length + part - 1) / part;
}

/* Along an axis: groups of elements, squares, or elements. */
static int64_t steps_of(const struct sta__cuda_layout *layout, int axis, int64_t extent)
{
    if (layout->across && (axis == layout->ndim - 1 || axis == layout->across - 1))
        return parts(extent, layout->edge);
    return axis == layout->ndim - 1 ? parts(extent, layout->vector) : extent;
}

static int64_t put_box(const struct sta__cuda_nest *nest, const struct box *box, int64_t block, uint64_t *word)
{
    const struct sta__cuda_layout *layout = &nest->layout;
    int ndim = layout->ndim;
    int64_t steps = 1;
    *word++ = (uint64_t)block;
    for (int a = 0; a < ndim; a++) {
        int64_t along = steps_of(layout, a, box->extent[a]);
        steps *= along;
        word[a] = (uint64_t)box->extent[a];
        put_divisor(&word[ndim + a], &word[2 * ndim + a], along);
    }
    word += 3 * ndim;
    for (int o = 0; o < layout->operands; o++)
        for (int a = 0; a < ndim && layout->way[o] != STA__CUDA_NUMBER; a++)
            word[layout->set[o] * ndim + a] = (uint64_t)box->stride[o][a];
    word += layout->sets * ndim;
    for (int o = 0; o < layout->operands; o++)
        word[o] = (uint64_t)(uintptr_t)box->base[o];
    return layout->across ? steps : parts(steps, (int64_t)STA__CUDA_THREADS * layout->unroll);
}

int64_t sta__cuda_nest_words(struct sta__cuda_nest *nest, int64_t first, uint64_t *words)
{
    const struct sta__cuda_layout *layout = &nest->layout;
    const struct sta__run *run = &nest->run;
    int64_t blocks = 0, boxes = nest->boxes - first < layout->boxes ? nest->boxes - first : layout->boxes;
    struct box box;
    *words++ = (uint64_t)boxes;
    memset(words, 0, sizeof *words * 2 * (size_t)layout->numbers);
    for (int o = 0; o < layout->operands; o++)
        if (layout->way[o] == STA__CUDA_NUMBER)
            memcpy(words + 2 * layout->set[o], run->operand[o].piece->base, run->operand[o].item);
    words += 2 * layout->numbers;
    for (int64_t k = 0; k < boxes; k++) {
        find_box(nest, first + k, &box);
        blocks += put_box(nest, &box, blocks, words + k * words_of_box(layout));
    }
    return blocks;
}

/* ---- keys ---- */

int sta__cuda_program_key(const struct sta__program *p, uint64_t *key)
{
    int words = 0;
    key[words++] = (uint64_t)p->inputs | (uint64_t)p->slots << 8 | (uint64_t)p->instructions << 16 |
                   (uint64_t)p->outputs << 24 | (uint64_t)p->reductions << 32;
    for (int s = 0; s < p->slots; s++) {
        if (s % 8 == 0)
            key[words++] = 0;
        key[words - 1] |= (uint64_t)p->slot_dtype[s] << 8 * (s % 8);
    }
    for (int i = 0; i < p->instructions; i++) {
        const struct sta__instruction *in = &p->instruction[i];
        uint64_t word = (uint64_t)(uint16_t)in->op | (uint64_t)in->type << 16 | (uint64_t)in->to << 24;
        for (int k = 0; k < in->count; k++)
            word |= (uint64_t)(in->from[k] + 1) << (32 + 8 * k);
        key[words++] = word;
    }
    for (int o = 0; o < p->outputs; o++)
        key[words++] = (uint64_t)p->output[o].slot | (uint64_t)p->output[o].reduce << 8;
    for (int r = 0; r < p->reductions; r++)
        key[words++] = (uint64_t)p->reduction[r].slot | (uint64_t)p->reduction[r].op << 8 |
                       (uint64_t)p->reduction[r].dtype << 40;
    return words;
}

int sta__cuda_layout_key(const struct sta__program *program, const struct sta__cuda_layout *layout, uint64_t *key)
{
    enum { WORDS = (sizeof *layout + 7) / 8 };
    int words = sta__cuda_program_key(program, key);
    memset(key + words, 0, sizeof *key * WORDS);
    memcpy(key + words, layout, sizeof *layout);
    return words + WORDS;
}
