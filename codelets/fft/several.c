/* Transforms along several axes, one after the other, and what goes with them. */
#include "composed.h"

#include "internal.h"
#include "slice.h"

#include <string.h>

typedef sta_array (*one_axis)(sta_array x, int64_t axis, const sta_fft_options *options);

struct several {
    const char *op;
    one_axis first, others, last; /* the first and the last axis of the order of the work; the others */
    bool falling;                 /* the axes in falling order of their list */
};

/* The axes and lengths of a call; a length 0 is that of the axis. */
struct plan {
    int count;
    int axis[STA_MAXDIM];
    int64_t length[STA_MAXDIM];
    const char *norm;
};

static bool read_options(struct sta__call *call, const sta_fftn_options *given, sta_fftn_options *options)
{
    if (!given)
        return true;
    if (given->size >= sizeof given->size && given->size <= 4096) {
        memcpy(options, given, given->size < sizeof *options ? given->size : sizeof *options);
        return true;
    }
    sta__fail(call, STA_ERROR_VALUE, "sta_fftn_options.size is %zu, but it must be sizeof(sta_fftn_options)",
              given->size);
    return false;
}

/* Lengths without axes are those of the last ones. */
static bool read_axes(struct sta__call *call, int ndim, sta_dims axes, const sta_fftn_options *options,
                      struct plan *plan)
{
    char why[STA__WHY];
    const int lengths = options->lengths.count;
    if (axes.count < 0 && lengths > 0 && lengths < ndim) {
        axes.count = lengths;
        for (int i = 0; i < lengths; i++)
            axes.at[i] = i - lengths;
    }
    const sta_error_code code = sta__axes(&axes, ndim, plan->axis, &plan->count, why);
    if (code)
        sta__fail(call, code, "%s", why);
    else if (plan->count == 0)
        sta__fail(call, STA_ERROR_SHAPE, "a transform needs an axis");
    else if (lengths != 0 && lengths != plan->count)
        sta__fail(call, STA_ERROR_VALUE, "there are %d lengths for %d axes", lengths, plan->count);
    for (int i = 0; i < plan->count; i++)
        plan->length[i] = lengths ? options->lengths.at[i] : 0;
    return !call->error;
}

static bool prepare(struct sta__call *call, sta_array x, sta_dims axes, const sta_fftn_options *given,
                    struct plan *plan)
{
    sta_fftn_options options = {0};
    struct sta__operand operand;
    if (!sta__operand_of(call, x, &operand))
        return false;
    const bool good =
        read_options(call, given, &options) && read_axes(call, operand.view.shape.ndim, axes, &options, plan);
    plan->norm = options.norm;
    sta__operand_drop(&operand);
    return good;
}

static sta_array transform(const struct several *s, sta_array x, sta_dims axes, const sta_fftn_options *given)
{
    struct plan plan = {0};
    struct sta__call call = sta__enter(s->op);
    if (!prepare(&call, x, axes, given, &plan))
        return sta__leave(&call, NULL);
    sta__call_end(&call);
    for (int step = 0; step < plan.count; step++) {
        const int i = s->falling ? plan.count - 1 - step : step;
        const sta_fft_options options = {.size = sizeof options, .n = plan.length[i], .norm = plan.norm};
        const one_axis one = step == plan.count - 1 && s->last ? s->last : step == 0 ? s->first : s->others;
        x = one(x, plan.axis[i], &options);
    }
    return x;
}

static sta_array along_axes(const struct several *s, sta_array x, sta_dims axes, const sta_fftn_options *options)
{
    const sta_scope scope = sta_open();
    return sta__composed(scope, transform(s, sta__taken(x), axes, options));
}

/* over any axes, over the last two; the first axis of the work, the others, the last (NULL: as the others), falling order */
#define SEVERAL(ROW)                                                                                                   \
    ROW(fftn, fft2, sta_fft, sta_fft, NULL, true)                                                                      \
    ROW(ifftn, ifft2, sta_ifft, sta_ifft, NULL, true)                                                                  \
    ROW(rfftn, rfft2, sta_rfft, sta_fft, NULL, true)                                                                   \
    ROW(irfftn, irfft2, sta_ifft, sta_ifft, sta_irfft, false)

