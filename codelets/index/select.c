/* From the items of an index to a selection: NumPy's rules for slices, integers, newaxis and arrays side by side. Contract:
 * index.h. */
#include "codelets/index/index.h"

#include "array.h"
#include "elementwise/front.h"
#include "frame.h"
#include "slice.h"

#include <inttypes.h>

/* ---- the items ---- */

/* The index as it is taken apart: spans with ":" for each axis that an array takes. */
struct items {
    struct sta__call *call;
    const struct sta__view *view;
    struct sta__selection *to;
    sta_span span[STA__MAXSPANS];
    int by[STA__MAXSPANS]; /* the array that takes the axis of a span, -1: none */
    int count;
    int axis;   /* of x that comes next */
    int place;  /* axes of the result so far that no array makes */
    int begins; /* where the axes of the arrays go: -1 none yet */
    bool ended, apart;
};

/* The axes of the arrays go where the first of them stands; in front, if something stands between them. */
static void note(struct items *in, bool advanced)
{
    if (!advanced) {
        in->ended = in->begins >= 0;
        return;
    }
    in->apart |= in->ended;
    if (in->begins < 0)
        in->begins = in->place;
}

static bool add_span(struct items *in, const sta_span *span, int by)
{
    if (in->count == STA__MAXSPANS)
        return sta__fail(in->call, STA_ERROR_INDEX, "too many indices: an array has at most %d axes", STA_MAXDIM) !=
               NULL;
    in->by[in->count] = by;
    in->span[in->count++] = *span;
    return true;
}

/* Takes the operand over. */
static bool add_array(struct items *in, struct sta__operand *operand)
{
    struct sta__selection *to = in->to;
    if (in->axis >= in->view->shape.ndim || to->arrays == STA__MAXARRAYS) {
        if (to->arrays == STA__MAXARRAYS)
            sta__fail(in->call, STA_ERROR_INDEX, "an index can have at most %d arrays", STA__MAXARRAYS);
        else
            sta__fail(in->call, STA_ERROR_INDEX, "too many indices: ndim is %d", in->view->shape.ndim);
        sta__operand_drop(operand);
        return false;
    }
    to->length[to->arrays] = in->view->shape.at[in->axis];
    to->axis[to->arrays] = in->axis++;
    to->array[to->arrays] = *operand;
    const sta_span all = STA_SPAN_ALL;
    return add_span(in, &all, to->arrays++);
}

/* A new axis that an index array of zeros takes: with one of them it is everything, with none nothing. */
static bool add_zeros(struct items *in, const struct sta__shape *shape)
{
    struct sta__selection *to = in->to;
    const sta_span fresh = STA_SPAN_NEW;
    struct sta__value *zeros = sta__value_now(STA_int64, shape);
    if (!zeros)
        return sta__fail_memory(in->call) != NULL;
    if (to->arrays == STA__MAXARRAYS) {
        sta__value_drop(zeros);
        return sta__fail(in->call, STA_ERROR_INDEX, "an index can have at most %d arrays", STA__MAXARRAYS) != NULL;
    }
    to->array[to->arrays] = (struct sta__operand){.value = zeros, .view = sta__identity_view(shape)};
    to->length[to->arrays] = 1;
    to->axis[to->arrays] = 0;
    return add_span(in, &fresh, to->arrays++);
}

/* A truth value takes no axis: it makes one of length 1 or 0, which goes with the index arrays. Waits. Takes the mask over. */
static bool add_truth(struct items *in, struct sta__operand *mask)
{
    const struct sta__box point = {.ndim = 0};
    uint8_t truth = 0;
    const bool fine = sta__read_operand(in->call, mask, &point, &truth);
    sta__operand_drop(mask);
    const struct sta__shape line = {.ndim = 1, .at = {truth ? 1 : 0}};
    return fine && add_zeros(in, &line);
}

