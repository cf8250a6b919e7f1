/* Plain lines: where their elements lie, in tiles that lie alike. Contract: lines.h. */
#include "codelets/index/lines.h"

#include <string.h>

/* ---- one axis ---- */

/* ((index >> shift) * factor) >> tail is index / edge: the edge is an odd number times 2^shift, and the factor 2^tail over that
 * number, rounded up, with 31 bits more than the number has. Exact for quotients of less than 31 bits. */
static bool divides_quickly(struct sta__axis *axis, int64_t length)
{
    enum { BITS = 31 };
    axis->shift = __builtin_ctzll((unsigned long long)axis->edge);
    const uint64_t odd = (uint64_t)axis->edge >> axis->shift;
    const int more = odd == 1 ? 0 : 64 - __builtin_clzll(odd - 1);
    if ((length - 1) >> axis->shift >> BITS || more > BITS)
        return false;
    axis->tail = BITS + more;
    axis->factor = (uint32_t)((((uint64_t)1 << axis->tail) + odd - 1) / odd);
    return true;
}

bool sta__axis_open(struct sta__axis *axis, const struct sta__move *move, int s)
{
    const struct sta__grid *grid = move->grid;
    int j = move->by[s];
    *axis = (struct sta__axis){.array = j, .edge = grid->edge[s], .high = INT64_MAX};
    if (j >= 0) {
        axis->length = move->length[j];
        axis->offset = move->map[s].offset;
        axis->step = move->map[s].step;
    }
    if (grid->count[s] == 1) {
        axis->edge = INT64_MAX;
        axis->shift = 63; /* of a factor of 0 all is tile 0 */
        axis->quick = true;
        return true;
    }
    if (axis->edge == 0)
        return false;
    axis->quick = divides_quickly(axis, grid->shape.at[s]);
    return true;
}

bool sta__ids_fit(const int64_t *ids, int64_t n, int64_t length)
{
    return STA__BEST_ISA(sta__find_loops)->fit(ids, n, length);
}

static bool power_of_two(int64_t n)
{
    return n > 0 && (n & (n - 1)) == 0;
}

static enum sta__find_kind kind_of(const struct sta__axis *axis)
{
    if (axis->offset != 0 || axis->step != 1 || axis->weight != 1 || (axis->stride != 0 && !power_of_two(axis->stride)))
        return STA__FIND_ANY;
    return power_of_two(axis->edge) ? STA__FIND_SIMPLE : STA__FIND_PLAIN;
}

struct sta__finding sta__axis_finding(const struct sta__axis *axis, int64_t first)
{
    return (struct sta__finding){.ids = axis->ids + first,
                                 .length = axis->length,
                                 .offset = axis->offset,
                                 .step = axis->step,
                                 .shift = axis->shift,
                                 .tail = axis->tail,
                                 .factor = axis->factor,
                                 .kind = kind_of(axis),
                                 .stride_log = axis->stride ? __builtin_ctzll((unsigned long long)axis->stride) : 0,
                                 .weight = (uint64_t)axis->weight,
                                 .stride = (uint64_t)axis->stride,
                                 .low = axis->low,
                                 .high = axis->high};
}

/* The frame's index of place i of the line. */
static int64_t index_at(const struct sta__axis *axis, int64_t i)
{
    if (!axis->ids)
        return axis->offset + axis->step * i;
    const int64_t id = axis->ids[i];
    return axis->offset + axis->step * (int64_t)((uint64_t)id + (id < 0 ? (uint64_t)axis->length : 0));
}

void sta__axis_find(const struct sta__axis *axis, int64_t first, int64_t n, uint64_t *place, uint64_t *offset)
{
    if (axis->ids && axis->quick) {
        const struct sta__finding f = sta__axis_finding(axis, first);
        STA__BEST_ISA(sta__find_loops)->add(&f, n, place, offset);
        return;
    }
    for (int64_t i = 0; i < n; i++) {
        const uint64_t index = (uint64_t)index_at(axis, first + i);
        place[i] += index / (uint64_t)axis->edge * (uint64_t)axis->weight;
        offset[i] += index * (uint64_t)axis->stride;
    }
}

