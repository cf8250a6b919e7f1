/* Lines and planes of memory that are copied by squares, vectors or elements: every size of item, steps of either sign, any
 * address, each instruction set. Against loops over bytes. ctest: sanitize */
#include "sta_test.h"

#include "copy/lines.h"

#include <stdlib.h>
#include <string.h>

enum { ROOM = 1 << 18 };
static char source[ROOM], target[ROOM], expected[ROOM];

static void prepare(void)
{
    for (int i = 0; i < ROOM; i++)
        source[i] = (char)(i * 31 + i / 251);
    memset(target, 77, ROOM);
    memset(expected, 77, ROOM);
}

static void compare(const struct sta__plane *p, int64_t to, int64_t from)
{
    prepare();
    for (int64_t i = 0; i < p->shape[0]; i++)
        for (int64_t j = 0; j < p->shape[1]; j++)
            memcpy(expected + to + i * p->to[0] + j * p->to[1], source + from + i * p->from[0] + j * p->from[1],
                   p->item);
    sta__copy_plane(p, target + to, source + from);
    if (memcmp(target, expected, ROOM) != 0)
        sta_test_fail(__FILE__, __LINE__, "%d by %d items of %d: to %d %d, from %d %d", (int)p->shape[0],
                      (int)p->shape[1], (int)p->item, (int)p->to[0], (int)p->to[1], (int)p->from[0], (int)p->from[1]);
}

/* Where index 0 lies, so that all others lie behind `first`. */
static int64_t begin(const struct sta__plane *p, const int64_t *stride, int64_t first)
{
    for (int a = 0; a < 2; a++)
        first -= stride[a] < 0 ? stride[a] * (p->shape[a] - 1) : 0;
    return first;
}

/* Both sides in C order or turned, either axis forwards or back, with gaps. */
static void each_way(int64_t rows, int64_t columns, size_t item, int64_t gap)
{
    const int64_t one = (int64_t)item;
    for (int way = 0; way < 64; way++) {
        struct sta__plane p = {{rows, columns}, {columns * one + gap, one}, {columns * one + gap, one}, item};
        if (way & 1)
            p.to[0] = one, p.to[1] = rows * one + gap;
        if (way & 2)
            p.from[0] = one, p.from[1] = rows * one + gap;
        for (int a = 0; a < 2; a++) {
            p.to[a] = way & (4 << a) ? -p.to[a] : p.to[a];
            p.from[a] = way & (16 << a) ? -p.from[a] : p.from[a];
        }
        compare(&p, begin(&p, p.to, 64 + (way & 1)), begin(&p, p.from, 64 + 3 * (way & 2)));
    }
}

static void planes(void)
{
    static const int64_t shapes[][2] = {{1, 1},  {1, 9},  {9, 1},  {2, 40},  {40, 2},
                                        {3, 33}, {33, 3}, {4, 17}, {16, 16}, {70, 37}};
    static const char *isas[] = {"v2", "v3", "v4"};
    for (int i = 0; i < 3; i++) {
        setenv("STA_ISA", isas[i], 1);
        sta__isa_choose();
        for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
            for (size_t item = 1; item <= 16; item *= 2) {
                each_way(shapes[s][0], shapes[s][1], item, 0);
                each_way(shapes[s][0], shapes[s][1], item, (int64_t)item);
                each_way(shapes[s][0], shapes[s][1], item, 5);
            }
    }
    unsetenv("STA_ISA");
    sta__isa_choose();
}

/* One element again and again; every other one. */
static void steps(void)
{
    static const int64_t step[] = {0, 1, 2, 3, -1, -2};
    for (size_t item = 1; item <= 16; item *= 2)
        for (size_t s = 0; s < sizeof step / sizeof *step; s++)
            for (int64_t n = 1; n < 150; n += n < 20 ? 1 : 43) {
                const int64_t one = (int64_t)item;
                compare(&(struct sta__plane){{1, n}, {0, one}, {0, step[s] * one}, item}, 0, 1000 * one);
                compare(&(struct sta__plane){{1, n}, {0, -one}, {0, step[s] * one}, item}, 1000 * one + 1,
                        1000 * one + 3);
                compare(&(struct sta__plane){{1, n}, {0, 3 * one}, {0, step[s] * one}, item}, 7, 1000 * one);
            }
}

static void weaves(void)
{
    for (size_t item = 1; item <= 16; item *= 2)
        for (int count = 1; count <= 9; count++)
            for (int64_t n = 1; n < 1200; n += n < 40 ? 7 : 541) {
                const char *line[9];
                prepare();
                for (int k = 0; k < count; k++)
                    line[k] = source + 1 + k * 1200 * 16;
                for (int64_t i = 0; i < n * count; i++)
                    memcpy(expected + 3 + i * (int64_t)item, line[i % count] + i / count * (int64_t)item, item);
                sta__copy_loops(item)->weave(n, count, target + 3, line);
                CU_ASSERT_EQUAL(memcmp(target, expected, ROOM), 0);
            }
}

STA_PURE_TESTS("copies", STA_CASE(planes), STA_CASE(steps), STA_CASE(weaves))
