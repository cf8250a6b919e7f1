/* var of one type: s is the sum, m2 the sum of |x - mean|^2. A template: TYPE, REAL, BRIEF, PLUS(l, r).
 * Two nodes of c elements each: m2 = m2L + m2R + |sR - sL|^2 / (2 c), written so that squares overflow no sooner than
 * those of the elements do. */

struct NAMED(moments, var, BRIEF) {
    TYPE a;
    REAL b;
};
struct NAMED(weight, var, BRIEF) {
    REAL reciprocal, half;
};
#define STATE struct NAMED(moments, var, BRIEF)
#define PART0 TYPE
#define PART1 REAL
#define WEIGHT struct NAMED(weight, var, BRIEF)
#define WEIGHT_OF(w) ((WEIGHT){(REAL)(w).reciprocal, (REAL)(w).half})
#define LEAF(x, index) ((STATE){(x), JOINED(alone, BRIEF)(x)})

static inline __attribute__((always_inline)) STATE NAMED(combine, var, BRIEF)(STATE l, STATE r, WEIGHT w)
{
    const TYPE d = JOINED(difference, BRIEF)(l.a, r.a, w.reciprocal);
    return (STATE){PLUS(l.a, r.a), (l.b + r.b) + JOINED(spread, BRIEF)(d) * w.half};
}
#define COMBINE NAMED(combine, var, BRIEF)
#define FOLD(stem) NAMED(stem, var, BRIEF)
#include "fold_two.h"
