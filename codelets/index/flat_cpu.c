/* The kernels of flat indices and triangles. */
#include "codelets/index/cuda_index.h"
#include "codelets/index/flat.h"

#include <inttypes.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

static int64_t elements(const struct sta__memory *memory)
{
    int64_t n = 1;
    for (int a = 0; a < memory->ndim; a++)
        n *= memory->shape[a];
    return n;
}

static int64_t *data_of(const struct sta__job *job, int memory)
{
    return (int64_t *)(void *)job->memory[memory].data;
}

/* An index out of range as the mode has it; false: an error. */
static bool bring_in(int64_t *index, int64_t length, sta_index_mode mode)
{
    if ((uint64_t)*index < (uint64_t)length)
        return true;
    if (mode == STA_MODE_RAISE || length == 0)
        return false;
    if (mode == STA_MODE_WRAP)
        *index = (*index % length + length) % length;
    else
        *index = *index < 0 ? 0 : length - 1;
    return true;
}

/* A loop body over elements first .. end - 1: the first that is wrong, or -1. */
typedef int64_t body(struct sta__job *job, int64_t first, int64_t end);

static int64_t share(struct sta__job *job, int64_t n, body *run)
{
    int team = job->threads > 1 ? job->threads : 1;
    int64_t bad = INT64_MAX;
#pragma omp parallel for num_threads(team) if (team > 1) reduction(min : bad)
    for (int m = 0; m < team; m++) {
        int64_t found = run(job, n * m / team, n * (m + 1) / team);
        bad = found >= 0 && found < bad ? found : bad;
    }
    return bad;
}

/* The quotients of some numbers and a length, and what is left. A product by 2^64 over the length, rounded up, is exact where
 * length * number is less than 2^64. */
static void divide_some(int64_t *number, int64_t *left, int64_t n, int64_t length, int64_t largest)
{
    __extension__ typedef unsigned __int128 wide;
    const uint64_t factor = UINT64_MAX / (uint64_t)length + 1;
    const bool exact = length > 1 && largest < INT64_MAX / length;
    for (int64_t i = 0; i < n && exact; i++) {
        const int64_t quotient = (int64_t)((wide)(uint64_t)number[i] * factor >> 64);
        left[i] = number[i] - quotient * length;
        number[i] = quotient;
    }
    for (int64_t i = 0; i < n && !exact; i++) {
        left[i] = number[i] % length;
        number[i] /= length;
    }
}

/* Some at a time, axis by axis: of the first axis what is left of the numbers is the index. */
static void unravel_axes(struct sta__job *job, int64_t first, int64_t end, int64_t size)
{
    enum { GROUP = 256 };
    const struct sta__flat_arguments *a = job->arguments;
    int64_t number[GROUP];
    for (int64_t done = first; done < end; done += GROUP) {
        const int64_t n = end - done < GROUP ? end - done : GROUP;
        memcpy(number, data_of(job, a->from[0]) + done, sizeof *number * (size_t)n);
        for (int d = a->ndim - 1; d > 0; d--)
            divide_some(number, data_of(job, a->to[d]) + done, n, a->shape[d], size);
        memcpy(data_of(job, a->to[0]) + done, number, sizeof *number * (size_t)n);
    }
}

static int64_t unravel_some(struct sta__job *job, int64_t first, int64_t end)
{
    const struct sta__flat_arguments *a = job->arguments;
    const int64_t *from = data_of(job, a->from[0]);
    int64_t size = 1;
    for (int d = 0; d < a->ndim; d++)
        size *= a->shape[d];
    for (int64_t i = first; i < end; i++)
        if ((uint64_t)from[i] >= (uint64_t)size)
            return i;
    if (first < end)
        unravel_axes(job, first, end, size);
    return -1;
}

