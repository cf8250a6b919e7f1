/** @file index.h
 *  Indexing with arrays: of indices, and of truth values. Reading makes a new array; slices alone make views (shape.h).
 *
 *      sta_at(x, STA_INDEX(STA_SPAN_BY(ids)))                                   x[ids]
 *      sta_at(x, STA_INDEX(STA_SPAN_RANGE(0, 9), STA_SPAN_BY(ids)))             x[0:9, ids]
 *      sta_at(x, STA_INDEX(STA_SPAN_BY(rows), STA_SPAN_REST, STA_SPAN_AT(-1)))  x[rows, ..., -1]
 *      sta_assign_at(x, STA_INDEX(STA_SPAN_BY(sta_less(x, zero))), zero)        x[x < 0] = 0
 *      sta_add_at(counts, STA_INDEX(STA_SPAN_BY(ids)), sta_int(1))              numpy.add.at(counts, ids, 1)
 *
 *  Index arrays have any integer dtype and broadcast with each other; negative indices count from the end. Each takes one
 *  axis of x. A mask (dtype bool) takes as many axes as it has, whose lengths it must have or be empty, and stands for the indices of
 *  its true elements; one without axes makes an axis of length 1 or 0. The axes that the arrays have together come
 *  where the first of them stands if all of them, and integers, stand side by side; else they come first. That is
 *  NumPy's rule.
 *
 *  Errors of all functions here: INDEX for an index out of range, "index 7 is out of range for axis 0 of length 5", for
 *  masks of another shape than the axes they take, and for too many items; DTYPE for indices that are no integers; SHAPE
 *  where arrays do not broadcast; VALUE for a NULL list of arrays, or of places for results (as sta_split). When reading, an
 *  index out of range is found when the tasks run. When writing, all indices are looked at before the first element is
 *  written: then x stays as it was, and only the handle `x` is in error.
 *
 *  What waits. Results whose shape depends on values (masks, sta_nonzero and its like) wait once: for the mask and the count of
 *  its true elements, nothing else. Writing through index arrays waits for them, unless they are small. Reading waits for
 *  them only where x lies in more than 256 tiles, or with several ranks.
 */
#ifndef STARRAY_INDEX_H
#define STARRAY_INDEX_H

#include <starray/shape.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An index: its items. */
typedef struct sta_items {
    int count;
    const sta_span *at;
} sta_items;

