/* What any order of a run of values gives. After fold_one.h, for the same reducer and type: FOLD(stem) is the function's
 * name, COMBINE(l, r) an expression; PLAIN(l, r), where it is defined, a cheaper one that is as good without NaN. */

/* Of at most 2 * ANY_COLUMNS values, which are halved until few are left. */
static TYPE FOLD(any_few)(const TYPE *x, int64_t count)
{
    TYPE part[2][ANY_COLUMNS];
    for (int turn = 0; count >= 16; turn ^= 1) {
        const int64_t half = count / 2;
        FOLD(two)(x, half, half, part[turn]);
        if (count % 2)
            part[turn][0] = COMBINE(part[turn][0], x[count - 1]);
        x = part[turn];
        count = half;
    }
    TYPE y = x[0];
    for (int64_t i = 1; i < count; i++)
        y = COMBINE(y, x[i]);
    return y;
}

/* Of rows of ANY_COLUMNS values, one after the other: processors fetch ahead where memory is read from one end to the other
 * without a leap, however short. */
static void FOLD(any_rows)(const TYPE *restrict x, int64_t count, TYPE *restrict to)
{
    TYPE best[ANY_COLUMNS];
    for (int c = 0; c < ANY_COLUMNS; c++)
        best[c] = x[c];
    for (int64_t i = ANY_COLUMNS; i < count; i += ANY_COLUMNS)
#pragma omp simd
        for (int c = 0; c < ANY_COLUMNS; c++)
            best[c] = COMBINE(best[c], x[i + c]);
    for (int c = 0; c < ANY_COLUMNS; c++)
        to[c] = best[c];
}

#ifdef PLAIN
/* The same where no value is NaN, for which the sum of all is the witness; false: it is NaN. */
static bool FOLD(plain_rows)(const TYPE *restrict x, int64_t count, TYPE *restrict to)
{
    TYPE best[ANY_COLUMNS], sum[ANY_COLUMNS], all = 0;
    for (int c = 0; c < ANY_COLUMNS; c++)
        best[c] = sum[c] = x[c];
    for (int64_t i = ANY_COLUMNS; i < count; i += ANY_COLUMNS)
#pragma omp simd
        for (int c = 0; c < ANY_COLUMNS; c++) {
            best[c] = PLAIN(best[c], x[i + c]);
            sum[c] += x[i + c];
        }
    for (int c = 0; c < ANY_COLUMNS; c++) {
        to[c] = best[c];
        all += sum[c];
    }
    return all == all;
}
#endif

/* Of any number. */
static TYPE FOLD(any_order)(const TYPE *x, int64_t count)
{
    TYPE best[ANY_COLUMNS];
    const int64_t whole = count / ANY_COLUMNS * ANY_COLUMNS;
    if (count < 2 * ANY_COLUMNS)
        return FOLD(any_few)(x, count);
#ifdef PLAIN
    if (!FOLD(plain_rows)(x, whole, best))
#endif
        FOLD(any_rows)(x, whole, best);
    const TYPE y = FOLD(any_few)(best, ANY_COLUMNS);
    if (whole == count)
        return y;
    const TYPE z = FOLD(any_few)(x + whole, count - whole);
    return COMBINE(y, z);
}
