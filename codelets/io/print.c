/* sta_print, sta_print_to, sta_format. */
#include "format.h"
#include "io.h"

#include <starray/mpi.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* One corner of the array and its place in the buffer: for each axis all of it, its beginning or its end. */
struct corner {
    struct sta__box from;
    int64_t at[STA_MAXDIM];
};

/* `ends` has a bit for each axis: which end of a cut axis. False: an axis that is not cut has one end only. */
static bool corner_at(unsigned ends, const struct sta__shape *shape, const struct sta__shape *corners,
                      struct corner *to)
{
    to->from = sta__whole_box(shape);
    for (int axis = 0; axis < shape->ndim; axis++) {
        bool cut = corners->at[axis] < shape->at[axis], end = ends >> axis & 1;
        int64_t half = corners->at[axis] / 2;
        to->at[axis] = end ? half : 0;
        if (end && !cut)
            return false;
        if (cut)
            to->from.from[axis] = end ? shape->at[axis] - half : 0;
        if (cut && !end)
            to->from.to[axis] = half;
    }
    return true;
}

/* Puts the elements of a corner, C order, where they belong in the buffer, row by row. */
static void place(const struct corner *corner, const struct sta__shape *corners, const char *from, char *to,
                  int64_t itemsize)
{
    int last = corners->ndim - 1;
    int64_t index[STA_MAXDIM] = {0}, row = (corner->from.to[last] - corner->from.from[last]) * itemsize;
    for (;;) {
        int64_t at = 0;
        for (int axis = 0; axis <= last; axis++)
            at = at * corners->at[axis] + corner->at[axis] + index[axis];
        memcpy(to + at * itemsize, from, (size_t)row);
        from += row;
        int axis = last - 1;
        for (; axis >= 0 && ++index[axis] == corner->from.to[axis] - corner->from.from[axis]; axis--)
            index[axis] = 0;
        if (axis < 0)
            return;
    }
}

/* Fetches what is shown of the operand into `to`, whose second half has room for one corner. */
static bool fetch_corners(struct sta__call *call, struct sta__operand *operand, const struct sta__shape *corners,
                          char *to, char *room)
{
    const struct sta__shape *shape = &operand->view.shape;
    int64_t itemsize = (int64_t)sta_itemsize(operand->value->dtype);
    struct corner corner;
    if (sta__shape_equal(shape, corners))
        return corner_at(0, shape, corners, &corner) && sta__read_operand(call, operand, &corner.from, to);
    for (unsigned ends = 0; ends < 1u << shape->ndim; ends++) {
        if (!corner_at(ends, shape, corners, &corner))
            continue;
        if (!sta__read_operand(call, operand, &corner.from, room))
            return false;
        place(&corner, corners, room, to, itemsize);
    }
    return true;
}

/* The text of the operand, for sta__release; NULL: call->error. */
static char *text_of(struct sta__call *call, struct sta__operand *operand, const sta_print_options *given)
{
    sta_print_options options;
    struct sta__shape corners;
    int64_t size;
    if (!sta__format_options(given, &options))
        return sta__fail(call, STA_ERROR_VALUE, "a print option is out of range");
    sta__format_corners(&operand->view.shape, &options, &corners);
    if (!sta__shape_size(&corners, &size))
        return sta__fail_memory(call);
    size_t bytes = (size_t)size * sta_itemsize(operand->value->dtype);
    char *buffer = sta__allocate(bytes ? 2 * bytes : 1), *text = NULL;
    if (!buffer)
        return sta__fail_memory(call);
    if (size == 0 || fetch_corners(call, operand, &corners, buffer, buffer + bytes)) {
        text = sta__format_text(operand->value->dtype, &operand->view.shape, buffer, &options);
        if (!text)
            sta__fail_memory(call);
    }
    sta__release(buffer);
    return text;
}

static const sta_error *make_text(const char *op, sta_array x, const sta_print_options *options, char **text)
{
    struct sta__operand operand;
    struct sta__call call = sta__enter(op);
    *text = NULL;
    if (!sta__operand_of(&call, x, &operand))
        return sta__leave_error(&call);
    *text = text_of(&call, &operand, options);
    sta__operand_drop(&operand);
    return sta__leave_error(&call);
}

/* For what leaves through a pointer. */
static const sta_error *no_place(const char *op, const char *what)
{
    struct sta__call call = sta__enter(op);
    sta__fail(&call, STA_ERROR_VALUE, "%s is NULL", what);
    return sta__leave_error(&call);
}

const sta_error *sta_format(sta_array x, const sta_print_options *options, char **text)
{
    char *ours;
    if (!text)
        return no_place("format", "the pointer to the text");
    const sta_error *error = make_text("format", x, options, &ours);
    *text = ours ? strdup(ours) : NULL;
    sta__release(ours);
    if (error || *text)
        return error;
    struct sta__call call = sta__enter("format");
    sta__fail_memory(&call);
    return sta__leave_error(&call);
}

static const sta_error *writing_failed(void)
{
    struct sta__call call = sta__enter("print");
    sta__fail(&call, STA_ERROR_IO, "writing failed: %s", strerror(errno));
    return sta__leave_error(&call);
}

const sta_error *sta_print_to(FILE *file, sta_array x, const sta_print_options *options)
{
    char *text;
    if (!file)
        return no_place("print", "the file");
    const sta_error *error = make_text("print", x, options, &text);
    if (sta_rank() != 0) { /* all have the text; the first rank prints it */
        sta__release(text);
        return error;
    }
    int wrote = error ? fprintf(file, "<%s: %s>\n", error->op, error->text) : fprintf(file, "%s\n", text);
    sta__release(text);
    if (error || (wrote >= 0 && fflush(file) == 0)) /* a full disk is seen only then */
        return error;
    return writing_failed();
}

const sta_error *sta_print(sta_array x)
{
    return sta_print_to(stdout, x, NULL);
}
