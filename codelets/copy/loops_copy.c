/* See lines.h. This file is compiled once for each level of x86-64, with STA__ISA set to its name. */
#include "lines.h"

#ifdef __SSE2__
#include "squares_sse2.h"
#else
#include "squares_plain.h"
#endif

#include <string.h>

typedef uint64_t sixteen __attribute__((vector_size(16)));

/* ---- lines ---- */

/* Elements at any address: `loose` says so to compilers, which then make vectors of the loops. */
#define LINES(bits, type)                                                                                              \
    typedef type loose_##bits __attribute__((aligned(1), may_alias));                                                  \
    static void turned_##bits(int64_t n, loose_##bits *y, const loose_##bits *x)                                       \
    {                                                                                                                  \
        _Pragma("omp simd") for (int64_t i = 0; i < n; i++) y[i] = x[-i];                                              \
    }                                                                                                                  \
    static void every_other_##bits(int64_t n, loose_##bits *y, const loose_##bits *x)                                  \
    {                                                                                                                  \
        _Pragma("omp simd") for (int64_t i = 0; i < n; i++) y[i] = x[2 * i];                                           \
    }                                                                                                                  \
    static void line_##bits(int64_t n, char *to, int64_t to_step, const char *from, int64_t from_step)                 \
    {                                                                                                                  \
        const int64_t item = (int64_t)sizeof(type);                                                                    \
        if (n <= 0)                                                                                                    \
            return;                                                                                                    \
        if (to_step == -item) { /* from the other end */                                                               \
            to += (n - 1) * to_step;                                                                                   \
            from += (n - 1) * from_step;                                                                               \
            to_step = item;                                                                                            \
            from_step = -from_step;                                                                                    \
        }                                                                                                              \
        loose_##bits *y = (loose_##bits *)(void *)to;                                                                  \
        const loose_##bits *x = (const loose_##bits *)(const void *)from;                                              \
        const type first = *x;                                                                                         \
        if (to_step == item && from_step == 0)                                                                         \
            for (int64_t i = 0; i < n; i++)                                                                            \
                y[i] = first;                                                                                          \
        else if (to_step == item && from_step == item)                                                                 \
            memcpy(to, from, (size_t)(n * item));                                                                      \
        else if (to_step == item && from_step == -item)                                                                \
            turned_##bits(n, y, x);                                                                                    \
        else if (to_step == item && from_step == 2 * item)                                                             \
            every_other_##bits(n, y, x);                                                                               \
        else                                                                                                           \
            for (int64_t i = 0; i < n; i++, to += to_step, from += from_step)                                          \
                memcpy(to, from, sizeof(type));                                                                        \
    }
LINES(8, uint8_t)
LINES(16, uint16_t)
LINES(32, uint32_t)
LINES(64, uint64_t)
LINES(128, sixteen)

/* ---- lines woven into one, and one that is taken apart ---- */

#define WEAVE(bits, type)                                                                                              \
    static void weave_##bits(int64_t n, int count, char *to, const char *const *from)                                  \
    {                                                                                                                  \
        loose_##bits *restrict y = (loose_##bits *)(void *)to;                                                         \
        const loose_##bits *restrict a = (const loose_##bits *)(const void *)from[0];                                  \
        const loose_##bits *restrict b = (const loose_##bits *)(const void *)from[count > 1 ? 1 : 0];                  \
        const loose_##bits *restrict c = (const loose_##bits *)(const void *)from[count > 2 ? 2 : 0];                  \
        if (count == 2)                                                                                                \
            for (int64_t i = 0; i < n; i++) {                                                                          \
                y[2 * i] = a[i];                                                                                       \
                y[2 * i + 1] = b[i];                                                                                   \
            }                                                                                                          \
        else if (count == 3)                                                                                           \
            for (int64_t i = 0; i < n; i++) {                                                                          \
                y[3 * i] = a[i];                                                                                       \
                y[3 * i + 1] = b[i];                                                                                   \
                y[3 * i + 2] = c[i];                                                                                   \
            }                                                                                                          \
        else                                                                                                           \
            for (int64_t i = 0; i < n; i += PART)                                                                      \
                for (int k = 0; k < count; k++)                                                                        \
                    line_##bits(n - i < PART ? n - i : PART, to + (i * count + k) * (int64_t)sizeof(type),             \
                                count * (int64_t)sizeof(type), from[k] + i * (int64_t)sizeof(type), sizeof(type));     \
    }
