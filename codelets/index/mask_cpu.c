/* The kernels of masks: counting, and writing what is true. A team counts its shares first, and so knows where to write. */
#include "codelets/index/cuda_index.h"
#include "codelets/index/loops_mask.h"
#include "codelets/index/mask.h"

#include <omp.h>
#include <string.h>

static int64_t elements(const struct sta__memory *memory)
{
    int64_t n = 1;
    for (int a = 0; a < memory->ndim; a++)
        n *= memory->shape[a];
    return n;
}

static int64_t count_true(const uint8_t *mask, int64_t n)
{
    return STA__BEST_ISA(sta__mask_loops)->count(mask, n);
}

static sta_error_code count(struct sta__job *job)
{
    const struct sta__memory *mask = &job->memory[1];
    const uint8_t *data = (const uint8_t *)mask->data;
    int64_t n = elements(mask), total = 0;
    int team = job->threads > 1 ? job->threads : 1;
#pragma omp parallel for num_threads(team) if (team > 1) reduction(+ : total)
    for (int m = 0; m < team; m++)
        total += count_true(data + n * m / team, n * (m + 1) / team - n * m / team);
    memcpy(job->memory[0].data, &total, sizeof total);
    return STA_ERROR_NONE;
}

/* Nanoseconds: so many elements of a mask are looked at in one, and for the work on a true one. */
enum { LOOKED_AT = 24, TRUE_ONE = 1 };

static double count_cost(const struct sta__job *job)
{
    return (double)elements(&job->memory[1]) / LOOKED_AT;
}

const struct sta__kernel sta__mask_count = {
    .name = "count_true", .cpu = count, .cost = count_cost, .cuda = sta__mask_count_cuda};

/* ---- taking ---- */

/* Copies the true elements; `room` of them are left to be written. Without branches, while there is room for what is
 * written in vain. */
#define TAKE(bits, type)                                                                                               \
    static void take_##bits(const uint8_t *mask, int64_t n, const char *from, char *to, int64_t room)                  \
    {                                                                                                                  \
        int64_t i = 0;                                                                                                 \
        while (i + 8 <= n && room > 8) {                                                                               \
            uint64_t eight;                                                                                            \
            memcpy(&eight, mask + i, 8);                                                                               \
            if (eight == 0x0101010101010101U) {                                                                        \
                memcpy(to, from + i * (int64_t)sizeof(type), 8 * sizeof(type));                                        \
                to += 8 * sizeof(type);                                                                                \
                room -= 8;                                                                                             \
            } else if (eight) {                                                                                        \
                for (int k = 0; k < 8; k++) {                                                                          \
                    memcpy(to, from + (i + k) * (int64_t)sizeof(type), sizeof(type));                                  \
                    to += mask[i + k] * sizeof(type);                                                                  \
                    room -= mask[i + k];                                                                               \
                }                                                                                                      \
            }                                                                                                          \
            i += 8;                                                                                                    \
        }                                                                                                              \
        for (; i < n && room > 0; i++)                                                                                 \
            if (mask[i]) {                                                                                             \
                memcpy(to, from + i * (int64_t)sizeof(type), sizeof(type));                                            \
                to += sizeof(type);                                                                                    \
                room--;                                                                                                \
            }                                                                                                          \
    }
struct sixteen {
    uint64_t half[2];
};
TAKE(8, uint8_t)
TAKE(16, uint16_t)
TAKE(32, uint32_t)
TAKE(64, uint64_t)
TAKE(128, struct sixteen)

static void take_runs(const uint8_t *mask, int64_t n, const char *from, char *to, int64_t bytes)
{
    for (int64_t i = 0; i < n; i++)
        if (mask[i]) {
            memcpy(to, from + i * bytes, (size_t)bytes);
            to += bytes;
        }
}

static void take_part(const uint8_t *mask, int64_t n, const char *from, char *to, int64_t room, int64_t bytes,
                      size_t item)
{
    typedef void taker(const uint8_t *mask, int64_t n, const char *from, char *to, int64_t room);
    static taker *const take[] = {[1] = take_8, [2] = take_16, [4] = take_32, [8] = take_64, [16] = take_128};
    if (bytes == (int64_t)item)
        take[item](mask, n, from, to, room);
    else
        take_runs(mask, n, from, to, bytes);
}

enum { MOST_TEAM = 256 };

/* Shares of one mask: where each begins, and how many are true before it. */
static int64_t share_out(const uint8_t *mask, int64_t n, int team, int64_t *before)
{
    int64_t total = 0;
    if (team == 1) {
        before[0] = 0;
        before[1] = count_true(mask, n);
        return before[1];
    }
#pragma omp parallel for num_threads(team)
    for (int m = 0; m < team; m++)
        before[m + 1] = count_true(mask + n * m / team, n * (m + 1) / team - n * m / team);
    before[0] = 0;
    for (int m = 0; m < team; m++)
        before[m + 1] += before[m];
    total = before[team];
    return total;
}

