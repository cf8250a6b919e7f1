/* Scans and differences along each axis. */
#include "bench.h"

static const sta_error *prepare(struct bench *bench)
{
    bench->input[0] = bench_array(bench->shape, bench->dtype, bench_uniform, 1);
    return sta_wait(bench->input[0]);
}

static const sta_error *wait_for(struct bench *bench, sta_array result)
{
    bench->result[0] = result;
    return sta_wait(result);
}

/* name-axis */
#define CASE(name, axis, call)                                                                                         \
    static const sta_error *name##_##axis(struct bench *bench)                                                         \
    {                                                                                                                  \
        const sta_array x = bench->input[0];                                                                           \
        return wait_for(bench, call);                                                                                  \
    }
#define BOTH(name, call_0, call_1) CASE(name, 0, call_0) CASE(name, 1, call_1)
BOTH(cumsum, sta_cumsum(x, 0), sta_cumsum(x, 1))
BOTH(cumprod, sta_cumprod(x, 0), sta_cumprod(x, 1))
BOTH(cummax, sta_cummax(x, 0), sta_cummax(x, 1))
BOTH(nancumsum, sta_nancumsum(x, 0), sta_nancumsum(x, 1))
BOTH(diff, sta_diff(x, 1, 0), sta_diff(x, 1, 1))
BOTH(gradient, sta_gradient(x, sta_float(0.5), 0, 1), sta_gradient(x, sta_float(0.5), 1, 1))
BOTH(trapezoid, sta_trapezoid(x, (sta_array){0}, 0.5, 0), sta_trapezoid(x, (sta_array){0}, 0.5, 1))
BOTH(hypot, sta_ufunc_accumulate("hypot", x, 0, STA_DTYPE_NONE), sta_ufunc_accumulate("hypot", x, 1, STA_DTYPE_NONE))

#define CASES(name)                                                                                                    \
    {#name "-0", name##_0},                                                                                            \
    {                                                                                                                  \
#name "-1", name##_1                                                                                           \
    }
static const struct bench_case cases[] = {CASES(cumsum), CASES(cumprod),  CASES(cummax),    CASES(nancumsum),
                                          CASES(diff),   CASES(gradient), CASES(trapezoid), CASES(hypot)};

int main(int argc, char **argv)
{
    return bench_main(argc, argv, &(struct bench_program){"100000000", STA_float64, prepare, false, cases, 16});
}
