/* The public functions whose result sees the elements of x in a frame of its own: reshape, ravel, real, imag, view. A view
 * is what NumPy would give a view for; how x is cut does not matter. */
#include "codelets/index/front.h"
#include "frame.h"
#include "graph.h"
#include "partition/tile.h"
#include "reshape.h"
#include "slice.h"

#include <starray/ufunc.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- where the elements lie, in bytes ---- */

static void strides_of_frame(const struct sta__store *store, const struct sta__frame *frame, int64_t *stride)
{
    const struct sta__shape *shape = sta__frame_shape(store, frame);
    const struct sta__value *value = store->value;
    int64_t step = (int64_t)sta_itemsize(sta__frame_dtype(store, frame));
    struct sta__memory memory = {.ndim = 0};
    if (frame && frame->window) {
        memcpy(stride, frame->stride, sizeof frame->stride);
        return;
    }
    if (value->strided) /* user memory: its tiles lie in it as the whole does */
        sta__tile_layout(value->tiles[0], &memory);
    for (int a = shape->ndim - 1; a >= 0; a--) {
        stride[a] = a < memory.ndim ? memory.stride[a] : step;
        step *= shape->at[a];
    }
}

static void strides_of_view(const struct sta__store *store, const struct sta__frame *frame,
                            const struct sta__view *view, int64_t *stride)
{
    int64_t own[STA_MAXDIM];
    strides_of_frame(store, frame, own);
    for (int a = 0; a < view->shape.ndim; a++)
        stride[a] = 0;
    for (int s = 0; s < view->store_ndim; s++)
        if (view->map[s].axis >= 0)
            stride[view->map[s].axis] += view->map[s].step * own[s];
}

/* Groups of axes of equal size on both sides: whether each of the old side lies as one axis would; `to` are the strides of
 * the new side then. */
static bool reshapes_in_place(const struct sta__shape *old, const int64_t *stride, const struct sta__shape *new,
                              int64_t *to)
{
    struct sta__shape a = {.ndim = 0};
    int64_t step[STA_MAXDIM];
    for (int i = 0; i < old->ndim; i++)
        if (old->at[i] != 1) {
            step[a.ndim] = stride[i];
            a.at[a.ndim++] = old->at[i];
        }
    for (int i = 0, j = 0; i < a.ndim && j < new->ndim;) {
        int64_t left = a.at[i], right = new->at[j];
        int first = i, begin = j;
        while (left != right) {
            if (left < right)
                left *= a.at[++i];
            else
                right *= new->at[++j];
        }
        for (int k = first; k < i; k++)
            if (step[k] != a.at[k + 1] * step[k + 1])
                return false;
        to[j] = step[i];
        for (int k = j; k > begin; k--)
            to[k - 1] = to[k] * new->at[k];
        i++;
        j++;
    }
    return true;
}

/* Whether the view is all of its frame in C order. */
static bool is_whole(const struct sta__view *view, const struct sta__shape *frame)
{
    int64_t step = 1, size = 1, own[STA_MAXDIM], stride[STA_MAXDIM] = {0};
    for (int s = frame->ndim - 1; s >= 0; s--) {
        own[s] = size;
        size *= frame->at[s];
    }
    for (int s = 0; s < view->store_ndim; s++)
        if (view->map[s].axis >= 0)
            stride[view->map[s].axis] += view->map[s].step * own[s];
    for (int a = view->shape.ndim - 1; a >= 0; a--) {
        if (view->shape.at[a] != 1 && stride[a] != step)
            return false;
        step *= view->shape.at[a];
    }
    return step == size;
}

/* ---- making frames ---- */

static struct sta__frame *frame_new(struct sta__call *call, sta_dtype dtype, const struct sta__shape *shape)
{
    struct sta__frame *frame = sta__allocate(sizeof *frame);
    if (!frame)
        return sta__fail_memory(call);
    atomic_init(&frame->references, 1);
    frame->dtype = dtype;
    frame->shape = *shape;
    return frame;
}