enum { PART = 512 };
WEAVE(8, uint8_t)
WEAVE(16, uint16_t)
WEAVE(32, uint32_t)
WEAVE(64, uint64_t)
WEAVE(128, sixteen)

/* ---- planes that are turned ---- */

enum { SIDE_128 = 1 };
static inline void square_128(char *to, int64_t to_step, const char *from, int64_t from_step)
{
    (void)to_step, (void)from_step;
    memcpy(to, from, sizeof(sixteen));
}

/* Tiles of squares that are few pages and lines of the cache on either side; what is left at the edges by lines. Columns are
 * far apart, where no processor looks ahead by itself; behind the last one nothing is read. */
enum { AHEAD = 32, LINE = 64 }; /* columns; bytes */
#define TURN(bits, type, tile)                                                                                         \
    static void turn_part_##bits(int64_t rows, int64_t columns, char *to, int64_t to_step, const char *from,           \
                                 int64_t from_step)                                                                    \
    {                                                                                                                  \
        const int64_t item = (int64_t)sizeof(type), side = SIDE_##bits;                                                \
        const int64_t whole_rows = rows / side * side, whole_columns = columns / side * side;                          \
        for (int64_t c = 0; c < whole_columns; c += side) {                                                            \
            for (int64_t k = c + AHEAD; k < c + AHEAD + side; k++)                                                     \
                for (int64_t r = 0; r < rows * item; r += LINE)                                                        \
                    __builtin_prefetch(from + k * from_step + r);                                                      \
            for (int64_t r = 0; r < whole_rows; r += side)                                                             \
                square_##bits(to + r * to_step + c * item, to_step, from + c * from_step + r * item, from_step);       \
        }                                                                                                              \
        for (int64_t r = whole_rows; r < rows && whole_columns; r++)                                                   \
            line_##bits(whole_columns, to + r * to_step, item, from + r * item, from_step);                            \
        for (int64_t c = whole_columns; c < columns; c++)                                                              \
            line_##bits(rows, to + c * item, to_step, from + c * from_step, item);                                     \
    }                                                                                                                  \
    static void turn_##bits(int64_t rows, int64_t columns, char *to, int64_t to_step, const char *from,                \
                            int64_t from_step)                                                                         \
    {                                                                                                                  \
        const int64_t item = (int64_t)sizeof(type);                                                                    \
        if (columns <= 3 && to_step == columns * item && columns > 1) {                                                \
            const char *line[3] = {from, from + from_step, from + 2 * from_step};                                      \
            weave_##bits(rows, (int)columns, to, line);                                                                \
            return;                                                                                                    \
        }                                                                                                              \
        for (int64_t r = 0; r < rows; r += tile)                                                                       \
            for (int64_t c = 0; c < columns; c += tile)                                                                \
                turn_part_##bits(rows - r < tile ? rows - r : tile, columns - c < tile ? columns - c : tile,           \
                                 to + r * to_step + c * item, to_step, from + c * from_step + r * item, from_step);    \
    }
TURN(8, uint8_t, 64)
TURN(16, uint16_t, 32)
TURN(32, uint32_t, 32)
TURN(64, uint64_t, 32)
TURN(128, sixteen, 16)

#define LOOPS(bits)                                                                                                    \
    {                                                                                                                  \
        line_##bits, turn_##bits, weave_##bits                                                                         \
    }
extern const struct sta__copy_table STA__FOR_ISA(sta__copy_table_);
const struct sta__copy_table STA__FOR_ISA(sta__copy_table_) = {{LOOPS(8), LOOPS(16), LOOPS(32), LOOPS(64), LOOPS(128)}};
