/* Histograms: edges, counts of each tile, their sum, and what the result is made of it. All of it is tasks: also the
 * range of the data is found by tasks, which the edges wait for, not the caller. */
#include "call.h"
#include "graph.h"
#include "reduce/tree.h"

#include <math.h>
#include <string.h>

static void clear(struct sta__histogram *p)
{
    struct sta__value *all[] = {p->data, p->weights, p->given, p->lo, p->hi, p->edges, p->sums, p->counts};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        sta__value_drop(all[i]);
    sta__operand_drop(&p->x);
}

/* ---- validation ---- */

static bool range_is_good(struct sta__histogram *p)
{
    const double lo = p->options.lo, hi = p->options.hi;
    if (!p->options.has_range)
        return true;
    if (!isfinite(lo) || !isfinite(hi))
        sta__fail(&p->call, STA_ERROR_VALUE, "supplied range of [%g, %g] is not finite", lo, hi);
    else if (lo > hi)
        sta__fail(&p->call, STA_ERROR_VALUE, "the range [%g, %g] has its larger end first", lo, hi);
    return !p->call.error;
}

static bool bins_are_good(struct sta__histogram *p)
{
    if (p->bins < 1 && !p->explicit_edges)
        sta__fail(&p->call, STA_ERROR_VALUE, "bins must be positive, not %lld", (long long)p->bins);
    else if (p->bins > INT32_MAX - 1)
        sta__fail(&p->call, STA_ERROR_VALUE, "%lld bins are more than 2^31 - 2", (long long)p->bins);
    return !p->call.error;
}

static bool not_complex(struct sta__histogram *p, const char *what, sta_dtype dtype)
{
    if (sta__dtype_kind(dtype) != STA__KIND_COMPLEX)
        return true;
    sta__fail(&p->call, STA_ERROR_DTYPE, "%s of dtype %s have no order", what, sta_dtype_name(dtype));
    return false;
}

static bool take_edges(struct sta__histogram *p)
{
    struct sta__operand edges;
    if (!sta__operand_of(&p->call, p->options.edges, &edges))
        return false;
    char text[STA__SHAPE_TEXT];
    if (edges.view.shape.ndim != 1)
        sta__fail(&p->call, STA_ERROR_SHAPE, "edges must have one axis, not the shape %s",
                  sta__shape_text(&edges.view.shape, text, sizeof text));
    else if (not_complex(p, "edges", edges.value->dtype)) {
        struct sta__grid *single = sta__grid_single(&edges.view.shape);
        p->given = single ? sta__prepare(&p->call, &edges, STA_DTYPE_NONE, single) : sta__fail_memory(&p->call);
        p->bins = edges.view.shape.at[0] > 0 ? edges.view.shape.at[0] - 1 : 0;
        sta__grid_drop(single);
    }
    sta__operand_drop(&edges);
    return p->given && bins_are_good(p);
}

/* ---- operands ---- */

/* One end of the range of x: a pending reduction over all axes. */
static struct sta__value *end_of(struct sta__histogram *p, enum sta__reducer reducer)
{
    struct sta__operand x = {.value = sta__value_take(p->x.value)};
    sta__view_copy(&x.view, &p->x.view);
    const sta_dtype dtype = x.value->dtype;
    return sta__node_reduce(&p->call, (int)reducer, 0, &x, sta__reducer_dtype(reducer, dtype), dtype,
                            (1u << x.view.shape.ndim) - 1u);
}

/* The data, computed together with their range. */
static bool take_data(struct sta__histogram *p, int64_t size)
{
    const bool wants_range = !p->explicit_edges && !p->options.has_range && size > 0;
    if (wants_range && size > 1) {
        p->lo = end_of(p, STA__REDUCE_min);
        p->hi = p->lo ? end_of(p, STA__REDUCE_max) : NULL;
        struct sta__value *together[] = {p->x.value, p->lo, p->hi};
        if (!p->hi || !sta__submit_values(&p->call, together, 3))
            return false;
    }
    p->data = sta__prepare(&p->call, &p->x, STA_DTYPE_NONE, NULL);
    if (wants_range && size == 1 && p->data) {
        p->lo = sta__value_take(p->data);
        p->hi = sta__value_take(p->data);
    }
    return p->data != NULL;
}

static bool replace(struct sta__value **value, struct sta__value *by)
{
    sta__value_drop(*value);
    *value = by;
    return by != NULL;
}

/* Weights in the tiles of the data. Where one of both is in host memory as a whole and the other is not, both are
 * taken whole. */