/* The same elements as `old`, all of them, in another dtype and shape. */
static struct sta__frame *frame_like(struct sta__call *call, struct sta__frame *old, sta_dtype dtype,
                                     const struct sta__shape *shape)
{
    struct sta__frame *frame = frame_new(call, dtype, shape);
    if (!frame || !old)
        return frame;
    frame->window = old->window;
    frame->read_only = old->read_only;
    frame->parent = sta__frame_take(old->parent);
    if (!old->window)
        return frame;
    sta__view_copy(&frame->view, &old->view);
    memcpy(frame->stride, old->stride, sizeof frame->stride);
    return frame;
}

/* What the view of `old` shows. */
static struct sta__frame *frame_window(struct sta__call *call, struct sta__frame *old, const struct sta__view *view,
                                       sta_dtype dtype, const struct sta__shape *shape)
{
    struct sta__frame *frame = frame_new(call, dtype, shape);
    if (!frame)
        return NULL;
    frame->window = true;
    frame->read_only = (old && old->read_only) || sta__view_overlaps_itself(view);
    frame->parent = sta__frame_take(old);
    sta__view_copy(&frame->view, view);
    return frame;
}

/* The frame for all that x shows, in the dtype and shape. User memory is never moved: what does not fit its tiles is a
 * window, whose elements lie so many bytes apart. */
static struct sta__frame *frame_of_all(struct sta__call *call, const struct sta__slot *slot, sta_dtype dtype,
                                       const struct sta__shape *shape, const int64_t *stride)
{
    const struct sta__store *store = slot->store;
    struct sta__frame *old = slot->frame;
    bool whole = is_whole(&slot->view, sta__frame_shape(store, old));
    if (whole && store->value->user && !(old && old->window))
        whole = sta__reshape_shares(store->value, dtype, shape);
    struct sta__frame *frame = whole && !store->value->weak ? frame_like(call, old, dtype, shape)
                                                            : frame_window(call, old, &slot->view, dtype, shape);
    if (frame)
        memcpy(frame->stride, stride, sizeof *stride * (size_t)shape->ndim);
    return frame;
}

/* ---- reshape ---- */

static bool read_shape(struct sta__call *call, const sta_dims *dims, const struct sta__shape *old,
                       struct sta__shape *shape)
{
    char have[STA__SHAPE_TEXT], want[STA__SHAPE_TEXT];
    int64_t size = 0, known = 1, given = 0;
    int open = -1;
    sta__shape_size(old, &size);
    if (dims->count < 0 || dims->count > STA_MAXDIM)
        return sta__fail(call, STA_ERROR_SHAPE, "a shape has 0 to %d axes, not %d", STA_MAXDIM, dims->count) != NULL;
    shape->ndim = dims->count;
    bool fits = true;
    for (int a = 0; a < shape->ndim; a++) {
        shape->at[a] = dims->at[a];
        if (dims->at[a] == -1 && open < 0)
            open = a;
        else if (dims->at[a] < 0)
            fits = false;
        else
            fits &= !__builtin_mul_overflow(known, dims->at[a], &known);
    }
    if (open >= 0 && fits) {
        fits = known > 0 && size % known == 0;
        shape->at[open] = fits ? size / known : -1;
    }
    if (fits && sta__shape_size(shape, &given) && given == size)
        return true;
    sta__fail(call, STA_ERROR_SHAPE, "an array of shape %s cannot be reshaped to %s",
              sta__shape_text(old, have, sizeof have), sta__shape_text(shape, want, sizeof want));
    return false;
}

/* Only axes of length 1 come or go: a view of the same frame. */
static bool reshape_ones(struct sta__view *view, const struct sta__shape *shape)
{
    struct sta__axis_change change[STA_MAXDIM];
    int j = 0;
    for (int i = 0; i < view->shape.ndim; i++) {
        change[i] = (struct sta__axis_change){0, 1, -1};
        if (view->shape.at[i] == 1)
            continue;
        while (j < shape->ndim && shape->at[j] == 1)
            j++;
        if (j == shape->ndim || shape->at[j] != view->shape.at[i])
            return false;
        change[i].axis = j++;
    }
    for (; j < shape->ndim; j++)
        if (shape->at[j] != 1)
            return false;
    sta__view_change(view, change, shape);
    return true;
}

