/* The kernel that moves selected elements: the program gives the indices block by block, and each says in which tile its
 * element lies. Reading, a team shares the blocks; writing, each member looks at all of them, in order, and writes a range
 * of places of its own, so that the last of several elements for one place is the last one for any team. */
#include "codelets/index/move.h"

#include "copy/assemble.h"

#include <inttypes.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

/* ---- the words of the task ---- */

static const int64_t *read_partner(struct sta__mover *m, const int64_t *word)
{
    int ndim = m->move->lead + m->move->rest;
    memset(m->partner_stride, 0, sizeof m->partner_stride);
    m->partner_memory = (int)*word++;
    int64_t axes = *word++;
    if (m->partner_memory < 0) {
        m->partner = NULL;
        return word + 3 * axes;
    }
    const struct sta__memory *memory = &m->job->memory[m->partner_memory];
    m->partner = memory->data;
    for (int64_t s = 0; s < axes; s++, word += 3) {
        m->partner += word[2] * memory->stride[s];
        if (word[0] >= 0 && word[0] < ndim)
            m->partner_stride[word[0]] += word[1] * memory->stride[s];
    }
    return word;
}

static void open_mover(struct sta__mover *m, struct sta__job *job)
{
    const struct sta__program_arguments *arguments = job->arguments;
    m->job = job;
    m->move = arguments->shared;
    sta__run_open(&m->run, job);
    const int64_t *word = m->run.reduce_words;
    for (int a = 0; a < m->move->rest; a++)
        m->rest_first[a] = *word++;
    for (int a = 0; a < m->move->rest; a++)
        m->rest_end[a] = *word++;
    word = read_partner(m, word);
    m->tile_count = *word++;
    m->tiles = word;
    m->lead = (struct sta__piece){.base = m->partner};
    bool along = false;
    for (int s = 0; s < m->move->store_ndim; s++)
        along |= m->move->map[s].axis >= 0 && m->move->map[s].axis < m->move->lead;
    for (int a = 0; a < m->run.ndim; a++) {
        m->lead.to[a] = m->run.extent[a];
        m->lead.stride[a] = a < m->move->lead ? m->partner_stride[a] : 0;
    }
    /* The partner is walked as one more operand: axes merge only where it lies so too. */
    struct sta__run_operand *last = &m->run.operand[m->run.operands++];
    *last = (struct sta__run_operand){.piece = &m->lead, .pieces = 1, .item = m->move->item};
    if (m->partner_memory < 0) {
        m->run.operands--; /* it comes in blocks as the indices do */
        for (int a = 0; a < m->run.ndim; a++)
            m->lead.stride[a] = 0;
    }
    if (!along)
        sta__run_collapse(&m->run);
}

/* ---- the tiles ---- */

static bool is_outer(const struct sta__move *move, int s)
{
    return move->by[s] >= 0 || (move->map[s].axis >= 0 && move->map[s].axis < move->lead);
}

static int64_t place_of(const struct sta__mover *m, int64_t tile, bool outer)
{
    const struct sta__grid *grid = m->move->grid;
    int64_t at[STA_MAXDIM], place = 0;
    for (int s = grid->shape.ndim - 1; s >= 0; s--) {
        at[s] = tile % grid->count[s];
        tile /= grid->count[s];
    }
    for (int s = 0; s < grid->shape.ndim; s++)
        if (is_outer(m->move, s) == outer)
            place = place * grid->count[s] + at[s];
    return place;
}

static void plan_places(struct sta__mover *m)
{
    struct sta__places *p = &m->places;
    int64_t weight = 1;
    p->outers = 0;
    for (int s = m->move->store_ndim - 1; s >= 0; s--)
        if (is_outer(m->move, s)) {
            p->outer[p->outers] = s;
            p->weight[p->outers++] = weight;
            weight *= m->move->grid->count[s];
        }
}

/* Where a tile's elements lie, for frame indices of outer axes, at the part's first index of the others. */
static void add_tile(struct sta__mover *m, int64_t place, const struct sta__memory *memory, int64_t tile)
{
    const struct sta__move *move = m->move;
    struct sta__places *p = &m->places;
    struct sta__box box = sta__grid_box(move->grid, tile);
    char *origin = memory->data;
    int64_t *stride = p->stride[place - p->first];
    for (int s = 0; s < move->store_ndim; s++) {
        const struct sta__axis_map *map = &move->map[s];
        stride[s] = memory->stride[s];
        int64_t index = 0;
        if (!is_outer(move, s))
            index = map->offset + (map->axis < 0 ? 0 : map->step * m->part_from[map->axis - move->lead]);
        origin += (index - box.from[s]) * stride[s];
    }
    p->origin[place - p->first] = origin;
}

