/* W6, stencils by slices, in place. */
#include "bench.h"

static const sta_error *prepare(struct bench *bench)
{
    bench->input[0] = bench_array(bench->shape, bench->dtype, bench_uniform, 1);
    return sta_wait(bench->input[0]);
}

/* u[1:-1, 1:-1] = (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]) / 4 */
static const sta_error *step(struct bench *bench)
{
    sta_array u = bench->input[0];
    sta_array rows = sta_add(sta_slice(u, ":-2, 1:-1"), sta_slice(u, "2:, 1:-1"));
    sta_array columns = sta_add(sta_slice(u, "1:-1, :-2"), sta_slice(u, "1:-1, 2:"));

    sta_assign(sta_slice(u, "1:-1, 1:-1"), sta_multiply(sta_add(rows, columns), sta_float(0.25)));
    bench->result[0] = u;
    bench->updates++;
    return sta_wait(u);
}

int main(int argc, char **argv)
{
    static const struct bench_case cases[] = {{"step", step}};

    return bench_main(argc, argv, &(struct bench_program){"2800x2800", STA_float64, prepare, false, cases, 1});
}
