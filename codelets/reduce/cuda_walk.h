/* The kernels of a program with reductions at its end. After cuda_fold.cuh. What the host writes before both:
 *
 *     VECTOR, UNROLL     elements along the contiguous axis that a thread takes at once; so many times
 *     LANES, WARPS       rows: threads of a warp, and warps, that share one row
 *     OUTER, OPERANDS    axes that are walked by division; inputs and stored outputs
 *     PIECES             pieces in which operands lie, along one axis
 *     INPUTS(X)          X(operand, type, MODE), MODE = VECTORS, STRIDED or FIXED (one element for all of the axis)
 *     STORES(X)          the same for outputs
 *     ELEMENT(in, out, to)  computes the program: in.x0, in.x1 ..., out.x2 ... by operand, to.r0 ... by reduction
 *     LIGHT              whether the elements cost little
 *     STATES             instead of a program: the states of an array are the leaves */

struct walk {
    int64_t length, first;   /* indices of the reduced axis in this box, and the first of them */
    int64_t cells;           /* of the axes walked by division */
    int64_t columns, groups; /* columns: length of the contiguous axis; blocks side by side */
    int64_t parts, items;    /* chunks a cell; cells * parts, or groups * parts */
    int64_t chunk;           /* log2 of a chunk's indices */
    int64_t turns;           /* rows: log2 of the granules of a warp; columns: of the batches of a thread */
    int64_t wide;            /* columns: log2 of the threads side by side */
    int64_t partial;         /* the results are node lists */
    int64_t finished;        /* they are states or final: NaN is made the one NaN */
    int64_t unit;            /* elements of a leaf */
    int64_t piece_axis;      /* PIECES: the axis that is cut, one of the outer ones, or -1: the reduced one */
    int64_t piece_level;     /* log2 of a piece's indices of that axis; no chunk lies across them */
    unsigned *counters;      /* of blocks that have ended, by cell or group; zero before and after.
                                        NULL: no cell has chunks to join */
    int64_t extent[OUTER];
    struct operand {
        char *base[PIECES]; /* each as if it began at index 0 */
        int64_t step;       /* along the reduced axis, bytes */
        int64_t side;       /* columns: along the contiguous axis */
        int64_t outer[OUTER];
    } operand[OPERANDS];
    struct target {
        char *at[2];  /* of a component: results, or node 0 of the list */
        int64_t node; /* bytes from node to node */
    } target[COUNT];
    char *nodes[COUNT][2];  /* of chunks: cell, part, column */
    char *source[COUNT][2]; /* STATES: cell, index, column */
};

/* ---- where things lie ---- */

struct place {
    char *at[OPERANDS];
};

/* `row`: of the box, where the reading begins. */
INLINE place place_of(const walk &k, int64_t cell, int64_t row)
{
    place p;
    int64_t offset[OPERANDS] = {};
    int piece = PIECES > 1 && k.piece_axis < 0 ? (int)(row >> k.piece_level) : 0;
#pragma unroll
    for (int d = OUTER - 1; d >= 0; d--) {
        int64_t at = cell;
        if (d > 0) {
            const int64_t extent = k.extent[d];
            cell = k.cells <= 0xffffffffLL ? (int64_t)((unsigned)cell / (unsigned)extent) : cell / extent;
            at -= cell * extent;
        }
        if (PIECES > 1 && d == k.piece_axis)
            piece = (int)(at >> k.piece_level);
#pragma unroll
        for (int o = 0; o < OPERANDS; o++)
            offset[o] += at * k.operand[o].outer[d];
    }
#pragma unroll
    for (int o = 0; o < OPERANDS; o++)
        p.at[o] = k.operand[o].base[piece] + offset[o];
    return p;
}

/* A node of the list of the box's range, or the whole range where that is the axis. */
struct segment {
    int64_t start, length;
    int number;
    int64_t chunk, chunks; /* the part's own, and how many the segment has */
};

INLINE segment segment_of(const walk &k, int64_t part)
{
    segment s = {k.first, k.length, 0, part, k.parts};
    if (!k.partial)
        return s;
    const int64_t last = k.first + k.length;
    for (;; s.number++) {
        const int level = level_at(s.start, last);
        s.length = 1LL << level;
        s.chunks = level > k.chunk ? 1LL << (level - k.chunk) : 1;
        if (s.chunk < s.chunks)
            return s;
        s.chunk -= s.chunks;
        s.start += s.length;
    }
}

