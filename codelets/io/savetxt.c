/* sta_savetxt: rows fetched and written some at a time. */
#include "io.h"
#include "output.h"

#include "elementwise/ufunc.h"
#include "runtime.h"

#include <starray/io.h>

#include <ctype.h>
#include <glib.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct text {
    struct sta__operand *x;
    sta_savetxt_options options;
    bool whole; /* the format is one of integers */
    char format[80];
};

enum {
    PIECE = 1 << 16, /* elements that are fetched at a time */
    NUMBER = 512,    /* room for the text of one */
    LINES = 1 << 15  /* bytes that are written at a time */
};

/* Text on its way to the file. */
struct lines {
    struct sta__output *output;
    size_t count;
    char at[LINES];
};

/* ---- the format ---- */

/* "%[flags][width][.precision]letter": anything else could read what is not there. */
static bool read_format(struct sta__call *call, struct text *text)
{
    const char *given = text->options.format ? text->options.format : "%.18e", *at = given + 1;
    int digits[2] = {0, 0};
    if (*given == '%') {
        at += strspn(at, "-+ #0");
        for (int i = 0; i < 2; i++) {
            for (; isdigit((unsigned char)*at) && digits[i] < 1000; at++)
                digits[i] = 10 * digits[i] + (*at - '0');
            at += i == 0 && *at == '.';
        }
    }
    const char letter = *given == '%' ? *at : '\0';
    text->whole = letter == 'd' || letter == 'i';
    const bool fine = letter && (text->whole || strchr("eEfFgG", letter)) && !at[1] && digits[0] <= 100 &&
                      digits[1] <= 60 && at - given < 40;
    if (!fine)
        return sta__fail(call, STA_ERROR_VALUE, "\"%.40s\" is not the format of one number", given) != NULL;
    snprintf(text->format, sizeof text->format, "%.*s%s%c", (int)(at - given), given, text->whole ? PRId64 : "",
             text->whole ? '\0' : letter);
    return true;
}

static const char *real_text(const struct text *text, double value, char to[NUMBER])
{
    return g_ascii_formatd(to, NUMBER, text->format, value);
}

static const char *integer_text(const struct text *text, int64_t value, char to[NUMBER])
{
    snprintf(to, NUMBER, text->format, value); /* the format was checked */
    return to;
}

/* ---- lines ---- */

static bool put(struct sta__call *call, struct sta__output *output, const char *text)
{
    return sta__output_write(call, output, text, strlen(text));
}

static void put_comment(struct sta__call *call, struct sta__output *output, const struct text *text, const char *line)
{
    if (line && output && put(call, output, text->options.comments) && put(call, output, line))
        put(call, output, text->options.newline);
}

static void flush(struct sta__call *call, struct lines *lines)
{
    sta__output_write(call, lines->output, lines->at, lines->count);
    lines->count = 0;
}

static void append(struct sta__call *call, struct lines *lines, const char *text)
{
    const size_t length = strlen(text);
    if (length > LINES - lines->count)
        flush(call, lines);
    if (length > LINES) {
        put(call, lines->output, text);
        return;
    }
    memcpy(lines->at + lines->count, text, length);
    lines->count += length;
}

/* As NumPy: (1.0+2.0j) with a space before. */
static void append_complex(struct sta__call *call, struct lines *lines, const struct text *text, const double *value)
{
    char number[NUMBER];
    append(call, lines, " (");
    append(call, lines, real_text(text, value[0], number));
    real_text(text, value[1], number);
    append(call, lines, *number == '-' ? "" : "+");
    append(call, lines, number);
    append(call, lines, "j)");
}

