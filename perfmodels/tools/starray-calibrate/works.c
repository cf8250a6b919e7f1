/* What is measured: for each family of codelets the operations that stand for it. */
#include "calibrate.h"

#include "runtime.h"

#include <math.h>

#define BIT(dtype) (1U << STA_##dtype)
#define FLOATS (BIT(float32) | BIT(float64))
#define REALS (FLOATS | BIT(int64) | BIT(float16))
#define ALL_KINDS (REALS | BIT(complex64) | BIT(complex128) | BIT(int8) | BIT(int32))

static bool make(struct operands *to, sta_dtype dtype, int64_t n)
{
    bool small = dtype == STA_int8 || dtype == STA_float16;
    int64_t m = (int64_t)sqrt((double)n), columns = n < 256 ? n : 256, rows = n / columns;
    sta_array line = sta_linspace(0.5, small ? 100 : 1000, n, STA_float64);
    to->n = n;
    to->m = m;
    to->x = sta_astype(line, dtype);
    to->y = sta_astype(sta_add(sta_sin(line), sta_float(3)), dtype);
    const long long whole_rows = rows * columns, whole_square = m * m;
    to->rows = sta_reshape(sta_slice(to->y, ":%lld", whole_rows), STA_DIMS(rows, columns));
    to->square = sta_reshape(sta_slice(to->y, ":%lld", whole_square), STA_DIMS(m, m));
    to->vector = sta_astype(sta_linspace(0.5, 2, columns, STA_float64), dtype);
    to->rows = sta_add(to->rows, sta_int(0)); /* an array of its own, not a view */
    to->square = sta_add(to->square, sta_int(0));
    const sta_array all[] = {to->x, to->y, to->rows, to->square, to->vector};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (sta_wait(all[k]))
            return false;
    return true;
}

bool operands_open(struct operands *to, sta_dtype dtype, int64_t n)
{
    if (!variant_force(STA__SEQUENTIAL))
        variants_restore();
    sta__runtime.settings.tile_elements = INT64_MAX;
    bool fine = make(to, dtype, n);
    variants_restore();
    return fine;
}

/* ---- element-wise ---- */

#define BINARY(name)                                                                                                   \
    static sta_array run_##name(const struct operands *o)                                                              \
    {                                                                                                                  \
        return sta_##name(o->x, o->y);                                                                                 \
    }
#define UNARY(name)                                                                                                    \
    static sta_array run_##name(const struct operands *o)                                                              \
    {                                                                                                                  \
        return sta_##name(o->y);                                                                                       \
    }
BINARY(add)
BINARY(multiply)
BINARY(divide)
BINARY(maximum)
BINARY(power)
BINARY(less)
UNARY(sqrt)
UNARY(exp)
UNARY(sin)
UNARY(log)
UNARY(tanh)

static sta_array run_clip_chain(const struct operands *o)
{
    return sta_clip(sta_divide(sta_subtract(o->x, sta_float(2)), o->y), sta_int(-3), sta_int(3));
}

static sta_array run_axpy(const struct operands *o)
{
    return sta_add(sta_multiply(o->x, sta_float(1.5)), o->y);
}

static sta_array run_long_chain(const struct operands *o)
{
    return sta_multiply(sta_sqrt(sta_divide(o->y, sta_add(o->x, sta_int(1)))), sta_exp(sta_negative(o->y)));
}

static sta_array run_cast(const struct operands *o)
{
    return sta_astype(o->x, STA_float32);
}

static sta_array run_where(const struct operands *o)
{
    return sta_where(sta_less(o->x, o->y), o->x, o->y);
}

/* ---- copies, creation ---- */

static sta_array run_transpose(const struct operands *o)
{
    return sta_add(sta_transpose(o->square, STA_ALL), sta_int(0));
}

static sta_array run_arange(const struct operands *o)
{
    return sta_arange(0, (double)o->n, 1, sta_dtype_of(o->x));
}

/* ---- reductions ---- */

static sta_array run_sum(const struct operands *o)
{
    return sta_sum(o->x, STA_ALL, 0);
}

