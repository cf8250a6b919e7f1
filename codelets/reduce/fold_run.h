/* A run of a reducer that gives the same in any order. After fold_any.h, for the same reducer and type. */

static void FOLD(run)(const void *values, int64_t count, int64_t index, const struct sta__state *to)
{
    (void)index;
    *(TYPE *)to->at[0] = FOLD(any_order)(values, count);
}
