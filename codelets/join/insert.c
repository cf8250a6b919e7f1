/* Adding and taking away: append, insert, delete. */
#include "codelets/index/front.h"
#include "join/indices.h"
#include "join/join.h"

#include "composed.h"
#include "graph.h"

#include <starray/join.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- delete ---- */

/* One mark for each index of the axis: what stays. NULL: call->error. */
static bool *kept(struct sta__call *call, const struct sta__indices *indices, int64_t length, int axis)
{
    bool *keep = sta__allocate(length ? (size_t)length : 1);
    if (!keep)
        return sta__fail_memory(call);
    memset(keep, 1, (size_t)length);
    if (indices->mask && (indices->ndim != 1 || indices->count != length))
        sta__fail(call, STA_ERROR_SHAPE, "a mask for axis %d has shape (%" PRId64 ",)", axis, length);
    for (int64_t i = 0; i < indices->count && !call->error; i++) {
        int64_t at = indices->at[i];
        if (indices->mask)
            keep[i] = !at;
        else if (at < -length || at >= length)
            sta__fail(call, STA_ERROR_INDEX, "index %" PRId64 " is out of range for axis %d of length %" PRId64, at,
                      axis, length);
        else
            keep[at < 0 ? at + length : at] = false;
    }
    if (!call->error)
        return keep;
    sta__release(keep);
    return NULL;
}

/* Where the run of equal marks that begins at i ends. */
static int64_t run_end(const bool *keep, int64_t i, int64_t length)
{
    const bool *next = memchr(keep + i, !keep[i], (size_t)(length - i));
    return next ? next - keep : length;
}

/* Whether what stays is more runs than are worth while. */
static bool has_many_runs(const bool *keep, int64_t length)
{
    int64_t runs = 0;
    for (int64_t i = 0; i < length && runs <= STA__MANY_STRIPS; i = run_end(keep, i, length))
        runs += keep[i];
    return runs > STA__MANY_STRIPS;
}

/* What stays, by a mask: where it is many short runs. */
static struct sta__value *without_many(struct sta__call *call, const struct sta__operand *x, const bool *keep)
{
    struct sta__shape shape = {.ndim = 1, .at = {x->view.shape.at[0]}};
    struct sta__operand mask = sta__whole(sta__value_now(STA_bool, &shape));
    if (!mask.value)
        return sta__fail_memory(call);
    memcpy(mask.value->data, keep, (size_t)shape.at[0]);
    struct sta__value *value = sta__mask_take(call, x, &mask);
    sta__operand_drop(&mask);
    return value;
}

static struct sta__value *without_runs(struct sta__call *call, struct sta__operand *x, const bool *keep, int axis)
{
    int64_t length = x->view.shape.at[axis];
    struct sta__mosaic m = sta__mosaic_open(call, x->value->dtype, x->view.shape.ndim, 1);
    sta__mosaic_part(&m, 0, x);
    sta__mosaic_strip(&m, axis, 0, 0, 1, 0);
    for (int64_t i = 0, end; i < length; i = end) {
        end = run_end(keep, i, length);
        if (keep[i])
            sta__mosaic_strip(&m, axis, end - i, i, 1, 0);
    }
    return sta__mosaic_close(&m);
}

static int by_index(const void *a, const void *b)
{
    const int64_t i = *(const int64_t *)a, j = *(const int64_t *)b;
    return (i > j) - (i < j);
}

/* The same for a few indices, which need no mark for each element. They are put in order. */
static struct sta__value *without_few(struct sta__call *call, struct sta__operand *x, struct sta__indices *indices,
                                      int axis)
{
    const int64_t length = x->view.shape.at[axis];
    int64_t from = 0;
    for (int64_t i = 0; i < indices->count; i++) {
        int64_t *at = &indices->at[i];
        if (*at < -length || *at >= length)
            return sta__fail(call, STA_ERROR_INDEX, "index %" PRId64 " is out of range for axis %d of length %" PRId64,
                             *at, axis, length);
        *at += *at < 0 ? length : 0;
    }
    qsort(indices->at, (size_t)indices->count, sizeof *indices->at, by_index);
    struct sta__mosaic m = sta__mosaic_open(call, x->value->dtype, x->view.shape.ndim, 1);
    sta__mosaic_part(&m, 0, x);
    sta__mosaic_strip(&m, axis, 0, 0, 1, 0);
    for (int64_t i = 0; i < indices->count; i++) {
        if (indices->at[i] > from)
            sta__mosaic_strip(&m, axis, indices->at[i] - from, from, 1, 0);
        from = indices->at[i] + 1;
    }
    if (length > from)
        sta__mosaic_strip(&m, axis, length - from, from, 1, 0);
    return sta__mosaic_close(&m);
}

