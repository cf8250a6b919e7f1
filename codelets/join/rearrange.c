/* One array, its elements in another order or several times: tile, repeat, roll. */
#include "codelets/index/front.h"
#include "composed.h"
#include "create/create.h"
#include "join/indices.h"
#include "join/join.h"

#include <starray/join.h>

#include <inttypes.h>
#include <string.h>

/* The length of a tile along an axis of a result: what is repeated as a whole is best not longer. */
static bool edges_of(struct sta__call *call, const struct sta__shape *shape, sta_dtype dtype, int64_t *edge)
{
    struct sta__grid *grid = sta__grid_default(shape, dtype);
    if (!grid)
        return sta__fail_memory(call) != NULL;
    memcpy(edge, grid->edge, sizeof grid->edge);
    sta__grid_drop(grid);
    return true;
}

/* A new axis of length 1 in the view, at the place `axis`; false: there are too many. */
static bool add_axis(struct sta__view *view, int axis)
{
    char why[STA__WHY];
    sta_dims fresh = {1, {axis}};
    return view->shape.ndim < STA_MAXDIM && !sta__view_expand_dims(view, &fresh, why);
}

/* ---- tile ---- */

/* The shape of the result; x gets new axes in front where more repetitions are given. */
static bool tiled_shape(struct sta__call *call, struct sta__view *view, const sta_dims *given, int64_t *times,
                        struct sta__shape *shape)
{
    if (given->count < 0 || given->count > STA_MAXDIM) {
        sta__fail(call, STA_ERROR_VALUE, "0 to %d repetitions can be given, not %d", STA_MAXDIM, given->count);
        return false;
    }
    while (view->shape.ndim < given->count)
        add_axis(view, 0);
    *shape = view->shape;
    for (int a = 0; a < shape->ndim; a++) {
        int k = a - (shape->ndim - given->count);
        times[a] = k < 0 ? 1 : given->at[k];
        if (times[a] < 0) {
            sta__fail(call, STA_ERROR_VALUE, "the number of repetitions is negative: %" PRId64, times[a]);
            return false;
        }
        if (!__builtin_mul_overflow(shape->at[a], times[a], &shape->at[a]))
            continue;
        sta__fail(call, STA_ERROR_TOO_LARGE, "axis %d of the result is longer than 63 bits count", a);
        return false;
    }
    return true;
}

/* How one axis is made: x once, x in strips, or a small x along an axis that is merged. */
enum way { ONCE, STRIPS, MERGED };

static struct sta__value *tile(struct sta__call *call, struct sta__operand *x, const sta_dims *given)
{
    int64_t times[STA_MAXDIM], edge[STA_MAXDIM];
    enum way way[STA_MAXDIM];
    struct sta__shape shape, from;
    if (!tiled_shape(call, &x->view, given, times, &shape) || !sta__join_fits(call, &shape, x->value->dtype) ||
        !edges_of(call, &shape, x->value->dtype, edge))
        return NULL;
    from = x->view.shape;
    for (int a = 0, at = 0; a < shape.ndim; a++, at++) {
        way[a] = times[a] == 1 ? ONCE : from.at[a] > edge[a] || shape.at[a] == 0 ? STRIPS : MERGED;
        if (way[a] != MERGED)
            continue;
        if (add_axis(&x->view, at))
            at++;
        else
            way[a] = STRIPS;
    }
    struct sta__mosaic m = sta__mosaic_open(call, x->value->dtype, x->view.shape.ndim, 1);
    sta__mosaic_part(&m, 0, x);
    for (int a = 0, at = 0; a < shape.ndim; a++, at++) {
        if (way[a] == MERGED) {
            sta__mosaic_strip(&m, at, times[a], 0, 0, 0);
            sta__mosaic_merge(&m, at++);
        }
        if (way[a] == STRIPS)
            sta__mosaic_strip(&m, at, times[a] ? from.at[a] : 0, 0, 1, 0);
        for (int64_t k = 1; way[a] == STRIPS && k < times[a] && from.at[a] && !m.failed; k++)
            sta__mosaic_strip(&m, at, from.at[a], 0, 1, 0);
    }
    return sta__mosaic_close(&m);
}

