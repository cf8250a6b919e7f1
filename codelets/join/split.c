/* Splitting: views, one array each. */
#include "join/join.h"

#include "composed.h"

#include <starray/join.h>

#include <inttypes.h>

/* ---- one part ---- */

/* The indices from .. to of an axis; with `only` the one index `from`, and the axis goes. */
struct part {
    int axis;
    int64_t from, to;
    bool only;
};

static sta_array part_of(const char *op, sta_array x, const struct part *part)
{
    struct sta__call call = sta__enter(op);
    struct sta__operand operand;
    if (!sta__operand_of(&call, x, &operand))
        return sta__leave(&call, NULL);
    struct sta__shape shape = {.ndim = 0};
    struct sta__axis_change change[STA_MAXDIM];
    for (int a = 0; a < operand.view.shape.ndim; a++) {
        bool here = a == part->axis;
        int64_t start = here && part->from < part->to ? part->from : 0;
        change[a] = (struct sta__axis_change){start, 1, here && part->only ? -1 : shape.ndim};
        if (change[a].axis >= 0)
            shape.at[shape.ndim++] = here ? part->to - part->from : operand.view.shape.at[a];
    }
    sta__view_change(&operand.view, change, &shape);
    return sta__leave_view(&call, &operand);
}

/* ---- all parts ---- */

static void all_fail(sta_array *to, int64_t count, const char *op, const sta_error *error)
{
    for (int64_t i = 0; i < count; i++) {
        struct sta__call call = sta__enter(op);
        call.error = call.error ? call.error : error;
        to[i] = sta__leave(&call, NULL);
    }
}

static void refuse(sta_array *to, int64_t count, const char *op, sta_error_code code, const char *why)
{
    if (sta__no_place(op, to, count))
        return;
    struct sta__call call = sta__enter(op);
    if (!call.error)
        sta__fail(&call, code, "%s", why);
    const sta_error *error = call.error;
    sta__call_end(&call);
    all_fail(to, count, op, error);
}

/* The axis of x and its length. False: all parts are in error. */
static bool axis_of(const char *op, sta_array *to, int64_t parts, sta_array x, int64_t axis, int *along,
                    int64_t *length)
{
    struct sta__call call = sta__enter(op);
    struct sta__operand operand;
    bool fine = sta__join_operand(&call, x, axis, &operand, along);
    if (fine) {
        *length = operand.view.shape.at[*along];
        sta__operand_drop(&operand);
    }
    const sta_error *error = call.error;
    sta__call_end(&call);
    if (!fine)
        all_fail(to, parts, op, error);
    return fine;
}

static void cut(const char *op, sta_array *to, sta_array x, int64_t count, int64_t axis, bool equal)
{
    int along = 0;
    int64_t length = 0;
    if (count < 1 || sta__no_place(op, to, count) || !axis_of(op, to, count, x, axis, &along, &length))
        return;
    if (equal && length % count) {
        refuse(to, count, op, STA_ERROR_SHAPE, "the axis does not split into equal parts");
        return;
    }
    /* the first ones are longer by 1 where it does not come out even */
    int64_t each = length / count, longer = length % count;
    for (int64_t i = 0, at = 0; i < count; i++) {
        int64_t end = at + each + (i < longer);
        to[i] = part_of(op, x, &(struct part){along, at, end, false});
        at = end;
    }
}

/* What sta_move gives up must last for all parts. */
static void sections(const char *op, sta_array *to, sta_array x, int64_t count, int64_t axis, bool equal)
{
    const sta_array held = sta__taken(x);
    cut(op, to, held, count, axis, equal);
    sta_free(held);
}

void sta_split(sta_array *to, sta_array x, int64_t count, int64_t axis)
{
    sections("split", to, x, count, axis, true);
}

void sta_array_split(sta_array *to, sta_array x, int64_t count, int64_t axis)
{
    sections("array_split", to, x, count, axis, false);
}

static int64_t clipped(int64_t index, int64_t length)
{
    index = index < 0 ? index + length : index;
    return index < 0 ? 0 : index > length ? length : index;
}

static void split_at(sta_array *to, sta_array x, const int64_t *at, int count, int64_t axis)
{
    int along = 0;
    int64_t length = 0, parts = (int64_t)count + 1;
    if (sta__no_place("split_at", to, parts) || count < 0 || !axis_of("split_at", to, parts, x, axis, &along, &length))
        return;
    if (count > 0 && !at) {
        refuse(to, parts, "split_at", STA_ERROR_VALUE, "the indices are NULL");
        return;
    }
    for (int i = 0; i <= count; i++) {
        int64_t from = i ? clipped(at[i - 1], length) : 0, end = i < count ? clipped(at[i], length) : length;
        to[i] = part_of("split_at", x, &(struct part){along, from, end < from ? from : end, false});
    }
}

void sta_split_at(sta_array *to, sta_array x, const int64_t *at, int count, int64_t axis)
{
    const sta_array held = sta__taken(x);
    split_at(to, held, at, count, axis);
    sta_free(held);
}

static void unstack(sta_array *to, sta_array x, int64_t axis)
{
    int along = 0;
    int64_t length = 0;
    int64_t parts =
        axis >= -sta_ndim(x) && axis < sta_ndim(x) ? sta_shape(x).at[axis < 0 ? axis + sta_ndim(x) : axis] : 1;
    if (sta__no_place("unstack", to, parts) || !axis_of("unstack", to, parts, x, axis, &along, &length))
        return;
    for (int64_t i = 0; i < length; i++)
        to[i] = part_of("unstack", x, &(struct part){along, i, i + 1, true});
}

void sta_unstack(sta_array *to, sta_array x, int64_t axis)
{
    const sta_array held = sta__taken(x);
    unstack(to, held, axis);
    sta_free(held);
}

/* ---- the axes that NumPy names ---- */

void sta_vsplit(sta_array *to, sta_array x, int64_t count)
{
    if (sta_ndim(x) >= 2 || sta__in_error(x))
        sections("vsplit", to, x, count, 0, true);
    else
        refuse(to, count, "vsplit", STA_ERROR_SHAPE, "an array that splits into rows has two axes at least");
}

void sta_hsplit(sta_array *to, sta_array x, int64_t count)
{
    if (sta_ndim(x) >= 1 || sta__in_error(x))
        sections("hsplit", to, x, count, sta_ndim(x) > 1, true);
    else
        refuse(to, count, "hsplit", STA_ERROR_SHAPE, "an array that splits into columns has an axis at least");
}

void sta_dsplit(sta_array *to, sta_array x, int64_t count)
{
    if (sta_ndim(x) >= 3 || sta__in_error(x))
        sections("dsplit", to, x, count, 2, true);
    else
        refuse(to, count, "dsplit", STA_ERROR_SHAPE, "an array that splits by its third axis has three at least");
}
