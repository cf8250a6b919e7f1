/* Memory of the program: copied at once, or made an array in place through a root handle and its tiles. */
#include "codelets/create/create.h"
#include "copy/assemble.h"
#include "mpi/ranks.h"
#include "partition/filter.h"
#include "partition/tile.h"

#include <starray/create.h>

#include <starpu.h>
#include <string.h>

struct buffer {
    char *memory;
    sta_dtype dtype;
    struct sta__shape shape;
    int64_t stride[STA_MAXDIM]; /* bytes */
    bool contiguous;
    bool repeats; /* some elements are one in memory */
    bool aligned; /* elements can be read where they lie */
};

/* Bytes that the address of an element is a multiple of. */
static int64_t alignment(sta_dtype dtype)
{
    return (int64_t)sta_itemsize(dtype) / (sta__dtype_kind(dtype) == STA__KIND_COMPLEX ? 2 : 1);
}

static bool describe(struct sta__call *call, struct buffer *b, void *memory, const sta_dims *dims,
                     const int64_t *strides)
{
    int64_t size = 0, step = (int64_t)sta_itemsize(b->dtype);
    if (!sta__check_shape(call, dims, &b->shape) || !sta__check_dtype(call, b->dtype))
        return false;
    sta__shape_size(&b->shape, &size);
    if (!memory && size) {
        sta__fail(call, STA_ERROR_VALUE, "the memory is NULL and the array has %lld elements", (long long)size);
        return false;
    }
    const int64_t unit = alignment(b->dtype);
    b->memory = memory;
    b->contiguous = true;
    b->aligned = size == 0 || (int64_t)((uintptr_t)memory % (uintptr_t)unit) == 0;
    for (int a = b->shape.ndim - 1; a >= 0; a--) {
        b->stride[a] = strides ? strides[a] : step;
        b->contiguous &= b->stride[a] == step || b->shape.at[a] <= 1;
        b->repeats |= b->stride[a] == 0 && b->shape.at[a] > 1;
        b->aligned &= size == 0 || b->shape.at[a] <= 1 || b->stride[a] % unit == 0;
        step *= b->shape.at[a] ? b->shape.at[a] : 1;
    }
    return true;
}

/* Copies the buffer's box into C order memory. */
static void copy_box(const struct buffer *b, const struct sta__box *box, void *to)
{
    int64_t shape[STA_MAXDIM], stride[STA_MAXDIM], step = (int64_t)sta_itemsize(b->dtype);
    const char *from = b->memory;
    for (int a = box->ndim - 1; a >= 0; a--) {
        shape[a] = box->to[a] - box->from[a];
        stride[a] = step;
        step *= shape[a];
        from += box->from[a] * b->stride[a];
    }
    sta__copy_box(to, stride, from, b->stride, shape, box->ndim, sta_itemsize(b->dtype));
}

/* Writes a tile that no task knows yet: StarPU has nothing to wait for. */
static bool fill_tile(struct sta__call *call, const struct buffer *b, struct sta__value *value, int64_t t)
{
    struct sta__tile *tile = value->tiles[t];
    struct sta__box box = sta__grid_box(value->grid, t);
    struct sta__memory memory;
    if (!sta__ranks_fill(tile))
        return true;
    if (starpu_data_acquire(sta__tile_handle(tile), STARPU_W))
        return sta__fail(call, STA_ERROR_STARPU, "StarPU refuses to give access to a new tile") != NULL;
    bool there = sta__tile_memory(starpu_data_get_interface_on_node(tile->handle, STARPU_MAIN_RAM), &memory);
    if (there)
        copy_box(b, &box, memory.data);
    else
        sta__fail_memory(call);
    starpu_data_release(tile->handle);
    return there;
}

static struct sta__value *copied(struct sta__call *call, const struct buffer *b)
{
    struct sta__box whole = sta__whole_box(&b->shape);
    int64_t bytes = sta__box_size(&whole) * (int64_t)sta_itemsize(b->dtype);
    if (sta__runs_now(bytes, NULL, 0)) {
        struct sta__value *value = sta__value_now(b->dtype, &b->shape);
        if (!value)
            return sta__fail_memory(call);
        if (bytes)
            copy_box(b, &whole, value->data);
        return value;
    }
    struct sta__grid *grid = sta__grid_default(&b->shape, b->dtype);
    struct sta__value *value = grid ? sta__value_tiled(b->dtype, grid) : NULL;
    sta__grid_drop(grid);
    bool fine = value != NULL;
    for (int64_t t = 0; fine && t < value->grid->tiles; t++)
        fine = fill_tile(call, b, value, t);
    if (fine)
        return value;
    sta__value_drop(value);
    return sta__fail_memory(call);
}

/* StarPU looks at all pairs of a root's parts whenever it changes between the root and its parts. */
enum { MOST_PARTS = 1024 };

/* Cuts of rows, so that the tiles of contiguous memory are contiguous too. */
static struct sta__value *in_place(struct sta__call *call, const struct buffer *b, struct sta__owner owner,
                                   bool read_only)
{
    struct sta__grid *grid = sta__grid_at_most(&b->shape, b->dtype, MOST_PARTS);
    struct sta__value *value = grid ? sta__value_pending(b->dtype, &b->shape) : NULL;
    if (!value) {
        sta__grid_drop(grid);
        return sta__fail_memory(call);
    }
    value->state = STA__TILED;
    value->user = true;
    value->read_only = read_only;
    value->grid = grid;
    int cut = 0;
    for (int a = 0; a < grid->shape.ndim; a++)
        cut = grid->count[a] > 1 ? a : cut;
    bool runs = true;
    for (int a = 0; a < cut; a++)
        runs &= grid->edge[a] == 1;
    value->strided = !b->contiguous || !runs;
    value->tiles = sta__allocate(sizeof *value->tiles * (size_t)grid->tiles);
    if (value->tiles && sta__root_make(b->memory, b->dtype, b->stride, grid, owner, value->tiles))
        return value;
    sta__release(value->tiles);
    value->tiles = NULL;
    sta__value_drop(value);
    return sta__fail_memory(call);
}

sta_array sta_from_buffer(void *memory, sta_dtype dtype, sta_dims shape, const int64_t *strides, unsigned flags,
                          void (*done)(void *argument), void *argument)
{
    struct sta__call call = sta__enter("from_buffer");
    struct buffer b = {.dtype = dtype};
    struct sta__value *value = NULL;
    struct sta__box whole;
    bool fine = !call.error && describe(&call, &b, memory, &shape, strides), ours = false;
    if (fine) {
        whole = sta__whole_box(&b.shape);
        ours = !(flags & STA_COPY) && sta__box_size(&whole) > 0;
        if (flags & ~(unsigned)(STA_COPY | STA_READ_ONLY))
            sta__fail(&call, STA_ERROR_VALUE, "flags 0x%x are not known", flags);
        else if (ours && !b.aligned)
            sta__fail(&call, STA_ERROR_VALUE,
                      "the address or a stride is no multiple of %d bytes, as %s wants it: it can be copied (STA_COPY)",
                      (int)alignment(dtype), sta_dtype_name(dtype));
        value = call.error ? NULL
                : ours ? in_place(&call, &b, (struct sta__owner){done, argument}, (flags & STA_READ_ONLY) || b.repeats)
                       : copied(&call, &b);
        if (value && !ours)
            value->read_only = flags & STA_READ_ONLY;
    }
    sta_array x = sta__leave(&call, value);
    if (done && !(ours && value))
        done(argument);
    return x;
}
