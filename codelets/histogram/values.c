/* Elements of any dtype as doubles, floats or sums. */
#include "histogram.h"

#include "elementwise/half.h"

#include <math.h>

/* One loop a dtype; complex elements give their real part. */
#define LOOP(name, type, value)                                                                                        \
    case STA_##name:                                                                                                   \
        for (int64_t i = 0; i < count; i++) {                                                                          \
            const type x = ((const type *)memory->data)[from + i];                                                     \
            to[i] = (double)(value);                                                                                   \
        }                                                                                                              \
        break;

void sta__histogram_doubles(const struct sta__memory *memory, int64_t from, int64_t count, double *restrict to)
{
    switch (memory->dtype) {
        LOOP(bool, uint8_t, x != 0)
        LOOP(int8, int8_t, x)
        LOOP(int16, int16_t, x)
        LOOP(int32, int32_t, x)
        LOOP(int64, int64_t, x)
        LOOP(uint8, uint8_t, x)
        LOOP(uint16, uint16_t, x)
        LOOP(uint32, uint32_t, x)
        LOOP(uint64, uint64_t, x)
        LOOP(float16, uint16_t, sta__f16_to_f32(x))
        LOOP(bfloat16, uint16_t, sta__bf16_to_f32(x))
        LOOP(float32, float, x)
        LOOP(float64, double, x)
        LOOP(complex64, sta_complex64, x.re)
        LOOP(complex128, sta_complex128, x.re)
    case STA_DTYPE_NONE:
        break;
    }
}

double sta__histogram_double(const struct sta__memory *memory, int64_t i)
{
    double value = 0;
    sta__histogram_doubles(memory, i, 1, &value);
    return value;
}

void sta__histogram_imaginary(const struct sta__memory *memory, int64_t from, int64_t count, double *restrict to)
{
    if (memory->dtype == STA_complex64)
        for (int64_t i = 0; i < count; i++)
            to[i] = (double)((const sta_complex64 *)memory->data)[from + i].im;
    else if (memory->dtype == STA_complex128)
        for (int64_t i = 0; i < count; i++)
            to[i] = ((const sta_complex128 *)memory->data)[from + i].im;
    else
        for (int64_t i = 0; i < count; i++)
            to[i] = 0;
}

#undef LOOP
#define LOOP(name, type)                                                                                               \
    case STA_##name:                                                                                                   \
        for (int64_t i = 0; i < count; i++)                                                                            \
            to[i] = (int64_t)((const type *)memory->data)[from + i];                                                   \
        break;

void sta__histogram_integers(const struct sta__memory *memory, int64_t from, int64_t count, int64_t *restrict to)
{
    switch (memory->dtype) {
        LOOP(bool, uint8_t)
        LOOP(int8, int8_t)
        LOOP(int16, int16_t)
        LOOP(int32, int32_t)
        LOOP(int64, int64_t)
        LOOP(uint8, uint8_t)
        LOOP(uint16, uint16_t)
        LOOP(uint32, uint32_t)
        LOOP(uint64, uint64_t)
    default:
        break;
    }
}
