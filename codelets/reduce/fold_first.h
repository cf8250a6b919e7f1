/* The first of the smallest or largest of a run, whose value alone is found in any order. After fold_any.h, for the same
 * reducer and type: SAME(a, b) as in combine.h, INDEXED(stem) = the name of what gives the index too. */

/* The first that is the same as one that is there. */
static int64_t FOLD(find)(const TYPE *x, int64_t count, TYPE best)
{
    enum { STEP = 64 };
    int64_t i = 0;
    for (NARROW found = 0; i + STEP <= count && !found; i += found ? 0 : STEP)
        for (int k = 0; k < STEP; k++)
            found = (NARROW)(found | SAME(x[i + k], best));
    while (!SAME(x[i], best))
        i++;
    return i;
}

static int64_t FOLD(first)(const TYPE *x, int64_t count)
{
    TYPE best = FOLD(any_order)(x, count < ANY_ORDER ? count : ANY_ORDER);
    int64_t at = 0;
    for (int64_t i = ANY_ORDER; i < count; i += ANY_ORDER) {
        const TYPE y = FOLD(any_order)(x + i, count - i < ANY_ORDER ? count - i : ANY_ORDER);
        const TYPE both = COMBINE(best, y);
        if (!SAME(both, best)) {
            best = y;
            at = i;
        }
    }
    return at + FOLD(find)(x + at, count - at < ANY_ORDER ? count - at : ANY_ORDER, best);
}

/* Most values have one form, and then which of them was the first says nothing. */
static void FOLD(run_first)(const void *values, int64_t count, int64_t index, const struct sta__state *to)
{
    (void)index;
    const TYPE *x = values;
    const TYPE best = FOLD(any_order)(x, count);
    *(TYPE *)to->at[0] = JOINED(UNIQUE, KIND)(best) ? best : x[FOLD(first)(x, count)];
}

static void INDEXED(run)(const void *values, int64_t count, int64_t index, const struct sta__state *to)
{
    const TYPE *x = values;
    const int64_t at = FOLD(first)(x, count);
    *(TYPE *)to->at[0] = x[at];
    *(int64_t *)to->at[1] = index + at;
}

/* Short rows, some of them side by side. */
static void INDEXED(abreast)(const TYPE *restrict x, int64_t length, TYPE *restrict y, int64_t *restrict at)
{
    TYPE best[ABREAST];
    NARROW place[ABREAST];
    for (int c = 0; c < ABREAST; c++) {
        best[c] = x[c * length];
        place[c] = 0;
    }
    for (int64_t i = 1; i < length; i++)
#pragma omp simd
        for (int c = 0; c < ABREAST; c++) {
            const TYPE value = x[c * length + i], both = COMBINE(best[c], value);
            place[c] = SAME(both, best[c]) ? place[c] : (NARROW)i;
            best[c] = both;
        }
    for (int c = 0; c < ABREAST; c++) {
        y[c] = best[c];
        at[c] = place[c];
    }
}

static bool INDEXED(short_rows)(const void *values, int64_t cells, int64_t length, const struct sta__state *to)
{
    enum { SHORT_ROW = 32 };
    const TYPE *x = values;
    TYPE *y = to->at[0];
    int64_t *at = to->at[1], c = 0;
    if (length >= SHORT_ROW)
        return false;
    for (; c + ABREAST <= cells; c += ABREAST)
        INDEXED(abreast)(x + c * length, length, y + c, at + c);
    for (; c < cells; c++) {
        at[c] = FOLD(first)(x + c * length, length);
        y[c] = x[c * length + at[c]];
    }
    return true;
}
