/* Scans on a GPU, as text for NVRTC after a program whose `element` is the operator; the rule is that of scan.h, so that the bits
 * are the CPU's. C reads the struct.
 *
 * A tile is cut into chunks, the aligned blocks of 2^shift elements that it touches. What all have in common: a node that ends at
 * index v and begins where v has its lowest bit less is part of the list of everything behind it. So the element at index i is
 * joined with the nodes that end at i, i less its lowest bit, and so on; those that end at or before the tile's first
 * index come from the list of [0, first), where they have their places by the bits in v.
 *
 *     totals   the node of each chunk, and, where the list of the tile is wanted, what is smaller than a chunk
 *     tree     nodes of chunks are joined in place: totals[v - 1] is then the node that ends at chunk v
 *     scan     the elements
 *
 * Along the last axis (line) threads take eight neighbours each, lanes and warps exchange what ends left of them: Sklansky's
 * steps. Along others (column) a thread walks a chunk of a column. */
#ifndef STA__CUDA_SCAN_H
#define STA__CUDA_SCAN_H

enum sta__scan_step { STA__SCAN_TOTALS, STA__SCAN_LIST, STA__SCAN_ELEMENTS };
enum sta__scan_join { STA__SCAN_PREFIX, STA__SCAN_FINISH, STA__SCAN_IDENTITY };

struct sta__scan_walk {
    int64_t outer, length, inner, cells; /* of x; cells: outer * inner */
    int64_t first, last;                 /* the tile along the axis */
    int64_t shift, chunk, chunks;        /* the first chunk's number, and how many there are */
    int64_t group;                       /* line: threads for a chunk */
    int64_t y_line;                      /* elements of y from one line of cells to the next along the outer axes */
    int step, started;
    const void *x, *prefix, *partial;
    void *y, *totals, *list;
    unsigned char identity[16];
};

#ifdef __CUDACC_RTC__
/* element_t is the type, joined(a, b) is a op b. */
enum { THREADS = 256, EACH = 8, LEVELS = 64 };

/* The node of the list of [0, first) that ends at v. */
static __device__ __forceinline__ element_t prefix_node(const sta__scan_walk &w, int64_t v, int64_t cell)
{
    return ((const element_t *)w.prefix)[(__popcll((unsigned long long)v) - 1) * w.cells + cell];
}

/* Whether that list has a node that ends at v. */
static __device__ __forceinline__ bool ends_node(const sta__scan_walk &w, int64_t v)
{
    return (w.first & -(v & -v)) == v;
}

/* The length of the next maximal aligned block of [first, last). */
static __device__ __forceinline__ int64_t next_block(int64_t first, int64_t last)
{
    int64_t len = first & -first;
    if (len == 0)
        for (len = 1; len <= last / 2;)
            len *= 2;
    while (first + len > last)
        len /= 2;
    return len;
}

static __device__ __forceinline__ int level_of(int64_t length)
{
    return 63 - __clzll(length);
}

/* The node that ends where chunk number v begins. */
static __device__ __forceinline__ element_t chunk_node(const sta__scan_walk &w, int64_t v, int64_t o, int64_t column)
{
    return v > w.chunk ? ((const element_t *)w.totals)[(o * w.chunks + v - 1 - w.chunk) * w.inner + column]
                       : prefix_node(w, v, o * w.inner + column);
}

/* ---- the tree over chunks ---- */

