/* The layout of an array's text: brackets, rows, wrapping, "...". Contract: format.h. */
#include "format.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool sta__format_options(const sta_print_options *given, sta_print_options *to)
{
    sta_print_options options = {.size = sizeof options};
    if (given)
        memcpy(&options, given, given->size < sizeof options ? given->size : sizeof options);
    bool good = options.precision >= -1 && options.precision <= 100 && options.threshold >= -1 &&
                options.edgeitems >= 0 && options.linewidth >= 0 &&
                (options.sign == 0 || strchr("+- ", options.sign)) &&
                (unsigned)options.float_mode <= STA_FLOAT_MAXPREC_EQUAL;
    options.nanstr = options.nanstr ? options.nanstr : "nan";
    options.infstr = options.infstr ? options.infstr : "inf";
    good = good && strlen(options.nanstr) <= STA__WORD && strlen(options.infstr) <= STA__WORD;
    options.precision = options.precision == 0 ? 8 : options.precision < 0 ? 0 : options.precision;
    options.threshold = options.threshold == 0 ? 1000 : options.threshold < 0 ? 0 : options.threshold;
    options.edgeitems = options.edgeitems == 0 ? 3 : options.edgeitems;
    options.linewidth = options.linewidth == 0 ? 75 : options.linewidth;
    options.sign = options.sign == 0 ? '-' : options.sign;
    *to = options;
    return good;
}

/* More than the threshold, without computing a size that may overflow. */
static bool above(const struct sta__shape *shape, int64_t threshold)
{
    int64_t size;
    return !sta__shape_size(shape, &size) || size > threshold;
}

bool sta__format_corners(const struct sta__shape *shape, const sta_print_options *options, struct sta__shape *corners)
{
    bool summary = above(shape, options->threshold);
    *corners = *shape;
    for (int i = 0; i < shape->ndim && summary; i++)
        if (shape->at[i] / 2 >= options->edgeitems)
            corners->at[i] = 2 * (int64_t)options->edgeitems;
    return summary;
}

/* ---- a text that grows; without memory it stays as it is and remembers ---- */

struct text {
    char *data;
    size_t used, room;
    bool failed;
};

static void append(struct text *text, const char *data, size_t bytes)
{
    if (text->failed)
        return;
    if (text->used + bytes + 1 > text->room) {
        size_t room = 2 * (text->used + bytes) + 128;
        char *more = sta__resize(text->data, text->room, room);
        text->failed = !more;
        if (!more)
            return;
        text->data = more;
        text->room = room;
    }
    memcpy(text->data + text->used, data, bytes);
    text->used += bytes;
    text->data[text->used] = '\0';
}

static void append_text(struct text *text, const char *word)
{
    append(text, word, strlen(word));
}

static void append_many(struct text *text, char c, int count)
{
    for (int i = 0; i < count; i++)
        append(text, &c, 1);
}

/* ---- the array ---- */

struct printer {
    struct text text;
    struct sta__number_format number;
    const sta_print_options *options;
    const char *data;
    size_t itemsize;
    struct sta__shape corners;
    bool cut[STA_MAXDIM]; /* axes of which the middle is left out */
    const char *separator;
    int line; /* length of the line so far, counted as NumPy does: from the indent on */
};

/* A new line where the word would not fit, unless the line is empty anyway. */
static void put_word(struct printer *p, const char *word, int indent, int width)
{
    int length = (int)strlen(word);
    if (p->line + length > width && p->line > indent) {
        while (p->text.used > 0 && p->text.data[p->text.used - 1] == ' ')
            p->text.used--;
        append_text(&p->text, "\n");
        append_many(&p->text, ' ', indent);
        p->line = indent;
    }
    append(&p->text, word, (size_t)length);
    p->line += length;
}

/* Items of the last axis. */
static void put_row(struct printer *p, int64_t first, int indent, int width)
{
    int axis = p->corners.ndim - 1;
    int64_t count = p->corners.at[axis];
    char number[STA__NUMBER];
    p->line = indent;
    append_text(&p->text, "[");
    for (int64_t i = 0; i < count && !p->text.failed; i++) {
        if (p->cut[axis] && i == p->options->edgeitems) {
            put_word(p, "...", indent, width);
            append_text(&p->text, p->separator);
            p->line += (int)strlen(p->separator);
        }
        sta__number_text(&p->number, p->data + (size_t)(first + i) * p->itemsize, number);
        put_word(p, number, indent, width);
        if (i == count - 1)
            break;
        append_text(&p->text, p->separator);
        p->line += (int)strlen(p->separator);
    }
    append_text(&p->text, "]");
}

