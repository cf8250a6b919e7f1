/* What fold_two.h needs for a value with its index; FOLD and COMBINE are given. */
#define STATE PLACED
#define PART0 TYPE
#define PART1 int64_t
#define LEAF(x, index) ((PLACED){(x), (index)})
#define WEIGHT int
#define WEIGHT_OF(w) ((void)(w), 0)
#include "fold_two.h"
