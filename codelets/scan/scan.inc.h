/* The loops of one dtype, from the rows of ufuncs.def. loops_*.c include it once for each dtype, after scalar_*.h, with what
 * elementwise/loops.h asks for; it takes all of that back. An operator is a function that the loops below are compiled
 * with: each of them is inlined into one function for each operator. */

#define STA__WITH static inline __attribute__((always_inline))
#define STA__ABREAST 8 /* lines, or parts of one, at once */
typedef T (*STA__NAME(operator))(T, T);
/* to[i] = left[i] op right[i]; a function of its own, since it is called in many places. */
typedef void (*STA__NAME(row_operator))(int64_t n, const T *left, const T *right, T *to);

/* ---- the tree: blocks of len = 2^k elements, at most STA__SCAN_CHUNK ---- */

/* Groups of eight elements are turned into eight rows for the first three steps. One operator in each loop over them:
 * where it is a choice (maximum), compilers make branches of two. */
STA__WITH void STA__NAME(turn)(int64_t groups, const T *restrict x, T (*restrict t)[STA__SCAN_CHUNK / 8])
{
    for (int64_t g = 0; g < groups; g++)
        for (int r = 0; r < 8; r++)
            t[r][g] = x[8 * g + r];
}

STA__WITH void STA__NAME(eights)(STA__NAME(row_operator) rows, int64_t groups, const T *restrict x, T *restrict y)
{
    T t[8][STA__SCAN_CHUNK / 8];
    STA__NAME(turn)(groups, x, t);
    for (int half = 1; half < 8; half *= 2)
        for (int right = half; right < 8; right += 2 * half)
            for (int r = right; r < right + half; r++)
                rows(groups, t[right - 1], t[r], t[r]);
    for (int64_t g = 0; g < groups; g++)
        for (int r = 0; r < 8; r++)
            y[8 * g + r] = t[r][g];
}

/* The right half of every block of 2 half elements gets the last element of the left half. */
STA__WITH void STA__NAME(steps)(STA__NAME(operator) op, T *y, int64_t len, int64_t half)
{
    for (; half < len; half *= 2)
        for (int64_t right = half; right < len; right += 2 * half) {
            const T left = y[right - 1];
            for (int64_t i = right; i < right + half; i++)
                y[i] = op(left, y[i]);
        }
}

STA__WITH void STA__NAME(block)(STA__NAME(operator) op, STA__NAME(row_operator) rows, const T *restrict x,
                                T *restrict y, int64_t len)
{
    if (len < 8) {
        for (int64_t i = 0; i < len; i++)
            y[i] = x[i];
        STA__NAME(steps)(op, y, len, 1);
        return;
    }
    STA__NAME(eights)(rows, len / 8, x, y);
    STA__NAME(steps)(op, y, len, 8);
}

/* The node of a block. */
STA__WITH T STA__NAME(node)(STA__NAME(operator) op, STA__NAME(row_operator) rows, const T *restrict x, int64_t len)
{
    T t[8][STA__SCAN_CHUNK / 8];
    int64_t count = len < 8 ? len : len / 8;
    if (len < 8)
        for (int64_t i = 0; i < len; i++)
            t[0][i] = x[i];
    else
        STA__NAME(turn)(count, x, t);
    for (int half = 1; len >= 8 && half < 8; half *= 2)
        for (int r = 0; r < 8; r += 2 * half)
            rows(count, t[r], t[r + half], t[r]);
    for (; count > 1; count /= 2)
        for (int64_t i = 0; i < count / 2; i++)
            t[0][i] = op(t[0][2 * i], t[0][2 * i + 1]);
    return t[0][0];
}

/* The same where any order gives the same bits: in vectors, but numbers whose greatest divisor is sought soon have 1. */
STA__WITH T STA__NAME(sweep)(STA__NAME(operator) op, int one_by_one, const T *x, int64_t len)
{
    enum { WIDE = 32 };
    T part[WIDE], all = x[0];
    if (one_by_one || len < 2 * WIDE) {
        for (int64_t i = 1; i < len; i++)
            all = op(all, x[i]);
        return all;
    }
    for (int k = 0; k < WIDE; k++)
        part[k] = x[k];
    for (int64_t i = WIDE; i + WIDE <= len; i += WIDE) /* len is a power of two */
        _Pragma("omp simd") for (int k = 0; k < WIDE; k++) part[k] = op(part[k], x[i + k]);
    for (int half = WIDE / 2; half; half /= 2)
        for (int k = 0; k < half; k++)
            part[k] = op(part[k], part[k + half]);
    return part[0];
}

