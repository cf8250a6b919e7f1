/* The kernel of a program whose contiguous axis is kept, and of an array of states. After cuda_walk.h. */

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
