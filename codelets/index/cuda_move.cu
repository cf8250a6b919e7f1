/* Moving selected elements: threads of a block share indices and the units of each, so that rows are moved 16 bytes at a time and
 * neighbouring threads move neighbouring units. */
#include "codelets/index/cuda_place.cuh"

namespace {

enum { THREADS = 256 };

template <typename Unit, bool PLAIN, bool READS>
__global__ void __launch_bounds__(THREADS) move_units(const __grid_constant__ sta__cuda_move m, sta__cuda_shares shares)
{
    const int64_t across = blockIdx.x % shares.across, rows = THREADS >> shares.x;
    const int64_t step = (gridDim.x / shares.across) * rows, width = int64_t(1) << shares.x;
    const int64_t first = across * width + (threadIdx.x & (width - 1));
    int64_t i = (blockIdx.x / shares.across) * rows + (threadIdx.x >> shares.x);
    for (; i < m.count; i += step) {
        const int64_t number = m.first + i;
        if (!READS && m.wins && !m.wins[i])
            continue;
        const sta::target to = sta::find<PLAIN>(m, number);
        if (READS && to.bad && m.bad)
            atomicMin(m.bad, static_cast<unsigned long long>(number));
        if (!to.at)
            continue;
        char *partner = m.partner + sta::lead_offset(m, number);
        for (int64_t unit = first; unit < m.units; unit += shares.across * width) {
            int64_t own, other;
            sta::rest_offsets(m, to.rests, unit, &own, &other);
            if (READS)
                *reinterpret_cast<Unit *>(partner + other) = __ldg(reinterpret_cast<const Unit *>(to.at + own));
            else
                *reinterpret_cast<Unit *>(to.at + own) = *reinterpret_cast<const Unit *>(partner + other);
        }
    }
}

template <typename Unit, bool PLAIN> void launch_as(const sta__cuda_move &m, cudaStream_t stream)
{
    const sta__cuda_shares shares = sta__cuda_share(m.count, m.units, THREADS);
    if (m.reads)
        move_units<Unit, PLAIN, true><<<unsigned(shares.blocks), THREADS, 0, stream>>>(m, shares);
    else
        move_units<Unit, PLAIN, false><<<unsigned(shares.blocks), THREADS, 0, stream>>>(m, shares);
}

template <typename Unit> void launch(const sta__cuda_move &m, cudaStream_t stream)
{
    if (m.outers == 1 && m.arrays == 1 && m.outer[0].by == 0 && m.even)
        launch_as<Unit, true>(m, stream);
    else
        launch_as<Unit, false>(m, stream);
}

__global__ void report(const __grid_constant__ sta__cuda_move m, uint32_t *words)
{
    int64_t id;
    if (*m.bad == ~0ull || words[0])
        return;
    for (int j = 0; j < m.arrays; j++)
        if (!sta::wrap(m, j, int64_t(*m.bad), &id)) {
            const int64_t given = m.ids[j][*m.bad];
            words[1] = uint32_t(given);
            words[2] = uint32_t(uint64_t(given) >> 32);
            words[0] = 1 + j;
            return;
        }
}

/* ---- surveys ---- */

/* A bit is looked at before it is set: most are set already. */
__global__ void __launch_bounds__(THREADS)
    look(const __grid_constant__ sta__cuda_move m, bool bits, unsigned long long *row, int head)
{
    for (int64_t i = int64_t(blockIdx.x) * THREADS + threadIdx.x; i < m.count; i += int64_t(gridDim.x) * THREADS) {
        int64_t id, bit = 0;
        bool bad = false;
        for (int j = 0; j < m.arrays; j++)
            bad |= !sta::wrap(m, j, i, &id);
        if (bad)
            atomicMin(m.bad, static_cast<unsigned long long>(i));
        if (bad || !bits)
            continue;
        for (int k = 0; k < m.outers; k++)
            bit += sta::tile_along(m.outer[k], sta::frame_index(m, k, i)) * m.outer[k].weight;
        unsigned long long *word = row + head + bit / 64;
        const unsigned long long one = 1ull << (bit % 64);
        if (!(*const_cast<volatile unsigned long long *>(word) & one))
            atomicOr(word, one);
    }
}

__global__ void finish_row(const __grid_constant__ sta__cuda_move m, int64_t *row)
{
    int64_t id;
    for (int j = 0; *m.bad != ~0ull && j < m.arrays; j++)
        if (!sta::wrap(m, j, int64_t(*m.bad), &id)) {
            row[0] = 1 + j;
            row[1] = m.ids[j][*m.bad];
            return;
        }
}

} // namespace

int sta__cuda_move_launch(const struct sta__cuda_move *move, void *stream)
{
    const cudaStream_t on = static_cast<cudaStream_t>(stream);
    if (move->count == 0 || move->units == 0)
        return cudaSuccess;
    switch (move->unit) {
    case 1:
        launch<uint8_t>(*move, on);
        break;
    case 2:
        launch<uint16_t>(*move, on);
        break;
    case 4:
        launch<uint32_t>(*move, on);
        break;
    case 8:
        launch<uint2>(*move, on);
        break;
    default:
        launch<uint4>(*move, on);
    }
    return cudaGetLastError();
}

int sta__cuda_move_report(const struct sta__cuda_move *move, uint32_t *words, void *stream)
{
    report<<<1, 1, 0, static_cast<cudaStream_t>(stream)>>>(*move, words);
    return cudaGetLastError();
}

int sta__cuda_survey(const struct sta__cuda_move *move, int64_t bits, int64_t *row, int64_t words, void *stream)
{
    const cudaStream_t on = static_cast<cudaStream_t>(stream);
    const int64_t blocks = (move->count + THREADS - 1) / THREADS;
    cudaError_t status = cudaMemsetAsync(row, 0, size_t(words) * sizeof *row, on);
    if (status != cudaSuccess || move->count == 0)
        return status;
    look<<<unsigned(blocks < 1 << 20 ? blocks : 1 << 20), THREADS, 0, on>>>(
        *move, bits > 0, reinterpret_cast<unsigned long long *>(row), 2);
    finish_row<<<1, 1, 0, on>>>(*move, row);
    return cudaGetLastError();
}