/* A mask takes as many axes as it has: an index array for each. As in NumPy an axis of length 0 fits any: it selects nothing. */
static bool add_mask(struct items *in, struct sta__operand *mask)
{
    const struct sta__shape *shape = &mask->view.shape, *own = &in->view->shape;
    if (shape->ndim == 0)
        return add_truth(in, mask);
    bool fits = in->axis + shape->ndim <= own->ndim;
    for (int a = 0; a < shape->ndim && fits; a++)
        fits = shape->at[a] == 0 || shape->at[a] == own->at[in->axis + a];
    char have[STA__SHAPE_TEXT], want[STA__SHAPE_TEXT];
    struct sta__value *ids[STA_MAXDIM] = {NULL};
    if (!fits)
        sta__fail(in->call, STA_ERROR_INDEX, "a mask of shape %s does not fit axis %d and on of shape %s",
                  sta__shape_text(shape, have, sizeof have), in->axis, sta__shape_text(own, want, sizeof want));
    bool fine = fits && sta__mask_indices(in->call, mask, ids);
    for (int a = 0; a < shape->ndim; a++) {
        struct sta__operand operand = {.value = ids[a]};
        if (ids[a])
            operand.view = sta__identity_view(&ids[a]->shape);
        if (fine)
            fine = add_array(in, &operand);
        else
            sta__value_drop(ids[a]);
    }
    sta__operand_drop(mask);
    return fine;
}

static bool add_item(struct items *in, const sta_span *item, int rest)
{
    struct sta__operand operand;
    if (item->kind != STA_SPAN_ARRAY) {
        note(in, item->kind == STA_SPAN_INTEGER);
        in->axis += item->kind == STA_SPAN_ELLIPSIS ? rest : item->kind != STA_SPAN_NEWAXIS;
        in->place += item->kind == STA_SPAN_ELLIPSIS ? rest : item->kind != STA_SPAN_INTEGER;
        return add_span(in, item, -1);
    }
    note(in, true);
    if (!sta__operand_of(in->call, item->by, &operand))
        return false;
    enum sta__kind kind = sta__dtype_kind(operand.value->dtype);
    if (kind == STA__KIND_BOOL)
        return add_mask(in, &operand);
    if (kind <= STA__KIND_UNSIGNED)
        return add_array(in, &operand);
    sta__fail(in->call, STA_ERROR_DTYPE, "an index array has integers or bools, not %s",
              sta_dtype_name(operand.value->dtype));
    sta__operand_drop(&operand);
    return false;
}

/* A mask takes as many as it has. */
static int axes_taken(sta_array by)
{
    const struct sta__slot *slot = sta__slot_of(by);
    return slot && slot->store && sta__slot_dtype(slot) == STA_bool ? slot->view.shape.ndim : 1;
}

/* The axes that fall to "...": what the items do not name. Negative: too many are named. */
static int axes_between(struct sta__call *call, const struct sta__view *view, sta_items items)
{
    int named = 0;
    if (!items.at && items.count > 0)
        sta__fail(call, STA_ERROR_VALUE, "the items of the index are NULL");
    for (int i = 0; i < items.count && !call->error; i++) {
        const sta_span *item = &items.at[i];
        if ((unsigned)item->kind > STA_SPAN_ARRAY)
            sta__fail(call, STA_ERROR_VALUE, "item %d of the index is none of the kinds of sta_span_kind", i);
        else
            named += item->kind == STA_SPAN_ARRAY ? axes_taken(item->by)
                                                  : item->kind != STA_SPAN_NEWAXIS && item->kind != STA_SPAN_ELLIPSIS;
    }
    return view->shape.ndim - named;
}

/* ---- the selection ---- */

/* Where the arrays together select nothing, nobody will look at their indices; as in NumPy an array without axes is a number
 * nevertheless, which must be in range. */
static bool check_number(struct sta__call *call, const struct sta__selection *s, int j)
{
    int64_t length = s->length[j], got = 0;
    struct sta__box point = {.ndim = 0};
    if (s->array[j].view.shape.ndim > 0)
        return true;
    struct sta__operand number = sta__cast(call, sta__again(&s->array[j]), STA_int64);
    bool fine = number.value && sta__read_operand(call, &number, &point, &got);
    sta__operand_drop(&number);
    if (!fine || (got >= -length && got < length))
        return fine;
    return sta__fail(call, STA_ERROR_INDEX, "index %" PRId64 " is out of range for axis %d of length %" PRId64, got,
                     s->axis[j], length) != NULL;
}

