/* See loops.h. This file is compiled once for each level of x86-64, with STA__ISA set to its name. */
#include "loops.h"

#define PASTE(a, b) a##b
#define FOR_ISA(a, b) PASTE(a, b)

static bool fit(const int64_t *ids, int64_t n, int64_t length)
{
    int64_t bad = 0;
    for (int64_t i = 0; i < n; i++)
        bad |= (ids[i] < -length ? 1 : 0) | (ids[i] >= length ? 1 : 0);
    return !bad;
}

/* The index of the frame; of an index out of range any number. */
static inline uint64_t frame_index(const struct sta__finding *f, int64_t id)
{
    return (uint64_t)f->offset + (uint64_t)f->step * ((uint64_t)id + (id < 0 ? (uint64_t)f->length : 0));
}

/* Of the tile in which an index of the frame lies; *here: all bits, or none where the task does not have that tile. */
static inline uint64_t origin_of(const struct sta__finding *f, uint64_t index, uint64_t *here)
{
    const uint64_t place = (index >> f->shift) * f->weight + f->place;
    *here = place < f->count ? UINT64_MAX : 0;
    return (uint64_t)(uintptr_t)f->origin[place & *here];
}

static void near(const struct sta__finding *given, int64_t n, char **restrict at)
{
    const struct sta__finding f = *given;
    const int64_t *restrict ids = f.ids;
    char *const *restrict tile = f.origin;
    const uint64_t origin = (uint64_t)(uintptr_t)tile[0] + f.base;
    for (int64_t i = 0; i < n; i++)
        at[i] = (char *)(uintptr_t)(origin + frame_index(&f, ids[i]) * f.stride);
}

static void all(const struct sta__finding *given, int64_t n, char **restrict at)
{
    const struct sta__finding f = *given;
    const int64_t *restrict ids = f.ids;
    for (int64_t i = 0; i < n; i++) {
        uint64_t here, index = frame_index(&f, ids[i]);
        at[i] = (char *)(uintptr_t)(origin_of(&f, index, &here) + index * f.stride + f.base);
    }
}

static void some(const struct sta__finding *given, int64_t n, char **restrict at)
{
    const struct sta__finding f = *given;
    const int64_t *restrict ids = f.ids;
    for (int64_t i = 0; i < n; i++) {
        uint64_t here;
        const uint64_t index = frame_index(&f, ids[i]), origin = origin_of(&f, index, &here);
        const uint64_t mine = here & (origin != 0 ? UINT64_MAX : 0) & ((int64_t)index >= f.low ? UINT64_MAX : 0) &
                              ((int64_t)index < f.high ? UINT64_MAX : 0);
        const uint64_t spare = (uint64_t)(uintptr_t)f.spare + 16 * (uint64_t)i;
        at[i] = (char *)(uintptr_t)(((origin + index * f.stride + f.base) & mine) | (spare & ~mine));
    }
}

static uint64_t bits(const struct sta__finding *given, int64_t n)
{
    const struct sta__finding f = *given;
    const int64_t *restrict ids = f.ids;
    uint64_t found = 0;
    for (int64_t i = 0; i < n; i++)
        found |= (uint64_t)1 << (frame_index(&f, ids[i]) >> f.shift & 63);
    return found;
}

extern const struct sta__find_loops FOR_ISA(sta__find_loops_, STA__ISA);
const struct sta__find_loops FOR_ISA(sta__find_loops_, STA__ISA) = {fit, near, all, some, bits};
