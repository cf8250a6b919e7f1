/* Along one axis, and of x made flat: take, put and their like. What others are made of is called as a program would. */
#include "codelets/index/front.h"

#include "composed.h"
#include "slice.h"

#include <starray/create.h>
#include <starray/scope.h>
#include <starray/ufunc.h>

#include <inttypes.h>

struct sta__operand sta__by_mode(struct sta__call *call, struct sta__operand ids, int64_t length, sta_index_mode mode)
{
    if (!ids.value || mode == STA_MODE_RAISE || (ids.value->size == 0 && (unsigned)mode <= STA_MODE_CLIP))
        return ids;
    if ((unsigned)mode > STA_MODE_CLIP || length == 0) {
        if (length)
            sta__fail(call, STA_ERROR_VALUE, "%d is no sta_index_mode", (int)mode);
        else
            sta__fail(call, STA_ERROR_INDEX, "an axis of length 0 has no index");
        sta__operand_drop(&ids);
        return sta__whole(NULL);
    }
    ids = sta__cast(call, ids, STA_int64);
    if (mode == STA_MODE_WRAP)
        return STA__BINARY(call, remainder, ids, sta__whole_number(call, length));
    return STA__TERNARY(call, clip, ids, sta__whole_number(call, 0), sta__whole_number(call, length - 1));
}

static bool are_indices(struct sta__call *call, const struct sta__operand *ids)
{
    enum sta__kind kind = sta__dtype_kind(ids->value->dtype);
    if (kind == STA__KIND_SIGNED || kind == STA__KIND_UNSIGNED)
        return true;
    return sta__fail(call, STA_ERROR_DTYPE, "indices are integers, not %s", sta_dtype_name(ids->value->dtype)) != NULL;
}

static bool axis_of(struct sta__call *call, int64_t axis, int ndim, int *to)
{
    char why[STA__WHY] = "";
    sta_error_code error = sta__axis(axis, ndim, to, why);
    if (error)
        sta__fail(call, error, "%s", why);
    return !error;
}

/* Frees a temporary; returns the result. */
static sta_array without(sta_array result, sta_array temporary)
{
    sta_free(temporary);
    return result;
}

/* ---- reading ---- */

typedef bool selector(struct sta__call *call, const struct sta__view *view, struct sta__operand *ids, int axis,
                      struct sta__selection *to);

static sta_array read_along(const char *op, sta_array array, sta_array indices, int64_t axis, sta_index_mode mode,
                            selector *select)
{
    struct sta__call call = sta__enter(op);
    struct sta__selection s = {.arrays = 0};
    struct sta__operand x, ids;
    int at = 0;
    if (!sta__operand_of(&call, array, &x))
        return sta__leave(&call, NULL);
    bool fine = sta__operand_of(&call, indices, &ids);
    if (fine && are_indices(&call, &ids) && axis_of(&call, axis, x.view.shape.ndim, &at))
        ids = sta__by_mode(&call, ids, x.view.shape.at[at], mode);
    if (fine && !call.error)
        fine = select(&call, &x.view, &ids, at, &s);
    sta__operand_drop(&ids);
    return sta__read_selected(&call, &x, &s, fine && !call.error);
}

sta_array sta_take(sta_array x, sta_array ids, int64_t axis, sta_index_mode mode)
{
    if (axis != STA_FLAT)
        return read_along("take", x, ids, axis, mode, sta__select_axis);
    sta_array flat = sta_ravel(x);
    return without(read_along("take", flat, ids, 0, mode, sta__select_axis), flat);
}

sta_array sta_take_along_axis(sta_array x, sta_array ids, int64_t axis)
{
    if (axis != STA_FLAT)
        return read_along("take_along_axis", x, ids, axis, STA_MODE_RAISE, sta__select_along);
    sta_array flat = sta_ravel(x), line = sta_ravel(ids);
    sta_array result = read_along("take_along_axis", flat, line, 0, STA_MODE_RAISE, sta__select_along);
    return without(without(result, flat), line);
}

sta_array sta_compress(sta_array x, sta_array condition, int64_t axis)
{
    if (sta_ndim(condition) != 1 && !sta__in_error(condition)) {
        struct sta__call call = sta__enter("compress");
        sta__fail(&call, STA_ERROR_SHAPE, "the condition must have one axis");
        return sta__leave(&call, NULL);
    }
    sta_array flat = axis == STA_FLAT ? sta_ravel(x) : x, result;
    if ((axis == STA_FLAT || axis == 0) && sta_ndim(flat) > 0 && sta_size(condition) == sta_shape(flat).at[0]) {
        sta_array truth = sta_astype(condition, STA_bool);
        result = without(sta_at(flat, STA_INDEX(STA_SPAN_BY(truth))), truth);
    } else {
        sta_array ids = sta_flatnonzero(condition);
        result = without(sta_take(flat, ids, axis == STA_FLAT ? 0 : axis, STA_MODE_RAISE), ids);
    }
    return axis == STA_FLAT ? without(result, flat) : result;
}

sta_array sta_extract(sta_array x, sta_array condition)
{
    sta_array flat = sta_ravel(x), line = sta_ravel(condition), truth = sta_astype(line, STA_bool);
    int64_t have = sta_size(line), want = sta_size(flat);
    sta_array result;
    if (have == want || sta__in_error(flat) || sta__in_error(line)) {
        result = sta_at(flat, STA_INDEX(STA_SPAN_BY(truth)));
    } else {
        struct sta__call call = sta__enter("extract");
        sta__fail(&call, STA_ERROR_SHAPE, "a condition of %" PRId64 " elements does not fit %" PRId64, have, want);
        result = sta__leave(&call, NULL);
    }
    return without(without(without(result, flat), line), truth);
}