/* One block of threads has some columns of one outer index. In the list of a tile what is not whole is not joined. */
static __device__ __forceinline__ void join_chunks(const sta__scan_walk &w, int64_t o, int64_t column, int64_t slot,
                                                   int64_t slots, bool live)
{
    element_t *totals = (element_t *)w.totals + o * w.chunks * w.inner + column;
    const int64_t end = w.last >> w.shift; /* chunks that are whole */
    for (int64_t half = 1; half < end; half *= 2) {
        int64_t right = (w.chunk & -(2 * half)) + half + slot * 2 * half; /* odd multiples of half */
        for (; live && right + half <= end; right += slots * 2 * half) {
            const int64_t at = right + half - 1;
            const bool there = w.step == STA__SCAN_LIST ? (right - half) << w.shift >= w.first : at >= w.chunk;
            if (!there)
                continue;
            const element_t left =
                right > w.chunk ? totals[(right - 1 - w.chunk) * w.inner] : prefix_node(w, right, o * w.inner + column);
            element_t &to = totals[(at - w.chunk) * w.inner];
            to = joined(left, to);
        }
        __syncthreads();
    }
    if (w.step != STA__SCAN_LIST || !live || slot)
        return;
    int64_t node = 0;
    for (int64_t at = w.first, len; at < w.last; at += len, node++) {
        len = next_block(at, w.last);
        if (len >> w.shift)
            ((element_t *)w.list)[node * w.cells + o * w.inner + column] =
                totals[(((at + len) >> w.shift) - 1 - w.chunk) * w.inner];
    }
}

static __device__ __forceinline__ void tree(const sta__scan_walk &w)
{
    int64_t columns = 1;
    while (columns < w.inner && columns < 32)
        columns *= 2;
    const int64_t across = (w.inner + columns - 1) / columns, o = blockIdx.x / across;
    const int64_t column = blockIdx.x % across * columns + threadIdx.x % columns;
    join_chunks(w, o, column, threadIdx.x / columns, blockDim.x / columns, column < w.inner);
}

/* ---- lines ---- */

template <typename E> static __device__ __forceinline__ E from_lane(const E &x, int lane)
{
    enum { WORDS = (sizeof(E) + 3) / 4 };
    uint32_t word[WORDS] = {0};
    E y;
    memcpy(word, &x, sizeof x);
#pragma unroll
    for (int k = 0; k < WORDS; k++)
        word[k] = __shfl_sync(~0u, word[k], lane);
    memcpy(&y, word, sizeof y);
    return y;
}

static __device__ __forceinline__ int padded(int i)
{
    return i + i / (128 / (int)sizeof(element_t));
}

/* A chunk of a line at work. */
struct chunk {
    int64_t start, line; /* of the chunk; of x */
    bool live, edge;     /* edge: not all of it lies in the tile */
};

/* Whether element i gets what ends left of `right`. */
template <bool EDGE>
static __device__ __forceinline__ bool takes(const sta__scan_walk &w, int64_t right, int64_t half, int64_t i)
{
    if (!EDGE)
        return true;
    return w.step == STA__SCAN_LIST ? right - half >= w.first && right + half <= w.last : i >= w.first;
}

template <bool EDGE>
static __device__ __forceinline__ void own_steps(const sta__scan_walk &w, int64_t start, element_t (&y)[EACH])
{
#pragma unroll
    for (int half = 1; half < EACH; half *= 2)
#pragma unroll
        for (int right = half; right < EACH; right += 2 * half)
#pragma unroll
            for (int i = right; i < right + half; i++)
                if (takes<EDGE>(w, start + right, half, start + i))
                    y[i] = joined(y[right - 1], y[i]);
}

/* thread t gets what ends left of it where it lies in the right half of 2 * half threads. */
template <bool EDGE>
static __device__ __forceinline__ void take_left(const sta__scan_walk &w, int64_t chunk_start, int t, int half,
                                                 const element_t &left, element_t (&y)[EACH])
{
    if (!(t & half))
        return;
    const int64_t right = chunk_start + (int64_t)(t & ~(half - 1)) * EACH, own = chunk_start + (int64_t)t * EACH;
#pragma unroll
    for (int i = 0; i < EACH; i++)
        if (takes<EDGE>(w, right, (int64_t)half * EACH, own + i))
            y[i] = joined(left, y[i]);
}

