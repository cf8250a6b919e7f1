/* Operands of 16 bits as floats, for BLAS, which has no products of them. */
#include "linalg.h"

#include "elementwise/half.h"

static bool is_half(sta_dtype dtype)
{
    return dtype == STA_float16 || dtype == STA_bfloat16;
}

static void convert(const struct sta__memory *from, int64_t count, float *to, int threads)
{
    const uint16_t *words = (const uint16_t *)(const void *)from->data;
    const bool half = from->dtype == STA_float16;
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
    for (int64_t i = 0; i < count; i++)
        to[i] = half ? sta__f16_to_f32(words[i]) : sta__bf16_to_f32(words[i]);
}

bool sta__product_widen(struct sta__job *job, float *copies[2])
{
    int made = 0;
    copies[0] = copies[1] = NULL;
    for (int k = 1; k < job->count && made < 2; k++) {
        struct sta__memory *memory = &job->memory[k];
        int64_t count = 1;
        for (int axis = 0; axis < memory->ndim; axis++)
            count *= memory->shape[axis];
        if (!is_half(memory->dtype))
            continue;
        float *copy = sta__allocate((size_t)(count > 0 ? count : 1) * sizeof *copy);
        if (!copy)
            return false;
        convert(memory, count, copy, job->threads);
        memory->data = (char *)copy;
        memory->dtype = STA_float32;
        copies[made++] = copy;
    }
    return true;
}
