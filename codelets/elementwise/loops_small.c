/* The loops of bool and the 8 and 16 bit integers. */
#define STA__PADDED 0
#include "loop_macros.h"

#undef bool /* a short name of dtypes.def */

#define T uint8_t
#define U uint8_t
#define OTHER uint8_t
#define STA__BRIEF bool
#define STA__CLASS B
#include "scalar_bool.h"

#include "loops.h"

#define T int8_t
#define STA__QUOTIENT float
#define U int8_t
#define W uint32_t
#define OTHER int8_t
#define STA__BRIEF i8
#define STA__CLASS I
#include "scalar_integer.h"

#include "loops.h"

#define T uint8_t
#define STA__QUOTIENT float
#define U uint8_t
#define W uint32_t
#define OTHER uint8_t
#define STA__BRIEF u8
#define STA__CLASS I
#include "scalar_integer.h"

#include "loops.h"

#define T int16_t
#define STA__QUOTIENT float
#define U int16_t
#define W uint32_t
#define OTHER int16_t
#define STA__BRIEF i16
#define STA__CLASS I
#include "scalar_integer.h"

#include "loops.h"

#define T uint16_t
#define STA__QUOTIENT float
#define U uint16_t
#define W uint32_t
#define OTHER uint16_t
#define STA__BRIEF u16
#define STA__CLASS I
#include "scalar_integer.h"

#include "loops.h"
