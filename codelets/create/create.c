/* Making arrays: constants are programs that read one broadcast element; ranges are tasks of their own. */
#include "codelets/create/create.h"

#include "graph.h"

#include <starray/create.h>

#include <math.h>
#include <string.h>

/* ---- weak scalars ---- */

static sta_array weak(const char *op, sta_dtype dtype, const void *element)
{
    struct sta__call call = sta__enter(op);
    struct sta__shape scalar = {.ndim = 0};
    struct sta__value *value = call.error ? NULL : sta__value_now(dtype, &scalar);
    if (value) {
        memcpy(value->data, element, sta_itemsize(dtype));
        value->weak = true;
    } else {
        sta__fail_memory(&call);
    }
    return sta__leave(&call, value);
}

sta_array sta_int(int64_t value)
{
    return weak("int", STA_int64, &value);
}

sta_array sta_float(double value)
{
    return weak("float", STA_float64, &value);
}

sta_array sta_complex(double re, double im)
{
    sta_complex128 value = {re, im};
    return weak("complex", STA_complex128, &value);
}

sta_array sta_bool(int value)
{
    uint8_t truth = value != 0;
    return weak("bool", STA_bool, &truth);
}

/* ---- constants ---- */

bool sta__check_shape(struct sta__call *call, const sta_dims *dims, struct sta__shape *shape)
{
    int64_t size;
    char text[STA__SHAPE_TEXT];
    if (call->error)
        return false;
    if (dims->count < 0 || dims->count > STA_MAXDIM) {
        sta__fail(call, STA_ERROR_SHAPE, "a shape has 0 to %d axes, not %d", STA_MAXDIM, dims->count);
        return false;
    }
    shape->ndim = dims->count;
    memcpy(shape->at, dims->at, sizeof shape->at);
    for (int a = 0; a < shape->ndim; a++)
        if (shape->at[a] < 0) {
            sta__fail(call, STA_ERROR_SHAPE, "axis %d has a negative length: %s", a,
                      sta__shape_text(shape, text, sizeof text));
            return false;
        }
    if (sta__shape_size(shape, &size))
        return true;
    sta__fail(call, STA_ERROR_TOO_LARGE, "shape %s has more than 2^59 elements",
              sta__shape_text(shape, text, sizeof text));
    return false;
}

bool sta__check_dtype(struct sta__call *call, sta_dtype dtype)
{
    if (call->error)
        return false;
    if (sta__dtype_valid(dtype))
        return true;
    sta__fail(call, STA_ERROR_DTYPE, "%d is not a dtype", (int)dtype);
    return false;
}

/* The shape filled with the operand's one element. Takes the operand's reference over. */
static struct sta__value *fill(struct sta__call *call, const struct sta__shape *shape, struct sta__operand *element,
                               sta_dtype dtype)
{
    sta__view_broadcast(&element->view, shape);
    struct sta__value *value = sta__node_cast(call, element, dtype);
    if (value && !sta__submit_when_now(call, value)) {
        sta__value_drop(value);
        return NULL;
    }
    return value;
}

struct sta__value *sta__make(struct sta__call *call, const struct sta__shape *shape, sta_dtype dtype,
                             const struct sta__kernel *kernel, const void *arguments, size_t bytes)
{
    int64_t size = 0;
    sta__shape_size(shape, &size);
    int64_t room = size * (int64_t)sta_itemsize(dtype);
    bool now = size == 0 || sta__runs_now(room, NULL, 0);
    if (!now && room > sta__runtime.memory_bytes)
        return sta__fail(call, STA_ERROR_MEMORY, "an array of %.1f GB does not fit: the machine has %.1f GB",
                         (double)room / 1e9, (double)sta__runtime.memory_bytes / 1e9);
    struct sta__grid *grid = now ? sta__grid_single(shape) : sta__grid_default(shape, dtype);
    struct sta__value *value = !grid ? NULL : now ? sta__value_now(dtype, shape) : sta__value_tiled(dtype, grid);
    struct sta__batch *batch = value ? sta__batch_open(call, kernel, dtype, now) : NULL;
    for (int64_t t = 0; batch && size && t < grid->tiles; t++) {
        struct sta__task *task = sta__batch_task(batch, arguments, bytes);
        struct sta__box box = sta__grid_box(grid, t);
        if (task)
            memcpy(sta__task_arguments(task), &box, sizeof box);
        sta__task_writes(task, value, t);
    }
    sta__grid_drop(grid);
    if (batch && sta__batch_submit(batch))
        return value;
    sta__value_drop(value);
    return sta__fail_memory(call);
}

struct sta__value *sta__fill(struct sta__call *call, const struct sta__shape *shape, sta_dtype dtype, int64_t number)
{
    struct sta__shape scalar = {.ndim = 0};
    struct sta__operand element = {.value = sta__value_now(STA_int64, &scalar)};
    if (!element.value)
        return sta__fail_memory(call);
    memcpy(element.value->data, &number, sizeof number);
    element.view = sta__identity_view(&scalar);
    return fill(call, shape, &element, dtype);
}

static sta_array filled(const char *op, const sta_dims *dims, sta_dtype dtype, int64_t number)
{
    struct sta__call call = sta__enter(op);
    struct sta__shape shape;
    if (dtype == STA_DTYPE_NONE)
        dtype = STA_float64;
    bool fine = sta__check_shape(&call, dims, &shape) && sta__check_dtype(&call, dtype);
    return sta__leave(&call, fine ? sta__fill(&call, &shape, dtype, number) : NULL);
}

