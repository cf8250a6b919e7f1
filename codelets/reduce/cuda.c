/* Programs that end in reductions, on a GPU: one kernel computes the elements and reduces the last of the reduced axes
 * (cuda_walk.h); where more axes are reduced, its states are reduced along them, the last first. */
#include "reduce/cuda_reduce.h"

#include "cuda.h"
#include "cuda_worker.h"
#include "elementwise/program_cuda.h"
#include "reduce/cuda_boxes.h"
#include "reduce/fold.h"
#include "reduce/program.h"

#include <string.h>

struct reduce {
    struct sta__job *job;
    struct sta__run run;
    enum sta__reduce_mode mode;
    struct sta__reduce_target target[STA__MAXOUTPUTS];
    int64_t carry[STA__MAXOUTPUTS]; /* memory of the part before this one, which it is joined to; -1: none */
    int cut, level;                 /* the axis along which operands lie in pieces, -1: none; log2 of a piece */
    int64_t pieces;
    struct sta__cuda_walk walk;
};

static const struct sta__reduction *reduction_of(const struct reduce *r, int k)
{
    return &r->run.program->reduction[k];
}

static int reductions(const struct reduce *r)
{
    return r->run.program->reductions;
}

/* ---- operands in one piece ---- */

/* An operand that lies in several tiles is gathered into memory of its own. */
static sta_error_code gather(struct reduce *r, struct sta__run_operand *operand)
{
    const struct sta__run *run = &r->run;
    struct sta__piece whole = {.base = NULL};
    int64_t step = (int64_t)operand->item;
    for (int a = run->ndim - 1; a >= 0; a--) {
        whole.to[a] = run->extent[a];
        whole.stride[a] = step;
        step *= run->extent[a];
    }
    whole.base = sta__cuda_walk_scratch(r->job, (size_t)step);
    if (!whole.base)
        return STA_ERROR_MEMORY;
    for (int p = 0; p < operand->pieces && r->job->cuda; p++) {
        const struct sta__piece *piece = &operand->piece[p];
        struct sta__cuda_box box = {.to = whole.base, .from = piece->base, .ndim = run->ndim};
        for (int a = 0; a < run->ndim; a++) {
            box.shape[a] = piece->to[a] - piece->from[a];
            box.to_stride[a] = whole.stride[a];
            box.from_stride[a] = piece->stride[a];
            box.to += piece->from[a] * whole.stride[a];
            box.from += piece->from[a] * piece->stride[a];
        }
        const sta_error_code code = sta__cuda_check(
            r->job, sta__cuda_copy_box(&box, operand->item, r->job->cuda->stream), "gathering an operand");
        if (code)
            return code;
    }
    operand->piece[0] = whole;
    operand->pieces = 1;
    return STA_ERROR_NONE;
}

/* ---- reduced axes that are one: inner lengths of powers of two do not change the tree ---- */

static bool merges(const struct sta__run *run, int axis)
{
    const int64_t length = run->extent[axis + 1];
    return (run->axes >> axis & 3) == 3 && !(length & (length - 1)) && (length == 1 || sta__run_merges(run, axis));
}

static void merge_reduced(struct sta__run *run)
{
    for (int a = run->ndim - 2; a >= 0; a--) {
        const int64_t first = run->first[a] * run->extent[a + 1];
        if (!merges(run, a))
            continue;
        for (int o = 0; o < run->operands && run->extent[a + 1] == 1; o++)
            for (int p = 0; p < run->operand[o].pieces; p++)
                run->operand[o].piece[p].stride[a + 1] = run->operand[o].piece[p].stride[a];
        sta__run_merge(run, a);
        run->first[a] = first;
    }
}

/* ---- pieces: where all operands are cut along one axis, the kernel finds them itself ---- */

enum {
    ROWS_LEVEL = 13,    /* log2 of a piece's indices: chunks are no longer than that, if need be */
    COLUMNS_LEVEL = 11, /* the same of columns of one element, and of those a block is as wide as */
    WIDE_LEVEL = 6,
    WIDE = 256,
    FEW_PIECES = 8 /* kernels are made for one, for so many, and for the most */
};