static struct sta__value *without(struct sta__call *call, struct sta__operand *x, struct sta__indices *indices,
                                  int axis)
{
    if (!indices->mask && indices->count < STA__MANY_STRIPS)
        return without_few(call, x, indices, axis);
    bool *keep = kept(call, indices, x->view.shape.at[axis], axis);
    if (!keep)
        return NULL;
    bool many = axis == 0 && has_many_runs(keep, x->view.shape.at[0]);
    struct sta__value *value = many ? without_many(call, x, keep) : without_runs(call, x, keep, axis);
    sta__release(keep);
    return value;
}

/* Whether it is a mask for the first axis of x: what stays can be taken by its opposite. */
static bool is_mask_of(sta_array x, sta_array mask)
{
    return sta_dtype_of(mask) == STA_bool && sta_ndim(mask) == 1 && sta_ndim(x) > 0 &&
           sta_size(mask) == sta_shape(x).at[0] && !sta__in_error(x) && !sta__in_error(mask);
}

sta_array sta_delete(sta_array x, sta_array indices, int64_t axis)
{
    if (axis == STA_FLAT) {
        const sta_scope scope = sta_open();
        return sta__composed(scope, sta_delete(sta__line(x), indices, 0));
    }
    if (axis == 0 && is_mask_of(x, indices)) {
        const sta_scope scope = sta_open();
        return sta__composed(scope, sta_at(x, STA_INDEX(STA_SPAN_BY(sta_logical_not(indices)))));
    }
    struct sta__call call = sta__enter("delete");
    struct sta__operand operand;
    struct sta__indices list = {.at = NULL};
    struct sta__value *value = NULL;
    int along;
    if (sta__join_operand(&call, x, axis, &operand, &along)) {
        if (sta__indices_read(&call, indices, &list))
            value = without(&call, &operand, &list, along);
        sta__operand_drop(&operand);
    }
    sta__release(list.at);
    return sta__leave(&call, value);
}

/* ---- insert ---- */

/* Where one of the values goes: before which element, and which of the values. */
struct place {
    int64_t before, value;
};

static int by_place(const void *a, const void *b)
{
    const struct place *p = a, *q = b;
    if (p->before != q->before)
        return p->before < q->before ? -1 : 1;
    return p->value < q->value ? -1 : p->value > q->value;
}

/* In the order of the result. NULL: call->error. */
static struct place *places_of(struct sta__call *call, const struct sta__indices *indices, int64_t length, int axis,
                               int64_t *count)
{
    struct place *places = sta__allocate(sizeof *places * (size_t)(indices->count ? indices->count : 1));
    if (!places)
        return sta__fail_memory(call);
    *count = 0;
    for (int64_t i = 0; i < indices->count && !call->error; i++) {
        int64_t at = indices->at[i];
        if (at < -length || at > length)
            sta__fail(call, STA_ERROR_INDEX, "index %" PRId64 " is out of range for axis %d of length %" PRId64, at,
                      axis, length);
        places[*count] = (struct place){at < 0 ? at + length : at, *count};
        ++*count;
    }
    if (!call->error) {
        qsort(places, (size_t)*count, sizeof *places, by_place);
        return places;
    }
    sta__release(places);
    return NULL;
}

/* New axes in front, up to those of x; where there is one place, without an axis, the first one goes to `axis`. */
static bool lift_values(struct sta__call *call, struct sta__operand *values, int ndim, int axis, bool scalar)
{
    char why[STA__WHY];
    sta_dims fresh = {ndim - values->view.shape.ndim, {0}}, from = {1, {0}}, to = {1, {axis}};
    if (fresh.count < 0) {
        sta__fail(call, STA_ERROR_SHAPE, "the values have %d axes, x has %d", values->view.shape.ndim, ndim);
        return false;
    }
    for (int i = 0; i < fresh.count; i++)
        fresh.at[i] = i;
    sta__view_expand_dims(&values->view, &fresh, why);
    if (scalar)
        sta__view_moveaxis(&values->view, &from, &to, why);
    return true;
}

