/* The index text "1:, ::2, -1, ..., newaxis", and indexing a view. Contract: slice.h. */
#include "slice.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- the text ---- */

struct reader {
    const char *begin, *at;
};

static void skip_space(struct reader *in)
{
    while (isspace((unsigned char)*in->at))
        in->at++;
}

static bool take(struct reader *in, const char *word)
{
    skip_space(in);
    size_t length = strlen(word);
    if (strncmp(in->at, word, length) != 0)
        return false;
    if (isalpha((unsigned char)word[0]) && (isalnum((unsigned char)in->at[length]) || in->at[length] == '_'))
        return false; /* "Nonesuch" */
    in->at += length;
    return true;
}

/* A number too large for 63 bits stays at the limit: slices are clipped anyway, and as an index it is out of range.
 * Signs add up as in Python, so that "-%d" works for any number. */
static bool take_number(struct reader *in, int64_t *to)
{
    skip_space(in);
    const char *back = in->at;
    bool negative = false;
    while (*in->at == '-' || *in->at == '+') {
        negative ^= *in->at++ == '-';
        skip_space(in);
    }
    if (!isdigit((unsigned char)*in->at)) {
        in->at = back;
        return false;
    }
    int64_t value = 0;
    for (; isdigit((unsigned char)*in->at); in->at++) {
        int64_t digit = *in->at - '0';
        value = value > (INT64_MAX - digit) / 10 ? INT64_MAX : value * 10 + digit;
    }
    *to = negative ? -value : value;
    return true;
}

static unsigned take_part(struct reader *in, int64_t *to, unsigned flag)
{
    if (take_number(in, to))
        return flag;
    take(in, "None");
    return 0;
}

static bool ends(struct reader *in)
{
    skip_space(in);
    return *in->at == '\0' || *in->at == ',';
}

static bool take_item(struct reader *in, sta_span *to)
{
    *to = STA_SPAN_ALL;
    if (take(in, "...") || take(in, "Ellipsis")) {
        to->kind = STA_SPAN_ELLIPSIS;
        return ends(in);
    }
    if (take(in, "newaxis")) {
        to->kind = STA_SPAN_NEWAXIS;
        return ends(in);
    }
    const char *first = in->at;
    to->has = take_part(in, &to->start, STA_HAS_START);
    bool something = in->at != first;
    if (!take(in, ":")) {
        to->kind = to->has ? STA_SPAN_INTEGER : STA_SPAN_NEWAXIS;
        to->has = 0;
        return something && ends(in);
    }
    to->has |= take_part(in, &to->stop, STA_HAS_STOP);
    if (take(in, ":"))
        to->has |= take_part(in, &to->step, STA_HAS_STEP);
    return ends(in);
}

sta_error_code sta__slice_parse(const char *text, sta_span *to, int *count, char *why)
{
    struct reader in = {text, text};
    *count = 0;
    do {
        skip_space(&in);
        if (*in.at == '\0' && *count > 0)
            break; /* "0," is a tuple of one */
        if (*count == STA__MAXSPANS) {
            snprintf(why, STA__WHY, "too many indices: an array has at most %d axes", STA_MAXDIM);
            return STA_ERROR_INDEX;
        }
        if (!take_item(&in, &to[*count])) {
            snprintf(why, STA__WHY, "\"%.100s\": character %d is not part of a number, slice, \"...\" or newaxis", text,
                     (int)(in.at - in.begin) + 1);
            return STA_ERROR_SYNTAX;
        }
        ++*count;
    } while (*in.at++ == ',');
    return STA_ERROR_NONE;
}

/* ---- indexing a view ---- */

static int64_t clip_bound(int64_t bound, int64_t length, bool backwards)
{
    if (bound < 0)
        bound += length;
    if (bound < 0)
        return backwards ? -1 : 0;
    int64_t last = backwards ? length - 1 : length;
    return bound > last ? last : bound;
}

bool sta__slice_clip(const sta_span *slice, int64_t length, int64_t *start, int64_t *step, int64_t *count)
{
    int64_t by = slice->has & STA_HAS_STEP ? slice->step : 1;
    if (by == 0)
        return false;
    if (by < -INT64_MAX)
        by = -INT64_MAX;
    bool backwards = by < 0;
    int64_t first = backwards ? length - 1 : 0, end = backwards ? -1 : length;
    if (slice->has & STA_HAS_START)
        first = clip_bound(slice->start, length, backwards);
    if (slice->has & STA_HAS_STOP)
        end = clip_bound(slice->stop, length, backwards);
    int64_t span = backwards ? first - end : end - first, stride = backwards ? -by : by;
    *count = span > 0 ? (span - 1) / stride + 1 : 0;
    *start = *count > 0 ? first : 0;
    *step = *count > 1 ? by : 1;
    return true;
}

