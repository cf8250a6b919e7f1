/* sta_memmap. */
#include "io.h"
#include "mpi/ranks.h"

#include <starray/create.h>
#include <starray/io.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct mapping {
    void *memory;
    size_t bytes;
};

static void unmap(void *argument)
{
    struct mapping *mapping = argument;
    munmap(mapping->memory, mapping->bytes);
    sta__release(mapping);
}

/* Memory of the whole file, and what its header says; NULL: the call's error. A read-only one is a private copy page by
 * page, so that even a stray write cannot harm the file. */
static struct mapping *map_file(struct sta__call *call, const char *path, bool writes, struct sta__npy *npy)
{
    char why[STA__WHY];
    int file = open(path, (writes ? O_RDWR : O_RDONLY) | O_CLOEXEC);
    if (file < 0)
        return sta__fail(call, STA_ERROR_IO, "%.90s: %s", path, strerror(errno));
    sta_error_code error = sta__npy_open(file, npy, why);
    if (!error && npy->swapped) {
        snprintf(why, sizeof why, "its byte order is not the machine's: it can be loaded, but not mapped");
        error = STA_ERROR_FORMAT;
    }
    const int parts = sta__dtype_kind(npy->dtype) == STA__KIND_COMPLEX ? 2 : 1;
    if (!error && npy->size > 0 && npy->begin % ((int64_t)sta_itemsize(npy->dtype) / parts)) {
        snprintf(why, sizeof why, "its elements are not aligned: it can be loaded, but not mapped");
        error = STA_ERROR_FORMAT;
    }
    struct mapping *mapping = error ? NULL : sta__allocate(sizeof *mapping);
    if (mapping) {
        mapping->bytes = (size_t)(npy->begin + npy->size * (int64_t)sta_itemsize(npy->dtype));
        mapping->memory =
            mmap(NULL, mapping->bytes, PROT_READ | PROT_WRITE, writes ? MAP_SHARED : MAP_PRIVATE, file, 0);
    }
    int reason = errno;
    close(file);
    if (error)
        return sta__fail(call, error, "%.90s: %.100s", path, why);
    if (!mapping)
        return sta__fail_memory(call);
    if (mapping->memory != MAP_FAILED)
        return mapping;
    sta__release(mapping);
    return sta__fail(call, STA_ERROR_IO, "%.90s: cannot be mapped: %s", path, strerror(reason));
}

sta_array sta_memmap(const char *path, unsigned flags)
{
    struct sta__npy npy = {.fortran = false};
    struct mapping *mapping = NULL;
    struct sta__call call = sta__enter("memmap");
    if (!call.error && (!path || flags & ~(unsigned)STA_READ_ONLY))
        sta__fail(&call, STA_ERROR_VALUE, path ? "only the flag STA_READ_ONLY is known" : "the path is NULL");
    if (!call.error)
        mapping = map_file(&call, path, !(flags & STA_READ_ONLY), &npy);
    if (call.locked && sta__ranks_agree(&call, NULL) && mapping) {
        unmap(mapping);
        mapping = NULL;
    }
    if (!mapping)
        return sta__leave(&call, NULL);
    sta__leave_error(&call);
    sta_dims shape = {.count = npy.shape.ndim};
    int64_t strides[STA_MAXDIM], stride = (int64_t)sta_itemsize(npy.dtype);
    for (int i = 0; i < shape.count; i++) {
        int axis = npy.fortran ? i : shape.count - 1 - i;
        shape.at[axis] = npy.shape.at[axis];
        strides[axis] = stride;
        stride *= npy.shape.at[axis];
    }
    char *elements = (char *)mapping->memory + npy.begin;
    return sta_from_buffer(elements, npy.dtype, shape, strides, flags, unmap, mapping);
}
