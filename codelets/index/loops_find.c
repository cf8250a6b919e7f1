/* See loops.h. This file is compiled once for each level of x86-64, with STA__ISA set to its name. */
#include "loops.h"

#define INLINE static inline __attribute__((always_inline))

static bool fit(const int64_t *ids, int64_t n, int64_t length)
{
    int64_t bad = 0;
    for (int64_t i = 0; i < n; i++)
        bad |= (ids[i] < -length ? 1 : 0) | (ids[i] >= length ? 1 : 0);
    return !bad;
}

/* ---- one index: what a kind of axis does not need is left out, where the kind is known to the compiler ---- */

/* The index of the frame; of an index out of range any number. */
INLINE uint64_t frame_index(const struct sta__finding *f, int64_t id, enum sta__find_kind kind)
{
    const uint64_t wrapped = (uint64_t)id + ((uint64_t)(id >> 63) & (uint64_t)f->length);
    return kind == STA__FIND_ANY ? (uint64_t)f->offset + (uint64_t)f->step * wrapped : wrapped;
}

INLINE uint64_t tile_of(const struct sta__finding *f, uint64_t index, enum sta__find_kind kind)
{
    const uint64_t part = index >> f->shift;
    return kind == STA__FIND_SIMPLE ? part : (uint64_t)(uint32_t)part * f->factor >> f->tail;
}

INLINE uint64_t place_of(const struct sta__finding *f, uint64_t index, enum sta__find_kind kind)
{
    return kind == STA__FIND_ANY ? tile_of(f, index, kind) * f->weight : tile_of(f, index, kind);
}

INLINE uint64_t offset_of(const struct sta__finding *f, uint64_t index, enum sta__find_kind kind)
{
    return kind == STA__FIND_ANY ? index * f->stride : index << f->stride_log;
}

/* Of the tile at a place; *here: all bits, or none where the task does not have that tile. */
INLINE uint64_t origin_of(const struct sta__placing *p, uint64_t place, uint64_t *here)
{
    *here = place < p->count ? UINT64_MAX : 0;
    return (uint64_t)(uintptr_t)p->origin[place & *here];
}

/* Where the element lies, or where nobody looks. */
INLINE char *choose(const struct sta__placing *p, uint64_t origin, uint64_t offset, uint64_t mine, int64_t i)
{
    const uint64_t spare = (uint64_t)(uintptr_t)p->spare + 16 * (uint64_t)i;
    mine &= origin != 0 ? UINT64_MAX : 0;
    return (char *)(uintptr_t)(((origin + offset) & mine) | (spare & ~mine));
}

/* ---- n of them ---- */

static void near(const struct sta__finding *given, const struct sta__placing *p, int64_t n, char **restrict at)
{
    const struct sta__finding f = *given;
    const int64_t *restrict ids = f.ids;
    char *const *restrict tile = p->origin;
    const uint64_t origin = (uint64_t)(uintptr_t)tile[0] + p->base;
    for (int64_t i = 0; i < n; i++)
        at[i] = (char *)(uintptr_t)(origin + frame_index(&f, ids[i], STA__FIND_ANY) * f.stride);
}

/* The origins of `most` places; the compiler must not know where they come from, or it fetches each where it is compared. */
INLINE void keep_origins(const struct sta__placing *p, uint64_t most, uint64_t *to)
{
    for (uint64_t k = 0; k < most; k++) {
        to[k] = k < p->count ? (uint64_t)(uintptr_t)p->origin[k] : 0;
        to[k] += to[k] ? p->base : 0;
        __asm__("" : "+r"(to[k]));
    }
}

/* A few origins are kept in registers and compared with: that is faster than to fetch each from a table. */
#define IS(number, origin) ((0 - (uint64_t)(k == (number))) & (origin))
INLINE void find_four(const struct sta__finding *given, const struct sta__placing *placing, int64_t n,
                      char **restrict at, enum sta__find_kind kind)
{
    const struct sta__finding f = *given;
    const struct sta__placing p = *placing;
    const int64_t *restrict ids = f.ids;
    uint64_t own[4];
    keep_origins(&p, 4, own);
    const uint64_t a = own[0], b = own[1], c = own[2], d = own[3];
    for (int64_t i = 0; i < n; i++) {
        const uint64_t index = frame_index(&f, ids[i], kind), k = place_of(&f, index, kind) + p.place;
        const uint64_t origin = IS(0, a) | IS(1, b) | IS(2, c) | IS(3, d);
        at[i] = choose(&p, origin, offset_of(&f, index, kind), UINT64_MAX, i);
    }
}

