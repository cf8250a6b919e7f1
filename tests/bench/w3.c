/* W3, prices of options by Black and Scholes' formula: the call and the put of each. */
#include "bench.h"

static double spot(uint64_t seed, uint64_t index)
{
    return 50 + 100 * bench_uniform(seed, index);
}

static double strike(uint64_t seed, uint64_t index)
{
    return 60 + 80 * bench_uniform(seed, index);
}

static double years(uint64_t seed, uint64_t index)
{
    return 0.1 + 2 * bench_uniform(seed, index);
}

static const sta_error *prepare(struct bench *bench)
{
    bench->input[0] = bench_array(bench->shape, bench->dtype, spot, 1);
    bench->input[1] = bench_array(bench->shape, bench->dtype, strike, 2);
    bench->input[2] = bench_array(bench->shape, bench->dtype, years, 3);
    return sta_wait(bench->input[2]);
}

static sta_array normal_cdf(sta_array x)
{
    return sta_multiply(sta_float(0.5), sta_add(sta_int(1), sta_erf(sta_multiply(x, sta_float(0.7071067811865476)))));
}

static const sta_error *prices(struct bench *bench)
{
    const double rate = 0.03, volatility = 0.25;
    sta_array s = bench->input[0], k = bench->input[1], t = bench->input[2];
    sta_array sigma = sta_multiply(sta_float(volatility), sta_sqrt(t));
    sta_array drift = sta_multiply(sta_float(rate + volatility * volatility / 2), t);
    sta_array d1 = sta_divide(sta_add(sta_log(sta_divide(s, k)), drift), sigma), d2 = sta_subtract(d1, sigma);
    sta_array due = sta_multiply(k, sta_exp(sta_multiply(sta_float(-rate), t)));
    sta_array call = sta_subtract(sta_multiply(s, normal_cdf(d1)), sta_multiply(due, normal_cdf(d2)));
    sta_array put = sta_add(sta_subtract(call, s), due);

    bench->result[0] = call;
    bench->result[1] = put;
    const sta_error *error = sta_wait(put);
    return error ? error : sta_wait(call);
}

static const struct bench_case cases[] = {{"prices", prices}};

int main(int argc, char **argv)
{
    return bench_main(argc, argv, &(struct bench_program){"1000000", STA_float64, prepare, false, cases, 1});
}
