/* Making arrays: ranges, matrices, grids, functions; and what tells about arrays as a whole. ctest: tiny here omp sanitize */
#include "cases.h"

#include <math.h>
#include <string.h>

static void give(struct sta_case *c, sta_array result)
{
    c->out[c->outs++] = result;
}

/* ---- the calls of create_cases.py ---- */

static double end_of(const struct sta_case *c, const char *which)
{
    double value = 0;
    STA_ASSERT_OK(sta_item_float(sta_slice(c->x[0], "%s", which), &value));
    return value;
}

static sta_linspace_options options_of(const struct sta_case *c)
{
    return (sta_linspace_options){
        .size = sizeof(sta_linspace_options), .dtype = (sta_dtype)c->n[1], .exclude_stop = (int)c->n[2]};
}

static void linspace(struct sta_case *c)
{
    double step = 0;
    sta_linspace_options options = options_of(c);
    options.step = &step;
    give(c, sta_linspace_ex(end_of(c, "0"), end_of(c, "1"), c->n[0], &options));
    give(c, sta_test_array(STA_float64, STA_SCALAR, &step));
}

static void logspace(struct sta_case *c)
{
    sta_linspace_options options = options_of(c);
    give(c, sta_logspace(end_of(c, "0"), end_of(c, "1"), c->n[0], 2.5, &options));
}

static void geomspace(struct sta_case *c)
{
    sta_linspace_options options = options_of(c);
    give(c, sta_geomspace(end_of(c, "0"), end_of(c, "1"), c->n[0], &options));
}

static void tri(struct sta_case *c)
{
    give(c, sta_tri(c->n[0], c->n[1], c->n[2], (sta_dtype)c->n[3]));
}

static void identity(struct sta_case *c)
{
    give(c, sta_identity(c->n[0], (sta_dtype)c->n[1]));
}

static void tril(struct sta_case *c)
{
    give(c, sta_tril(c->x[0], c->n[0]));
}

static void triu(struct sta_case *c)
{
    give(c, sta_triu(c->x[0], c->n[0]));
}

static void diag(struct sta_case *c)
{
    give(c, sta_diag(c->x[0], c->n[0]));
}

static void diagflat(struct sta_case *c)
{
    give(c, sta_diagflat(c->x[0], c->n[0]));
}

static void vander(struct sta_case *c)
{
    give(c, sta_vander(c->x[0], c->n[0], (int)c->n[1]));
}

static void meshgrid(struct sta_case *c)
{
    c->outs = c->count;
    sta_meshgrid(c->out, c->x, c->count, (unsigned)c->n[0]);
}

static void indices(struct sta_case *c)
{
    give(c, sta_indices(sta_case_dims(c, 1, (int)c->numbers - 1), (sta_dtype)c->n[0]));
}

static void digits(const int64_t *index, int64_t count, void *to, void *argument)
{
    int ndim = *(const int *)argument;
    double first = 0, step = pow(10, ndim - 1);
    for (int d = 0; d < ndim; d++)
        first += (double)index[d] * pow(10, d);
    for (int64_t i = 0; i < count; i++)
        ((double *)to)[i] = first + step * (double)i;
}

static void fromfunction(struct sta_case *c)
{
    static int ndim; /* alive until the array is there */
    ndim = (int)c->numbers;
    sta_array x = sta_fromfunction(sta_case_dims(c, 0, ndim), STA_DTYPE_NONE, digits, &ndim);
    STA_ASSERT_OK(sta_wait(x));
    give(c, x);
}

static void array_equiv(struct sta_case *c)
{
    give(c, sta_array_equiv(c->x[0], c->x[1]));
}

static void kinds(struct sta_case *c)
{
    int64_t answers[2] = {sta_iscomplexobj(c->x[0]), sta_isrealobj(c->x[0])};
    give(c, sta_test_array(STA_int64, STA_DIMS(2), answers));
}

static const struct sta_case_call calls[] = {
    STA_CALL(linspace), STA_CALL(logspace), STA_CALL(geomspace), STA_CALL(tri),         STA_CALL(identity),
    STA_CALL(tril),     STA_CALL(triu),     STA_CALL(diag),      STA_CALL(diagflat),    STA_CALL(vander),
    STA_CALL(meshgrid), STA_CALL(indices),  STA_CALL(kinds),     STA_CALL(array_equiv), STA_CALL(fromfunction),
};

static void as_numpy(void)
{
    sta_test_cases("create_cases", calls, sizeof calls / sizeof *calls);
}