static bool broadcast_arrays(struct sta__call *call, struct sta__selection *to)
{
    char a[STA__SHAPE_TEXT], b[STA__SHAPE_TEXT];
    int64_t size;
    to->lead.ndim = 0;
    for (int j = 0; j < to->arrays; j++) {
        const struct sta__shape *shape = &to->array[j].view.shape;
        if (!sta__broadcast(&to->lead, shape))
            return sta__fail(call, STA_ERROR_SHAPE, "index arrays of shapes %s and %s do not broadcast",
                             sta__shape_text(&to->lead, a, sizeof a), sta__shape_text(shape, b, sizeof b)) != NULL;
    }
    bool nothing = sta__shape_size(&to->lead, &size) && size == 0;
    for (int j = 0; nothing && j < to->arrays; j++)
        if (!check_number(call, to, j))
            return false;
    for (int j = 0; j < to->arrays; j++)
        sta__view_broadcast(&to->array[j].view, &to->lead);
    if (to->lead.ndim + to->rest.ndim > STA_MAXDIM)
        return sta__fail(call, STA_ERROR_SHAPE, "the result would have %d axes; %d is the most",
                         to->lead.ndim + to->rest.ndim, STA_MAXDIM) != NULL;
    to->all = to->lead;
    for (int a = 0; a < to->rest.ndim; a++)
        to->all.at[to->all.ndim++] = to->rest.at[a];
    if (!sta__shape_size(&to->all, &size))
        return sta__fail(call, STA_ERROR_TOO_LARGE, "shape %s has more than 2^59 elements",
                         sta__shape_text(&to->all, a, sizeof a)) != NULL;
    return true;
}

/* `by` says of each axis of to->view which array takes it; the others become `rest`. `place`: where NumPy has lead. */
static bool finish(struct sta__call *call, struct sta__selection *to, const int *by, int place)
{
    int rest[STA_MAXDIM];
    to->rest.ndim = 0;
    for (int a = 0; a < to->view.shape.ndim; a++)
        if (by[a] < 0) {
            rest[a] = to->rest.ndim;
            to->rest.at[to->rest.ndim++] = to->view.shape.at[a];
        }
    if (!broadcast_arrays(call, to))
        return false;
    for (int s = 0; s < to->view.store_ndim; s++) {
        struct sta__axis_map *map = &to->view.map[s];
        to->by[s] = map->axis < 0 ? -1 : by[map->axis];
        if (map->axis >= 0)
            map->axis = to->by[s] >= 0 ? -1 : to->lead.ndim + rest[map->axis];
    }
    to->view.shape = to->all;
    for (int i = 0, next = 0, lead = 0; i < to->all.ndim; i++)
        to->order[i] = i >= place && lead < to->lead.ndim ? lead++ : to->lead.ndim + next++;
    return true;
}

bool sta__select(struct sta__call *call, const struct sta__view *view, sta_items items, struct sta__selection *to)
{
    struct items in = {.call = call, .view = view, .to = to, .begins = -1};
    char why[STA__WHY] = "";
    to->arrays = 0;
    if (call->error)
        return false;
    int between = axes_between(call, view, items);
    for (int i = 0; i < items.count && !call->error; i++)
        add_item(&in, &items.at[i], between > 0 ? between : 0);
    const struct sta__shape scalar = {.ndim = 0};
    if (to->arrays == 0 && !call->error)
        add_zeros(&in, &scalar);
    sta__view_copy(&to->view, view);
    sta_error_code error = call->error ? STA_ERROR_NONE : sta__view_index(&to->view, in.span, in.count, why);
    if (error)
        sta__fail(call, error, "%s", why);
    if (call->error)
        return false;
    int by[STA_MAXDIM], a = 0;
    for (int i = 0; i < in.count; i++) {
        int axes = in.span[i].kind == STA_SPAN_ELLIPSIS ? between : in.span[i].kind != STA_SPAN_INTEGER;
        for (int k = 0; k < axes; k++)
            by[a++] = in.by[i];
    }
    while (a < to->view.shape.ndim)
        by[a++] = -1;
    return finish(call, to, by, in.apart || in.begins < 0 ? 0 : in.begins);
}

bool sta__select_axis(struct sta__call *call, const struct sta__view *view, struct sta__operand *ids, int axis,
                      struct sta__selection *to)
{
    int by[STA_MAXDIM];
    for (int a = 0; a < view->shape.ndim; a++)
        by[a] = a == axis ? 0 : -1;
    sta__view_copy(&to->view, view);
    to->arrays = 1;
    to->array[0] = *ids;
    ids->value = NULL;
    to->length[0] = view->shape.at[axis];
    to->axis[0] = axis;
    return finish(call, to, by, axis);
}