sta_array sta_tile(sta_array x, sta_dims times)
{
    struct sta__call call = sta__enter("tile");
    struct sta__operand operand;
    struct sta__value *value = NULL;
    if (sta__operand_of(&call, x, &operand)) {
        value = tile(&call, &operand, &times);
        sta__operand_drop(&operand);
    }
    return sta__leave(&call, value);
}

/* ---- resize ---- */

/* In a scope of the caller's. */
static sta_array resized(sta_array x, sta_dims shape)
{
    int64_t wanted, have = sta_size(x);
    const sta_dtype dtype = sta_dtype_of(x);
    struct sta__shape lengths;
    if (sta__in_error(x))
        return x;
    struct sta__call call = sta__enter("resize");
    const bool fine = sta__check_shape(&call, &shape, &lengths) && sta__join_fits(&call, &lengths, dtype);
    if (!fine)
        return sta__leave(&call, NULL);
    sta__call_end(&call);
    sta__shape_size(&lengths, &wanted);
    if (have == 0 || wanted == 0)
        return sta_zeros(shape, dtype);
    sta_array line = sta__line(x);
    if (wanted > have)
        line = sta_tile(line, STA_DIMS(wanted / have + (wanted % have != 0)));
    return sta_copy(sta_reshape(sta__along(line, 0, 0, wanted), shape));
}

sta_array sta_resize(sta_array x, sta_dims shape)
{
    const sta_scope scope = sta_open();
    return sta__composed(scope, resized(sta__taken(x), shape));
}

/* ---- repeat ---- */

static struct sta__value *repeat(struct sta__call *call, struct sta__operand *x, int64_t times, int axis)
{
    int64_t edge[STA_MAXDIM], length = x->view.shape.at[axis];
    struct sta__shape shape = x->view.shape;
    if (__builtin_mul_overflow(length, times, &shape.at[axis]))
        return sta__fail(call, STA_ERROR_TOO_LARGE, "the result has more than 2^59 elements");
    if (!sta__join_fits(call, &shape, x->value->dtype) || !edges_of(call, &shape, x->value->dtype, edge))
        return NULL;
    bool merged = times > 1 && length > 0 && times <= edge[axis] && add_axis(&x->view, axis + 1);
    struct sta__mosaic m = sta__mosaic_open(call, x->value->dtype, x->view.shape.ndim, 1);
    sta__mosaic_part(&m, 0, x);
    if (merged) {
        sta__mosaic_strip(&m, axis + 1, times, 0, 0, 0);
        sta__mosaic_merge(&m, axis);
    }
    for (int64_t i = 0; !merged && times != 1 && i < length && !m.failed; i++)
        sta__mosaic_strip(&m, axis, times, i, 0, 0);
    return sta__mosaic_close(&m);
}

/* As NumPy: () is (1,) here. */
static bool operand_of(struct sta__call *call, sta_array x, int64_t axis, struct sta__operand *to, int *along)
{
    if (!sta__operand_of(call, x, to))
        return false;
    if (to->view.shape.ndim == 0)
        add_axis(&to->view, 0);
    if (sta__join_axis(call, axis, to->view.shape.ndim, along))
        return true;
    sta__operand_drop(to);
    return false;
}

sta_array sta_repeat(sta_array x, int64_t times, int64_t axis)
{
    if (axis == STA_FLAT) {
        const sta_scope scope = sta_open();
        return sta__composed(scope, sta_repeat(sta__line(x), times, 0));
    }
    struct sta__call call = sta__enter("repeat");
    struct sta__operand operand;
    struct sta__value *value = NULL;
    int along;
    if (operand_of(&call, x, axis, &operand, &along)) {
        if (times < 0)
            sta__fail(&call, STA_ERROR_VALUE, "the number of repetitions is negative: %" PRId64, times);
        else
            value = repeat(&call, &operand, times, along);
        sta__operand_drop(&operand);
    }
    return sta__leave(&call, value);
}

