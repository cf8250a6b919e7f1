/* Reductions at the end of a program: the blocks that the evaluator gives go into trees (tree.h). The kept cells of a
 * tile are walked in strips: one index of the outer kept axes, up to a block of the last axis where that is kept. */
#include "reduce/program.h"

#include <omp.h>
#include <string.h>

struct reduce {
    struct sta__run run;
    int depth; /* reduced axes, outermost first */
    int axis[STA_MAXDIM];
    int64_t unit[STA_MAXDIM];
    int kept; /* outer kept axes */
    int kept_axis[STA_MAXDIM];
    int64_t columns;       /* length of the last axis where it is kept, else 1 */
    int64_t width, rows;   /* of a block */
    int64_t strips, cells; /* strips a tile, kept cells a tile */
    bool last_kept;
    bool direct;      /* the last axis is kept and inputs can be pushed where they are */
    bool fold;        /* short last axes are folded many at a time, each to a leaf of the axis outside */
    bool flat;        /* the same where the axis outside is kept: each to a result */
    int64_t from, to; /* of the outermost reduced axis */
    struct sta__block block;
    struct sta__tree tree[STA__MAXOUTPUTS][STA_MAXDIM];
    void *tree_memory[STA__MAXOUTPUTS][STA_MAXDIM];
    struct sta__state leaf[STA__MAXOUTPUTS][STA_MAXDIM]; /* finished states of the axis inside */
    void *scratch;
    enum sta__reduce_mode mode;
    struct sta__reduce_target target[STA__MAXOUTPUTS];
    void *partial[STA__MAXOUTPUTS]; /* a thread's own part of the range; NULL: the task's */
    void *memory;
};

static const struct sta__reduction *reduction_of(const struct reduce *r, int k)
{
    return &r->run.program->reduction[k];
}

static int reductions(const struct reduce *r)
{
    return r->run.program->reductions;
}

/* ---- the shape of the walk ---- */

static bool all_direct(const struct reduce *r)
{
    const struct sta__program *program = r->run.program;
    for (int o = 0; o < program->outputs; o++)
        if (!program->output[o].reduce)
            return false;
    for (int k = 0; k < program->reductions; k++) {
        const struct sta__piece *piece = sta__run_direct(&r->run, program->reduction[k].slot);
        if (!piece || piece->stride[r->axis[r->depth - 1]] % (int64_t)sta_itemsize(program->reduction[k].dtype))
            return false;
    }
    return true;
}

static void shape_walk(struct reduce *r)
{
    struct sta__run *run = &r->run;
    int last = run->ndim - 1;
    r->depth = r->kept = 0;
    r->last_kept = !(run->axes >> last & 1);
    for (int a = 0; a < run->ndim; a++) {
        if (run->axes >> a & 1)
            r->axis[r->depth++] = a;
        else if (a < last)
            r->kept_axis[r->kept++] = a;
    }
    int inner = r->axis[r->depth - 1];
    int64_t block = run->block, length = run->extent[last];
    r->columns = r->last_kept ? length : 1;
    r->direct = r->last_kept && all_direct(r);
    r->fold = !r->last_kept && r->depth >= 2 && r->axis[r->depth - 2] == last - 1 && length <= block / 4;
    bool adjacent = r->last_kept && inner == last - 1;
    r->width = !r->last_kept ? 1 : r->direct ? 512 : adjacent ? block / 8 : block;
    if (r->width > r->columns)
        r->width = r->columns;
    r->rows = !r->last_kept ? block : adjacent ? block / r->width : 1;
    r->flat = !r->last_kept && r->depth == 1 && r->kept > 0 && length <= block / 4 && r->mode != STA__REDUCE_PARTIAL;
    if (r->fold || r->flat)
        r->rows = block / length;
    r->unit[r->depth - 1] = 1;
    for (int l = r->depth - 2; l >= 0; l--)
        r->unit[l] = r->unit[l + 1] * run->extent[r->axis[l + 1]];
    r->strips = (r->columns + r->width - 1) / r->width;
    r->cells = r->columns;
    for (int a = 0; a < r->kept; a++) {
        r->strips *= run->extent[r->kept_axis[a]];
        r->cells *= run->extent[r->kept_axis[a]];
    }
    if (r->flat) {
        int64_t lines = run->extent[last - 1];
        r->strips = lines ? r->cells / lines * ((lines + r->rows - 1) / r->rows) : 0;
    }
    r->from = run->first[r->axis[0]];
    r->to = r->from + run->extent[r->axis[0]];
}

/* ---- memory: trees, finished states, slots, in one piece ---- */

static size_t round_up(size_t bytes)
{
    return (bytes + 63) & ~(size_t)63;
}

