/* The kernel of a program whose contiguous axis is reduced. After cuda_walk.h; the host also writes
 *
 *     LANES, WARPS       threads of a warp, and warps, that share one row */

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
