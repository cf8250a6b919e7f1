/* Fourier transforms: one task for each tile of a grid that keeps the axis whole. */
#include "fft.h"

#include <starray/fft.h>

#include <math.h>
#include <string.h>

enum norm { BACKWARD, ORTHO, FORWARD };
enum { LINE_BYTES = 32 }; /* an element of a line and its result at least need */

struct transform {
    struct sta__call call;
    sta_fft_options options;
    enum norm norm;
    enum sta__fft_kind kind;
    bool single, backward;
    int axis;
    int64_t n;
    sta_dtype from, to;      /* dtypes of the lines and of the result */
    struct sta__shape shape; /* of the result */
};

/* ---- validation ---- */

static bool norm_of(struct transform *t)
{
    static const char *const names[] = {[BACKWARD] = "backward", [ORTHO] = "ortho", [FORWARD] = "forward"};
    const char *norm = t->options.norm ? t->options.norm : "backward";
    for (int i = BACKWARD; i <= FORWARD; i++)
        if (strcmp(norm, names[i]) == 0) {
            t->norm = (enum norm)i;
            return true;
        }
    sta__fail(&t->call, STA_ERROR_VALUE, "norm is \"backward\", \"ortho\" or \"forward\", not \"%.40s\"", norm);
    return false;
}

static bool axis_of(struct transform *t, const struct sta__shape *shape, int64_t axis)
{
    const int ndim = shape->ndim;
    if (ndim == 0)
        sta__fail(&t->call, STA_ERROR_SHAPE, "a transform needs an axis: the shape is ()");
    else if (axis < -ndim || axis >= ndim)
        sta__fail(&t->call, STA_ERROR_AXIS, "axis %lld is out of range for %d axes", (long long)axis, ndim);
    else
        t->axis = (int)(axis < 0 ? axis + ndim : axis);
    return !t->call.error;
}

static bool length_of(struct transform *t, const struct sta__shape *shape)
{
    const int64_t length = shape->at[t->axis];
    t->n = t->options.n ? t->options.n : t->kind == STA__FFT_TO_REAL ? 2 * (length - 1) : length;
    if (t->n < 1)
        sta__fail(&t->call, STA_ERROR_VALUE, "the length of the transform is %lld, but must be at least 1",
                  (long long)t->n);
    else if ((double)t->n * LINE_BYTES > (double)sta__runtime.memory_bytes) /* FFTW aborts without memory */
        sta__fail(&t->call, STA_ERROR_MEMORY, "a transform of length %lld does not fit the machine's %.1f GB",
                  (long long)t->n, (double)sta__runtime.memory_bytes / 1e9);
    return !t->call.error;
}

/* The kind and the dtypes: what cannot be had from reals is computed from complex numbers. */
static bool dtypes_of(struct transform *t, sta_dtype x)
{
    const bool complex = sta__dtype_kind(x) == STA__KIND_COMPLEX;
    if (t->kind == STA__FFT_REAL_HALF && complex) {
        sta__fail(&t->call, STA_ERROR_DTYPE, "the elements must be real, not %s: use fft", sta_dtype_name(x));
        return false;
    }
    if (t->kind == STA__FFT_COMPLEX && !complex)
        t->kind = STA__FFT_REAL;
    t->single = sta__dtype_complex(x) == STA_complex64;
    const sta_dtype real = t->single ? STA_float32 : STA_float64;
    t->from = t->kind == STA__FFT_REAL || t->kind == STA__FFT_REAL_HALF ? real : sta__dtype_complex(real);
    t->to = t->kind == STA__FFT_TO_REAL ? real : sta__dtype_complex(real);
    return true;
}

static bool validate(struct transform *t, const struct sta__operand *x, int64_t axis)
{
    int64_t size;
    if (!axis_of(t, &x->view.shape, axis) || !length_of(t, &x->view.shape) || !norm_of(t) ||
        !dtypes_of(t, x->value->dtype))
        return false;
    t->shape = x->view.shape;
    t->shape.at[t->axis] = t->kind == STA__FFT_REAL_HALF ? t->n / 2 + 1 : t->n;
    if (sta__shape_size(&t->shape, &size))
        return true;
    sta__fail(&t->call, STA_ERROR_TOO_LARGE, "the result of length %lld has more elements than 64 bits count",
              (long long)t->n);
    return false;
}

static double scale_of(const struct transform *t)
{
    if (t->norm == ORTHO)
        return 1.0 / sqrt((double)t->n);
    return (t->norm == BACKWARD) == t->backward ? 1.0 / (double)t->n : 1.0;
}

/* ---- grids ---- */

/* The grid with another length along the axis, which it does not cut. */
static struct sta__grid *with_length(const struct sta__grid *grid, int axis, int64_t length)
{
    struct sta__shape shape = grid->shape;
    int64_t edge[STA_MAXDIM];
    shape.at[axis] = length;
    for (int a = 0; a < shape.ndim; a++)
        edge[a] = grid->edge[a] && a != axis ? grid->edge[a] : shape.at[a];
    struct sta__grid *result = sta__grid_regular(&shape, edge);
    if (!result)
        return NULL;
    for (int a = 0; a < shape.ndim; a++) {
        if (!grid->cuts[a] || a == axis)
            continue;
        const size_t bytes = (size_t)(grid->count[a] + 1) * sizeof *grid->cuts[a];
        result->cuts[a] = sta__allocate(bytes);
        if (!result->cuts[a]) {
            sta__grid_drop(result);
            return NULL;
        }
        memcpy(result->cuts[a], grid->cuts[a], bytes);
        result->edge[a] = 0;
        result->count[a] = grid->count[a];
    }
    result->tiles = 1;
    for (int a = 0; a < shape.ndim; a++)
        result->tiles *= result->count[a];
    return result;
}