/* A new array. */
static sta_array reshape_copy(struct sta__call *call, sta_array x, const struct sta__shape *shape)
{
    struct sta__operand operand;
    struct sta__value *copy = NULL, *value = NULL;
    if (sta__operand_of(call, x, &operand)) {
        copy = sta__node_cast(call, &operand, operand.value->dtype);
        if (copy)
            copy->grid = sta__reshape_grid(copy->dtype, &copy->shape, copy->dtype, shape);
        if (copy && sta__submit_values(call, &copy, 1))
            value = sta__reshaped(call, copy, copy->dtype, shape);
        sta__value_drop(copy);
        sta__operand_drop(&operand);
    }
    return sta__leave(call, value);
}

static bool is_contiguous(const struct sta__shape *shape, const int64_t *stride, int64_t item)
{
    for (int a = shape->ndim - 1; a >= 0; a--) {
        if (shape->at[a] != 1 && stride[a] != item)
            return false;
        item *= shape->at[a];
    }
    return true;
}

/* flat: as ravel, whose result is contiguous. */
static sta_array reshape(struct sta__call *call, sta_array x, struct sta__operand *operand,
                         const struct sta__shape *shape, bool flat)
{
    struct sta__slot *slot = sta__slot_of(x);
    int64_t stride[STA_MAXDIM], apart[STA_MAXDIM] = {0}, size = 0;
    sta__shape_size(shape, &size);
    if (size == 0) {
        sta__operand_drop(operand);
        struct sta__value *empty = sta__value_now(sta__slot_dtype(slot), shape);
        if (!empty)
            sta__fail_memory(call);
        return sta__leave(call, empty);
    }
    strides_of_view(slot->store, slot->frame, &slot->view, stride);
    bool copies = flat && !is_contiguous(&slot->view.shape, stride, (int64_t)sta_itemsize(sta__slot_dtype(slot)));
    if (!copies && reshape_ones(&operand->view, shape))
        return sta__leave_view(call, operand);
    if (copies || !reshapes_in_place(&slot->view.shape, stride, shape, apart)) {
        sta__operand_drop(operand);
        return reshape_copy(call, x, shape);
    }
    struct sta__frame *frame = frame_of_all(call, slot, sta__slot_dtype(slot), shape, apart);
    operand->view = sta__identity_view(shape);
    return sta__leave_frame(call, operand, frame);
}

sta_array sta_reshape(sta_array x, sta_dims dims)
{
    struct sta__call call = sta__enter("reshape");
    struct sta__operand operand;
    struct sta__shape shape;
    if (!sta__view_of(&call, x, &operand))
        return sta__leave(&call, NULL);
    if (read_shape(&call, &dims, &operand.view.shape, &shape))
        return reshape(&call, x, &operand, &shape, false);
    sta__operand_drop(&operand);
    return sta__leave(&call, NULL);
}

sta_array sta_ravel(sta_array x)
{
    struct sta__call call = sta__enter("ravel");
    struct sta__operand operand;
    struct sta__shape shape = {.ndim = 1};
    if (!sta__view_of(&call, x, &operand))
        return sta__leave(&call, NULL);
    sta__shape_size(&operand.view.shape, &shape.at[0]);
    return reshape(&call, x, &operand, &shape, true);
}

/* ---- parts of complex numbers ---- */

static sta_array part(const char *op, sta_array x, int which)
{
    struct sta__call call = sta__enter(op);
    struct sta__operand operand;
    if (!sta__view_of(&call, x, &operand))
        return sta__leave(&call, NULL);
    struct sta__slot *slot = sta__slot_of(x);
    sta_dtype dtype = sta__slot_dtype(slot);
    struct sta__shape shape = *sta__frame_shape(slot->store, slot->frame);
    if (sta__dtype_kind(dtype) != STA__KIND_COMPLEX)
        return sta__leave_view(&call, &operand);
    if (operand.value->weak) { /* a number is no memory that could be shared */
        operand = which ? STA__UNARY(&call, imag_part, operand) : STA__UNARY(&call, real_part, operand);
        return sta__leave(&call, operand.value);
    }
    if (shape.ndim == STA_MAXDIM) {
        sta__fail(&call, STA_ERROR_SHAPE, "a view of the parts of an array of %d axes would need one more", STA_MAXDIM);
        return sta__leave_frame(&call, &operand, NULL);
    }
    shape.at[shape.ndim++] = 2;
    operand.view.map[operand.view.store_ndim++] = (struct sta__axis_map){which, 0, -1};
    struct sta__frame *frame = frame_like(&call, slot->frame, sta__dtype_real(dtype), &shape);
    if (frame)
        frame->stride[shape.ndim - 1] = (int64_t)sta_itemsize(frame->dtype);
    return sta__leave_frame(&call, &operand, frame);
}

