/* The loops of float64. */
#define STA__PADDED 1
#include "vector_math.h"

#include <tgmath.h>

#include "loop_macros.h"

#define T double
#define U double
#define OTHER double
#define STA__BRIEF f64
#define STA__CLASS F
#include "scalar_floating.h"

#include "loops.h"