static bool take_weights(struct sta__histogram *p)
{
    struct sta__operand weights;
    if (!sta__operand_of(&p->call, p->options.weights, &weights))
        return false;
    char mine[STA__SHAPE_TEXT], theirs[STA__SHAPE_TEXT];
    bool good = sta__shape_equal(&weights.view.shape, &p->x.view.shape);
    if (!good)
        sta__fail(&p->call, STA_ERROR_SHAPE, "weights of shape %s do not fit x of shape %s",
                  sta__shape_text(&weights.view.shape, mine, sizeof mine),
                  sta__shape_text(&p->x.view.shape, theirs, sizeof theirs));
    struct sta__grid *grid = p->data->state == STA__TILED ? p->data->grid : NULL;
    good = good && replace(&p->weights, sta__prepare(&p->call, &weights, STA_DTYPE_NONE, grid));
    if (good && p->weights->state != p->data->state) {
        struct sta__grid *single = sta__grid_single(&p->x.view.shape);
        good = single && replace(&p->weights, sta__prepare(&p->call, &weights, STA_DTYPE_NONE, single)) &&
               replace(&p->data, sta__prepare(&p->call, &p->x, STA_DTYPE_NONE, single));
        if (!single)
            sta__fail_memory(&p->call);
        sta__grid_drop(single);
    }
    sta__operand_drop(&weights);
    return good;
}

/* ---- results ---- */

static struct sta__value *result(struct sta__histogram *p, sta_dtype dtype, int64_t length)
{
    const struct sta__shape shape = {.ndim = 1, .at = {length}};
    if (p->now || length == 0) {
        struct sta__value *value = sta__value_now(dtype, &shape);
        return value ? value : sta__fail_memory(&p->call);
    }
    struct sta__grid *single = sta__grid_single(&shape);
    struct sta__value *value = single ? sta__value_tiled(dtype, single) : NULL;
    sta__grid_drop(single);
    if (value)
        value->depth = p->data->depth + 2;
    return value ? value : sta__fail_memory(&p->call);
}

static sta_dtype edges_dtype(const struct sta__histogram *p)
{
    if (p->explicit_edges)
        return p->given->dtype;
    return sta__dtype_kind(p->x.value->dtype) == STA__KIND_FLOATING ? p->x.value->dtype : STA_float64;
}

static sta_dtype sums_dtype(const struct sta__histogram *p)
{
    if (!p->weighted || sta__dtype_kind(p->weights->dtype) < STA__KIND_FLOATING)
        return STA_int64;
    return sta__dtype_kind(p->weights->dtype) == STA__KIND_COMPLEX ? STA_complex128 : STA_float64;
}

static sta_dtype counts_dtype(const struct sta__histogram *p)
{
    if (p->options.density)
        return sums_dtype(p) == STA_complex128 ? STA_complex128 : STA_float64;
    return p->weighted ? p->weights->dtype : STA_int64;
}

static bool make_results(struct sta__histogram *p)
{
    struct sta__value *inputs[] = {p->data, p->weights, p->given, p->lo, p->hi}, *used[5];
    int count = 0;
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
        if (inputs[i])
            used[count++] = inputs[i];
    p->now = sta__runs_now((2 * p->bins + 1) * (int64_t)sizeof(double), used, count);
    p->edges = result(p, edges_dtype(p), p->explicit_edges ? p->given->size : p->bins + 1);
    p->sums = result(p, sums_dtype(p), p->bins);
    if (p->sums && counts_dtype(p) == p->sums->dtype && !p->options.density)
        p->counts = sta__value_take(p->sums);
    else
        p->counts = result(p, counts_dtype(p), p->bins);
    return p->edges && p->sums && p->counts;
}

static bool histogram(struct sta__histogram *p, sta_array x)
{
    int64_t size;
    if (!sta__operand_of(&p->call, x, &p->x) || !not_complex(p, "elements", p->x.value->dtype) || !range_is_good(p) ||
        !(p->explicit_edges ? take_edges(p) : bins_are_good(p)))
        return false;
    sta__shape_size(&p->x.view.shape, &size);
    return take_data(p, size) && (!p->weighted || take_weights(p)) && make_results(p) && sta__histogram_submit(p);
}

sta_histogram_result sta_histogram(sta_array x, int64_t bins, const sta_histogram_options *options)
{
    struct sta__histogram p = {.bins = bins};
    if (options)
        memcpy(&p.options, options, options->size < sizeof p.options ? options->size : sizeof p.options);
    p.explicit_edges = p.options.edges.id != 0;
    p.weighted = p.options.weights.id != 0;
    p.call = sta__enter("histogram");
    struct sta__value *counts = NULL, *edges = NULL;
    if (histogram(&p, x)) {
        counts = sta__value_take(p.counts);
        edges = sta__value_take(p.edges);
    }
    clear(&p);
    struct sta__call first = p.call; /* the second array unlocks */
    first.locked = false;
    sta_histogram_result both;
    both.edges = sta__leave(&first, edges);
    both.counts = sta__leave(&p.call, counts);
    return both;
}
