/* What any order of a run of values gives. After fold_one.h, for the same reducer and type: FOLD(stem) is the function's
 * name, COMBINE(l, r) an expression. */

static TYPE FOLD(any_order)(const TYPE *x, int64_t count)
{
    TYPE part[2][ANY_ORDER / 8];
    for (int turn = 0; count >= 64; turn ^= 1) {
        const int64_t columns = count / 8;
        FOLD(eight)(x, columns, columns, part[turn]);
        for (int64_t i = 8 * columns; i < count; i++)
            part[turn][0] = COMBINE(part[turn][0], x[i]);
        x = part[turn];
        count = columns;
    }
    TYPE y = x[0];
    for (int64_t i = 1; i < count; i++)
        y = COMBINE(y, x[i]);
    return y;
}