/* The values in the dtype of x, broadcast to the shape of x with `count` of them along the axis. */
static bool fit_values(struct sta__call *call, struct sta__operand *values, const struct sta__operand *x, int axis,
                       int64_t count)
{
    char a[STA__SHAPE_TEXT / 4], b[STA__SHAPE_TEXT / 4];
    struct sta__shape shape = x->view.shape, both;
    shape.at[axis] = count;
    both = shape;
    if (!sta__broadcast(&both, &values->view.shape) || !sta__shape_equal(&both, &shape)) {
        sta__fail(call, STA_ERROR_SHAPE, "values of shape %s do not broadcast to %s",
                  sta__shape_text(&values->view.shape, a, sizeof a), sta__shape_text(&shape, b, sizeof b));
        return false;
    }
    if (values->value->dtype != x->value->dtype) {
        struct sta__value *cast = sta__node_cast(call, values, x->value->dtype);
        if (!cast)
            return false;
        *values = (struct sta__operand){.value = cast, .view = sta__identity_view(&cast->shape)};
    }
    sta__view_broadcast(&values->view, &shape);
    return true;
}

static struct sta__value *with(struct sta__call *call, struct sta__operand *x, struct sta__operand *values,
                               const struct place *places, int64_t count, int axis)
{
    int64_t length = x->view.shape.at[axis], at = 0;
    struct sta__mosaic m = sta__mosaic_open(call, x->value->dtype, x->view.shape.ndim, 2);
    sta__mosaic_part(&m, 0, x);
    sta__mosaic_part(&m, 1, values);
    for (int64_t i = 0, end; i < count; i = end) {
        for (end = i + 1;
             end < count && places[end].before == places[i].before && places[end].value == places[i].value + (end - i);)
            end++;
        sta__mosaic_strip(&m, axis, places[i].before - at, at, 1, 0);
        sta__mosaic_strip(&m, axis, end - i, places[i].value, 1, 1);
        at = places[i].before;
    }
    sta__mosaic_strip(&m, axis, length - at, at, 1, 0);
    return sta__mosaic_close(&m);
}

/* The indices that a mask names. */
static void unmask(struct sta__indices *indices)
{
    int64_t count = 0;
    for (int64_t i = 0; i < indices->count; i++)
        if (indices->at[i])
            indices->at[count++] = i;
    indices->count = count;
}

/* One index stands for all values that there are along the axis. */
static bool one_place(struct sta__call *call, struct sta__indices *indices, int64_t count)
{
    int64_t *at = sta__allocate(sizeof *at * (size_t)(count ? count : 1));
    if (!at)
        return sta__fail_memory(call) != NULL;
    for (int64_t i = 0; i < count; i++)
        at[i] = indices->at[0];
    sta__release(indices->at);
    indices->at = at;
    indices->count = count;
    return true;
}

static struct sta__value *insert(struct sta__call *call, struct sta__operand *x, struct sta__operand *values,
                                 struct sta__indices *indices, int axis)
{
    int64_t length = x->view.shape.at[axis], count = 0;
    bool scalar = indices->ndim == 0;
    if (indices->ndim > 1 || (indices->mask && indices->ndim != 1))
        return sta__fail(call, STA_ERROR_SHAPE, "the indices have %d axes, not one", indices->ndim);
    if (!lift_values(call, values, x->view.shape.ndim, axis, scalar))
        return NULL;
    if (indices->mask)
        unmask(indices);
    if (indices->count == 1) {
        struct place *check = places_of(call, indices, length, axis, &count);
        sta__release(check);
        if (!check || !one_place(call, indices, values->view.shape.at[axis]))
            return NULL;
    }
    struct place *places = places_of(call, indices, length, axis, &count);
    struct sta__value *value = NULL;
    if (places && fit_values(call, values, x, axis, count))
        value = with(call, x, values, places, count, axis);
    sta__release(places);
    return value;
}

sta_array sta_insert(sta_array x, sta_array indices, sta_array values, int64_t axis)
{
    if (axis == STA_FLAT) {
        const sta_scope scope = sta_open();
        return sta__composed(scope,
                             sta_insert(sta__line(x), indices, sta_ndim(values) ? sta_ravel(values) : values, 0));
    }
    struct sta__call call = sta__enter("insert");
    struct sta__operand operand, new_ones;
    struct sta__indices list = {.at = NULL};
    struct sta__value *value = NULL;
    int along;
    if (sta__join_operand(&call, x, axis, &operand, &along)) {
        if (sta__indices_read(&call, indices, &list) && sta__operand_of(&call, values, &new_ones)) {
            value = insert(&call, &operand, &new_ones, &list, along);
            sta__operand_drop(&new_ones);
        }
        sta__operand_drop(&operand);
    }
    sta__release(list.at);
    return sta__leave(&call, value);
}

sta_array sta_append(sta_array x, sta_array values, int64_t axis)
{
    const sta_array both[2] = {x, values};
    return sta__concat("append", both, 2, axis);
}
