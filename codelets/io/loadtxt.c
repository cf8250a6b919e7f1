/* sta_loadtxt: a line at a time, numbers behind each other in memory, then one array of them. */
#include "composed.h"
#include "create/create.h"
#include "elementwise/ufunc.h"
#include "mpi/ranks.h"

#include <starray/create.h>
#include <starray/io.h>
#include <starray/shape.h>

#include <errno.h>
#include <glib.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers are read as one of these, and cast to the dtype at the end: exact for every dtype of its kind. */
enum reading { SIGNED, UNSIGNED, REAL, COMPLEX };

struct table {
    sta_loadtxt_options options;
    enum reading reading;
    size_t item;
    int64_t rows, columns, line; /* columns: -1 before the first row */
    struct sta__vector words;    /* of the line at hand: const char * */
    char *data;
    int64_t count, room; /* numbers */
};

/* ---- numbers ---- */

static bool read_complex(const char *word, double to[2])
{
    char *end;
    const bool bracket = *word == '(';
    word += bracket;
    to[0] = g_ascii_strtod(word, &end);
    to[1] = 0;
    if (end == word)
        return false;
    if (*end == 'j') {
        to[1] = to[0];
        to[0] = 0;
        end++;
    } else if (*end == '+' || *end == '-') {
        const char *second = end;
        to[1] = g_ascii_strtod(second, &end);
        if (end == second || *end != 'j')
            return false;
        end++;
    }
    return bracket ? strcmp(end, ")") == 0 : !*end;
}

static bool read_number(const struct table *t, const char *word, char *to)
{
    char *end = NULL;
    double parts[2];
    errno = 0;
    if (t->reading == COMPLEX) {
        if (!read_complex(word, parts))
            return false;
        memcpy(to, parts, sizeof parts);
        return true;
    }
    if (t->reading == REAL) {
        const double value = g_ascii_strtod(word, &end); /* too large: infinity, as NumPy has it */
        memcpy(to, &value, sizeof value);
        return end != word && !*end;
    }
    if (t->reading == SIGNED) {
        const int64_t value = g_ascii_strtoll(word, &end, 10);
        memcpy(to, &value, sizeof value);
    } else {
        const uint64_t value = g_ascii_strtoull(word, &end, 10);
        memcpy(to, &value, sizeof value);
        if (strchr(word, '-'))
            return false;
    }
    return end != word && !*end && errno != ERANGE;
}

/* Whether the integer is one of the dtype; bool has 0 and what is not 0. */
static bool fits(const struct table *t, const char *number)
{
    const sta_dtype dtype = t->options.dtype;
    int64_t value;
    if (t->reading > UNSIGNED || dtype == STA_bool || dtype == STA_int64 || dtype == STA_uint64)
        return true;
    memcpy(&value, number, sizeof value);
    return value >= 0 || t->reading == SIGNED ? sta__dtype_holds(dtype, value) : false;
}

/* ---- lines ---- */

/* Cuts the line into words, in place. False: no memory. */
static bool cut_line(struct table *t, char *line)
{
    const char delimiter = t->options.delimiter;
    char *comment = strchr(line, t->options.comments);
    t->words.count = 0;
    if (comment)
        *comment = '\0';
    g_strstrip(line);
    while (*line) {
        const char **word = sta__vector_add(&t->words);
        if (!word)
            return false;
        size_t length = delimiter ? strcspn(line, (char[]){delimiter, '\0'}) : strcspn(line, " \t\r\n\v\f");
        const bool last = !line[length];
        line[length] = '\0';
        *word = delimiter ? g_strstrip(line) : line;
        line += last ? length : length + 1;
        if (!last && delimiter && !*line) { /* a delimiter at the end: an empty word */
            word = sta__vector_add(&t->words);
            if (!word)
                return false;
            *word = line;
        }
        while (!delimiter && *line && strchr(" \t\r\n\v\f", *line))
            line++;
    }
    return true;
}

static const char *word_at(const struct table *t, int64_t i)
{
    return ((const char **)(void *)t->words.data)[i];
}

static bool make_room(struct sta__call *call, struct table *t)
{
    if (t->count + t->columns <= t->room)
        return true;
    const int64_t room = 2 * (t->count + t->columns);
    char *more = sta__resize(t->data, t->item * (size_t)t->room, t->item * (size_t)room);
    if (!more)
        return sta__fail_memory(call) != NULL;
    t->data = more;
    t->room = room;
    return true;
}

/* The numbers of a line with words. False: call->error. */
static bool take_row(struct sta__call *call, struct table *t)
{
    const sta_dims *chosen = &t->options.columns;
    const int64_t there = (int64_t)t->words.count, wanted = chosen->count > 0 ? chosen->count : there;
    if (t->columns < 0)
        t->columns = wanted;
    if (wanted != t->columns)
        return sta__fail(call, STA_ERROR_FORMAT, "line %" PRId64 ": %" PRId64 " columns, and %" PRId64 " before",
                         t->line, there, t->columns) != NULL;
    if (!make_room(call, t))
        return false;
    for (int64_t i = 0; i < wanted; i++) {
        int64_t column = chosen->count > 0 ? chosen->at[i] : i;
        column += column < 0 ? there : 0;
        if (column < 0 || column >= there)
            return sta__fail(call, STA_ERROR_INDEX, "line %" PRId64 ": there is no column %" PRId64 ", only %" PRId64,
                             t->line, chosen->at[i], there) != NULL;
        char *to = t->data + t->item * (size_t)t->count++;
        if (!read_number(t, word_at(t, column), to) || !fits(t, to))
            return sta__fail(call, STA_ERROR_FORMAT, "line %" PRId64 ": \"%.40s\" is no %s", t->line,
                             word_at(t, column), sta_dtype_name(t->options.dtype)) != NULL;
    }
    t->rows++;
    return true;
}

