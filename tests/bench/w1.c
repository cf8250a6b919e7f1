/* W1, latency: small operations, each with its result read back. */
#include "bench.h"

static const sta_error *prepare(struct bench *bench)
{
    sta_dims rest = bench->shape;

    rest.at[0]--;
    bench->input[0] = bench_array(bench->shape, bench->dtype, bench_coarse, 1);
    bench->input[1] = bench_array(bench->shape, bench->dtype, bench_coarse, 2);
    bench->input[2] = bench_array(rest, bench->dtype, bench_coarse, 3);
    bench->input[3] = sta_copy(bench->input[0]);
    bench->buffer = malloc((size_t)bench_size(bench->shape) * sta_itemsize(bench->dtype));
    return sta_wait(bench->input[3]);
}

/* Reads y back, and frees it as Python would. */
static const sta_error *fetch(struct bench *bench, sta_array y)
{
    return sta_read(y, bench->buffer, (size_t)sta_size(y) * sta_itemsize(sta_dtype_of(y)));
}

static const sta_error *finish(struct bench *bench, const sta_error *error, sta_dims shape)
{
    if (!error)
        bench->result[0] = sta_from_buffer(bench->buffer, bench->dtype, shape, NULL, STA_COPY, NULL, NULL);
    return error;
}

static const sta_error *add(struct bench *bench)
{
    const sta_error *error = NULL;

    for (int64_t k = 0; k < bench->calls && !error; k++) {
        sta_array c = sta_add(bench->input[0], bench->input[1]);
        error = fetch(bench, c);
        sta_free(c);
    }
    return finish(bench, error, bench->shape);
}

static const sta_error *sum(struct bench *bench)
{
    const sta_error *error = NULL;

    for (int64_t k = 0; k < bench->calls && !error; k++) {
        sta_array c = sta_sum(bench->input[0], STA_ALL, 0);
        error = fetch(bench, c);
        sta_free(c);
    }
    return finish(bench, error, STA_SCALAR);
}

static const sta_error *add_slice(struct bench *bench)
{
    const sta_error *error = NULL;

    for (int64_t k = 0; k < bench->calls && !error; k++) {
        sta_array tail = sta_slice(bench->input[3], "1:");
        sta_add_into(tail, tail, bench->input[2]);
        error = fetch(bench, bench->input[3]);
        bench->updates++;
        sta_free(tail);
    }
    return finish(bench, error, bench->shape);
}

static const sta_error *combine(struct bench *bench)
{
    const sta_error *error = NULL;

    for (int64_t k = 0; k < bench->calls && !error; k++) {
        sta_scope scope = sta_open();
        error =
            fetch(bench, sta_add(sta_multiply(sta_int(2), bench->input[0]), sta_multiply(sta_int(3), bench->input[1])));
        sta_close(scope);
    }
    return finish(bench, error, bench->shape);
}

static const struct bench_case cases[] = {{"add", add}, {"sum", sum}, {"slice", add_slice}, {"combine", combine}};

int main(int argc, char **argv)
{
    return bench_main(argc, argv, &(struct bench_program){"1000", STA_float64, prepare, true, cases, 4});
}
