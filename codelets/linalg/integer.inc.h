/* Integer products with words of one size: included by integer.c with WORD, LOOP (the member of the loops) and NAME(x)
 * defined. Blocks of both operands are packed as words; the low bits of a product are the same for all that the words
 * were cast from. */

/* Rows row .. row + BLOCK_ROWS of a, columns from .. from + depth: groups of ROWS rows, each with its rows side by
 * side. */
static void NAME(pack_a)(const struct operand *a, int64_t row, int64_t rows, int64_t from, int64_t depth, WORD *to)
{
    for (int64_t i = 0; i < rows; i += STA__PRODUCT_ROWS)
        for (int64_t p = 0; p < depth; p++)
            for (int64_t r = i; r < i + STA__PRODUCT_ROWS; r++)
                *to++ = r < rows ? (WORD)word_at(a, row + r, from + p) : 0;
}

static void NAME(pack_b)(const struct operand *b, int64_t from, int64_t depth, int64_t column, int64_t columns,
                         int64_t width, WORD *to)
{
    for (int64_t p = 0; p < depth; p++)
        for (int64_t j = 0; j < width; j++)
            *to++ = j < columns ? (WORD)word_at(b, from + p, column + j) : 0;
}

static bool NAME(product)(const struct sta__product *p, const struct sta__product_loops *loops)
{
    const struct operand a = operand_a(p), b = operand_b(p);
    const int64_t width = loops->bytes / (int64_t)sizeof(WORD);
    WORD *left = sta__allocate(BLOCK_ROWS * BLOCK_DEPTH * sizeof *left);
    WORD *right = sta__allocate((size_t)width * BLOCK_DEPTH * sizeof *right);
    WORD sum[STA__PRODUCT_ROWS * STA__PRODUCT_BYTES / sizeof(WORD)];
    for (int64_t row = 0; left && right && row < p->m; row += BLOCK_ROWS)
        for (int64_t from = 0; from < p->k; from += BLOCK_DEPTH) {
            const int64_t rows = least(BLOCK_ROWS, p->m - row), depth = least(BLOCK_DEPTH, p->k - from);
            NAME(pack_a)(&a, row, rows, from, depth, left);
            for (int64_t column = 0; column < p->n; column += width) {
                const int64_t columns = least(width, p->n - column);
                NAME(pack_b)(&b, from, depth, column, columns, width, right);
                for (int64_t i = 0; i < rows; i += STA__PRODUCT_ROWS) {
                    loops->LOOP(depth, left + i * depth, right, sum);
                    for (int64_t r = i; r < least(i + STA__PRODUCT_ROWS, rows); r++)
                        for (int64_t j = 0; j < columns; j++)
                            put_word(p, row + r, column + j, sum[(r - i) * width + j], p->add || from > 0);
                }
            }
        }
    const bool good = left && right;
    sta__release(left);
    sta__release(right);
    return good;
}