/* The axis along which an operand is cut, -1: none; -2: it is not cut so that pieces are 0, 1, ... times an edge. */
static int cut_axis(const struct sta__run *run, const struct sta__run_operand *operand)
{
    const struct sta__piece *first = operand->piece;
    int axis = -1;
    for (int a = 0; a < run->ndim; a++)
        if (first->from[a] != 0 || first->to[a] != run->extent[a])
            axis = axis == -1 && first->from[a] == 0 ? a : -2;
    for (int p = 0; p < operand->pieces && axis >= 0; p++) {
        const struct sta__piece *piece = &first[p];
        const int64_t edge = first->to[axis], end = (p + 1) * edge;
        bool fits =
            piece->from[axis] == p * edge && piece->to[axis] == (end < run->extent[axis] ? end : run->extent[axis]);
        for (int a = 0; a < run->ndim; a++)
            fits &= piece->stride[a] == first->stride[a] &&
                    (a == axis || (piece->from[a] == 0 && piece->to[a] == run->extent[a]));
        if (!fits)
            return -2;
    }
    return axis;
}

static int least_level(const struct sta__run *run, int cut)
{
    const int last = run->ndim - 1;
    if (cut == last)
        return ROWS_LEVEL;
    return run->extent[last] < WIDE ? COLUMNS_LEVEL : WIDE_LEVEL;
}

/* Chooses the smallest edge of all operands, a power of two. False: some have to be gathered. */
static bool pieces_fit(struct reduce *r)
{
    const struct sta__run *run = &r->run;
    int64_t edge = 0;
    r->cut = -1;
    r->pieces = 1;
    for (int o = 0; o < run->operands; o++) {
        const int axis = cut_axis(run, &run->operand[o]);
        if (axis == -2 || (axis >= 0 && r->cut >= 0 && axis != r->cut))
            return false;
        if (axis < 0)
            continue;
        const int64_t own = run->operand[o].piece->to[axis];
        r->cut = axis;
        edge = edge && edge < own ? edge : own;
        if (own & (own - 1))
            return false;
    }
    if (r->cut < 0)
        return true;
    const bool reduced = run->axes >> r->cut & 1;
    const int64_t count = (run->extent[r->cut] + edge - 1) / edge;
    r->pieces = count <= FEW_PIECES ? FEW_PIECES : STA__WALK_PIECES;
    r->level = 63 - __builtin_clzll((unsigned long long)edge);
    return count <= STA__WALK_PIECES && (reduced || r->cut < run->ndim - 1) &&
           (!reduced || (r->level >= least_level(run, r->cut) && run->first[r->cut] % edge == 0)) &&
           run->operands * (r->pieces + STA_MAXDIM) < STA__WALK_WORDS - 150;
}

/* ---- what was asked for ---- */

static void read_targets(struct reduce *r)
{
    const int64_t *word = r->run.reduce_words, *end = r->run.arguments->word + r->run.arguments->words;
    const bool carries = end - word > 1 + STA__COMPONENTS * reductions(r);
    r->mode = (enum sta__reduce_mode) * word++;
    for (int k = 0; k < reductions(r); k++) {
        for (int c = 0; c < STA__COMPONENTS; c++)
            r->target[k].memory[c] = *word++;
        r->carry[k] = carries ? *word++ : -1;
    }
}

static sta_error_code open_reduce(struct reduce *r, struct sta__job *job)
{
    memset(&r->walk, 0, sizeof r->walk);
    r->job = job;
    if (job->cuda && !sta__cuda_upload_all(job))
        return STA_ERROR_MEMORY;
    sta__run_open(&r->run, job);
    read_targets(r);
    sta__run_collapse(&r->run);
    merge_reduced(&r->run);
    if (pieces_fit(r))
        return STA_ERROR_NONE;
    r->cut = -1;
    r->pieces = 1;
    for (int o = 0; o < r->run.operands; o++)
        if (r->run.operand[o].pieces > 1) {
            const sta_error_code code = gather(r, &r->run.operand[o]);
            if (code)
                return code;
        }
    sta__run_collapse(&r->run); /* what lies in one piece may merge further */
    merge_reduced(&r->run);
    return STA_ERROR_NONE;
}

