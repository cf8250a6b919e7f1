/* The transforms of one task, sequential or shared by a team. */
#include "fft.h"

#include <math.h>
#include <stdio.h>

static int64_t product(const struct sta__memory *memory, int from, int to)
{
    int64_t count = 1;
    for (int axis = from; axis < to; axis++)
        count *= memory->shape[axis];
    return count;
}

static bool transform(const struct sta__fft_lines *lines, bool single, int threads)
{
    bool (*part)(const struct sta__fft_lines *, int64_t, int64_t) = single ? sta__fft_lines_f32 : sta__fft_lines_f64;
    if (threads <= 1)
        return part(lines, 0, 1);
    bool good = true;
#pragma omp parallel for num_threads(threads) schedule(static, 1) reduction(&& : good)
    for (int t = 0; t < threads; t++)
        good = part(lines, t, threads) && good;
    return good;
}

static sta_error_code fft_cpu(struct sta__job *job)
{
    const struct sta__fft_arguments *arguments = job->arguments;
    const struct sta__memory *to = &job->memory[0], *from = &job->memory[1];
    const int axis = arguments->axis;
    struct sta__fft_lines lines = {
        .plan = sta__fft_plan(arguments->kind, arguments->single, arguments->backward, arguments->n),
        .from = from->data,
        .to = to->data,
        .outer = product(to, 0, axis),
        .inner = product(to, axis + 1, to->ndim),
        .from_length = from->shape[axis],
        .to_length = to->shape[axis],
        .scale = arguments->scale,
        .backward = arguments->backward,
    };
    if (lines.outer == 0 || lines.inner == 0)
        return STA_ERROR_NONE;
    if (lines.plan && transform(&lines, arguments->single, job->threads))
        return STA_ERROR_NONE;
    snprintf(job->text, sizeof job->text, "no memory for a transform of length %lld", (long long)arguments->n);
    return STA_ERROR_MEMORY;
}

/* 5 n log2 n floating-point operations a line, half of that for reals; some 8 of them a nanosecond. */
/* 5 n log2(n) a complex line, as everybody counts. */
static double fft_flops(const struct sta__job *job)
{
    const struct sta__fft_arguments *arguments = job->arguments;
    const struct sta__memory *to = &job->memory[0];
    const double lines = (double)product(to, 0, arguments->axis) * (double)product(to, arguments->axis + 1, to->ndim);
    const double line = 5.0 * (double)arguments->n * log2((double)arguments->n + 1.0);
    return lines * (arguments->kind == STA__FFT_COMPLEX ? line : line / 2.0);
}

static double fft_cost(const struct sta__job *job)
{
    return fft_flops(job) / 8.0;
}

/* Transforms of one size of tile differ in their lines. */
static uint32_t fft_hash(const void *arguments)
{
    const struct sta__fft_arguments *a = arguments;
    return (uint32_t)a->n * 31u + (uint32_t)(a->n >> 32) + (uint32_t)a->kind * 7919u + (uint32_t)a->axis * 104729u;
}

const struct sta__kernel sta__fft = {
    .name = "fft", .cpu = fft_cpu, .cost = fft_cost, .flops = fft_flops, .hash = fft_hash};
