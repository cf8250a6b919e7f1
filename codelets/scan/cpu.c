/* The three steps of a scan over one tile, the other rule, and the end of a reduction. A task is shared by its lines, or
 * by strips of its columns; a team on one long line cuts that. */
#include "scan.h"

#include "scan/cuda.h"

#include <stdio.h>
#include <string.h>

enum { STRIP = 256 }; /* columns at a time: the nodes stay in the second-level cache */

/* ---- lists ---- */

int64_t sta__scan_block(int64_t first, int64_t last)
{
    int64_t len = first & -first; /* 0: aligned to everything */
    if (len == 0)
        for (len = 1; len <= last / 2;)
            len *= 2;
    while (first + len > last)
        len /= 2;
    return len;
}

int sta__scan_partial_nodes(int64_t first, int64_t last)
{
    int count = 0;
    for (; first < last; count++)
        first += sta__scan_block(first, last);
    return count;
}

int sta__scan_prefix_nodes(int64_t last)
{
    int count = 0;
    for (; last; last &= last - 1)
        count++;
    return count;
}

/* ---- geometry ---- */

struct tile {
    const struct sta__scan_arguments *a;
    const struct sta__scan_loops *loops;
    int64_t item, x_item;
    sta__loop cast;                      /* NULL: x is read as it lies */
    int64_t outer, length, inner, cells; /* of x */
    const char *x;
    char *y;
    const char *prefix, *partial;
    char *carry;
    const struct sta__memory *tiles, *lists; /* a->tiles, a->lists of them; NULL: none */
};

static int64_t product(const struct sta__memory *memory, int from, int to)
{
    int64_t count = 1;
    for (int axis = from; axis < to; axis++)
        count *= memory->shape[axis];
    return count;
}

static char *data_of(const struct sta__job *job, int at)
{
    return at < 0 ? NULL : job->memory[at].data;
}

static struct tile tile_of(const struct sta__job *job)
{
    const struct sta__scan_arguments *a = job->arguments;
    struct tile t = {.a = a, .loops = sta__scan_loops(a->op, a->dtype), .item = (int64_t)sta_itemsize(a->dtype)};
    t.x_item = (int64_t)sta_itemsize(a->from);
    t.cast = a->from == a->dtype ? NULL : sta__cast_loop(a->from, a->dtype);
    if (a->x >= 0) {
        const struct sta__memory *x = &job->memory[a->x];
        t.outer = product(x, 0, a->axis);
        t.inner = product(x, a->axis + 1, x->ndim);
    } else { /* lists only: every cell is a column */
        const struct sta__memory *list = &job->memory[a->partial];
        t.outer = 1;
        t.inner = list->shape[1];
    }
    t.length = a->last - a->first;
    t.cells = t.outer * t.inner;
    t.x = data_of(job, a->x);
    t.y = data_of(job, a->y);
    t.prefix = data_of(job, a->prefix);
    t.partial = data_of(job, a->partial);
    t.carry = data_of(job, a->carry);
    t.tiles = a->x < 0 ? NULL : &job->memory[a->x];
    t.lists = a->partial < 0 ? NULL : &job->memory[a->partial];
    return t;
}

/* The identity before the elements of each line; y then points behind it. */
static void put_identities(struct tile *t)
{
    char one[16];
    const void *from[] = {&t->a->identity};
    sta__cast_loop(STA_int64, t->a->dtype)(1, one, from);
    for (int64_t o = 0; o < t->outer; o++)
        for (int64_t i = 0; i < t->inner; i++)
            memcpy(t->y + (o * (t->length + 1) * t->inner + i) * t->item, one, (size_t)t->item);
    t->y += t->inner * t->item;
}

static int64_t y_line(const struct tile *t, int64_t outer)
{
    return outer * (t->length + (t->a->lead ? 1 : 0)) * t->inner * t->item;
}

/* ---- stacks of columns ---- */

static char *node_at(const struct sta__scan_stack *stack, int64_t item, int node)
{
    return stack->nodes + node * stack->width * item;
}

/* The next block of len elements was reduced to the row behind the last node. */
static void push_top(const struct tile *t, struct sta__scan_stack *stack, int64_t len)
{
    int top = stack->depth;
    for (int64_t start = stack->first, size = len; start & size && start - size >= stack->origin; size *= 2) {
        top--;
        t->loops->join(stack->width, node_at(stack, t->item, top), stack->width, 1, node_at(stack, t->item, top + 1),
                       node_at(stack, t->item, top));
        start -= size;
    }
    stack->depth = top + 1;
    stack->first += len;
}

static void push_row(const struct tile *t, struct sta__scan_stack *stack, const char *row, int64_t len)
{
    memcpy(node_at(stack, t->item, stack->depth), row, (size_t)(stack->width * t->item));
    push_top(t, stack, len);
}