/* How long the axis becomes. False: call->error. */
static bool length_of(struct sta__call *call, const struct sta__indices *times, int64_t *to)
{
    int64_t bits = 0; /* of all of them: one that is negative shows, and so does whether the sum may be too large */
    *to = 0;
    for (int64_t i = 0; i < times->count; i++)
        bits |= times->at[i];
    for (int64_t i = 0; i < times->count && bits < 0; i++)
        if (times->at[i] < 0)
            return sta__fail(call, STA_ERROR_VALUE, "the number of repetitions is negative: %" PRId64, times->at[i]) !=
                   NULL;
    for (int64_t i = 0; i < times->count; i++)
        if (__builtin_add_overflow(*to, times->at[i], to))
            return sta__fail(call, STA_ERROR_TOO_LARGE, "the result has more than 2^59 elements") != NULL;
    return true;
}

/* Each element its own number of times. */
static struct sta__value *repeat_each(struct sta__call *call, struct sta__operand *x, const struct sta__indices *times,
                                      int axis)
{
    int64_t length = x->view.shape.at[axis];
    struct sta__mosaic m = sta__mosaic_open(call, x->value->dtype, x->view.shape.ndim, 1);
    sta__mosaic_part(&m, 0, x);
    for (int64_t i = 0, end; i < length && !m.failed; i = end) {
        for (end = i + 1; times->at[i] == 1 && end < length && times->at[end] == 1;)
            end++;
        if (times->at[i] == 1)
            sta__mosaic_strip(&m, axis, end - i, i, 1, 0);
        else
            sta__mosaic_strip(&m, axis, times->at[i], i, 0, 0);
    }
    return sta__mosaic_close(&m);
}

/* Numbers of repetitions cannot be predicted, so some places are written whatever the number is, and then written over. */
static void put_sources(const struct sta__indices *times, int64_t length, int64_t *to)
{
    enum { AT_ONCE = 4 };
    int64_t i = 0, place = 0;
    for (; i < times->count && place + AT_ONCE <= length; i++) {
        for (int k = 0; k < AT_ONCE; k++)
            to[place + k] = i;
        for (int64_t k = AT_ONCE; k < times->at[i]; k++)
            to[place + k] = i;
        place += times->at[i];
    }
    for (; i < times->count; i++)
        for (int64_t k = 0; k < times->at[i]; k++)
            to[place++] = i;
}

/* Which element stands at each place of the result. */
static struct sta__operand sources(struct sta__call *call, const struct sta__indices *times, int64_t length)
{
    struct sta__shape shape = {.ndim = 1, .at = {length}};
    struct sta__operand ids = sta__whole(sta__value_raw(STA_int64, &shape));
    if (ids.value)
        put_sources(times, length, (int64_t *)(void *)ids.value->data);
    else
        sta__fail_memory(call);
    return ids;
}

/* The same by index where there are many elements. */
static sta_array repeat_many(struct sta__call *call, struct sta__operand *x, const struct sta__indices *times,
                             int64_t length, int axis)
{
    struct sta__selection s = {.arrays = 0};
    struct sta__operand ids = sources(call, times, length);
    bool fine = ids.value && sta__select_axis(call, &x->view, &ids, axis, &s);
    sta__operand_drop(&ids);
    return sta__read_selected(call, x, &s, fine);
}

