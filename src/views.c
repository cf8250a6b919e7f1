/* The public functions of shape.h: each changes the view of its operand and leaves with it. */
#include "array.h"
#include "slice.h"

#include <stdio.h>

static sta_array leave(struct sta__call *call, struct sta__operand *operand, sta_error_code error, const char *why)
{
    if (!error)
        return sta__leave_view(call, operand);
    sta__fail(call, error, "%s", why);
    sta__operand_drop(operand);
    return sta__leave(call, NULL);
}

/* A function of x whose body is one operation on `view`, with `why` to say what is wrong. */
#define VIEW_FUNCTION(name, parameters, operation)                                                                     \
    sta_array sta_##name parameters                                                                                    \
    {                                                                                                                  \
        char why[STA__WHY] = "";                                                                                       \
        struct sta__operand operand;                                                                                   \
        struct sta__view *view = &operand.view;                                                                        \
        struct sta__call call = sta__enter(#name);                                                                     \
        if (!sta__view_of(&call, x, &operand))                                                                         \
            return sta__leave(&call, NULL);                                                                            \
        return leave(&call, &operand, operation, why);                                                                 \
    }

static sta_error_code matrix_transpose(struct sta__view *view, char *why)
{
    if (view->shape.ndim >= 2)
        return sta__view_swapaxes(view, -2, -1, why);
    snprintf(why, STA__WHY, "a matrix has two axes: ndim is %d", view->shape.ndim);
    return STA_ERROR_SHAPE;
}

/* NumPy's places for the new axes: in front, but the last of three goes behind. */
static sta_error_code at_least(struct sta__view *view, int ndim, char *why)
{
    static const sta_dims places[4][3] = {
        {{0, {0}}, {0, {0}}, {0, {0}}},
        {{1, {0}}, {0, {0}}, {0, {0}}},
        {{2, {0, 1}}, {1, {0}}, {0, {0}}},
        {{3, {0, 1, 2}}, {2, {0, 2}}, {1, {2}}},
    };
    return view->shape.ndim >= ndim ? STA_ERROR_NONE
                                    : sta__view_expand_dims(view, &places[ndim][view->shape.ndim], why);
}

static sta_error_code flip_one(struct sta__view *view, int64_t axis, char *why)
{
    sta_dims axes = {1, {axis}};
    return sta__view_flip(view, &axes, why);
}

VIEW_FUNCTION(index, (sta_array x, const sta_span *spans, int count), sta__view_index(view, spans, count, why))
VIEW_FUNCTION(transpose, (sta_array x, sta_dims axes), sta__view_transpose(view, &axes, why))
VIEW_FUNCTION(permute_dims, (sta_array x, sta_dims axes), sta__view_transpose(view, &axes, why))
VIEW_FUNCTION(matrix_transpose, (sta_array x), matrix_transpose(view, why))
VIEW_FUNCTION(swapaxes, (sta_array x, int64_t a, int64_t b), sta__view_swapaxes(view, a, b, why))
VIEW_FUNCTION(moveaxis, (sta_array x, sta_dims from, sta_dims to), sta__view_moveaxis(view, &from, &to, why))
VIEW_FUNCTION(squeeze, (sta_array x, sta_dims axes), sta__view_squeeze(view, &axes, why))
VIEW_FUNCTION(expand_dims, (sta_array x, sta_dims axes), sta__view_expand_dims(view, &axes, why))
VIEW_FUNCTION(broadcast_to, (sta_array x, sta_dims shape), sta__view_broadcast_to(view, &shape, why))
VIEW_FUNCTION(atleast_1d, (sta_array x), at_least(view, 1, why))
VIEW_FUNCTION(atleast_2d, (sta_array x), at_least(view, 2, why))
VIEW_FUNCTION(atleast_3d, (sta_array x), at_least(view, 3, why))
VIEW_FUNCTION(diagonal, (sta_array x, int64_t offset, int64_t axis_a, int64_t axis_b),
              sta__view_diagonal(view, offset, axis_a, axis_b, why))
VIEW_FUNCTION(flip, (sta_array x, sta_dims axes), sta__view_flip(view, &axes, why))
VIEW_FUNCTION(fliplr, (sta_array x), flip_one(view, 1, why))
VIEW_FUNCTION(flipud, (sta_array x), flip_one(view, 0, why))
VIEW_FUNCTION(rot90, (sta_array x, int64_t k, int64_t first, int64_t second),
              sta__view_rot90(view, k, first, second, why))

/* Formats the text; then as sta_index. */
static sta_error_code slice(struct sta__view *view, const char *format, va_list arguments, char *why)
{
    char text[1024];
    if (!format) {
        snprintf(why, STA__WHY, "the text of the index is NULL");
        return STA_ERROR_SYNTAX;
    }
    int length = vsnprintf(text, sizeof text, format, arguments);
    if (length < 0 || (size_t)length >= sizeof text) {
        snprintf(why, STA__WHY, "the text of an index has at most %zu characters", sizeof text - 1);
        return STA_ERROR_SYNTAX;
    }
    sta_span spans[STA__MAXSPANS];
    int count;
    sta_error_code error = sta__slice_parse(text, spans, &count, why);
    return error ? error : sta__view_index(view, spans, count, why);
}

sta_array sta_slice(sta_array x, const char *format, ...)
{
    char why[STA__WHY] = "";
    struct sta__operand operand;
    struct sta__call call = sta__enter("slice");
    if (!sta__view_of(&call, x, &operand))
        return sta__leave(&call, NULL);
    va_list arguments;
    va_start(arguments, format);
    sta_error_code error = slice(&operand.view, format, arguments, why);
    va_end(arguments);
    return leave(&call, &operand, error, why);
}

/* ---- several arrays at once ---- */

/* The view of one more array; leaves with the error where there is one. */
static sta_array broadcast_one(sta_array x, const char *op, const sta_dims *shape, sta_error_code error,
                               const char *why)
{
    char own[STA__WHY] = "";
    struct sta__operand operand;
    struct sta__call call = sta__enter(op);
    if (!sta__view_of(&call, x, &operand))
        return sta__leave(&call, NULL);
    if (error)
        return leave(&call, &operand, error, why);
    error = sta__view_broadcast_to(&operand.view, shape, own);
    return leave(&call, &operand, error, own);
}

static sta_array broadcast_none(const char *op, const char *why)
{
    struct sta__call call = sta__enter(op);
    sta__fail(&call, STA_ERROR_VALUE, "%s", why);
    return sta__leave(&call, NULL);
}

void sta_broadcast_arrays(sta_array *to, const sta_array *x, int count)
{
    char why[STA__WHY] = "", a[STA__WHY / 2], b[STA__WHY / 2];
    struct sta__shape common = {.ndim = 0};
    sta_error_code error = STA_ERROR_NONE;
    if (sta__no_place("broadcast_arrays", to, count))
        return;
    for (int i = 0; x && i < count && !error; i++) {
        sta_dims dims = sta_shape(x[i]);
        struct sta__shape shape = {.ndim = dims.count};
        for (int d = 0; d < dims.count; d++)
            shape.at[d] = dims.at[d];
        if (sta__broadcast(&common, &shape))
            continue;
        error = STA_ERROR_SHAPE;
        snprintf(why, sizeof why, "shapes %.80s and %.80s do not broadcast", sta__shape_text(&common, a, sizeof a),
                 sta__shape_text(&shape, b, sizeof b));
    }
    sta_dims shape = {.count = common.ndim};
    for (int d = 0; d < common.ndim; d++)
        shape.at[d] = common.at[d];
    for (int i = 0; i < count; i++)
        to[i] = x ? broadcast_one(x[i], "broadcast_arrays", &shape, error, why)
                  : broadcast_none("broadcast_arrays", "the arrays are NULL");
}
