/* What the words of a task say about the places of its elements: the same for all kernels that move. Contract: move.h. */
#include "codelets/index/move.h"

#include <string.h>

/* ---- the words of the task ---- */

static bool is_outer(const struct sta__move *move, int s)
{
    return move->by[s] >= 0 || (move->map[s].axis >= 0 && move->map[s].axis < move->lead);
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

void sta__mover_open(struct sta__mover *m, struct sta__job *job)
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
    plan_places(m);
}

/* ---- the tiles ---- */

int64_t sta__mover_place(const struct sta__mover *m, int64_t tile, bool outer)
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
bool sta__mover_part(struct sta__mover *m, int64_t tile)
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
void sta__mover_strides(const struct sta__mover *m, const int64_t *frame, int64_t *to)
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
bool sta__mover_places(struct sta__mover *m, int64_t first, int64_t end)
{
    struct sta__places *p = &m->places;
    int64_t low = INT64_MAX, high = 0;
    for (int64_t t = first; t < end; t++) {
        int64_t place = sta__mover_place(m, m->tiles[2 * t + 1], true);
        low = place < low ? place : low;
        high = place > high ? place : high;
    }
    p->first = low;
    p->count = high - low + 1;
    p->origin = sta__allocate(sizeof *p->origin * (size_t)p->count);
    p->stride = sta__allocate(sizeof *p->stride * (size_t)p->count);
    if (!p->origin || !p->stride)
        return false;
    p->even = m->rest_alike = true;
    m->run_of_bytes = contiguous(m, m->part_stride);
    const int64_t *one = NULL;
    for (int64_t t = first; t < end; t++) {
        int64_t place = sta__mover_place(m, m->tiles[2 * t + 1], true), strides[STA_MAXDIM];
        add_tile(m, place, &m->job->memory[m->tiles[2 * t]], m->tiles[2 * t + 1]);
        const int64_t *own = p->stride[place - p->first];
        one = one ? one : own;
        for (int k = 0; k < p->outers; k++)
            p->even &= own[p->outer[k]] == one[p->outer[k]];
        sta__mover_strides(m, own, strides);
        if (t == first)
            memcpy(m->rest_stride, strides, sizeof(int64_t) * (size_t)m->move->rest);
        for (int a = 0; a < m->move->rest; a++)
            m->rest_alike &= strides[a] == m->rest_stride[a];
        m->run_of_bytes &= contiguous(m, strides);
    }
    return true;
}

void sta__mover_close(struct sta__mover *m)
{
    sta__release(m->places.origin);
    sta__release(m->places.stride);
    m->places.origin = NULL;
    m->places.stride = NULL;
}