/* Moves places of indices that are not this member's away. */
static void keep_own(const struct sta__axis *axis, int64_t first, int64_t n, uint64_t *place)
{
    for (int64_t i = 0; i < n; i++) {
        const int64_t index = index_at(axis, first + i);
        place[i] |= index < axis->low || index >= axis->high ? UINT64_MAX : 0;
    }
}

/* ---- all axes of a line ---- */

bool sta__plain_open(struct sta__mover *m)
{
    const struct sta__places *p = &m->places;
    struct sta__plain *plain = &m->plain;
    int64_t tiles = 1;
    plain->axes = 0;
    plain->holes = false;
    if (!p->even)
        return false;
    for (int64_t k = 0; k < p->count; k++)
        plain->holes |= p->origin[k] == NULL;
    for (int k = 0; k < p->outers; k++) {
        int s = p->outer[k];
        struct sta__axis *axis = &plain->axis[plain->axes++];
        if (!sta__axis_open(axis, m->move, s))
            return false;
        axis->weight = p->weight[k];
        tiles *= m->move->grid->count[s];
        for (int64_t t = 0; t < p->count && axis->stride == 0; t++)
            axis->stride = p->origin[t] ? p->stride[t][s] : 0;
        if (k == p->outers - 1) {
            axis->low = p->low;
            axis->high = p->high;
        }
    }
    plain->all = !plain->holes && p->count == tiles && p->low == 0 && p->high == INT64_MAX;
    return true;
}

bool sta__way_open(const struct sta__mover *m, const struct sta__line *line, char *spare, struct sta__way *way)
{
    const struct sta__plain *plain = &m->plain;
    way->axes = 0;
    way->all = plain->all;
    way->placing = (struct sta__placing){.place = 0 - (uint64_t)m->places.first,
                                         .count = (uint64_t)m->places.count,
                                         .origin = m->places.origin,
                                         .alone = plain->all && m->places.count == 1,
                                         .spare = spare};
    for (int k = 0; k < plain->axes; k++) {
        const struct sta__axis *axis = &plain->axis[k];
        int s = m->places.outer[k];
        if (axis->array < 0 && line->by[s] == 0) {
            if (line->at[s] < axis->low || line->at[s] >= axis->high)
                return false;
            way->placing.place += (uint64_t)line->at[s] / (uint64_t)axis->edge * (uint64_t)axis->weight;
            way->placing.base += (uint64_t)line->at[s] * (uint64_t)axis->stride;
            continue;
        }
        struct sta__axis *own = &way->axis[way->axes++];
        *own = *axis;
        own->ids = axis->array < 0 ? NULL : line->ids[axis->array];
        if (axis->array < 0) {
            own->offset = line->at[s];
            own->step = line->by[s];
        }
    }
    return true;
}

static void find_several(const struct sta__way *way, int64_t first, int64_t n, char **at)
{
    const struct sta__find_loops *loops = STA__BEST_ISA(sta__find_loops);
    uint64_t place[STA__GROUP], offset[STA__GROUP];
    for (int64_t i = 0; i < n; i++) {
        place[i] = way->placing.place;
        offset[i] = way->placing.base;
    }
    for (int k = 0; k < way->axes; k++)
        sta__axis_find(&way->axis[k], first, n, place, offset);
    for (int k = 0; k < way->axes; k++)
        if (way->axis[k].low > 0 || way->axis[k].high < INT64_MAX)
            keep_own(&way->axis[k], first, n, place);
    loops->gather(&way->placing, n, place, offset, at);
}

void sta__way_find(const struct sta__way *way, int64_t first, int64_t n, char **at)
{
    const struct sta__find_loops *loops = STA__BEST_ISA(sta__find_loops);
    if (way->axes != 1 || !way->axis[0].ids || !way->axis[0].quick) {
        find_several(way, first, n, at);
        return;
    }
    const struct sta__finding f = sta__axis_finding(&way->axis[0], first);
    const bool bounded = f.low > 0 || f.high < INT64_MAX;
    (way->placing.alone                    ? loops->near
     : way->placing.count <= 4 && !bounded ? loops->four
     : way->placing.count <= 8 && !bounded ? loops->eight
     : way->all                            ? loops->all
                                           : loops->some)(&f, &way->placing, n, at);
}
