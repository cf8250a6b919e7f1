/* Which loop copies a line or a plane. Contract: lines.h. */
#include "copy/lines.h"

#include <string.h>

const struct sta__copy_loops *sta__copy_loops(size_t item)
{
    return &STA__BEST_ISA(sta__copy_table)->of[__builtin_ctzll(item)];
}

void sta__copy_line(int64_t n, char *to, int64_t to_step, const char *from, int64_t from_step, size_t item)
{
    if (to_step == (int64_t)item && from_step == (int64_t)item)
        memcpy(to, from, (size_t)n * item);
    else
        sta__copy_loops(item)->line(n, to, to_step, from, from_step);
}

/* Line after line, along axis `along` of the plane. */
static void copy_lines(const struct sta__plane *plane, int along, char *to, const char *from)
{
    const int other = 1 - along;
    for (int64_t i = 0; i < plane->shape[other]; i++)
        sta__copy_line(plane->shape[along], to + i * plane->to[other], plane->to[along], from + i * plane->from[other],
                       plane->from[along], plane->item);
}

/* In parts that stay in the first-level cache. */
static void copy_parts(const struct sta__plane *plane, int along, int64_t rows, int64_t columns, char *to,
                       const char *from)
{
    struct sta__plane part = *plane;
    for (int64_t i = 0; i < plane->shape[0]; i += rows)
        for (int64_t j = 0; j < plane->shape[1]; j += columns) {
            part.shape[0] = plane->shape[0] - i < rows ? plane->shape[0] - i : rows;
            part.shape[1] = plane->shape[1] - j < columns ? plane->shape[1] - j : columns;
            copy_lines(&part, along, to + i * plane->to[0] + j * plane->to[1],
                       from + i * plane->from[0] + j * plane->from[1]);
        }
}

static int64_t size_of(int64_t stride)
{
    return stride < 0 ? -stride : stride;
}

/* Axis `along` is neighbours in `to`, the other one in `from`, whichever way they run. */
static void turn(const struct sta__plane *plane, int along, char *to, const char *from)
{
    const int other = 1 - along;
    int64_t to_step = plane->to[other], from_step = plane->from[along];
    if (plane->to[along] < 0) {
        to += (plane->shape[along] - 1) * plane->to[along];
        from += (plane->shape[along] - 1) * from_step;
        from_step = -from_step;
    }
    if (plane->from[other] < 0) {
        to += (plane->shape[other] - 1) * to_step;
        from += (plane->shape[other] - 1) * plane->from[other];
        to_step = -to_step;
    }
    sta__copy_loops(plane->item)->turn(plane->shape[other], plane->shape[along], to, to_step, from, from_step);
}

void sta__copy_plane(const struct sta__plane *plane, char *to, const char *from)
{
    enum { SQUARE = 32, SHORT = 8, LONG_BLOCK = 512 };
    const int64_t item = (int64_t)plane->item, rows = plane->shape[0], columns = plane->shape[1];
    if (size_of(plane->to[1]) == item && size_of(plane->from[0]) == item && size_of(plane->from[1]) > item)
        turn(plane, 1, to, from);
    else if (size_of(plane->to[0]) == item && size_of(plane->from[1]) == item && size_of(plane->to[1]) > item)
        turn(plane, 0, to, from);
    else if (columns <= SHORT && rows > columns)
        copy_parts(plane, 0, LONG_BLOCK, columns, to, from);
    else if (plane->from[0] && size_of(plane->from[0]) < size_of(plane->from[1]))
        copy_parts(plane, 1, SQUARE, SQUARE, to, from);
    else
        copy_lines(plane, 1, to, from);
}