static sta_error_code take(struct sta__job *job)
{
    const struct sta__mask_take_arguments *a = job->arguments;
    const struct sta__memory *result = &job->memory[0];
    size_t item = sta_itemsize(result->dtype);
    int team = job->threads > MOST_TEAM ? MOST_TEAM : job->threads > 1 ? job->threads : 1;
    int64_t bytes = (int64_t)item, before[MOST_TEAM + 1];
    for (int d = 1; d < result->ndim; d++)
        bytes *= result->shape[d];
    char *to = result->data;
    for (int t = 0; t < a->tiles; t++) {
        const uint8_t *mask = (const uint8_t *)job->memory[a->mask[t]].data;
        const char *from = job->memory[a->x[t]].data;
        int64_t n = elements(&job->memory[a->mask[t]]), total = share_out(mask, n, team, before);
#pragma omp parallel for num_threads(team) if (team > 1)
        for (int m = 0; m < team; m++) {
            int64_t first = n * m / team, end = n * (m + 1) / team;
            take_part(mask + first, end - first, from + first * bytes, to + before[m] * bytes,
                      before[m + 1] - before[m], bytes, item);
        }
        to += total * bytes;
    }
    return STA_ERROR_NONE;
}

static double take_cost(const struct sta__job *job)
{
    enum { BYTES = 4 };
    const struct sta__mask_take_arguments *a = job->arguments;
    const struct sta__memory *result = &job->memory[0];
    double cost = (double)elements(result) * (double)sta_itemsize(result->dtype) / BYTES;
    for (int t = 0; t < a->tiles; t++)
        cost += (double)elements(&job->memory[a->mask[t]]) / LOOKED_AT + TRUE_ONE * (double)a->count[t];
    return cost;
}

const struct sta__kernel sta__mask_take_kernel = {
    .name = "take_true", .cpu = take, .cost = take_cost, .cuda = sta__mask_take_cuda};

/* ---- indices ---- */

/* Elements first .. end - 1 of one tile; `done` true ones of the result come before them. */
static void write_indices(const struct sta__job *job, int t, const uint8_t *mask, int64_t first, int64_t end,
                          int64_t done)
{
    const struct sta__mask_indices_arguments *a = job->arguments;
    const struct sta__memory *tile = &job->memory[a->mask[t]];
    int64_t index[STA_MAXDIM], left = first;
    for (int d = a->ndim - 1; d >= 0; d--) {
        index[d] = a->first[t][d] + left % tile->shape[d];
        left /= tile->shape[d];
    }
    for (int64_t i = first; i < end; i++) {
        if (mask[i]) {
            int64_t flat = 0;
            for (int d = 0; d < a->ndim; d++) {
                flat = flat * a->shape[d] + index[d];
                if (a->form == STA__INDICES_APART)
                    ((int64_t *)(void *)job->memory[a->to[d]].data)[done] = index[d];
                else if (a->form == STA__INDICES_COLUMNS)
                    ((int64_t *)(void *)job->memory[a->to[0]].data)[done * a->ndim + d] = index[d];
            }
            if (a->form == STA__INDICES_FLAT)
                ((int64_t *)(void *)job->memory[a->to[0]].data)[done] = flat;
            done++;
        }
        for (int d = a->ndim - 1; d >= 0 && ++index[d] == a->first[t][d] + tile->shape[d]; d--)
            index[d] = a->first[t][d];
    }
}

static sta_error_code indices(struct sta__job *job)
{
    const struct sta__mask_indices_arguments *a = job->arguments;
    int team = job->threads > MOST_TEAM ? MOST_TEAM : job->threads > 1 ? job->threads : 1;
    int64_t before[MOST_TEAM + 1], done = 0;
    for (int t = 0; t < a->tiles; t++) {
        const struct sta__memory *tile = &job->memory[a->mask[t]];
        const uint8_t *mask = (const uint8_t *)tile->data;
        int64_t n = elements(tile), total = share_out(mask, n, team, before), flat = 0;
        bool line = a->form == STA__INDICES_FLAT || a->ndim == 1; /* a tile is a run */
        for (int d = 0; d < a->ndim; d++)
            flat = flat * a->shape[d] + a->first[t][d];
#pragma omp parallel for num_threads(team) if (team > 1)
        for (int m = 0; m < team; m++) {
            int64_t first = n * m / team, end = n * (m + 1) / team;
            if (line)
                STA__BEST_ISA(sta__mask_loops)
                    ->places(mask + first, end - first, flat + first,
                             (int64_t *)(void *)job->memory[a->to[0]].data + done + before[m],
                             before[m + 1] - before[m]);
            else
                write_indices(job, t, mask, first, end, done + before[m]);
        }
        done += total;
    }
    return STA_ERROR_NONE;
}

static double indices_cost(const struct sta__job *job)
{
    const struct sta__mask_indices_arguments *a = job->arguments;
    double cost = 0;
    for (int t = 0; t < a->tiles; t++)
        cost += (double)elements(&job->memory[a->mask[t]]) / LOOKED_AT + TRUE_ONE * (double)a->count[t];
    return cost;
}

const struct sta__kernel sta__mask_indices_kernel = {
    .name = "nonzero", .cpu = indices, .cost = indices_cost, .cuda = sta__mask_indices_cuda};