/* Sklansky's steps. All threads of the block come here; those of a chunk agree on EDGE, those of a warp need not. */
static __device__ __forceinline__ void steps(const sta__scan_walk &w, const chunk &c, int t, element_t (&y)[EACH],
                                             element_t *warps)
{
    const int lane = threadIdx.x % 32, group = (int)w.group;
    if (c.edge)
        own_steps<true>(w, c.start + t * EACH, y);
    else
        own_steps<false>(w, c.start + t * EACH, y);
    for (int half = 1; half < group && half < 32; half *= 2) {
        const element_t left = from_lane(y[EACH - 1], (lane & ~half) | (half - 1));
        if (c.edge)
            take_left<true>(w, c.start, t, half, left, y);
        else
            take_left<false>(w, c.start, t, half, left, y);
    }
    for (int half = 32; half < group; half *= 2) {
        __syncthreads();
        if (lane == 31)
            warps[threadIdx.x / 32] = y[EACH - 1];
        __syncthreads();
        const element_t left = warps[((t & ~half) | (half - 1)) / 32];
        if (c.edge)
            take_left<true>(w, c.start, t, half, left, y);
        else
            take_left<false>(w, c.start, t, half, left, y);
    }
}

/* Elements of the chunk, neighbouring threads neighbouring ones; before the tile, what the list has there. */
static __device__ __forceinline__ void load_chunk(const sta__scan_walk &w, const chunk &c, int t, element_t *own)
{
    const element_t *x = (const element_t *)w.x + c.line * w.length - w.first;
#pragma unroll
    for (int k = 0; k < EACH; k++) {
        const int at = t + k * (int)w.group;
        const int64_t i = c.start + at;
        element_t value = element_t();
        if (c.live && i >= w.first && i < w.last)
            value = x[i];
        else if (c.live && i < w.first && w.step != STA__SCAN_LIST && ends_node(w, i + 1))
            value = prefix_node(w, i + 1, c.line);
        own[padded(at)] = value;
    }
}

/* Nodes of the tile's list that are smaller than a chunk, from the places where they end. */
static __device__ __forceinline__ void write_small(const sta__scan_walk &w, const chunk &c, const element_t *own)
{
    int64_t node = 0;
    for (int64_t at = w.first, len; at < w.last; at += len, node++) {
        len = next_block(at, w.last);
        if (len >> w.shift == 0 && at >= c.start && at < c.start + ((int64_t)1 << w.shift))
            ((element_t *)w.list)[node * w.cells + c.line] = own[padded((int)(at + len - 1 - c.start))];
    }
}

static __device__ __forceinline__ void store_chunk(const sta__scan_walk &w, const chunk &c, int t, const element_t *own)
{
    element_t *to = (element_t *)w.y + c.line * w.y_line - w.first;
#pragma unroll
    for (int k = 0; k < EACH; k++) {
        const int at = t + k * (int)w.group;
        const int64_t i = c.start + at;
        if (c.live && i >= w.first && i < w.last)
            to[i] = own[padded(at)];
    }
}

static __device__ __forceinline__ void line(const sta__scan_walk &w)
{
    __shared__ element_t shared[THREADS * EACH + THREADS * EACH / (128 / (int)sizeof(element_t)) + 1];
    __shared__ element_t warps[THREADS / 32];
    const int group = (int)w.group, t = threadIdx.x % group, which = threadIdx.x / group;
    const int64_t number = (int64_t)blockIdx.x * (THREADS / group) + which;
    element_t *own = shared + padded(which * group * EACH);
    element_t y[EACH];
    chunk c;
    c.line = number / w.chunks;
    const int64_t v = w.chunk + number % w.chunks;
    c.start = v << w.shift;
    c.live = c.line < w.outer;
    c.edge = c.start < w.first || c.start + ((int64_t)1 << w.shift) > w.last;
    load_chunk(w, c, t, own);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < EACH; i++)
        y[i] = own[padded(t * EACH + i)];
    steps(w, c, t, y, warps);
    if (w.step != STA__SCAN_ELEMENTS && c.live && t == group - 1 && c.start + ((int64_t)1 << w.shift) <= w.last)
        ((element_t *)w.totals)[c.line * w.chunks + v - w.chunk] = y[EACH - 1];
    if (w.step == STA__SCAN_TOTALS)
        return;
    for (int64_t u = w.step == STA__SCAN_ELEMENTS && c.live ? v : 0; u; u &= u - 1) {
        const element_t node = chunk_node(w, u, c.line, 0);
#pragma unroll
        for (int i = 0; i < EACH; i++)
            y[i] = joined(node, y[i]);
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < EACH; i++)
        own[padded(t * EACH + i)] = y[i];
    __syncthreads();
    if (w.step == STA__SCAN_ELEMENTS)
        store_chunk(w, c, t, own);
    else if (c.live && c.edge && t == 0)
        write_small(w, c, own);
}

