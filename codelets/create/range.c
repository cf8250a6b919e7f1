/* Ranges: arange, linspace, eye. One kernel: the element at index i of a tile follows from i alone, so that the values do not
 * depend on tiles. */
#include "codelets/create/create.h"
#include "codelets/create/range.h"

#include "elementwise/ufunc.h"

#include <starray/create.h>

#include <math.h>
#include <string.h>

enum { BLOCK = 512 };

/* from, from + 1, ..: below 2^53 both numbers of the sum are exact, and so is it. */
static void count_block(int64_t from, int64_t count, double *to)
{
    const double first = (double)from;
    if (from + count < (int64_t)1 << 53)
        for (int i = 0; i < (int)count; i++)
            to[i] = first + (double)i;
    else
        for (int64_t i = 0; i < count; i++)
            to[i] = (double)(from + i);
}

static void float_block(const struct sta__range_arguments *a, int64_t from, int64_t count, double *to)
{
    const double sections = a->sections, start = a->start, range = a->stop - a->start, step = a->step;
    count_block(from, count, to);
    if (sections != 0)
        for (int64_t i = 0; i < count; i++)
            to[i] = to[i] / sections * range + start;
    else
        for (int64_t i = 0; i < count; i++)
            to[i] = to[i] * step + start;
    if (a->kind == STA__LINSPACE && a->last >= from && a->last < from + count)
        to[a->last - from] = a->stop;
    for (int64_t i = 0; a->floor && i < count; i++) /* NumPy's linspace in integers */
        to[i] = floor(to[i]);
}

/* Some side by side, without a product for each. Unsigned: it wraps as int64 does in NumPy. */
static void whole_block(const struct sta__range_arguments *a, int64_t from, int64_t count, int64_t *to)
{
    enum { ABREAST = 8 };
    const uint64_t step = (uint64_t)a->whole_step;
    uint64_t at = (uint64_t)a->whole_start + (uint64_t)from * step, after[ABREAST];
    int64_t i = 0;
    for (int k = 0; k < ABREAST; k++)
        after[k] = (uint64_t)k * step;
    for (; i + ABREAST <= count; i += ABREAST, at += ABREAST * step)
        for (int k = 0; k < ABREAST; k++)
            to[i + k] = (int64_t)(at + after[k]);
    for (; i < count; i++, at += step)
        to[i] = (int64_t)at;
}

static void fill_line(const struct sta__range_arguments *a, const struct sta__memory *memory, int64_t from, int64_t to)
{
    union {
        double value[BLOCK];
        int64_t whole[BLOCK];
    } block;
    const void *in[1] = {&block};
    const sta_dtype computed = a->kind == STA__ARANGE_INT ? STA_int64 : STA_float64;
    const bool direct = computed == memory->dtype && memory->stride[0] == (int64_t)sizeof(double);
    sta__loop loop = sta__cast_loop(computed, memory->dtype);
    for (int64_t i = from; i < to; i += BLOCK) {
        int64_t count = to - i < BLOCK ? to - i : BLOCK;
        char *target = memory->data + i * memory->stride[0];
        if (a->kind == STA__ARANGE_INT)
            whole_block(a, a->box.from[0] + i, count, direct ? (int64_t *)(void *)target : block.whole);
        else
            float_block(a, a->box.from[0] + i, count, direct ? (double *)(void *)target : block.value);
        if (!direct)
            loop(count, target, in);
    }
}

static void fill_eye(const struct sta__range_arguments *a, const struct sta__memory *memory, int64_t from, int64_t to)
{
    size_t item = sta_itemsize(memory->dtype);
    uint8_t truth = 1;
    char one[16];
    const void *in[1] = {&truth};
    sta__cast_loop(STA_bool, memory->dtype)(1, one, in);
    for (int64_t r = from; r < to; r++) {
        memset(memory->data + r * memory->stride[0], 0, item * (size_t)memory->shape[1]);
        int64_t column = a->box.from[0] + r + a->diagonal - a->box.from[1];
        if (column >= 0 && column < memory->shape[1])
            memcpy(memory->data + r * memory->stride[0] + column * memory->stride[1], one, item);
    }
}

static sta_error_code range(struct sta__job *job)
{
    const struct sta__range_arguments *a = job->arguments;
    const struct sta__memory *memory = &job->memory[0];
    int64_t length = memory->shape[0], team = job->threads > 1 ? job->threads : 1;
#pragma omp parallel for num_threads(job->threads) if (team > 1)
    for (int64_t m = 0; m < team; m++) {
        int64_t from = length * m / team, to = length * (m + 1) / team;
        if (a->kind == STA__EYE)
            fill_eye(a, memory, from, to);
        else
            fill_line(a, memory, from, to);
    }
    return STA_ERROR_NONE;
}

static const struct sta__kernel range_kernel = {
    .name = "range", .cpu = range, .cuda = sta__range_cuda, .ready = sta__range_ready};

static struct sta__value *make(struct sta__call *call, const struct sta__shape *shape, sta_dtype dtype,
                               const struct sta__range_arguments *arguments)
{
    int64_t size;
    if (!sta__check_dtype(call, dtype))
        return NULL;
    if (!sta__shape_size(shape, &size))
        return sta__fail(call, STA_ERROR_TOO_LARGE, "the range has more than 2^59 elements");
    return sta__make(call, shape, dtype, &range_kernel, arguments, sizeof *arguments);
}

