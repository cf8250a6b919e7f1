/* What the kernels of a program with reductions at its end share: cuda_rows.h or cuda_columns.h comes after it, cuda_fold.h before.
 * What the host writes before them:
 *
 *     VECTOR, UNROLL     elements along the contiguous axis that a thread takes at once; so many times
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
