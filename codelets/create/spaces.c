/* Ranges of powers, grids of points, and elements that the program computes. */
#include "codelets/create/create.h"

#include "composed.h"
#include "graph.h"
#include "join/mosaic.h"
#include "slice.h"

#include <starray/create.h>
#include <starray/scope.h>
#include <starray/shape.h>
#include <starray/ufunc.h>

#include <math.h>
#include <string.h>

/* ---- powers ---- */

static sta_linspace_options options_of(const sta_linspace_options *given)
{
    sta_linspace_options options = {.size = sizeof options};
    if (given)
        memcpy(&options, given, given->size < sizeof options ? given->size : sizeof options);
    return options;
}

/* base^y, in float64. */
static sta_array powers(double start, double stop, int64_t n, double base, sta_linspace_options options)
{
    options.dtype = STA_float64;
    return sta_power(sta_float(base), sta_linspace_ex(start, stop, n, &options));
}

static sta_array kept(sta_scope scope, sta_array x)
{
    sta_keep(x);
    sta_close(scope);
    return x;
}

sta_array sta_logspace(double start, double stop, int64_t n, double base, const sta_linspace_options *options)
{
    sta_linspace_options own = options_of(options);
    sta_scope scope = sta_open();
    sta_array x = powers(start, stop, n, base, own);
    return kept(scope, own.dtype ? sta_astype(x, own.dtype) : x);
}

sta_array sta_geomspace(double start, double stop, int64_t n, const sta_linspace_options *options)
{
    sta_linspace_options own = options_of(options);
    own.step = NULL;
    if (start == 0 || stop == 0) {
        struct sta__call call = sta__enter("geomspace");
        return sta__leave(&call, sta__fail(&call, STA_ERROR_VALUE, "a sequence of equal ratios has no 0 in it"));
    }
    sta_scope scope = sta_open();
    double sign = start < 0 ? -1 : 1;
    sta_array x = powers(log10(sign * start), log10(sign * stop), n, 10, own);
    if (n > 0)
        sta_assign(sta_slice(x, "0"), sta_float(sign * start));
    if (n > 1 && !own.exclude_stop)
        sta_assign(sta_slice(x, "-1"), sta_float(sign * stop));
    x = sta_multiply(x, sta_float(sign));
    return kept(scope, own.dtype ? sta_astype(x, own.dtype) : x);
}

/* ---- grids ---- */

/* x along axis `axis` of `ndim`, alike along the others. */
static sta_error_code stretch(struct sta__operand *x, int axis, const struct sta__shape *shape, bool sparse, char *why)
{
    sta_dims fresh = {0, {0}};
    for (int a = 0; a < shape->ndim; a++)
        if (a != axis || x->view.shape.ndim == 0)
            fresh.at[fresh.count++] = a;
    sta_error_code error = sta__view_expand_dims(&x->view, &fresh, why);
    if (!error && !sparse)
        sta__view_broadcast(&x->view, shape);
    return error;
}

/* The lengths in the order of the result's axes. False: call->error. */
static bool grid_shape(struct sta__call *call, const sta_array *x, int count, bool exchanged, struct sta__shape *shape)
{
    struct sta__operand operand;
    int64_t size;
    shape->ndim = count;
    if (!call->error && count > STA_MAXDIM)
        sta__fail(call, STA_ERROR_SHAPE, "a grid has at most %d axes, not %d", STA_MAXDIM, count);
    for (int i = 0; i < count && !call->error; i++) {
        int axis = exchanged && i < 2 ? 1 - i : i;
        if (!sta__operand_of(call, x[i], &operand))
            return false;
        shape->at[axis] = operand.view.shape.ndim ? operand.view.shape.at[0] : 1;
        sta__operand_drop(&operand);
    }
    if (!call->error && !sta__shape_size(shape, &size))
        sta__fail(call, STA_ERROR_TOO_LARGE, "the grid has more than 2^59 points");
    return !call->error;
}

