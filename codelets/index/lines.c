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

/* The element of an index, NULL where it is not this task's; `bad` where there is none. */
#define FIND(f, id, at, bad)                                                                                           \
    char *at = NULL;                                                                                                   \
    {                                                                                                                  \
        int64_t index = (id) + ((id) < 0 ? (f).length : 0);                                                            \
        if ((uint64_t)index >= (uint64_t)(f).length)                                                                   \
            bad;                                                                                                       \
        index = (f).offset + (f).step * index;                                                                         \
        uint64_t place = (uint64_t)(((f).shift >= 0 ? index >> (f).shift : index / (f).edge) - (f).first);             \
        at = place < (uint64_t)(f).count && index >= (f).low && index < (f).high ? (f).origin[place] : NULL;           \
        at = at ? at + index * (f).stride : NULL;                                                                      \
    }

#define LINES(bits, type)                                                                                              \
    static int64_t read_##bits(struct sta__plain f, const struct sta__line *line)                                      \
    {                                                                                                                  \
        const int64_t *ids = line->ids[0];                                                                             \
        char *to = line->partner;                                                                                      \
        for (int64_t i = 0; i < line->count; i++, to += line->step) {                                                  \
            FIND(f, ids[i], at, return i)                                                                              \
            if (at)                                                                                                    \
                memcpy(to, at, sizeof(type));                                                                          \
        }                                                                                                              \
        return -1;                                                                                                     \
    }                                                                                                                  \
    static int64_t write_##bits(struct sta__plain f, const struct sta__line *line)                                     \
    {                                                                                                                  \
        const int64_t *ids = line->ids[0];                                                                             \
        const char *from = line->partner;                                                                              \
        for (int64_t i = 0; i < line->count; i++, from += line->step) {                                                \
            FIND(f, ids[i], at, return i)                                                                              \
            if (at)                                                                                                    \
                memcpy(at, from, sizeof(type));                                                                        \
        }                                                                                                              \
        return -1;                                                                                                     \
    }
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
    static int64_t name(struct sta__plain f, const struct sta__line *line)                                             \
    {                                                                                                                  \
        const int64_t *ids = line->ids[0];                                                                             \
        const char *from = line->partner;                                                                              \
        for (int64_t i = 0; i < line->count; i++, from += line->step) {                                                \
            FIND(f, ids[i], at, return i)                                                                              \
            if (!at)                                                                                                   \
                continue;                                                                                              \
            type x, y;                                                                                                 \
            memcpy(&x, at, sizeof x);                                                                                  \
            memcpy(&y, from, sizeof y);                                                                                \
            x = (type)(text);                                                                                          \
            memcpy(at, &x, sizeof x);                                                                                  \
        }                                                                                                              \
        return -1;                                                                                                     \
    }
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
