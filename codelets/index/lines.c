/* The plain line: one array takes one axis, and single elements are moved. */
#include "codelets/index/move.h"

#include <string.h>

static bool power_of_two(int64_t n)
{
    return (n & (n - 1)) == 0;
}

bool sta__move_is_fast(const struct sta__mover *m)
{
    const struct sta__places *p = &m->places;
    return p->outers == 1 && m->move->arrays == 1 && m->move->by[p->outer[0]] == 0 && m->elements == 1 && p->even &&
           (m->move->grid->edge[p->outer[0]] || m->move->grid->count[p->outer[0]] == 1) &&
           (m->move->way != STA__MOVE_AT || m->move->at->direct);
}

static struct sta__plain plain_of(const struct sta__mover *m)
{
    const struct sta__places *p = &m->places;
    const struct sta__move *move = m->move;
    int s = p->outer[0];
    struct sta__plain f = {move->length[0],
                           move->map[s].offset,
                           move->map[s].step,
                           move->grid->edge[s],
                           p->first,
                           p->count,
                           0,
                           p->low,
                           p->high,
                           -1,
                           p->origin};
    for (int64_t k = 0; k < p->count && f.stride == 0; k++)
        f.stride = p->origin[k] ? p->stride[k][s] : 0;
    if (move->grid->count[s] == 1)
        f.shift = 62;
    else if (power_of_two(f.edge))
        f.shift = __builtin_ctzll((unsigned long long)f.edge);
    return f;
}

enum { GROUP = 128 };

/* Some indices of a line, and where those that are this task's lie. */
struct group {
    int64_t count;    /* of those */
    char *at[GROUP];  /* the element */
    int64_t k[GROUP]; /* which index of the line it is */
};

/* Looks up the indices first .. first + n - 1, n at most GROUP; -1, or the first that is out of range. Without a branch that
 * depends on an index: where half of them are another task's, guessing costs more than all the rest. The elements are touched
 * by loops of their own, which have many of them under way at a time: they wait for memory, not for each other. */
static inline __attribute__((always_inline)) int64_t look_up(const struct sta__plain *f, const int64_t *ids,
                                                             int64_t first, int64_t n, bool shifts, struct group *group)
{
    int64_t count = 0;
    bool bad = false;
    for (int64_t i = first; i < first + n; i++) {
        int64_t index = ids[i] + (ids[i] < 0 ? f->length : 0);
        bad |= (uint64_t)index >= (uint64_t)f->length;
        index = (int64_t)((uint64_t)f->offset + (uint64_t)f->step * (uint64_t)index); /* a bad one may be any number */
        const uint64_t place = (uint64_t)((shifts ? index >> f->shift : index / f->edge) - f->first);
        const bool here = (place < (uint64_t)f->count) & (index >= f->low) & (index < f->high);
        const uintptr_t origin = (uintptr_t)f->origin[here ? place : 0];
        group->at[count] =
            (char *)(origin + (uintptr_t)index * (uintptr_t)f->stride); /* no place where it is not ours */
        group->k[count] = i;
        count += here & (origin != 0);
    }
    group->count = count;
    if (!bad)
        return -1;
    while ((uint64_t)(ids[first] + (ids[first] < 0 ? f->length : 0)) < (uint64_t)f->length)
        first++;
    return first;
}

static int64_t find_group(const struct sta__plain *f, const struct sta__line *line, int64_t first, struct group *group)
{
    const int64_t n = line->count - first < GROUP ? line->count - first : GROUP;
    return f->shift >= 0 ? look_up(f, line->ids[0], first, n, true, group)
                         : look_up(f, line->ids[0], first, n, false, group);
}

/* A function that does `what` with each element `at` of this task and its partner `with`. */
#define WALK(name, what)                                                                                               \
    static int64_t name(struct sta__plain f, const struct sta__line *line)                                             \
    {                                                                                                                  \
        struct group group;                                                                                            \
        for (int64_t first = 0; first < line->count; first += GROUP) {                                                 \
            const int64_t bad = find_group(&f, line, first, &group);                                                   \
            if (bad >= 0)                                                                                              \
                return bad;                                                                                            \
            for (int64_t i = 0, count = group.count; i < count; i++) {                                                 \
                char *at = group.at[i], *with = line->partner + group.k[i] * line->step;                               \
                what;                                                                                                  \
            }                                                                                                          \
        }                                                                                                              \
        return -1;                                                                                                     \
    }

