/* Our StarPU data interface: one tile of an array on one memory node. */
#ifndef STA__TILE_H
#define STA__TILE_H

#include "internal.h"
#include "starpu_compat.h"

/* Plain data without pointers to memory of its own: the allocation cache of StarPU 1.3 copies it from one handle to
 * another. */
struct sta__tile_interface {
    uintptr_t pointer; /* of element [0, .., 0]; 0: no memory on this node */
    uintptr_t memory;  /* what the node's allocator gave (dev_handle in StarPU's words) */
    size_t offset;     /* of the element in `memory` (parts of user memory) */
    size_t item;       /* bytes of an element */
    sta_dtype dtype;
    int ndim;
    bool empty; /* nothing of use here: no memory could be had, or the source had nothing */
    int64_t shape[STA_MAXDIM];
    int64_t stride[STA_MAXDIM]; /* in bytes, any sign */
};
extern struct starpu_data_interface_ops sta__tile_ops;

/* Once StarPU runs: where host memory comes from depends on what StarPU has. */
void sta__tiles_start(void);
/* Waits until StarPU has let go of every tile that was dropped. Application threads only. */
void sta__tiles_wait(void);
/* Handles of tiles that exist, dropped ones included; for tests. */
int64_t sta__tiles_alive(void);

/* From an interface of buffers[] (of a tile) to a kernel's operand. False: an empty tile, skip the body. */
bool sta__tile_memory(const void *interface, struct sta__memory *to);
bool sta__tile_is_empty(const void *interface);
/* The same without contents, at any time: of the interface nothing is read that other threads write. */
void sta__tile_layout(struct sta__tile *tile, struct sta__memory *to);

/* The order that StarPU keeps between tasks, said again in atomics: thread sanitizer cannot see StarPU's. Around a body,
 * for each of its tiles. */
static inline void sta__tile_arrive(struct sta__tile *tile)
{
    (void)atomic_load_explicit(&tile->references, memory_order_acquire);
}
static inline void sta__tile_leave(struct sta__tile *tile)
{
    (void)atomic_fetch_add_explicit(&tile->references, 0, memory_order_release);
}

/* Bodies that run now (those of a GPU until they have ended): while some do, a lack of memory may still pass. */
extern atomic_int sta__bodies;

/* The tile's handle, made when it is first asked for, with the lock: many tiles are another rank's affair, or the calling
 * thread's alone. */
starpu_data_handle_t sta__tile_handle(struct sta__tile *tile);
/* Gives a tile that StarPU does not know memory that it can be written in, with the lock. False: there is none, or StarPU
 * counts host memory itself. */
bool sta__tile_hold(struct sta__tile *tile);
/* The same with zeros in it: it is written then. */
bool sta__tile_hold_zeros(struct sta__tile *tile);
/* The operand of a tile whose content is in host memory and that no task writes meanwhile. */
bool sta__tile_memory_here(const struct sta__tile *tile, struct sta__memory *to);
/* For filter.c: a tile without a handle. NULL: no memory. */
struct sta__tile *sta__tile_allocate(int ndim);

/* For filter.c: so many more handles are on their way out. */
void sta__tiles_dying(int64_t count);
void sta__tile_unregister(struct sta__tile *tile); /* the tile goes when StarPU has let go of its handle */
/* For filter.c and the parts of the interface. */
void sta__tile_bind(struct sta__tile *tile, starpu_data_handle_t handle); /* frees the tile when the handle dies */
int64_t sta__interface_bytes(const struct sta__tile_interface *tile);     /* of its elements */
void sta__interface_contiguous(struct sta__tile_interface *tile);         /* C order strides */

/* StarPU has let go of a handle. It holds a spin lock: no calls of StarPU inside. */
void sta__tile_gone(starpu_data_handle_t handle);

/* Parts of the interface in files of their own (copy.c, parcel.c). */
int sta__interface_copy(void *from, unsigned from_node, void *to, unsigned to_node, void *async);
int sta__tile_pack(starpu_data_handle_t handle, unsigned node, void **to, starpu_ssize_t *bytes);
int sta__tile_peek(starpu_data_handle_t handle, unsigned node, void *from, size_t bytes);
int sta__tile_unpack(starpu_data_handle_t handle, unsigned node, void *from, size_t bytes);

/* The last reference to a tile of user memory went (filter.c). From any thread. */
void sta__root_tile_dropped(struct sta__root *root);

/* Strided copies in host memory (copy.c): the values of one (offset applied) onto the other. */
void sta__copy_strided(char *to, const int64_t *to_stride, const char *from, const int64_t *from_stride,
                       const int64_t *shape, int ndim, size_t item);

/* Memory of a node (partition/node.c). 0: none now, ask again. *give_up: there will be none. */
uintptr_t sta__node_take(unsigned node, size_t bytes, bool *give_up);
void *sta__node_take_zeros(size_t bytes); /* of main memory, zeroed; NULL: there is none, or it is not our pool's */
void sta__node_give(unsigned node, uintptr_t memory, size_t bytes);
size_t sta__node_size(size_t bytes); /* what a buffer of so many bytes takes: sizes come in classes */
void sta__nodes_start(void);
bool sta__nodes_pooled(void); /* main memory is our pool's: StarPU has no other, and evicts nothing */

#endif