INLINE void write_result(const walk &k, state s, int64_t cell, int number)
{
    if (k.finished)
        settle(s);
#define X(n, reducer, type)                                                                                            \
    {                                                                                                                  \
        char *const at[2] = {k.target[n].at[0] ? k.target[n].at[0] + number * k.target[n].node : NULL,                 \
                             k.target[n].at[1] ? k.target[n].at[1] + number * k.target[n].node : NULL};                \
        write_state(s.r##n, at, cell);                                                                                 \
    }
    REDUCTIONS(X)
#undef X
}
INLINE void write_node(const walk &k, state s, int64_t i)
{
#define X(n, reducer, type) write_state(s.r##n, k.nodes[n], i);
    REDUCTIONS(X)
#undef X
}
INLINE state read_node(const walk &k, int64_t i)
{
    state s;
#define X(n, reducer, type) read_state(s.r##n, k.nodes[n], i);
    REDUCTIONS(X)
#undef X
    return s;
}

/* Whether this block is the last one of so many that share the counter; the others' nodes are there then. */
INLINE bool is_last_block(unsigned *counter, int64_t blocks)
{
    __shared__ unsigned before;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        before = atomicInc(counter, (unsigned)blocks - 1);
    __syncthreads();
    if (before != (unsigned)blocks - 1)
        return false;
    __threadfence();
    return true;
}

/* ---- loading and storing ---- */

#ifndef STATES
template <class T> struct vector {
    T at[VECTOR];
};

#define LOAD_FIXED(x, p, side, n, T, count)                                                                            \
    {                                                                                                                  \
        const T one = (count) > 0 ? sta__load_one<T>(p) : T();                                                         \
        for (int v = 0; v < VECTOR; v++)                                                                               \
            (x).at[v] = one;                                                                                           \
    }
#define LOAD_STRIDED(x, p, side, n, T, count)                                                                          \
    for (int v = 0; v < VECTOR; v++)                                                                                   \
        (x).at[v] = v < (count) ? sta__load_one<T>((p) + ((n) + v) * (side)) : T();
#define LOAD_VECTORS(x, p, side, n, T, count)                                                                          \
    if ((count) >= VECTOR)                                                                                             \
        sta__load<T, VECTOR>((x).at, (p) + (n) * (int64_t)sizeof(T));                                                  \
    else                                                                                                               \
        LOAD_STRIDED(x, p, (int64_t)sizeof(T), n, T, count)

#define STORE_FIXED(x, p, side, n, T, count) STORE_STRIDED(x, p, side, n, T, count)
#define STORE_STRIDED(x, p, side, n, T, count)                                                                         \
    for (int v = 0; v < VECTOR; v++)                                                                                   \
        if (v < (count))                                                                                               \
            *(T *)((p) + ((n) + v) * (side)) = (x).at[v];
#define STORE_VECTORS(x, p, side, n, T, count)                                                                         \
    if ((count) >= VECTOR)                                                                                             \
        sta__store<T, VECTOR>((p) + (n) * (int64_t)sizeof(T), (x).at);                                                 \
    else                                                                                                               \
        STORE_STRIDED(x, p, (int64_t)sizeof(T), n, T, count)

struct loaded {
#define X(o, T, mode) T x##o;
    INPUTS(X)
#undef X
};
struct stored {
#define X(o, T, mode) T x##o;
    STORES(X)
#undef X
};
struct batch {
#define X(o, T, mode) vector<T> x##o;
    INPUTS(X)
#undef X
};
struct results {
#define X(o, T, mode) vector<T> x##o;
    STORES(X)
#undef X
};

/* Elements n ... of the contiguous axis, `count` of them (VECTOR: all); others are zero. */
INLINE void load(const walk &k, const place &p, int64_t row, int64_t n, int64_t count, batch &to){
#define X(o, T, mode)                                                                                                  \
    {                                                                                                                  \
        const char *at = p.at[o] + row * k.operand[o].step;                                                            \
        LOAD_##mode(to.x##o, at, k.operand[o].side, n, T, count)                                                       \
    }
    INPUTS(X)
#undef X
} INLINE void store(const walk &k, const place &p, int64_t row, int64_t n, int64_t count, const results &from){
#define X(o, T, mode)                                                                                                  \
    {                                                                                                                  \
        char *at = p.at[o] + row * k.operand[o].step;                                                                  \
        STORE_##mode(from.x##o, at, k.operand[o].side, n, T, count)                                                    \
    }
    STORES(X)
#undef X
}

INLINE values compute(const batch &in, int v, results &out)
{
    loaded one;
    values reduced;
    stored kept;
#define X(o, T, mode) one.x##o = in.x##o.at[v];
    INPUTS(X)
#undef X
    ELEMENT(one, kept, reduced);
#define X(o, T, mode) out.x##o.at[v] = kept.x##o;
    STORES(X)
#undef X
    return reduced;
}
#endif

constexpr int log2_of(int n)
{
    return n > 1 ? 1 + log2_of(n / 2) : 0;
}

/* The tree over N states, all of which are there; `stride` states apart. */
template <int N> INLINE state of_states(const state *s, int stride, int level, int64_t unit = 1)
{
    if constexpr (N == 1)
        return s[0];
    else
        return join(of_states<N / 2>(s, stride, level, unit), of_states<N / 2>(s + N / 2 * stride, stride, level, unit),
                    level + log2_of(N / 2), unit);
}

/* ---- rows: the contiguous axis is reduced ---- */

#ifdef LANES
enum { GRANULE = LANES * VECTOR * UNROLL, STEP = LANES * VECTOR };
constexpr int lane_level = log2_of(VECTOR), step_level = log2_of(STEP), granule_level = log2_of(GRANULE);

/* Joins with the node beside it, which lane `lane ^ 1 << bit` holds: both then have the parent. */
INLINE state with_neighbour(state mine, int lane, int bit, int level)
{
    const state theirs = from_lane(mine, 1 << bit);
    if (all_symmetric)
        return join(mine, theirs, level);
    const bool odd = lane >> bit & 1;
    return join(chosen(odd, theirs, mine), chosen(odd, mine, theirs), level);
}
/* The same for nodes of a tree over `total` elements, where lane 0's begins at `from`. */
INLINE state with_neighbour_at(state mine, int lane, int bit, int level, int64_t from, int64_t total)
{
    const state theirs = from_lane(mine, 1 << bit);
    const int64_t right = from + ((int64_t)((lane >> (bit + 1)) * 2 + 1) << level);
    const bool odd = lane >> bit & 1;
    return join_at(chosen(odd, theirs, mine), chosen(odd, mine, theirs), level, right, total);
}
/* Of two pairs of nodes: lanes with the bit unset join the pair `a`, the others the pair `b`. */
INLINE state exchange(state a, state b, int lane, int bit, int level)
{
    const bool odd = lane >> bit & 1;
    const state mine = chosen(odd, b, a), theirs = from_lane(chosen(odd, a, b), 1 << bit);
    if (all_symmetric)
        return join(mine, theirs, level);
    return join(chosen(odd, theirs, mine), chosen(odd, mine, theirs), level);
}

/* A granule: element `from` of the segment is `index` of the axis and `at` of the box. */
struct granule {
    int64_t from, total, index, at;
};

/* The node of a granule that is whole, in all lanes. */
INLINE state of_whole_granule(const walk &k, const place &p, int lane, const granule &g)
{
    constexpr int exchanges = log2_of(UNROLL);
    batch in[UNROLL];
    state s[UNROLL];
#pragma unroll
    for (int u = 0; u < UNROLL; u++)
        load(k, p, 0, g.at + (u * STEP + lane * VECTOR), VECTOR, in[u]);
#pragma unroll
    for (int u = 0; u < UNROLL; u++) {
        const int n = u * STEP + lane * VECTOR;
        state leaf[VECTOR];
        results out;
#pragma unroll
        for (int v = 0; v < VECTOR; v++)
            leaf[v] = leaf_of(compute(in[u], v, out), g.index + (n + v));
        store(k, p, 0, g.at + n, VECTOR, out);
        s[u] = of_states<VECTOR>(leaf, 1, 0);
    }
#pragma unroll
    for (int bit = 0; bit < log2_of(LANES); bit++) {
        if (bit >= exchanges)
            s[0] = with_neighbour(s[0], lane, bit, lane_level + bit);
        else
#pragma unroll
            for (int u = 0; u < UNROLL >> (bit + 1); u++)
                s[u] = exchange(s[2 * u], s[2 * u + 1], lane, bit, lane_level + bit);
    }
#pragma unroll
    for (int bit = 0; bit < exchanges; bit++) /* lane l has step l % UNROLL */
        s[0] = with_neighbour(s[0], lane, bit, step_level + bit);
    return s[0];
}

/* The same where the axis ends in it. */
INLINE state of_cut_granule(const walk &k, const place &p, int lane, const granule &g)
{
    state s[UNROLL];
#pragma unroll 1
    for (int u = 0; u < UNROLL; u++) {
        const int n = u * STEP + lane * VECTOR;
        batch in;
        state leaf[VECTOR];
        results out;
        load(k, p, 0, g.at + n, g.total - g.from - n, in);
#pragma unroll
        for (int v = 0; v < VECTOR; v++)
            leaf[v] = leaf_of(compute(in, v, out), g.index + (n + v));
        store(k, p, 0, g.at + n, g.total - g.from - n, out);
#pragma unroll 1
        for (int apart = 1, level = 0; apart < VECTOR; apart *= 2, level++)
            for (int v = 0; v < VECTOR; v += 2 * apart)
                leaf[v] = join_at(leaf[v], leaf[v + apart], level, g.from + n + v + apart, g.total);
        s[u] = leaf[0];
#pragma unroll 1
        for (int bit = 0; bit < log2_of(LANES); bit++)
            s[u] = with_neighbour_at(s[u], lane, bit, lane_level + bit, g.from + u * STEP, g.total);
    }
#pragma unroll 1
    for (int apart = 1, level = step_level; apart < UNROLL; apart *= 2, level++)
        for (int u = 0; u < UNROLL; u += 2 * apart)
            s[u] = join_at(s[u], s[u + apart], level, g.from + (int64_t)(u + apart) * STEP, g.total);
    return s[0];
}

/* The tree over the states of the block's threads, the first 32 << more of them nodes of `level` from `from` on: in thread 0.
 * `held` has room for one state a warp. */
INLINE state of_block(state s, int level, int64_t from, int64_t total, state *held)
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int64_t own = from + ((int64_t)(warp * 32) << level);
#pragma unroll 1
    for (int bit = 0; bit < 5; bit++)
        s = with_neighbour_at(s, lane, bit, level + bit, own, total);
    __syncthreads();
    if (lane == 0)
        held[warp] = s;
    __syncthreads();
    s = held[lane % 8];
#pragma unroll 1
    for (int bit = 0; bit < 3; bit++)
        s = with_neighbour_at(s, lane % 8, bit, level + 5 + bit, from, total);
    return s;
}