static bool wants_more(const struct sta__call *call, const struct table *t)
{
    return !call->error && (t->options.max_rows == 0 || t->rows < t->options.max_rows);
}

static void take_line(struct sta__call *call, struct table *t, char *line)
{
    if (++t->line <= t->options.skip)
        return;
    if (!cut_line(t, line))
        sta__fail_memory(call);
    else if (t->words.count)
        take_row(call, t);
}

/* A line ends with a newline, a carriage return, or both: what getline gives may be several. */
static void read_lines(struct sta__call *call, struct table *t, FILE *file)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    while (wants_more(call, t) && (length = getline(&line, &room, file)) >= 0) {
        if (strlen(line) != (size_t)length)
            sta__fail(call, STA_ERROR_FORMAT, "line %" PRId64 " has a zero byte: that is no text", t->line + 1);
        for (char *next = line, *end; next && wants_more(call, t); next = end) {
            end = strchr(next, '\r');
            end = end && end[1] && end[1] != '\n' ? end : NULL;
            if (end)
                *end++ = '\0';
            take_line(call, t, next);
        }
    }
    if (ferror(file) && !call->error)
        sta__fail(call, STA_ERROR_IO, "reading failed: %s", strerror(errno));
    free(line); /* getline's own */
}

/* ---- the array ---- */

static bool read_options(struct sta__call *call, struct table *t, const sta_loadtxt_options *given)
{
    static const enum reading readings[] = {[STA__KIND_BOOL] = SIGNED,
                                            [STA__KIND_SIGNED] = SIGNED,
                                            [STA__KIND_UNSIGNED] = UNSIGNED,
                                            [STA__KIND_FLOATING] = REAL,
                                            [STA__KIND_COMPLEX] = COMPLEX};
    if (given && (given->size < sizeof given->size || given->size > 4096))
        return sta__fail(call, STA_ERROR_VALUE, "sta_loadtxt_options.size is %zu", given->size) != NULL;
    if (given)
        memcpy(&t->options, given, given->size < sizeof t->options ? given->size : sizeof t->options);
    t->options.dtype = t->options.dtype ? t->options.dtype : STA_float64;
    t->options.comments = t->options.comments ? t->options.comments : '#';
    if (!sta__check_dtype(call, t->options.dtype))
        return false;
    if (t->options.columns.count > STA_MAXDIM || t->options.ndmin < 0 || t->options.ndmin > 2)
        return sta__fail(call, STA_ERROR_VALUE, "ndmin is 0 to 2, and at most %d columns are chosen", STA_MAXDIM) !=
               NULL;
    if (t->options.skip < 0 || t->options.max_rows < 0)
        return sta__fail(call, STA_ERROR_VALUE, "skip and max_rows are not negative") != NULL;
    t->reading = readings[sta__dtype_kind(t->options.dtype)];
    t->item = t->reading == COMPLEX ? 2 * sizeof(double) : sizeof(double);
    return true;
}

/* Without axes of length 1, as far as ndmin lets them go. */
static sta_dims shape_of(const struct table *t)
{
    const int64_t columns = t->columns < 0 ? 0 : t->columns;
    if (t->columns < 0) /* no row at all */
        return t->options.ndmin == 2 ? STA_DIMS(0, 1) : STA_DIMS(0);
    if (t->options.ndmin == 2 || (t->rows != 1 && columns != 1))
        return STA_DIMS(t->rows, columns);
    if (t->options.ndmin == 0 && t->rows == 1 && columns == 1)
        return STA_SCALAR;
    return STA_DIMS(t->rows * columns);
}

static sta_array array_of(const struct table *t)
{
    static const sta_dtype as[] = {
        [SIGNED] = STA_int64, [UNSIGNED] = STA_uint64, [REAL] = STA_float64, [COMPLEX] = STA_complex128};
    const sta_scope scope = sta_open();
    const sta_array x = sta_from_buffer(t->data, as[t->reading], shape_of(t), NULL, STA_COPY, NULL, NULL);
    return sta__composed(scope, t->options.dtype == as[t->reading] ? x : sta_astype(x, t->options.dtype));
}

sta_array sta_loadtxt(const char *path, const sta_loadtxt_options *options)
{
    struct sta__call call = sta__enter("loadtxt");
    struct table t = {.columns = -1, .words = STA__VECTOR(const char *)};
    FILE *file = NULL;
    if (!call.error && !path)
        sta__fail(&call, STA_ERROR_VALUE, "the path is NULL");
    if (!call.error && read_options(&call, &t, options)) {
        file = fopen(path, "re");
        if (!file)
            sta__fail(&call, STA_ERROR_IO, "%.90s: %s", path, strerror(errno));
    }
    if (file) { /* which may be a pipe: others need not wait for it */
        sta__unlock();
        read_lines(&call, &t, file);
        sta__lock();
        fclose(file);
    }
    sta__vector_clear(&t.words);
    if (call.locked && sta__ranks_agree(&call, NULL)) {
        sta__release(t.data);
        return sta__leave(&call, NULL);
    }
    if (call.error)
        return sta__leave(&call, NULL);
    sta__call_end(&call);
    const sta_array x = array_of(&t);
    sta__release(t.data);
    return x;
}
