/* sum and prod of one type. A template: TYPE, BRIEF, PLUS(l, r), TIMES(l, r); FREE where they are the same in any order. */

#define COMBINE(l, r) PLUS(l, r)
#define FOLD(stem) NAMED(stem, sum, BRIEF)
#include "fold_one.h"
#ifdef FREE
#include "fold_any.h"
#include "fold_run.h"
#else
#include "fold_short.h"
#include "fold_nodes.h"
#endif
#undef FOLD
#undef COMBINE

#define COMBINE(l, r) TIMES(l, r)
#define FOLD(stem) NAMED(stem, prod, BRIEF)
#include "fold_one.h"
#ifdef FREE
#include "fold_any.h"
#include "fold_run.h"
#else
#include "fold_nodes.h"
#endif
#undef FOLD
#undef COMBINE