/* ---- writing ---- */

static sta_array write_along(const char *op, sta_array array, sta_array indices, sta_array from, int64_t axis,
                             sta_index_mode mode, selector *select)
{
    struct sta__call call = sta__enter(op);
    struct sta__selection s = {.arrays = 0};
    struct sta__operand ids = {.value = NULL}, source = {.value = NULL};
    struct sta__target target;
    int at = 0;
    sta__operand_of(&call, indices, &ids);
    sta__operand_of(&call, from, &source);
    bool fine = sta__target_open(&call, array, &target);
    if (fine && are_indices(&call, &ids) && axis_of(&call, axis, target.view.shape.ndim, &at))
        ids = sta__by_mode(&call, ids, target.view.shape.at[at], mode);
    if (fine && !call.error && select(&call, &target.view, &ids, at, &s) && sta__select_source(&call, &s, &source))
        sta__write_selected(&call, &target, &s, &source, STA__NO_OP);
    target.refused |= call.error && call.error->code == STA_ERROR_INDEX;
    sta__operand_drop(&ids);
    sta__operand_drop(&source);
    sta__select_end(&s);
    sta__target_close(&call, &target);
    sta__call_end(&call);
    return array;
}

sta_array sta_put_along_axis(sta_array x, sta_array ids, sta_array values, int64_t axis)
{
    if (axis != STA_FLAT)
        return write_along("put_along_axis", x, ids, values, axis, STA_MODE_RAISE, sta__select_along);
    sta_array flat = sta__flat(x), line = sta_ravel(ids);
    write_along("put_along_axis", flat, line, values, 0, STA_MODE_RAISE, sta__select_along);
    sta__pass_error(x, flat);
    return without(without(x, flat), line);
}

/* `count` values: those given, again and again; of none nothing. */
static sta_array repeated(sta_array values, int64_t count)
{
    sta_array flat = sta_ravel(values), result;
    if (sta_size(flat) == count || sta_size(flat) == 0)
        return flat;
    if (sta_size(flat) > count) {
        result = sta_slice(flat, ":%" PRId64, count);
    } else {
        sta_array ids = sta_arange_int(0, count, 1, STA_int64);
        result = without(sta_take(flat, ids, 0, STA_MODE_WRAP), ids);
    }
    return without(result, flat);
}

/* Whether values are wanted and there are none. */
static bool lacks_values(sta_array source, int64_t count)
{
    return count > 0 && sta_size(source) == 0 && !sta__in_error(source);
}

sta_array sta_put(sta_array x, sta_array ids, sta_array values, sta_index_mode mode)
{
    sta_array flat = sta__flat(x), line = sta_ravel(ids);
    sta_array source = repeated(values, sta_size(line));
    if (sta_size(flat) == 0 || !lacks_values(source, sta_size(line)))
        write_along("put", flat, line, source, 0, mode, sta__select_axis);
    sta__pass_error(x, flat);
    return without(without(without(x, flat), line), source);
}

/* The handle x is in error; what it names stays as it is. */
static void refuse(const char *op, sta_array x, sta_error_code code, const char *why)
{
    struct sta__call call = sta__enter(op);
    struct sta__target target;
    if (sta__target_open(&call, x, &target)) {
        target.refused = true;
        sta__fail(&call, code, "%s", why);
    }
    sta__target_close(&call, &target);
    sta__call_end(&call);
}

/* Whether the mask has the shape of x; else x is in error. */
static bool same_shape(const char *op, sta_array x, sta_array mask)
{
    sta_dims a = sta_shape(x), b = sta_shape(mask);
    bool same = a.count == b.count || sta__in_error(x) || sta__in_error(mask);
    for (int i = 0; same && i < a.count && i < b.count; i++)
        same = a.at[i] == b.at[i];
    if (!same)
        refuse(op, x, STA_ERROR_SHAPE, "the mask has another shape than the array");
    return same;
}

sta_array sta_putmask(sta_array x, sta_array mask, sta_array values)
{
    if (!same_shape("putmask", x, mask))
        return x;
    const bool one = sta_size(values) == 1; /* before sta_move gives them up */
    sta_array line = repeated(values, one ? 1 : sta_size(x));
    if (lacks_values(line, sta_size(x)))
        return without(x, line);
    sta_array shaped = sta_reshape(line, one ? STA_SCALAR : sta_shape(x));
    sta_array truth = sta_astype(mask, STA_bool), cast = sta_astype(shaped, sta_dtype_of(x));
    sta_array chosen = sta_where(truth, sta__in_error(x) ? shaped : cast, x);
    sta_assign(x, chosen);
    return without(without(without(without(without(x, line), shaped), truth), cast), chosen);
}

sta_array sta_place(sta_array x, sta_array mask, sta_array values)
{
    if (!same_shape("place", x, mask))
        return x;
    sta_array ids = sta_flatnonzero(mask), flat = sta__flat(x), source = repeated(values, sta_size(ids));
    if (lacks_values(source, sta_size(ids)))
        refuse("place", x, STA_ERROR_VALUE, "there are no values for what is true");
    else
        write_along("place", flat, ids, source, 0, STA_MODE_RAISE, sta__select_axis);
    sta__pass_error(x, flat);
    return without(without(without(x, ids), flat), source);
}
