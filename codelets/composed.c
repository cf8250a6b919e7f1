/* Contract: composed.h. */
#include "composed.h"

#include "array.h"
#include "slice.h"

sta_array sta__taken(sta_array x)
{
    const sta_span all = STA_SPAN_REST;
    return x.id ? sta_index(x, &all, 1) : x;
}

bool sta__in_error(sta_array x)
{
    struct sta__call call = sta__enter("check");
    const struct sta__slot *slot = call.error ? NULL : sta__slot_of(x);
    const bool failed = !slot || slot->error || slot->store->error;
    sta__call_end(&call);
    return failed;
}

sta_array sta__line(sta_array x)
{
    return sta_ndim(x) ? sta_ravel(x) : sta_atleast_1d(x);
}

sta_array sta__composed(sta_scope scope, sta_array result)
{
    sta_keep(result);
    sta_close(scope);
    return result;
}

sta_array sta__failed(const char *op, sta_error_code code, const char *text)
{
    struct sta__call call = sta__enter(op);
    sta__fail(&call, code, "%s", text);
    return sta__leave(&call, NULL);
}

int64_t sta__axis_in(const char *op, sta_array x, int64_t axis, sta_array *failed)
{
    char why[STA__WHY];
    int found = -1;
    const int ndim = sta_ndim(x);
    if (sta__in_error(x)) {
        *failed = x;
        return -1;
    }
    if (ndim == 0) {
        *failed = sta__failed(op, STA_ERROR_SHAPE, "the shape is (): there is no axis");
        return -1;
    }
    const sta_error_code code = sta__axis(axis, ndim, &found, why);
    if (!code)
        return found;
    *failed = sta__failed(op, code, why);
    return -1;
}

sta_array sta__along(sta_array x, int64_t axis, int64_t start, int64_t stop)
{
    sta_span spans[STA_MAXDIM];
    for (int a = 0; a < axis; a++)
        spans[a] = STA_SPAN_ALL;
    spans[axis] = stop ? STA_SPAN_RANGE(start, stop) : STA_SPAN_FROM(start);
    return sta_index(x, spans, (int)axis + 1);
}
