/* The same that skip NaN, for floating and complex types. After fold_order.h, with its macros. */

#define COMBINE(l, r) (TAKES(nanmin, l, r) ? (r) : (l))
#define FOLD(stem) NAMED(stem, nanmin, BRIEF)
#include "fold_one.h"

#define COMBINE(l, r) (TAKES(nanmax, l, r) ? (r) : (l))
#define FOLD(stem) NAMED(stem, nanmax, BRIEF)
#include "fold_one.h"

static inline __attribute__((always_inline)) PLACED NAMED(combine, nanargmin, BRIEF)(PLACED l, PLACED r, int w)
{
    (void)w;
    const bool takes = TAKES(nanmin, l.a, r.a);
    return (PLACED){takes ? r.a : l.a, takes ? r.b : l.b};
}
#define COMBINE NAMED(combine, nanargmin, BRIEF)
#define FOLD(stem) NAMED(stem, nanargmin, BRIEF)
#include "fold_placed.h"

static inline __attribute__((always_inline)) PLACED NAMED(combine, nanargmax, BRIEF)(PLACED l, PLACED r, int w)
{
    (void)w;
    const bool takes = TAKES(nanmax, l.a, r.a);
    return (PLACED){takes ? r.a : l.a, takes ? r.b : l.b};
}
#define COMBINE NAMED(combine, nanargmax, BRIEF)
#define FOLD(stem) NAMED(stem, nanargmax, BRIEF)
#include "fold_placed.h"
