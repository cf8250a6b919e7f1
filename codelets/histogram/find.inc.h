/* The bins of a block of elements, for one precision: included by loops_count.c with REAL, INDEX (an integer as wide),
 * BINS (the struct) and NAME(x) defined. Loops of a fixed length without branches, so that the compiler makes vectors
 * of them. */

/* GCC's vectors: comparisons are lanes of 0 or -1, and nothing depends on what an auto-vectoriser dares. */
typedef REAL NAME(vector) __attribute__((vector_size(STA__VECTOR_BYTES)));
typedef INDEX NAME(mask) __attribute__((vector_size(STA__VECTOR_BYTES)));
typedef int32_t NAME(bin) __attribute__((vector_size(STA__VECTOR_BYTES / sizeof(REAL) * 4)));
enum { NAME(LANES) = STA__VECTOR_BYTES / sizeof(REAL) };

/* The estimates; returns whether one of them may be off by one. */
static inline int NAME(estimate)(const struct BINS *bins, const REAL *restrict v, int32_t *restrict bin)
{
    const REAL lo = bins->lo, hi = bins->hi, scale = bins->scale, sure = bins->sure;
    const int32_t last = bins->bins - 1, none = bins->bins;
    NAME(mask) unsure = {0};
    for (int i = 0; i < STA__HISTOGRAM_BLOCK; i += NAME(LANES)) {
        NAME(vector) x;
        memcpy(&x, v + i, sizeof x);
        const NAME(mask) inside = (x >= lo) & (x <= hi);
        const NAME(vector) at = (NAME(vector))((NAME(mask))((x - lo) * scale) & inside);
        NAME(bin) k = __builtin_convertvector(at, NAME(bin));
        const NAME(vector) middle = at - __builtin_convertvector(k, NAME(vector)) - (REAL)0.5;
        unsure |= ((middle >= sure) | (middle <= -sure)) & inside;
        const NAME(bin) in = __builtin_convertvector(inside, NAME(bin)), high = k > last;
        k = (k & ~high) | (last & high);
        k = (k & in) | (none & ~in);
        memcpy(bin + i, &k, sizeof k);
    }
    INDEX any = 0;
    for (int i = 0; i < NAME(LANES); i++)
        any |= unsure[i];
    return any != 0;
}

/* edge[k] <= v < edge[k + 1] made true for estimates that are off by one at most. */
static inline void NAME(correct)(const struct BINS *bins, const REAL *restrict v, int32_t *restrict bin)
{
    const REAL *restrict edges = bins->edges;
    const int32_t last = bins->bins - 1;
    REAL low[STA__HISTOGRAM_BLOCK], high[STA__HISTOGRAM_BLOCK];
    for (int i = 0; i < STA__HISTOGRAM_BLOCK; i++) {
        const int32_t k = bin[i] < last ? bin[i] : last;
        low[i] = edges[k];
        high[i] = edges[k + 1];
    }
    for (int i = 0; i < STA__HISTOGRAM_BLOCK; i += NAME(LANES)) {
        NAME(vector) x, a, b;
        NAME(bin) k;
        memcpy(&x, v + i, sizeof x);
        memcpy(&a, low + i, sizeof a);
        memcpy(&b, high + i, sizeof b);
        memcpy(&k, bin + i, sizeof k);
        const NAME(bin) down = __builtin_convertvector(x < a, NAME(bin)) & (k <= last);
        const NAME(bin) up = __builtin_convertvector(x >= b, NAME(bin)) & (k < last);
        k += down - up; /* lanes of -1 */
        memcpy(bin + i, &k, sizeof k);
    }
}

static void NAME(find)(const struct BINS *bins, const REAL *v, int32_t *bin)
{
    if (NAME(estimate)(bins, v, bin))
        NAME(correct)(bins, v, bin);
}

/* bin = (how many edges are <= v) - 1; the last edge belongs to the last bin. */
static void NAME(search)(const struct BINS *bins, const REAL *restrict v, int32_t *restrict bin)
{
    const REAL *restrict edges = bins->edges;
    const int32_t count = bins->bins + 1, none = bins->bins;
    int32_t below[STA__HISTOGRAM_BLOCK] = {0};
    if (count <= STA__HISTOGRAM_LINEAR) {
        for (int32_t k = 0; k < count; k++)
            for (int i = 0; i < STA__HISTOGRAM_BLOCK; i++)
                below[i] += v[i] >= edges[k];
    } else {
        int32_t step = 1;
        while (step <= count / 2)
            step *= 2;
        for (; step > 0; step /= 2)
            for (int i = 0; i < STA__HISTOGRAM_BLOCK; i++) {
                const int32_t next = below[i] + step, probe = next <= count ? next : count;
                const int take = (next <= count) & (v[i] >= edges[probe - 1]);
                below[i] = take ? next : below[i];
            }
    }
    for (int i = 0; i < STA__HISTOGRAM_BLOCK; i++) {
        const int32_t k = below[i] < count ? below[i] - 1 : none - 1;
        const int inside = (v[i] >= edges[0]) & (v[i] <= edges[count - 1]);
        bin[i] = inside ? k : none;
    }
}

static void NAME(count)(const struct BINS *bins, const REAL *v, int64_t blocks, struct sta__tables *tables)
{
    int32_t bin[STA__HISTOGRAM_BLOCK];
    for (int64_t b = 0; b < blocks; b++) {
        NAME(find)(bins, v + b * STA__HISTOGRAM_BLOCK, bin);
        scatter(bin, tables, bins->bins + 1);
    }
}