/* Four nodes at a time, since every pass over the elements costs more than the arithmetic. */
STA__WITH void STA__NAME(after)(STA__NAME(operator) op, int any_order, int64_t len, const T *nodes, int count, T *y)
{
    T all = nodes[0];
    for (int k = 1; any_order && k < count; k++)
        all = op(all, nodes[k]);
    if (any_order && count > 1) {
        nodes = &all;
        count = 1;
    }
    for (; count >= 4; count -= 4) {
        const T a = nodes[count - 4], b = nodes[count - 3], c = nodes[count - 2], d = nodes[count - 1];
        for (int64_t i = 0; i < len; i++)
            y[i] = op(a, op(b, op(c, op(d, y[i]))));
    }
    for (; count >= 1; count--) {
        const T a = nodes[count - 1];
        for (int64_t i = 0; i < len; i++)
            y[i] = op(a, y[i]);
    }
}

/* A block with what lies before it, whose nodes are given, where any order gives the same bits. Its own node is returned. */
STA__WITH T STA__NAME(run)(STA__NAME(operator) op, int64_t len, const T *nodes, int count, const T *x, T *y)
{
    T total = x[0], before = count ? nodes[0] : x[0];
    for (int k = 1; k < count; k++)
        before = op(before, nodes[k]);
    y[0] = count ? op(before, total) : total;
    if (count)
        for (int64_t i = 1; i < len; i++) {
            total = op(total, x[i]);
            y[i] = op(before, total);
        }
    else
        for (int64_t i = 1; i < len; i++)
            y[i] = total = op(total, x[i]);
    return total;
}

STA__WITH void STA__NAME(line)(STA__NAME(operator) op, int any_order, int one_by_one, STA__NAME(row_operator) rows,
                               struct sta__scan_stack *stack, int64_t n, const T *x, T *y)
{
    enum { SHORT = 32 }; /* up to there a running total beats the tree of short vectors */
    T *nodes = (T *)(void *)stack->nodes;
    const int64_t last = stack->first + n;
    for (int64_t len; stack->first < last; stack->first += len, x += len) {
        len = block_of(stack->first, last);
        T node;
        if (y && any_order && (STA__ANY_ORDER || len <= SHORT)) {
            node = STA__NAME(run)(op, len, nodes, stack->depth, x, y);
            y += len;
        } else if (y) {
            STA__NAME(block)(op, rows, x, y, len);
            node = y[len - 1];
            STA__NAME(after)(op, any_order, len, nodes, stack->depth, y);
            y += len;
        } else if (STA__ANY_ORDER) {
            node = STA__NAME(sweep)(op, one_by_one, x, len);
        } else {
            node = STA__NAME(node)(op, rows, x, len);
        }
        for (int64_t start = stack->first, size = len; start & size && start - size >= stack->origin; size *= 2) {
            node = op(nodes[--stack->depth], node);
            start -= size;
        }
        nodes[stack->depth++] = node;
    }
}

/* One operator in each loop, where more would be branches. */
STA__WITH void STA__NAME(join_apart)(STA__NAME(operator) op, int64_t n, const T *nodes, int64_t width, int count,
                                     const T *right, T *to)
{
    enum { PART = 256 };
    for (int64_t from = 0; from < n; from += PART) {
        const int64_t end = n - from < PART ? n : from + PART;
        for (int k = count - 1; k >= 0; k--) {
            const T *a = nodes + k * width, *b = k == count - 1 ? right : to;
            _Pragma("omp simd") for (int64_t i = from; i < end; i++) to[i] = op(a[i], b[i]);
        }
    }
}

STA__WITH void STA__NAME(join)(STA__NAME(operator) op, int64_t n, const T *nodes, int64_t width, int count,
                               const T *right, T *to)
{
    for (; count >= 4; count -= 4, right = to) {
        const T *a = nodes + (count - 4) * width, *b = a + width, *c = b + width, *d = c + width;
        _Pragma("omp simd") for (int64_t i = 0; i < n; i++) to[i] = op(a[i], op(b[i], op(c[i], op(d[i], right[i]))));
    }
    for (; count >= 1; count--, right = to) {
        const T *a = nodes + (count - 1) * width;
        _Pragma("omp simd") for (int64_t i = 0; i < n; i++) to[i] = op(a[i], right[i]);
    }
}

