/* sta_save. */
#include "io.h"
#include "mpi/ranks.h"

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

/* A file on its way: written under another name, then renamed. What is no regular file (a pipe, a device) is written as
 * it is. */
struct output {
    int descriptor;
    bool direct;
    char target[PATH_MAX], name[PATH_MAX + 40];
};

static bool fail_at(struct sta__call *call, const char *path, const char *what)
{
    sta__fail(call, STA_ERROR_IO, "%.90s: %s: %s", path, what, strerror(errno));
    return false;
}

static bool open_output(struct sta__call *call, const char *path, struct output *to)
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

static void close_output(struct sta__call *call, const char *path, struct output *output)
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

static bool write_pieces(struct sta__call *call, struct sta__operand *operand, const struct output *output, bool writes)
{
    const struct sta__shape *shape = &operand->view.shape;
    int64_t size, itemsize = (int64_t)sta_itemsize(operand->value->dtype);
    if (!sta__shape_size(shape, &size) || size == 0)
        return true;
    struct pieces pieces = cut_pieces(shape, itemsize);
    char why[STA__WHY], *buffer = sta__pool_take((size_t)pieces.bytes);
    if (!buffer)
        return sta__fail_memory(call) != NULL;
    struct sta__box box = first_piece(&pieces, shape);
    bool more = true, broken = false; /* the other ranks read on with this one */
    while (more && !call->error) {
        size_t bytes = (size_t)(sta__box_size(&box) * itemsize);
        bool good = sta__read_operand(call, operand, &box, buffer);
        if (good && writes && !broken && sta__write_all(output->descriptor, buffer, bytes, why))
            broken = true;
        more = next_piece(&box, &pieces, shape) && !(broken && sta__runtime.settings.ranks <= 1);
    }
    sta__pool_give(buffer, (size_t)pieces.bytes);
    if (broken)
        sta__fail(call, STA_ERROR_IO, "%.90s: %.100s", output->target, why);
    return !call->error;
}

static void save(struct sta__call *call, const char *path, struct sta__operand *operand)
{
    struct output output = {.descriptor = -1};
    char head[STA__NPY_OURS], why[STA__WHY];
    bool first = sta__runtime.settings.rank == 0; /* reads are collective; the first rank writes */
    if (first)
        open_output(call, path, &output);
    if (sta__ranks_agree(call, NULL))
        return;
    if (!first) {
        write_pieces(call, operand, &output, false);
        sta__ranks_agree(call, NULL);
        return;
    }
    size_t bytes = sta__npy_header(head, operand->value->dtype, &operand->view.shape);
    bool headed = !sta__write_all(output.descriptor, head, bytes, why);
    write_pieces(call, operand, &output, headed);
    if (!headed)
        sta__fail(call, STA_ERROR_IO, "%.90s: %.100s", path, why);
    close_output(call, path, &output);
    sta__ranks_agree(call, NULL);
}

const sta_error *sta_save(const char *path, sta_array x)
{
    struct sta__operand operand;
    struct sta__call call = sta__enter("save");
    if (!sta__operand_of(&call, x, &operand))
        return sta__leave_error(&call);
    if (path)
        save(&call, path, &operand);
    else
        sta__fail(&call, STA_ERROR_VALUE, "the path is NULL");
    sta__operand_drop(&operand);
    return sta__leave_error(&call);
}
