/* Fourier transforms: lengths, axes, norms, dtypes and errors. ctest: tiny omp sanitize */
#include "cases.h"

#include <starray/fft.h>

#include <math.h>
#include <string.h>

static const struct {
    const char *name;
    sta_array (*call)(sta_array x, int64_t axis, const sta_fft_options *options);
} functions[] = {{"fft", sta_fft}, {"ifft", sta_ifft}, {"rfft", sta_rfft}, {"irfft", sta_irfft}};

static sta_array transform(const char *name, sta_array x, int64_t axis, const sta_fft_options *options)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcmp(functions[i].name, name) == 0)
            return functions[i].call(x, axis, options);
    sta_test_fail(__FILE__, __LINE__, "no function %s", name);
    return x;
}

/* A fraction of the root of the mean square: what the header promises. */
static struct sta_tolerance tolerance(const struct sta_record *y, int64_t n)
{
    const bool single = y->dtype == STA_float32 || y->dtype == STA_complex64;
    const double eps = single ? 0x1p-23 : 0x1p-52;
    const bool complex = y->dtype == STA_complex64 || y->dtype == STA_complex128;
    double sum = 0;
    for (int64_t i = 0; i < y->count * (complex ? 2 : 1); i++) {
        const double v = single ? (double)((const float *)y->data)[i] : ((const double *)y->data)[i];
        sum += v * v;
    }
    const double root = sqrt(sum / (double)(y->count > 0 ? y->count : 1));
    return STA_NEAR(0, 10.0 * log2((double)n + 2.0) * eps * root);
}

static void as_numpy(void)
{
    static const char *const norms[] = {"backward", "ortho", "forward"};
    const struct sta_oracle *oracle =
        sta_test_oracle("eval", "import fft_cases; globals().update(fft_cases.make(rng))");
    for (size_t k = 0; oracle && k + 3 < sta_oracle_count(oracle); k += 4) {
        const struct sta_record *name = sta_oracle_at(oracle, k), *x = sta_oracle_at(oracle, k + 1);
        const struct sta_record *parameters = sta_oracle_at(oracle, k + 2), *y = sta_oracle_at(oracle, k + 3);
        const int64_t *p = parameters->data, axis = p[1] < 0 ? p[1] + x->shape.count : p[1];
        sta_fft_options options = {.size = sizeof options, .n = p[0], .norm = norms[p[2]]};
        sta_scope scope = sta_open();
        sta_array result = transform(name->data, sta_test_record_array(x), p[1], &options);
        STA_ASSERT_RECORD(result, y, tolerance(y, p[0] ? p[0] : 2 * x->shape.at[axis]));
        sta_close(scope);
    }
}

/* A flipped view, and a result that is transformed back. */
static void views(void)
{
    sta_array x = sta_test_array(STA_float64, STA_DIMS(4), ((double[]){1, 2, 3, 4}));
    sta_complex128 expected[] = {{10, 0}, {2, -2}, {2, 0}, {2, 2}};
    STA_ASSERT_EQUAL(sta_fft(sta_slice(x, "::-1"), 0, NULL), STA_complex128, STA_DIMS(4), expected);
    sta_complex128 same[] = {{1, 0}, {2, 0}, {3, 0}, {4, 0}};
    STA_ASSERT_CLOSE(sta_ifft(sta_fft(x, 0, NULL), 0, NULL), STA_complex128, STA_DIMS(4), same, STA_NEAR(0, 1e-15));
    STA_ASSERT_CLOSE(sta_irfft(sta_rfft(x, 0, NULL), 0, NULL), STA_float64, STA_DIMS(4), ((double[]){1, 2, 3, 4}),
                     STA_NEAR(0, 1e-15));
}

/* 16-bit floats are computed in float32. */
static void halves(void)
{
    sta_array x = sta_test_array(STA_float16, STA_DIMS(2), ((uint16_t[]){0x3c00, 0x4000}));
    sta_complex64 expected[] = {{3, 0}, {-1, 0}};
    STA_ASSERT_EQUAL(sta_fft(x, 0, NULL), STA_complex64, STA_DIMS(2), expected);
    STA_ASSERT_EQUAL(sta_irfft(x, 0, NULL), STA_float32, STA_DIMS(2), ((float[]){1.5F, -0.5F}));
}