/* One pass over memory where rows that are joined one by one would be read and written at each step. */
STA__WITH void STA__NAME(eight)(STA__NAME(operator) op, int64_t n, const T *x, int64_t stride, T *to)
{
    const T *a = x, *b = a + stride, *c = b + stride, *d = c + stride;
    const T *e = d + stride, *f = e + stride, *g = f + stride, *h = g + stride;
    _Pragma("omp simd") for (int64_t i = 0; i < n; i++)
    {
        const T first = op(op(a[i], b[i]), op(c[i], d[i])), second = op(op(e[i], f[i]), op(g[i], h[i]));
        to[i] = op(first, second);
    }
}

/* ---- the other rule ---- */

/* Rows as they lie. */
STA__WITH void STA__NAME(serial_rows)(STA__NAME(operator) op, int cheap, int64_t rows, int64_t columns, int64_t stride,
                                      const T *x, T *y, T *last, int started)
{
    int64_t r = 0;
    for (; r < rows && !started; r++, x += stride, started = 1) {
        for (int64_t i = 0; i < columns; i++)
            last[i] = x[i];
        for (int64_t i = 0; i < columns && y; i++)
            y[i] = x[i];
        y = y ? y + stride : y;
    }
    for (; cheap && r + 4 <= rows && !y; r += 4, x += 4 * stride)
        for (int64_t i = 0; i < columns; i++)
            last[i] = op(op(op(op(last[i], x[i]), x[stride + i]), x[2 * stride + i]), x[3 * stride + i]);
    for (; r < rows && !y; r++, x += stride)
        for (int64_t i = 0; i < columns; i++)
            last[i] = op(last[i], x[i]);
    for (; r < rows; r++, x += stride, y += stride)
        for (int64_t i = 0; i < columns; i++)
            y[i] = last[i] = op(last[i], x[i]);
}

/* Whether all are 1, and stay so: the greatest common divisor soon is. */
STA__WITH int STA__NAME(all_one)(const T *total, int lines)
{
    int others = 0;
    for (int c = 0; c < lines; c++)
        others |= total[c] != 1;
    return !others;
}

/* Some columns that are lines in memory, whose operators do not wait for each other. */
STA__WITH void STA__NAME(serial_lines)(STA__NAME(operator) op, int one_stays, int64_t rows, int lines, int64_t step,
                                       const T *x, T *y, T *last, int started)
{
    enum { OFTEN = 64 };
    T total[STA__ABREAST];
    for (int c = 0; c < lines; c++)
        total[c] = started ? last[c] : x[c * step];
    for (int64_t r = 0; r < rows; r++, started = 1) {
        for (int c = 0; c < lines; c++) {
            total[c] = started ? op(total[c], x[c * step + r]) : total[c];
            if (y)
                y[c * step + r] = total[c];
        }
        if (one_stays && !y && r % OFTEN == 0 && STA__NAME(all_one)(total, lines))
            break;
    }
    for (int c = 0; c < lines; c++)
        last[c] = total[c];
}

STA__WITH void STA__NAME(serial)(STA__NAME(operator) op, int cheap, int one_stays, int64_t rows, int64_t columns,
                                 int64_t stride, int64_t step, const T *x, T *y, T *last, int started)
{
    if (stride != 1) {
        STA__NAME(serial_rows)(op, cheap, rows, columns, stride, x, y, last, started);
        return;
    }
    int64_t c = 0;
    for (; c + STA__ABREAST <= columns; c += STA__ABREAST)
        STA__NAME(serial_lines)
    (op, one_stays, rows, STA__ABREAST, step, x + c * step, y ? y + c * step : y, last + c, started);
    for (; c < columns; c++)
        STA__NAME(serial_lines)(op, one_stays, rows, 1, step, x + c * step, y ? y + c * step : y, last + c, started);
}

/* ---- one function for each operator ---- */

