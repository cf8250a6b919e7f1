/* The data interface by which StarPU knows tiles. */
#include "tile.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* ---- the interface of one node ---- */

int64_t sta__interface_bytes(const struct sta__tile_interface *tile)
{
    int64_t bytes = (int64_t)tile->item;

    for (int axis = 0; axis < tile->ndim; axis++)
        bytes *= tile->shape[axis];
    return bytes;
}

void sta__interface_contiguous(struct sta__tile_interface *tile)
{
    int64_t stride = (int64_t)tile->item;

    for (int axis = tile->ndim - 1; axis >= 0; axis--) {
        tile->stride[axis] = stride;
        stride *= tile->shape[axis];
    }
}

static size_t buffer_size(const struct sta__tile_interface *tile)
{
    return sta__node_size((size_t)sta__interface_bytes(tile));
}

/* Of the nodes that there are: StarPU has room for many more, and to touch all of it takes longer than a small task. */
static void register_tile(starpu_data_handle_t handle, sta__home_node home, void *interface)
{
    const struct sta__tile_interface *given = interface;

    for (unsigned node = 0; node < starpu_memory_nodes_get_count(); node++) {
        struct sta__tile_interface *tile = starpu_data_get_interface_on_node(handle, node);

        *tile = *given;
        if ((int)node == (int)home)
            continue;
        tile->pointer = tile->memory = 0;
        tile->offset = 0;
        sta__interface_contiguous(tile);
    }
}

static starpu_ssize_t allocate_tile(void *interface, unsigned node)
{
    struct sta__tile_interface *tile = interface;
    size_t bytes = (size_t)sta__interface_bytes(tile);
    bool give_up;
    uintptr_t memory = sta__node_take(node, bytes, &give_up);

    if (!memory && !give_up)
        return -ENOMEM; /* StarPU evicts and asks again */
    tile->pointer = tile->memory = memory;
    tile->offset = 0;
    tile->empty = !memory;
    sta__interface_contiguous(tile);
    return memory ? (starpu_ssize_t)buffer_size(tile) : 1;
}

static void free_tile(void *interface, unsigned node)
{
    struct sta__tile_interface *tile = interface;

    /* Bodies that read it have ended: said again in atomics, since thread sanitizer cannot see StarPU's order. */
    (void)atomic_load_explicit(&sta__bodies, memory_order_acquire);
    if (tile->memory)
        sta__node_give(node, tile->memory, (size_t)sta__interface_bytes(tile));
    tile->pointer = tile->memory = 0;
    tile->offset = 0;
    tile->empty = false;
}

static void *tile_pointer(void *interface, unsigned node)
{
    (void)node;
    return (void *)((struct sta__tile_interface *)interface)->pointer;
}

static const struct sta__tile_interface *main_interface(starpu_data_handle_t handle)
{
    return starpu_data_get_interface_on_node(handle, STARPU_MAIN_RAM);
}

static size_t tile_size(starpu_data_handle_t handle)
{
    return (size_t)sta__interface_bytes(main_interface(handle));
}

static size_t tile_alloc_size(starpu_data_handle_t handle)
{
    return buffer_size(main_interface(handle));
}

static uint32_t tile_footprint(starpu_data_handle_t handle)
{
    const struct sta__tile_interface *tile = main_interface(handle);
    uint32_t hash = starpu_hash_crc32c_be((uint32_t)tile->dtype, (uint32_t)tile->ndim);

    return starpu_hash_crc32c_be_n(tile->shape, (size_t)tile->ndim * sizeof(int64_t), hash);
}

static int tile_compare(void *a_interface, void *b_interface)
{
    const struct sta__tile_interface *a = a_interface, *b = b_interface;

    return a->ndim == b->ndim && a->dtype == b->dtype && a->item == b->item &&
           memcmp(a->shape, b->shape, (size_t)a->ndim * sizeof *a->shape) == 0;
}

static void tile_display(starpu_data_handle_t handle, FILE *to)
{
    const struct sta__tile_interface *tile = main_interface(handle);

    fprintf(to, "%s", sta__dtype_brief(tile->dtype));
    for (int axis = 0; axis < tile->ndim; axis++)
        fprintf(to, "%s%lld", axis ? "x" : " ", (long long)tile->shape[axis]);
}