/* The grid of the lines: their own where it keeps them whole, else tiles that suit the longer of both ends. */
static struct sta__grid *grid_of(const struct transform *t, const struct sta__operand *x)
{
    const struct sta__value *value = x->value;
    struct sta__shape shape = x->view.shape;
    const int64_t length = shape.at[t->axis];
    if (value->state == STA__TILED && value->dtype == t->from && sta__view_is_identity(&x->view, &value->shape) &&
        value->grid->count[t->axis] == 1 && t->shape.at[t->axis] <= 2 * length)
        return sta__grid_take(value->grid);
    if (t->shape.at[t->axis] > length)
        shape.at[t->axis] = t->shape.at[t->axis];
    struct sta__grid *longer = sta__grid_rows(&shape, t->from, t->axis);
    struct sta__grid *grid = longer ? with_length(longer, t->axis, length) : NULL;
    sta__grid_drop(longer);
    return grid;
}

/* ---- tasks ---- */

static struct sta__value *result_of(struct transform *t, const struct sta__value *lines, bool now)
{
    if (now)
        return sta__value_now(t->to, &t->shape);
    struct sta__grid *grid = lines->state == STA__TILED ? with_length(lines->grid, t->axis, t->shape.at[t->axis])
                                                        : sta__grid_single(&t->shape);
    struct sta__value *value = grid ? sta__value_tiled(t->to, grid) : NULL;
    sta__grid_drop(grid);
    if (value)
        value->depth = lines->depth + 1;
    return value;
}

static struct sta__value *submit(struct transform *t, struct sta__value *lines)
{
    int64_t size = 0;
    sta__shape_size(&t->shape, &size);
    const bool now = size == 0 || sta__runs_now(size * (int64_t)sta_itemsize(t->to), &lines, 1);
    const struct sta__fft_arguments arguments = {t->kind, t->single, t->backward, t->axis, t->n, scale_of(t)};
    struct sta__value *result = result_of(t, lines, now);
    /* The plan is made here, so that no task is timed with it. */
    struct sta__batch *batch = result && (size == 0 || sta__fft_plan(t->kind, t->single, t->backward, t->n))
                                   ? sta__batch_open(&t->call, &sta__fft, t->from, now)
                                   : NULL;
    if (!batch) {
        sta__value_drop(result);
        return sta__fail_memory(&t->call);
    }
    sta__batch_depth(batch, lines->depth + 1);
    for (int64_t tile = 0; size > 0 && tile < (now ? 1 : result->grid->tiles); tile++) {
        struct sta__task *task = sta__batch_task(batch, &arguments, sizeof arguments);
        sta__task_writes(task, result, tile);
        sta__task_reads(task, lines, tile);
    }
    if (sta__batch_submit(batch))
        return result;
    sta__value_drop(result);
    return NULL;
}

static struct sta__value *transform(struct transform *t, struct sta__operand *x, int64_t axis)
{
    if (!validate(t, x, axis))
        return NULL;
    struct sta__grid *grid = grid_of(t, x);
    struct sta__value *lines = grid ? sta__prepare(&t->call, x, t->from, grid) : sta__fail_memory(&t->call);
    struct sta__value *result = lines ? submit(t, lines) : NULL;
    sta__value_drop(lines);
    sta__grid_drop(grid);
    return result;
}

static sta_array run(const char *op, sta_array x, int64_t axis, const sta_fft_options *options, enum sta__fft_kind kind,
                     bool backward)
{
    struct transform t = {.kind = kind, .backward = backward};
    struct sta__operand operand;
    if (options)
        memcpy(&t.options, options, options->size < sizeof t.options ? options->size : sizeof t.options);
    t.call = sta__enter(op);
    struct sta__value *result = NULL;
    if (sta__operand_of(&t.call, x, &operand)) {
        result = transform(&t, &operand, axis);
        sta__operand_drop(&operand);
    }
    return sta__leave(&t.call, result);
}

sta_array sta_fft(sta_array x, int64_t axis, const sta_fft_options *options)
{
    return run("fft", x, axis, options, STA__FFT_COMPLEX, false);
}

sta_array sta_ifft(sta_array x, int64_t axis, const sta_fft_options *options)
{
    return run("ifft", x, axis, options, STA__FFT_COMPLEX, true);
}

sta_array sta_rfft(sta_array x, int64_t axis, const sta_fft_options *options)
{
    return run("rfft", x, axis, options, STA__FFT_REAL_HALF, false);
}

sta_array sta_irfft(sta_array x, int64_t axis, const sta_fft_options *options)
{
    return run("irfft", x, axis, options, STA__FFT_TO_REAL, true);
}