void sta__view_change(struct sta__view *view, const struct sta__axis_change *changes, const struct sta__shape *shape)
{
    for (int i = 0; i < view->store_ndim; i++) {
        struct sta__axis_map *map = &view->map[i];
        if (map->axis < 0)
            continue;
        const struct sta__axis_change *change = &changes[map->axis];
        map->offset += map->step * change->start;
        map->step = change->axis < 0 ? 0 : map->step * change->step;
        map->axis = change->axis;
    }
    view->shape = *shape;
}

static sta_error_code index_axis(int64_t index, int axis, int64_t length, struct sta__axis_change *to, char *why)
{
    if (index < -length || index >= length) {
        snprintf(why, STA__WHY, "index %" PRId64 " is out of range for axis %d of length %" PRId64, index, axis,
                 length);
        return STA_ERROR_INDEX;
    }
    *to = (struct sta__axis_change){index < 0 ? index + length : index, 0, -1};
    return STA_ERROR_NONE;
}

/* How the items share the axes out: `between` axes fall to "...". */
static sta_error_code count_items(const struct sta__view *view, const sta_span *spans, int count, int *between,
                                  char *why)
{
    int kinds[4] = {0};
    for (int i = 0; i < count; i++) {
        if ((unsigned)spans[i].kind > STA_SPAN_ELLIPSIS) {
            snprintf(why, STA__WHY,
                     spans[i].kind == STA_SPAN_ARRAY ? "item %d of the index is an array: sta_at selects by arrays"
                                                     : "item %d of the index is none of the kinds of sta_span_kind",
                     i);
            return STA_ERROR_VALUE;
        }
        kinds[spans[i].kind]++;
    }
    int ndim = view->shape.ndim, named = kinds[STA_SPAN_SLICE] + kinds[STA_SPAN_INTEGER];
    if (kinds[STA_SPAN_ELLIPSIS] > 1) {
        snprintf(why, STA__WHY, "an index can have only one \"...\"");
        return STA_ERROR_INDEX;
    }
    if (named > ndim) {
        snprintf(why, STA__WHY, "too many indices: %d are given, but ndim is %d", named, ndim);
        return STA_ERROR_INDEX;
    }
    int result = ndim - kinds[STA_SPAN_INTEGER] + kinds[STA_SPAN_NEWAXIS];
    if (result > STA_MAXDIM) {
        snprintf(why, STA__WHY, "the result would have %d axes; %d is the most", result, STA_MAXDIM);
        return STA_ERROR_SHAPE;
    }
    *between = ndim - named;
    return STA_ERROR_NONE;
}

/* The work in progress: old axes done so far, and the shape of the result. */
struct indexing {
    int axis;
    struct sta__axis_change change[STA_MAXDIM];
    struct sta__shape shape;
};

static void keep_axes(const struct sta__view *view, struct indexing *to, int count)
{
    for (; count > 0; count--, to->axis++) {
        to->change[to->axis] = (struct sta__axis_change){0, 1, to->shape.ndim};
        to->shape.at[to->shape.ndim++] = view->shape.at[to->axis];
    }
}

static sta_error_code slice_axis(const struct sta__view *view, const sta_span *span, struct indexing *to, char *why)
{
    int64_t start, step, length;
    if (!sta__slice_clip(span, view->shape.at[to->axis], &start, &step, &length)) {
        snprintf(why, STA__WHY, "the step of a slice cannot be 0 (axis %d)", to->axis);
        return STA_ERROR_VALUE;
    }
    to->change[to->axis++] = (struct sta__axis_change){start, step, to->shape.ndim};
    to->shape.at[to->shape.ndim++] = length;
    return STA_ERROR_NONE;
}

sta_error_code sta__view_index(struct sta__view *view, const sta_span *spans, int count, char *why)
{
    struct indexing done = {.axis = 0};
    int between;
    if (!spans && count > 0) {
        snprintf(why, STA__WHY, "the items of the index are NULL");
        return STA_ERROR_VALUE;
    }
    sta_error_code error = count_items(view, spans, count, &between, why);
    for (int i = 0; i < count && !error; i++) {
        if (spans[i].kind == STA_SPAN_ELLIPSIS) {
            keep_axes(view, &done, between);
        } else if (spans[i].kind == STA_SPAN_NEWAXIS) {
            done.shape.at[done.shape.ndim++] = 1;
        } else if (spans[i].kind == STA_SPAN_INTEGER) {
            error = index_axis(spans[i].start, done.axis, view->shape.at[done.axis], &done.change[done.axis], why);
            done.axis++;
        } else {
            error = slice_axis(view, &spans[i], &done, why);
        }
    }
    if (error)
        return error;
    keep_axes(view, &done, view->shape.ndim - done.axis);
    sta__view_change(view, done.change, &done.shape);
    return STA_ERROR_NONE;
}