sta_array sta_real(sta_array x)
{
    return part("real", x, 0);
}

sta_array sta_imag(sta_array x)
{
    return sta__dtype_kind(sta_dtype_of(x)) == STA__KIND_COMPLEX ? part("imag", x, 1) : sta__imag_of_real(x);
}

/* ---- other dtypes ---- */

/* The last axis of the result of a view in elements of another size. False: call->error. */
static bool resize_last(struct sta__call *call, const struct sta__slot *slot, int64_t own, int64_t item,
                        struct sta__shape *shape, int64_t *stride)
{
    int64_t *length = &shape->at[shape->ndim - 1], size = 0;
    if (shape->ndim == 0) {
        sta__fail(call, STA_ERROR_SHAPE, "an array without axes has no view in elements of another size");
        return false;
    }
    strides_of_view(slot->store, slot->frame, &slot->view, stride);
    sta__shape_size(shape, &size);
    if (size != 0 && *length != 1 && stride[shape->ndim - 1] != own) { /* without elements nothing is apart */
        sta__fail(call, STA_ERROR_VALUE, "in elements of another size the last axis must be contiguous");
        return false;
    }
    if (item <= 0 || *length * own % item) {
        sta__fail(call, STA_ERROR_VALUE,
                  "the last axis has %" PRId64 " bytes: they are no multiple of an element's %" PRId64, *length * own,
                  item);
        return false;
    }
    *length = *length * own / item;
    stride[shape->ndim - 1] = item;
    return true;
}

static sta_array view_as(struct sta__call *call, sta_array x, struct sta__operand *operand, sta_dtype dtype)
{
    struct sta__slot *slot = sta__slot_of(x);
    int64_t own = (int64_t)sta_itemsize(sta__slot_dtype(slot)), item = (int64_t)sta_itemsize(dtype);
    struct sta__shape shape = slot->view.shape;
    if (own == item && !slot->store->value->weak) {
        shape = *sta__frame_shape(slot->store, slot->frame);
        return sta__leave_frame(call, operand, frame_like(call, slot->frame, dtype, &shape));
    }
    struct sta__frame *frame = NULL;
    int64_t stride[STA_MAXDIM];
    if (resize_last(call, slot, own, item, &shape, stride)) {
        frame = frame_of_all(call, slot, dtype, &shape, stride);
        operand->view = sta__identity_view(&shape);
    }
    return sta__leave_frame(call, operand, frame);
}

sta_array sta_view(sta_array x, sta_dtype dtype)
{
    struct sta__call call = sta__enter("view");
    struct sta__operand operand;
    if (!sta__view_of(&call, x, &operand))
        return sta__leave(&call, NULL);
    if (sta__dtype_valid(dtype))
        return view_as(&call, x, &operand, dtype);
    sta__fail(&call, STA_ERROR_DTYPE, "%d is not a dtype", (int)dtype);
    return sta__leave_frame(&call, &operand, NULL);
}

/* ---- for functions of x made flat ---- */

sta_array sta__flat(sta_array x)
{
    struct sta__call call = sta__enter("flat");
    struct sta__operand operand;
    struct sta__shape shape = {.ndim = 1};
    if (!sta__view_of(&call, x, &operand))
        return sta__leave(&call, NULL);
    struct sta__slot *slot = sta__slot_of(x);
    sta__shape_size(&operand.view.shape, &shape.at[0]);
    int64_t item = (int64_t)sta_itemsize(sta__slot_dtype(slot));
    struct sta__frame *frame = frame_of_all(&call, slot, sta__slot_dtype(slot), &shape, &item);
    operand.view = sta__identity_view(&shape);
    return sta__leave_frame(&call, &operand, frame);
}
