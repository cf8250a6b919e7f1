/* The kernel that moves selected elements: the program gives the indices block by block, and each says in which tile its
 * element lies. Reading, a team shares the blocks; writing, each member looks at all of them, in order, and writes a range
 * of places of its own, so that the last of several elements for one place is the last one for any team. */
#include "codelets/index/cuda_index.h"
#include "codelets/index/move.h"

#include "copy/assemble.h"

#include <inttypes.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

/* What this member of a team writes: a range of indices of the first outer axis. */
static void share_places(struct sta__mover *m, int64_t first, int64_t end, int member, int team)
{
    struct sta__places *p = &m->places;
    p->low = 0;
    p->high = INT64_MAX;
    if (team <= 1 || p->outers == 0)
        return;
    int s = p->outer[p->outers - 1];
    int64_t from = INT64_MAX, to = 0;
    for (int64_t t = first; t < end; t++) {
        struct sta__box box = sta__grid_box(m->move->grid, m->tiles[2 * t + 1]);
        from = box.from[s] < from ? box.from[s] : from;
        to = box.to[s] > to ? box.to[s] : to;
    }
    p->low = from + (to - from) * member / team;
    p->high = from + (to - from) * (member + 1) / team;
}

/* ---- one element, or all that one index selects ---- */

static void apply_part(const struct sta__mover *m, char *at, const char *partner, const int64_t *stride, int axis)
{
    const struct sta__move *move = m->move;
    if (axis >= move->rest - 1) {
        int64_t count = move->rest ? m->part_shape[axis] : 1;
        sta__apply_row(move->at, count, at, move->rest ? stride[axis] : 0, partner,
                       move->rest ? m->part_stride[axis] : 0);
        return;
    }
    for (int64_t i = 0; i < m->part_shape[axis]; i++)
        apply_part(m, at + i * stride[axis], partner + i * m->part_stride[axis], stride, axis + 1);
}

static void move_part(const struct sta__mover *m, char *at, char *partner, const int64_t *frame)
{
    const struct sta__move *move = m->move;
    int64_t stride[STA_MAXDIM];
    if (move->way != STA__MOVE_AT && m->run_of_bytes) {
        size_t bytes = (size_t)m->elements * move->item;
        memcpy(move->way == STA__MOVE_READ ? partner : at, move->way == STA__MOVE_READ ? at : partner, bytes);
        return;
    }
    sta__mover_strides(m, frame, stride);
    if (move->way == STA__MOVE_READ)
        sta__copy_box(partner, m->part_stride, at, stride, m->part_shape, move->rest, move->item);
    else if (move->way == STA__MOVE_WRITE)
        sta__copy_box(at, stride, partner, m->part_stride, m->part_shape, move->rest, move->item);
    else
        apply_part(m, at, partner, stride, 0);
}

static int64_t tile_along(const struct sta__grid *grid, int s, int64_t index)
{
    if (grid->count[s] == 1)
        return 0;
    return grid->edge[s] ? index / grid->edge[s] : sta__grid_find(grid, s, index);
}

int64_t sta__move_line(struct sta__mover *m, const struct sta__line *line)
{
    const struct sta__move *move = m->move;
    const struct sta__places *p = &m->places;
    char *partner = line->partner;
    for (int64_t i = 0; i < line->count; i++, partner += line->step) {
        int64_t place = 0, index[STA_MAXDIM], wrapped[STA__MAXARRAYS];
        for (int j = 0; j < move->arrays; j++) { /* one that takes a broadcast axis selects nothing, but may be wrong */
            wrapped[j] = line->ids[j][i] + (line->ids[j][i] < 0 ? move->length[j] : 0);
            if ((uint64_t)wrapped[j] >= (uint64_t)move->length[j])
                return i;
        }
        for (int k = 0; k < p->outers; k++) {
            int s = p->outer[k], j = move->by[s];
            const struct sta__axis_map *map = &move->map[s];
            index[k] = j < 0 ? line->at[s] + i * line->by[s] : map->offset + map->step * wrapped[j];
            place += tile_along(move->grid, s, index[k]) * p->weight[k];
        }
        place -= p->first;
        char *at = place >= 0 && place < p->count ? p->origin[place] : NULL;
        if (!at || (p->outers && (index[p->outers - 1] < p->low || index[p->outers - 1] >= p->high)))
            continue;
        for (int k = 0; k < p->outers; k++)
            at += index[k] * p->stride[place][p->outer[k]];
        move_part(m, at, partner, p->stride[place]);
    }
    return -1;
}