static sta_array run_column_mean(const struct operands *o)
{
    return sta_mean(o->rows, STA_AXES(0), 0);
}

static sta_array run_row_var(const struct operands *o)
{
    return sta_var(o->rows, STA_AXES(1), 0);
}

static sta_array run_argmax(const struct operands *o)
{
    return sta_argmax(o->x, STA_ALL, 0);
}

static sta_array run_chain_sum(const struct operands *o)
{
    return sta_sum(sta_add(sta_sin(o->y), sta_cos(o->y)), STA_ALL, 0);
}

/* ---- families with kernels of their own ---- */

static sta_array run_matmul(const struct operands *o)
{
    return sta_matmul(o->square, o->square);
}

static sta_array run_tall_matmul(const struct operands *o)
{
    return sta_matmul(o->rows, sta_slice(o->square, ":%lld, :%lld", (long long)sta_shape(o->rows).at[1],
                                         (long long)sta_shape(o->rows).at[1]));
}

static sta_array run_fft_rows(const struct operands *o)
{
    return sta_fft(o->rows, -1, NULL);
}

static sta_array run_fft(const struct operands *o)
{
    return sta_fft(o->x, -1, NULL);
}

static sta_array run_histogram(const struct operands *o)
{
    return sta_histogram(o->y, 64, NULL).counts;
}

const struct work works[] = {
    {"add", "elementwise", run_add, ALL_KINDS, true, 1, 0},
    {"multiply", "elementwise", run_multiply, FLOATS | BIT(complex64), false, 1, 0},
    {"divide", "elementwise", run_divide, FLOATS | BIT(int64), false, 1, 0},
    {"maximum", "elementwise", run_maximum, REALS, false, 1, 0},
    {"power", "elementwise", run_power, FLOATS, false, 1, 0},
    {"less", "elementwise", run_less, REALS, false, 1, 0},
    {"sqrt", "elementwise", run_sqrt, FLOATS, false, 1, 0},
    {"exp", "elementwise", run_exp, FLOATS, true, 1, 0},
    {"sin", "elementwise", run_sin, FLOATS | BIT(complex64), false, 1, 0},
    {"log", "elementwise", run_log, FLOATS, false, 1, 0},
    {"tanh", "elementwise", run_tanh, FLOATS, false, 1, 0},
    {"where", "elementwise", run_where, FLOATS, false, 1, 0},
    {"clip((x - a) / y)", "elementwise", run_clip_chain, FLOATS, true, 1, 0},
    {"1.5 x + y", "elementwise", run_axpy, FLOATS, true, 1, 0},
    {"sqrt(y / (x + 1)) exp(-y)", "elementwise", run_long_chain, FLOATS, true, 1, 0},
    {"cast to f32", "copy", run_cast, BIT(float64) | BIT(int64), false, 1, 0},
    {"transposed copy", "copy", run_transpose, FLOATS, true, 1, 0},
    {"arange", "create", run_arange, FLOATS, false, 1, 0},
    {"sum", "reduce", run_sum, REALS, true, 1, 1},
    {"mean of columns", "reduce", run_column_mean, FLOATS, true, 1, 1},
    {"var of rows", "reduce", run_row_var, FLOATS, false, 1, 1},
    {"argmax", "reduce", run_argmax, FLOATS | BIT(int64), false, 1, 1},
    {"sum(sin + cos)", "reduce", run_chain_sum, FLOATS, true, 1, 1},
    {"matmul", "linalg", run_matmul, FLOATS | BIT(complex64), true, 1.5, 0},
    {"matmul (n, 256) (256, 256)", "linalg", run_tall_matmul, FLOATS, false, 1, 0},
    {"fft", "fft", run_fft, FLOATS, false, 1, 0},
    {"fft of rows of 256", "fft", run_fft_rows, FLOATS, true, 1, 0},
    {"histogram", "histogram", run_histogram, FLOATS, true, 1, 2},
};
const int work_count = sizeof works / sizeof *works;

/* ---- programs that were not measured ---- */

static sta_array unseen_0(const struct operands *o)
{
    return sta_sqrt(sta_add(sta_square(o->x), sta_square(o->y)));
}