/* What stands between the rows of an axis: the separator without its space, and blank lines between large parts. */
static void put_between(struct printer *p, int axis, int indent)
{
    if (p->separator[0] != ' ')
        append(&p->text, p->separator, 1);
    append_many(&p->text, '\n', p->corners.ndim - axis - 1);
    append_many(&p->text, ' ', indent);
}

/* The part of the array from element `first` on; `axis` of the axes are fixed already. */
static void put_part(struct printer *p, int axis, int64_t first, int indent, int width)
{
    if (axis == p->corners.ndim - 1) {
        put_row(p, first, indent, width - 1);
        return;
    }
    int64_t stride = 1;
    for (int i = axis + 1; i < p->corners.ndim; i++)
        stride *= p->corners.at[i];
    append_text(&p->text, "[");
    for (int64_t i = 0; i < p->corners.at[axis] && !p->text.failed; i++) {
        if (i > 0)
            put_between(p, axis, indent);
        if (p->cut[axis] && i == p->options->edgeitems) {
            append_text(&p->text, "...");
            put_between(p, axis, indent);
        }
        put_part(p, axis + 1, first + i * stride, indent + 1, width - 1);
    }
    append_text(&p->text, "]");
}

static const struct {
    const char *name;
    uint8_t bytes;
    bool implied; /* repr does not say it */
} facts[] = {
#define STA_DTYPE(name, number, storage, brief, kind, typestr)                                                         \
    [number] = {#name, sizeof(storage),                                                                                \
                STA_##name == STA_bool || STA_##name == STA_int64 || STA_##name == STA_float64 ||                      \
                    STA_##name == STA_complex128},
#include <starray/dtypes.def>
#undef STA_DTYPE
};

/* repr ends with what the elements do not tell. */
static void put_extras(struct printer *p, sta_dtype dtype, const struct sta__shape *shape, bool empty, bool summary)
{
    char shape_text[STA_MAXDIM * 22], extras[STA_MAXDIM * 22 + 64];
    bool with_shape = summary || (empty && !(shape->ndim == 1));
    bool with_dtype = empty || !facts[dtype].implied;
    if (!with_shape && !with_dtype) {
        append_text(&p->text, ")");
        return;
    }
    snprintf(extras, sizeof extras, "%s%s%s%s%s)", with_shape ? "shape=" : "",
             with_shape ? sta__shape_text(shape, shape_text, sizeof shape_text) : "",
             with_shape && with_dtype ? ", " : "", with_dtype ? "dtype=" : "", with_dtype ? facts[dtype].name : "");
    append_text(&p->text, ",");
    if (p->text.failed)
        return;
    const char *newline = strrchr(p->text.data, '\n');
    size_t last = newline ? p->text.used - (size_t)(newline + 1 - p->text.data) : p->text.used;
    append_text(&p->text, last + strlen(extras) + 1 > (size_t)p->options->linewidth ? "\n      " : " ");
    append_text(&p->text, extras);
}

char *sta__format_text(sta_dtype dtype, const struct sta__shape *shape, const void *data,
                       const sta_print_options *options)
{
    struct printer p = {.options = options, .data = data, .itemsize = facts[dtype].bytes};
    bool summary = sta__format_corners(shape, options, &p.corners);
    int prefix = options->repr ? 6 : 0, suffix = options->repr ? 1 : 0; /* "array(" and ")" */
    int64_t count = 1;
    for (int i = 0; i < shape->ndim; i++) {
        count *= p.corners.at[i];
        p.cut[i] = summary && p.corners.at[i] < shape->at[i];
    }
    p.separator = options->repr ? ", " : " ";
    sta__number_format(&p.number, dtype, data, count, shape->ndim, options);
    append_text(&p.text, options->repr ? "array(" : "");
    if (count == 0) {
        append_text(&p.text, "[]");
    } else if (shape->ndim == 0) {
        char number[STA__NUMBER];
        sta__number_text(&p.number, data, number);
        append_text(&p.text, number);
    } else {
        put_part(&p, 0, 0, prefix + 1, options->linewidth - suffix);
    }
    if (options->repr)
        put_extras(&p, dtype, shape, count == 0, summary);
    if (!p.text.failed)
        return p.text.data;
    sta__release(p.text.data);
    return NULL;
}