/* ---- walking ---- */

static sta_error_code out_of_range(struct sta__job *job, const struct sta__move *move, const struct sta__line *line,
                                   int64_t i)
{
    for (int j = 0; j < move->arrays; j++) {
        int64_t id = line->ids[j][i];
        if (id >= -move->length[j] && id < move->length[j])
            continue;
        snprintf(job->text, sizeof job->text, "index %" PRId64 " is out of range for axis %d of length %" PRId64, id,
                 move->axis[j], move->length[j]);
        break;
    }
    return STA_ERROR_INDEX;
}

typedef int64_t line_mover(struct sta__mover *m, const struct sta__line *line);

/* The lines of one block, along the last axis. */
static sta_error_code move_block(struct sta__mover *m, const struct sta__block *block, line_mover *move_line,
                                 char *text)
{
    const struct sta__move *move = m->move;
    const struct sta__program *program = m->run.program;
    int last = m->run.ndim - 1;
    int64_t at[STA_MAXDIM], length = block->axis == last ? block->rows : m->run.extent[last];
    memcpy(at, block->origin, sizeof at);
    const char *computed = move->source_slot < 0 ? NULL : m->run.slot[program->output[move->source_slot].slot];
    for (int64_t done = 0; done < block->count; done += length) {
        struct sta__line line = {.count = length, .step = m->lead.stride[last]};
        for (int j = 0; j < move->arrays; j++)
            line.ids[j] = (const int64_t *)m->run.slot[program->output[move->slot[j]].slot] + done;
        for (int s = 0; s < move->store_ndim; s++) {
            const struct sta__axis_map *map = &move->map[s];
            if (move->by[s] >= 0 || map->axis < 0 || map->axis >= move->lead)
                continue;
            line.at[s] = map->offset + map->step * (m->run.first[map->axis] + at[map->axis]);
            line.by[s] = map->axis == last ? map->step : 0;
        }
        if (computed) {
            int64_t item = (int64_t)(move->at ? move->at->source_item : move->item);
            line.partner = (char *)(uintptr_t)computed + done * item;
            line.step = item;
        } else {
            line.partner = m->part;
            for (int a = 0; a <= last; a++)
                line.partner += at[a] * m->lead.stride[a];
        }
        int64_t bad = move_line(m, &line);
        if (bad >= 0) {
            struct sta__job own = {.count = 0};
            out_of_range(&own, move, &line, bad);
            memcpy(text, own.text, sizeof own.text);
            return STA_ERROR_INDEX;
        }
        for (int a = last - 1;
             a >= block->axis && ++at[a] >= block->origin[a] + (a == block->axis ? block->rows : m->run.extent[a]); a--)
            at[a] = block->origin[a];
    }
    return STA_ERROR_NONE;
}

static line_mover *choose_mover(struct sta__mover *m)
{
    if (!sta__plain_open(m))
        return sta__move_line;
    return m->elements == 1 ? sta__move_line_fast : sta__parts_open(m) ? sta__move_line_parts : sta__move_line;
}

