/* W8, matrix products. The size is m x k x n, or one number for all three. */
#include "bench.h"

static double value(uint64_t seed, uint64_t index)
{
    return bench_normal(seed, index);
}

static const sta_error *prepare(struct bench *bench)
{
    const sta_dims s = bench->shape;
    const int64_t m = s.at[0], k = s.count > 1 ? s.at[1] : m, n = s.count > 2 ? s.at[2] : m;

    bench->input[0] = bench_array(STA_DIMS(m, k), bench->dtype, value, 1);
    bench->input[1] = bench_array(STA_DIMS(k, n), bench->dtype, value, 2);
    return sta_wait(bench->input[1]);
}

static const sta_error *plain(struct bench *bench)
{
    bench->result[0] = sta_matmul(bench->input[0], bench->input[1]);
    return sta_wait(bench->result[0]);
}

static const sta_error *transposed(struct bench *bench)
{
    bench->result[0] = sta_matmul(bench->input[0], sta_matrix_transpose(bench->input[1]));
    return sta_wait(bench->result[0]);
}

static const struct bench_case cases[] = {{"plain", plain}, {"transposed", transposed}};

int main(int argc, char **argv)
{
    return bench_main(argc, argv, &(struct bench_program){"1024", STA_float32, prepare, false, cases, 2});
}