static void scan_rows(const struct tile *t, struct sta__scan_stack *stack, const char *x, char *y, int64_t rows)
{
    enum { EIGHT = 8 };
    const int64_t step = t->inner * t->item;
    for (int64_t r = 0; r < rows; r++, x += step) {
        if (!y && t->loops->eight && stack->first % EIGHT == 0 && rows - r >= EIGHT) {
            t->loops->eight(stack->width, x, t->inner, node_at(stack, t->item, stack->depth));
            push_top(t, stack, EIGHT);
            r += EIGHT - 1;
            x += (EIGHT - 1) * step;
            continue;
        }
        if (y) {
            if (stack->depth)
                t->loops->join(stack->width, stack->nodes, stack->width, stack->depth, x, y);
            else
                memcpy(y, x, (size_t)(stack->width * t->item));
            y += step;
        }
        push_row(t, stack, x, 1);
    }
}

/* ---- lists in memory ---- */

/* The cells first_cell .. of a list in memory, as a stack. */
static void load_list(const struct tile *t, struct sta__scan_stack *stack, const char *list, int64_t first_cell)
{
    for (int k = 0; k < stack->depth; k++)
        memcpy(node_at(stack, t->item, k), list + (k * t->cells + first_cell) * t->item,
               (size_t)(stack->width * t->item));
}

static void store_list(const struct tile *t, const struct sta__scan_stack *stack, char *list, int64_t first_cell)
{
    for (int k = 0; k < stack->depth; k++)
        memcpy(list + (k * t->cells + first_cell) * t->item, node_at(stack, t->item, k),
               (size_t)(stack->width * t->item));
}

/* Appends the list of [first, last). */
static void push_list(const struct tile *t, struct sta__scan_stack *stack, const char *list, int64_t last,
                      int64_t first_cell)
{
    for (int k = 0; stack->first < last; k++)
        push_row(t, stack, list + (k * t->cells + first_cell) * t->item, sta__scan_block(stack->first, last));
}

/* ---- what a step does to the columns [column, column + stack->width) of a line ---- */

typedef void step(const struct tile *t, struct sta__scan_stack *stack, int64_t outer, int64_t column);

static void begin_prefix(const struct tile *t, struct sta__scan_stack *stack, int64_t cell)
{
    stack->first = t->a->first;
    stack->origin = 0;
    stack->depth = sta__scan_prefix_nodes(stack->first);
    load_list(t, stack, t->prefix, cell);
}

/* In parts that stay in the first-level cache. */
static void go_cast(const struct tile *t, struct sta__scan_stack *stack, const char *x, char *y, int64_t rows)
{
    enum { PART = 1024, WIDEST = 16 };
    _Alignas(64) char part[PART * WIDEST];
    const int64_t each = t->inner == 1 ? PART : 1;
    for (int64_t r = 0; r < rows; r += each) {
        const int64_t count = rows - r < each ? rows - r : each;
        const void *from[] = {x + r * t->inner * t->x_item};
        char *to = y ? y + r * t->inner * t->item : NULL;
        t->cast(t->inner == 1 ? count : stack->width, part, from);
        if (t->inner == 1)
            t->loops->line(stack, count, part, to);
        else
            scan_rows(t, stack, part, to, 1);
    }
}

static void go(const struct tile *t, struct sta__scan_stack *stack, const char *x, char *y, int64_t rows)
{
    if (t->cast)
        go_cast(t, stack, x, y, rows);
    else if (t->inner == 1)
        t->loops->line(stack, rows, x, y);
    else
        scan_rows(t, stack, x, y, rows);
}

/* All tiles of x along the axis. */
static void go_all(const struct tile *t, struct sta__scan_stack *stack, int64_t outer, int64_t column)
{
    for (int k = 0; k < t->a->tiles; k++) {
        const int64_t length = t->tiles[k].shape[t->a->axis];
        go(t, stack, t->tiles[k].data + (outer * length * t->inner + column) * t->x_item, NULL, length);
    }
}

static void total_step(const struct tile *t, struct sta__scan_stack *stack, int64_t outer, int64_t column)
{
    stack->first = stack->origin = t->a->first;
    stack->depth = 0;
    go_all(t, stack, outer, column);
    store_list(t, stack, t->carry, outer * t->inner + column);
}

static void prefix_step(const struct tile *t, struct sta__scan_stack *stack, int64_t outer, int64_t column)
{
    begin_prefix(t, stack, column);
    (void)outer;
    push_list(t, stack, t->partial, t->a->last, column);
    store_list(t, stack, t->carry, column);
}

