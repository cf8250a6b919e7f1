/* W16, indexing by arrays and masks: indices in no order, half of the mask true. */
#include "bench.h"

enum { X, IDS, MASK, Y };

static const sta_error *prepare(struct bench *bench)
{
    int64_t n = bench_size(bench->shape), *ids = malloc(sizeof *ids * (size_t)n);

    if (!ids) {
        fprintf(stderr, "no memory for %lld indices\n", (long long)n);
        exit(EXIT_FAILURE);
    }
    for (int64_t i = 0; i < n; i++)
        ids[i] = (int64_t)(bench_bits(2, (uint64_t)i) % (uint64_t)n);
    bench->input[X] = bench_array(bench->shape, bench->dtype, bench_coarse, 1);
    bench->input[IDS] = sta_from_buffer(ids, STA_int64, bench->shape, NULL, STA_COPY, NULL, NULL);
    bench->input[MASK] = sta_eval(sta_less(bench->input[X], sta_float(0.5)));
    bench->input[Y] = sta_eval(sta_zeros(bench->shape, bench->dtype));
    free(ids);
    for (int k = 0; k < 3; k++)
        if (sta_wait(bench->input[k]))
            return sta_wait(bench->input[k]);
    return sta_wait(bench->input[Y]);
}

static const sta_error *take(struct bench *bench)
{
    bench->result[0] = sta_at(bench->input[X], STA_INDEX(STA_SPAN_BY(bench->input[IDS])));
    return sta_wait(bench->result[0]);
}

static const sta_error *mask(struct bench *bench)
{
    bench->result[0] = sta_at(bench->input[X], STA_INDEX(STA_SPAN_BY(bench->input[MASK])));
    return sta_wait(bench->result[0]);
}

static const sta_error *put(struct bench *bench)
{
    bench->result[0] = sta_assign_at(bench->input[Y], STA_INDEX(STA_SPAN_BY(bench->input[IDS])), bench->input[X]);
    return sta_wait(bench->result[0]);
}

static const sta_error *fill(struct bench *bench)
{
    bench->result[0] = sta_assign_at(bench->input[Y], STA_INDEX(STA_SPAN_BY(bench->input[MASK])), sta_float(0.25));
    return sta_wait(bench->result[0]);
}

static const sta_error *add(struct bench *bench)
{
    sta_array sums = sta_zeros(bench->shape, bench->dtype);

    bench->result[0] = sta_add_at(sums, STA_INDEX(STA_SPAN_BY(bench->input[IDS])), bench->input[X]);
    return sta_wait(sums);
}

static const sta_error *nonzero(struct bench *bench)
{
    bench->result[0] = sta_flatnonzero(bench->input[MASK]);
    return sta_wait(bench->result[0]);
}

int main(int argc, char **argv)
{
    static const struct bench_case cases[] = {{"take", take}, {"mask", mask}, {"put", put},
                                              {"fill", fill}, {"add", add},   {"nonzero", nonzero}};

    return bench_main(argc, argv, &(struct bench_program){"50000000", STA_float64, prepare, false, cases, 6});
}