/* ---- columns ---- */

/* A walk along a chunk of one column: nodes of the elements since the chunk's start by their levels, and those of the chunks
 * before it, smallest first. */
struct column {
    element_t node[LEVELS], before[LEVELS];
    int befores;
    int64_t cell, next, next_length, next_number; /* the next node of the tile's list */
};

/* The next `1 << level` elements up to `end` are reduced to x. */
static __device__ __forceinline__ void push(const sta__scan_walk &w, column &c, int64_t end, int level, element_t x,
                                            int64_t o, int64_t inner)
{
    const int64_t origin = w.step == STA__SCAN_LIST ? w.first : 0;
    int64_t start = end - ((int64_t)1 << level);
    while (level < w.shift && (start >> level & 1) && start - ((int64_t)1 << level) >= origin) {
        x = joined(c.node[level], x);
        start -= (int64_t)1 << level++;
    }
    if (w.step == STA__SCAN_LIST && level < w.shift && start == c.next && end == start + c.next_length) {
        ((element_t *)w.list)[c.next_number++ * w.cells + c.cell] = x;
        c.next = end;
        c.next_length = end < w.last ? next_block(end, w.last) : 0;
    }
    if (level < w.shift)
        c.node[level] = x;
    else if (w.step != STA__SCAN_ELEMENTS)
        ((element_t *)w.totals)[(o * w.chunks + (end >> w.shift) - 1 - w.chunk) * w.inner + inner] = x;
}

/* What stands before element i, or before N elements from i on. */
template <int N>
static __device__ __forceinline__ void take_before(const sta__scan_walk &w, const column &c, int64_t i,
                                                   element_t (&y)[N])
{
    for (int64_t bits = i & (((int64_t)1 << w.shift) - 1); bits; bits &= bits - 1) {
        const element_t node = c.node[__ffsll(bits) - 1];
#pragma unroll
        for (int k = 0; k < N; k++)
            y[k] = joined(node, y[k]);
    }
    for (int b = 0; b < c.befores; b++) {
        const element_t node = c.before[b];
#pragma unroll
        for (int k = 0; k < N; k++)
            y[k] = joined(node, y[k]);
    }
}

template <int N>
static __device__ __forceinline__ void walk_rows(const sta__scan_walk &w, column &c, int64_t i, int64_t o,
                                                 int64_t inner)
{
    const element_t *x = (const element_t *)w.x + (o * w.length + i - w.first) * w.inner + inner;
    element_t y[N];
#pragma unroll
    for (int k = 0; k < N; k++)
        y[k] = x[k * w.inner];
#pragma unroll
    for (int half = 1; half < N; half *= 2)
#pragma unroll
        for (int right = half; right < N; right += 2 * half)
#pragma unroll
            for (int k = right; k < right + half; k++)
                y[k] = joined(y[right - 1], y[k]);
    const element_t total = y[N - 1];
    if (w.step == STA__SCAN_ELEMENTS) {
        element_t *to = (element_t *)w.y + o * w.y_line + (i - w.first) * w.inner + inner;
        take_before<N>(w, c, i, y);
#pragma unroll
        for (int k = 0; k < N; k++)
            to[k * w.inner] = y[k];
    }
    push(w, c, i + N, N == 1 ? 0 : 3, total, o, inner);
}

static __device__ __forceinline__ void open_column(const sta__scan_walk &w, column &c, int64_t v, int64_t from,
                                                   int64_t o, int64_t inner)
{
    c.cell = o * w.inner + inner;
    c.befores = 0;
    if (w.step != STA__SCAN_LIST) /* what the tile before has of this chunk */
        for (int64_t bits = from & (((int64_t)1 << w.shift) - 1); bits; bits &= bits - 1) {
            const int level = __ffsll(bits) - 1;
            c.node[level] = prefix_node(w, from & -((int64_t)1 << level), c.cell);
        }
    if (w.step == STA__SCAN_ELEMENTS)
        for (int64_t u = v; u; u &= u - 1)
            c.before[c.befores++] = chunk_node(w, u, o, inner);
    c.next_number = 0;
    c.next = w.first;
    c.next_length = next_block(w.first, w.last);
    while (w.step == STA__SCAN_LIST && c.next < from) {
        c.next += c.next_length;
        c.next_number++;
        c.next_length = c.next < w.last ? next_block(c.next, w.last) : 1;
    }
}

