/* The loops of the 32 and 64 bit integers. */
#define STA__PADDED 0
#include "loop_macros.h"

#define T int32_t
#define STA__QUOTIENT double
#define U int32_t
#define W uint32_t
#define OTHER uint32_t
#define STA__BRIEF i32
#define STA__CLASS I
#include "scalar_integer.h"

#include "loops.h"

#define T uint32_t
#define STA__QUOTIENT double
#define U uint32_t
#define W uint32_t
#define OTHER int32_t
#define STA__BRIEF u32
#define STA__CLASS I
#include "scalar_integer.h"

#include "loops.h"

#define T int64_t
#define STA__QUOTIENT int64_t
#define U int64_t
#define W uint64_t
#define OTHER uint64_t
#define STA__BRIEF i64
#define STA__CLASS L
#include "scalar_integer.h"

#include "loops.h"

#define T uint64_t
#define STA__QUOTIENT uint64_t
#define U uint64_t
#define W uint64_t
#define OTHER int64_t
#define STA__BRIEF u64
#define STA__CLASS L
#include "scalar_integer.h"

#include "loops.h"
