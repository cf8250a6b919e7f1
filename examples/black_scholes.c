/* Prices of a million options: a long element-wise chain. It is one pass over memory, and one task a tile; the
 * temporaries, dozens of them, are never stored. ctest: omp sanitize */
#include <starray/starray.h>

#include <math.h>
#include <stdio.h>

static sta_array normal_cdf(sta_array x)
{
    return sta_multiply(sta_float(0.5), sta_add(sta_int(1), sta_erf(sta_multiply(x, sta_float(0.7071067811865476)))));
}

int main(void)
{
    const int64_t n = 1000000;
    const double rate = 0.03, volatility = 0.25;
    double parity = 0, mean = 0;
    if (sta_init(NULL))
        return 1;
    sta_array spot = sta_linspace(50, 150, n, STA_DTYPE_NONE), strike = sta_float(100);
    sta_array years = sta_linspace(2, 0.1, n, STA_DTYPE_NONE);

    sta_array sigma = sta_multiply(sta_float(volatility), sta_sqrt(years));
    sta_array drift = sta_multiply(sta_float(rate + volatility * volatility / 2), years);
    sta_array d1 = sta_divide(sta_add(sta_log(sta_divide(spot, strike)), drift), sigma), d2 = sta_subtract(d1, sigma);
    sta_array due = sta_multiply(strike, sta_exp(sta_multiply(sta_float(-rate), years)));
    sta_array call = sta_subtract(sta_multiply(spot, normal_cdf(d1)), sta_multiply(due, normal_cdf(d2)));
    sta_array put =
        sta_subtract(sta_multiply(due, normal_cdf(sta_negative(d2))), sta_multiply(spot, normal_cdf(sta_negative(d1))));

    /* call - put = spot - due, whatever the model */
    sta_array gap = sta_subtract(sta_subtract(call, put), sta_subtract(spot, due));
    const sta_error *error = sta_item_float(sta_max(sta_absolute(gap), STA_ALL, 0), &parity);
    if (!error)
        error = sta_item_float(sta_mean(call, STA_ALL, 0), &mean);
    if (error)
        fprintf(stderr, "%s: %s\n", error->op, error->text);
    sta_print(sta_slice(call, "::%d", 100000));
    printf("mean price of a call: %.4f; put-call parity holds to %.1e\n", mean, parity);
    sta_finish();
    return error || !(parity < 1e-11);
}