/* The tree over the nodes of a segment's chunks, which begin at number `first`: four a thread in each round. In thread 0. */
INLINE state of_chunks(const walk &k, const segment &segment, int64_t first, state *held)
{
    __shared__ state round[256];
    const int level = (int)k.chunk;
    const int64_t rounds = (segment.chunks + 1023) / 1024;
    for (int64_t r = 0; r < rounds; r++) {
        const int64_t mine = r * 1024 + 4 * threadIdx.x;
        state s[4];
#pragma unroll
        for (int i = 0; i < 4; i++)
            s[i] = read_node(k, first + (mine + i < segment.chunks ? mine + i : 0));
        s[0] = join_at(s[0], s[1], level, (mine + 1) << level, segment.length);
        s[2] = join_at(s[2], s[3], level, (mine + 3) << level, segment.length);
        s[0] = join_at(s[0], s[2], level + 1, (mine + 2) << level, segment.length);
        s[0] = of_block(s[0], level + 2, r * 1024 << level, segment.length, held);
        if (threadIdx.x == 0)
            round[r] = s[0];
    }
    __syncthreads();
    if (rounds == 1)
        return round[0];
    return of_block(round[threadIdx.x], level + 10, 0, segment.length, held);
}

extern "C" __global__ void __launch_bounds__(256) sta_kernel(const __grid_constant__ walk k)
{
    const int64_t item = ((int64_t)blockIdx.x * 256 + threadIdx.x) / (LANES * WARPS);
    const int lane = threadIdx.x % LANES, warp = threadIdx.x / 32 % WARPS;
    const bool there = item < k.items;
    const int64_t cell = there && k.parts > 1 ? item / k.parts : there ? item : 0;
    const segment segment = segment_of(k, there ? item - cell * k.parts : 0);
    const int64_t total = there ? segment.length : 0, begin = segment.chunk << k.chunk;
    const int64_t own = begin + ((int64_t)(warp * GRANULE) << k.turns), at = segment.start - k.first;
    const place p = place_of(k, cell, at + begin);
    state s;
#pragma unroll 1
    for (int t = 0; t < 1 << k.turns; t++) { /* lane t keeps granule t */
        const int64_t from = own + t * GRANULE;
        if (t > 0 && from >= total)
            break;
        const granule g = {from, total, segment.start + from, at + from};
        const bool whole = __all_sync(0xffffffffU, from + GRANULE <= total);
        const state next = whole ? of_whole_granule(k, p, lane, g) : of_cut_granule(k, p, lane, g);
        s = chosen(t == 0 || lane == t, next, s);
    }
    if (LANES == 32) {
#pragma unroll 1
        for (int bit = 0; bit < k.turns; bit++)
            s = with_neighbour_at(s, lane, bit, granule_level + bit, own, total);
    }
#if WARPS == 1
    if (there && lane == 0)
        write_result(k, s, cell, segment.number);
#else
    __shared__ state held[8];
    if (lane == 0)
        held[warp] = s;
    __syncthreads();
    s = held[lane % 8];
#pragma unroll 1
    for (int bit = 0; bit < 3; bit++)
        s = with_neighbour_at(s, lane % 8, bit, granule_level + (int)k.turns + bit, begin, total);
    if (threadIdx.x == 0 && segment.chunks == 1)
        write_result(k, s, cell, segment.number);
    if (threadIdx.x == 0 && segment.chunks > 1)
        write_node(k, s, item);
    if (!k.counters || !is_last_block(&k.counters[cell], k.parts))
        return;
    for (int64_t part = 0; part < k.parts;) {
        const struct segment next = segment_of(k, part);
        if (next.chunks > 1) {
            s = of_chunks(k, next, cell * k.parts + part, held);
            if (threadIdx.x == 0)
                write_result(k, s, cell, next.number);
        }
        part += next.chunks;
    }
#endif
}
#endif

