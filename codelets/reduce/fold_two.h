/* The loops of a reducer whose state has two components. A template: included once for each (reducer, type) with
 * FOLD(stem) = the function's name, TYPE of the block, STATE = a struct {a, b} of the components PART0 and PART1,
 * LEAF(x, index), WEIGHT and WEIGHT_OF(w) = what a level's weight becomes, and COMBINE(l, r, weight), a function. */

static void FOLD(pairs_values)(const struct sta__rows *in, int64_t count, const struct sta__state *to,
                               const struct sta__weight *w)
{
    const TYPE *restrict x = in->from.at[0];
    PART0 *restrict a = to->at[0];
    PART1 *restrict b = to->at[1];
    const int64_t index = in->index;
    (void)index;
    const WEIGHT w0 = WEIGHT_OF(w[0]);
    for (int64_t i = 0; i < count; i++) {
        const STATE y = COMBINE(LEAF(x[2 * i], index + 2 * i), LEAF(x[2 * i + 1], index + 2 * i + 1), w0);
        a[i] = y.a;
        b[i] = y.b;
    }
}

static void FOLD(pairs)(const struct sta__rows *in, int64_t count, const struct sta__state *to,
                        const struct sta__weight *w)
{
    const PART0 *restrict p = in->from.at[0];
    const PART1 *restrict q = in->from.at[1];
    PART0 *restrict a = to->at[0];
    PART1 *restrict b = to->at[1];
    const WEIGHT w0 = WEIGHT_OF(w[0]);
    for (int64_t i = 0; i < count; i++) {
        const STATE y = COMBINE(((STATE){p[2 * i], q[2 * i]}), ((STATE){p[2 * i + 1], q[2 * i + 1]}), w0);
        a[i] = y.a;
        b[i] = y.b;
    }
}

/* The tree over eight states READ(0) ... READ(7). */
#define TREE_OF_EIGHT(READ)                                                                                            \
    COMBINE(COMBINE(COMBINE(READ(0), READ(1), w0), COMBINE(READ(2), READ(3), w0), w1),                                 \
            COMBINE(COMBINE(READ(4), READ(5), w0), COMBINE(READ(6), READ(7), w0), w1), w2)
#define READ_VALUE(k) LEAF(x[c + (k)*s], index + (k))
#define READ_STATE(k) ((STATE){p[c + (k)*s], q[c + (k)*s]})

static void FOLD(eight_values)(const TYPE *restrict x, int64_t s, int64_t index, int64_t columns, PART0 *restrict a,
                               PART1 *restrict b, const struct sta__weight *w)
{
    const WEIGHT w0 = WEIGHT_OF(w[0]), w1 = WEIGHT_OF(w[1]), w2 = WEIGHT_OF(w[2]);
    (void)index;
    for (int64_t c = 0; c < columns; c++) {
        const STATE y = TREE_OF_EIGHT(READ_VALUE);
        a[c] = y.a;
        b[c] = y.b;
    }
}

static void FOLD(eights_values)(const struct sta__rows *in, int64_t columns, int64_t count, const struct sta__state *to,
                                const struct sta__weight *w)
{
    const TYPE *x = in->from.at[0];
    PART0 *a = to->at[0];
    PART1 *b = to->at[1];
    for (int64_t i = 0; i < count; i++)
        FOLD(eight_values)
    (x + 8 * i * in->stride, in->stride, in->index + 8 * i, columns, a + i * columns, b + i * columns, w);
}

static void FOLD(eight)(const PART0 *restrict p, const PART1 *restrict q, int64_t s, int64_t columns, PART0 *restrict a,
                        PART1 *restrict b, const struct sta__weight *w)
{
    const WEIGHT w0 = WEIGHT_OF(w[0]), w1 = WEIGHT_OF(w[1]), w2 = WEIGHT_OF(w[2]);
    for (int64_t c = 0; c < columns; c++) {
        const STATE y = TREE_OF_EIGHT(READ_STATE);
        a[c] = y.a;
        b[c] = y.b;
    }
}

static void FOLD(eights)(const struct sta__rows *in, int64_t columns, int64_t count, const struct sta__state *to,
                         const struct sta__weight *w)
{
    const int64_t s = in->stride;
    const PART0 *p = in->from.at[0];
    const PART1 *q = in->from.at[1];
    PART0 *a = to->at[0];
    PART1 *b = to->at[1];
    for (int64_t i = 0; i < count; i++)
        FOLD(eight)(p + 8 * i * s, q + 8 * i * s, s, columns, a + i * columns, b + i * columns, w);
}

static void FOLD(two_values)(const TYPE *restrict x, int64_t s, int64_t index, int64_t columns, PART0 *restrict a,
                             PART1 *restrict b, const struct sta__weight *w)
{
    const WEIGHT w0 = WEIGHT_OF(w[0]);
    (void)index;
    for (int64_t c = 0; c < columns; c++) {
        const STATE y = COMBINE(READ_VALUE(0), READ_VALUE(1), w0);
        a[c] = y.a;
        b[c] = y.b;
    }
}

static void FOLD(twos_values)(const struct sta__rows *in, int64_t columns, int64_t count, const struct sta__state *to,
                              const struct sta__weight *w)
{
    const TYPE *x = in->from.at[0];
    PART0 *a = to->at[0];
    PART1 *b = to->at[1];
    for (int64_t i = 0; i < count; i++)
        FOLD(two_values)
    (x + 2 * i * in->stride, in->stride, in->index + 2 * i, columns, a + i * columns, b + i * columns, w);
}

static void FOLD(two)(const PART0 *restrict p, const PART1 *restrict q, int64_t s, int64_t columns, PART0 *restrict a,
                      PART1 *restrict b, const struct sta__weight *w)
{
    const WEIGHT w0 = WEIGHT_OF(w[0]);
    for (int64_t c = 0; c < columns; c++) {
        const STATE y = COMBINE(READ_STATE(0), READ_STATE(1), w0);
        a[c] = y.a;
        b[c] = y.b;
    }
}

static void FOLD(twos)(const struct sta__rows *in, int64_t columns, int64_t count, const struct sta__state *to,
                       const struct sta__weight *w)
{
    const int64_t s = in->stride;
    const PART0 *p = in->from.at[0];
    const PART1 *q = in->from.at[1];
    PART0 *a = to->at[0];
    PART1 *b = to->at[1];
    for (int64_t i = 0; i < count; i++)
        FOLD(two)(p + 2 * i * s, q + 2 * i * s, s, columns, a + i * columns, b + i * columns, w);
}

static void FOLD(join)(const struct sta__state *left, const struct sta__state *right, int64_t columns,
                       const struct sta__weight *w)
{
    PART0 *restrict a = left->at[0];
    PART1 *restrict b = left->at[1];
    const PART0 *restrict p = right->at[0];
    const PART1 *restrict q = right->at[1];
    const WEIGHT w0 = WEIGHT_OF(w[0]);
    for (int64_t c = 0; c < columns; c++) {
        const STATE y = COMBINE(((STATE){a[c], b[c]}), ((STATE){p[c], q[c]}), w0);
        a[c] = y.a;
        b[c] = y.b;
    }
}

#undef TREE_OF_EIGHT
#undef READ_VALUE
#undef READ_STATE
#undef FOLD
#undef STATE
#undef LEAF
#undef COMBINE
#undef PART0
#undef PART1
#undef WEIGHT
#undef WEIGHT_OF