#ifdef __cplusplus
}
template <int N> struct sta__items {
    sta_span at[N];
    operator sta_items() const
    {
        return sta_items{N, at};
    }
};
template <typename... T> inline sta__items<(int)sizeof...(T)> sta_items_of(T... item)
{
    return sta__items<(int)sizeof...(T)>{{item...}};
}
#define STA_INDEX(...) (sta_items_of(__VA_ARGS__))
extern "C" {
#else
/** The index of these items: STA_INDEX(STA_SPAN_ALL, STA_SPAN_BY(ids)). It lives as long as the block it stands in. */
#define STA_INDEX(...)                                                                                                 \
    ((sta_items){(int)(sizeof((sta_span[]){__VA_ARGS__}) / sizeof(sta_span)), (sta_span[]){__VA_ARGS__}})
#endif

/* ---- any index ---- */

/** x[index], a new array in C order. Where the arrays together select nothing, only those without axes must be in range. */
sta_array sta_at(sta_array x, sta_items index);
/** x[index] = source, which is broadcast to what is selected and cast to the dtype of x as sta_astype does. All of `source`
 *  is read as it was before the first write. Of several elements that go to one place the last one stays. Returns x.
 *  Errors: also SHAPE where the source does not fit; READ_ONLY. */
sta_array sta_assign_at(sta_array x, sta_items index, sta_array source);

/* ---- along one axis ---- */

/** What an index out of range means: STA_MODE_RAISE an error, STA_MODE_WRAP its remainder, STA_MODE_CLIP the nearest one
 *  that is (negative ones: 0). */
typedef enum sta_index_mode { STA_MODE_RAISE = 0, STA_MODE_WRAP = 1, STA_MODE_CLIP = 2 } sta_index_mode;

/** x[.., ids, ..] along the axis; STA_FLAT: sta_ravel(x)[ids]. Shape: the axis is replaced by those of ids.
 *  NumPy does not look at the indices where an axis before this one is empty; here they must be in range.
 *  Errors: also AXIS; VALUE for a mode that is none. */
sta_array sta_take(sta_array x, sta_array ids, int64_t axis, sta_index_mode mode);
/** result[i, j, k] = x[i, ids[i, j, k], k], here for axis 1. x and ids broadcast but for the axis. STA_FLAT: both made
 *  flat. Errors: also AXIS; SHAPE where they do not fit. */
sta_array sta_take_along_axis(sta_array x, sta_array ids, int64_t axis);
/** x[i, ids[i, j, k], k] = values[i, j, k]. Returns x. */
sta_array sta_put_along_axis(sta_array x, sta_array ids, sta_array values, int64_t axis);
/** The elements along the axis for which the 1-D condition is true; it may be shorter than the axis. STA_FLAT: of x made
 *  flat. Errors: also SHAPE for a condition that is not 1-D; INDEX for one that is true beyond the axis. */
sta_array sta_compress(sta_array x, sta_array condition, int64_t axis);

/* ---- x made flat ---- */

/** x.flat[ids[k]] = values[k], all three in C order; values are repeated as often as needed; of no values nothing
 *  is written. Returns x. */
sta_array sta_put(sta_array x, sta_array ids, sta_array values, sta_index_mode mode);
/** x.flat[k] = values[k % size] wherever mask.flat[k] is not 0; of no values nothing is written. Returns x. Errors:
 *  SHAPE for a mask of another shape. */
sta_array sta_putmask(sta_array x, sta_array mask, sta_array values);
/** The n-th true element of the mask gets values[n % size]. Returns x. Errors: as sta_putmask; VALUE for no values. */
sta_array sta_place(sta_array x, sta_array mask, sta_array values);
/** The elements of x where the condition is not 0, made flat: sta_ravel(x)[sta_ravel(condition) != 0].
 *  Errors: SHAPE for a condition of another size. */
sta_array sta_extract(sta_array x, sta_array condition);

/* ---- where something is true ---- */

/** The indices of the elements that are not 0: to[a] the indices along axis a, int64, in C order; `to` has room for
 *  sta_ndim(x) arrays (1 for an array in error). Errors (of each): SHAPE for an array without axes. Waits. */
void sta_nonzero(sta_array *to, sta_array x);
/** The same of x made flat: one array. Waits. */
sta_array sta_flatnonzero(sta_array x);
/** The same as one array (n, ndim). Waits. */
sta_array sta_argwhere(sta_array x);

/* ---- making indices ---- */

/** Index arrays that select the block of all combinations: to[i] is ids[i] with its one axis at place i of `count`; masks are
 *  replaced by their indices, which waits. Errors (of each): SHAPE for one that is not 1-D, and for more than STA_MAXDIM. */
void sta_ix_(sta_array *to, const sta_array *ids, int count);
/** The indices of the lower triangle of an (n, m) array: rows and columns, int64, in C order. k: the diagonal that still
 *  belongs to it. m = 0: n. Errors: SHAPE for negative n or m. */
typedef struct sta_indices_result {
    sta_array rows, columns;
} sta_indices_result;
sta_indices_result sta_tril_indices(int64_t n, int64_t k, int64_t m);
/** The same of the upper triangle, from diagonal k on. */
sta_indices_result sta_triu_indices(int64_t n, int64_t k, int64_t m);
/** Flat indices (C order) as indices of an array of the shape: to[a] for axis a, int64. Errors (of each): INDEX, found when the
 *  tasks run; DTYPE. */
void sta_unravel_index(sta_array *to, sta_array ids, sta_dims shape);
/** The inverse: ids[a] for axis a, which broadcast. Errors: INDEX, found when the tasks run; SHAPE where their number is not that
 *  of the axes. */
sta_array sta_ravel_multi_index(const sta_array *ids, int count, sta_dims shape, sta_index_mode mode);

/* ---- choosing ---- */

/** For each element the first of the choices whose condition is true, else `otherwise`. All broadcast; the dtype is the common
 *  one. One pass. Errors: DTYPE for conditions that are not bool; VALUE for no condition. */
sta_array sta_select(const sta_array *conditions, const sta_array *choices, int count, sta_array otherwise);
/** choices[ids[i]][i] for each element; ids and choices broadcast. Errors: INDEX, found when the tasks run; DTYPE. */
sta_array sta_choose(sta_array ids, const sta_array *choices, int count, sta_index_mode mode);

/** The elements x[i, i, ..] set to the value (one element, or one for each); with two axes and `wrap` not 0 the diagonal begins
 *  anew below the first one of a tall x. Returns x. Errors: SHAPE for less than two axes, or more than two of different
 *  lengths; READ_ONLY. */
sta_array sta_fill_diagonal(sta_array x, sta_array value, int wrap);

/* ---- operators on single elements ---- */

/** x[index] = op(x[index], y), one element after the other: unlike x[index] += y an element that is selected several times is
 *  changed as often. The order is that of the index, whatever the tiles. Returns x. Errors: as sta_assign_at; DTYPE where the
 *  operator's result does not fit the dtype of x (float into integers, say). */
#define STA__AT_1(name)
#define STA__AT_2(name) sta_array sta_##name##_at(sta_array x, sta_items index, sta_array y);
#define STA__AT_3(name)
#define STA_UFUNC(name, arity, kinds, rule, identity, cost, ulp, text, doc) STA__AT_##arity(name)
#define STA_PAIR(name, arity, first, second, first_op, second_op, doc)
#include <starray/ufuncs.def>
#undef STA__AT_1
#undef STA__AT_2
#undef STA__AT_3

#ifdef __cplusplus
}
#endif
#endif
