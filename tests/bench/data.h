/* The data of the benchmarks, the same as data.py makes: an element is a function of its index. */
#ifndef STARRAY_BENCH_DATA_H
#define STARRAY_BENCH_DATA_H

#include <starray/starray.h>

#include <stdio.h>
#include <stdlib.h>

static inline uint64_t bench_bits(uint64_t seed, uint64_t index)
{
    uint64_t z = (seed << 40) + (index + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* In [0, 1), multiples of 2^-53. */
static inline double bench_uniform(uint64_t seed, uint64_t index)
{
    return (double)(bench_bits(seed, index) >> 11) * 0x1p-53;
}

/* In [0, 1), multiples of 2^-20: sums of many are exact. */
static inline double bench_coarse(uint64_t seed, uint64_t index)
{
    return (double)(bench_bits(seed, index) >> 44) * 0x1p-20;
}

/* Whole, from 0 to 99. */
static inline double bench_whole(uint64_t seed, uint64_t index)
{
    return (double)(uint64_t)(bench_uniform(seed, index) * 100);
}

/* Nearly normal, mean 0 and variance 4/3: the sum of four uniform numbers of 16 bits. */
static inline double bench_normal(uint64_t seed, uint64_t index)
{
    uint64_t z = bench_bits(seed, index);
    int64_t sum = (int64_t)((z & 0xFFFF) + (z >> 16 & 0xFFFF) + (z >> 32 & 0xFFFF) + (z >> 48));
    return (double)(sum - 2 * 0xFFFF) * 0x1p-15;
}

typedef double bench_value(uint64_t seed, uint64_t index);

static inline int64_t bench_size(sta_dims shape)
{
    int64_t size = 1;
    for (int k = 0; k < shape.count; k++)
        size *= shape.at[k];
    return size;
}

/* An array of the library's own with value(seed, 0), value(seed, 1), ... in it, rounded to the dtype once. */
static inline sta_array bench_array(sta_dims shape, sta_dtype dtype, bench_value *value, uint64_t seed)
{
    int64_t size = bench_size(shape);
    sta_dtype made = dtype == STA_float32 ? STA_float32 : STA_float64;
    void *memory = malloc((size_t)(size ? size : 1) * sta_itemsize(made));
    float *floats = memory;
    double *doubles = memory;

    if (!memory) {
        fprintf(stderr, "no memory for %lld elements\n", (long long)size);
        exit(EXIT_FAILURE);
    }
    if (made == STA_float32)
        for (int64_t i = 0; i < size; i++)
            floats[i] = (float)value(seed, (uint64_t)i);
    else
        for (int64_t i = 0; i < size; i++)
            doubles[i] = value(seed, (uint64_t)i);
    sta_array whole = sta_from_buffer(memory, made, shape, NULL, STA_COPY, NULL, NULL);
    sta_wait(whole);
    free(memory);
    if (made == dtype)
        return whole;
    sta_array x = sta_astype(whole, dtype);
    sta_wait(x);
    sta_free(whole);
    return x;
}

#endif