static void *carve(char **at, size_t bytes)
{
    char *here = *at;
    *at = here ? here + round_up(bytes) : here;
    return here;
}

/* Called with NULL first to learn the size. */
static size_t lay_out(struct reduce *r, char *memory)
{
    size_t total = 0, most = 0;
    char *at = memory;
    for (int k = 0; k < reductions(r); k++) {
        const struct sta__reduction *reduction = reduction_of(r, k);
        enum sta__reducer op = (enum sta__reducer)reduction->op;
        for (int l = 0; l < r->depth; l++) {
            int64_t from = l ? 0 : r->from, to = l ? r->run.extent[r->axis[l]] : r->to;
            size_t bytes = sta__tree_bytes(op, reduction->dtype, r->width, from, to);
            r->tree_memory[k][l] = carve(&at, bytes);
            total += round_up(bytes);
            size_t cells = (size_t)(r->fold || r->flat ? r->rows : r->width);
            for (int c = 0; c < STA__COMPONENTS; c++) {
                r->leaf[k][l].at[c] = carve(&at, cells * 16);
                total += round_up(cells * 16);
            }
        }
        if (r->fold || r->flat) {
            int64_t length = r->run.extent[r->run.ndim - 1];
            size_t bytes = sta__fold_rows_bytes(op, reduction->dtype, r->rows, length);
            most = bytes > most ? bytes : most;
        }
    }
    r->scratch = carve(&at, most);
    r->run.scratch = carve(&at, (size_t)r->run.buffers * STA__SLOT_BYTES);
    return total + round_up(most) + round_up((size_t)r->run.buffers * STA__SLOT_BYTES);
}

/* ---- one strip ---- */

static void begin_trees(struct reduce *r, int level)
{
    for (int k = 0; k < reductions(r); k++) {
        const struct sta__reduction *reduction = reduction_of(r, k);
        sta__tree_begin(&r->tree[k][level], (enum sta__reducer)reduction->op, reduction->dtype, r->block.width,
                        level ? 0 : r->from, r->unit[level], r->tree_memory[k][level]);
    }
}

static void push_direct(struct reduce *r, int64_t from, int64_t to)
{
    int axis = r->axis[r->depth - 1];
    for (int k = 0; k < reductions(r); k++) {
        const struct sta__reduction *reduction = reduction_of(r, k);
        const struct sta__piece *piece = sta__run_direct(&r->run, reduction->slot);
        const char *at = piece->base + from * piece->stride[axis];
        for (int a = 0; a < r->run.ndim; a++)
            at += a == axis ? 0 : r->block.origin[a] * piece->stride[a];
        sta__tree_push(&r->tree[k][r->depth - 1], at, to - from,
                       piece->stride[axis] / (int64_t)sta_itemsize(reduction->dtype));
    }
}

static void push_blocks(struct reduce *r, int64_t from, int64_t to)
{
    int axis = r->axis[r->depth - 1], last = r->run.ndim - 1;
    struct sta__block *block = &r->block;
    int64_t width = block->width;
    for (int64_t i = from; i < to; i += r->rows) {
        int64_t rows = to - i < r->rows ? to - i : r->rows;
        block->origin[axis] = i;
        if (r->last_kept && axis != last - 1) { /* the rows are not next to the columns: one at a time */
            block->axis = last;
            block->rows = width;
        } else {
            block->axis = axis;
            block->rows = rows;
        }
        block->count = rows * width;
        sta__run_block(&r->run, block);
        for (int k = 0; k < reductions(r); k++)
            sta__tree_push(&r->tree[k][r->depth - 1], r->run.slot[reduction_of(r, k)->slot], rows, width);
    }
}

/* Evaluates whole short rows of the last axis. */
static void run_rows(struct reduce *r, int axis, int64_t from, int64_t rows)
{
    struct sta__block *block = &r->block;
    int64_t length = r->run.extent[r->run.ndim - 1];
    block->origin[axis] = from;
    block->origin[axis + 1] = 0;
    block->axis = axis;
    block->rows = rows;
    block->width = length;
    block->count = rows * length;
    sta__run_block(&r->run, block);
    block->width = 1;
}

static void fold_rows(struct reduce *r, int k, int64_t rows, const struct sta__state *to)
{
    const struct sta__reduction *reduction = reduction_of(r, k);
    sta__fold_rows((enum sta__reducer)reduction->op, reduction->dtype, r->run.slot[reduction->slot], rows,
                   r->run.extent[r->run.ndim - 1], to, r->scratch);
}

