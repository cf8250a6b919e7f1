/* Kernels of masks, flat indices and triangles on GPUs. Plain arguments, so that C and CUDA C++ read this. All launch only; the
 * status is of type cudaError_t. */
#ifndef STA__CUDA_MASK_H
#define STA__CUDA_MASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* *to = how many of n bytes are not 0. */
int sta__cuda_count_true(const uint8_t *mask, int64_t n, int64_t *to, void *stream);

/* A mask of n bytes. temporary: room of as many bytes as sta__cuda_select_room says; found: one word. */
struct sta__cuda_select {
    const uint8_t *mask;
    int64_t n, *found;
    void *temporary;
    size_t temporary_bytes;
};
/* For selecting items of `item` bytes; 0: places. */
int sta__cuda_select_room(int item, int64_t n, size_t *bytes);
/* to: those of the items whose byte is not 0, in order. */
int sta__cuda_select_items(const struct sta__cuda_select *s, int item, const void *from, void *to, void *stream);
/* to: first + their places. */
int sta__cuda_select_places(const struct sta__cuda_select *s, int64_t first, int64_t *to, void *stream);
/* to: the rows of so many bytes that `count` places name. */
int sta__cuda_take_rows(const int64_t *places, int64_t count, int64_t bytes, const char *from, char *to, void *stream);

/* Places in a tile as indices of the whole: along axis a into to[a], where that is one step from element to element; `step` more
 * else. flat: all in one number, by the lengths of the whole. */
struct sta__cuda_split {
    int ndim;
    bool flat;
    int64_t step, first[16], tile[16], whole[16];
    int64_t *to[16];
};
int sta__cuda_split_places(const struct sta__cuda_split *split, const int64_t *places, int64_t count, void *stream);

/* Flat indices to those of axes (from[0] -> to), and back (from -> to[0]). bad: all bits set at first, then the first element
 * that is out of range; words: what is wrong there, as in cuda_index.h (of flat ones, 1). */
struct sta__cuda_flat {
    int ndim, mode; /* sta_index_mode */
    int64_t count, size, shape[16];
    const int64_t *from[16];
    int64_t *to[16];
    unsigned long long *bad;
    uint32_t *words;
};
int sta__cuda_unravel(const struct sta__cuda_flat *flat, void *stream);
int sta__cuda_ravel(const struct sta__cuda_flat *flat, void *stream);

/* Elements first .. first + count - 1 of the indices of a triangle (flat.h). */
int sta__cuda_triangle(bool upper, bool columns, int64_t n, int64_t k, int64_t m, int64_t first, int64_t count,
                       int64_t *to, void *stream);

#ifdef __cplusplus
}
#endif
#endif
