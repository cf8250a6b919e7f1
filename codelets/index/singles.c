/* Lines of single elements, and of parts that are moved element by element: those of a group of indices together. */
#include "codelets/index/lines.h"

#include <stdlib.h>
#include <string.h>

/* ---- moving what was found ---- */

/* Elements that are written are asked for first: then many of them are under way at a time. */
void sta__elements_touch(int64_t count, char *const *at)
{
    for (int64_t i = 0; i < count; i++)
        __builtin_prefetch(at[i], 1);
}

/* Whether the caches will have few of them: some lie far apart. Those of indices in order do not, and need not be asked for. */
static bool are_scattered(int64_t count, char *const *at)
{
    enum { SAMPLES = 8, NEAR = 1 << 15 }; /* bytes */
    uintptr_t low = UINTPTR_MAX, high = 0;
    for (int64_t i = 0; i < SAMPLES; i++) {
        const uintptr_t one = (uintptr_t)at[i * (count - 1) / (SAMPLES - 1)];
        low = one < low ? one : low;
        high = one > high ? one : high;
    }
    return high - low > NEAR;
}

/* Between at[i] + beside and with + i * step. */
typedef void moves(int64_t count, char *const *at, int64_t beside, char *with, int64_t step);

#define MOVES(bits, type)                                                                                              \
    static void read_##bits(int64_t count, char *const *at, int64_t beside, char *with, int64_t step)                  \
    {                                                                                                                  \
        for (int64_t i = 0; i < count; i++)                                                                            \
            memcpy(with + i * step, at[i] + beside, sizeof(type));                                                     \
    }                                                                                                                  \
    static void write_##bits(int64_t count, char *const *at, int64_t beside, char *with, int64_t step)                 \
    {                                                                                                                  \
        for (int64_t i = 0; i < count; i++)                                                                            \
            memcpy(at[i] + beside, with + i * step, sizeof(type));                                                     \
    }
struct sixteen {
    uint64_t half[2];
};
MOVES(8, uint8_t)
MOVES(16, uint16_t)
MOVES(32, uint32_t)
MOVES(64, uint64_t)
MOVES(128, struct sixteen)

static moves *const read_items[] = {[1] = read_8, [2] = read_16, [4] = read_32, [8] = read_64, [16] = read_128};
static moves *const write_items[] = {[1] = write_8, [2] = write_16, [4] = write_32, [8] = write_64, [16] = write_128};

/* Reading where some elements are read by other tasks. */
static void read_some(const char *spare, int64_t count, char *const *at, char *with, int64_t step, size_t item)
{
    for (int64_t i = 0; i < count; i++)
        if (at[i] != spare + 16 * i)
            memcpy(with + i * step, at[i], item);
}

/* ---- indices out of range ---- */

/* -1, or the first place of the line at which an array is out of range. */
static int64_t first_bad(const struct sta__move *move, const struct sta__line *line, int64_t first, int64_t n)
{
    for (int64_t i = first; i < first + n; i++)
        for (int j = 0; j < move->arrays; j++)
            if (!sta__ids_fit(line->ids[j] + i, 1, move->length[j]))
                return i;
    return -1;
}

/* Of what is written a survey has seen all. Arrays that take a broadcast axis select nothing, but may be wrong too. */
static bool all_fit(const struct sta__move *move, const struct sta__line *line, int64_t first, int64_t n)
{
    bool fine = true;
    for (int j = 0; j < move->arrays && move->way == STA__MOVE_READ; j++)
        fine &= sta__ids_fit(line->ids[j] + first, n, move->length[j]);
    return fine;
}

/* ---- single elements ---- */

/* Elements of one array in one tile are written as they are found. False: it is another case. */
static bool put_found(const struct sta__mover *m, const struct sta__line *line, const struct sta__way *way)
{
    const struct sta__move *move = m->move;
    const struct sta__axis *axis = &way->axis[0];
    sta__put_loop *put = move->way == STA__MOVE_WRITE ? STA__BEST_ISA(sta__put_loops)->put[move->item]
                         : move->way == STA__MOVE_AT  ? move->at->join
                                                      : NULL;
    if (!put || !way->placing.alone || way->axes != 1 || !axis->ids || axis->step * axis->stride != (int64_t)move->item)
        return false;
    const struct sta__spots spots = {.ids = axis->ids,
                                     .length = axis->length,
                                     .origin =
                                         way->placing.origin[0] + way->placing.base + axis->offset * axis->stride};
    put(&spots, line->count, line->partner, line->step);
    return true;
}

