/* The scans of floats. */
#define STA__PADDED 0
#define STA__ANY_ORDER 0
#define STA__CHOICES 1
#include <float.h>
#include <tgmath.h>

#include "scanned.h"
#include "elementwise/scalar_special.h"

#define T float
#define U float
#define LARGEST FLT_MAX
#define OTHER float
#define STA__BRIEF f32
#define STA__CLASS F
#include "elementwise/scalar_floating.h"

#include "scan.inc.h"

#define T double
#define U double
#define LARGEST DBL_MAX
#define OTHER double
#define STA__BRIEF f64
#define STA__CLASS F
#include "elementwise/scalar_floating.h"

#include "scan.inc.h"
