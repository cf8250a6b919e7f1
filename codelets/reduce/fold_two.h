/* The loops of a reducer whose state has two components. A template: included once for each (reducer, type) with
 * FOLD(stem) = the function's name, TYPE of the block, STATE = a struct {a, b} of the components' types PART0 and PART1,
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

static void FOLD(pairs)(const struct sta__rows *in, int64_t count, const struct sta__state *to, const struct sta__weight *w)
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

static void FOLD(eights_values)(const struct sta__rows *in, int64_t columns, int64_t count, const struct sta__state *to,
                                const struct sta__weight *w)
{
    const int64_t s = in->stride;
    const WEIGHT w0 = WEIGHT_OF(w[0]), w1 = WEIGHT_OF(w[1]), w2 = WEIGHT_OF(w[2]);
    for (int64_t i = 0; i < count; i++) {
        const TYPE *restrict x = (const TYPE *)in->from.at[0] + 8 * i * s;
        PART0 *restrict a = (PART0 *)to->at[0] + i * columns;
        PART1 *restrict b = (PART1 *)to->at[1] + i * columns;
        const int64_t index = in->index + 8 * i;
        (void)index;
        for (int64_t c = 0; c < columns; c++) {
#define READ(k) LEAF(x[c + (k) * s], index + (k))
            const STATE y = TREE_OF_EIGHT(READ);
#undef READ
            a[c] = y.a;
            b[c] = y.b;
        }
    }
}

static void FOLD(eights)(const struct sta__rows *in, int64_t columns, int64_t count, const struct sta__state *to,
                         const struct sta__weight *w)
{
    const int64_t s = in->stride;
    const WEIGHT w0 = WEIGHT_OF(w[0]), w1 = WEIGHT_OF(w[1]), w2 = WEIGHT_OF(w[2]);
    for (int64_t i = 0; i < count; i++) {
        const PART0 *restrict p = (const PART0 *)in->from.at[0] + 8 * i * s;
        const PART1 *restrict q = (const PART1 *)in->from.at[1] + 8 * i * s;
        PART0 *restrict a = (PART0 *)to->at[0] + i * columns;
        PART1 *restrict b = (PART1 *)to->at[1] + i * columns;
        for (int64_t c = 0; c < columns; c++) {
#define READ(k) ((STATE){p[c + (k) * s], q[c + (k) * s]})
            const STATE y = TREE_OF_EIGHT(READ);
#undef READ
            a[c] = y.a;
            b[c] = y.b;
        }
    }
}

static void FOLD(twos_values)(const struct sta__rows *in, int64_t columns, int64_t count, const struct sta__state *to,
                              const struct sta__weight *w)
{
    const int64_t s = in->stride;
    const WEIGHT w0 = WEIGHT_OF(w[0]);
    for (int64_t i = 0; i < count; i++) {
        const TYPE *restrict x = (const TYPE *)in->from.at[0] + 2 * i * s;
        PART0 *restrict a = (PART0 *)to->at[0] + i * columns;
        PART1 *restrict b = (PART1 *)to->at[1] + i * columns;
        const int64_t index = in->index + 2 * i;
        (void)index;
        for (int64_t c = 0; c < columns; c++) {
            const STATE y = COMBINE(LEAF(x[c], index), LEAF(x[c + s], index + 1), w0);
            a[c] = y.a;
            b[c] = y.b;
        }
    }
}

static void FOLD(twos)(const struct sta__rows *in, int64_t columns, int64_t count, const struct sta__state *to,
                       const struct sta__weight *w)
{
    const int64_t s = in->stride;
    const WEIGHT w0 = WEIGHT_OF(w[0]);
    for (int64_t i = 0; i < count; i++) {
        const PART0 *restrict p = (const PART0 *)in->from.at[0] + 2 * i * s;
        const PART1 *restrict q = (const PART1 *)in->from.at[1] + 2 * i * s;
        PART0 *restrict a = (PART0 *)to->at[0] + i * columns;
        PART1 *restrict b = (PART1 *)to->at[1] + i * columns;
        for (int64_t c = 0; c < columns; c++) {
            const STATE y = COMBINE(((STATE){p[c], q[c]}), ((STATE){p[c + s], q[c + s]}), w0);
            a[c] = y.a;
            b[c] = y.b;
        }
    }
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
#undef FOLD
#undef STATE
#undef LEAF
#undef COMBINE
#undef PART0
#undef PART1
#undef WEIGHT
#undef WEIGHT_OF