int64_t sta__move_line_fast(struct sta__mover *m, const struct sta__line *line)
{
    _Alignas(16) char spare[16 * STA__GROUP] = {0}, *at[STA__GROUP];
    const struct sta__move *move = m->move;
    struct sta__way way;
    const bool mine = sta__way_open(m, line, spare, &way);
    if (mine && put_found(m, line, &way))
        return -1;
    for (int64_t first = 0; first < line->count; first += STA__GROUP) {
        const int64_t n = line->count - first < STA__GROUP ? line->count - first : STA__GROUP;
        char *with = line->partner + first * line->step;
        if (!all_fit(move, line, first, n))
            return first_bad(move, line, first, n);
        if (!mine)
            continue;
        sta__way_find(&way, first, n, at);
        if (move->way == STA__MOVE_AT)
            sta__apply_each(move->at, n, at, with, line->step);
        else if (move->way == STA__MOVE_WRITE) {
            if (are_scattered(n, at))
                sta__elements_touch(n, at);
            write_items[move->item](n, at, 0, with, line->step);
        } else if (!m->plain.all)
            read_some(spare, n, at, with, line->step, move->item);
        else
            read_items[move->item](n, at, 0, with, line->step);
    }
    return -1;
}

/* ---- parts ---- */

/* The inner axes of the part that lie one in the other at both sides: bytes of them, and how many axes are outside. */
static int64_t run_of_part(const struct sta__mover *m, int *outside)
{
    int64_t run = (int64_t)m->move->item;
    int a = m->move->rest - 1;
    while (a >= 0 && (m->part_shape[a] == 1 || (m->rest_stride[a] == run && m->part_stride[a] == run)))
        run *= m->part_shape[a--];
    *outside = a + 1;
    return run;
}

/* Where the axes of the part are farther apart than neighbouring indices, its elements are the outer loop. */
bool sta__parts_open(struct sta__mover *m)
{
    if (m->elements == 1 || m->run_of_bytes || !m->rest_alike || !m->plain.all)
        return false;
    m->together = run_of_part(m, &m->outside);
    if (m->outside == 0 || (m->move->way == STA__MOVE_AT && m->together != (int64_t)m->move->item))
        return false;
    int64_t nearest = INT64_MAX;
    for (int k = 0; k < m->plain.axes; k++)
        if (m->plain.axis[k].array >= 0 && llabs(m->plain.axis[k].stride) < nearest)
            nearest = llabs(m->plain.axis[k].stride);
    return nearest < llabs(m->rest_stride[m->outside - 1]);
}

static void move_runs(const struct sta__mover *m, int64_t count, char *const *at, int64_t beside, char *with,
                      int64_t step)
{
    const bool reads = m->move->way == STA__MOVE_READ;
    for (int64_t i = 0; i < count; i++)
        memcpy(reads ? with + i * step : at[i] + beside, reads ? at[i] + beside : with + i * step, (size_t)m->together);
}

static void apply_beside(const struct sta__mover *m, int64_t count, char *const *at, int64_t beside, const char *with,
                         int64_t step)
{
    char *own[STA__GROUP];
    for (int64_t first = 0; first < count; first += STA__GROUP) {
        const int64_t n = count - first < STA__GROUP ? count - first : STA__GROUP;
        for (int64_t i = 0; i < n; i++)
            own[i] = at[first + i] + beside;
        sta__apply_each(m->move->at, n, own, with + first * step, step);
    }
}

static void move_outside(const struct sta__mover *m, int axis, int64_t count, char *const *at, int64_t beside,
                         char *with, int64_t step)
{
    const struct sta__move *move = m->move;
    if (axis < m->outside) {
        for (int64_t i = 0; i < m->part_shape[axis]; i++)
            move_outside(m, axis + 1, count, at, beside + i * m->rest_stride[axis], with + i * m->part_stride[axis],
                         step);
        return;
    }
    if (move->way == STA__MOVE_AT)
        apply_beside(m, count, at, beside, with, step);
    else if (m->together != (int64_t)move->item)
        move_runs(m, count, at, beside, with, step);
    else
        (move->way == STA__MOVE_READ ? read_items : write_items)[move->item](count, at, beside, with, step);
}

int64_t sta__move_line_parts(struct sta__mover *m, const struct sta__line *line)
{
    enum { MOST = 1024 }; /* indices of a block */
    char spare[16] = {0}, *at[MOST];
    struct sta__way way;
    sta__way_open(m, line, spare, &way);
    for (int64_t first = 0; first < line->count; first += MOST) {
        const int64_t count = line->count - first < MOST ? line->count - first : MOST;
        if (!all_fit(m->move, line, first, count))
            return first_bad(m->move, line, first, count);
        for (int64_t done = 0; done < count; done += STA__GROUP)
            sta__way_find(&way, first + done, count - done < STA__GROUP ? count - done : STA__GROUP, at + done);
        move_outside(m, 0, count, at, 0, line->partner + first * line->step, line->step);
    }
    return -1;
}