/* Stores wait for nothing: here the elements are written as they are found. */
#define WRITE(name, type)                                                                                              \
    static int64_t name(struct sta__plain f, const struct sta__line *line)                                             \
    {                                                                                                                  \
        const int64_t *ids = line->ids[0];                                                                             \
        const char *from = line->partner;                                                                              \
        for (int64_t i = 0; i < line->count; i++, from += line->step) {                                                \
            int64_t index = ids[i] + (ids[i] < 0 ? f.length : 0);                                                      \
            if ((uint64_t)index >= (uint64_t)f.length)                                                                 \
                return i;                                                                                              \
            index = f.offset + f.step * index;                                                                         \
            const uint64_t place = (uint64_t)((f.shift >= 0 ? index >> f.shift : index / f.edge) - f.first);           \
            const bool here = place < (uint64_t)f.count && index >= f.low && index < f.high;                           \
            char *origin = here ? f.origin[place] : NULL;                                                              \
            if (origin)                                                                                                \
                memcpy(origin + index * f.stride, from, sizeof(type));                                                 \
        }                                                                                                              \
        return -1;                                                                                                     \
    }

#define LINES(bits, type) WALK(read_##bits, memcpy(with, at, sizeof(type))) WRITE(write_##bits, type)
struct sixteen {
    uint64_t half[2];
};
LINES(8, uint8_t)
LINES(16, uint16_t)
LINES(32, uint32_t)
LINES(64, uint64_t)
LINES(128, struct sixteen)

/* ---- operators: the plain ones, where no dtype changes ---- */

#define APPLY(name, type, text)                                                                                        \
    WALK(name, type x; type y; memcpy(&x, at, sizeof x); memcpy(&y, with, sizeof y); x = (type)(text);                 \
         memcpy(at, &x, sizeof x))
#define APPLY_ALL(brief, type)                                                                                         \
    APPLY(add_##brief, type, x + y) APPLY(subtract_##brief, type, x - y) APPLY(multiply_##brief, type, x *y)
APPLY_ALL(u8, uint8_t)
APPLY(add_u16, uint16_t, x + y)
APPLY(subtract_u16, uint16_t, x - y)
APPLY(multiply_u16, uint16_t, (uint32_t)x *y)
APPLY_ALL(u32, uint32_t)
APPLY_ALL(u64, uint64_t)
APPLY_ALL(f32, float)
APPLY_ALL(f64, double)

/* Integers wrap alike with a sign and without. */
#define ROW(op)                                                                                                        \
    {                                                                                                                  \
        [STA_int8] = op##_u8, [STA_uint8] = op##_u8, [STA_int16] = op##_u16, [STA_uint16] = op##_u16,                  \
        [STA_int32] = op##_u32, [STA_uint32] = op##_u32, [STA_int64] = op##_u64, [STA_uint64] = op##_u64,              \
        [STA_float32] = op##_f32, [STA_float64] = op##_f64,                                                            \
    }
sta__direct *sta__direct_line(int op, sta_dtype dtype)
{
    static sta__direct *const add[STA__DTYPES] = ROW(add);
    static sta__direct *const subtract[STA__DTYPES] = ROW(subtract);
    static sta__direct *const multiply[STA__DTYPES] = ROW(multiply);
    return op == STA__OP_add        ? add[dtype]
           : op == STA__OP_subtract ? subtract[dtype]
           : op == STA__OP_multiply ? multiply[dtype]
                                    : NULL;
}

int64_t sta__move_line_fast(struct sta__mover *m, const struct sta__line *line)
{
    static sta__direct *const read[] = {[1] = read_8, [2] = read_16, [4] = read_32, [8] = read_64, [16] = read_128};
    static sta__direct *const write[] = {
        [1] = write_8, [2] = write_16, [4] = write_32, [8] = write_64, [16] = write_128};
    struct sta__plain f = plain_of(m);
    if (m->move->way == STA__MOVE_AT)
        return m->move->at->direct(f, line);
    return (m->move->way == STA__MOVE_READ ? read : write)[m->move->item](f, line);
}
