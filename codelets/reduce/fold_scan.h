/* Values with the index of their row, over columns. Indices within a scan are as wide as the values, so that both fill
 * the same vectors. A template: FOLD(stem) = the function's name, TYPE, NEAR = a struct {a, b} of a TYPE and a NARROW
 * integer, COMBINE(l, r) of two of them, a function. */

#define READ_NEAR(k) ((NEAR){x[c + (k)*s], (NARROW)(row + (k))})
#define EIGHT_NEAR                                                                                                     \
    COMBINE(COMBINE(COMBINE(READ_NEAR(0), READ_NEAR(1)), COMBINE(READ_NEAR(2), READ_NEAR(3))),                         \
            COMBINE(COMBINE(READ_NEAR(4), READ_NEAR(5)), COMBINE(READ_NEAR(6), READ_NEAR(7))))

static void FOLD(scan_first)(const TYPE *restrict x, int64_t s, int64_t columns, TYPE *restrict a, NARROW *restrict b)
{
    const NARROW row = 0;
    for (int64_t c = 0; c < columns; c++) {
        const NEAR y = EIGHT_NEAR;
        a[c] = y.a;
        b[c] = y.b;
    }
}

static void FOLD(scan_next)(const TYPE *restrict x, int64_t s, int64_t columns, NARROW row, TYPE *restrict a,
                            NARROW *restrict b)
{
    for (int64_t c = 0; c < columns; c++) {
        const NEAR y = COMBINE(((NEAR){a[c], b[c]}), EIGHT_NEAR);
        a[c] = y.a;
        b[c] = y.b;
    }
}

/* Rows, a multiple of 8 and STA__SCAN_ROWS at most, of up to SCAN_COLUMNS columns. */
static void FOLD(scan_strip)(const TYPE *x, int64_t s, int64_t columns, int64_t rows, TYPE *a, NARROW *b)
{
    FOLD(scan_first)(x, s, columns, a, b);
    for (int64_t r = 8; r < rows; r += 8)
        FOLD(scan_next)(x + r * s, s, columns, (NARROW)r, a, b);
}

/* Few columns: `fold` rows are taken as one, and their columns compared afterwards. */
static void FOLD(scan_narrow)(const struct sta__rows *in, int64_t columns, int64_t rows, int64_t fold,
                              const struct sta__state *to)
{
    TYPE value[SCAN_COLUMNS], *a = to->at[0];
    NARROW near[SCAN_COLUMNS];
    int64_t *b = to->at[1];
    FOLD(scan_strip)(in->from.at[0], fold * columns, fold * columns, rows / fold, value, near);
    for (int64_t c = 0; c < columns; c++) {
        a[c] = value[c];
        b[c] = near[c] * fold;
    }
    for (int64_t k = 1; k < fold; k++)
        for (int64_t c = 0; c < columns; c++) {
            const TYPE x = value[k * columns + c];
            const int64_t at = near[k * columns + c] * fold + k;
            const bool same = SAME(a[c], x);
            const bool takes = same ? at < b[c] : !PICK(a[c], x, true, false);
            b[c] = takes ? at : b[c];
            a[c] = takes ? x : a[c];
        }
    for (int64_t c = 0; c < columns; c++)
        b[c] += in->index;
}

static void FOLD(scan)(const struct sta__rows *in, int64_t columns, int64_t rows, const struct sta__state *to)
{
    const int64_t fold = scan_fold(in, columns, rows);
    if (fold > 1) {
        FOLD(scan_narrow)(in, columns, rows, fold, to);
        return;
    }
    NARROW near[SCAN_COLUMNS];
    for (int64_t c = 0; c < columns; c += SCAN_COLUMNS) {
        const int64_t width = columns - c < SCAN_COLUMNS ? columns - c : SCAN_COLUMNS;
        FOLD(scan_strip)((const TYPE *)in->from.at[0] + c, in->stride, width, rows, (TYPE *)to->at[0] + c, near);
        int64_t *b = (int64_t *)to->at[1] + c;
        for (int64_t i = 0; i < width; i++)
            b[i] = in->index + near[i];
    }
}

#undef READ_NEAR
#undef EIGHT_NEAR