static sta_array unseen_1(const struct operands *o)
{
    return sta_subtract(sta_multiply(o->x, o->y), sta_add(o->x, sta_float(0.25)));
}

static sta_array unseen_2(const struct operands *o)
{
    return sta_exp(sta_negative(sta_square(sta_divide(o->y, sta_float(3)))));
}

static sta_array unseen_3(const struct operands *o)
{
    return sta_maximum(sta_sin(o->y), sta_cos(sta_multiply(o->y, sta_float(2))));
}

static sta_array unseen_4(const struct operands *o)
{
    return sta_log(sta_add(sta_exp(o->y), sta_int(1)));
}

static sta_array unseen_5(const struct operands *o)
{
    return sta_where(sta_greater(o->x, sta_float(10)), sta_sqrt(o->x), sta_square(o->y));
}

static sta_array unseen_6(const struct operands *o)
{
    return sta_divide(sta_add(o->x, o->y), sta_add(sta_absolute(o->y), sta_int(1)));
}

static sta_array unseen_7(const struct operands *o)
{
    return sta_arctan2(sta_multiply(o->y, o->y), sta_add(o->x, o->y));
}

static sta_array unseen_8(const struct operands *o)
{
    return sta_clip(sta_multiply(sta_subtract(o->x, o->y), sta_reciprocal(o->y)), sta_int(0), sta_int(9));
}

static sta_array unseen_9(const struct operands *o)
{
    return sta_tanh(sta_multiply(sta_add(o->y, sta_float(0.5)), sta_float(0.1)));
}

static sta_array unseen_10(const struct operands *o)
{
    return sta_sum(sta_square(sta_subtract(o->x, o->y)), STA_ALL, 0);
}

static sta_array unseen_11(const struct operands *o)
{
    return sta_mean(sta_sqrt(o->rows), STA_AXES(0), 0);
}

static sta_array unseen_12(const struct operands *o)
{
    return sta_divide(sta_subtract(o->rows, o->vector), sta_add(o->vector, sta_int(1)));
}

static sta_array unseen_13(const struct operands *o)
{
    return sta_matmul(sta_slice(o->square, ":200, :"), o->square);
}

static sta_array unseen_14(const struct operands *o)
{
    return sta_histogram(o->y, 100, NULL).counts;
}

const struct work unseen[] = {
    {"sqrt(x^2 + y^2)", "elementwise", unseen_0, FLOATS, true, 1, 0},
    {"x y - (x + 1/4)", "elementwise", unseen_1, FLOATS, true, 1, 0},
    {"exp(-(y/3)^2)", "elementwise", unseen_2, FLOATS, true, 1, 0},
    {"max(sin y, cos 2y)", "elementwise", unseen_3, FLOATS, true, 1, 0},
    {"log(exp(y) + 1)", "elementwise", unseen_4, FLOATS, true, 1, 0},
    {"where(x > 10, sqrt x, y^2)", "elementwise", unseen_5, FLOATS, true, 1, 0},
    {"(x + y) / (|y| + 1)", "elementwise", unseen_6, FLOATS, true, 1, 0},
    {"arctan2(y^2, x + y)", "elementwise", unseen_7, FLOATS, true, 1, 0},
    {"clip((x - y) / y)", "elementwise", unseen_8, FLOATS, true, 1, 0},
    {"tanh((y + 1/2) / 10)", "elementwise", unseen_9, FLOATS, true, 1, 0},
    {"sum((x - y)^2)", "reduce", unseen_10, FLOATS, true, 1, 0},
    {"mean of columns of sqrt", "reduce", unseen_11, FLOATS, true, 1, 0},
    {"(rows - v) / (v + 1)", "elementwise", unseen_12, FLOATS, true, 1, 0},
    {"product (200, m) (m, m)", "linalg", unseen_13, FLOATS, true, 1, 0},
    {"histogram, 100 bins", "histogram", unseen_14, FLOATS, true, 1, 0},
};
const int unseen_count = sizeof unseen / sizeof *unseen;
