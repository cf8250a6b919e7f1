/* W4, the density of sea water by the equation of state of 1980 (UNESCO Technical Papers in Marine Science 38, 1981): about
 * a hundred operations on salinity, temperature (degrees Celsius, IPTS-68) and pressure (bar). */
#include "bench.h"

static double salinity(uint64_t seed, uint64_t index)
{
    return 30 + 10 * bench_uniform(seed, index);
}

static double temperature(uint64_t seed, uint64_t index)
{
    return 30 * bench_uniform(seed, index);
}

static double pressure(uint64_t seed, uint64_t index)
{
    return 1000 * bench_uniform(seed, index);
}

static const sta_error *prepare(struct bench *bench)
{
    bench->input[0] = bench_array(bench->shape, bench->dtype, salinity, 1);
    bench->input[1] = bench_array(bench->shape, bench->dtype, temperature, 2);
    bench->input[2] = bench_array(bench->shape, bench->dtype, pressure, 3);
    return sta_wait(bench->input[2]);
}

/* The coefficient of the highest power comes first. */
#define POLYNOMIAL(x, ...)                                                                                             \
    polynomial(x, (const double[]){__VA_ARGS__}, sizeof((double[]){__VA_ARGS__}) / sizeof(double))
static sta_array polynomial(sta_array x, const double *coefficient, size_t count)
{
    sta_array sum = sta_add(sta_multiply(x, sta_float(coefficient[0])), sta_float(coefficient[1]));
    for (size_t k = 2; k < count; k++)
        sum = sta_add(sta_multiply(sum, x), sta_float(coefficient[k]));
    return sum;
}

static sta_array terms(sta_array pure, sta_array s, sta_array by_s, sta_array root, sta_array by_root)
{
    return sta_add(sta_add(pure, sta_multiply(s, by_s)), sta_multiply(root, by_root));
}

static sta_array density(sta_array s, sta_array t, sta_array p)
{
    sta_array root = sta_multiply(s, sta_sqrt(s)); /* s^1.5 */
    sta_array surface =
        terms(POLYNOMIAL(t, 6.536332e-9, -1.120083e-6, 1.001685e-4, -9.095290e-3, 6.793952e-2, 999.842594), s,
              POLYNOMIAL(t, 5.3875e-9, -8.2467e-7, 7.6438e-5, -4.0899e-3, 0.824493), root,
              POLYNOMIAL(t, -1.6546e-6, 1.0227e-4, -5.72466e-3));
    surface = sta_add(surface, sta_multiply(sta_float(4.8314e-4), sta_square(s)));
    sta_array modulus = terms(POLYNOMIAL(t, -5.155288e-5, 1.360477e-2, -2.327105, 148.4206, 19652.21), s,
                              POLYNOMIAL(t, -6.1670e-5, 1.09987e-2, -0.603459, 54.6746), root,
                              POLYNOMIAL(t, -5.3009e-4, 1.6483e-2, 7.944e-2));
    sta_array first = sta_add(sta_add(POLYNOMIAL(t, -5.77905e-7, 1.16092e-4, 1.43713e-3, 3.239908),
                                      sta_multiply(s, POLYNOMIAL(t, -1.6078e-6, -1.0981e-5, 2.2838e-3))),
                              sta_multiply(root, sta_float(1.91075e-4)));
    sta_array second = sta_add(POLYNOMIAL(t, 5.2787e-8, -6.12293e-6, 8.50935e-5),
                               sta_multiply(s, POLYNOMIAL(t, 9.1697e-10, 2.0816e-8, -9.9348e-7)));
    modulus = sta_add(modulus, sta_multiply(p, sta_add(first, sta_multiply(p, second))));
    return sta_divide(surface, sta_subtract(sta_int(1), sta_divide(p, modulus)));
}

static const sta_error *state(struct bench *bench)
{
    bench->result[0] = density(bench->input[0], bench->input[1], bench->input[2]);
    return sta_wait(bench->result[0]);
}

static const struct bench_case cases[] = {{"density", state}};

int main(int argc, char **argv)
{
    return bench_main(argc, argv, &(struct bench_program){"4000000", STA_float64, prepare, false, cases, 1});
}