/* All axes are led by the array; those but `axis` are walked along with it. */
bool sta__select_along(struct sta__call *call, const struct sta__view *view, struct sta__operand *ids, int axis,
                       struct sta__selection *to)
{
    char a[STA__SHAPE_TEXT], b[STA__SHAPE_TEXT];
    struct sta__shape own = view->shape, lead = ids->view.shape;
    sta__view_copy(&to->view, view);
    to->arrays = 1;
    to->array[0] = *ids;
    ids->value = NULL;
    to->length[0] = own.at[axis];
    to->axis[0] = axis;
    own.at[axis] = 1;
    bool fits = lead.ndim == own.ndim;
    int64_t along = fits ? lead.at[axis] : 1;
    if (fits)
        lead.at[axis] = 1;
    if (!fits || !sta__broadcast(&lead, &own))
        return sta__fail(call, STA_ERROR_SHAPE, "indices of shape %s do not go along axis %d of shape %s",
                         sta__shape_text(&to->array[0].view.shape, a, sizeof a), axis,
                         sta__shape_text(&view->shape, b, sizeof b)) != NULL;
    lead.at[axis] = along;
    for (int s = 0; s < to->view.store_ndim; s++) {
        struct sta__axis_map *map = &to->view.map[s];
        to->by[s] = map->axis == axis ? 0 : -1;
        if (map->axis == axis || (map->axis >= 0 && own.at[map->axis] != lead.at[map->axis]))
            *map = (struct sta__axis_map){map->offset, map->axis == axis ? map->step : 0, -1};
    }
    sta__view_broadcast(&to->array[0].view, &lead);
    to->lead = to->all = to->view.shape = lead;
    to->rest.ndim = 0;
    for (int i = 0; i < lead.ndim; i++)
        to->order[i] = i;
    int64_t size;
    if (!sta__shape_size(&lead, &size))
        return sta__fail(call, STA_ERROR_TOO_LARGE, "shape %s has more than 2^59 elements",
                         sta__shape_text(&lead, a, sizeof a)) != NULL;
    return true;
}

void sta__select_end(struct sta__selection *s)
{
    for (int j = 0; j < s->arrays; j++)
        sta__operand_drop(&s->array[j]);
    s->arrays = 0;
}

/* NumPy's order; on GPUs that of the selection, in which their kernels move rows. */
struct sta__layout sta__select_layout(const struct sta__selection *s)
{
    struct sta__layout layout = {
        .shape = s->all, .all = sta__identity_view(&s->all), .order = sta__identity_view(&s->all)};
    const bool as_numpy = sta__runtime.gpus == 0;
    for (int i = 0; i < s->all.ndim; i++) {
        layout.axis[i] = as_numpy ? s->order[i] : i;
        layout.shape.at[i] = s->all.at[layout.axis[i]];
        layout.all.map[i].axis = layout.axis[i];
        layout.order.map[as_numpy ? i : s->order[i]].axis = i;
        layout.order.shape.at[i] = s->all.at[s->order[i]];
    }
    return layout;
}

bool sta__select_grids(const struct sta__selection *s, const struct sta__layout *layout, sta_dtype dtype, bool single,
                       struct sta__grid **array, struct sta__grid **all)
{
    int64_t edge[STA_MAXDIM];
    *array = single ? sta__grid_single(&layout->shape) : sta__grid_default(&layout->shape, dtype);
    for (int i = 0; *array && i < s->all.ndim; i++)
        edge[layout->axis[i]] = (*array)->edge[i];
    *all = *array ? sta__grid_regular(&s->all, edge) : NULL;
    return *all != NULL;
}

bool sta__select_source(struct sta__call *call, const struct sta__selection *s, struct sta__operand *source)
{
    struct sta__shape shape = {.ndim = s->all.ndim};
    struct sta__view *view = &source->view;
    for (int i = 0; i < shape.ndim; i++)
        shape.at[i] = s->all.at[s->order[i]];
    if (!sta__assign_fits(call, source, &shape))
        return false;
    for (int k = 0; k < view->store_ndim; k++)
        if (view->map[k].axis >= 0)
            view->map[k].axis = s->order[view->map[k].axis];
    view->shape = s->all;
    return true;
}
