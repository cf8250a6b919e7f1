/* Sums of weights, and sums of sums. */
#include "histogram.h"

#include <string.h>

enum { CHUNK = 65536 };

/* Adds the weights of elements from .. to to a table of sums, in the order of the elements. */
static void weigh(const struct sta__bin_rule *rule, const struct sta__memory *data, const struct sta__memory *weights,
                  int64_t from, int64_t to, sta_dtype dtype, void *table)
{
    int32_t bin[STA__HISTOGRAM_BLOCK];
    double re[STA__HISTOGRAM_BLOCK], im[STA__HISTOGRAM_BLOCK];
    int64_t whole[STA__HISTOGRAM_BLOCK];
    for (int64_t i = from; i < to; i += STA__HISTOGRAM_BLOCK) {
        const int64_t count = to - i < STA__HISTOGRAM_BLOCK ? to - i : STA__HISTOGRAM_BLOCK;
        sta__bin_rule_find(rule, data, i, count, bin);
        if (dtype == STA_int64) {
            sta__histogram_integers(weights, i, count, whole);
            for (int64_t j = 0; j < count; j++)
                ((uint64_t *)table)[bin[j]] += (uint64_t)whole[j];
        } else if (dtype == STA_float64) {
            sta__histogram_doubles(weights, i, count, re);
            for (int64_t j = 0; j < count; j++)
                ((double *)table)[bin[j]] += re[j];
        } else {
            sta__histogram_doubles(weights, i, count, re);
            sta__histogram_imaginary(weights, i, count, im);
            for (int64_t j = 0; j < count; j++) {
                ((sta_complex128 *)table)[bin[j]].re += re[j];
                ((sta_complex128 *)table)[bin[j]].im += im[j];
            }
        }
    }
}

static void add(sta_dtype dtype, int64_t bins, const void *from, void *to)
{
    const int64_t doubles = dtype == STA_complex128 ? 2 * bins : bins;
    if (dtype == STA_int64)
        for (int64_t k = 0; k < bins; k++)
            ((uint64_t *)to)[k] += ((const uint64_t *)from)[k];
    else
        for (int64_t k = 0; k < doubles; k++)
            ((double *)to)[k] += ((const double *)from)[k];
}

int64_t sta__histogram_chunk(int64_t bins)
{
    return 4 * bins > CHUNK ? 4 * bins : CHUNK;
}

/* Chunks of a fixed length have sums of their own that are added in order: the result does not depend on the team. */
bool sta__histogram_weigh(const struct sta__bin_rule *rule, const struct sta__memory *data,
                          const struct sta__memory *weights, const struct sta__memory *sums, int threads)
{
    const int64_t bins = rule->count, chunk = sta__histogram_chunk(bins);
    const size_t table = (size_t)(bins + 1) * sta_itemsize(sums->dtype);
    int64_t size = 1;
    for (int axis = 0; axis < data->ndim; axis++)
        size *= data->shape[axis];
    char *tables = sta__allocate(table * (size_t)threads);
    if (!tables)
        return false;
    for (int64_t from = 0; from < size; from += chunk * threads) {
#pragma omp parallel for num_threads(threads) schedule(static, 1) if (threads > 1)
        for (int t = 0; t < threads; t++) {
            const int64_t begin = from + chunk * t, end = begin + chunk;
            memset(tables + table * (size_t)t, 0, table);
            weigh(rule, data, weights, begin, end < size ? end : size, sums->dtype, tables + table * (size_t)t);
        }
        for (int t = 0; t < threads && from + chunk * t < size; t++)
            add(sums->dtype, bins, tables + table * (size_t)t, sums->data);
    }
    sta__release(tables);
    return true;
}

static sta_error_code add_cpu(struct sta__job *job)
{
    const struct sta__histogram_add_arguments *arguments = job->arguments;
    const struct sta__memory *sum = &job->memory[0];
    memcpy(sum->data, job->memory[1].data, (size_t)arguments->bins * sta_itemsize(sum->dtype));
    for (int i = 2; i < job->count; i++)
        add(sum->dtype, arguments->bins, job->memory[i].data, sum->data);
    return STA_ERROR_NONE;
}

const struct sta__kernel sta__histogram_add = {
    .name = "histogram_add", .cpu = add_cpu, .cuda = sta__histogram_add_cuda};