sta_array sta_zeros(sta_dims shape, sta_dtype dtype)
{
    return filled("zeros", &shape, dtype, 0);
}

sta_array sta_ones(sta_dims shape, sta_dtype dtype)
{
    return filled("ones", &shape, dtype, 1);
}

sta_array sta_empty(sta_dims shape, sta_dtype dtype)
{
    return filled("empty", &shape, dtype, 0);
}

static struct sta__value *full(struct sta__call *call, const struct sta__shape *shape, sta_array value, sta_dtype dtype)
{
    struct sta__operand element;
    if (!sta__operand_of(call, value, &element))
        return NULL;
    const struct sta__value *v = element.value;
    struct sta__shape one = element.view.shape;
    if (dtype == STA_DTYPE_NONE)
        dtype = v->dtype;
    char a[STA__SHAPE_TEXT], b[STA__SHAPE_TEXT];
    if (!sta__check_dtype(call, dtype))
        ;
    else if (v->weak && v->dtype == STA_int64 && !sta__dtype_holds(dtype, *(const int64_t *)v->data))
        sta__fail(call, STA_ERROR_VALUE, "the integer %lld does not fit %s", (long long)*(const int64_t *)v->data,
                  sta_dtype_name(dtype));
    else if (!sta__broadcast(&one, shape) || !sta__shape_equal(&one, shape))
        sta__fail(call, STA_ERROR_SHAPE, "a value of shape %s does not broadcast to %s",
                  sta__shape_text(&element.view.shape, a, sizeof a), sta__shape_text(shape, b, sizeof b));
    if (!call->error)
        return fill(call, shape, &element, dtype);
    sta__operand_drop(&element);
    return NULL;
}

sta_array sta_full(sta_dims shape, sta_array value, sta_dtype dtype)
{
    struct sta__call call = sta__enter("full");
    struct sta__shape whole;
    return sta__leave(&call, sta__check_shape(&call, &shape, &whole) ? full(&call, &whole, value, dtype) : NULL);
}

static sta_array filled_like(const char *op, sta_array x, sta_dtype dtype, int64_t number)
{
    struct sta__call call = sta__enter(op);
    struct sta__operand like;
    struct sta__value *value = NULL;
    if (sta__operand_of(&call, x, &like)) {
        if (dtype == STA_DTYPE_NONE)
            dtype = like.value->dtype;
        if (sta__check_dtype(&call, dtype))
            value = sta__fill(&call, &like.view.shape, dtype, number);
        sta__operand_drop(&like);
    }
    return sta__leave(&call, value);
}

sta_array sta_zeros_like(sta_array x, sta_dtype dtype)
{
    return filled_like("zeros_like", x, dtype, 0);
}

sta_array sta_ones_like(sta_array x, sta_dtype dtype)
{
    return filled_like("ones_like", x, dtype, 1);
}

sta_array sta_empty_like(sta_array x, sta_dtype dtype)
{
    return filled_like("empty_like", x, dtype, 0);
}

sta_array sta_full_like(sta_array x, sta_array value, sta_dtype dtype)
{
    struct sta__call call = sta__enter("full_like");
    struct sta__operand like;
    struct sta__value *result = NULL;
    if (sta__operand_of(&call, x, &like)) {
        result = full(&call, &like.view.shape, value, dtype ? dtype : like.value->dtype);
        sta__operand_drop(&like);
    }
    return sta__leave(&call, result);
}

/* ---- copies and casts ---- */

static struct sta__value *cast(struct sta__call *call, struct sta__operand *x, sta_dtype dtype)
{
    struct sta__value *same = x->value;
    if (same->dtype == dtype && !same->user && !same->weak && !same->read_only &&
        sta__view_is_identity(&x->view, &same->shape)) {
        x->value = NULL; /* values never change: a copy shares them until it is written */
        return same;
    }
    struct sta__value *value = sta__node_cast(call, x, dtype);
    if (value && !sta__submit_when_now(call, value)) {
        sta__value_drop(value);
        return NULL;
    }
    return value;
}

static sta_array cast_array(const char *op, sta_array x, sta_dtype dtype)
{
    struct sta__call call = sta__enter(op);
    struct sta__operand operand;
    struct sta__value *value = NULL;
    if (sta__operand_of(&call, x, &operand)) {
        if (dtype == STA_DTYPE_NONE)
            dtype = operand.value->dtype;
        if (sta__check_dtype(&call, dtype))
            value = cast(&call, &operand, dtype);
        sta__operand_drop(&operand);
    }
    return sta__leave(&call, value);
}

sta_array sta_copy(sta_array x)
{
    return cast_array("copy", x, STA_DTYPE_NONE);
}

sta_array sta_astype(sta_array x, sta_dtype dtype)
{
    struct sta__call call = sta__enter("astype");
    if (!sta__check_dtype(&call, dtype))
        return sta__leave(&call, NULL);
    sta__unlock();
    return cast_array("astype", x, dtype);
}

sta_array sta_asarray(sta_array x, sta_dtype dtype)
{
    struct sta__call call = sta__enter("asarray");
    struct sta__operand operand;
    if (!sta__operand_of(&call, x, &operand))
        return sta__leave(&call, NULL);
    if (dtype == STA_DTYPE_NONE || dtype == operand.value->dtype)
        return sta__leave_view(&call, &operand);
    struct sta__value *value = sta__check_dtype(&call, dtype) ? cast(&call, &operand, dtype) : NULL;
    sta__operand_drop(&operand);
    return sta__leave(&call, value);
}
