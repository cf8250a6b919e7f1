/* What becomes of the sums: cast to the dtype that NumPy's counts have, or made a density. */
#include "histogram.h"

#include "elementwise/half.h"

#include <string.h>

/* The low bytes of a whole number, as a C cast keeps them; bool tells whether there is any. */
static int64_t kept_whole(sta_dtype as, int64_t sum)
{
    switch (as) {
    case STA_bool:
        return sum != 0;
    case STA_int8:
        return (int8_t)sum;
    case STA_int16:
        return (int16_t)sum;
    case STA_int32:
        return (int32_t)sum;
    case STA_uint8:
        return (uint8_t)sum;
    case STA_uint16:
        return (uint16_t)sum;
    case STA_uint32:
        return (uint32_t)sum;
    default:
        return sum;
    }
}

static double kept(sta_dtype as, double sum)
{
    if (as == STA_float32 || as == STA_complex64)
        return (double)(float)sum;
    if (as == STA_float16)
        return (double)sta__f16_to_f32(sta__f32_to_f16(sta__f64_to_odd(sum)));
    if (as == STA_bfloat16)
        return (double)sta__bf16_to_f32(sta__f32_to_bf16(sta__f64_to_odd(sum)));
    return sum;
}

static void store(const struct sta__memory *to, int64_t k, sta_complex128 value)
{
    switch (to->dtype) {
    case STA_float16:
        ((uint16_t *)to->data)[k] = sta__f32_to_f16(sta__f64_to_odd(value.re));
        break;
    case STA_bfloat16:
        ((uint16_t *)to->data)[k] = sta__f32_to_bf16(sta__f64_to_odd(value.re));
        break;
    case STA_float32:
        ((float *)to->data)[k] = (float)value.re;
        break;
    case STA_complex64:
        ((sta_complex64 *)to->data)[k] = (sta_complex64){(float)value.re, (float)value.im};
        break;
    case STA_complex128:
        ((sta_complex128 *)to->data)[k] = value;
        break;
    default:
        ((double *)to->data)[k] = value.re;
    }
}

/* Whole sums that stay whole. */
static void finish_whole(const struct sta__memory *result, const struct sta__memory *sums, int64_t bins)
{
    for (int64_t k = 0; k < bins; k++) {
        const int64_t sum = kept_whole(result->dtype, ((const int64_t *)sums->data)[k]);
        const uint8_t one = (uint8_t)sum;
        const uint16_t two = (uint16_t)sum;
        const uint32_t four = (uint32_t)sum;
        const size_t bytes = sta_itemsize(result->dtype);
        const void *from = bytes == 1   ? (const void *)&one
                           : bytes == 2 ? (const void *)&two
                           : bytes == 4 ? (const void *)&four
                                        : &sum;
        memcpy(result->data + (size_t)k * bytes, from, bytes);
    }
}

/* Sum k as the counts keep it, as a complex number. */
static sta_complex128 count_at(const struct sta__memory *sums, sta_dtype as, int64_t k)
{
    if (sums->dtype == STA_int64) {
        const int64_t sum = kept_whole(as, ((const int64_t *)sums->data)[k]);
        return (sta_complex128){as == STA_uint64 ? (double)(uint64_t)sum : (double)sum, 0};
    }
    if (sums->dtype == STA_float64)
        return (sta_complex128){kept(as, ((const double *)sums->data)[k]), 0};
    const sta_complex128 sum = ((const sta_complex128 *)sums->data)[k];
    return (sta_complex128){kept(as, sum.re), kept(as, sum.im)};
}

/* In the precision of the edges, as NumPy's diff. */
static double width_of(const struct sta__memory *edges, int64_t k)
{
    return kept(edges->dtype, sta__histogram_double(edges, k + 1) - sta__histogram_double(edges, k));
}

/* count / width / total. */
static sta_complex128 density_of(sta_complex128 count, double width, sta_complex128 total)
{
    const double re = count.re / width, im = count.im / width;
    if (total.im == 0)
        return (sta_complex128){re / total.re, im / total.re};
    const double size = total.re * total.re + total.im * total.im;
    return (sta_complex128){(re * total.re + im * total.im) / size, (im * total.re - re * total.im) / size};
}

static sta_error_code finish_cpu(struct sta__job *job)
{
    const struct sta__histogram_finish_arguments *arguments = job->arguments;
    const struct sta__memory *result = &job->memory[0], *sums = &job->memory[arguments->sums_at];
    const struct sta__memory *edges = &job->memory[arguments->edges_at];
    if (!arguments->density && sums->dtype == STA_int64) {
        finish_whole(result, sums, arguments->bins);
        return STA_ERROR_NONE;
    }
    sta_complex128 total = {0, 0};
    for (int64_t k = 0; arguments->density && k < arguments->bins; k++) {
        const sta_complex128 count = count_at(sums, arguments->as, k);
        total.re += count.re;
        total.im += count.im;
    }
    for (int64_t k = 0; k < arguments->bins; k++) {
        sta_complex128 value = count_at(sums, arguments->as, k);
        if (arguments->density)
            value = density_of(value, width_of(edges, k), total);
        store(result, k, value);
    }
    return STA_ERROR_NONE;
}

const struct sta__kernel sta__histogram_finish = {
    .name = "histogram_finish", .cpu = finish_cpu, .cuda = sta__histogram_finish_cuda};
