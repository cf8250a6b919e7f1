/* Products over any axes, and of blocks: one matrix product, one element-wise product. */
#include "composed.h"

#include "internal.h"
#include "slice.h"

/* ---- tensordot ---- */

/* One operand of tensordot: its summed axes in their order, and the others. */
struct side {
    sta_array x;
    sta_dims summed, kept;
    int64_t lengths[STA_MAXDIM]; /* of the summed axes */
    int64_t inner, outer;        /* elements over the summed, over the kept axes */
};

/* False: *failed is the error. */
static bool look_at(struct side *side, sta_array x, const sta_dims *axes, sta_array *failed)
{
    const sta_dims shape = sta_shape(x);
    unsigned seen = 0;
    *side = (struct side){.x = x, .inner = 1, .outer = 1};
    if (axes->count < 0 || axes->count > shape.count) {
        *failed = sta__failed("tensordot", STA_ERROR_AXIS, "there are not so many axes");
        return false;
    }
    for (int i = 0; i < axes->count; i++) {
        const int64_t axis = sta__axis_in("tensordot", x, axes->at[i], failed);
        if (axis < 0)
            return false;
        if (seen >> axis & 1) {
            *failed = sta__failed("tensordot", STA_ERROR_AXIS, "an axis is given twice");
            return false;
        }
        seen |= 1U << axis;
        side->summed.at[side->summed.count++] = axis;
        side->lengths[i] = shape.at[axis];
        side->inner *= shape.at[axis];
    }
    for (int axis = 0; axis < shape.count; axis++)
        if (!(seen >> axis & 1)) {
            side->kept.at[side->kept.count++] = axis;
            side->outer *= shape.at[axis];
        }
    return true;
}

/* The operand as a matrix: summed axes last, or first. */
static sta_array matrix_of(const struct side *side, bool summed_first)
{
    const sta_dims *first = summed_first ? &side->summed : &side->kept;
    const sta_dims *last = summed_first ? &side->kept : &side->summed;
    sta_dims order = *first;
    for (int i = 0; i < last->count; i++)
        order.at[order.count++] = last->at[i];
    const sta_array turned = sta_transpose(side->x, order);
    return sta_reshape(turned, summed_first ? STA_DIMS(side->inner, side->outer) : STA_DIMS(side->outer, side->inner));
}

static sta_array tensordot(sta_array x, sta_array y, const sta_dims *a, const sta_dims *b)
{
    struct side left, right;
    sta_array failed;
    if (sta__in_error(x) || sta__in_error(y))
        return sta__in_error(x) ? x : y;
    if (!look_at(&left, x, a, &failed) || !look_at(&right, y, b, &failed))
        return failed;
    if (a->count != b->count)
        return sta__failed("tensordot", STA_ERROR_SHAPE, "the lists of axes differ in length");
    for (int i = 0; i < a->count; i++)
        if (left.lengths[i] != right.lengths[i])
            return sta__failed("tensordot", STA_ERROR_SHAPE, "two axes of a pair differ in length");
    if (left.kept.count + right.kept.count > STA_MAXDIM)
        return sta__failed("tensordot", STA_ERROR_SHAPE, "the result would have too many axes");
    sta_dims shape = {0, {0}};
    for (int i = 0; i < left.kept.count; i++)
        shape.at[shape.count++] = sta_shape(x).at[left.kept.at[i]];
    for (int i = 0; i < right.kept.count; i++)
        shape.at[shape.count++] = sta_shape(y).at[right.kept.at[i]];
    return sta_reshape(sta_matmul(matrix_of(&left, false), matrix_of(&right, true)), shape);
}

sta_array sta_tensordot(sta_array x, sta_array y, sta_dims a, sta_dims b)
{
    const sta_scope scope = sta_open();
    return sta__composed(scope, tensordot(sta__taken(x), sta__taken(y), &a, &b));
}

/* ---- kron ---- */

/* The axes of x, each followed (or preceded) by one of length 1, up to `ndim` pairs. */
static sta_array spread(sta_array x, int ndim, bool first)
{
    sta_span spans[2 * STA_MAXDIM];
    const int own = sta_ndim(x);
    int count = 0;
    for (int i = 0; i < ndim; i++) {
        const sta_span axis = i < ndim - own ? STA_SPAN_NEW : STA_SPAN_ALL;
        spans[count++] = first ? axis : STA_SPAN_NEW;
        spans[count++] = first ? STA_SPAN_NEW : axis;
    }
    return count ? sta_index(x, spans, count) : x;
}

static sta_array kron(sta_array x, sta_array y)
{
    if (sta__in_error(x) || sta__in_error(y))
        return sta__in_error(x) ? x : y;
    const sta_dims a = sta_shape(x), b = sta_shape(y);
    sta_dims shape = {a.count > b.count ? a.count : b.count, {0}};
    if (shape.count > STA_MAXDIM / 2)
        return sta__failed("kron", STA_ERROR_SHAPE, "the arrays have too many axes");
    for (int i = 1; i <= shape.count; i++) {
        const int64_t m = i <= a.count ? a.at[a.count - i] : 1, n = i <= b.count ? b.at[b.count - i] : 1;
        if (__builtin_mul_overflow(m, n, &shape.at[shape.count - i]))
            return sta__failed("kron", STA_ERROR_TOO_LARGE, "an axis is longer than 63 bits count");
    }
    return sta_reshape(sta_multiply(spread(x, shape.count, true), spread(y, shape.count, false)), shape);
}

sta_array sta_kron(sta_array x, sta_array y)
{
    const sta_scope scope = sta_open();
    return sta__composed(scope, kron(sta__taken(x), sta__taken(y)));
}