#define FUNCTIONS(any, two, first, others, last, falling)                                                              \
    sta_array sta_##any(sta_array x, sta_dims axes, const sta_fftn_options *options)                                   \
    {                                                                                                                  \
        static const struct several row = {#any, first, others, last, falling};                                        \
        return along_axes(&row, x, axes, options);                                                                     \
    }                                                                                                                  \
    sta_array sta_##two(sta_array x, const sta_fftn_options *options)                                                  \
    {                                                                                                                  \
        static const struct several row = {#two, first, others, last, falling};                                        \
        return along_axes(&row, x, STA_AXES(-2, -1), options);                                                         \
    }
SEVERAL(FUNCTIONS)

/* ---- Hermitian lines ---- */

/* The transform goes the other way, and so do its factors. */
static sta_fft_options turned(const sta_fft_options *given)
{
    sta_fft_options options = {.size = sizeof options};
    if (given)
        memcpy(&options, given, given->size < sizeof options ? given->size : sizeof options);
    options.size = sizeof options;
    if (!options.norm || strcmp(options.norm, "backward") == 0)
        options.norm = "forward";
    else if (strcmp(options.norm, "forward") == 0)
        options.norm = "backward";
    return options;
}

sta_array sta_hfft(sta_array x, int64_t axis, const sta_fft_options *options)
{
    const sta_fft_options back = turned(options);
    const sta_array conjugate = sta_conjugate(x), y = sta_irfft(conjugate, axis, &back);
    sta_free(conjugate);
    return y;
}

sta_array sta_ihfft(sta_array x, int64_t axis, const sta_fft_options *options)
{
    const sta_fft_options back = turned(options);
    const sta_array half = sta_rfft(x, axis, &back), y = sta_conjugate(half);
    sta_free(half);
    return y;
}

/* ---- frequencies ---- */

static sta_array bad_frequencies(const char *op, int64_t n, double d)
{
    struct sta__call call = sta__enter(op);
    if (n < 1)
        sta__fail(&call, STA_ERROR_VALUE, "the length is %lld, but must be at least 1", (long long)n);
    else
        sta__fail(&call, STA_ERROR_VALUE, "the spacing %g is not a number other than 0", d);
    return sta__leave(&call, NULL);
}

sta_array sta_fftfreq(int64_t n, double d)
{
    if (n < 1 || !(d != 0))
        return bad_frequencies("fftfreq", n, d);
    sta_scope scope = sta_open();
    const sta_array k = sta_arange_int(0, n, 1, STA_int64);
    const sta_array from_half = sta_greater_equal(k, sta_int(n / 2 + n % 2));
    const sta_array signed_k = sta_subtract(k, sta_multiply(from_half, sta_int(n)));
    return sta__composed(scope, sta_multiply(signed_k, sta_float(1.0 / ((double)n * d))));
}

sta_array sta_rfftfreq(int64_t n, double d)
{
    if (n < 1 || !(d != 0))
        return bad_frequencies("rfftfreq", n, d);
    const sta_scope scope = sta_open();
    const sta_array k = sta_arange_int(0, n / 2 + 1, 1, STA_int64);
    return sta__composed(scope, sta_multiply(k, sta_float(1.0 / ((double)n * d))));
}

/* ---- shifts ---- */

static sta_array shifted(const char *op, sta_array x, sta_dims axes, bool back)
{
    char why[STA__WHY];
    int list[STA_MAXDIM], count = 0;
    const sta_dims shape = sta_shape(x);
    if (sta__in_error(x))
        return x;
    const sta_error_code code = sta__axes(&axes, shape.count, list, &count, why);
    if (code)
        return sta__failed(op, code, why);
    sta_dims by = {.count = count}, along = {.count = count};
    for (int i = 0; i < count; i++) {
        const int64_t half = shape.at[list[i]] / 2;
        along.at[i] = list[i];
        by.at[i] = back ? -half : half;
    }
    return count ? sta_roll(x, by, along) : sta_copy(x);
}

sta_array sta_fftshift(sta_array x, sta_dims axes)
{
    return shifted("fftshift", x, axes, false);
}

sta_array sta_ifftshift(sta_array x, sta_dims axes)
{
    return shifted("ifftshift", x, axes, true);
}
