/* The loops of a reducer whose state is one number of the block's type; the leaf of x is x. A template: included once
 * for each (reducer, type) with FOLD(stem) = the function's name, TYPE, and COMBINE(l, r) = an expression. Compilers
 * honour restrict on parameters only, so each loop over columns is a function of its own. */

static void FOLD(pairs)(const struct sta__rows *in, int64_t count, const struct sta__state *to,
                        const struct sta__weight *w)
{
    (void)w;
    const TYPE *restrict x = in->from.at[0];
    TYPE *restrict y = to->at[0];
    for (int64_t i = 0; i < count; i++)
        y[i] = COMBINE(x[2 * i], x[2 * i + 1]);
}

/* Trees of three levels, `width` of them. */
static inline __attribute__((always_inline)) void FOLD(abreast)(const TYPE *restrict x, int width, TYPE *restrict y)
{
    TYPE pair[4 * OCTETS], four[2 * OCTETS];
    for (int i = 0; i < 4 * width; i++)
        pair[i] = COMBINE(x[2 * i], x[2 * i + 1]);
    for (int i = 0; i < 2 * width; i++)
        four[i] = COMBINE(pair[2 * i], pair[2 * i + 1]);
    for (int i = 0; i < width; i++)
        y[i] = COMBINE(four[2 * i], four[2 * i + 1]);
}

static void FOLD(many_octets)(const TYPE *restrict x, TYPE *restrict y)
{
    FOLD(abreast)(x, OCTETS, y);
}

static void FOLD(some_octets)(const TYPE *restrict x, TYPE *restrict y)
{
    FOLD(abreast)(x, SOME_OCTETS, y);
}

/* The last of them may be made twice. */
static void FOLD(octets_of)(const TYPE *restrict x, int64_t count, TYPE *restrict y)
{
    int64_t i = 0;
    for (; i + OCTETS <= count && VECTORS; i += OCTETS)
        FOLD(many_octets)(x + 8 * i, y + i);
    for (; i + SOME_OCTETS <= count && VECTORS; i += SOME_OCTETS)
        FOLD(some_octets)(x + 8 * i, y + i);
    if (i < count && i && VECTORS) {
        FOLD(some_octets)(x + 8 * (count - SOME_OCTETS), y + count - SOME_OCTETS);
        return;
    }
    for (; i < count; i++) {
        const TYPE a = COMBINE(x[8 * i], x[8 * i + 1]), b = COMBINE(x[8 * i + 2], x[8 * i + 3]);
        const TYPE d = COMBINE(x[8 * i + 4], x[8 * i + 5]), e = COMBINE(x[8 * i + 6], x[8 * i + 7]);
        const TYPE l = COMBINE(a, b), r = COMBINE(d, e);
        y[i] = COMBINE(l, r);
    }
}

/* The same by three levels. */
static void FOLD(octets)(const struct sta__rows *in, int64_t count, const struct sta__state *to)
{
    FOLD(octets_of)(in->from.at[0], count, to->at[0]);
}

static void FOLD(eight)(const TYPE *restrict x, int64_t s, int64_t columns, TYPE *restrict y)
{
    for (int64_t c = 0; c < columns; c++) {
        const TYPE a = COMBINE(x[c], x[c + s]), b = COMBINE(x[c + 2 * s], x[c + 3 * s]);
        const TYPE d = COMBINE(x[c + 4 * s], x[c + 5 * s]), e = COMBINE(x[c + 6 * s], x[c + 7 * s]);
        const TYPE l = COMBINE(a, b), r = COMBINE(d, e);
        y[c] = COMBINE(l, r);
    }
}

static void FOLD(eights)(const struct sta__rows *in, int64_t columns, int64_t count, const struct sta__state *to,
                         const struct sta__weight *w)
{
    (void)w;
    const TYPE *x = in->from.at[0];
    TYPE *y = to->at[0];
    for (int64_t i = 0; i < count; i++)
        FOLD(eight)(x + 8 * i * in->stride, in->stride, columns, y + i * columns);
}

static void FOLD(two)(const TYPE *restrict x, int64_t s, int64_t columns, TYPE *restrict y)
{
    for (int64_t c = 0; c < columns; c++)
        y[c] = COMBINE(x[c], x[c + s]);
}

static void FOLD(twos)(const struct sta__rows *in, int64_t columns, int64_t count, const struct sta__state *to,
                       const struct sta__weight *w)
{
    (void)w;
    const TYPE *x = in->from.at[0];
    TYPE *y = to->at[0];
    for (int64_t i = 0; i < count; i++)
        FOLD(two)(x + 2 * i * in->stride, in->stride, columns, y + i * columns);
}

static void FOLD(join)(const struct sta__state *left, const struct sta__state *right, int64_t columns,
                       const struct sta__weight *w)
{
    (void)w;
    TYPE *restrict l = left->at[0];
    const TYPE *restrict r = right->at[0];
    for (int64_t c = 0; c < columns; c++)
        l[c] = COMBINE(l[c], r[c]);
}