static void asarray(void)
{
    sta_array x = sta_test_array(STA_float32, STA_DIMS(3), ((float[]){1, 2, 3})), same = sta_asarray(x, STA_float32);
    sta_array other = sta_asarray(x, STA_int16);
    sta_assign(sta_slice(same, "0"), sta_int(7));
    STA_ASSERT_EQUAL(x, STA_float32, STA_DIMS(3), ((float[]){7, 2, 3}));
    STA_ASSERT_EQUAL(other, STA_int16, STA_DIMS(3), ((int16_t[]){1, 2, 3}));
    STA_ASSERT_ERROR(sta_asarray(x, (sta_dtype)99), STA_ERROR_DTYPE);
}

/* The results of meshgrid are arrays of their own. */
static void grids_are_written(void)
{
    sta_array to[2], x[2] = {sta_arange(0, 3, 1, STA_DTYPE_NONE), sta_arange(0, 2, 1, STA_DTYPE_NONE)};
    sta_meshgrid(to, x, 2, 0);
    sta_assign(sta_slice(to[0], "0, 0"), sta_int(9));
    STA_ASSERT_EQUAL(to[0], STA_float64, STA_DIMS(2, 3), ((double[]){9, 1, 2, 0, 1, 2}));
    STA_ASSERT_EQUAL(x[0], STA_float64, STA_DIMS(3), ((double[]){0, 1, 2}));
}

/* Ranges of every length up to some vectors, and of several blocks; each element by itself. */
static void ranges(void)
{
    enum { LONG = 1200 };
    int64_t whole[LONG];
    double real[LONG];
    for (int64_t n = 1; n <= LONG; n += n < 40 ? 1 : 290) {
        for (int64_t i = 0; i < n; i++) {
            whole[i] = 5 - 3 * i;
            real[i] = (double)i * 0.25 + 2;
        }
        STA_ASSERT_EQUAL(sta_arange_int(5, 5 - 3 * n, -3, STA_int64), STA_int64, STA_DIMS(n), whole);
        STA_ASSERT_EQUAL(sta_arange(2, 2 + 0.25 * (double)n, 0.25, STA_float64), STA_float64, STA_DIMS(n), real);
        STA_ASSERT_EQUAL(sta_astype(sta_arange_int(5, 5 - 3 * n, -3, STA_int32), STA_int64), STA_int64, STA_DIMS(n),
                         whole);
        STA_ASSERT_EQUAL(sta_linspace(2, 2 + 0.25 * (double)(n - 1), n, STA_float64), STA_float64, STA_DIMS(n), real);
        for (int64_t i = 0; i < n; i++)
            real[i] = 2.5;
        STA_ASSERT_EQUAL(sta_full(STA_DIMS(n), sta_float(2.5), STA_float64), STA_float64, STA_DIMS(n), real);
        memset(real, 0, sizeof real);
        STA_ASSERT_EQUAL(sta_zeros(STA_DIMS(n), STA_float64), STA_float64, STA_DIMS(n), real);
    }
}

static void errors(void)
{
    sta_array none = {0}, to[2];
    STA_ASSERT_ERROR(sta_tri(-1, 2, 0, STA_DTYPE_NONE), STA_ERROR_SHAPE);
    STA_ASSERT_ERROR(sta_tri(1, 2, 0, (sta_dtype)99), STA_ERROR_DTYPE);
    STA_ASSERT_ERROR(sta_tril(none, 0), STA_ERROR_INVALID_ARRAY);
    STA_ASSERT_ERROR(sta_diag(none, 0), STA_ERROR_INVALID_ARRAY);
    STA_ASSERT_ERROR(sta_diag(sta_ones(STA_DIMS(2), STA_DTYPE_NONE), INT64_MIN), STA_ERROR_TOO_LARGE);
    STA_ASSERT_ERROR(sta_diagflat(none, 0), STA_ERROR_INVALID_ARRAY);
    STA_ASSERT_ERROR(sta_vander(sta_ones(STA_DIMS(2, 2), STA_DTYPE_NONE), -1, 0), STA_ERROR_SHAPE);
    STA_ASSERT_ERROR(sta_indices(STA_DIMS(2, -1), STA_DTYPE_NONE), STA_ERROR_SHAPE);
    STA_ASSERT_ERROR(sta_fromfunction(STA_DIMS(2), STA_DTYPE_NONE, NULL, NULL), STA_ERROR_VALUE);
    sta_meshgrid(to, (sta_array[]){none, none}, 2, 0);
    STA_ASSERT_ERROR(to[0], STA_ERROR_INVALID_ARRAY);
    STA_ASSERT_ERROR(to[1], STA_ERROR_INVALID_ARRAY);
    STA_ASSERT_ERROR(sta_array_equiv(none, sta_int(1)), STA_ERROR_INVALID_ARRAY);
}

STA_TESTS("create", STA_CASE(as_numpy), STA_CASE(asarray), STA_CASE(grids_are_written), STA_CASE(ranges),
          STA_CASE(errors))
