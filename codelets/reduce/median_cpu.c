/* The medians of one task, line after line, sequential or shared by a team. */
#include "elementwise/ufunc.h"
#include "reduce/median.h"

#include <stdio.h>
#include <string.h>

struct part {
    const struct sta__memory *to, *from;
    int64_t length, first, end;
    bool nan;
    sta__loop cast, cast_back; /* to what is compared, and to the result; NULL: they are the same */
};

#define REAL float
#define NAME(stem) stem##_f32
#include "select.inc.h"
#undef REAL
#undef NAME

#define REAL double
#define NAME(stem) stem##_f64
#include "select.inc.h"
#undef REAL
#undef NAME

static int64_t lines_of(const struct sta__memory *to)
{
    int64_t count = 1;
    for (int a = 0; a < to->ndim; a++)
        count *= to->shape[a];
    return count;
}

static sta_error_code median_cpu(struct sta__job *job)
{
    const struct sta__median_arguments *arguments = job->arguments;
    const struct sta__memory *to = &job->memory[0], *from = &job->memory[1];
    const bool single = sta_itemsize(from->dtype) <= 4 && sta__dtype_kind(from->dtype) == STA__KIND_FLOATING;
    const sta_dtype real = single ? STA_float32 : STA_float64;
    const int64_t lines = lines_of(to), threads = job->threads > 1 ? job->threads : 1;
    const struct part whole = {.to = to,
                               .from = from,
                               .length = arguments->length,
                               .end = lines,
                               .nan = arguments->nan,
                               .cast = from->dtype == real ? NULL : sta__cast_loop(from->dtype, real),
                               .cast_back = to->dtype == real ? NULL : sta__cast_loop(real, to->dtype)};
    bool good = true;
#pragma omp parallel for num_threads(threads) if (threads > 1) schedule(static, 1) reduction(&& : good)
    for (int64_t t = 0; t < threads; t++) {
        struct part part = whole;
        part.first = lines * t / threads;
        part.end = lines * (t + 1) / threads;
        good = (part.first == part.end || (single ? lines_f32(&part) : lines_f64(&part))) && good;
    }
    if (good)
        return STA_ERROR_NONE;
    snprintf(job->text, sizeof job->text, "no memory for a line of %lld elements", (long long)arguments->length);
    return STA_ERROR_MEMORY;
}

/* A selection passes over two or three times its elements, at some nanoseconds each. */
static double median_cost(const struct sta__job *job)
{
    const struct sta__median_arguments *arguments = job->arguments;
    return (double)lines_of(&job->memory[0]) * (20.0 + 8.0 * (double)arguments->length);
}

static uint32_t median_hash(const void *arguments)
{
    return (uint32_t)((const struct sta__median_arguments *)arguments)->length;
}

const struct sta__kernel sta__median_kernel = {
    .name = "median", .cpu = median_cpu, .cost = median_cost, .hash = median_hash};
