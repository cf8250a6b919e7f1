/* All nodes of consecutive values in one pass. After fold_one.h, for the same reducer and type. */

/* The nodes of less than eight neighbours of one level; returns what follows the last. */
static inline TYPE *FOLD(rest)(const TYPE *x, int64_t count, TYPE *y)
{
    if (count & 4) {
        const TYPE l = COMBINE(x[0], x[1]), r = COMBINE(x[2], x[3]);
        *y++ = COMBINE(l, r);
        x += 4;
    }
    if (count & 2) {
        *y++ = COMBINE(x[0], x[1]);
        x += 2;
    }
    if (count & 1)
        *y++ = x[0];
    return y;
}

static void FOLD(nodes)(const void *values, int64_t count, void *nodes)
{
    const TYPE *x = values;
    TYPE *y = nodes, third[STA__MOST_NODES / 8], sixth[STA__MOST_NODES / 64], ninth[STA__MOST_NODES / 512];
    const int64_t thirds = count / 8, sixths = thirds / 8, ninths = sixths / 8, twelfths = ninths / 8;
    FOLD(octets_of)(x, thirds, third);
    FOLD(octets_of)(third, sixths, sixth);
    FOLD(octets_of)(sixth, ninths, ninth);
    FOLD(octets_of)(ninth, twelfths, y); /* one at most */
    y += twelfths;
    y = FOLD(rest)(ninth + 8 * twelfths, ninths % 8, y);
    y = FOLD(rest)(sixth + 8 * ninths, sixths % 8, y);
    y = FOLD(rest)(third + 8 * sixths, thirds % 8, y);
    FOLD(rest)(x + 8 * thirds, count % 8, y);
}
