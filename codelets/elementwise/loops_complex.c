/* The loops of complex64 and complex128. Elementary functions are the C library's scalar ones, but for the modulus
 * and the angle. */
#define STA__PADDED 1
#include "vector_math.h"

#include <complex.h>
#include <float.h>
#include <tgmath.h>
#undef I /* a letter of the kinds column */

#include "loop_macros.h"

#define T float _Complex
#define U float
#define LARGEST FLT_MAX
#define OTHER float
#define STA__BRIEF c64
#define STA__CLASS C
#include "scalar_complex.h"

#include "loops.h"

#define T double _Complex
#define U double
#define LARGEST DBL_MAX
#define OTHER double
#define STA__BRIEF c128
#define STA__CLASS C
#include "scalar_complex.h"

#include "loops.h"
