/* All extremes of one type and their positions. A template: TYPE, BRIEF, KIND, NARROW, as in fold_order.h, which it
 * undefines; HAS_NAN. */

#define WHICH min
#define ARG argmin
#include "fold_order.h"
#undef WHICH
#undef ARG

#define WHICH max
#define ARG argmax
#include "fold_order.h"
#undef WHICH
#undef ARG

#ifdef HAS_NAN
#define WHICH nanmin
#define ARG nanargmin
#include "fold_order.h"
#undef WHICH
#undef ARG
#define WHICH nanmax
#define ARG nanargmax
#include "fold_order.h"
#undef WHICH
#undef ARG
#endif

#undef TYPE
#undef BRIEF
#undef KIND
#undef NARROW
