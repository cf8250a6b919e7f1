/* The first of the smallest or largest of one type, without and with its index. A template: TYPE, BRIEF, KIND and WHICH, as in
 * combine.h, ARG = the name with the index, NARROW = an integer as wide as TYPE. */

#define PICK(l, r, left, right) NAMED(PICK, KIND, WHICH)(l, r, left, right)
#define SAME(a, b) JOINED(SAME, KIND)(a, b)
#define INDEXED(stem) NAMED(stem, ARG, BRIEF)

#define COMBINE(l, r) PICK(l, r, l, r)
#define FOLD(stem) NAMED(stem, WHICH, BRIEF)
#if JOINED(ROUNDS, KIND)
#define PLAIN(l, r) NAMED(PLAIN, KIND, WHICH)(l, r)
#endif
#include "fold_one.h"
#include "fold_any.h"
#undef PLAIN
#include "fold_first.h"
#undef FOLD
#undef COMBINE

struct INDEXED(placed) {
    TYPE a;
    int64_t b;
};
struct INDEXED(near) {
    TYPE a;
    NARROW b;
};
static inline __attribute__((always_inline)) struct INDEXED(placed)
    INDEXED(combine)(struct INDEXED(placed) l, struct INDEXED(placed) r, int w)
{
    (void)w;
    return (struct INDEXED(placed)){PICK(l.a, r.a, l.a, r.a), PICK(l.a, r.a, l.b, r.b)};
}
static inline __attribute__((always_inline)) struct INDEXED(near)
    INDEXED(nearer)(struct INDEXED(near) l, struct INDEXED(near) r)
{
    return (struct INDEXED(near)){PICK(l.a, r.a, l.a, r.a), PICK(l.a, r.a, l.b, r.b)};
}

#define FOLD INDEXED
#define COMBINE INDEXED(nearer)
#define NEAR struct INDEXED(near)
#include "fold_scan.h"
#undef NEAR
#undef COMBINE

#define STATE struct INDEXED(placed)
#define PART0 TYPE
#define PART1 int64_t
#define LEAF(x, index) ((STATE){(x), (index)})
#define WEIGHT int
#define WEIGHT_OF(w) ((void)(w), 0)
#define COMBINE INDEXED(combine)
#include "fold_two.h"
#undef INDEXED
#undef PICK
#undef SAME