sta_array sta_repeat_each(sta_array x, sta_array times, int64_t axis)
{
    if (axis == STA_FLAT) {
        const sta_scope scope = sta_open();
        return sta__composed(scope, sta_repeat_each(sta__line(x), times, 0));
    }
    struct sta__call call = sta__enter("repeat_each");
    struct sta__operand operand;
    struct sta__indices indices = {.at = NULL};
    struct sta__value *value = NULL;
    int64_t repeated = 0;
    int along;
    if (operand_of(&call, x, axis, &operand, &along)) {
        int64_t length = operand.view.shape.at[along];
        if (sta__indices_read(&call, times, &indices)) {
            if (indices.count == 1)
                value = indices.at[0] < 0 ? sta__fail(&call, STA_ERROR_VALUE, "the number of repetitions is negative")
                                          : repeat(&call, &operand, indices.at[0], along);
            else if (indices.count != length || indices.ndim > 1)
                sta__fail(&call, STA_ERROR_SHAPE, "%" PRId64 " numbers for %" PRId64 " elements", indices.count,
                          length);
            else if (length_of(&call, &indices, &repeated) && length <= STA__MANY_STRIPS)
                value = repeat_each(&call, &operand, &indices, along);
            else if (!call.error) {
                sta_array result = repeat_many(&call, &operand, &indices, repeated, along);
                sta__release(indices.at);
                return result;
            }
        }
        sta__operand_drop(&operand);
    }
    sta__release(indices.at);
    return sta__leave(&call, value);
}

/* ---- roll ---- */

/* How far each axis moves, from 0 to below its length. */
static bool moves(struct sta__call *call, const struct sta__shape *shape, const sta_dims *by, const sta_dims *axes,
                  int64_t *move)
{
    if (by->count < 1 || by->count > STA_MAXDIM || axes->count > STA_MAXDIM ||
        (by->count != axes->count && by->count != 1 && axes->count != 1)) {
        sta__fail(call, STA_ERROR_VALUE, "%d shifts for %d axes", by->count, axes->count);
        return false;
    }
    memset(move, 0, sizeof *move * STA_MAXDIM);
    int count = by->count > axes->count && axes->count ? by->count : axes->count;
    for (int i = 0, axis; i < count; i++) {
        if (!sta__join_axis(call, axes->at[axes->count == 1 ? 0 : i], shape->ndim, &axis))
            return false;
        int64_t length = shape->at[axis], shift = by->at[by->count == 1 ? 0 : i];
        if (length > 0)
            move[axis] = ((move[axis] + shift % length) % length + length) % length;
    }
    return true;
}

static struct sta__value *roll(struct sta__call *call, struct sta__operand *x, const int64_t *move)
{
    struct sta__shape shape = x->view.shape;
    struct sta__mosaic m = sta__mosaic_open(call, x->value->dtype, shape.ndim, 1);
    sta__mosaic_part(&m, 0, x);
    for (int a = 0; a < shape.ndim; a++) {
        sta__mosaic_strip(&m, a, move[a], shape.at[a] - move[a], 1, 0);
        sta__mosaic_strip(&m, a, shape.at[a] - move[a], 0, 1, 0);
    }
    return sta__mosaic_close(&m);
}

/* The elements in C order, by the sum of the numbers. */
static sta_array roll_flat(sta_array x, sta_dims by)
{
    const sta_dims shape = sta_shape(x);
    const sta_array line = sta__line(x);
    return sta_reshape(sta_roll(line, by, STA_AXES(0)), shape);
}

sta_array sta_roll(sta_array x, sta_dims by, sta_dims axes)
{
    if (axes.count < 0) {
        const sta_scope scope = sta_open();
        return sta__composed(scope, roll_flat(x, by));
    }
    struct sta__call call = sta__enter("roll");
    struct sta__operand operand;
    struct sta__value *value = NULL;
    int64_t move[STA_MAXDIM];
    if (sta__operand_of(&call, x, &operand)) {
        if (moves(&call, &operand.view.shape, &by, &axes, move))
            value = roll(&call, &operand, move);
        sta__operand_drop(&operand);
    }
    return sta__leave(&call, value);
}
