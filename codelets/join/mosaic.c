/* Building a mosaic: strips and parts, then its tiles, taken from parts or filled by tasks. Contract: mosaic.h. */
#include "join/mosaic.h"

#include "graph.h"
#include "join/tiles.h"

#include <string.h>

/* ---- description ---- */

void sta__pattern_drop(struct sta__pattern *pattern)
{
    if (!pattern || atomic_fetch_sub(&pattern->references, 1) != 1)
        return;
    for (int a = 0; a < pattern->shape.ndim; a++)
        sta__release(pattern->strip[a]);
    sta__release(pattern->view);
    sta__release(pattern);
}

struct sta__mosaic sta__mosaic_open(struct sta__call *call, sta_dtype dtype, int ndim, int parts)
{
    struct sta__mosaic m = {.call = call, .dtype = dtype};
    size_t room = (size_t)(parts > 0 ? parts : 1);
    m.part = sta__allocate(sizeof *m.part * room);
    m.pattern = sta__allocate(sizeof *m.pattern);
    if (m.pattern) {
        atomic_init(&m.pattern->references, 1);
        m.pattern->shape.ndim = ndim;
        m.pattern->parts = parts;
        m.pattern->view = sta__allocate(sizeof *m.pattern->view * room);
    }
    m.failed = !m.part || !m.pattern || !m.pattern->view;
    return m;
}

void sta__mosaic_part(struct sta__mosaic *m, int part, struct sta__operand *operand)
{
    if (m->failed) {
        sta__operand_drop(operand);
        return;
    }
    m->part[part].value = operand->value;
    sta__view_copy(&m->part[part].view, &operand->view);
    operand->value = NULL;
}

void sta__mosaic_strip(struct sta__mosaic *m, int axis, int64_t length, int64_t start, int64_t step, int part)
{
    struct sta__pattern *p = m->pattern;
    m->given |= UINT32_C(1) << axis;
    if (m->failed || length <= 0)
        return;
    int64_t n = p->count[axis], end = n ? p->strip[axis][n - 1].end : 0;
    if (n == p->room[axis]) {
        int64_t room = n ? 2 * n : 4;
        struct sta__strip *more =
            sta__resize(p->strip[axis], sizeof *more * (size_t)n, sizeof *more * (size_t)room);
        m->failed = !more;
        if (!more)
            return;
        p->strip[axis] = more;
        p->room[axis] = room;
    }
    if (__builtin_add_overflow(end, length, &end)) {
        sta__fail(m->call, STA_ERROR_TOO_LARGE, "axis %d of the result is longer than 63 bits count", axis);
        return;
    }
    p->strip[axis][p->count[axis]++] = (struct sta__strip){end, start, step, part};
}

void sta__mosaic_merge(struct sta__mosaic *m, int axis)
{
    m->merged |= UINT32_C(1) << axis;
}

void sta__mosaic_discard(struct sta__mosaic *m)
{
    for (int i = 0; m->part && m->pattern && i < m->pattern->parts; i++)
        sta__operand_drop(&m->part[i]);
    sta__release(m->part);
    m->part = NULL;
    sta__pattern_drop(m->pattern);
    m->pattern = NULL;
}

/* ---- getting ready ---- */

/* The lengths; an axis that says nothing is that of part 0. */
static bool settle_shape(struct sta__mosaic *m)
{
    struct sta__pattern *p = m->pattern;
    struct sta__shape shape = {.ndim = p->shape.ndim};
    int64_t size;
    for (int a = 0; a < shape.ndim && !m->failed; a++) {
        if (!(m->given >> a & 1))
            sta__mosaic_strip(m, a, m->part[0].view.shape.at[a], 0, 1, 0);
        shape.at[a] = p->count[a] && !m->failed ? p->strip[a][p->count[a] - 1].end : 0;
    }
    if (m->failed)
        sta__fail_memory(m->call);
    else if (!sta__shape_size(&shape, &size))
        sta__fail(m->call, STA_ERROR_TOO_LARGE, "the result has more than 2^59 elements");
    p->shape = shape;
    return !m->call->error;
}

/* Parts computed, and in the dtype of the result. */
static bool settle_parts(struct sta__mosaic *m)
{
    int parts = m->pattern->parts;
    struct sta__value **values = sta__allocate(sizeof *values * (size_t)(parts ? parts : 1));
    if (!values)
        return sta__fail_memory(m->call) != NULL;
    for (int i = 0; i < parts && !m->call->error; i++) {
        struct sta__operand *part = &m->part[i];
        if (part->value->dtype != m->dtype) {
            struct sta__value *cast = sta__node_cast(m->call, part, m->dtype);
            if (!cast)
                break;
            part->value = cast;
            part->view = sta__identity_view(&cast->shape);
        }
        values[i] = part->value;
    }
    bool fine = !m->call->error && sta__submit_values(m->call, values, parts);
    for (int i = 0; i < parts && fine; i++)
        sta__view_copy(&m->pattern->view[i], &m->part[i].view);
    sta__release(values);
    return fine;
}

static struct sta__shape merged_shape(const struct sta__mosaic *m)
{
    const struct sta__shape *from = &m->pattern->shape;
    struct sta__shape shape = {.ndim = 0};
    for (int a = 0; a < from->ndim; a++) {
        shape.at[shape.ndim] = from->at[a];
        if (m->merged >> a & 1)
            shape.at[shape.ndim] *= from->at[++a];
        shape.ndim++;
    }
    return shape;
}

static bool all_now(const struct sta__mosaic *m)
{
    for (int i = 0; i < m->pattern->parts; i++)
        if (m->part[i].value->state != STA__NOW)
            return false;
    return true;
}

struct sta__value *sta__mosaic_close(struct sta__mosaic *m)
{
    struct sta__value *value = NULL;
    if (m->failed)
        sta__fail_memory(m->call);
    if (!m->call->error && settle_shape(m) && settle_parts(m)) {
        struct sta__shape shape = merged_shape(m);
        int64_t size = 0;
        sta__shape_size(&shape, &size);
        int64_t bytes = size * (int64_t)sta_itemsize(m->dtype);
        if (size == 0)
            value = sta__value_now(m->dtype, &shape);
        else if (bytes <= sta__runtime.settings.inline_bytes && all_now(m))
            value = sta__mosaic_now(m, &shape);
        else if (bytes > sta__runtime.memory_bytes)
            sta__fail(m->call, STA_ERROR_MEMORY, "an array of %.1f GB does not fit: the machine has %.1f GB",
                      (double)bytes / 1e9, (double)sta__runtime.memory_bytes / 1e9);
        else
            value = sta__mosaic_tiled(m, &shape);
        if (!value)
            sta__fail_memory(m->call);
    }
    sta__mosaic_discard(m);
    return value;
}
