/* Contract: composed.h. */
#include "composed.h"

#include "internal.h"
#include "slice.h"

sta_array sta__taken(sta_array x)
{
    const sta_span all = STA_SPAN_REST;
    return x.id ? sta_index(x, &all, 1) : x;
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
    if (sta_check(x)) {
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
