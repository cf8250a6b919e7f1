/* The scans of bool and integers. */
#define STA__PADDED 0
#define STA__ANY_ORDER 1 /* the tree and a running total are the same bits */
#define STA__CHOICES 1
#include "scanned.h"

#undef bool /* a short name of dtypes.def */

#define T uint8_t
#define U uint8_t
#define OTHER uint8_t
#define STA__BRIEF bool
#define STA__CLASS B
#include "elementwise/scalar_bool.h"

#include "scan.inc.h"

#define T int8_t
#define U int8_t
#define W uint32_t
#define STA__QUOTIENT float
#define OTHER int8_t
#define STA__BRIEF i8
#define STA__CLASS I
#include "elementwise/scalar_integer.h"

#include "scan.inc.h"

#define T uint8_t
#define U uint8_t
#define W uint32_t
#define STA__QUOTIENT float
#define OTHER uint8_t
#define STA__BRIEF u8
#define STA__CLASS I
#include "elementwise/scalar_integer.h"

#include "scan.inc.h"

#define T int16_t
#define U int16_t
#define W uint32_t
#define STA__QUOTIENT float
#define OTHER int16_t
#define STA__BRIEF i16
#define STA__CLASS I
#include "elementwise/scalar_integer.h"

#include "scan.inc.h"

#define T uint16_t
#define U uint16_t
#define W uint32_t
#define STA__QUOTIENT float
#define OTHER uint16_t
#define STA__BRIEF u16
#define STA__CLASS I
#include "elementwise/scalar_integer.h"

#include "scan.inc.h"

#define T int32_t
#define U int32_t
#define W uint32_t
#define STA__QUOTIENT double
#define OTHER uint32_t
#define STA__BRIEF i32
#define STA__CLASS I
#include "elementwise/scalar_integer.h"

#include "scan.inc.h"

#define T uint32_t
#define U uint32_t
#define W uint32_t
#define STA__QUOTIENT double
#define OTHER int32_t
#define STA__BRIEF u32
#define STA__CLASS I
#include "elementwise/scalar_integer.h"

#include "scan.inc.h"

#define T int64_t
#define U int64_t
#define W uint64_t
#define STA__QUOTIENT int64_t
#define OTHER uint64_t
#define STA__BRIEF i64
#define STA__CLASS L
#include "elementwise/scalar_integer.h"

#include "scan.inc.h"

#define T uint64_t
#define U uint64_t
#define W uint64_t
#define STA__QUOTIENT uint64_t
#define OTHER int64_t
#define STA__BRIEF u64
#define STA__CLASS L
#include "elementwise/scalar_integer.h"

#include "scan.inc.h"
