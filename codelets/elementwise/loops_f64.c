/* The loops of float64. */
#define STA__PADDED 1
#define STA__SCALARS 1
#include "vector_math.h"

#include <float.h>
#include <tgmath.h>

#include "loop_macros.h"
#include "scalar_special.h"

#define T double
#define U double
#define LARGEST DBL_MAX
#define OTHER double
#define STA__BRIEF f64
#define STA__CLASS F
#include "scalar_floating.h"

#include "loops.h"