static sta_error_code move_tiles(struct sta__mover *m, int64_t first, int64_t end, int member, int team, char *text)
{
    if (!sta__mover_part(m, m->tiles[2 * first + 1]))
        return STA_ERROR_NONE;
    if (!sta__mover_places(m, first, end))
        return STA_ERROR_MEMORY;
    bool reads = m->move->way == STA__MOVE_READ;
    if (!reads && m->places.outers == 0 && member > 0)
        return STA_ERROR_NONE; /* one place: nothing to share */
    share_places(m, first, end, member, reads ? 1 : team);
    line_mover *move_line = choose_mover(m);
    struct sta__block_walk walk = sta__block_walk_plan(&m->run);
    int64_t from = reads ? walk.blocks * member / team : 0,
            to = reads ? walk.blocks * (member + 1) / team : walk.blocks;
    sta_error_code code = STA_ERROR_NONE;
    for (int64_t number = from; number < to && !code; number++) {
        struct sta__block block = {.axis = walk.axis};
        sta__block_walk_place(&m->run, &walk, number, &block);
        sta__run_block(&m->run, &block);
        code = move_block(m, &block, move_line, text);
    }
    return code;
}

static sta_error_code run_member(struct sta__job *job, int member, int team, char *text)
{
    struct sta__mover m;
    memset(&m.places, 0, sizeof m.places);
    sta__mover_open(&m, job);
    m.run.scratch = sta__allocate((size_t)(m.run.program->buffers + 1) * STA__SLOT_BYTES);
    sta_error_code code = m.run.scratch ? STA_ERROR_NONE : STA_ERROR_MEMORY;
    for (int64_t first = 0, end; first < m.tile_count && !code; first = end) {
        int64_t part = sta__mover_place(&m, m.tiles[2 * first + 1], false);
        for (end = first + 1; end < m.tile_count && sta__mover_place(&m, m.tiles[2 * end + 1], false) == part; end++)
            ;
        code = move_tiles(&m, first, end, member, team, text);
        sta__mover_close(&m);
    }
    sta__release(m.run.scratch);
    return code;
}

/* Of several errors the first in order is told: members have blocks in order. */
static sta_error_code run(struct sta__job *job)
{
    if (job->threads <= 1)
        return run_member(job, 0, 1, job->text);
    sta_error_code first = STA_ERROR_NONE;
    int lowest = INT32_MAX;
#pragma omp parallel num_threads(job->threads)
    {
        char text[sizeof job->text] = "";
        int member = omp_get_thread_num();
        sta_error_code code = run_member(job, member, omp_get_num_threads(), text);
#pragma omp critical(sta__move)
        if (code && member < lowest) {
            lowest = member;
            first = code;
            memcpy(job->text, text, sizeof text);
        }
    }
    return first;
}

void sta__move_drop(struct sta__move *move)
{
    if (!move || atomic_fetch_sub(&move->references, 1) != 1)
        return;
    sta__grid_drop(move->grid);
    sta__release(move->at);
    sta__release(move);
}

static void end(void *arguments)
{
    sta__move_drop(((struct sta__program_arguments *)arguments)->shared);
    sta__program_end(arguments);
}

static double cost(const struct sta__job *job)
{
    const struct sta__program_arguments *arguments = job->arguments;
    double indices = 1;
    for (int a = 0; a < arguments->ndim; a++)
        indices *= (double)arguments->word[a];
    return indices * sta__move_cost(arguments->shared);
}

#define MOVES(what, way)                                                                                               \
    {                                                                                                                  \
        .name = what, .cpu = run, .cost = cost, .end = end, .hash = sta__program_hash, .cuda = sta__move_cuda,         \
        .ready = sta__move_ready, .fault = sta__move_fault, .fails = (way) == STA__MOVE_READ                           \
    }
const struct sta__kernel sta__move_kernel[3] = {[STA__MOVE_READ] = MOVES("take", STA__MOVE_READ),
                                                [STA__MOVE_WRITE] = MOVES("put", STA__MOVE_WRITE),
                                                [STA__MOVE_AT] = MOVES("put_at", STA__MOVE_AT)};