/* Choices of floats give the same bits in any order: the first of the largest, and the first NaN. */
#define STA__ORDER_IS_ANY(name)                                                                                        \
    (STA__ANY_ORDER || (STA__CHOICES && (STA__OP_##name == STA__OP_maximum || STA__OP_##name == STA__OP_minimum ||     \
                                         STA__OP_##name == STA__OP_fmax || STA__OP_##name == STA__OP_fmin)))
#define STA__TREE_FUNCTIONS(name, rule, text)                                                                          \
    STA__WITH T STA__NAME(name##_of)(T x, T y)                                                                         \
    {                                                                                                                  \
        return STA__KEEP_##rule(text);                                                                                 \
    }                                                                                                                  \
    static __attribute__((noinline)) void STA__NAME(name##_rows)(int64_t n, const T *left, const T *right, T *to)      \
    {                                                                                                                  \
        _Pragma("omp simd") for (int64_t i = 0; i < n; i++) to[i] = STA__NAME(name##_of)(left[i], right[i]);           \
    }                                                                                                                  \
    static void STA__NAME(name##_line)(struct sta__scan_stack * stack, int64_t n, const void *x, void *y)              \
    {                                                                                                                  \
        STA__NAME(line)                                                                                                \
        (STA__NAME(name##_of), STA__ORDER_IS_ANY(name), STA__OP_##name == STA__OP_gcd, STA__NAME(name##_rows), stack,  \
         n, x, y);                                                                                                     \
    }                                                                                                                  \
    static void STA__NAME(name##_join)(int64_t n, const void *nodes, int64_t width, int count, const void *right,      \
                                       void *to)                                                                       \
    {                                                                                                                  \
        if (STA__OP_##name == STA__OP_fmax || STA__OP_##name == STA__OP_fmin)                                          \
            STA__NAME(join_apart)(STA__NAME(name##_of), n, nodes, width, count, right, to);                            \
        else                                                                                                           \
            STA__NAME(join)(STA__NAME(name##_of), n, nodes, width, count, right, to);                                  \
    }                                                                                                                  \
    static void STA__NAME(name##_eight)(int64_t n, const void *x, int64_t stride, void *to)                            \
    {                                                                                                                  \
        STA__NAME(eight)(STA__NAME(name##_of), n, x, stride, to);                                                      \
    }
/* Several rows in one pass, each of which waits for the one before: only where memory takes longer than that. */
#define STA__IS_CHEAP(name) (STA__OP_##name == STA__OP_subtract || STA__OP_##name == STA__OP_divide)
#define STA__SERIAL_FUNCTIONS(name, rule, text)                                                                        \
    STA__WITH T STA__NAME(name##_of)(T x, T y)                                                                         \
    {                                                                                                                  \
        return STA__KEEP_##rule(text);                                                                                 \
    }                                                                                                                  \
    static void STA__NAME(name##_serial)(int64_t rows, int64_t columns, int64_t stride, int64_t step, const void *x,   \
                                         void *y, void *last, int started)                                             \
    {                                                                                                                  \
        STA__NAME(serial)                                                                                              \
        (STA__NAME(name##_of), STA__IS_CHEAP(name), STA__OP_##name == STA__OP_gcd, rows, columns, stride, step, x, y,  \
         last, started);                                                                                               \
    }
#define STA_UFUNC(name, arity, kinds, rule, identity, cost, ulp, text, doc)                                            \
    STA__SELECT(STA__KINDS_##kinds, STA__SCANNED(name, STA__TREE_FUNCTIONS, STA__SERIAL_FUNCTIONS)(name, rule, text))
#define STA_PART(name, arity, kinds, rule, identity, cost, ulp, text, doc)
#include <starray/ufuncs.def>

#define STA__TREE_ENTRY(name, rule, text)                                                                              \
    loops[STA__OP_##name].line = STA__NAME(name##_line);                                                               \
    loops[STA__OP_##name].join = STA__NAME(name##_join);                                                               \
    loops[STA__OP_##name].eight =                                                                                      \
        STA__OP_##name == STA__OP_fmax || STA__OP_##name == STA__OP_fmin ? NULL : STA__NAME(name##_eight);
#define STA__SERIAL_ENTRY(name, rule, text) loops[STA__OP_##name].serial = STA__NAME(name##_serial);
#define STA_UFUNC(name, arity, kinds, rule, identity, cost, ulp, text, doc)                                            \
    STA__SELECT(STA__KINDS_##kinds, STA__SCANNED(name, STA__TREE_ENTRY, STA__SERIAL_ENTRY)(name, rule, text))
#define STA_PART(name, arity, kinds, rule, identity, cost, ulp, text, doc)
/* Enters the dtype's loops into its row of the table. */
void STA__SYMBOL(STA__NAME(sta__scans))(struct sta__scan_loops *loops);
void STA__SYMBOL(STA__NAME(sta__scans))(struct sta__scan_loops *loops)
{
#include <starray/ufuncs.def>
}

#undef STA__WITH
#undef STA__ABREAST
#undef STA__TREE_FUNCTIONS
#undef STA__ORDER_IS_ANY
#undef STA__IS_CHEAP
#undef STA__SERIAL_FUNCTIONS
#undef STA__TREE_ENTRY
#undef STA__SERIAL_ENTRY
#undef T
#undef U
#undef W
#undef OTHER
#undef LARGEST
#undef STA__QUOTIENT
#undef STA__BRIEF
#undef STA__CLASS