sta_array sta_arange(double start, double stop, double step, sta_dtype dtype)
{
    struct sta__call call = sta__enter("arange");
    if (call.error)
        return sta__leave(&call, NULL);
    double count = ceil((stop - start) / step);
    if (!isfinite(start) || !isfinite(stop) || !isfinite(step) || step == 0)
        sta__fail(&call, STA_ERROR_VALUE, "start %g, stop %g and step %g must be finite, the step not 0", start, stop,
                  step);
    else if (count >= 0x1p59)
        sta__fail(&call, STA_ERROR_TOO_LARGE, "the range has %g elements", count);
    if (call.error)
        return sta__leave(&call, NULL);
    struct sta__shape shape = {.ndim = 1, .at = {count > 0 ? (int64_t)count : 0}};
    struct sta__range_arguments arguments = {.kind = STA__ARANGE, .start = start, .step = step};
    return sta__leave(&call, make(&call, &shape, dtype ? dtype : STA_float64, &arguments));
}

/* The number of elements, in unsigned arithmetic: start and stop may be 2^64 apart. */
static uint64_t whole_count(int64_t start, int64_t stop, int64_t step)
{
    if (step == 0 || (step > 0 ? start >= stop : start <= stop))
        return 0;
    uint64_t distance = step > 0 ? (uint64_t)stop - (uint64_t)start : (uint64_t)start - (uint64_t)stop;
    uint64_t size = step > 0 ? (uint64_t)step : 0 - (uint64_t)step;
    return (distance - 1) / size + 1;
}

sta_array sta_arange_int(int64_t start, int64_t stop, int64_t step, sta_dtype dtype)
{
    struct sta__call call = sta__enter("arange_int");
    if (!call.error && step == 0)
        sta__fail(&call, STA_ERROR_VALUE, "the step is 0");
    if (call.error)
        return sta__leave(&call, NULL);
    uint64_t count = whole_count(start, stop, step);
    struct sta__shape shape = {.ndim = 1, .at = {count > INT64_MAX ? INT64_MAX : (int64_t)count}};
    struct sta__range_arguments arguments = {.kind = STA__ARANGE_INT, .whole_start = start, .whole_step = step};
    return sta__leave(&call, make(&call, &shape, dtype ? dtype : STA_int64, &arguments));
}

/* NumPy's: the last is exactly stop, and a step too small for a double is not one of 0. */
static struct sta__range_arguments linspace(double start, double stop, int64_t n, const sta_linspace_options *options)
{
    struct sta__range_arguments arguments = {.kind = STA__LINSPACE, .start = start, .stop = stop, .last = -1};
    double sections = (double)(options->exclude_stop ? n : n - 1);
    arguments.step = sections > 0 ? (stop - start) / sections : 0;
    if (arguments.step == 0 && sections > 0 && stop != start)
        arguments.sections = sections;
    if (!options->exclude_stop && n > 1)
        arguments.last = n - 1;
    if (options->step)
        *options->step = sections > 0 ? arguments.step : (double)NAN;
    return arguments;
}

sta_array sta_linspace_ex(double start, double stop, int64_t n, const sta_linspace_options *options)
{
    struct sta__call call = sta__enter("linspace");
    sta_linspace_options own = {.size = sizeof own};
    if (options)
        memcpy(&own, options, options->size < sizeof own ? options->size : sizeof own);
    if (!call.error && n < 0)
        sta__fail(&call, STA_ERROR_VALUE, "the number of values is negative: %lld", (long long)n);
    if (call.error)
        return sta__leave(&call, NULL);
    sta_dtype dtype = own.dtype ? own.dtype : STA_float64;
    struct sta__shape shape = {.ndim = 1, .at = {n}};
    struct sta__range_arguments arguments = linspace(start, stop, n, &own);
    arguments.floor = sta__dtype_valid(dtype) && sta__dtype_kind(dtype) <= STA__KIND_UNSIGNED && dtype != STA_bool;
    return sta__leave(&call, make(&call, &shape, dtype, &arguments));
}

sta_array sta_linspace(double start, double stop, int64_t n, sta_dtype dtype)
{
    return sta_linspace_ex(start, stop, n,
                           &(sta_linspace_options){.size = sizeof(sta_linspace_options), .dtype = dtype});
}

struct sta__value *sta__arange_value(struct sta__call *call, int64_t start, int64_t length, sta_dtype dtype)
{
    struct sta__shape shape = {.ndim = 1, .at = {length}};
    struct sta__range_arguments arguments = {.kind = STA__ARANGE_INT, .whole_start = start, .whole_step = 1};
    return make(call, &shape, dtype, &arguments);
}

sta_array sta_eye(int64_t n, int64_t m, int64_t k, sta_dtype dtype)
{
    struct sta__call call = sta__enter("eye");
    if (!call.error && (n < 0 || m < 0))
        sta__fail(&call, STA_ERROR_SHAPE, "a length is negative: (%lld, %lld)", (long long)n, (long long)m);
    if (call.error)
        return sta__leave(&call, NULL);
    struct sta__shape shape = {.ndim = 2, .at = {n, m}};
    /* a diagonal beyond the corners is none; keep the sum with an index in range */
    int64_t diagonal = k > m ? m : k < -n ? -n : k;
    struct sta__range_arguments arguments = {.kind = STA__EYE, .diagonal = diagonal};
    return sta__leave(&call, make(&call, &shape, dtype ? dtype : STA_float64, &arguments));
}

sta_array sta_identity(int64_t n, sta_dtype dtype)
{
    return sta_eye(n, n, 0, dtype);
}
