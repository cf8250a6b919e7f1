/* Padding: what is checked, and the modes whose elements are elements of x, or one number. */
#include "join/pad.h"

#include "graph.h"
#include "slice.h"

#include <inttypes.h>
#include <string.h>

/* ---- strips of one axis ---- */

/* How indices outside of 0 .. n - 1 come back: the period, and whether its second half runs backwards, and from where. */
static void put_periodic(struct sta__mosaic *m, int axis, int64_t n, int64_t left, int64_t right, sta_pad_mode mode)
{
    bool symmetric = mode == STA_PAD_SYMMETRIC, wraps = mode == STA_PAD_WRAP;
    if (n == 1) { /* a period of 1, or none */
        sta__mosaic_strip(m, axis, left + 1 + right, 0, 0, 0);
        return;
    }
    int64_t back = wraps ? 0 : symmetric ? n : n - 2, period = n + back;
    int64_t at = ((-left) % period + period) % period;
    for (int64_t left_over = left + n + right; left_over > 0 && !m->failed;) {
        bool forward = at < n;
        int64_t run = forward ? n - at : period - at;
        run = run < left_over ? run : left_over;
        sta__mosaic_strip(m, axis, run, forward ? at : (symmetric ? 2 * n - 1 : 2 * n - 2) - at, forward ? 1 : -1, 0);
        left_over -= run;
        at = (at + run) % period;
    }
}

static void put_axis(struct sta__mosaic *m, int axis, int64_t n, const int64_t *width, const sta_pad_options *options)
{
    int other = 1 + 2 * axis; /* the parts of a constant before and after */
    switch (options->mode) {
    case STA_PAD_CONSTANT:
    case STA_PAD_EMPTY:
        sta__mosaic_strip(m, axis, width[0], 0, 0, other);
        sta__mosaic_strip(m, axis, n, 0, 1, 0);
        sta__mosaic_strip(m, axis, width[1], 0, 0, other + 1);
        break;
    case STA_PAD_EDGE:
        sta__mosaic_strip(m, axis, width[0], 0, 0, 0);
        sta__mosaic_strip(m, axis, n, 0, 1, 0);
        sta__mosaic_strip(m, axis, width[1], n - 1, 0, 0);
        break;
    default:
        if (width[0] || width[1])
            put_periodic(m, axis, n, width[0], width[1], options->mode);
    }
}

/* ---- constants ---- */

/* The number of one side, in the dtype of x, broadcast to as many axes. */
static bool constant(struct sta__call *call, const struct sta__operand *x, const struct sta__pad *pad, int axis, int side,
                     struct sta__operand *to)
{
    struct sta__shape scalar = {.ndim = 0}, ones = {.ndim = x->view.shape.ndim};
    bool given = pad->options.values && pad->options.mode == STA_PAD_CONSTANT;
    sta_dtype dtype = x->value->dtype;
    for (int a = 0; a < ones.ndim; a++)
        ones.at[a] = 1;
    if (!given) {
        struct sta__value *zero = sta__value_now(dtype, &scalar);
        if (!zero)
            return sta__fail_memory(call) != NULL;
        *to = (struct sta__operand){.value = zero, .view = sta__identity_view(&scalar)};
    } else if (!sta__operand_of(call, pad->options.values[axis][side], to)) {
        return false;
    } else if (to->value->dtype != dtype) {
        struct sta__value *cast = sta__node_cast(call, to, dtype);
        if (!cast)
            return false;
        *to = (struct sta__operand){.value = cast, .view = sta__identity_view(&cast->shape)};
    }
    for (int s = 0; s < to->view.store_ndim; s++) /* its one element, whatever its axes */
        to->view.map[s].axis = -1;
    to->view.shape = ones;
    return true;
}

static struct sta__value *with_constants(struct sta__call *call, struct sta__operand *x, const struct sta__pad *pad)
{
    int ndim = x->view.shape.ndim;
    struct sta__shape shape = x->view.shape;
    struct sta__operand side[2 * STA_MAXDIM] = {{.value = NULL}};
    bool fine = true;
    for (int i = 0; i < 2 * ndim && fine; i++)
        fine = constant(call, x, pad, i / 2, i % 2, &side[i]);
    if (!fine) {
        for (int i = 0; i < 2 * ndim; i++)
            sta__operand_drop(&side[i]);
        return NULL;
    }
    struct sta__mosaic m = sta__mosaic_open(call, x->value->dtype, ndim, 1 + 2 * ndim);
    sta__mosaic_part(&m, 0, x);
    for (int i = 0; i < 2 * ndim; i++)
        sta__mosaic_part(&m, 1 + i, &side[i]);
    for (int a = 0; a < ndim; a++)
        put_axis(&m, a, shape.at[a], pad->width[a], &pad->options);
    return sta__mosaic_close(&m);
}

