/* W2, chains of element-wise functions: one pass over memory if they are fused. */
#include "bench.h"

static double wide(uint64_t seed, uint64_t index)
{
    return bench_uniform(seed, index) * 16 - 8;
}

static const sta_error *prepare(struct bench *bench)
{
    bench->input[0] = bench_array(bench->shape, bench->dtype, wide, 1);
    bench->input[1] = bench_array(bench->shape, bench->dtype, wide, 2);
    return sta_wait(bench->input[1]);
}

static const sta_error *clip(struct bench *bench)
{
    sta_array z = sta_divide(sta_subtract(bench->input[0], sta_float(0.5)), sta_float(2.25));

    bench->result[0] = sta_clip(z, sta_int(-3), sta_int(3));
    return sta_wait(bench->result[0]);
}

static const sta_error *sum(struct bench *bench)
{
    bench->result[0] = sta_sum(sta_add(sta_sin(bench->input[0]), sta_cos(bench->input[0])), STA_ALL, 0);
    return sta_wait(bench->result[0]);
}

static const sta_error *combine(struct bench *bench)
{
    sta_array twice = sta_multiply(sta_int(2), bench->input[0]), thrice = sta_multiply(sta_int(3), bench->input[1]);

    bench->result[0] = sta_add(twice, thrice);
    return sta_wait(bench->result[0]);
}

static const sta_error *squares(struct bench *bench)
{
    bench->result[0] = sta_add(sta_square(sta_sin(bench->input[0])), sta_square(sta_cos(bench->input[0])));
    return sta_wait(bench->result[0]);
}

static const struct bench_case cases[] = {{"clip", clip}, {"sum", sum}, {"combine", combine}, {"squares", squares}};

int main(int argc, char **argv)
{
    return bench_main(argc, argv, &(struct bench_program){"20000000", STA_float64, prepare, false, cases, 4});
}