/* The part of the rest axes that one tile has, of what the task has. */
static bool find_part(struct sta__mover *m, int64_t tile)
{
    const struct sta__move *move = m->move;
    struct sta__box box = sta__grid_box(move->grid, tile);
    int64_t end[STA_MAXDIM];
    memcpy(m->part_from, m->rest_first, sizeof(int64_t) * (size_t)move->rest);
    memcpy(end, m->rest_end, sizeof(int64_t) * (size_t)move->rest);
    for (int s = 0; s < move->store_ndim; s++) {
        const struct sta__axis_map *map = &move->map[s];
        if (is_outer(move, s))
            continue;
        if (map->axis < 0 || map->step == 0) {
            if (map->offset < box.from[s] || map->offset >= box.to[s])
                return false;
            continue;
        }
        int a = map->axis - move->lead;
        int64_t low = sta__view_cut(map, box.from[s]), high = sta__view_cut(map, box.to[s]);
        int64_t from = map->step > 0 ? low : high, to = map->step > 0 ? high : low;
        m->part_from[a] = from > m->part_from[a] ? from : m->part_from[a];
        end[a] = to < end[a] ? to : end[a];
    }
    m->elements = 1;
    m->part = m->partner;
    for (int a = 0; a < move->rest; a++) {
        m->part_shape[a] = end[a] > m->part_from[a] ? end[a] - m->part_from[a] : 0;
        m->part_stride[a] = m->partner_stride[move->lead + a];
        m->elements *= m->part_shape[a];
        if (m->part)
            m->part += (m->part_from[a] - m->rest_first[a]) * m->part_stride[a];
    }
    return m->elements > 0;
}

/* The strides of the part in a tile, along the rest axes. */
static void part_strides(const struct sta__mover *m, const int64_t *frame, int64_t *to)
{
    for (int a = 0; a < m->move->rest; a++)
        to[a] = 0;
    for (int s = 0; s < m->move->store_ndim; s++)
        if (!is_outer(m->move, s) && m->move->map[s].axis >= 0)
            to[m->move->map[s].axis - m->move->lead] += m->move->map[s].step * frame[s];
}

static bool contiguous(const struct sta__mover *m, const int64_t *stride)
{
    int64_t step = (int64_t)m->move->item;
    for (int a = m->move->rest - 1; a >= 0; a--) {
        if (m->part_shape[a] != 1 && stride[a] != step)
            return false;
        step *= m->part_shape[a];
    }
    return true;
}

/* The places of tiles first .. end - 1 of the list, of one part. False: no memory. */
static bool open_places(struct sta__mover *m, int64_t first, int64_t end)
{
    struct sta__places *p = &m->places;
    int64_t low = INT64_MAX, high = 0;
    for (int64_t t = first; t < end; t++) {
        int64_t place = place_of(m, m->tiles[2 * t + 1], true);
        low = place < low ? place : low;
        high = place > high ? place : high;
    }
    p->first = low;
    p->count = high - low + 1;
    p->origin = sta__allocate(sizeof *p->origin * (size_t)p->count);
    p->stride = sta__allocate(sizeof *p->stride * (size_t)p->count);
    if (!p->origin || !p->stride)
        return false;
    p->even = true;
    m->run_of_bytes = contiguous(m, m->part_stride);
    const int64_t *one = NULL;
    for (int64_t t = first; t < end; t++) {
        int64_t place = place_of(m, m->tiles[2 * t + 1], true), strides[STA_MAXDIM];
        add_tile(m, place, &m->job->memory[m->tiles[2 * t]], m->tiles[2 * t + 1]);
        const int64_t *own = p->stride[place - p->first];
        one = one ? one : own;
        for (int k = 0; k < p->outers; k++)
            p->even &= own[p->outer[k]] == one[p->outer[k]];
        part_strides(m, own, strides);
        m->run_of_bytes &= contiguous(m, strides);
    }
    return true;
}

static void close_places(struct sta__mover *m)
{
    sta__release(m->places.origin);
    sta__release(m->places.stride);
    m->places.origin = NULL;
    m->places.stride = NULL;
}

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