/* Many rows at a time; each becomes a leaf of the axis outside. */
static void push_folded(struct reduce *r, int level, int64_t from, int64_t to)
{
    for (int64_t i = from; i < to; i += r->rows) {
        int64_t rows = to - i < r->rows ? to - i : r->rows;
        run_rows(r, r->axis[level], i, rows);
        for (int k = 0; k < reductions(r); k++) {
            fold_rows(r, k, rows, &r->leaf[k][level]);
            sta__tree_push_states(&r->tree[k][level], &r->leaf[k][level], rows);
        }
    }
}

/* Pushes the indices from .. to (of the tile) of a reduced axis into its trees. */
static void fill(struct reduce *r, int level, int64_t from, int64_t to)
{
    begin_trees(r, level);
    if (level == r->depth - 1) {
        if (r->direct)
            push_direct(r, from, to);
        else
            push_blocks(r, from, to);
        return;
    }
    if (r->fold && level == r->depth - 2) {
        push_folded(r, level, from, to);
        return;
    }
    for (int64_t i = from; i < to; i++) {
        r->block.origin[r->axis[level]] = i;
        fill(r, level + 1, 0, r->run.extent[r->axis[level + 1]]);
        for (int k = 0; k < reductions(r); k++) {
            sta__tree_finish(&r->tree[k][level + 1], &r->leaf[k][level]);
            sta__tree_push_states(&r->tree[k][level], &r->leaf[k][level], 1);
        }
    }
}

static struct sta__state result_state(struct reduce *r, int k, int64_t cell)
{
    const struct sta__reduction *reduction = reduction_of(r, k);
    enum sta__reducer op = (enum sta__reducer)reduction->op;
    struct sta__job *job = r->run.job;
    if (r->mode == STA__REDUCE_STATES)
        return sta__partial_node(op, reduction->dtype, job->memory[r->target[k].memory[0]].data, r->cells, 0, cell);
    struct sta__state state = r->leaf[k][0];
    for (int c = 0; c < STA__COMPONENTS; c++)
        if (r->target[k].memory[c] >= 0)
            state.at[c] = job->memory[r->target[k].memory[c]].data +
                          (size_t)cell * sta_itemsize(sta__reducer_component(op, reduction->dtype, c));
    return state;
}

static void finish_strip(struct reduce *r, int64_t cell)
{
    for (int k = 0; k < reductions(r); k++) {
        struct sta__tree *tree = &r->tree[k][0];
        if (r->partial[k]) {
            sta__tree_emit(tree, r->partial[k], r->cells, cell);
        } else if (r->mode == STA__REDUCE_PARTIAL) {
            sta__tree_emit(tree, r->run.job->memory[r->target[k].memory[0]].data, r->cells, cell);
        } else {
            struct sta__state state = result_state(r, k, cell);
            sta__tree_finish(tree, &state);
        }
    }
}

/* Strips of many rows, whose results lie one after the other. */
static void reduce_flat(struct reduce *r, int64_t first, int64_t end)
{
    struct sta__run *run = &r->run;
    int axis = run->ndim - 2;
    int64_t lines = run->extent[axis], per_line = (lines + r->rows - 1) / r->rows;
    for (int64_t s = first; s < end; s++) {
        int64_t outer = s / per_line, from = s % per_line * r->rows, rest = outer;
        int64_t rows = lines - from < r->rows ? lines - from : r->rows;
        for (int a = axis - 1; a >= 0; a--) {
            r->block.origin[a] = rest % run->extent[a];
            rest /= run->extent[a];
        }
        run_rows(r, axis, from, rows);
        for (int k = 0; k < reductions(r); k++) {
            struct sta__state to = result_state(r, k, outer * lines + from);
            fold_rows(r, k, rows, &to);
        }
    }
}

static void reduce_strips(struct reduce *r, int64_t first, int64_t end)
{
    struct sta__run *run = &r->run;
    if (r->flat) {
        reduce_flat(r, first, end);
        return;
    }
    int64_t per_row = (r->columns + r->width - 1) / r->width, offset = run->first[r->axis[0]];
    for (int64_t s = first; s < end; s++) {
        int64_t outer = s / per_row, column = s % per_row * r->width, rest = outer;
        for (int a = r->kept - 1; a >= 0; a--) {
            r->block.origin[r->kept_axis[a]] = rest % run->extent[r->kept_axis[a]];
            rest /= run->extent[r->kept_axis[a]];
        }
        int64_t left = r->columns - column;
        r->block.width = left < r->width ? left : r->width;
        if (r->last_kept)
            r->block.origin[run->ndim - 1] = column;
        fill(r, 0, r->from - offset, r->to - offset);
        finish_strip(r, outer * r->columns + column);
    }
}

/* ---- the task, alone or in a team ---- */

