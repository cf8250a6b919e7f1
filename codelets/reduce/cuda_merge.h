/* The kernel that merges the node lists of adjacent parts of an axis (tree.h: a stack whose top joins what it completes).
 * After cuda_fold.h, with one reduction. A thread has a cell; where cells are few a block fetches the nodes of one. */
enum { MOST_PARTS = 8, MOST_NODES = 128, TOGETHER = 1024 };

struct merge {
    int64_t cells, unit, parts, partial, finished, together;
    int64_t cut[MOST_PARTS + 1];
    char *part[MOST_PARTS];
    int64_t node, second; /* bytes from node to node, and to the second component */
    char *target[2];
    int64_t target_node;
};

struct fetch {
    const merge &k;
    int64_t cell;
    MEMBER state operator()(int part, int node, int) const
    {
        char *const from = k.part[part] + node * k.node, *const at[2] = {from, from + k.second};
        state s;
        read_state(s.r0, at, cell);
        return s;
    }
};
struct fetched {
    const state *node;
    MEMBER state operator()(int, int, int number) const
    {
        return node[number];
    }
};

INLINE void write_merged(const merge &k, const state &s, int64_t cell, int node)
{
    char *const at[2] = {k.target[0] ? k.target[0] + node * k.target_node : NULL,
                         k.target[1] ? k.target[1] + node * k.target_node : NULL};
    write_state(s.r0, at, cell);
}

template <class Nodes>
INLINE void merge_cell(const merge &k, int64_t cell, const Nodes &nodes, state *stack, int *levels)
{
    int depth = 0, number = 0;
    for (int p = 0; p < k.parts; p++) {
        int64_t at = k.cut[p];
        for (int n = 0; at < k.cut[p + 1]; n++) {
            int level = level_at(at, k.cut[p + 1]);
            state s = nodes(p, n, number++);
            int64_t index = at >> level;
            at += (int64_t)1 << level;
            for (; depth && (index & 1) && levels[depth - 1] == level; index >>= 1, level++)
                s = join(stack[--depth], s, level, k.unit);
            stack[depth] = s;
            levels[depth++] = level;
        }
    }
    if (k.partial) {
        for (int n = 0; n < depth; n++)
            write_merged(k, stack[n], cell, n);
        return;
    }
    state s = stack[depth - 1];
    int64_t right = (int64_t)1 << levels[depth - 1];
    for (int n = depth - 2; n >= 0; n--) {
        const int64_t left = (int64_t)1 << levels[n];
        s = ragged(stack[n], s, (double)left * (double)k.unit, (double)right * (double)k.unit);
        right += left;
    }
    if (k.finished)
        settle(s);
    write_merged(k, s, cell, 0);
}

/* The nodes of one cell, by all threads of the block. */
INLINE void fetch_all(const merge &k, int64_t cell, state *to)
{
    const struct fetch fetch = {k, cell};
    int number = 0;
    for (int p = 0; p < k.parts; p++) {
        int64_t at = k.cut[p];
        for (int n = 0; at < k.cut[p + 1]; n++, number++) {
            if (number % (int)blockDim.x == (int)threadIdx.x)
                to[number] = fetch(p, n, number);
            at += (int64_t)1 << level_at(at, k.cut[p + 1]);
        }
    }
}

extern "C" __global__ void __launch_bounds__(128) sta_kernel(const __grid_constant__ merge k)
{
    if (k.together) {
        __shared__ state nodes[TOGETHER], stack[MOST_NODES];
        __shared__ int levels[MOST_NODES];
        fetch_all(k, blockIdx.x, nodes);
        __syncthreads();
        if (threadIdx.x == 0)
            merge_cell(k, blockIdx.x, fetched{nodes}, stack, levels);
        return;
    }
    const int64_t cell = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    state stack[MOST_NODES];
    int levels[MOST_NODES];
    if (cell < k.cells)
        merge_cell(k, cell, fetch{k, cell}, stack, levels);
}
