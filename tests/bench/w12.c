/* W12, histograms: the range of the data found or given, few bins and many, explicit edges, weights, values of which most
 * lie in one bin. */
#include "bench.h"

static double even(uint64_t seed, uint64_t index)
{
    return bench_uniform(seed, index);
}

static double skewed(uint64_t seed, uint64_t index)
{
    return bench_bits(seed + 1, index) % 16 ? 0.5 : bench_uniform(seed, index);
}

static const sta_error *prepare(struct bench *bench)
{
    bench->input[0] = bench_array(bench->shape, bench->dtype, even, 1);
    bench->input[1] = bench_array(bench->shape, bench->dtype, skewed, 2);
    bench->input[2] = sta_square(sta_linspace(0, 1, 101, STA_float64));
    return sta_wait(bench->input[2]);
}

static const sta_error *histogram(struct bench *bench, sta_array x, int64_t bins, const sta_histogram_options *options)
{
    sta_histogram_result h = sta_histogram(x, bins, options);
    const sta_error *error = sta_wait(h.counts);

    bench->result[0] = h.counts;
    bench->result[1] = h.edges;
    return error ? error : sta_wait(h.edges);
}

static const sta_error *few(struct bench *bench)
{
    return histogram(bench, bench->input[0], 64, NULL);
}

static const sta_error *many(struct bench *bench)
{
    return histogram(bench, bench->input[0], 1000000, NULL);
}

static const sta_error *given(struct bench *bench)
{
    return histogram(bench, bench->input[0], 64,
                     &(sta_histogram_options){sizeof(sta_histogram_options), 1, 0, 1, {0}, {0}, 0});
}

static const sta_error *thousand(struct bench *bench)
{
    return histogram(bench, bench->input[0], 1000,
                     &(sta_histogram_options){sizeof(sta_histogram_options), 1, 0, 1, {0}, {0}, 0});
}

static const sta_error *one_bin(struct bench *bench)
{
    return histogram(bench, bench->input[1], 64,
                     &(sta_histogram_options){sizeof(sta_histogram_options), 1, 0, 1, {0}, {0}, 0});
}

static const sta_error *edges(struct bench *bench)
{
    return histogram(bench, bench->input[0], 0,
                     &(sta_histogram_options){sizeof(sta_histogram_options), 0, 0, 0, bench->input[2], {0}, 0});
}

static const sta_error *weights(struct bench *bench)
{
    return histogram(bench, bench->input[0], 64,
                     &(sta_histogram_options){sizeof(sta_histogram_options), 1, 0, 1, {0}, bench->input[1], 0});
}

static const struct bench_case cases[] = {{"few", few},        {"given", given},     {"thousand", thousand},
                                          {"many", many},      {"one_bin", one_bin}, {"edges", edges},
                                          {"weights", weights}};

int main(int argc, char **argv)
{
    return bench_main(argc, argv, &(struct bench_program){"10000000", STA_float32, prepare, false, cases, 7});
}
