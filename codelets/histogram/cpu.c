/* Counting one tile, sequential or by a team. */
#include "histogram.h"

#include <stdio.h>
#include <string.h>

enum {
    FEW_BINS = 1024,       /* so many tables of 32 bits lie in the first cache */
    PAIRS_A_FLUSH = 65535, /* a 16-bit place cannot overflow before */
    PLACES_8 = 256,
    PLACES_16 = 65536
};
static const int64_t LONGEST = (int64_t)1 << 31; /* elements that 32-bit places can count */

/* ---- tables ---- */

/* Memory for the private tables of one thread. */
static void *tables_open(struct sta__tables *tables, int64_t bins)
{
    *tables = (struct sta__tables){.count = bins <= FEW_BINS ? 4 : 1, .stride = bins + 1};
    if (bins <= STA__HISTOGRAM_PAIR_BINS) {
        tables->count = 2;
        tables->stride = (bins + 1) * (bins + 1);
        tables->pairs = sta__allocate((size_t)tables->stride * 2 * sizeof *tables->pairs);
        return tables->pairs;
    }
    tables->wide = sta__allocate((size_t)tables->stride * (size_t)tables->count * sizeof *tables->wide);
    return tables->wide;
}

/* Adds the tables to the sums and empties them. */
static void tables_flush(struct sta__tables *tables, int64_t bins, int64_t *sums)
{
    const int64_t places = bins + 1;
    if (tables->pairs) {
        for (int64_t key = 0; key < places * places; key++) {
            const int64_t count = (int64_t)tables->pairs[key] + tables->pairs[tables->stride + key];
            const int64_t first = key / places, second = key % places;
            if (first < bins)
                sums[first] += count;
            if (second < bins)
                sums[second] += count;
        }
        memset(tables->pairs, 0, (size_t)tables->stride * 2 * sizeof *tables->pairs);
        return;
    }
    for (int64_t k = 0; k < bins; k++)
        for (int t = 0; t < tables->count; t++)
            sums[k] += tables->wide[t * tables->stride + k];
    memset(tables->wide, 0, (size_t)tables->stride * (size_t)tables->count * sizeof *tables->wide);
}

/* ---- counting ---- */

struct part {
    const struct sta__bin_rule *rule;
    const struct sta__memory *data;
    int64_t bins, from, to; /* elements */
    int64_t *sums;
};

/* Bins too many for tables of their own, and ends of less than a block. */
static void count_directly(const struct part *part, int64_t from, int64_t to)
{
    int32_t bin[STA__HISTOGRAM_BLOCK];
    for (int64_t i = from; i < to; i += STA__HISTOGRAM_BLOCK) {
        const int64_t count = to - i < STA__HISTOGRAM_BLOCK ? to - i : STA__HISTOGRAM_BLOCK;
        sta__bin_rule_find(part->rule, part->data, i, count, bin);
        for (int64_t j = 0; j < count; j++)
            if (bin[j] < part->bins)
                part->sums[bin[j]]++;
    }
}

static void count_blocks(const struct part *part, int64_t from, int64_t blocks, struct sta__tables *tables)
{
    const struct sta__bin_rule *rule = part->rule;
    if (rule->uniform && part->data->dtype == STA_float32 && rule->precision == STA__BINS_F32) {
        rule->loops->count_f32(&rule->bins.f32, (const float *)part->data->data + from, blocks, tables);
        return;
    }
    if (rule->uniform && part->data->dtype == STA_float64) {
        rule->loops->count_f64(&rule->bins.f64, (const double *)part->data->data + from, blocks, tables);
        return;
    }
    int32_t bin[STA__HISTOGRAM_BLOCK];
    for (int64_t b = 0; b < blocks; b++) {
        sta__bin_rule_find(rule, part->data, from + b * STA__HISTOGRAM_BLOCK, STA__HISTOGRAM_BLOCK, bin);
        rule->loops->scatter(bin, tables, (int32_t)part->bins + 1);
    }
}

static bool count_by_tables(const struct part *part)
{
    struct sta__tables tables;
    void *memory = tables_open(&tables, part->bins);
    if (!memory)
        return false;
    const int64_t per_flush =
        tables.pairs ? (int64_t)PAIRS_A_FLUSH * 4 / STA__HISTOGRAM_BLOCK : LONGEST / STA__HISTOGRAM_BLOCK;
    int64_t from = part->from;
    while (part->to - from >= STA__HISTOGRAM_BLOCK) {
        int64_t blocks = (part->to - from) / STA__HISTOGRAM_BLOCK;
        blocks = blocks < per_flush ? blocks : per_flush;
        count_blocks(part, from, blocks, &tables);
        tables_flush(&tables, part->bins, part->sums);
        from += blocks * STA__HISTOGRAM_BLOCK;
    }
    sta__release(memory);
    count_directly(part, from, part->to);
    return true;
}

