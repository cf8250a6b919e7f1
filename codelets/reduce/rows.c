/* Many short axes at once. While the length is even, the cells' rows are one long run of pairs; what is odd is turned
 * on its side, a few cells at a time, and goes through a tree whose columns are the cells. Powers of two never turn. */
#include "fold.h"

#include <string.h>

#define GROUP 16    /* cells whose elements are copied together */
#define TURNED 1024 /* elements turned at a time */
#define LONG 256    /* an axis from here on is a column of its own */
#define RUN 32      /* from here on a run of its own, where any order gives the same */

/* One call: what the steps below share. */
struct rows {
    enum sta__reducer reducer;
    sta_dtype dtype;
    int64_t cells, length, unit;
    int level; /* of the nodes that the rows hold now */
};

static size_t line(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

static int64_t odd_part(int64_t length)
{
    return length >> __builtin_ctzll((unsigned long long)length);
}

/* The cells turned at a time; 1: none are. */
static int64_t columns_of(int64_t odd)
{
    const int64_t groups = TURNED / (GROUP * odd);
    return odd >= LONG ? 1 : groups > 1 ? groups * GROUP : GROUP;
}

size_t sta__fold_rows_bytes(enum sta__reducer reducer, sta_dtype dtype, int64_t cells, int64_t length)
{
    const int64_t odd = odd_part(length), columns = columns_of(odd);
    return 2 * line(sta__state_bytes(reducer, dtype, cells * length)) +
           line(sta__state_bytes(reducer, dtype, columns * odd)) + sta__tree_bytes(reducer, dtype, columns, 0, odd);
}

/* ---- turning ---- */

/* Element r of cell c, of `cells` cells, goes to to[r * cells + c]. */
static void turn_1(const uint8_t *restrict x, int64_t cells, int64_t length, uint8_t *restrict to)
{
    const int64_t grouped = cells / GROUP * GROUP;
    for (int64_t first = 0; first < grouped; first += GROUP)
        for (int64_t r = 0; r < length; r++)
            for (int64_t c = first; c < first + GROUP; c++)
                to[r * cells + c] = x[c * length + r];
    for (int64_t c = grouped; c < cells; c++)
        for (int64_t r = 0; r < length; r++)
            to[r * cells + c] = x[c * length + r];
}
static void turn_2(const uint16_t *restrict x, int64_t cells, int64_t length, uint16_t *restrict to)
{
    const int64_t grouped = cells / GROUP * GROUP;
    for (int64_t first = 0; first < grouped; first += GROUP)
        for (int64_t r = 0; r < length; r++)
            for (int64_t c = first; c < first + GROUP; c++)
                to[r * cells + c] = x[c * length + r];
    for (int64_t c = grouped; c < cells; c++)
        for (int64_t r = 0; r < length; r++)
            to[r * cells + c] = x[c * length + r];
}
static void turn_4(const uint32_t *restrict x, int64_t cells, int64_t length, uint32_t *restrict to)
{
    const int64_t grouped = cells / GROUP * GROUP;
    for (int64_t first = 0; first < grouped; first += GROUP)
        for (int64_t r = 0; r < length; r++)
            for (int64_t c = first; c < first + GROUP; c++)
                to[r * cells + c] = x[c * length + r];
    for (int64_t c = grouped; c < cells; c++)
        for (int64_t r = 0; r < length; r++)
            to[r * cells + c] = x[c * length + r];
}
static void turn_8(const uint64_t *restrict x, int64_t cells, int64_t length, uint64_t *restrict to)
{
    const int64_t grouped = cells / GROUP * GROUP;
    for (int64_t first = 0; first < grouped; first += GROUP)
        for (int64_t r = 0; r < length; r++)
            for (int64_t c = first; c < first + GROUP; c++)
                to[r * cells + c] = x[c * length + r];
    for (int64_t c = grouped; c < cells; c++)
        for (int64_t r = 0; r < length; r++)
            to[r * cells + c] = x[c * length + r];
}
static void turn_16(const sta_complex128 *restrict x, int64_t cells, int64_t length, sta_complex128 *restrict to)
{
    const int64_t grouped = cells / GROUP * GROUP;
    for (int64_t first = 0; first < grouped; first += GROUP)
        for (int64_t r = 0; r < length; r++)
            for (int64_t c = first; c < first + GROUP; c++)
                to[r * cells + c] = x[c * length + r];
    for (int64_t c = grouped; c < cells; c++)
        for (int64_t r = 0; r < length; r++)
            to[r * cells + c] = x[c * length + r];
}

static void turn(sta_dtype dtype, const void *x, int64_t cells, int64_t length, void *to)
{
    switch (sta_itemsize(dtype)) {
    case 1:
        turn_1(x, cells, length, to);
        break;
    case 2:
        turn_2(x, cells, length, to);
        break;
    case 4:
        turn_4(x, cells, length, to);
        break;
    case 8:
        turn_8(x, cells, length, to);
        break;
    default:
        turn_16(x, cells, length, to);
    }
}

/* ---- the odd part ---- */

/* `count` cells, from `cell` on, of states of an odd length. */
static void fold_odd(const struct rows *rows, const struct sta__state *from, int64_t cell, int64_t count,
                     const struct sta__state *to, char *scratch)
{
    const struct sta__state in = sta__state_at(rows->reducer, rows->dtype, from, cell * rows->length);
    struct sta__state turned = sta__state_in(rows->reducer, rows->dtype, scratch, count * rows->length);
    for (int k = 0; k < STA__COMPONENTS && turned.at[k]; k++)
        turn(sta__reducer_component(rows->reducer, rows->dtype, k), in.at[k], count, rows->length, turned.at[k]);
    char *memory =
        scratch + line(sta__state_bytes(rows->reducer, rows->dtype, columns_of(rows->length) * rows->length));
    struct sta__tree tree;
    sta__tree_begin(&tree, rows->reducer, rows->dtype, count, 0, rows->unit << rows->level, memory);
    sta__tree_push_leaves(&tree, &turned, rows->length);
    const struct sta__state at = sta__state_at(rows->reducer, rows->dtype, to, cell);
    sta__tree_finish(&tree, &at);
}

/* The same for a long axis: it is a column as it lies. */
static void fold_long(const struct rows *rows, const struct sta__state *from, int64_t cell, const struct sta__state *to,
                      char *scratch)
{
    const struct sta__state in = sta__state_at(rows->reducer, rows->dtype, from, cell * rows->length);
    struct sta__tree tree;
    sta__tree_begin(&tree, rows->reducer, rows->dtype, 1, 0, rows->unit << rows->level, scratch);
    sta__tree_push_leaves(&tree, &in, rows->length);
    const struct sta__state at = sta__state_at(rows->reducer, rows->dtype, to, cell);
    sta__tree_finish(&tree, &at);
}

static void finish_odd(const struct rows *rows, const struct sta__state *from, const struct sta__state *to,
                       char *scratch)
{
    const int64_t columns = columns_of(rows->length);
    for (int64_t cell = 0; cell < rows->cells; cell += columns) {
        const int64_t left = rows->cells - cell;
        if (columns == 1)
            fold_long(rows, from, cell, to, scratch);
        else
            fold_odd(rows, from, cell, left < columns ? left : columns, to, scratch);
    }
}

/* ---- the whole ---- */

/* States whose indices are those within a leaf get them counted over the whole block. */
static struct sta__state placed(const struct rows *rows, const struct sta__state *from, char *scratch)
{
    if (sta__reducer_component(rows->reducer, rows->dtype, 1) != STA_int64)
        return *from;
    const int64_t count = rows->cells * rows->length;
    const struct sta__state to = sta__state_in(rows->reducer, rows->dtype, scratch, count);
    sta__state_copy(rows->reducer, rows->dtype, count, &to, from);
    for (int64_t i = 0; i < count; i++)
        ((int64_t *)to.at[1])[i] += i * rows->unit;
    return to;
}

/* And back. */
static void number_within_cells(const struct rows *rows, int64_t length, const struct sta__state *to)
{
    if (sta__reducer_component(rows->reducer, rows->dtype, 1) == STA_int64)
        for (int64_t c = 0; c < rows->cells; c++)
            ((int64_t *)to->at[1])[c] -= c * length * rows->unit;
}

/* Axes that need no more than a look at each. */
static bool fold_at_once(const struct rows *rows, const void *values, const struct sta__state *to)
{
    const struct sta__fold *loops = sta__fold_of(rows->reducer, rows->dtype);
    const char *x = values;
    if (loops->short_rows && loops->short_rows(values, rows->cells, rows->length, to))
        return true;
    if (!loops->run || rows->length < RUN)
        return false;
    for (int64_t c = 0; c < rows->cells; c++, x += rows->length * (int64_t)sta_itemsize(rows->dtype)) {
        const struct sta__state at = sta__state_at(rows->reducer, rows->dtype, to, c);
        loops->run(x, rows->length, 0, &at);
    }
    return true;
}

static void fold(struct rows *rows, struct sta__rows in, bool values, const struct sta__state *to, char *scratch)
{
    const struct sta__fold *loops = sta__fold_of(rows->reducer, rows->dtype);
    if (values && fold_at_once(rows, in.from.at[0], to)) {
        sta__reducer_settle(rows->reducer, rows->dtype, rows->cells, to);
        return;
    }
    const size_t area = line(sta__state_bytes(rows->reducer, rows->dtype, rows->cells * rows->length));
    const int64_t length = rows->length;
    if (loops->pairs_values == loops->pairs) /* the leaf of x is x */
        values = false;
    if (!values) {
        in.from = placed(rows, &in.from, scratch);
    } else if (rows->length % 2 || !loops->pairs_values) {
        const struct sta__state leaves = sta__state_in(rows->reducer, rows->dtype, scratch, rows->cells * length);
        sta__make_leaves(rows->reducer, rows->dtype, &in, 1, rows->cells * length, &leaves);
        in.from = leaves;
        values = false;
    }
    for (int turns = 1; rows->length % 2 == 0; turns ^= 1) {
        const int step = rows->length % 8 == 0 && loops->octets ? 3 : 1;
        const int64_t count = rows->cells * rows->length >> step;
        const struct sta__weights weights = sta__weights_of(rows->reducer, rows->unit, rows->level);
        const struct sta__state next = sta__state_in(rows->reducer, rows->dtype, scratch + (turns ? area : 0), count);
        if (step == 3)
            loops->octets(&in, count, &next);
        else
            (values ? loops->pairs_values : loops->pairs)(&in, count, &next, weights.at);
        in.from = next;
        values = false;
        rows->length >>= step;
        rows->level += step;
    }
    if (rows->length > 1)
        finish_odd(rows, &in.from, to, scratch + 2 * area);
    else
        sta__state_copy(rows->reducer, rows->dtype, rows->cells, to, &in.from);
    number_within_cells(rows, length, to);
    sta__reducer_settle(rows->reducer, rows->dtype, rows->cells, to);
}

void sta__fold_rows(enum sta__reducer reducer, sta_dtype dtype, const void *block, int64_t cells, int64_t length,
                    const struct sta__state *to, void *scratch)
{
    struct rows rows = {reducer, dtype, cells, length, 1, 0};
    fold(&rows, (struct sta__rows){{{(void *)(uintptr_t)block}}, 1, 0}, true, to, scratch);
}

void sta__fold_rows_states(enum sta__reducer reducer, sta_dtype dtype, const struct sta__state *leaves, int64_t cells,
                           int64_t length, int64_t unit, const struct sta__state *to, void *scratch)
{
    struct rows rows = {reducer, dtype, cells, length, unit, 0};
    fold(&rows, (struct sta__rows){*leaves, 1, 0}, false, to, scratch);
}
