/* Whole short axes, one after the other in memory: the tree of each in registers. After fold_one.h, for the same reducer
 * and type. */

static inline __attribute__((always_inline)) TYPE FOLD(tree_of_1)(const TYPE *x)
{
    return x[0];
}
/* The tree over `count` elements is that over the largest power of two below, and that over the rest. */
#define TREE_OF(count, whole, rest)                                                                                    \
    static inline __attribute__((always_inline)) TYPE FOLD(tree_of_##count)(const TYPE *x)                             \
    {                                                                                                                  \
        const TYPE l = FOLD(tree_of_##whole)(x), r = FOLD(tree_of_##rest)(x + (whole));                                \
        return COMBINE(l, r);                                                                                          \
    }                                                                                                                  \
    static void FOLD(rows_of_##count)(const TYPE *restrict x, int64_t cells, TYPE *restrict y)                         \
    {                                                                                                                  \
        for (int64_t c = 0; c < cells; c++)                                                                            \
            y[c] = FOLD(tree_of_##count)(x + c * (count));                                                             \
    }
TREE_OF(2, 1, 1)
TREE_OF(3, 2, 1)
TREE_OF(4, 2, 2)
TREE_OF(5, 4, 1)
TREE_OF(6, 4, 2)
TREE_OF(7, 4, 3)
TREE_OF(8, 4, 4)
TREE_OF(9, 8, 1)
TREE_OF(10, 8, 2)
TREE_OF(11, 8, 3)
TREE_OF(12, 8, 4)
TREE_OF(13, 8, 5)
TREE_OF(14, 8, 6)
TREE_OF(15, 8, 7)
TREE_OF(16, 8, 8)
#undef TREE_OF

static bool FOLD(short_rows)(const void *values, int64_t cells, int64_t length, const struct sta__state *to)
{
    static void (*const rows_of[])(const TYPE *restrict x, int64_t cells, TYPE *restrict y) = {
        [2] = FOLD(rows_of_2),   [3] = FOLD(rows_of_3),   [4] = FOLD(rows_of_4),   [5] = FOLD(rows_of_5),
        [6] = FOLD(rows_of_6),   [7] = FOLD(rows_of_7),   [8] = FOLD(rows_of_8),   [9] = FOLD(rows_of_9),
        [10] = FOLD(rows_of_10), [11] = FOLD(rows_of_11), [12] = FOLD(rows_of_12), [13] = FOLD(rows_of_13),
        [14] = FOLD(rows_of_14), [15] = FOLD(rows_of_15), [16] = FOLD(rows_of_16),
    };
    if (length < 2 || length >= (int64_t)(sizeof rows_of / sizeof *rows_of))
        return false;
    rows_of[length](values, cells, to->at[0]);
    return true;
}