static __device__ __forceinline__ void columns(const sta__scan_walk &w)
{
    const int64_t number = (int64_t)blockIdx.x * THREADS + threadIdx.x, inner = number % w.inner;
    const int64_t v = w.chunk + number / w.inner % w.chunks, o = number / w.inner / w.chunks;
    if (o >= w.outer)
        return;
    const int64_t start = w.shift < 62 ? v << w.shift : 0, end = w.shift < 62 ? (v + 1) << w.shift : w.last;
    const int64_t from = start > w.first ? start : w.first, to = end < w.last ? end : w.last;
    column c;
    open_column(w, c, v, from, o, inner);
    int64_t i = from;
    for (; i < to && i % EACH; i++)
        walk_rows<1>(w, c, i, o, inner);
    for (; i + EACH <= to; i += EACH)
        walk_rows<EACH>(w, c, i, o, inner);
    for (; i < to; i++)
        walk_rows<1>(w, c, i, o, inner);
}

/* ---- lists ---- */

/* A thread has one cell: the list of [0, last) from those of [0, first) and [first, last), or the reduction. */
static __device__ __forceinline__ void join_lists(const sta__scan_walk &w)
{
    const int64_t cell = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (cell >= w.cells)
        return;
    if (w.step == STA__SCAN_IDENTITY) {
        element_t one;
        memcpy(&one, w.identity, sizeof one);
        ((element_t *)w.y)[cell / w.inner * w.y_line + cell % w.inner] = one;
        return;
    }
    element_t node[LEVELS];
    int64_t number = 0;
    for (int64_t bits = w.first; bits; bits &= bits - 1) {
        const int level = __ffsll(bits) - 1;
        node[level] = prefix_node(w, w.first & -((int64_t)1 << level), cell);
    }
    for (int64_t at = w.first, len; at < w.last; at += len) {
        len = next_block(at, w.last);
        element_t x = ((const element_t *)w.partial)[number++ * w.cells + cell];
        int level = level_of(len);
        for (int64_t start = at; start >> level & 1; start -= (int64_t)1 << level++)
            x = joined(node[level], x);
        node[level] = x;
    }
    if (w.step == STA__SCAN_FINISH) {
        int64_t bits = w.last;
        element_t y = node[__ffsll(bits) - 1];
        for (bits &= bits - 1; bits; bits &= bits - 1)
            y = joined(node[__ffsll(bits) - 1], y);
        ((element_t *)w.y)[cell] = y;
        return;
    }
    for (int64_t bits = w.last; bits; bits &= bits - 1) {
        const int level = __ffsll(bits) - 1;
        const int64_t v = w.last & -((int64_t)1 << level);
        ((element_t *)w.list)[(__popcll((unsigned long long)v) - 1) * w.cells + cell] = node[level];
    }
}

/* ---- the other rule ---- */

static __device__ __forceinline__ void serial(const sta__scan_walk &w)
{
    const int64_t cell = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (cell >= w.cells)
        return;
    const int64_t o = cell / w.inner, inner = cell % w.inner;
    const element_t *x = (const element_t *)w.x + o * w.length * w.inner + inner;
    element_t *y = w.y ? (element_t *)w.y + o * w.y_line + inner : (element_t *)0;
    element_t *last = (element_t *)w.list + cell, now = w.started ? *last : element_t();
    bool started = w.started;
    for (int64_t i = 0; i < w.length; i++, started = true) {
        now = started ? joined(now, x[i * w.inner]) : x[i * w.inner];
        if (y)
            y[i * w.inner] = now;
    }
    *last = now;
}
#endif

#endif
