/* What the loops of scans share: which rows of ufuncs.def have them, and by which rule (scan.h). A file that includes this
 * is compiled once for each instruction set, as elementwise/loop_macros.h says, and does not include vector_math.h: a
 * value must not depend on how many columns are computed side by side. */
#ifndef STA__SCANNED_H
#define STA__SCANNED_H

#include "elementwise/loop_macros.h"

#include "scan.h"

enum { STA__SCAN_CHUNK = 512 }; /* elements of the largest block: they stay in the first-level cache */

/* TREE, SERIAL; BOOL_TREE, BOOL_SERIAL of bool alone. */
#define STA__SCANS_add ~, TREE
#define STA__SCANS_multiply ~, TREE
#define STA__SCANS_maximum ~, TREE
#define STA__SCANS_minimum ~, TREE
#define STA__SCANS_fmax ~, TREE
#define STA__SCANS_fmin ~, TREE
#define STA__SCANS_bitwise_and ~, TREE
#define STA__SCANS_bitwise_or ~, TREE
#define STA__SCANS_bitwise_xor ~, TREE
#define STA__SCANS_logical_and ~, BOOL_TREE
#define STA__SCANS_logical_or ~, BOOL_TREE
#define STA__SCANS_logical_xor ~, BOOL_TREE
#define STA__SCANS_subtract ~, SERIAL
#define STA__SCANS_divide ~, SERIAL
#define STA__SCANS_floor_divide ~, SERIAL
#define STA__SCANS_remainder ~, SERIAL
#define STA__SCANS_fmod ~, SERIAL
#define STA__SCANS_power ~, SERIAL
#define STA__SCANS_float_power ~, SERIAL
#define STA__SCANS_copysign ~, SERIAL
#define STA__SCANS_nextafter ~, SERIAL
#define STA__SCANS_heaviside ~, SERIAL
#define STA__SCANS_gcd ~, SERIAL
#define STA__SCANS_lcm ~, SERIAL
#define STA__SCANS_logaddexp ~, SERIAL
#define STA__SCANS_logaddexp2 ~, SERIAL
#define STA__SCANS_hypot ~, SERIAL
#define STA__SCANS_arctan2 ~, SERIAL
#define STA__SCANS_left_shift ~, SERIAL
#define STA__SCANS_right_shift ~, SERIAL
#define STA__SCANS_greater ~, BOOL_SERIAL
#define STA__SCANS_greater_equal ~, BOOL_SERIAL
#define STA__SCANS_less ~, BOOL_SERIAL
#define STA__SCANS_less_equal ~, BOOL_SERIAL
#define STA__SCANS_equal ~, BOOL_SERIAL
#define STA__SCANS_not_equal ~, BOOL_SERIAL

/* STA__SCANNED(add, tree, serial) is tree, serial, or a macro that makes nothing. */
#define STA__SCANNED(name, tree, serial)                                                                               \
    STA__GLUE(STA__CHOOSE_, STA__SECOND(STA__GLUE(STA__SCANS_, name), NOTHING, ))(tree, serial)
#define STA__SECOND(...) STA__SECOND_OF(__VA_ARGS__)
#define STA__SECOND_OF(first, second, ...) second
#define STA__CHOOSE_TREE(tree, serial) tree
#define STA__CHOOSE_SERIAL(tree, serial) serial
#define STA__CHOOSE_BOOL_TREE(tree, serial) STA__GLUE(STA__ONLY_, STA__CLASS)(tree)
#define STA__CHOOSE_BOOL_SERIAL(tree, serial) STA__GLUE(STA__ONLY_, STA__CLASS)(serial)
#define STA__CHOOSE_NOTHING(tree, serial) STA__NOTHING
#define STA__ONLY_B(what) what
#define STA__ONLY_I(what) STA__NOTHING
#define STA__ONLY_L(what) STA__NOTHING
#define STA__ONLY_F(what) STA__NOTHING
#define STA__ONLY_C(what) STA__NOTHING
#define STA__NOTHING(name, rule, text)

/* The length of the next block of [first, last). */
static inline int64_t block_of(int64_t first, int64_t last)
{
    int64_t len = first & -first; /* 0: aligned to everything */
    len = len == 0 || len > STA__SCAN_CHUNK ? STA__SCAN_CHUNK : len;
    while (first + len > last)
        len /= 2;
    return len;
}

#endif
