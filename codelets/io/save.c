/* Writing arrays to files: sta_save, sta_tofile, and what .npz files are made with. */
#include "output.h"

#include "io.h"
#include "mpi/ranks.h"
#include "zip.h"

#include <starray/io.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 4 << 20 }; /* bytes that are fetched and written at a time */

static bool fail_at(struct sta__call *call, const char *path, const char *what)
{
    sta__fail(call, STA_ERROR_IO, "%.90s: %s: %s", path, what, strerror(errno));
    return false;
}

static bool open_output(struct sta__call *call, const char *path, struct sta__output *to)
{
    static atomic_int number;
    struct stat facts;
    to->direct = stat(path, &facts) == 0 && !S_ISREG(facts.st_mode);
    if (!realpath(path, to->target)) { /* through links, to what they name */
        if (errno != ENOENT || strlen(path) >= sizeof to->target)
            return fail_at(call, path, "cannot be written");
        strcpy(to->target, path);
    }
    snprintf(to->name, sizeof to->name, "%s.%ld-%d.part", to->target, (long)getpid(), atomic_fetch_add(&number, 1));
    to->descriptor =
        to->direct ? open(path, O_WRONLY | O_CLOEXEC) : open(to->name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (to->descriptor < 0)
        return fail_at(call, path, "cannot be written");
    if (!to->direct && stat(to->target, &facts) == 0)
        fchmod(to->descriptor, facts.st_mode & 07777); /* as the file that it replaces */
    return true;
}

static void close_output(struct sta__call *call, const char *path, struct sta__output *output)
{
    if (close(output->descriptor) != 0 && !call->error)
        fail_at(call, path, "writing failed");
    if (!output->direct && !call->error && rename(output->name, output->target) != 0)
        fail_at(call, path, "renaming failed");
    if (!output->direct && call->error)
        unlink(output->name);
}

/* Boxes that lie one behind the other in C order: one index of the leading axes, a range of axis `cut`, all of the
 * rest. */
struct pieces {
    int cut;
    int64_t length; /* along the cut axis */
    int64_t bytes;  /* of the largest */
};

static struct pieces cut_pieces(const struct sta__shape *shape, int64_t itemsize)
{
    struct pieces pieces = {.cut = shape->ndim, .length = 1, .bytes = itemsize};
    bool whole = true;
    while (pieces.cut > 0 && whole && pieces.bytes <= PIECE / 2) {
        int64_t length = shape->at[--pieces.cut], fit = PIECE / pieces.bytes;
        whole = fit >= length;
        pieces.length = whole ? length : fit;
        pieces.bytes *= pieces.length;
    }
    return pieces;
}

/* The next piece; false after the last. */
static bool next_piece(struct sta__box *box, const struct pieces *pieces, const struct sta__shape *shape)
{
    for (int axis = pieces->cut; axis >= 0; axis--) {
        int64_t step = axis == pieces->cut ? pieces->length : 1;
        if (axis < shape->ndim && box->to[axis] < shape->at[axis]) {
            box->from[axis] = box->to[axis];
            box->to[axis] = box->from[axis] + step < shape->at[axis] ? box->from[axis] + step : shape->at[axis];
            return true;
        }
        if (axis < shape->ndim) {
            box->from[axis] = 0;
            box->to[axis] = step;
        }
    }
    return false;
}

static struct sta__box first_piece(const struct pieces *pieces, const struct sta__shape *shape)
{
    struct sta__box box = sta__whole_box(shape);
    for (int axis = 0; axis < pieces->cut; axis++)
        box.to[axis] = 1;
    if (pieces->cut < shape->ndim)
        box.to[pieces->cut] = pieces->length;
    return box;
}

/* Writes behind what is there. */
static sta_error_code put(struct sta__output *output, const void *data, size_t bytes, char *why)
{
    if (output->summed)
        output->crc = sta__crc(output->crc, data, bytes);
    output->at += (int64_t)bytes;
    return sta__write_all(output->descriptor, data, bytes, why);
}

/* What fails on the first rank must not end the reading before that of the others ends. */
void sta__output_array(struct sta__call *call, struct sta__operand *operand, struct sta__output *output)
{
    const struct sta__shape *shape = &operand->view.shape;
    int64_t size, itemsize = (int64_t)sta_itemsize(operand->value->dtype);
    if (!sta__shape_size(shape, &size) || size == 0)
        return;
    struct pieces pieces = cut_pieces(shape, itemsize);
    char why[STA__WHY], *buffer = sta__pool_take((size_t)pieces.bytes);
    if (!buffer) {
        sta__fail_memory(call);
        return;
    }
    struct sta__box box = first_piece(&pieces, shape);
    const sta_error *before = call->error;
    call->error = NULL;
    bool more = true, broken = before != NULL;
    while (more && !call->error) {
        size_t bytes = (size_t)(sta__box_size(&box) * itemsize);
        bool good = sta__read_operand(call, operand, &box, buffer);
        if (good && output && !broken && put(output, buffer, bytes, why)) {
            broken = true;
            sta__fail(call, STA_ERROR_IO, "%.90s: %.100s", output->target, why);
            before = call->error;
            call->error = NULL;
        }
        more = next_piece(&box, &pieces, shape) && !(broken && sta__runtime.settings.ranks <= 1);
    }
    sta__pool_give(buffer, (size_t)pieces.bytes);
    call->error = before ? before : call->error;
}

bool sta__output_write(struct sta__call *call, struct sta__output *output, const void *data, size_t bytes)
{
    char why[STA__WHY];
    if (put(output, data, bytes, why))
        sta__fail(call, STA_ERROR_IO, "%.90s: %.100s", output->target, why);
    return !call->error;
}

void sta__output_file(struct sta__call *call, const char *path, sta__output_contents *contents, void *argument)
{
    struct sta__output output = {.descriptor = -1};
    const bool first = sta__runtime.settings.rank == 0; /* reads are collective; the first rank writes */
    if (call->error)
        return;
    if (!path)
        sta__fail(call, STA_ERROR_VALUE, "the path is NULL");
    else if (first)
        open_output(call, path, &output);
    if (sta__ranks_agree(call, NULL))
        return;
    contents(call, first ? &output : NULL, argument);
    if (first)
        close_output(call, path, &output);
    sta__ranks_agree(call, NULL);
}

/* ---- one array ---- */

static void with_header(struct sta__call *call, struct sta__output *output, void *argument)
{
    struct sta__operand *x = argument;
    char head[STA__NPY_OURS];
    size_t bytes = sta__npy_header(head, x->value->dtype, &x->view.shape);
    if (output)
        sta__output_write(call, output, head, bytes);
    sta__output_array(call, x, output);
}

static void bare(struct sta__call *call, struct sta__output *output, void *argument)
{
    sta__output_array(call, argument, output);
}

static const sta_error *save(const char *op, const char *path, sta_array x, sta__output_contents *contents)
{
    struct sta__operand operand;
    struct sta__call call = sta__enter(op);
    if (!sta__operand_of(&call, x, &operand))
        return sta__leave_error(&call);
    sta__output_file(&call, path, contents, &operand);
    sta__operand_drop(&operand);
    return sta__leave_error(&call);
}

const sta_error *sta_save(const char *path, sta_array x)
{
    return save("save", path, x, with_header);
}

const sta_error *sta_tofile(const char *path, sta_array x)
{
    return save("tofile", path, x, bare);
}