/* ---- columns: the contiguous axis is kept ---- */

#ifndef LANES
enum {
    MOST_BATCHES = 20, /* log2 of those of a thread */
    NODE_BYTES = (int)sizeof(state) * VECTOR,
    LOW = NODE_BYTES > 32   ? 1
          : NODE_BYTES > 16 ? 2
                            : 3,
    NODE_BATCH = NODE_BYTES > 32   ? 2
                 : NODE_BYTES > 16 ? 4
                                   : 8
};
constexpr int batch_level = log2_of(UNROLL), node_level = log2_of(NODE_BATCH);
#ifdef STATES
#define UNIT(k) (k).unit
#else
#define UNIT(k) 1
#endif

/* Leaves of the tree: indices from `row` of the box on, VECTOR columns. */
struct leaves {
    const walk &k;
    place p;
    int64_t column, cell;
    int64_t first; /* index of the box's row 0 */

    template <int Batch> MEMBER void read(state (&to)[Batch][VECTOR], int64_t row) const
    {
#ifdef STATES
#pragma unroll
        for (int u = 0; u < Batch; u++)
#pragma unroll
            for (int v = 0; v < VECTOR; v++) {
                const int64_t i = (cell * k.length + row + u) * k.columns + column + v;
#define X(n, reducer, type)                                                                                            \
    read_state(to[u][v].r##n, k.source[n], i);                                                                         \
    if constexpr (fold_##reducer<type>::indexed)                                                                       \
        move_index(to[u][v].r##n, (first + row + u) * k.unit);
                REDUCTIONS(X)
#undef X
            }
#else
        batch in[Batch];
#pragma unroll
        for (int u = 0; u < Batch; u++)
            load(k, p, row + u, column, VECTOR, in[u]);
#pragma unroll
        for (int u = 0; u < Batch; u++) {
            results out;
#pragma unroll
            for (int v = 0; v < VECTOR; v++)
                to[u][v] = leaf_of(compute(in[u], v, out), first + row + u);
            store(k, p, row + u, column, VECTOR, out);
        }
#endif
    }
    template <class S> static MEMBER void move_index(S &s, int64_t by)
    {
        s.b += by;
    }
};

/* The nodes of chunks as leaves. */
struct chunk_nodes {
    const walk &k;
    int64_t first; /* of the segment's chunk 0, column 0 */
    int64_t column;
    template <int Batch> MEMBER void read(state (&to)[Batch][VECTOR], int64_t row) const
    {
#pragma unroll
        for (int u = 0; u < Batch; u++)
#pragma unroll
            for (int v = 0; v < VECTOR; v++)
                to[u][v] = read_node(k, first + (row + u) * k.columns + column + v);
    }
};

/* Which leaves of a tree a thread has: 2^turns batches from number `from` on, of `level`; `row`: where the first one lies. */
struct run {
    int64_t row, from, total;
    int turns, level;
    int64_t unit;
};

/* Joins the nodes on a stack, which the bits of `full` name, to the node after them, of `right` elements (0: none). */
INLINE void of_rest(state (*stack)[VECTOR], int64_t full, int level, int64_t right, int64_t unit, state (&node)[VECTOR])
{
#pragma unroll 1
    for (int d = 0; full >> d; d++) {
        const int64_t left = 1LL << (level + d);
        if (!(full >> d & 1))
            continue;
#pragma unroll
        for (int v = 0; v < VECTOR; v++)
            node[v] = right ? ragged(stack[d][v], node[v], (double)left * (double)unit, (double)right * (double)unit)
                            : stack[d][v];
        right += left;
    }
}

/* The tree over the few leaves from `begin` on, where the axis ends, one after the other. */
template <class Leaves> INLINE void of_few(const Leaves &leaves, const run &run, int64_t begin, state (&node)[VECTOR])
{
    state stack[8][VECTOR], one[1][VECTOR];
    int full = 0;
    int64_t left = run.total - (begin << run.level);
#pragma unroll 1
    for (; left > 0; begin++, left -= 1LL << run.level) {
        leaves.read(one, run.row + begin - run.from);
#pragma unroll
        for (int v = 0; v < VECTOR; v++)
            node[v] = one[0][v];
        if (left < 1LL << run.level)
            break;
        int d = 0;
#pragma unroll 1
        for (; full >> d & 1; d++)
#pragma unroll
            for (int v = 0; v < VECTOR; v++)
                node[v] = join(stack[d][v], node[v], run.level + d, run.unit);
#pragma unroll
        for (int v = 0; v < VECTOR; v++)
            stack[d][v] = node[v];
        full++;
    }
    of_rest(stack, full, run.level, left > 0 ? left : 0, run.unit, node);
}

/* The tree over a run, as far as the axis goes. The lowest levels of the stack, which change at every turn, are in registers. */
template <int Batch, int Deep, class Leaves>
INLINE void of_run(const Leaves &leaves, const run &run, state (&node)[VECTOR])
{
    constexpr int up = log2_of(Batch);
    state low[LOW][VECTOR], stack[Deep][VECTOR];
    const int64_t most = 1LL << run.turns, there = ((run.total >> run.level) - run.from) >> up;
    const int64_t full = there < 0 ? 0 : there < most ? there : most;
#pragma unroll 1
    for (int64_t t = 0; t < full; t++) {
        state s[Batch][VECTOR];
        bool joins = true;
        leaves.read(s, run.row + (t << up));
#pragma unroll
        for (int v = 0; v < VECTOR; v++)
            node[v] = of_states<Batch>(&s[0][v], VECTOR, run.level, run.unit);
#pragma unroll
        for (int d = 0; d < LOW; d++) {
            if (!joins)
                continue;
            joins = t >> d & 1;
#pragma unroll
            for (int v = 0; v < VECTOR; v++)
                if (joins)
                    node[v] = join(low[d][v], node[v], run.level + up + d, run.unit);
                else
                    low[d][v] = node[v];
        }
        if (!joins)
            continue;
        int d = LOW;
#pragma unroll 1
        for (; t >> d & 1; d++)
#pragma unroll
            for (int v = 0; v < VECTOR; v++)
                node[v] = join(stack[d][v], node[v], run.level + up + d, run.unit);
#pragma unroll
        for (int v = 0; v < VECTOR; v++)
            stack[d][v] = node[v];
    }
    if (full == most)
        return;
#pragma unroll
    for (int d = 0; d < LOW; d++)
#pragma unroll
        for (int v = 0; v < VECTOR; v++)
            stack[d][v] = low[d][v];
    const int64_t begin = run.from + (full << up), left = run.total - (begin << run.level);
    if (left > 0)
        of_few(leaves, run, begin, node);
    of_rest(stack, full, run.level + up, left > 0 ? left : 0, run.unit, node);
}

/* Joins the nodes, of `level`, that threads below each other have: in those of y = 0. */
INLINE void of_column(state (&node)[VECTOR], int x, int y, int high, int wide, int64_t from, int level, int64_t total,
                      int64_t unit)
{
    __shared__ state shared[256][VECTOR];
    for (int h = 1, up = 0; h < high; h *= 2, up++) {
        __syncthreads();
        if ((y & (2 * h - 1)) == h)
#pragma unroll
            for (int v = 0; v < VECTOR; v++)
                shared[threadIdx.x][v] = node[v];
        __syncthreads();
        if ((y & (2 * h - 1)) == 0)
#pragma unroll
            for (int v = 0; v < VECTOR; v++)
                node[v] = join_at(node[v], shared[((y + h) << wide) + x][v], level + up,
                                  from + ((int64_t)(y + h) << level), total, unit);
    }
}

extern "C" __global__ void __launch_bounds__(256, LIGHT &&OPERANDS <= 2 && NODE_BYTES <= 16 ? 4 : 3)
    sta_kernel(const __grid_constant__ walk k)
{
    const int wide = (int)k.wide, x = threadIdx.x & ((1 << wide) - 1), y = threadIdx.x >> wide, high = 256 >> wide;
    const int64_t group = (int64_t)blockIdx.x % k.groups, part = (int64_t)blockIdx.x / k.groups;
    const int64_t flat = ((group << wide) + x) * VECTOR; /* kept cells, the contiguous axis last */
    const bool there = flat < k.cells * k.columns;
    const int64_t cell = there ? flat / k.columns : 0, column = there ? flat - cell * k.columns : 0;
    const segment segment = segment_of(k, part);
    const int64_t total = there ? segment.length : 0, begin = segment.chunk << k.chunk;
    const int level = (int)k.turns + batch_level;
    const int64_t from = begin + ((int64_t)y << level);
    const struct leaves rows = {k, place_of(k, cell, segment.start - k.first + begin), column, cell, k.first};
    const struct run own = {segment.start - k.first + from, from, total, (int)k.turns, 0, UNIT(k)};
    state node[VECTOR];
    of_run<UNROLL, MOST_BATCHES + 1>(rows, own, node);
    of_column(node, x, y, high, wide, begin, level, total, UNIT(k));
    if (there && y == 0)
#pragma unroll
        for (int v = 0; v < VECTOR; v++) {
            if (segment.chunks == 1)
                write_result(k, node[v], flat + v, segment.number);
            else
                write_node(k, node[v], (cell * k.parts + part) * k.columns + column + v);
        }
    if (!k.counters || !is_last_block(&k.counters[group], k.parts))
        return;
    for (int64_t first = 0; first < k.parts;) {
        const struct segment next = segment_of(k, first);
        if (next.chunks > 1) {
            int up = node_level;
            while (((int64_t)high << up) < next.chunks)
                up++;
            const struct chunk_nodes nodes = {k, (cell * k.parts + first) * k.columns, column};
            const int64_t node_from = (int64_t)y << up, all = there ? next.length : 0;
            const struct run long_run = {node_from, node_from, all, up - node_level, (int)k.chunk, UNIT(k)};
            of_run<NODE_BATCH, 40>(nodes, long_run, node);
            of_column(node, x, y, high, wide, 0, (int)k.chunk + up, all, UNIT(k));
            if (there && y == 0)
#pragma unroll
                for (int v = 0; v < VECTOR; v++)
                    write_result(k, node[v], flat + v, next.number);
        }
        first += next.chunks;
    }
}
#endif
