/* Plain lines: single elements are moved, between tiles that lie alike. */
#include "codelets/index/lines.h"
#include "codelets/index/loops.h"

#include <string.h>

/* ---- one axis ---- */

static bool power_of_two(int64_t n)
{
    return (n & (n - 1)) == 0;
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
        axis->shift = 62;
        return true;
    }
    if (axis->edge == 0)
        return false;
    if (power_of_two(axis->edge)) {
        axis->shift = __builtin_ctzll((unsigned long long)axis->edge);
        return true;
    }
    /* The factor is too large by less than 1, the product by less than the index: exact where index * edge < 2^64. */
    bool exact = grid->shape.at[s] < INT64_MAX / axis->edge;
    axis->how = exact ? STA__BY_FACTOR : STA__BY_DIVISION;
    axis->factor = UINT64_MAX / (uint64_t)axis->edge + 1;
    return true;
}

bool sta__ids_fit(const int64_t *ids, int64_t n, int64_t length)
{
    return STA__BEST_ISA(sta__find_loops)->fit(ids, n, length);
}

/* The index of the frame for an index of the array; a bad one may be any number. */
static inline __attribute__((always_inline)) uint64_t frame_index(const struct sta__axis *axis, int64_t id, bool *bad)
{
    const uint64_t wrapped = (uint64_t)id + (id < 0 ? (uint64_t)axis->length : 0);
    *bad |= wrapped >= (uint64_t)axis->length;
    return (uint64_t)axis->offset + (uint64_t)axis->step * wrapped;
}

static inline __attribute__((always_inline)) bool find_ids(const struct sta__axis *axis, int how, int64_t first,
                                                           int64_t n, uint64_t *place, uint64_t *offset)
{
    bool bad = false;
    for (int64_t i = 0; i < n; i++) {
        const uint64_t index = frame_index(axis, axis->ids[first + i], &bad);
        place[i] += sta__axis_tile(axis, how, index) * (uint64_t)axis->weight;
        offset[i] += index * (uint64_t)axis->stride;
    }
    return !bad;
}

bool sta__axis_find(const struct sta__axis *axis, int64_t first, int64_t n, uint64_t *place, uint64_t *offset)
{
    if (axis->ids)
        return axis->how == STA__BY_SHIFT    ? find_ids(axis, STA__BY_SHIFT, first, n, place, offset)
               : axis->how == STA__BY_FACTOR ? find_ids(axis, STA__BY_FACTOR, first, n, place, offset)
                                             : find_ids(axis, STA__BY_DIVISION, first, n, place, offset);
    for (int64_t i = 0; i < n; i++) {
        const uint64_t index = (uint64_t)(axis->offset + axis->step * (first + i));
        place[i] += sta__axis_tile(axis, axis->how, index) * (uint64_t)axis->weight;
        offset[i] += index * (uint64_t)axis->stride;
    }
    return true;
}

/* ---- all axes of a line ---- */

