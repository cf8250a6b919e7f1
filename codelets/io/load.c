/* sta_load, sta_fromfile: arrays whose elements lie in a file as they are. */
#include "create/create.h"
#include "io.h"
#include "mpi/ranks.h"

#include <starray/io.h>
#include <starray/scope.h>
#include <starray/shape.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What a file in Fortran order is in C order. */
static void turn_round(struct sta__shape *shape)
{
    for (int i = 0, j = shape->ndim - 1; i < j; i++, j--) {
        int64_t length = shape->at[i];
        shape->at[i] = shape->at[j];
        shape->at[j] = length;
    }
}

struct sta__file *sta__file_open(struct sta__call *call, const char *path)
{
    struct sta__file *file = path ? sta__allocate(sizeof *file) : NULL;
    if (!path)
        return sta__fail(call, STA_ERROR_VALUE, "the path is NULL");
    if (!file)
        return sta__fail_memory(call);
    atomic_init(&file->references, 1);
    snprintf(file->name, sizeof file->name, "%s", path);
    file->descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (file->descriptor < 0) {
        sta__fail(call, STA_ERROR_IO, "%s: %s", file->name, strerror(errno));
        sta__release(file);
        return NULL;
    }
    return file;
}

static struct sta__file *open_npy(struct sta__call *call, const char *path)
{
    char why[STA__WHY];
    struct sta__file *file = sta__file_open(call, path);
    if (!file)
        return NULL;
    sta_error_code error = sta__npy_open(file->descriptor, &file->npy, why);
    if (error) {
        sta__file_drop(file);
        return sta__fail(call, error, "%.90s: %.100s", path, why);
    }
    if (file->npy.fortran)
        turn_round(&file->npy.shape);
    return file;
}

static struct sta__value *read_now(struct sta__call *call, struct sta__file *file)
{
    char why[STA__WHY];
    struct sta__value *value = sta__value_now(file->npy.dtype, &file->npy.shape);
    if (!value)
        return sta__fail_memory(call);
    struct sta__box box = sta__whole_box(&file->npy.shape);
    sta_error_code error = sta__load_box(file, &box, value->data, why);
    if (!error)
        return value;
    sta__value_drop(value);
    return sta__fail(call, error, "%s: %.100s", file->name, why);
}

static bool submit(struct sta__call *call, struct sta__file *file, struct sta__value *value)
{
    struct sta__batch *batch = sta__batch_open(call, &sta__load_kernel, file->npy.dtype, false);
    if (!batch)
        return false;
    for (int64_t tile = 0; tile < value->grid->tiles; tile++) {
        struct sta__load_arguments arguments = {file, sta__grid_box(value->grid, tile)};
        struct sta__task *task = sta__batch_task(batch, &arguments, sizeof arguments);
        if (!task)
            break;
        atomic_fetch_add(&file->references, 1);
        sta__task_writes(task, value, tile);
    }
    return sta__batch_submit(batch);
}

static struct sta__value *read_by_tasks(struct sta__call *call, struct sta__file *file)
{
    struct sta__grid *grid = sta__grid_default(&file->npy.shape, file->npy.dtype);
    struct sta__value *value = grid ? sta__value_tiled(file->npy.dtype, grid) : NULL;
    sta__grid_drop(grid);
    if (!value)
        return sta__fail_memory(call);
    if (submit(call, file, value))
        return value;
    sta__value_drop(value);
    return NULL;
}

sta_array sta__file_load(struct sta__call *call, struct sta__file *file)
{
    if (call->locked && sta__ranks_agree(call, NULL) && file) {
        sta__file_drop(file);
        file = NULL;
    }
    if (!file)
        return sta__leave(call, NULL);
    int64_t bytes = file->npy.size * (int64_t)sta_itemsize(file->npy.dtype);
    bool now = file->npy.size == 0 || sta__runs_now(bytes, NULL, 0), fortran = file->npy.fortran;
    struct sta__value *value = now ? read_now(call, file) : read_by_tasks(call, file);
    sta__file_drop(file);
    if (now && sta__ranks_agree(call, NULL) && value) {
        sta__value_drop(value);
        value = NULL;
    }
    sta_array x = sta__leave(call, value);
    if (!value || !fortran)
        return x;
    sta_array view = sta_transpose(x, STA_ALL);
    sta_free(x);
    return view;
}

sta_array sta_load(const char *path)
{
    struct sta__call call = sta__enter("load");
    return sta__file_load(&call, call.error ? NULL : open_npy(&call, path));
}

/* ---- without a header ---- */

/* What of the file is the array. False: call->error. */
static bool describe(struct sta__call *call, struct sta__file *file, sta_dtype dtype, int64_t count, int64_t offset)
{
    const int64_t item = (int64_t)sta_itemsize(dtype);
    struct stat facts;
    if (!sta__check_dtype(call, dtype))
        return false;
    if (fstat(file->descriptor, &facts) != 0 || !S_ISREG(facts.st_mode))
        return sta__fail(call, STA_ERROR_IO, "%s: not a regular file", file->name) != NULL;
    if (offset < 0 || offset > facts.st_size)
        return sta__fail(call, STA_ERROR_VALUE, "%s has %" PRId64 " bytes: there is no offset %" PRId64, file->name,
                         (int64_t)facts.st_size, offset) != NULL;
    const int64_t there = (facts.st_size - offset) / item;
    count = count < 0 ? there : count;
    if (count > there)
        return sta__fail(call, STA_ERROR_FORMAT, "%s: %" PRId64 " elements are wanted and %" PRId64 " are there",
                         file->name, count, there) != NULL;
    file->npy = (struct sta__npy){.dtype = dtype, .shape = {1, {count}}, .size = count, .begin = offset};
    return true;
}

sta_array sta_fromfile(const char *path, sta_dtype dtype, int64_t count, int64_t offset)
{
    struct sta__call call = sta__enter("fromfile");
    struct sta__file *file = call.error ? NULL : sta__file_open(&call, path);
    if (file && !describe(&call, file, dtype ? dtype : STA_float64, count, offset)) {
        sta__file_drop(file);
        file = NULL;
    }
    return sta__file_load(&call, file);
}
