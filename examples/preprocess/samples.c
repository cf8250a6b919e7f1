/* Samples for those who have none. */
#include "preprocess.h"

#include <math.h>
#include <stdlib.h>

/* splitmix64: a good number for each index. */
static uint64_t mix(uint64_t x)
{
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static double uniform(uint64_t seed, uint64_t index)
{
    return ((double)(mix(mix(seed) + index) >> 11) + 0.5) * 0x1p-53; /* inside (0, 1) */
}

sta_array samples_normal(int64_t rows, int64_t columns, double scale, unsigned seed)
{
    int64_t size = rows * columns;
    float *memory = malloc((size_t)size * sizeof *memory);

    for (int64_t k = 0; memory && k < size; k++) {
        double radius = sqrt(-2 * log(uniform(seed, (uint64_t)(2 * k))));
        double angle = 6.283185307179586 * uniform(seed, (uint64_t)(2 * k + 1));

        memory[k] = (float)(scale * radius * cos(angle));
    }
    /* The library owns the memory now, and frees it when the array is gone. NULL gives an array in error. */
    return sta_from_buffer(memory, STA_float32, STA_DIMS(rows, columns), NULL, STA_READ_ONLY, free, memory);
}