INLINE void find_eight(const struct sta__finding *given, const struct sta__placing *placing, int64_t n,
                       char **restrict at, enum sta__find_kind kind)
{
    const struct sta__finding f = *given;
    const struct sta__placing p = *placing;
    const int64_t *restrict ids = f.ids;
    uint64_t own[8];
    keep_origins(&p, 8, own);
    const uint64_t a = own[0], b = own[1], c = own[2], d = own[3], A = own[4], B = own[5], C = own[6], D = own[7];
    for (int64_t i = 0; i < n; i++) {
        const uint64_t index = frame_index(&f, ids[i], kind), k = place_of(&f, index, kind) + p.place;
        const uint64_t origin = IS(0, a) | IS(1, b) | IS(2, c) | IS(3, d) | IS(4, A) | IS(5, B) | IS(6, C) | IS(7, D);
        at[i] = choose(&p, origin, offset_of(&f, index, kind), UINT64_MAX, i);
    }
}

INLINE void find_all(const struct sta__finding *given, const struct sta__placing *placing, int64_t n,
                     char **restrict at, enum sta__find_kind kind)
{
    const struct sta__finding f = *given;
    const struct sta__placing p = *placing;
    const int64_t *restrict ids = f.ids;
    for (int64_t i = 0; i < n; i++) {
        uint64_t here, index = frame_index(&f, ids[i], kind), place = place_of(&f, index, kind) + p.place;
        at[i] = (char *)(uintptr_t)(origin_of(&p, place, &here) + offset_of(&f, index, kind) + p.base);
    }
}

INLINE void find_some(const struct sta__finding *given, const struct sta__placing *placing, int64_t n,
                      char **restrict at, enum sta__find_kind kind)
{
    const struct sta__finding f = *given;
    const struct sta__placing p = *placing;
    const int64_t *restrict ids = f.ids;
    for (int64_t i = 0; i < n; i++) {
        uint64_t here, index = frame_index(&f, ids[i], kind), place = place_of(&f, index, kind) + p.place;
        const uint64_t origin = origin_of(&p, place, &here);
        const uint64_t low = (int64_t)index >= f.low ? UINT64_MAX : 0, high = (int64_t)index < f.high ? UINT64_MAX : 0;
        at[i] = choose(&p, origin, offset_of(&f, index, kind) + p.base, here & low & high, i);
    }
}

INLINE uint64_t find_bits(const struct sta__finding *given, int64_t n, enum sta__find_kind kind)
{
    const struct sta__finding f = *given;
    const int64_t *restrict ids = f.ids;
    uint64_t found = 0, one = 1;
    __asm__("" : "+r"(one)); /* what is no constant is shifted by vectors */
    for (int64_t i = 0; i < n; i++)
        found |= one << (tile_of(&f, frame_index(&f, ids[i], kind), kind) & 63);
    return found;
}

/* Each as three loops, by the kind of the axis. */
#define BY_KIND(name)                                                                                                  \
    static void name(const struct sta__finding *f, const struct sta__placing *p, int64_t n, char **at)                 \
    {                                                                                                                  \
        if (f->kind == STA__FIND_SIMPLE)                                                                               \
            find_##name(f, p, n, at, STA__FIND_SIMPLE);                                                                \
        else if (f->kind == STA__FIND_PLAIN)                                                                           \
            find_##name(f, p, n, at, STA__FIND_PLAIN);                                                                 \
        else                                                                                                           \
            find_##name(f, p, n, at, STA__FIND_ANY);                                                                   \
    }
BY_KIND(four)
BY_KIND(eight)
BY_KIND(all)
BY_KIND(some)

static uint64_t bits(const struct sta__finding *f, int64_t n)
{
    return f->kind == STA__FIND_SIMPLE  ? find_bits(f, n, STA__FIND_SIMPLE)
           : f->kind == STA__FIND_PLAIN ? find_bits(f, n, STA__FIND_PLAIN)
                                        : find_bits(f, n, STA__FIND_ANY);
}

/* ---- several arrays ---- */

static void add(const struct sta__finding *given, int64_t n, uint64_t *restrict place, uint64_t *restrict offset)
{
    const struct sta__finding f = *given;
    const int64_t *restrict ids = f.ids;
    for (int64_t i = 0; i < n; i++) {
        const uint64_t index = frame_index(&f, ids[i], STA__FIND_ANY);
        place[i] += place_of(&f, index, STA__FIND_ANY);
        offset[i] += index * f.stride;
    }
}

static void gather(const struct sta__placing *placing, int64_t n, const uint64_t *restrict place,
                   const uint64_t *restrict offset, char **restrict at)
{
    const struct sta__placing p = *placing;
    for (int64_t i = 0; i < n; i++) {
        uint64_t here;
        const uint64_t origin = origin_of(&p, place[i], &here);
        at[i] = choose(&p, origin, offset[i], here, i);
    }
}

extern const struct sta__find_loops STA__FOR_ISA(sta__find_loops_);
const struct sta__find_loops STA__FOR_ISA(sta__find_loops_) = {fit, near, four, eight, all, some, bits, add, gather};