static void errors(void)
{
    sta_array x = sta_test_array(STA_float64, STA_DIMS(2, 3), ((double[]){1, 2, 3, 4, 5, 6}));
    STA_ASSERT_ERROR(sta_fft(x, 2, NULL), STA_ERROR_AXIS);
    STA_ASSERT_ERROR(sta_fft(x, -3, NULL), STA_ERROR_AXIS);
    STA_ASSERT_ERROR(sta_fft(sta_float(1), 0, NULL), STA_ERROR_SHAPE);
    STA_ASSERT_ERROR(sta_fft((sta_array){0}, 0, NULL), STA_ERROR_INVALID_ARRAY);
    STA_ASSERT_ERROR(sta_rfft(sta_fft(x, 0, NULL), 0, NULL), STA_ERROR_DTYPE);
    sta_fft_options negative = {.size = sizeof negative, .n = -1};
    STA_ASSERT_ERROR(sta_fft(x, 0, &negative), STA_ERROR_VALUE);
    sta_fft_options norm = {.size = sizeof norm, .norm = "both"};
    STA_ASSERT_ERROR(sta_fft(x, 0, &norm), STA_ERROR_VALUE);
    STA_ASSERT_TEXT(sta_wait(sta_fft(x, 0, &norm))->text,
                    "norm is \"backward\", \"ortho\" or \"forward\", not \"both\"");
    STA_ASSERT_ERROR(sta_irfft(sta_slice(x, ":, :1"), 1, NULL), STA_ERROR_VALUE);
    STA_ASSERT_ERROR(sta_fft(sta_slice(x, ":0"), 0, NULL), STA_ERROR_VALUE);
    sta_fft_options huge = {.size = sizeof huge, .n = INT64_MAX / 1000};
    STA_ASSERT_ERROR(sta_fft(x, 0, &huge), STA_ERROR_MEMORY);
    huge.n = INT64_MAX;
    STA_ASSERT_ERROR(sta_fft(x, 0, &huge), STA_ERROR_MEMORY);
}

/* ---- several axes, shifts and frequencies: fftn_cases.py ---- */

static const char *const norm_names[] = {"backward", "ortho", "forward"};

static sta_dims axes(const struct sta_case *c)
{
    return c->n[1] ? STA_ALL : sta_case_dims(c, 4, (int)c->n[2]);
}

static sta_fftn_options options_of(const struct sta_case *c)
{
    sta_fftn_options options = {.size = sizeof options, .norm = norm_names[c->n[0]]};
    if (c->numbers > 1)
        options.lengths = sta_case_dims(c, 4 + (int)c->n[2], (int)c->n[3]);
    return options;
}

#define CALL(name, value)                                                                                              \
    static void name(struct sta_case *c)                                                                               \
    {                                                                                                                  \
        c->out[c->outs++] = value;                                                                                     \
    }
#define SEVERAL(name)                                                                                                  \
    static void name(struct sta_case *c)                                                                               \
    {                                                                                                                  \
        const sta_fftn_options options = options_of(c);                                                                \
        c->out[c->outs++] = sta_##name(c->x[0], axes(c), &options);                                                    \
    }
#define TWO(name)                                                                                                      \
    static void name(struct sta_case *c)                                                                               \
    {                                                                                                                  \
        const sta_fftn_options options = options_of(c);                                                                \
        c->out[c->outs++] = sta_##name(c->x[0], &options);                                                             \
    }
#define LINE(name)                                                                                                     \
    static void name(struct sta_case *c)                                                                               \
    {                                                                                                                  \
        const sta_fft_options options = {.size = sizeof options, .norm = norm_names[c->n[0]]};                         \
        c->out[c->outs++] = sta_##name(c->x[0], -1, &options);                                                         \
    }
SEVERAL(fftn)
SEVERAL(ifftn)
SEVERAL(rfftn)
SEVERAL(irfftn)
TWO(fft2)
TWO(ifft2)
TWO(rfft2)
TWO(irfft2)
LINE(hfft)
LINE(ihfft)
CALL(fftshift, sta_fftshift(c->x[0], axes(c)))
CALL(ifftshift, sta_ifftshift(c->x[0], axes(c)))
CALL(fftfreq, sta_fftfreq(c->n[0], (double)c->n[1] / 4))
CALL(rfftfreq, sta_rfftfreq(c->n[0], (double)c->n[1] / 4))

static void several_as_numpy(void)
{
    static const struct sta_case_call calls[] = {
        STA_CALL(fftn),     STA_CALL(ifftn),     STA_CALL(rfftn),   STA_CALL(irfftn),  STA_CALL(fft2),
        STA_CALL(ifft2),    STA_CALL(rfft2),     STA_CALL(irfft2),  STA_CALL(hfft),    STA_CALL(ihfft),
        STA_CALL(fftshift), STA_CALL(ifftshift), STA_CALL(fftfreq), STA_CALL(rfftfreq)};
    sta_test_cases("fftn_cases", calls, sizeof calls / sizeof *calls);
}

STA_TESTS("fft", STA_CASE(as_numpy), STA_CASE(views), STA_CASE(halves), STA_CASE(errors), STA_CASE(several_as_numpy))
