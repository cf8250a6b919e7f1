/* How the bin of a value is found: by arithmetic where a look at all edges shows that it is off by one at most, else by
 * search. Equal bins and explicit edges are treated alike. */
#include "histogram.h"

#include <math.h>
#include <string.h>

static bool is_single(sta_dtype dtype)
{
    return dtype == STA_float16 || dtype == STA_bfloat16 || dtype == STA_float32;
}

#define REAL float
#define BITS uint32_t
#define BINS sta__bins_f32
#define TINY 0x1p-149
#define LARGEST (1 << 20)
#define NAME(x) x##_f32
#include "rule.inc.h"
#undef REAL
#undef BITS
#undef BINS
#undef TINY
#undef LARGEST
#undef NAME

#define REAL double
#define BITS uint64_t
#define BINS sta__bins_f64
#define TINY 0x1p-1074
#define LARGEST INT32_MAX
#define NAME(x) x##_f64
#include "rule.inc.h"

/* Integers that float64 cannot tell apart are compared as themselves: as int64, uint64 moved down by 2^63. */
static int64_t whole(const struct sta__memory *memory, int64_t i)
{
    if (memory->dtype == STA_uint64)
        return (int64_t)(((const uint64_t *)memory->data)[i] ^ (1ull << 63));
    if (memory->dtype == STA_int64)
        return ((const int64_t *)memory->data)[i];
    return (int64_t)sta__histogram_double(memory, i);
}

static bool needs_whole(sta_dtype data, const struct sta__memory *edges, int64_t bins)
{
    const bool is_signed = data == STA_int64 && edges->dtype == STA_int64;
    const bool is_unsigned = data == STA_uint64 && edges->dtype == STA_uint64;
    const double lo = sta__histogram_double(edges, 0), hi = sta__histogram_double(edges, bins);
    return (is_signed || is_unsigned) && (lo <= -0x1p53 || hi >= 0x1p53);
}

static int32_t search_whole(const int64_t *edges, int32_t bins, int64_t v)
{
    if (v < edges[0] || v > edges[bins])
        return bins;
    int32_t from = 0, to = bins; /* edges[from] <= v, and v < edges[to] or to is the last */
    while (to - from > 1) {
        const int32_t middle = from + (to - from) / 2;
        if (edges[middle] <= v)
            from = middle;
        else
            to = middle;
    }
    return from;
}

/* The edges as float, double or int64; their own memory where they are so already. */
static const void *edges_as(struct sta__bin_rule *rule, const struct sta__memory *edges, int64_t count)
{
    const sta_dtype want = rule->precision == STA__BINS_F32 ? STA_float32 : STA_float64;
    if (edges->dtype == want && rule->precision != STA__BINS_I64)
        return edges->data;
    rule->copy = sta__allocate((size_t)count * 8);
    if (!rule->copy)
        return NULL;
    for (int64_t i = 0; i < count; i++) {
        if (rule->precision == STA__BINS_I64)
            ((int64_t *)rule->copy)[i] = whole(edges, i);
        else if (rule->precision == STA__BINS_F32)
            ((float *)rule->copy)[i] = (float)sta__histogram_double(edges, i);
        else
            ((double *)rule->copy)[i] = sta__histogram_double(edges, i);
    }
    return rule->copy;
}

bool sta__bin_rule_make(struct sta__bin_rule *rule, sta_dtype data, const struct sta__memory *edges, int64_t bins)
{
    *rule = (struct sta__bin_rule){.loops = STA__BEST_ISA(sta__histogram_loops)};
    rule->precision = is_single(data) && is_single(edges->dtype) ? STA__BINS_F32 : STA__BINS_F64;
    if (needs_whole(data, edges, bins))
        rule->precision = STA__BINS_I64;
    const void *values = edges_as(rule, edges, bins + 1);
    if (!values)
        return false;
    rule->count = (int32_t)bins;
    rule->whole = values;
    if (rule->precision == STA__BINS_F32)
        rule->uniform = settle_f32(&rule->bins.f32, values, (int32_t)bins);
    else if (rule->precision == STA__BINS_F64)
        rule->uniform = settle_f64(&rule->bins.f64, values, (int32_t)bins);
    return true;
}

void sta__bin_rule_clear(struct sta__bin_rule *rule)
{
    sta__release(rule->copy);
    rule->copy = NULL;
}

static void find_whole(const struct sta__bin_rule *rule, const struct sta__memory *data, int64_t from, int64_t count,
                       int32_t *bin)
{
    for (int64_t i = 0; i < count; i++)
        bin[i] = search_whole(rule->whole, rule->count, whole(data, from + i));
}

/* Filled up with NaN, which lies in no bin. */
static void doubles_to_block(const struct sta__memory *data, int64_t from, int64_t count, double *block)
{
    sta__histogram_doubles(data, from, count, block);
    for (int64_t i = count; i < STA__HISTOGRAM_BLOCK; i++)
        block[i] = (double)NAN;
}

static void find_single(const struct sta__bin_rule *rule, const struct sta__memory *data, int64_t from, int64_t count,
                        int32_t *bin)
{
    double values[STA__HISTOGRAM_BLOCK];
    float block[STA__HISTOGRAM_BLOCK];
    const float *v = block;
    if (data->dtype == STA_float32 && count == STA__HISTOGRAM_BLOCK) {
        v = (const float *)data->data + from;
    } else {
        doubles_to_block(data, from, count, values);
        for (int i = 0; i < STA__HISTOGRAM_BLOCK; i++)
            block[i] = (float)values[i];
    }
    (rule->uniform ? rule->loops->find_f32 : rule->loops->search_f32)(&rule->bins.f32, v, bin);
}

static void find_double(const struct sta__bin_rule *rule, const struct sta__memory *data, int64_t from, int64_t count,
                        int32_t *bin)
{
    double block[STA__HISTOGRAM_BLOCK];
    const double *v = block;
    if (data->dtype == STA_float64 && count == STA__HISTOGRAM_BLOCK)
        v = (const double *)data->data + from;
    else
        doubles_to_block(data, from, count, block);
    (rule->uniform ? rule->loops->find_f64 : rule->loops->search_f64)(&rule->bins.f64, v, bin);
}

void sta__bin_rule_find(const struct sta__bin_rule *rule, const struct sta__memory *data, int64_t from, int64_t count,
                        int32_t *bin)
{
    if (rule->precision == STA__BINS_I64)
        find_whole(rule, data, from, count, bin);
    else if (rule->precision == STA__BINS_F32)
        find_single(rule, data, from, count, bin);
    else
        find_double(rule, data, from, count, bin);
}
