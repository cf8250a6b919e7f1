/* See loops.h. This file is compiled once for each level of x86-64, with STA__ISA set to its name. */
#include "loops.h"

#include <string.h>

/* Private tables break the chain of load, add, store on one place that equal neighbours would make. */
static inline void scatter_pairs(const int32_t *restrict bin, struct sta__tables *tables, int32_t places)
{
    enum { HALF = STA__HISTOGRAM_BLOCK / 2 };
    uint16_t *restrict even = tables->pairs, *restrict odd = tables->pairs + tables->stride;
    uint16_t key[HALF];
    for (int i = 0; i < HALF; i++)
        key[i] = (uint16_t)(bin[i] * places + bin[HALF + i]);
    for (int i = 0; i < HALF; i += 2) {
        even[key[i]]++;
        odd[key[i + 1]]++;
    }
}

static inline void scatter_wide(const int32_t *restrict bin, struct sta__tables *tables)
{
    uint32_t *restrict wide = tables->wide;
    const int64_t stride = tables->stride;
    if (tables->count < 4) {
        for (int i = 0; i < STA__HISTOGRAM_BLOCK; i++)
            wide[bin[i]]++;
        return;
    }
    for (int i = 0; i < STA__HISTOGRAM_BLOCK; i += 4) {
        wide[bin[i]]++;
        wide[bin[i + 1] + stride]++;
        wide[bin[i + 2] + 2 * stride]++;
        wide[bin[i + 3] + 3 * stride]++;
    }
}

static void scatter(const int32_t *restrict bin, struct sta__tables *tables, int32_t places)
{
    if (tables->pairs)
        scatter_pairs(bin, tables, places);
    else
        scatter_wide(bin, tables);
}

#define REAL float
#define INDEX int32_t
#define BINS sta__bins_f32
#define NAME(x) x##_f32
#include "find.inc.h"
#undef REAL
#undef INDEX
#undef BINS
#undef NAME

#define REAL double
#define INDEX int64_t
#define BINS sta__bins_f64
#define NAME(x) x##_f64
#include "find.inc.h"

const struct sta__histogram_loops STA__FOR_ISA(sta__histogram_loops_) = {
    find_f32, find_f64, search_f32, search_f64, scatter, count_f32, count_f64,
};
