/* W10, reductions over all axes and over each. */
#include "bench.h"

static const sta_error *prepare(struct bench *bench)
{
    bool whole = bench->dtype >= STA_int8 && bench->dtype <= STA_uint64;

    bench->input[0] = bench_array(bench->shape, bench->dtype, whole ? bench_whole : bench_uniform, 1);
    return sta_wait(bench->input[0]);
}

static const sta_error *reduce(struct bench *bench, sta_array (*call)(sta_array x, sta_dims axes, unsigned flags),
                               sta_dims axes)
{
    bench->result[0] = call(bench->input[0], axes, 0);
    return sta_wait(bench->result[0]);
}

#define FUNCTION(name)                                                                                                 \
    static const sta_error *name##_none(struct bench *bench)                                                           \
    {                                                                                                                  \
        return reduce(bench, sta_##name, STA_ALL);                                                                     \
    }                                                                                                                  \
    static const sta_error *name##_0(struct bench *bench)                                                              \
    {                                                                                                                  \
        return reduce(bench, sta_##name, STA_AXES(0));                                                                 \
    }                                                                                                                  \
    static const sta_error *name##_1(struct bench *bench)                                                              \
    {                                                                                                                  \
        return reduce(bench, sta_##name, STA_AXES(1));                                                                 \
    }
FUNCTION(sum)
FUNCTION(mean)
FUNCTION(var)
FUNCTION(argmax)

#define CASES(name)                                                                                                    \
    {#name "-none", name##_none}, {#name "-0", name##_0},                                                              \
    {                                                                                                                  \
#name "-1", name##_1                                                                                           \
    }
static const struct bench_case cases[] = {CASES(sum), CASES(mean), CASES(var), CASES(argmax)};

int main(int argc, char **argv)
{
    return bench_main(argc, argv, &(struct bench_program){"100000000", STA_float64, prepare, false, cases, 12});
}
