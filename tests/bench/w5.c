/* W5, the pipeline: standardise the columns of x, clip, multiply by w, transform the rows, histogram of the moduli.
 *
 * What it takes at least on a GPU that copies 4.3 TB/s and multiplies 50.6 Tflop/s in float32, x of (2^21, 256), 2.15 GB:
 *      mean and standard deviation    reads x                                                0.5 ms
 *      standardise and clip           reads x, writes as much                                1.0
 *      product                        2 * 2^21 * 256 * 256 flops                             5.4
 *      transform                      reads 2.15 GB, writes one half of the rows, reads it
 *                                     and writes the other half                              2.0
 *      moduli and their range         reads 4.3 GB, writes 2.15                              1.5
 *      histogram                      reads 2.15 GB                                          0.5
 *                                                                                  together 10.9 ms
 * Not writing the moduli would gain nothing: they would be computed twice, from twice as many bytes. */
#include "bench.h"

static int64_t columns;

static double sample(uint64_t seed, uint64_t index)
{
    return bench_normal(seed, index) * (1 + (double)(index % (uint64_t)columns)) + 3;
}

static double weight(uint64_t seed, uint64_t index)
{
    return bench_normal(seed, index) * 0x1p-4;
}

static const sta_error *prepare(struct bench *bench)
{
    columns = bench->shape.at[bench->shape.count - 1];
    bench->input[0] = bench_array(bench->shape, bench->dtype, sample, 1);
    bench->input[1] = bench_array(STA_DIMS(columns, columns), bench->dtype, weight, 2);
    return sta_wait(bench->input[1]);
}

static sta_array magnitudes(struct bench *bench)
{
    sta_array x = bench->input[0], w = bench->input[1];
    sta_array mean = sta_mean(x, STA_AXES(0), STA_KEEPDIMS), std = sta_std(x, STA_AXES(0), STA_KEEPDIMS);
    sta_array z = sta_clip(sta_divide(sta_subtract(x, mean), std), sta_int(-3), sta_int(3));

    return sta_absolute(sta_move(sta_fft(sta_move(sta_matmul(sta_move(z), w)), -1, NULL)));
}

static const sta_error *whole(struct bench *bench)
{
    sta_histogram_result h = sta_histogram(sta_move(magnitudes(bench)), 64, NULL);
    const sta_error *error = sta_wait(h.counts);

    bench->result[0] = h.counts;
    bench->result[1] = h.edges;
    return error ? error : sta_wait(h.edges);
}

static const sta_error *without_histogram(struct bench *bench)
{
    bench->result[0] = magnitudes(bench);
    return sta_wait(bench->result[0]);
}

static const struct bench_case cases[] = {{"whole", whole}, {"nohist", without_histogram}};

int main(int argc, char **argv)
{
    return bench_main(argc, argv, &(struct bench_program){"262144x256", STA_float32, prepare, false, cases, 2});
}
