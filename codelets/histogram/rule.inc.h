/* Whether bins can be found by arithmetic in one precision: included by rule.c with REAL, BITS (an integer as wide),
 * BINS (the struct), TINY (the smallest subnormal), LARGEST (exact whole numbers) and NAME(x) defined. */

static REAL NAME(before)(REAL value)
{
    BITS bits;
    if (value == 0)
        return -(REAL)TINY;
    memcpy(&bits, &value, sizeof bits);
    bits = value > 0 ? bits - 1u : bits + 1u;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The worst error of the estimate at an edge: being monotone, it gives v < edge[k] at most at(before(edge[k])), and
 * the others at least at(edge[k]). -1: it is never wrong. */
static REAL NAME(worst)(const struct BINS *bins)
{
    REAL worst = -1;
    for (int32_t k = 1; k < bins->bins; k++) {
        const REAL at = (bins->edges[k] - bins->lo) * bins->scale;
        const REAL before = (NAME(before)(bins->edges[k]) - bins->lo) * bins->scale;
        const REAL low = at < (REAL)k ? (REAL)k - at : -1, high = before >= (REAL)k ? before - (REAL)k : -1;
        worst = low > worst ? low : worst;
        worst = high > worst ? high : worst;
    }
    return worst;
}

static bool NAME(settle)(struct BINS *bins, const REAL *edges, int32_t count)
{
    *bins = (struct BINS){.bins = count, .lo = edges[0], .hi = edges[count], .edges = edges};
    bins->scale = (REAL)count / (bins->hi - bins->lo);
    if (!isfinite(bins->scale) || count > LARGEST)
        return false;
    const REAL worst = NAME(worst)(bins);
    bins->sure = worst >= 0 ? (REAL)0.5 - worst : (REAL)INFINITY;
    return worst < (REAL)0.25;
}
