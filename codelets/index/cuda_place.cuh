/* Where an index leads: the same rule as in cpu.c. */
#ifndef STA__CUDA_PLACE_H
#define STA__CUDA_PLACE_H

#include "codelets/index/cuda_index.h"

namespace sta {

/* The index of lead axis `axis` that the number of a lead element stands for. */
__device__ inline int64_t lead_index(const sta__cuda_move &m, int64_t number, int axis)
{
    for (int a = m.leads - 1; a > axis; a--)
        number /= m.lead_extent[a];
    return axis > 0 ? number % m.lead_extent[axis] : number;
}

__device__ inline int64_t lead_offset(const sta__cuda_move &m, int64_t number)
{
    int64_t offset = 0;
    for (int a = m.leads - 1; a > 0; a--) {
        const int64_t before = number / m.lead_extent[a];
        offset += (number - before * m.lead_extent[a]) * m.lead_partner[a];
        number = before;
    }
    return m.leads ? offset + number * m.lead_partner[0] : 0;
}

__device__ inline int64_t quotient(int64_t x, int64_t by)
{
    return (x | by) >> 32 ? x / by : int64_t(uint32_t(x) / uint32_t(by));
}

/* The tile along an axis that has the index. */
__device__ inline int64_t tile_along(const sta__cuda_outer &outer, int64_t index)
{
    if (outer.count == 1)
        return 0;
    if (outer.edge)
        return quotient(index, outer.edge);
    int64_t low = 0, high = outer.count;
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (outer.cuts[middle] <= index)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The id of array j, counted from the front. False: out of range. */
__device__ inline bool wrap(const sta__cuda_move &m, int j, int64_t number, int64_t *id)
{
    const int64_t given = m.ids[j][number];
    *id = given < 0 ? given + m.length[j] : given;
    return uint64_t(*id) < uint64_t(m.length[j]);
}

/* The frame's index along outer axis k; that of an array was found to be in range. */
__device__ inline int64_t frame_index(const sta__cuda_move &m, int k, int64_t number)
{
    const sta__cuda_outer &outer = m.outer[k];
    int64_t at;
    if (outer.by >= 0)
        wrap(m, outer.by, number, &at);
    else
        at = m.lead_first[outer.axis] + lead_index(m, number, outer.axis);
    return outer.offset + outer.step * at;
}

struct target {
    char *at;             /* NULL: out of range, or not in this task */
    const int64_t *rests; /* strides of the rest axes there */
    bool bad;
};

/* PLAIN: one array takes one axis, and strides are even. */
template <bool PLAIN> __device__ inline target find(const sta__cuda_move &m, int64_t number)
{
    const int outers = PLAIN ? 1 : m.outers, arrays = PLAIN ? 1 : m.arrays;
    const int row = 1 + m.outers + m.rests;
    int64_t place = -m.place_first, id;
    for (int j = 0; j < arrays; j++)
        if (!wrap(m, j, number, &id))
            return {nullptr, nullptr, true};
    int64_t first = 0; /* along the one axis of a plain move */
    for (int k = 0; k < outers; k++) {
        const int64_t index = PLAIN ? m.outer[0].offset + m.outer[0].step * id : frame_index(m, k, number);
        place += tile_along(m.outer[k], index) * m.outer[k].weight;
        first = index;
    }
    if (uint64_t(place) >= uint64_t(m.places))
        return {nullptr, nullptr, false};
    const int64_t *words = m.place + place * row, *stride = m.even ? m.stride : words + 1;
    char *at = reinterpret_cast<char *>(words[0]);
    if (!at)
        return {nullptr, nullptr, false};
    if (PLAIN)
        at += first * m.stride[0];
    else
        for (int k = 0; k < outers; k++)
            at += frame_index(m, k, number) * stride[k];
    return {at, stride + m.outers, false};
}

/* Offsets of a unit on both sides. */
__device__ inline void rest_offsets(const sta__cuda_move &m, const int64_t *rests, int64_t unit, int64_t *own,
                                    int64_t *partner)
{
    *own = *partner = 0;
    for (int a = m.rests - 1; a > 0; a--) {
        const int64_t before = quotient(unit, m.rest_extent[a]), index = unit - before * m.rest_extent[a];
        *own += index * rests[a];
        *partner += index * m.rest_partner[a];
        unit = before;
    }
    if (m.rests) {
        *own += unit * rests[0];
        *partner += unit * m.rest_partner[0];
    }
}

} // namespace sta
#endif