bool sta__pad_is_strips(const sta_pad_options *options)
{
    switch (options->mode) {
    case STA_PAD_CONSTANT:
    case STA_PAD_EDGE:
    case STA_PAD_WRAP:
    case STA_PAD_EMPTY:
        return true;
    case STA_PAD_REFLECT:
    case STA_PAD_SYMMETRIC:
        return !options->odd;
    default:
        return false;
    }
}

struct sta__value *sta__pad_strips(struct sta__call *call, struct sta__operand *x, const struct sta__pad *pad)
{
    struct sta__shape shape = x->view.shape;
    if (pad->options.mode == STA_PAD_CONSTANT || pad->options.mode == STA_PAD_EMPTY)
        return with_constants(call, x, pad);
    struct sta__mosaic m = sta__mosaic_open(call, x->value->dtype, shape.ndim, 1);
    sta__mosaic_part(&m, 0, x);
    for (int a = 0; a < shape.ndim; a++)
        put_axis(&m, a, shape.at[a], pad->width[a], &pad->options);
    return sta__mosaic_close(&m);
}

/* ---- the front ---- */

/* What is given for an axis has one element. */
static bool check_values(struct sta__call *call, const struct sta__pad *pad, int axis)
{
    sta_pad_mode mode = pad->options.mode;
    struct sta__operand value;
    if (!pad->options.values || (mode != STA_PAD_CONSTANT && mode != STA_PAD_LINEAR_RAMP))
        return true;
    for (int side = 0; side < 2 && !call->error; side++) {
        int64_t size = 0;
        if (!sta__operand_of(call, pad->options.values[axis][side], &value))
            return false;
        if (!sta__shape_size(&value.view.shape, &size) || size != 1)
            sta__fail(call, STA_ERROR_SHAPE, "a value of axis %d is not one element", axis);
        sta__operand_drop(&value);
    }
    return !call->error;
}

static bool check_sides(struct sta__call *call, const struct sta__pad *pad, const struct sta__shape *shape, int axis)
{
    const int64_t *width = pad->width[axis];
    sta_pad_mode mode = pad->options.mode;
    int64_t sum;
    if (width[0] < 0 || width[1] < 0)
        sta__fail(call, STA_ERROR_VALUE, "a width of axis %d is negative", axis);
    else if (__builtin_add_overflow(width[0], width[1], &sum) || __builtin_add_overflow(sum, shape->at[axis], &sum))
        sta__fail(call, STA_ERROR_TOO_LARGE, "axis %d of the result is longer than 63 bits count", axis);
    else if (shape->at[axis] == 0 && width[0] + width[1] > 0 && mode != STA_PAD_CONSTANT && mode != STA_PAD_EMPTY)
        sta__fail(call, STA_ERROR_VALUE, "axis %d is empty: only the modes constant and empty can pad it", axis);
    else if (pad->options.stat_length && (pad->options.stat_length[axis][0] < 0 || pad->options.stat_length[axis][1] < 0))
        sta__fail(call, STA_ERROR_VALUE, "a stat_length of axis %d is negative", axis);
    return !call->error;
}

static bool check(struct sta__call *call, struct sta__pad *pad, const struct sta__shape *shape,
                  const int64_t (*widths)[2], const sta_pad_options *options)
{
    if (options && options->size >= sizeof options->size)
        memcpy(&pad->options, options, options->size < sizeof pad->options ? options->size : sizeof pad->options);
    if (!widths && shape->ndim)
        sta__fail(call, STA_ERROR_VALUE, "the widths are NULL");
    else if ((unsigned)pad->options.mode > STA_PAD_EMPTY)
        sta__fail(call, STA_ERROR_VALUE, "%d is no mode of padding", (int)pad->options.mode);
    for (int a = 0; a < shape->ndim && !call->error; a++) {
        memcpy(pad->width[a], widths[a], sizeof pad->width[a]);
        if (check_sides(call, pad, shape, a))
            check_values(call, pad, a);
    }
    return !call->error;
}

sta_array sta_pad(sta_array x, const int64_t (*widths)[2], const sta_pad_options *options)
{
    struct sta__call call = sta__enter("pad");
    struct sta__pad pad = {.options = {.size = sizeof pad.options}};
    struct sta__operand operand;
    struct sta__value *value = NULL;
    if (!sta__operand_of(&call, x, &operand))
        return sta__leave(&call, NULL);
    bool fine = check(&call, &pad, &operand.view.shape, widths, options);
    bool strips = !fine || sta__pad_is_strips(&pad.options);
    if (fine && strips)
        value = sta__pad_strips(&call, &operand, &pad);
    sta__operand_drop(&operand);
    if (strips)
        return sta__leave(&call, value);
    sta__call_end(&call);
    return sta__pad_computed(x, &pad);
}
