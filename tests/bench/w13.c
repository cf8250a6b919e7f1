/* W13, Fourier transforms along the axes of a matrix. */
#include "bench.h"

static double value(uint64_t seed, uint64_t index)
{
    return bench_normal(seed, index);
}

static const sta_error *prepare(struct bench *bench)
{
    const sta_dtype complex = bench->dtype == STA_float32 ? STA_complex64 : STA_complex128;

    bench->input[0] = bench_array(bench->shape, bench->dtype, value, 1);
    bench->input[1] = sta_astype(bench->input[0], complex);
    return sta_wait(bench->input[1]);
}

static const sta_error *wait_for(struct bench *bench, sta_array result)
{
    bench->result[0] = result;
    return sta_wait(result);
}

static const sta_error *complex_rows(struct bench *bench)
{
    return wait_for(bench, sta_fft(bench->input[1], -1, NULL));
}

static const sta_error *complex_back(struct bench *bench)
{
    return wait_for(bench, sta_ifft(bench->input[1], -1, NULL));
}

static const sta_error *real_rows(struct bench *bench)
{
    return wait_for(bench, sta_fft(bench->input[0], -1, NULL));
}

static const sta_error *half_rows(struct bench *bench)
{
    return wait_for(bench, sta_rfft(bench->input[0], -1, NULL));
}

static const sta_error *columns(struct bench *bench)
{
    return wait_for(bench, sta_fft(bench->input[1], 0, NULL));
}

static const struct bench_case cases[] = {
    {"complex", complex_rows}, {"back", complex_back}, {"real", real_rows}, {"half", half_rows}, {"columns", columns}};

int main(int argc, char **argv)
{
    return bench_main(argc, argv, &(struct bench_program){"4096x1024", STA_float32, prepare, false, cases, 5});
}
