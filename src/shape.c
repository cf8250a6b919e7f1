/* Shapes, boxes and views: plain arithmetic, no StarPU. Contract and meaning of a view: internal.h, "geometry". */
#include "internal.h"

#include <inttypes.h>
#include <stdio.h>

bool sta__shape_equal(const struct sta__shape *a, const struct sta__shape *b)
{
    if (a->ndim != b->ndim)
        return false;
    for (int i = 0; i < a->ndim; i++)
        if (a->at[i] != b->at[i])
            return false;
    return true;
}

/* A limit of 1/16 of 63 bits keeps the bytes, too, within 63 bits for every dtype. Axes of length 0 are left out of the
 * product, so that strides cannot overflow either. */
bool sta__shape_size(const struct sta__shape *shape, int64_t *size)
{
    int64_t product = 1;
    bool empty = false;
    for (int i = 0; i < shape->ndim; i++) {
        int64_t length = shape->at[i];
        if (length < 0)
            return false;
        if (length == 0) {
            empty = true;
            continue;
        }
        if (product > INT64_MAX / 16 / length)
            return false;
        product *= length;
    }
    *size = empty ? 0 : product;
    return true;
}

bool sta__broadcast(struct sta__shape *to, const struct sta__shape *with)
{
    struct sta__shape wide = to->ndim >= with->ndim ? *to : *with;
    const struct sta__shape *narrow = to->ndim >= with->ndim ? with : to;
    int shift = wide.ndim - narrow->ndim;
    for (int i = 0; i < narrow->ndim; i++) {
        int64_t *length = &wide.at[i + shift];
        if (*length == 1)
            *length = narrow->at[i];
        else if (narrow->at[i] != 1 && narrow->at[i] != *length)
            return false;
    }
    *to = wide;
    return true;
}

const char *sta__shape_text(const struct sta__shape *shape, char *to, size_t bytes)
{
    if (bytes == 0)
        return "";
    size_t used = 0;
    for (int i = 0; i < shape->ndim && used < bytes; i++) {
        int wrote = snprintf(to + used, bytes - used, "%s%" PRId64, i == 0 ? "(" : ", ", shape->at[i]);
        used += wrote > 0 ? (size_t)wrote : 0;
    }
    if (used < bytes)
        snprintf(to + used, bytes - used, "%s", shape->ndim == 0 ? "()" : shape->ndim == 1 ? ",)" : ")");
    return to;
}

int64_t sta__box_size(const struct sta__box *box)
{
    int64_t size = 1;
    for (int i = 0; i < box->ndim; i++)
        size *= box->to[i] > box->from[i] ? box->to[i] - box->from[i] : 0;
    return size;
}

struct sta__box sta__whole_box(const struct sta__shape *shape)
{
    struct sta__box box = {.ndim = shape->ndim};
    for (int i = 0; i < shape->ndim; i++)
        box.to[i] = shape->at[i];
    return box;
}

struct sta__view sta__identity_view(const struct sta__shape *shape)
{
    struct sta__view view = {.shape = *shape, .store_ndim = shape->ndim};
    for (int i = 0; i < shape->ndim; i++)
        view.map[i] = (struct sta__axis_map){0, 1, i};
    return view;
}

bool sta__view_is_identity(const struct sta__view *view, const struct sta__shape *store)
{
    if (view->store_ndim != store->ndim || !sta__shape_equal(&view->shape, store))
        return false;
    for (int i = 0; i < store->ndim; i++) {
        const struct sta__axis_map *map = &view->map[i];
        /* A store axis of length 1 has one index only, whatever names it. */
        if (store->at[i] != 1 && (map->offset != 0 || map->step != 1 || map->axis != i))
            return false;
    }
    return true;
}

bool sta__view_overlaps_itself(const struct sta__view *view)
{
    bool named[STA_MAXDIM] = {false};
    for (int i = 0; i < view->store_ndim; i++)
        if (view->map[i].axis >= 0 && view->map[i].step != 0)
            named[view->map[i].axis] = true;
    bool overlaps = false;
    for (int i = 0; i < view->shape.ndim; i++) {
        if (view->shape.at[i] == 0)
            return false; /* no element at all */
        overlaps |= view->shape.at[i] > 1 && !named[i];
    }
    return overlaps;
}

void sta__view_broadcast(struct sta__view *view, const struct sta__shape *to)
{
    int shift = to->ndim - view->shape.ndim;
    for (int i = 0; i < view->store_ndim; i++) {
        struct sta__axis_map *map = &view->map[i];
        if (map->axis < 0)
            continue;
        bool stretched = view->shape.at[map->axis] != to->at[map->axis + shift];
        if (stretched)
            *map = (struct sta__axis_map){map->offset, 0, -1};
        else
            map->axis += shift;
    }
    view->shape = *to;
}

struct sta__box sta__view_box(const struct sta__view *view, const struct sta__box *box)
{
    struct sta__box touched = {.ndim = view->store_ndim};
    if (sta__box_size(box) == 0)
        return touched;
    for (int i = 0; i < view->store_ndim; i++) {
        const struct sta__axis_map *map = &view->map[i];
        int64_t first = map->offset, last = map->offset;
        if (map->axis >= 0) {
            first += map->step * box->from[map->axis];
            last += map->step * (box->to[map->axis] - 1);
        }
        touched.from[i] = first < last ? first : last;
        touched.to[i] = (first < last ? last : first) + 1;
    }
    return touched;
}
