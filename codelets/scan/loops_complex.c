/* The scans of complex numbers. */
#define STA__PADDED 0
#define STA__ANY_ORDER 0
#define STA__CHOICES 0
#include <complex.h>
#include <float.h>
#include <tgmath.h>
#undef I /* a letter of the kinds column */

#include "scanned.h"

#define T float _Complex
#define U float
#define LARGEST FLT_MAX
#define OTHER float
#define STA__BRIEF c64
#define STA__CLASS C
#include "elementwise/scalar_complex.h"

#include "scan.inc.h"

#define T double _Complex
#define U double
#define LARGEST DBL_MAX
#define OTHER double
#define STA__BRIEF c128
#define STA__CLASS C
#include "elementwise/scalar_complex.h"

#include "scan.inc.h"