static void scan_step(const struct tile *t, struct sta__scan_stack *stack, int64_t outer, int64_t column)
{
    begin_prefix(t, stack, outer * t->inner + column);
    go(t, stack, t->x + (outer * t->length * t->inner + column) * t->x_item, t->y + y_line(t, outer) + column * t->item,
       t->length);
}

static void finish_step(const struct tile *t, struct sta__scan_stack *stack, int64_t outer, int64_t column)
{
    const int64_t cell = outer * t->inner + column;
    begin_prefix(t, stack, cell);
    if (t->tiles)
        go_all(t, stack, outer, column);
    for (int k = 0; t->lists && k < t->a->lists; k++)
        push_list(t, stack, t->lists[k].data, t->a->end[k], cell);
    char *last = node_at(stack, t->item, --stack->depth), *to = t->y + cell * t->item;
    if (stack->depth)
        t->loops->join(stack->width, stack->nodes, stack->width, stack->depth, last, to);
    else
        memcpy(to, last, (size_t)(stack->width * t->item));
}

/* ---- sharing ---- */

static int64_t strips_of(const struct tile *t)
{
    return t->outer * ((t->inner + STRIP - 1) / STRIP);
}

static void do_strips(const struct tile *t, step *step, char *memory, int64_t from, int64_t to)
{
    const int64_t across = (t->inner + STRIP - 1) / STRIP;
    struct sta__scan_stack stack = {.nodes = memory};
    for (int64_t s = from; s < to; s++) {
        const int64_t column = s % across * STRIP;
        stack.width = t->inner - column < STRIP ? t->inner - column : STRIP;
        step(t, &stack, s / across, column);
    }
}

static size_t stack_bytes(const struct tile *t)
{
    int64_t width = t->inner < STRIP ? t->inner : STRIP;
    int nodes = 2;
    for (int64_t n = t->a->last; n; n /= 2)
        nodes += t->a->first ? 2 : 1;
    return (size_t)((width * t->item * nodes + 63) / 64 * 64);
}

static sta_error_code no_memory(struct sta__job *job)
{
    snprintf(job->text, sizeof job->text, "no memory for the nodes of a scan");
    return STA_ERROR_MEMORY;
}

static sta_error_code share(struct sta__job *job, const struct tile *t, step *step)
{
    const int64_t strips = strips_of(t), team = strips < job->threads ? strips : job->threads;
    const size_t bytes = stack_bytes(t);
    if (strips == 0)
        return STA_ERROR_NONE;
    char *memory = sta__allocate_raw(bytes * (size_t)(team > 1 ? team : 1));
    if (!memory)
        return no_memory(job);
    if (team <= 1)
        do_strips(t, step, memory, 0, strips);
    else
#pragma omp parallel for num_threads((int)team)
        for (int64_t m = 0; m < team; m++)
            do_strips(t, step, memory + (size_t)m * bytes, strips * m / team, strips * (m + 1) / team);
    sta__release(memory);
    return STA_ERROR_NONE;
}

static sta_error_code total(struct sta__job *job)
{
    const struct tile t = tile_of(job);
    return share(job, &t, total_step);
}

static sta_error_code prefix(struct sta__job *job)
{
    const struct tile t = tile_of(job);
    return share(job, &t, prefix_step);
}

static sta_error_code finish(struct sta__job *job)
{
    const struct tile t = tile_of(job);
    return share(job, &t, finish_step);
}

/* ---- one long line, shared by a team: the three steps once more ---- */

enum { WORTH = 4096, MOST = 64 }; /* elements for a member of the team; members */

struct part {
    struct sta__scan_stack total, before;
    _Alignas(16) char nodes[2 * STA__SCAN_NODES * 16], prefix[STA__SCAN_NODES * 16];
};

static int64_t cut_at(const struct tile *t, int64_t member, int64_t team)
{
    const int64_t at = t->length * member / team;
    return member == team ? at : at / WORTH * WORTH;
}

static void total_part(const struct tile *t, struct part *part, int64_t from, int64_t to)
{
    part->total = (struct sta__scan_stack){.nodes = part->nodes, .width = 1};
    part->total.first = part->total.origin = t->a->first + from;
    go(t, &part->total, t->x + from * t->x_item, NULL, to - from);
}

