/* The middle of a line of REAL numbers. A template: REAL, NAME(stem). */

static void NAME(swap)(REAL *a, REAL *b)
{
    const REAL kept = *a;
    *a = *b;
    *b = kept;
}

static void NAME(sink)(REAL *x, int64_t root, int64_t count)
{
    for (int64_t child = 2 * root + 1; child < count; child = 2 * root + 1) {
        if (child + 1 < count && x[child] < x[child + 1])
            child++;
        if (!(x[root] < x[child]))
            return;
        NAME(swap)(&x[root], &x[child]);
        root = child;
    }
}

static void NAME(heap_sort)(REAL *x, int64_t count)
{
    for (int64_t root = count / 2 - 1; root >= 0; root--)
        NAME(sink)(x, root, count);
    for (int64_t last = count - 1; last > 0; last--) {
        NAME(swap)(&x[0], &x[last]);
        NAME(sink)(x, 0, last);
    }
}

/* The median of three of the range goes to its middle; its ends then bound the walks of a partition. */
static REAL NAME(pivot)(REAL *x, int64_t from, int64_t last)
{
    const int64_t middle = from + (last - from) / 2;
    if (x[middle] < x[from])
        NAME(swap)(&x[middle], &x[from]);
    if (x[last] < x[middle])
        NAME(swap)(&x[last], &x[middle]);
    if (x[middle] < x[from])
        NAME(swap)(&x[middle], &x[from]);
    return x[middle];
}

/* Puts the k-th smallest at k, none larger before it. No NaN. After too many bad pivots the rest is sorted. */
static void NAME(select)(REAL *x, int64_t count, int64_t k)
{
    int64_t from = 0, last = count - 1;
    for (int turns = 2 * (64 - __builtin_clzll((unsigned long long)count)); from < last; turns--) {
        if (turns == 0) {
            NAME(heap_sort)(x + from, last - from + 1);
            return;
        }
        const REAL pivot = NAME(pivot)(x, from, last);
        int64_t i = from, j = last;
        while (i <= j) {
            while (x[i] < pivot)
                i++;
            while (pivot < x[j])
                j--;
            if (i <= j)
                NAME(swap)(&x[i++], &x[j--]);
        }
        if (k <= j)
            last = j;
        else if (k >= i)
            from = i;
        else
            return;
    }
}

/* Of a line that may be reordered. NaN where it has one, unless those are left out. */
static REAL NAME(middle)(REAL *x, int64_t count, bool without_nan)
{
    int64_t numbers = 0;
    for (int64_t i = 0; i < count; i++)
        if (x[i] == x[i])
            x[numbers++] = x[i];
    if (numbers == 0 || (numbers < count && !without_nan))
        return (REAL)__builtin_nan("");
    const int64_t half = numbers / 2;
    NAME(select)(x, numbers, half);
    if (numbers % 2)
        return x[half] + 0;
    REAL below = x[0];
    for (int64_t i = 1; i < half; i++)
        below = x[i] > below ? x[i] : below;
    return (below + x[half] + 0) / 2;
}

static bool NAME(lines)(const struct part *part)
{
    REAL *line = sta__allocate_raw((size_t)part->length * sizeof *line);
    const size_t item = sta_itemsize(part->from->dtype), result = sta_itemsize(part->to->dtype);
    for (int64_t k = part->first; line && k < part->end; k++) {
        const void *from = part->from->data + (size_t)(k * part->length) * item;
        if (part->cast)
            part->cast(part->length, line, &from);
        else
            memcpy(line, from, (size_t)part->length * item);
        const REAL middle = NAME(middle)(line, part->length, part->nan);
        void *to = part->to->data + (size_t)k * result;
        if (part->cast_back)
            part->cast_back(1, to, (const void *const[]){&middle});
        else
            memcpy(to, &middle, sizeof middle);
    }
    sta__release(line);
    return line != NULL;
}
