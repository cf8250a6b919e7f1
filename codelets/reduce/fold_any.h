/* What any order of a run of values gives. After fold_one.h, for the same reducer and type: FOLD(stem) is the function's
 * name, COMBINE(l, r) an expression. */

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

/* Of any number: read as it lies, in rows of ANY_COLUMNS. */
static TYPE FOLD(any_order)(const TYPE *x, int64_t count)
{
    TYPE best[ANY_COLUMNS], more[ANY_COLUMNS];
    const int64_t block = 8 * ANY_COLUMNS;
    if (count < block)
        return FOLD(any_few)(x, count);
    FOLD(eight)(x, ANY_COLUMNS, ANY_COLUMNS, best);
    int64_t i = block;
    for (; i + block <= count; i += block) {
        FOLD(eight)(x + i, ANY_COLUMNS, ANY_COLUMNS, more);
        for (int64_t c = 0; c < ANY_COLUMNS; c++)
            best[c] = COMBINE(best[c], more[c]);
    }
    const TYPE y = FOLD(any_few)(best, ANY_COLUMNS);
    if (i == count)
        return y;
    const TYPE z = FOLD(any_few)(x + i, count - i);
    return COMBINE(y, z);
}
