/* W17, arrays put together from others: joining, padding, repeating, rolling, triangles, rows in no order, a transposed copy. */
#include "bench.h"

enum { PAD = 16 };

/* As many as there are rows. */
static sta_array row_numbers(int64_t rows)
{
    int64_t *ids = malloc(sizeof *ids * (size_t)rows);
    if (!ids) {
        fprintf(stderr, "no memory for %lld indices\n", (long long)rows);
        exit(EXIT_FAILURE);
    }
    for (int64_t i = 0; i < rows; i++)
        ids[i] = (int64_t)(bench_bits(3, (uint64_t)i) % (uint64_t)rows);
    sta_array array = sta_from_buffer(ids, STA_int64, STA_DIMS(rows), NULL, STA_COPY, NULL, NULL);
    free(ids);
    return array;
}

static const sta_error *prepare(struct bench *bench)
{
    bench->input[0] = bench_array(bench->shape, bench->dtype, bench_uniform, 1);
    bench->input[1] = bench_array(bench->shape, bench->dtype, bench_uniform, 2);
    bench->input[2] = row_numbers(bench->shape.at[0]);
    for (int k = 0; k < 2; k++)
        if (sta_wait(bench->input[k]))
            return sta_wait(bench->input[k]);
    return sta_wait(bench->input[2]);
}

static const sta_error *done(struct bench *bench, sta_array result)
{
    bench->result[0] = result;
    return sta_wait(result);
}

static const sta_error *concat_0(struct bench *bench)
{
    return done(bench, sta_concat(bench->input, 2, 0));
}

static const sta_error *concat_1(struct bench *bench)
{
    return done(bench, sta_concat(bench->input, 2, 1));
}

static const sta_error *stack(struct bench *bench)
{
    return done(bench, sta_stack(bench->input, 2, -1));
}

static const sta_error *pad_by(struct bench *bench, sta_pad_mode mode)
{
    const int64_t widths[2][2] = {{PAD, PAD}, {PAD, PAD}};
    return done(bench,
                sta_pad(bench->input[0], widths, &(sta_pad_options){.size = sizeof(sta_pad_options), .mode = mode}));
}

static const sta_error *pad(struct bench *bench)
{
    return pad_by(bench, STA_PAD_CONSTANT);
}

static const sta_error *reflect(struct bench *bench)
{
    return pad_by(bench, STA_PAD_REFLECT);
}

static const sta_error *tile(struct bench *bench)
{
    return done(bench, sta_tile(bench->input[0], STA_DIMS(2, 2)));
}

static const sta_error *tile_small(struct bench *bench)
{
    sta_array small = sta_slice(bench->input[0], ":4, :5");
    return done(bench, sta_tile(small, STA_DIMS(bench->shape.at[0] / 4, bench->shape.at[1] / 5)));
}

static const sta_error *repeat(struct bench *bench)
{
    return done(bench, sta_repeat(bench->input[0], 2, 1));
}

static const sta_error *roll_0(struct bench *bench)
{
    return done(bench, sta_roll(bench->input[0], STA_DIMS(7), STA_AXES(0)));
}

static const sta_error *roll_1(struct bench *bench)
{
    return done(bench, sta_roll(bench->input[0], STA_DIMS(7), STA_AXES(1)));
}

static const sta_error *tril(struct bench *bench)
{
    return done(bench, sta_tril(bench->input[0], 0));
}

static const sta_error *rows(struct bench *bench)
{
    return done(bench, sta_take(bench->input[0], bench->input[2], 0, STA_MODE_RAISE));
}

static const sta_error *transposed(struct bench *bench)
{
    return done(bench, sta_eval(sta_positive(sta_transpose(bench->input[0], STA_ALL))));
}

static const struct bench_case cases[] = {
    {"concat-0", concat_0},
    {"concat-1", concat_1},
    {"stack", stack},
    {"pad", pad},
    {"reflect", reflect},
    {"tile", tile},
    {"tile-small", tile_small},
    {"repeat", repeat},
    {"roll-0", roll_0},
    {"roll-1", roll_1},
    {"tril", tril},
    {"rows", rows},
    {"transposed", transposed},
};

int main(int argc, char **argv)
{
    return bench_main(argc, argv, &(struct bench_program){"4472x4472", STA_float64, prepare, false, cases, 13});
}