/* The text of elements first .. first + count - 1 of rows of `columns`. */
static void put_elements(struct sta__call *call, struct sta__output *output, const struct text *text, const void *data,
                         int64_t first, int64_t count, int64_t columns)
{
    const sta_dtype dtype = text->x->value->dtype;
    const size_t item = sta_itemsize(dtype);
    const bool complex = sta__dtype_kind(dtype) == STA__KIND_COMPLEX;
    const sta_dtype as = complex ? STA_complex128 : text->whole ? STA_int64 : STA_float64;
    struct lines lines;
    lines.output = output;
    lines.count = 0;
    char number[NUMBER];
    for (int64_t i = 0; i < count; i++) {
        double value[2];
        int64_t whole;
        const void *in[1] = {(const char *)data + item * (size_t)i};
        sta__cast_loop(dtype, as)(1, text->whole && !complex ? (void *)&whole : (void *)value, in);
        if (complex)
            append_complex(call, &lines, text, value);
        else
            append(call, &lines, text->whole ? integer_text(text, whole, number) : real_text(text, value[0], number));
        append(call, &lines, (first + i + 1) % columns ? text->options.delimiter : text->options.newline);
    }
    flush(call, &lines);
}

/* Pieces of rows, or of one row: boxes that lie one behind the other. */
static void put_rows(struct sta__call *call, struct sta__output *output, const struct text *text)
{
    const struct sta__shape *shape = &text->x->view.shape;
    const int64_t rows = shape->at[0], columns = shape->ndim == 2 ? shape->at[1] : 1;
    const int64_t wide = columns < PIECE ? columns : PIECE, high = wide ? PIECE / wide : 1;
    void *data = sta__allocate_raw(sta_itemsize(text->x->value->dtype) * (size_t)PIECE);
    const sta_error *broken = NULL;
    if (!data) {
        sta__fail_memory(call);
        return;
    }
    for (int64_t r = 0; r < rows && columns && !call->error; r += wide == columns ? high : 1)
        for (int64_t c = 0; c < columns && !call->error; c += wide) {
            struct sta__box box = {
                .ndim = shape->ndim, .from = {r, c}, .to = {r + 1, c + wide < columns ? c + wide : columns}};
            if (wide == columns)
                box.to[0] = r + high < rows ? r + high : rows;
            if (!sta__read_operand(call, text->x, &box, data) || !output || broken)
                continue;
            put_elements(call, output, text, data, r * columns + c, sta__box_size(&box), columns);
            if (sta__runtime.settings.ranks > 1) { /* the others read on with this one */
                broken = call->error;
                call->error = NULL;
            }
        }
    call->error = broken ? broken : call->error;
    sta__release(data);
}

static void contents(struct sta__call *call, struct sta__output *output, void *argument)
{
    const struct text *text = argument;
    const sta_error *broken;
    put_comment(call, output, text, text->options.header);
    broken = call->error;
    if (sta__runtime.settings.ranks > 1)
        call->error = NULL;
    put_rows(call, output, text);
    call->error = broken ? broken : call->error;
    if (!call->error)
        put_comment(call, output, text, text->options.footer);
}

static bool read_options(struct sta__call *call, struct text *text, const sta_savetxt_options *given)
{
    sta_savetxt_options *o = &text->options;
    if (given && (given->size < sizeof given->size || given->size > 4096))
        return sta__fail(call, STA_ERROR_VALUE, "sta_savetxt_options.size is %zu", given->size) != NULL;
    if (given)
        memcpy(o, given, given->size < sizeof *o ? given->size : sizeof *o);
    o->delimiter = o->delimiter ? o->delimiter : " ";
    o->newline = o->newline ? o->newline : "\n";
    o->comments = o->comments ? o->comments : "# ";
    return read_format(call, text);
}

const sta_error *sta_savetxt(const char *path, sta_array x, const sta_savetxt_options *options)
{
    struct sta__operand operand;
    struct sta__call call = sta__enter("savetxt");
    struct text text = {.x = &operand};
    if (!sta__operand_of(&call, x, &operand))
        return sta__leave_error(&call);
    const int ndim = operand.view.shape.ndim;
    if (ndim != 1 && ndim != 2)
        sta__fail(&call, STA_ERROR_SHAPE, "text has 1 or 2 axes, not %d", ndim);
    else if (read_options(&call, &text, options))
        sta__output_file(&call, path, contents, &text);
    sta__operand_drop(&operand);
    return sta__leave_error(&call);
}
