/* What any order of a run of values gives. After fold_one.h, for the same reducer and type: FOLD(stem) is the function's
 * name, COMBINE(l, r) an expression; PLAIN(l, r), where it is defined, a cheaper one that is as good without NaN. */

/* Of at most 8 * ANY_COLUMNS values, which are halved until few are left. */
static TYPE FOLD(any_few)(const TYPE *x, int64_t count)
{
    TYPE part[2][4 * ANY_COLUMNS];
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

/* The tree over a column of eight rows. */
#define EIGHT_ROWS(JOIN, x)                                                                                            \
    JOIN(JOIN(JOIN((x)[0], (x)[ANY_COLUMNS]), JOIN((x)[2 * ANY_COLUMNS], (x)[3 * ANY_COLUMNS])),                       \
         JOIN(JOIN((x)[4 * ANY_COLUMNS], (x)[5 * ANY_COLUMNS]), JOIN((x)[6 * ANY_COLUMNS], (x)[7 * ANY_COLUMNS])))

static inline __attribute__((always_inline)) TYPE FOLD(any_join)(TYPE l, TYPE r)
{
    return COMBINE(l, r);
}

#ifdef PLAIN
static inline __attribute__((always_inline)) TYPE FOLD(plain_join)(TYPE l, TYPE r)
{
    return PLAIN(l, r);
}

/* The same where no value is NaN, for which the sum of all is a witness; false: it is NaN. */
static bool FOLD(plain_blocks)(const TYPE *restrict x, int64_t count, TYPE *restrict to)
{
    TYPE best[ANY_COLUMNS], sum[ANY_COLUMNS] = {0}, all = 0;
    for (int c = 0; c < ANY_COLUMNS; c++)
        best[c] = x[c];
    for (int64_t i = 0; i < count; i += 8 * ANY_COLUMNS)
        for (int c = 0; c < ANY_COLUMNS; c++) {
            const TYPE y = EIGHT_ROWS(FOLD(plain_join), x + i + c);
            best[c] = PLAIN(best[c], y);
            sum[c] += EIGHT_ROWS(PLAIN_SUM, x + i + c);
        }
    for (int c = 0; c < ANY_COLUMNS; c++) {
        to[c] = best[c];
        all += sum[c];
    }
    return all == all;
}
#endif

/* Blocks of eight rows as they lie, a multiple of 8 * ANY_COLUMNS values. Rows are so short that memory is read from one
 * end to the other: processors fetch ahead then. */
static void FOLD(any_blocks)(const TYPE *restrict x, int64_t count, TYPE *restrict to)
{
    TYPE best[ANY_COLUMNS];
    for (int c = 0; c < ANY_COLUMNS; c++)
        best[c] = EIGHT_ROWS(FOLD(any_join), x + c);
    for (int64_t i = 8 * ANY_COLUMNS; i < count; i += 8 * ANY_COLUMNS)
        for (int c = 0; c < ANY_COLUMNS; c++) {
            const TYPE y = EIGHT_ROWS(FOLD(any_join), x + i + c);
            best[c] = COMBINE(best[c], y);
        }
    for (int c = 0; c < ANY_COLUMNS; c++)
        to[c] = best[c];
}

/* Of any number. */
static TYPE FOLD(any_order)(const TYPE *x, int64_t count)
{
    TYPE best[ANY_COLUMNS];
    const int64_t whole = count / (8 * ANY_COLUMNS) * (8 * ANY_COLUMNS);
    if (!whole)
        return FOLD(any_few)(x, count);
#ifdef PLAIN
    if (!FOLD(plain_blocks)(x, whole, best))
#endif
        FOLD(any_blocks)(x, whole, best);
    const TYPE y = FOLD(any_few)(best, ANY_COLUMNS);
    if (whole == count)
        return y;
    const TYPE z = FOLD(any_few)(x + whole, count - whole);
    return COMBINE(y, z);
}
#undef EIGHT_ROWS
