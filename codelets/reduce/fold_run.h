/* A run of a reducer that gives the same in any order. After fold_any.h, for the same reducer and type. */

static void FOLD(run)(const void *values, int64_t count, int64_t index, const struct sta__state *to)
{
    (void)index;
    const TYPE *x = values;
    TYPE y = FOLD(any_order)(x, count < ANY_ORDER ? count : ANY_ORDER);
    for (int64_t i = ANY_ORDER; i < count; i += ANY_ORDER) {
        const TYPE z = FOLD(any_order)(x + i, count - i < ANY_ORDER ? count - i : ANY_ORDER);
        y = COMBINE(y, z);
    }
    *(TYPE *)to->at[0] = y;
}
