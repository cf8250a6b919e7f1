/* The walk over sorted targets, as text for NVRTC after a program whose `element` applies the operator: x, source -> x. A thread
 * takes all indices of one element, in order, so that the bits are those of one index after the other. C reads the
 * struct. */
#ifndef STA__CUDA_AT_H
#define STA__CUDA_AT_H

struct sta__at_walk {
    int64_t count, first, units, space;
    int64_t across, shift; /* how threads share indices and units: struct sta__cuda_shares */
    int64_t leads, rests, wide;
    int64_t lead_extent[16], lead_partner[16];
    int64_t rest_extent[16], rest_partner[16];
    const void *key;
    const uint32_t *order;
    char *const *target;
    const int64_t *const *strides;
    char *partner;
};

#ifdef __CUDACC_RTC__
static __device__ __forceinline__ int64_t key_at(const sta__at_walk &w, int64_t i)
{
    return w.wide ? ((const int64_t *)w.key)[i] : (int64_t)((const uint32_t *)w.key)[i];
}

static __device__ __forceinline__ int64_t lead_offset(const sta__at_walk &w, int64_t number)
{
    int64_t offset = 0;
    for (int64_t a = w.leads - 1; a >= 0; a--) {
        const int64_t before = a ? number / w.lead_extent[a] : 0;
        offset += (number - before * w.lead_extent[a]) * w.lead_partner[a];
        number = before;
    }
    return offset;
}

/* Several elements of the source are read before the first is used. */
template <typename X, typename S>
static __device__ __forceinline__ void walk_target(const sta__at_walk &w, int64_t i, int64_t key, char *to,
                                                   const char *partner)
{
    enum { AHEAD = 8 };
    X x = *(X *)to, y;
    S source[AHEAD];
    for (bool more = true; more; i += AHEAD) {
        int n = 0;
#pragma unroll
        for (int k = 0; k < AHEAD; k++) {
            more = more && i + k < w.count && key_at(w, i + k) == key;
            if (more) {
                source[k] = *(const S *)(partner + lead_offset(w, w.first + w.order[i + k]));
                n = k + 1;
            }
        }
#pragma unroll
        for (int k = 0; k < AHEAD; k++)
            if (k < n) {
                element(x, source[k], y);
                x = y;
            }
    }
    *(X *)to = x;
}

template <typename X, typename S> static __device__ __forceinline__ void walk(const sta__at_walk &w)
{
    const int64_t across = blockIdx.x % w.across, width = (int64_t)1 << w.shift, rows = 256 >> w.shift;
    const int64_t step = gridDim.x / w.across * rows;
    for (int64_t i = blockIdx.x / w.across * rows + (threadIdx.x >> w.shift); i < w.count; i += step) {
        const int64_t key = key_at(w, i);
        if (key >= w.space || (i > 0 && key_at(w, i - 1) == key))
            continue;
        char *to = w.target[w.order[i]];
        const int64_t *strides = w.strides[w.order[i]];
        for (int64_t unit = across * width + (threadIdx.x & (width - 1)); unit < w.units; unit += w.across * width) {
            int64_t own = 0, partner = 0, rest = unit;
            for (int64_t a = w.rests - 1; a >= 0; a--) {
                const int64_t before = a ? rest / w.rest_extent[a] : 0, index = rest - before * w.rest_extent[a];
                own += index * strides[a];
                partner += index * w.rest_partner[a];
                rest = before;
            }
            walk_target<X, S>(w, i, key, to + own, w.partner + partner);
        }
    }
}
#endif

#endif
