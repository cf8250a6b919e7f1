/* Special functions that have one formula for all dtypes: computed in double. See scalar.h. */
#ifndef STA__SCALAR_SPECIAL_H
#define STA__SCALAR_SPECIAL_H

/* The power series sum (x^2/4)^k / k!^2 has positive terms only. From 20 on the asymptotic one converges far enough:
 * e^x / sqrt(2 pi x) * sum ((2k-1)!!)^2 / (k! (8x)^k). e^x is taken in two halves, since it
 * overflows before I0 does. */
STA__INLINE double sta__bessel_i0(double x)
{
    const double size = fabs(x), quarter = size * size / 4;
    double term = 1, sum = 1;
    if (!(size > 20)) {
        for (int k = 1; term > sum * 0x1p-56; k++) {
            term *= quarter / (k * k);
            sum += term;
        }
        return sum + (x - x);
    }
    if (size > 720)
        return size * 0x1.fffffffffffffp+1023;
    for (int k = 1; term > sum * 0x1p-56; k++) {
        term *= (2 * k - 1) * (2 * k - 1) / (8 * k * size);
        sum += term;
    }
    const double half = exp(size / 2);
    return half * (sum / sqrt(0x1.921fb54442d18p+2 * size)) * half;
}

#endif
