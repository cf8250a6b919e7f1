/* Tiles on their way between ranks (and to disks): a header, then the elements in C order. A failed or empty tile is
 * a header alone, so that the other rank learns what happened. */
#include "tile.h"

#include "failure.h"

#include <errno.h>
#include <string.h>

enum { HAS_ELEMENTS = 1, HAS_FAILURE = 2 };

struct parcel {
    uint32_t contents;
    int32_t code;
    int64_t operation, tile;
    char op[32], text[200];
};
_Static_assert(sizeof(struct parcel) == 256, "the elements begin aligned, the same on every rank");

static void describe_failure(struct parcel *parcel, const struct sta__failure *failure)
{
    parcel->contents |= HAS_FAILURE;
    parcel->code = (int32_t)failure->error.code;
    parcel->operation = failure->operation;
    parcel->tile = failure->tile;
    memcpy(parcel->op, failure->op, sizeof parcel->op);
    memcpy(parcel->text, failure->text, sizeof parcel->text);
}

static struct parcel make_parcel(starpu_data_handle_t handle, const struct sta__tile_interface *tile)
{
    struct sta__tile *owner = starpu_data_get_user_data(handle);
    const struct sta__failure *failure = owner ? atomic_load(&owner->failure) : NULL;
    struct parcel parcel = {0};

    if (failure)
        describe_failure(&parcel, failure);
    else if (!sta__tile_is_empty(tile))
        parcel.contents |= HAS_ELEMENTS;
    return parcel;
}

int sta__tile_pack(starpu_data_handle_t handle, unsigned node, void **to, starpu_ssize_t *bytes)
{
    const struct sta__tile_interface *tile = starpu_data_get_interface_on_node(handle, node);
    struct sta__tile_interface packed = *tile;
    struct parcel parcel = make_parcel(handle, tile);
    char *memory;

    *bytes = (starpu_ssize_t)sizeof parcel;
    if (parcel.contents & HAS_ELEMENTS)
        *bytes += (starpu_ssize_t)sta__interface_bytes(tile);
    if (!to)
        return 0;
    *to = memory = (void *)starpu_malloc_on_node_flags(node, (size_t)*bytes, 0);
    if (!memory)
        return -ENOMEM;
    memcpy(memory, &parcel, sizeof parcel);
    sta__interface_contiguous(&packed);
    if (parcel.contents & HAS_ELEMENTS)
        sta__copy_strided(memory + sizeof parcel, packed.stride, (char *)tile->pointer, tile->stride, tile->shape,
                          tile->ndim, tile->item);
    return 0;
}

/* What the parcel says, or that there was no memory for it. */
static void fail(starpu_data_handle_t handle, const struct parcel *parcel)
{
    struct sta__tile *owner = starpu_data_get_user_data(handle);
    struct sta__failure *failure;

    if (!owner)
        return;
    if (parcel->contents & HAS_FAILURE)
        failure =
            sta__failure_new((sta_error_code)parcel->code, parcel->op, parcel->text, parcel->operation, parcel->tile);
    else
        failure = sta__failure_new(STA_ERROR_MEMORY, "receive", "not enough memory for a tile", 0, 0);
    sta__tile_fail(owner, failure);
    sta__failure_drop(failure);
}

int sta__tile_peek(starpu_data_handle_t handle, unsigned node, void *from, size_t bytes)
{
    struct sta__tile_interface *tile = starpu_data_get_interface_on_node(handle, node), packed = *tile;
    size_t elements = (size_t)sta__interface_bytes(tile);
    struct parcel parcel = {0};

    if (bytes < sizeof parcel)
        return -EINVAL;
    memcpy(&parcel, from, sizeof parcel);
    parcel.op[sizeof parcel.op - 1] = parcel.text[sizeof parcel.text - 1] = 0;
    tile->empty = !tile->pointer || !(parcel.contents & HAS_ELEMENTS);
    if (tile->empty) {
        fail(handle, &parcel);
        return 0;
    }
    if (bytes != sizeof parcel + elements)
        return -EINVAL;
    sta__interface_contiguous(&packed);
    sta__copy_strided((char *)tile->pointer, tile->stride, (char *)from + sizeof parcel, packed.stride, tile->shape,
                      tile->ndim, tile->item);
    return 0;
}

int sta__tile_unpack(starpu_data_handle_t handle, unsigned node, void *from, size_t bytes)
{
    int answer = sta__tile_peek(handle, node, from, bytes);

    starpu_free_on_node_flags(node, (uintptr_t)from, bytes, 0);
    return answer;
}
