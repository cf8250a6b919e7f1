/* min, max, argmin, argmax of one type. A template: TYPE, BRIEF and TAKES(which, l, r), as in combine.h. */

#define COMBINE(l, r) (TAKES(min, l, r) ? (r) : (l))
#define FOLD(stem) NAMED(stem, min, BRIEF)
#include "fold_one.h"

#define COMBINE(l, r) (TAKES(max, l, r) ? (r) : (l))
#define FOLD(stem) NAMED(stem, max, BRIEF)
#include "fold_one.h"

struct NAMED(placed, value, BRIEF) {
    TYPE a;
    int64_t b;
};
#define PLACED struct NAMED(placed, value, BRIEF)

static inline __attribute__((always_inline)) PLACED NAMED(combine, argmin, BRIEF)(PLACED l, PLACED r, int w)
{
    (void)w;
    const bool takes = TAKES(min, l.a, r.a);
    return (PLACED){takes ? r.a : l.a, takes ? r.b : l.b};
}
#define COMBINE NAMED(combine, argmin, BRIEF)
#define FOLD(stem) NAMED(stem, argmin, BRIEF)
#include "fold_placed.h"

static inline __attribute__((always_inline)) PLACED NAMED(combine, argmax, BRIEF)(PLACED l, PLACED r, int w)
{
    (void)w;
    const bool takes = TAKES(max, l.a, r.a);
    return (PLACED){takes ? r.a : l.a, takes ? r.b : l.b};
}
#define COMBINE NAMED(combine, argmax, BRIEF)
#define FOLD(stem) NAMED(stem, argmax, BRIEF)
#include "fold_placed.h"
