/* Decimal digits of floating-point numbers: the shortest that name the number within its own dtype, or as many as are
 * wanted, always exact. Independent of the locale and of printf. */
#ifndef STA__DIGITS_H
#define STA__DIGITS_H

#include "internal.h"

#define STA__DIGITS 160 /* the most digits that are made */

/* A real number taken apart: (-1)^negative * mantissa * 2^exponent. */
struct sta__real {
    bool negative, finite, nan;
    bool nearer_below; /* the next smaller number is only half as far away as the next larger one */
    uint64_t mantissa;
    int exponent;
};
/* Of float16, bfloat16, float32 or float64. */
struct sta__real sta__real_of(sta_dtype dtype, const void *bits);
/* The number without its sign; for a finite one. */
double sta__real_size(const struct sta__real *real);

/* What digits are wanted. */
struct sta__digit_rule {
    bool unique;   /* stop where the number is told from its neighbours; else only at `most` */
    bool fraction; /* most and least count the digits behind the point; else all of them */
    int most;      /* rounded there, half to even; -1 = no limit */
    int least;     /* go on until there; -1 = none */
};
/* 0.25: digits "25", exponent -1. */
struct sta__digits {
    int count, exponent; /* of the first digit */
    char at[STA__DIGITS + 1];
};
/* real must be finite. */
void sta__digits_of(const struct sta__real *real, struct sta__digit_rule rule, struct sta__digits *to);

#endif