static void apply(const struct sta__at *at, char *to, const char *source)
{
    _Alignas(16) char wide[16], result[16];
    const void *one[1] = {to}, *in[2] = {at->widen ? wide : to, source}, *made[1] = {result};
    if (at->widen)
        at->widen(1, wide, one);
    if (!at->narrow) {
        at->loop(1, to, in);
        return;
    }
    at->loop(1, result, in);
    at->narrow(1, to, made);
}

static void move_elements(const struct sta__mover *m, char *at, char *partner, const int64_t *stride, int axis)
{
    const struct sta__move *move = m->move;
    if (axis == move->rest) {
        if (move->way == STA__MOVE_AT)
            apply(move->at, at, partner);
        else
            memcpy(move->way == STA__MOVE_READ ? partner : at, move->way == STA__MOVE_READ ? at : partner, move->item);
        return;
    }
    for (int64_t i = 0; i < m->part_shape[axis]; i++)
        move_elements(m, at + i * stride[axis], partner + i * m->part_stride[axis], stride, axis + 1);
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
    part_strides(m, frame, stride);
    if (move->way == STA__MOVE_READ)
        sta__copy_box(partner, m->part_stride, at, stride, m->part_shape, move->rest, move->item);
    else if (move->way == STA__MOVE_WRITE)
        sta__copy_box(at, stride, partner, m->part_stride, m->part_shape, move->rest, move->item);
    else
        move_elements(m, at, partner, stride, 0);
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

/* The lines of one block, along the last axis. */
static sta_error_code move_block(struct sta__mover *m, const struct sta__block *block, bool fast, char *text)
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
        int64_t bad = fast ? sta__move_line_fast(m, &line) : sta__move_line(m, &line);
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

static sta_error_code move_tiles(struct sta__mover *m, int64_t first, int64_t end, int member, int team, char *text)
{
    if (!find_part(m, m->tiles[2 * first + 1]))
        return STA_ERROR_NONE;
    if (!open_places(m, first, end))
        return STA_ERROR_MEMORY;
    bool reads = m->move->way == STA__MOVE_READ;
    if (!reads && m->places.outers == 0 && member > 0)
        return STA_ERROR_NONE; /* one place: nothing to share */
    share_places(m, first, end, member, reads ? 1 : team);
    bool fast = sta__move_is_fast(m);
    struct sta__block_walk walk = sta__block_walk_plan(&m->run);
    int64_t from = reads ? walk.blocks * member / team : 0,
            to = reads ? walk.blocks * (member + 1) / team : walk.blocks;
    sta_error_code code = STA_ERROR_NONE;
    for (int64_t number = from; number < to && !code; number++) {
        struct sta__block block = {.axis = walk.axis};
        sta__block_walk_place(&m->run, &walk, number, &block);
        sta__run_block(&m->run, &block);
        code = move_block(m, &block, fast, text);
    }
    return code;
}

static sta_error_code run_member(struct sta__job *job, int member, int team, char *text)
{
    struct sta__mover m;
    memset(&m.places, 0, sizeof m.places);
    open_mover(&m, job);
    plan_places(&m);
    m.run.scratch = sta__allocate((size_t)(m.run.program->buffers + 1) * STA__SLOT_BYTES);
    sta_error_code code = m.run.scratch ? STA_ERROR_NONE : STA_ERROR_MEMORY;
    for (int64_t first = 0, end; first < m.tile_count && !code; first = end) {
        int64_t part = place_of(&m, m.tiles[2 * first + 1], false);
        for (end = first + 1; end < m.tile_count && place_of(&m, m.tiles[2 * end + 1], false) == part; end++)
            ;
        code = move_tiles(&m, first, end, member, team, text);
        close_places(&m);
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

/* A few nanoseconds for each index, and the copies. */
static double cost(const struct sta__job *job)
{
    const struct sta__program_arguments *arguments = job->arguments;
    double elements = 1;
    for (int a = 0; a < arguments->ndim; a++)
        elements *= (double)arguments->word[a];
    return 4 * elements;
}

const struct sta__kernel sta__move_kernel[3] = {
    [STA__MOVE_READ] = {.name = "take", .cpu = run, .cost = cost, .end = end, .hash = sta__program_hash},
    [STA__MOVE_WRITE] = {.name = "put", .cpu = run, .cost = cost, .end = end, .hash = sta__program_hash},
    [STA__MOVE_AT] = {.name = "put_at", .cpu = run, .cost = cost, .end = end, .hash = sta__program_hash},
};