static sta_error_code unravel(struct sta__job *job)
{
    const struct sta__flat_arguments *a = job->arguments;
    int64_t bad = share(job, elements(&job->memory[a->from[0]]), unravel_some), size = 1;
    if (bad == INT64_MAX)
        return STA_ERROR_NONE;
    for (int d = 0; d < a->ndim; d++)
        size *= a->shape[d];
    snprintf(job->text, sizeof job->text, "flat index %" PRId64 " is out of range for %" PRId64 " elements",
             data_of(job, a->from[0])[bad], size);
    return STA_ERROR_INDEX;
}

static int64_t ravel_some(struct sta__job *job, int64_t first, int64_t end)
{
    const struct sta__flat_arguments *a = job->arguments;
    int64_t *to = data_of(job, a->to[0]);
    for (int64_t i = first; i < end; i++) {
        int64_t flat = 0;
        for (int d = 0; d < a->ndim; d++) {
            int64_t index = data_of(job, a->from[d])[i];
            if (!bring_in(&index, a->shape[d], a->mode))
                return i;
            flat = flat * a->shape[d] + index;
        }
        to[i] = flat;
    }
    return -1;
}

static sta_error_code ravel(struct sta__job *job)
{
    const struct sta__flat_arguments *a = job->arguments;
    int64_t bad = share(job, elements(&job->memory[a->to[0]]), ravel_some);
    if (bad == INT64_MAX)
        return STA_ERROR_NONE;
    for (int d = 0; d < a->ndim; d++) {
        int64_t index = data_of(job, a->from[d])[bad];
        if ((uint64_t)index < (uint64_t)a->shape[d])
            continue;
        snprintf(job->text, sizeof job->text, "index %" PRId64 " is out of range for axis %d of length %" PRId64, index,
                 d, a->shape[d]);
        break;
    }
    return STA_ERROR_INDEX;
}

const struct sta__kernel sta__unravel_kernel = {
    .name = "unravel_index", .cpu = unravel, .cuda = sta__unravel_cuda, .fault = sta__unravel_fault, .fails = true};
const struct sta__kernel sta__ravel_kernel = {
    .name = "ravel_index", .cpu = ravel, .cuda = sta__ravel_cuda, .fault = sta__ravel_fault, .fails = true};

/* ---- triangles ---- */

static int64_t clamp(int64_t i, int64_t low, int64_t high)
{
    return i < low ? low : i > high ? high : i;
}

/* Lower triangles: rows r0 .. r1 - 1 grow by one each, those after have all columns. */
int64_t sta__triangle_before(const struct sta__triangle_arguments *a, int64_t row)
{
    int64_t k = clamp(a->upper ? a->k - 1 : a->k, -a->n - 1, a->m), r0 = clamp(-k, 0, a->n);
    int64_t r1 = clamp(a->m - k - 1, r0, a->n), grow = clamp(row, r0, r1) - r0;
    int64_t lower = grow * (r0 + k + 1) + grow * (grow - 1) / 2 + (row > r1 ? row - r1 : 0) * a->m;
    return a->upper ? row * a->m - lower : lower;
}

static int64_t triangle_some(struct sta__job *job, int64_t first, int64_t end)
{
    const struct sta__triangle_arguments *a = job->arguments;
    int64_t *to = data_of(job, 0), low = 0, high = a->n, k = clamp(a->k, -a->n - 1, a->m);
    while (high - low > 1) { /* the row of the first element */
        int64_t middle = low + (high - low) / 2;
        if (sta__triangle_before(a, middle) <= a->first + first)
            low = middle;
        else
            high = middle;
    }
    for (int64_t row = low, i = first; i < end; row++) {
        int64_t from = a->upper ? clamp(row + k, 0, a->m) : 0, stop = a->upper ? a->m : clamp(row + k + 1, 0, a->m);
        int64_t column = from + (i == first ? a->first + first - sta__triangle_before(a, row) : 0);
        for (; column < stop && i < end; column++)
            to[i++] = a->columns ? column : row;
    }
    return -1;
}

static sta_error_code triangle(struct sta__job *job)
{
    share(job, elements(&job->memory[0]), triangle_some);
    return STA_ERROR_NONE;
}

const struct sta__kernel sta__triangle_kernel = {.name = "triangle", .cpu = triangle, .cuda = sta__triangle_cuda};