static void meshgrid(sta_array *to, const sta_array *x, int count, unsigned flags)
{
    char why[STA__WHY];
    bool exchanged = !(flags & STA_IJ) && count > 1;
    struct sta__shape shape;
    for (int i = 0; i < count; i++) {
        struct sta__call call = sta__enter("meshgrid");
        struct sta__operand operand;
        struct sta__value *value = NULL;
        if (flags & ~(unsigned)(STA_SPARSE | STA_IJ))
            sta__fail(&call, STA_ERROR_VALUE, "only the flags STA_SPARSE and STA_IJ are known");
        if (!x)
            sta__fail(&call, STA_ERROR_VALUE, "the arrays are NULL");
        if (!call.error && grid_shape(&call, x, count, exchanged, &shape) && sta__operand_of(&call, x[i], &operand)) {
            int axis = exchanged && i < 2 ? 1 - i : i;
            sta_error_code error = stretch(&operand, axis, &shape, flags & STA_SPARSE, why);
            if (error)
                sta__fail(&call, error, "%s", why);
            else
                value = sta__node_cast(&call, &operand, operand.value->dtype);
            if (value && !sta__submit_when_now(&call, value)) {
                sta__value_drop(value);
                value = NULL;
            }
            sta__operand_drop(&operand);
        }
        to[i] = sta__leave(&call, value);
    }
}

void sta_meshgrid(sta_array *to, const sta_array *x, int count, unsigned flags)
{
    if (sta__no_place("meshgrid", to, count))
        return;
    const sta_scope scope = sta_open();
    sta_array lines[STA_MAXDIM] = {{0}};
    for (int i = 0; x && i < count && i < STA_MAXDIM; i++)
        lines[i] = sta_ndim(x[i]) > 1 ? sta_ravel(x[i]) : sta__taken(x[i]);
    meshgrid(to, x && count <= STA_MAXDIM ? lines : x, count, flags);
    for (int i = 0; i < count; i++)
        sta_keep(to[i]);
    sta_close(scope);
}

static struct sta__value *indices(struct sta__call *call, const struct sta__shape *shape, sta_dtype dtype)
{
    struct sta__shape wide = {.ndim = shape->ndim + 1, .at = {1}};
    struct sta__mosaic m = sta__mosaic_open(call, dtype, wide.ndim, shape->ndim);
    memcpy(wide.at + 1, shape->at, sizeof *shape->at * (size_t)shape->ndim);
    for (int a = 0; a < shape->ndim; a++) {
        struct sta__value *value = sta__arange_value(call, 0, shape->at[a], dtype);
        if (!value) {
            sta__mosaic_discard(&m);
            return NULL;
        }
        struct sta__operand x = {.value = value, .view = sta__identity_view(&value->shape)};
        x.view.shape = wide;
        x.view.map[0].axis = a + 1;
        sta__mosaic_part(&m, a, &x);
        sta__mosaic_strip(&m, 0, 1, 0, 1, a);
    }
    return sta__mosaic_close(&m);
}

sta_array sta_indices(sta_dims shape, sta_dtype dtype)
{
    struct sta__call call = sta__enter("indices");
    struct sta__shape lengths, none = {.ndim = 1};
    dtype = dtype ? dtype : STA_int64;
    bool fine = sta__check_shape(&call, &shape, &lengths) && sta__check_dtype(&call, dtype);
    if (fine && lengths.ndim == STA_MAXDIM) {
        sta__fail(&call, STA_ERROR_SHAPE, "the indices of %d axes need one more than there can be", STA_MAXDIM);
        fine = false;
    }
    struct sta__value *value = NULL;
    if (fine && lengths.ndim == 0 && !(value = sta__value_now(dtype, &none)))
        sta__fail_memory(&call);
    if (fine && lengths.ndim > 0)
        value = indices(&call, &lengths, dtype);
    return sta__leave(&call, value);
}