bool sta__plain_open(struct sta__mover *m)
{
    const struct sta__places *p = &m->places;
    struct sta__plain *plain = &m->plain;
    int64_t tiles = 1;
    plain->axes = 0;
    plain->holes = false;
    if (m->elements != 1 || !p->even)
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

/* A line in the making: axes along which it stays where it is are taken into account at once. */
struct way {
    int axes, from, to; /* axis from .. to - 1 of `axis` */
    struct sta__axis axis[STA_MAXDIM];
    bool all;               /* no element is another task's */
    bool checks;            /* indices may be out of range: of what is written a survey has seen all */
    uint64_t place, offset; /* of the others, less the first place */
    int64_t count;
    char *const *origin;
    char *spare; /* where elements of other tasks lie: one for each of a group */
};

/* False: the whole line belongs to others. */
static bool open_way(const struct sta__mover *m, const struct sta__line *line, struct way *way)
{
    const struct sta__plain *plain = &m->plain;
    way->axes = 0;
    way->all = plain->all;
    way->offset = 0;
    way->place = 0 - (uint64_t)m->places.first;
    way->count = m->places.count;
    way->origin = m->places.origin;
    for (int k = 0; k < plain->axes; k++) {
        const struct sta__axis *axis = &plain->axis[k];
        int s = m->places.outer[k];
        if (axis->array < 0 && line->by[s] == 0) {
            if (line->at[s] < axis->low || line->at[s] >= axis->high)
                return false;
            way->place += sta__axis_tile(axis, axis->how, (uint64_t)line->at[s]) * (uint64_t)axis->weight;
            way->offset += (uint64_t)line->at[s] * (uint64_t)axis->stride;
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

/* Where the elements lie: without a branch that depends on an index. Where half of them are another task's, guessing costs
 * more than moving all, those of others to and from a place that nobody looks at. */
static inline __attribute__((always_inline)) char *locate(const struct way *way, uint64_t place, uint64_t offset,
                                                          bool here, int64_t i)
{
    here &= place < (uint64_t)way->count;
    const uintptr_t origin = (uintptr_t)way->origin[place & (0 - (uint64_t)here)];
    here &= origin != 0;
    const uintptr_t mask = 0 - (uintptr_t)here, spare = (uintptr_t)(way->spare + 16 * i);
    return (char *)(((origin + (uintptr_t)offset) & mask) | (spare & ~mask));
}

/* One array, whose tiles are found by a shift. */
static bool find_one(const struct way *way, int64_t first, int64_t n, char **at)
{
    const struct sta__axis *axis = &way->axis[0];
    const struct sta__find_loops *loops = STA__BEST_ISA(sta__find_loops);
    const struct sta__finding f = {.ids = axis->ids + first,
                                   .length = axis->length,
                                   .offset = axis->offset,
                                   .step = axis->step,
                                   .shift = axis->shift,
                                   .weight = (uint64_t)axis->weight,
                                   .place = way->place,
                                   .stride = (uint64_t)axis->stride,
                                   .base = way->offset,
                                   .count = (uint64_t)way->count,
                                   .origin = way->origin,
                                   .low = axis->low,
                                   .high = axis->high,
                                   .spare = way->spare};
    if (way->checks && !loops->fit(f.ids, n, f.length))
        return false;
    if (!way->all)
        loops->some(&f, n, at);
    else if (way->count == 1)
        loops->near(&f, n, at);
    else
        loops->all(&f, n, at);
    return true;
}

static bool find_several(const struct way *way, int64_t first, int64_t n, char **at)
{
    uint64_t place[STA__GROUP], offset[STA__GROUP];
    bool here[STA__GROUP], fine = true;
    for (int64_t i = 0; i < n; i++) {
        place[i] = way->place;
        offset[i] = way->offset;
        here[i] = true;
    }
    for (int k = 0; k < way->axes; k++) {
        const struct sta__axis *axis = &way->axis[k];
        fine &= sta__axis_find(axis, first, n, place, offset);
        if (axis->low == 0 && axis->high == INT64_MAX)
            continue;
        bool bad = false;
        for (int64_t i = 0; i < n; i++) {
            int64_t index = axis->ids ? (int64_t)frame_index(axis, axis->ids[first + i], &bad)
                                      : axis->offset + axis->step * (first + i);
            here[i] = (index >= axis->low) & (index < axis->high);
        }
    }
    for (int64_t i = 0; i < n; i++)
        at[i] = locate(way, place[i], offset[i], here[i], i);
    return fine;
}

static bool find(const struct way *way, int64_t first, int64_t n, char **at)
{
    bool one = way->axes == 1 && way->axis[0].ids && way->axis[0].how == STA__BY_SHIFT;
    return one ? find_one(way, first, n, at) : find_several(way, first, n, at);
}

/* ---- moving what was found ---- */

/* Elements that are written are asked for first: then many of them are under way at a time. */
void sta__elements_touch(int64_t count, char *const *at)
{
    for (int64_t i = 0; i < count; i++)
        __builtin_prefetch(at[i], 1);
}

typedef void moves(int64_t count, char *const *at, char *with, int64_t step);

#define MOVES(bits, type)                                                                                              \
    static void read_##bits(int64_t count, char *const *at, char *with, int64_t step)                                  \
    {                                                                                                                  \
        for (int64_t i = 0; i < count; i++)                                                                            \
            memcpy(with + i * step, at[i], sizeof(type));                                                              \
    }                                                                                                                  \
    static void write_##bits(int64_t count, char *const *at, char *with, int64_t step)                                 \
    {                                                                                                                  \
        for (int64_t i = 0; i < count; i++)                                                                            \
            memcpy(at[i], with + i * step, sizeof(type));                                                              \
    }
struct sixteen {
    uint64_t half[2];
};
MOVES(8, uint8_t)
MOVES(16, uint16_t)
MOVES(32, uint32_t)
MOVES(64, uint64_t)
MOVES(128, struct sixteen)

/* Reading where some elements are read by other tasks. */
static void read_some(const struct way *way, int64_t count, char *const *at, char *with, int64_t step, size_t item)
{
    for (int64_t i = 0; i < count; i++)
        if (at[i] != way->spare + 16 * i)
            memcpy(with + i * step, at[i], item);
}

/* -1, or the first place of the line at which an array is out of range. */
static int64_t first_bad(const struct sta__move *move, const struct sta__line *line, int64_t first, int64_t n)
{
    for (int64_t i = first; i < first + n; i++)
        for (int j = 0; j < move->arrays; j++)
            if (!sta__ids_fit(line->ids[j] + i, 1, move->length[j]))
                return i;
    return -1;
}

/* Arrays that take an axis which is broadcast select nothing, but may be wrong: all are looked at. */
static bool all_fit(const struct sta__move *move, const struct sta__line *line, int64_t first, int64_t n)
{
    bool fine = true;
    for (int j = 0; j < move->arrays; j++)
        fine &= sta__ids_fit(line->ids[j] + first, n, move->length[j]);
    return fine;
}

int64_t sta__move_line_fast(struct sta__mover *m, const struct sta__line *line)
{
    static moves *const read[] = {[1] = read_8, [2] = read_16, [4] = read_32, [8] = read_64, [16] = read_128};
    static moves *const write[] = {[1] = write_8, [2] = write_16, [4] = write_32, [8] = write_64, [16] = write_128};
    _Alignas(16) char spare[16 * STA__GROUP] = {0}, *at[STA__GROUP];
    const struct sta__move *move = m->move;
    struct way way = {.spare = spare, .checks = move->way == STA__MOVE_READ};
    bool mine = open_way(m, line, &way), looks = way.checks && (!mine || way.axes < move->arrays);
    for (int64_t first = 0; first < line->count; first += STA__GROUP) {
        const int64_t n = line->count - first < STA__GROUP ? line->count - first : STA__GROUP;
        char *with = line->partner + first * line->step;
        bool fine = !looks || all_fit(move, line, first, n);
        fine &= !mine || find(&way, first, n, at);
        if (!fine)
            return first_bad(move, line, first, n);
        if (!mine)
            continue;
        if (move->way == STA__MOVE_AT)
            sta__apply_each(move->at, n, at, with, line->step);
        else if (move->way == STA__MOVE_WRITE)
            write[move->item](n, at, with, line->step);
        else if (!m->plain.all)
            read_some(&way, n, at, with, line->step, move->item);
        else
            read[move->item](n, at, with, line->step);
    }
    return -1;
}