/* Node 0 of a list for so many kept cells. */
static struct sta__cuda_walk_target list_at(const struct reduce *r, int k, void *memory, int64_t cells)
{
    const enum sta__reducer op = (enum sta__reducer)reduction_of(r, k)->op;
    const sta_dtype dtype = reduction_of(r, k)->dtype;
    struct sta__cuda_walk_target to = {{NULL, NULL}, (int64_t)sta__state_bytes(op, dtype, cells)};
    const struct sta__state node = sta__partial_node(op, dtype, memory, cells, 0, 0);
    memcpy(to.at, node.at, sizeof node.at);
    return to;
}

static struct sta__cuda_walk_target result_at(const struct reduce *r, int k, int64_t cells)
{
    struct sta__cuda_walk_target to = {{NULL, NULL}, 0};
    if (r->mode != STA__REDUCE_FINAL)
        return list_at(r, k, r->job->memory[r->target[k].memory[0]].data, cells);
    for (int c = 0; c < STA__COMPONENTS; c++)
        to.at[c] = r->target[k].memory[c] < 0 ? NULL : r->job->memory[r->target[k].memory[c]].data;
    return to;
}

/* The results of the task; where they are joined to a part before, lists of its own first. */
static bool aim_at_results(struct reduce *r, int64_t cells)
{
    struct sta__cuda_walk *w = &r->walk;
    const bool carries = r->carry[0] >= 0;
    w->partial = carries || r->mode == STA__REDUCE_PARTIAL;
    w->finished = !w->partial;
    for (int k = 0; k < reductions(r); k++) {
        if (!carries) {
            w->target[k] = result_at(r, k, cells);
            continue;
        }
        void *memory = sta__cuda_walk_scratch(r->job, sta__partial_bytes((enum sta__reducer)reduction_of(r, k)->op,
                                                                         reduction_of(r, k)->dtype, w->first,
                                                                         w->first + w->length, cells));
        if (!memory)
            return false;
        w->target[k] = list_at(r, k, memory, cells);
    }
    return true;
}

/* Joins the lists of this task to those of the parts before it. */
static sta_error_code join_carried(struct reduce *r, int64_t cells)
{
    const struct sta__cuda_walk *w = &r->walk;
    for (int k = 0; k < reductions(r); k++) {
        struct sta__merge_parts m = {.reducer = (enum sta__reducer)reduction_of(r, k)->op,
                                     .dtype = reduction_of(r, k)->dtype,
                                     .count = 2,
                                     .cells = cells,
                                     .unit = w->unit,
                                     .cut = {0, w->first, w->first + w->length},
                                     .partial = r->mode == STA__REDUCE_PARTIAL};
        m.part[0] = r->job->memory[r->carry[k]].data;
        m.part[1] = w->target[k].at[0];
        m.target = result_at(r, k, cells);
        const sta_error_code code = sta__merge_launch(r->job, &m);
        if (code)
            return code;
    }
    return STA_ERROR_NONE;
}

/* States of an inner axis, to be read by the next walk. */
static bool aim_at_states(struct reduce *r, int64_t cells)
{
    struct sta__cuda_walk *w = &r->walk;
    w->partial = false;
    w->finished = true;
    for (int k = 0; k < reductions(r); k++) {
        const enum sta__reducer op = (enum sta__reducer)reduction_of(r, k)->op;
        const sta_dtype dtype = reduction_of(r, k)->dtype;
        void *memory = sta__cuda_walk_scratch(r->job, sta__state_bytes(op, dtype, cells));
        if (!memory)
            return false;
        const struct sta__state state = sta__state_in(op, dtype, memory, cells);
        memcpy(w->target[k].at, state.at, sizeof state.at);
        w->target[k].node = 0;
    }
    return true;
}

/* ---- the walks ---- */

static int last_reduced(const struct sta__run *run)
{
    return 31 - __builtin_clz(run->axes);
}

/* Larger pieces than those of the kernel are several of them. */
static void put_bases(struct reduce *r, int o)
{
    const struct sta__run_operand *operand = &r->run.operand[o];
    const int64_t own = r->cut < 0 ? 1 : operand->piece->to[r->cut];
    for (int64_t p = 0; p < r->walk.key.pieces; p++) {
        const int64_t number = r->cut < 0 ? 0 : (p << r->level) / own;
        r->walk.operand[o].base[p] = operand->piece[number < operand->pieces ? number : 0].base;
    }
}

