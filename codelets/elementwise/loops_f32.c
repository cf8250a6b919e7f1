/* The loops of float32, which also compute float16 and bfloat16. */
#define STA__PADDED 1
#define STA__SCALARS 1
#include "vector_math.h"

#include <float.h>
#include <tgmath.h>

#include "loop_macros.h"
#include "scalar_special.h"

#define T float
#define U float
#define LARGEST FLT_MAX
#define OTHER float
#define STA__BRIEF f32
#define STA__CLASS F
#include "scalar_floating.h"

#include "loops.h"