static void open_reduce(struct reduce *r, struct sta__job *job)
{
    const struct sta__program_arguments *arguments = job->arguments;
    memset(r->partial, 0, sizeof r->partial);
    sta__run_open(&r->run, job);
    const int64_t *word = r->run.reduce_words;
    r->mode = (enum sta__reduce_mode) * word++;
    for (int k = 0; k < arguments->program->reductions; k++)
        for (int c = 0; c < STA__COMPONENTS; c++)
            r->target[k].memory[c] = *word++;
    sta__run_collapse(&r->run);
    shape_walk(r);
}

static bool take_memory(struct reduce *r)
{
    r->memory = sta__allocate(lay_out(r, NULL));
    if (r->memory)
        lay_out(r, r->memory);
    return r->memory != NULL;
}

/* One member's share: strips first .. end of the range from .. to of the outermost reduced axis. */
static bool reduce_share(struct sta__job *job, int64_t first, int64_t end, int64_t from, int64_t to,
                         void *const *partial)
{
    struct reduce r;
    open_reduce(&r, job);
    r.from = from;
    r.to = to;
    for (int k = 0; k < reductions(&r) && partial; k++)
        r.partial[k] = partial[k];
    if (!take_memory(&r))
        return false;
    reduce_strips(&r, first, end);
    sta__release(r.memory);
    return true;
}

/* Merges the members' parts into the task's result. */
static bool merge_parts(struct reduce *r, void *const (*parts)[STA__MAXOUTPUTS], const int64_t *cut, int team)
{
    r->run.scratch = NULL;
    if (!take_memory(r))
        return false;
    for (int64_t cell = 0; cell < r->cells; cell += r->width) {
        r->block.width = r->cells - cell < r->width ? r->cells - cell : r->width;
        begin_trees(r, 0);
        for (int m = 0; m < team; m++)
            for (int k = 0; k < reductions(r); k++)
                if (cut[m] < cut[m + 1])
                    sta__tree_push_partial(&r->tree[k][0], cut[m + 1], parts[m][k], r->cells, cell);
        finish_strip(r, cell);
    }
    sta__release(r->memory);
    return true;
}

static void cut_range(int64_t from, int64_t to, int team, int64_t *cut)
{
    int64_t step = 1;
    while (step * team < to - from)
        step *= 2; /* aligned shares have short node lists */
    for (int m = 0; m <= team; m++) {
        int64_t at = (from / step + m) * step;
        cut[m] = m == 0 ? from : at > to ? to : at < from ? from : at;
    }
    cut[team] = to;
}

enum { TEAM = 256 };

/* Too few strips for the team: the range of the outermost reduced axis is shared out. */
static bool reduce_ranges(struct sta__job *job, struct reduce *whole, int team)
{
    void *parts[TEAM][STA__MAXOUTPUTS] = {{NULL}};
    int64_t cut[TEAM + 1];
    bool fine = true;
    cut_range(whole->from, whole->to, team, cut);
    for (int m = 0; m < team; m++)
        for (int k = 0; k < reductions(whole); k++) {
            const struct sta__reduction *reduction = reduction_of(whole, k);
            parts[m][k] = sta__allocate(64 + sta__partial_bytes((enum sta__reducer)reduction->op, reduction->dtype,
                                                                cut[m], cut[m + 1], whole->cells));
            fine &= parts[m][k] != NULL;
        }
    if (fine) {
#pragma omp parallel num_threads(team) reduction(&& : fine)
        for (int m = omp_get_thread_num(); m < team; m += omp_get_num_threads())
            if (cut[m] < cut[m + 1])
                fine = reduce_share(job, 0, whole->strips, cut[m], cut[m + 1], parts[m]) && fine;
    }
    fine = fine && merge_parts(whole, (void *const(*)[STA__MAXOUTPUTS])parts, cut, team);
    for (int m = 0; m < team; m++)
        for (int k = 0; k < reductions(whole); k++)
            sta__release(parts[m][k]);
    return fine;
}

bool sta__program_reduce(struct sta__job *job)
{
    struct reduce whole;
    open_reduce(&whole, job);
    int team = job->threads < TEAM ? job->threads : TEAM;
    if (team <= 1)
        return reduce_share(job, 0, whole.strips, whole.from, whole.to, NULL);
    if (whole.strips < team && !whole.flat)
        return reduce_ranges(job, &whole, team);
    bool fine = true;
#pragma omp parallel num_threads(team) reduction(&& : fine)
    {
        int64_t member = omp_get_thread_num(), members = omp_get_num_threads();
        fine = reduce_share(job, whole.strips * member / members, whole.strips * (member + 1) / members, whole.from,
                            whole.to, NULL);
    }
    return fine;
}
