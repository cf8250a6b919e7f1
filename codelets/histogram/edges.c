/* The edges of a histogram: equal bins as NumPy's linspace makes them, in its precision, or a checked copy of given
 * ones. */
#include "histogram.h"

#include "elementwise/half.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A value rounded to a dtype. */
static double rounded(sta_dtype dtype, double value)
{
    if (dtype == STA_float32)
        return (double)(float)value;
    if (dtype == STA_float16)
        return (double)sta__f16_to_f32(sta__f32_to_f16(sta__f64_to_odd(value)));
    if (dtype == STA_bfloat16)
        return (double)sta__bf16_to_f32(sta__f32_to_bf16(sta__f64_to_odd(value)));
    return value;
}

static void store(const struct sta__memory *to, int64_t i, double value)
{
    if (to->dtype == STA_float64)
        ((double *)to->data)[i] = value;
    else if (to->dtype == STA_float32)
        ((float *)to->data)[i] = (float)value;
    else if (to->dtype == STA_float16)
        ((uint16_t *)to->data)[i] = sta__f32_to_f16(sta__f64_to_odd(value));
    else
        ((uint16_t *)to->data)[i] = sta__f32_to_bf16(sta__f64_to_odd(value));
}

static sta_error_code outer_edges(struct sta__job *job, double *lo, double *hi)
{
    const struct sta__histogram_edges_arguments *arguments = job->arguments;
    *lo = arguments->lo;
    *hi = arguments->hi;
    if (!arguments->has_range) {
        *lo = sta__histogram_double(&job->memory[arguments->lo_at], 0);
        *hi = sta__histogram_double(&job->memory[arguments->hi_at], 0);
        if (!isfinite(*lo) || !isfinite(*hi)) {
            snprintf(job->text, sizeof job->text, "autodetected range of [%g, %g] is not finite", *lo, *hi);
            return STA_ERROR_VALUE;
        }
    }
    if (*lo == *hi) {
        *lo -= 0.5;
        *hi += 0.5;
    }
    return STA_ERROR_NONE;
}

/* Every step is rounded to the precision NumPy works in: float64 for a given range and for integers, else the data's. A
 * float64 intermediate of + - * / is wide enough to round to float32 or float16 once more without harm. */
static void fill(const struct sta__memory *edges, sta_dtype precision, int64_t bins, double lo, double hi)
{
    const double first = rounded(precision, lo), last = rounded(precision, hi);
    const double delta = rounded(precision, last - first), divisor = rounded(precision, (double)bins);
    const double step = rounded(precision, delta / divisor);
    for (int64_t k = 0; k < bins; k++) {
        double at = rounded(precision, (double)k);
        if (step == 0)
            at = rounded(precision, rounded(precision, at / divisor) * delta);
        else
            at = rounded(precision, at * step);
        store(edges, k, rounded(precision, at + first));
    }
    store(edges, bins, last);
}

static sta_error_code edges_cpu(struct sta__job *job)
{
    const struct sta__histogram_edges_arguments *arguments = job->arguments;
    const struct sta__memory *edges = &job->memory[0];
    double lo, hi;
    const sta_error_code code = outer_edges(job, &lo, &hi);
    if (code)
        return code;
    fill(edges, arguments->has_range ? STA_float64 : edges->dtype, arguments->bins, lo, hi);
    double before = sta__histogram_double(edges, 0);
    for (int64_t k = 1; k <= arguments->bins; k++) {
        const double edge = sta__histogram_double(edges, k);
        if (!(before < edge)) {
            snprintf(job->text, sizeof job->text,
                     "too many bins for the range of the data: cannot make %" PRId64 " bins of finite size",
                     arguments->bins);
            return STA_ERROR_VALUE;
        }
        before = edge;
    }
    return STA_ERROR_NONE;
}

static sta_error_code check_cpu(struct sta__job *job)
{
    const struct sta__histogram_check_arguments *arguments = job->arguments;
    const struct sta__memory *copy = &job->memory[0], *given = &job->memory[arguments->given_at];
    double before = -(double)INFINITY;
    for (int64_t k = 0; k < arguments->edges; k++) {
        const double edge = sta__histogram_double(given, k);
        if (!(before <= edge)) {
            snprintf(job->text, sizeof job->text, "the edges must increase monotonically: edge %" PRId64 " does not",
                     k);
            return STA_ERROR_VALUE;
        }
        before = edge;
    }
    if (arguments->edges > 0)
        memcpy(copy->data, given->data, (size_t)arguments->edges * sta_itemsize(given->dtype));
    return STA_ERROR_NONE;
}

const struct sta__kernel sta__histogram_edges = {.name = "histogram_edges",
                                                 .cpu = edges_cpu,
                                                 .cuda = sta__histogram_edges_cuda,
                                                 .fault = sta__histogram_edges_fault,
                                                 .fails = true};
const struct sta__kernel sta__histogram_check = {.name = "histogram_check",
                                                 .cpu = check_cpu,
                                                 .cuda = sta__histogram_check_cuda,
                                                 .fault = sta__histogram_check_fault,
                                                 .fails = true};