static starpu_ssize_t tile_describe(void *interface, char *to, size_t bytes)
{
    const struct sta__tile_interface *tile = interface;
    struct sta__shape shape = {.ndim = tile->ndim};
    char text[400];

    memcpy(shape.at, tile->shape, sizeof shape.at);
    return snprintf(to, bytes, "%s %s", sta__dtype_brief(tile->dtype), sta__shape_text(&shape, text, sizeof text));
}

/* ---- the allocation cache: an empty tile must not come back as somebody's memory ---- */

static int allocation_compare(void *a_interface, void *b_interface)
{
    const struct sta__tile_interface *a = a_interface, *b = b_interface;

    if (a->empty || b->empty)
        return 0;
    return STA__CACHE_SHARES_SHAPES ? buffer_size(a) == buffer_size(b) : tile_compare(a_interface, b_interface);
}

static uint32_t allocation_footprint(starpu_data_handle_t handle)
{
    size_t bytes = tile_alloc_size(handle);

    return STA__CACHE_SHARES_SHAPES ? starpu_hash_crc32c_be_n(&bytes, sizeof bytes, 0) : tile_footprint(handle);
}

__attribute__((unused)) static void reuse_tile(void *interface, const void *cached_interface, unsigned node)
{
    struct sta__tile_interface *tile = interface;
    const struct sta__tile_interface *cached = cached_interface;

    (void)node;
    tile->pointer = cached->pointer;
    tile->memory = cached->memory;
    tile->offset = cached->offset;
    tile->empty = false;
    sta__interface_contiguous(tile);
}

/* ---- StarPU's table ---- */

static const struct starpu_data_copy_methods copy_methods = {.any_to_any = sta__interface_copy};

struct starpu_data_interface_ops sta__tile_ops = {
    .register_data_handle = register_tile,
    .unregister_data_handle = sta__tile_gone,
    .allocate_data_on_node = allocate_tile,
    .free_data_on_node = free_tile,
    STA__ONLY_1_4(.reuse_data_on_node = reuse_tile, ).copy_methods = &copy_methods,
    .to_pointer = tile_pointer,
    .get_size = tile_size,
    .get_alloc_size = tile_alloc_size,
    .footprint = tile_footprint,
    .compare = tile_compare,
    .alloc_footprint = allocation_footprint,
    .alloc_compare = allocation_compare,
    .display = tile_display,
    .describe = tile_describe,
    .pack_data = sta__tile_pack,
    .unpack_data = sta__tile_unpack,
    STA__ONLY_1_4(.peek_data = sta__tile_peek, ).interfaceid = STARPU_UNKNOWN_INTERFACE_ID,
    .interface_size = sizeof(struct sta__tile_interface),
    .name = (char *)"STARRAY_TILE",
};

/* ---- what a kernel sees ---- */

bool sta__tile_is_empty(const void *interface)
{
    const struct sta__tile_interface *tile = interface;

    return tile->empty || !tile->pointer;
}

static void describe_layout(const struct sta__tile_interface *tile, const int64_t *stride, struct sta__memory *to)
{
    size_t axes = (size_t)tile->ndim * sizeof *tile->shape;

    to->data = NULL;
    to->value = NULL;
    to->on_host = false;
    to->dtype = tile->dtype;
    to->ndim = tile->ndim;
    memcpy(to->shape, tile->shape, axes);
    memcpy(to->stride, stride, axes);
}

bool sta__tile_memory(const void *interface, struct sta__memory *to)
{
    const struct sta__tile_interface *tile = interface;

    describe_layout(tile, tile->stride, to);
    to->data = (char *)tile->pointer;
    return !sta__tile_is_empty(interface);
}

void sta__tile_layout(struct sta__tile *tile, struct sta__memory *to)
{
    struct sta__tile_interface own = {.item = sta_itemsize(tile->dtype), .dtype = tile->dtype, .ndim = tile->ndim};

    if (tile->root) { /* user memory: it stays where it is, as it is */
        const struct sta__tile_interface *here = starpu_data_get_interface_on_node(tile->handle, STARPU_MAIN_RAM);

        describe_layout(here, here->stride, to);
        return;
    }
    memcpy(own.shape, tile->shape, (size_t)tile->ndim * sizeof *own.shape);
    sta__interface_contiguous(&own);
    describe_layout(&own, own.stride, to);
}