static void scan_parts(const struct tile *t, struct part *parts, int64_t team)
{
    struct part *last = &parts[0];
    last->before = (struct sta__scan_stack){.nodes = last->prefix, .width = 1};
    begin_prefix(t, &last->before, 0);
#pragma omp parallel num_threads((int)team)
    {
#pragma omp for
        for (int64_t m = 0; m < team - 1; m++)
            total_part(t, &parts[m], cut_at(t, m, team), cut_at(t, m + 1, team));
#pragma omp single
        for (int64_t m = 1; m < team; m++) {
            parts[m].before = parts[m - 1].before;
            parts[m].before.nodes = parts[m].prefix;
            memcpy(parts[m].prefix, parts[m - 1].prefix, sizeof parts[m].prefix);
            push_list(t, &parts[m].before, parts[m - 1].nodes, t->a->first + cut_at(t, m, team), 0);
        }
#pragma omp for
        for (int64_t m = 0; m < team; m++) {
            const int64_t from = cut_at(t, m, team);
            go(t, &parts[m].before, t->x + from * t->x_item, t->y + from * t->item, cut_at(t, m + 1, team) - from);
        }
    }
}

static sta_error_code scan(struct sta__job *job)
{
    struct tile t = tile_of(job);
    int64_t team = t.length / WORTH < job->threads ? t.length / WORTH : job->threads;
    if (t.a->lead)
        put_identities(&t);
    if (t.cells != 1 || team < 2)
        return share(job, &t, scan_step);
    team = team < MOST ? team : MOST;
    struct part *parts = sta__allocate_raw(sizeof *parts * (size_t)team);
    if (!parts)
        return no_memory(job);
    scan_parts(&t, parts, team);
    sta__release(parts);
    return STA_ERROR_NONE;
}

/* ---- the other rule ---- */

/* Columns of rows, or, where the axis is the last one, whole lines. */
static sta_error_code serial(struct sta__job *job)
{
    enum { WIDE = 2048, LINES = 64 };
    struct tile t = tile_of(job);
    const bool lines = t.inner == 1;
    const int64_t all = lines ? t.outer : t.inner, most = lines ? LINES : WIDE, across = (all + most - 1) / most;
    const int64_t strips = lines ? across : across * t.outer;
#pragma omp parallel for num_threads(job->threads) if (job->threads > 1)
    for (int64_t s = 0; s < strips; s++) {
        const int64_t outer = lines ? 0 : s / across, first = s % across * most;
        const int64_t width = all - first < most ? all - first : most, step = lines ? t.length : 1;
        const int64_t offset = (outer * t.length * t.inner + first * step) * t.item;
        t.loops->serial(t.length, width, t.inner, step, t.x + offset, t.y ? t.y + offset : NULL,
                        t.carry + (outer * t.inner + first) * t.item, t.a->started);
    }
    return STA_ERROR_NONE;
}

/* ---- models ---- */

static double elements_cost(const struct sta__job *job, double nanoseconds)
{
    const struct sta__scan_arguments *a = job->arguments;
    const struct sta__memory *memory = &job->memory[a->x >= 0 ? a->x : a->partial];
    double elements = 0;
    for (int k = 0; k < (a->x >= 0 ? a->tiles : a->lists); k++)
        elements += (double)product(&memory[k], 0, memory[k].ndim);
    return elements * nanoseconds;
}

static double total_cost(const struct sta__job *job)
{
    return elements_cost(job, 0.5);
}

static double prefix_cost(const struct sta__job *job)
{
    const struct sta__scan_arguments *a = job->arguments;
    return elements_cost(job, a->x >= 0 ? 0.5 : 2);
}

static double scan_cost(const struct sta__job *job)
{
    return elements_cost(job, 1);
}

static double serial_cost(const struct sta__job *job)
{
    const struct sta__scan_arguments *a = job->arguments;
    return elements_cost(job, 0.5 + sta__ufunc(a->op)->cost);
}

/* Lines and columns differ, and operators. */
static uint32_t hash(const void *arguments)
{
    const struct sta__scan_arguments *a = arguments;
    return (uint32_t)a->op * 31u + (uint32_t)a->axis * 104729u + (a->y < 0 ? 7919u : 0) +
           (uint32_t)(a->from == a->dtype ? 0 : a->from) * 611953u;
}

#define KERNEL(what, body, time, prepare)                                                                              \
    {                                                                                                                  \
        .name = #what, .cpu = body, .cost = time, .hash = hash, .cuda = sta__##what##_cuda,                            \
        .ready = sta__##prepare##_ready                                                                                \
    }
const struct sta__kernel sta__scan_total = KERNEL(scan_total, total, total_cost, scan_total);
const struct sta__kernel sta__scan_prefix = KERNEL(scan_prefix, prefix, prefix_cost, scan_lists);
const struct sta__kernel sta__scan_kernel = KERNEL(scan, scan, scan_cost, scan);
const struct sta__kernel sta__scan_serial = KERNEL(scan_serial, serial, serial_cost, scan_serial);
const struct sta__kernel sta__scan_finish = KERNEL(scan_finish, finish, prefix_cost, scan_lists);