/* Elements of 8 or 16 bits: each value is counted, then its bin is found once. */
static bool count_by_value(const struct part *part, int64_t values)
{
    const int tables = values == PLACES_8 ? 4 : 1;
    uint32_t *seen = sta__allocate((size_t)(values * tables) * sizeof *seen);
    if (!seen)
        return false;
    const uint8_t *bytes = (const uint8_t *)part->data->data;
    const uint16_t *words = (const uint16_t *)(const void *)part->data->data;
    for (int64_t from = part->from; from < part->to; from += LONGEST) {
        const int64_t to = part->to - from < LONGEST ? part->to : from + LONGEST;
        if (values == PLACES_8)
            for (int64_t i = from; i < to; i++)
                seen[(i & 3) * PLACES_8 + bytes[i]]++;
        else
            for (int64_t i = from; i < to; i++)
                seen[words[i]]++;
        for (int64_t value = 0; value < values; value += STA__HISTOGRAM_BLOCK) {
            uint16_t block[STA__HISTOGRAM_BLOCK];
            int32_t bin[STA__HISTOGRAM_BLOCK];
            struct sta__memory all = {.data = (char *)block, .dtype = part->data->dtype};
            for (int64_t i = 0; i < STA__HISTOGRAM_BLOCK; i++)
                if (values == PLACES_8)
                    ((uint8_t *)block)[i] = (uint8_t)(value + i);
                else
                    block[i] = (uint16_t)(value + i);
            sta__bin_rule_find(part->rule, &all, 0, STA__HISTOGRAM_BLOCK, bin);
            for (int64_t i = 0; i < STA__HISTOGRAM_BLOCK; i++)
                for (int t = 0; t < tables && bin[i] < part->bins; t++)
                    part->sums[bin[i]] += seen[t * values + value + i];
        }
        memset(seen, 0, (size_t)(values * tables) * sizeof *seen);
    }
    sta__release(seen);
    return true;
}

static bool count_part(const struct part *part)
{
    const int64_t count = part->to - part->from, values = sta_itemsize(part->data->dtype) == 1 ? PLACES_8 : PLACES_16;
    if (sta_itemsize(part->data->dtype) <= 2 && count >= 2 * values)
        return count_by_value(part, values);
    if (count >= 4 * part->bins)
        return count_by_tables(part);
    count_directly(part, part->from, part->to);
    return true;
}

/* Each thread of a team counts into sums of its own; whole numbers may be added in any order. */
static bool count_team(const struct part *whole, int threads)
{
    bool good = true;
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (int t = 0; t < threads; t++) {
        const int64_t size = whole->to;
        struct part part = *whole;
        part.from = size / threads * t;
        part.to = t == threads - 1 ? size : size / threads * (t + 1);
        part.sums = sta__allocate((size_t)(part.bins + 1) * sizeof *part.sums);
        const bool counted = part.sums && count_part(&part);
#pragma omp critical(sta__histogram)
        {
            good = good && counted;
            for (int64_t k = 0; counted && k < part.bins; k++)
                whole->sums[k] += part.sums[k];
        }
        sta__release(part.sums);
    }
    return good;
}

static int64_t elements(const struct sta__memory *memory)
{
    int64_t count = 1;
    for (int axis = 0; axis < memory->ndim; axis++)
        count *= memory->shape[axis];
    return count;
}

static sta_error_code count_cpu(struct sta__job *job)
{
    const struct sta__histogram_count_arguments *arguments = job->arguments;
    const struct sta__memory *sums = &job->memory[0], *data = &job->memory[arguments->data_at];
    const struct sta__memory *edges = &job->memory[arguments->edges_at];
    const struct sta__memory *weights = arguments->weights_at >= 0 ? &job->memory[arguments->weights_at] : NULL;
    if (!arguments->add)
        memset(sums->data, 0, (size_t)arguments->bins * sta_itemsize(sums->dtype));
    if (arguments->bins == 0)
        return STA_ERROR_NONE;
    struct sta__bin_rule rule;
    bool good = sta__bin_rule_make(&rule, data->dtype, edges, arguments->bins);
    const struct part whole = {&rule, data, arguments->bins, 0, elements(data), (int64_t *)(void *)sums->data};
    if (good && weights)
        good = sta__histogram_weigh(&rule, data, weights, sums, job->threads);
    else if (good && job->threads > 1)
        good = count_team(&whole, job->threads);
    else if (good)
        good = count_part(&whole);
    sta__bin_rule_clear(&rule);
    if (good)
        return STA_ERROR_NONE;
    snprintf(job->text, sizeof job->text, "no memory for the counts of %lld bins", (long long)arguments->bins);
    return STA_ERROR_MEMORY;
}

/* About a nanosecond an element where bins are found by arithmetic. */
static double count_cost(const struct sta__job *job)
{
    const struct sta__histogram_count_arguments *arguments = job->arguments;
    const double weights = arguments->weights_at >= 0 ? 2.0 : 1.0;
    return weights * (double)elements(&job->memory[arguments->data_at]) + (double)arguments->bins;
}

static uint32_t count_hash(const void *arguments)
{
    const struct sta__histogram_count_arguments *a = arguments;
    return (uint32_t)a->bins * 2u + (a->weights_at >= 0);
}

const struct sta__kernel sta__histogram_count = {
    .name = "histogram", .cpu = count_cpu, .cost = count_cost, .hash = count_hash, .cuda = sta__histogram_count_cuda};