/* The kernel of the program: reduces `axis`, walks the other axes. */
static void shape_program(struct reduce *r, int axis)
{
    struct sta__cuda_walk *w = &r->walk;
    const struct sta__run *run = &r->run;
    const int last = run->ndim - 1;
    const bool rows = axis == last;
    w->program = run->program;
    w->key.operands = (uint8_t)run->operands;
    w->key.count = (uint8_t)run->program->reductions;
    for (int k = 0; k < w->key.count && k < STA__MAXOUTPUTS; k++) {
        w->key.reducer[k] = (uint8_t)run->program->reduction[k].op;
        w->key.dtype[k] = (uint8_t)run->program->reduction[k].dtype;
    }
    w->key.kind = rows ? STA__REDUCE_ROWS : STA__REDUCE_COLUMNS;
    w->key.pieces = (uint8_t)r->pieces;
    w->piece_axis = -1;
    w->piece_level = r->level;
    w->length = run->extent[axis];
    w->first = run->first[axis];
    w->columns = rows ? 1 : run->extent[last];
    w->cells = w->unit = 1;
    for (int o = 0; o < run->operands; o++) {
        const struct sta__piece *piece = run->operand[o].piece;
        w->item[o] = run->operand[o].item;
        w->operand[o].step = rows ? 0 : piece->stride[axis];
        w->operand[o].side = piece->stride[last];
        put_bases(r, o);
    }
    for (int a = 0; a < last; a++) {
        if (a == axis)
            continue;
        w->cells *= run->extent[a];
        w->extent[w->key.outer] = run->extent[a];
        if (a == r->cut)
            w->piece_axis = w->key.outer;
        for (int o = 0; o < run->operands; o++)
            w->operand[o].outer[w->key.outer] = run->operand[o].piece->stride[a];
        w->key.outer++;
    }
    if (w->key.outer == 0) { /* one cell */
        w->key.outer = 1;
        w->extent[0] = 1;
    }
}

/* The results of a walk become the states that the next one reads. */
static void read_states(struct reduce *r)
{
    struct sta__cuda_walk *w = &r->walk;
    w->program = NULL;
    w->key.kind = STA__REDUCE_NODES;
    w->key.operands = w->key.lanes = w->key.warps = w->key.pieces = 0;
    memset(w->key.access, 0, sizeof w->key.access);
    w->key.outer = 1;
    w->extent[0] = 1;
    memset(w->operand, 0, sizeof w->operand);
    for (int k = 0; k < reductions(r); k++)
        memcpy(w->source[k].at, w->target[k].at, sizeof w->source[k].at);
}

static void shape_states(struct reduce *r, const int64_t *extent, int axis)
{
    struct sta__cuda_walk *w = &r->walk;
    w->unit *= w->length;
    w->cells = w->columns = 1;
    for (int a = 0; a < r->run.ndim; a++)
        if (a != axis)
            *(a < axis ? &w->cells : &w->columns) *= extent[a];
    w->length = extent[axis];
    w->first = r->run.first[axis];
}

static sta_error_code reduce(struct sta__job *job)
{
    struct reduce r;
    sta_error_code code = open_reduce(&r, job);
    int64_t extent[STA_MAXDIM], cells = 1;
    if (code)
        return code;
    memcpy(extent, r.run.extent, sizeof extent);
    for (int a = 0; a < r.run.ndim; a++)
        cells *= extent[a];
    for (bool program = true; r.run.axes; program = false) {
        const int axis = last_reduced(&r.run);
        if (program) {
            shape_program(&r, axis);
        } else {
            read_states(&r);
            shape_states(&r, extent, axis);
        }
        cells /= extent[axis];
        extent[axis] = 1;
        r.run.axes &= ~(1U << axis);
        if (!(r.run.axes ? aim_at_states(&r, cells) : aim_at_results(&r, cells)))
            return STA_ERROR_MEMORY;
        code = sta__cuda_walk_run(job, &r.walk);
        if (code)
            return code;
    }
    return r.carry[0] < 0 ? STA_ERROR_NONE : join_carried(&r, cells);
}

sta_error_code sta__program_reduce_cuda(struct sta__job *job)
{
    return reduce(job);
}

bool sta__program_reduce_ready(struct sta__job *job)
{
    sta__cuda_imagine(job);
    job->cuda = NULL;
    return reduce(job) == STA_ERROR_NONE;
}
