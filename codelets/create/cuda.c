/* Ranges on a GPU: one kernel for each kind and dtype, compiled when the first task of it is submitted. */
#include "codelets/create/range.h"

#include "cuda.h"
#include "cuda_compile.h"
#include "elementwise/cuda_text.h"

#include <string.h>

enum { THREADS = 256 };

/* As the kernel's text has it. */
struct parameters {
    int64_t count, columns, first[2];
    double start, step, stop, sections;
    int64_t whole_start, whole_step, last, diagonal;
    char *to;
};

struct kernel {
    enum sta__range_kind kind;
    bool floor;
    sta_dtype dtype;
};

/* The element at index i of the tile, as range.c computes it. */
static void put_element(struct sta__text *text, const struct kernel *k)
{
    sta_dtype from = k->kind == STA__ARANGE_INT ? STA_int64 : k->kind == STA__EYE ? STA_uint8 : STA_float64;
    if (k->kind == STA__EYE)
        sta__text_put(text, "        const int64_t r = i / p.columns, c = i - r * p.columns;\n"
                            "        const uint8_t x = p.first[0] + r + p.diagonal - p.first[1] == c;\n");
    else if (k->kind == STA__ARANGE_INT)
        sta__text_put(text,
                      "        const int64_t x = (int64_t)((uint64_t)p.whole_start + (uint64_t)(p.first[0] + i) * "
                      "(uint64_t)p.whole_step);\n");
    else
        sta__text_put(text, "        const int64_t at = p.first[0] + i;\n        double x = p.sections != 0 ? "
                            "(double)at / p.sections * "
                            "(p.stop - p.start) + p.start : (double)at * p.step + p.start;\n");
    if (k->kind == STA__LINSPACE)
        sta__text_put(text, "        if (at == p.last)\n            x = p.stop;\n");
    if (k->floor)
        sta__text_put(text, "        x = floor(x);\n");
    sta__text_put(text, "        to[v] = ");
    sta__cuda_put_cast(text, from, k->dtype, "x");
    sta__text_put(text, ";\n");
}

static bool write_text(const void *context, struct sta__text *text)
{
    const struct kernel *k = context;
    const char *type = sta__cuda_type(k->dtype);
    int group = 16 / (int)sta_itemsize(k->dtype);
    sta__cuda_put_prelude(text);
    sta__text_put(
        text,
        "struct parameters {\n    int64_t count, columns, first[2];\n    double start, step, stop, sections;\n"
        "    int64_t whole_start, whole_step, last, diagonal;\n    %s *to;\n};\n"
        "extern \"C\" __global__ void __launch_bounds__(%d) sta_kernel(const __grid_constant__ parameters p)\n"
        "{\n    const int64_t begin = ((int64_t)blockIdx.x * %d + threadIdx.x) * %d;\n    %s to[%d];\n"
        "    if (begin >= p.count)\n        return;\n"
        "#pragma unroll\n    for (int v = 0; v < %d; v++) {\n        const int64_t i = begin + v;\n",
        type, THREADS, THREADS, group, type, group, group);
    put_element(text, k);
    sta__text_put(text,
                  "    }\n    if (begin + %d <= p.count)\n        sta__store<%s, %d>((char *)(p.to + begin), to);\n"
                  "    else\n        for (int v = 0; v < %d; v++)\n            if (begin + v < p.count)\n"
                  "                p.to[begin + v] = to[v];\n}\n",
                  group, type, group, group);
    return !text->failed;
}

static struct sta__cuda_kernel *find(struct sta__job *job)
{
    const struct sta__range_arguments *a = job->arguments;
    struct kernel kernel = {a->kind, a->floor, job->memory[0].dtype};
    const uint64_t mark = UINT64_C(0x65676e6172) << 24; /* not a program's key */
    const uint64_t key[] = {mark | (uint64_t)kernel.kind << 16 | (uint64_t)kernel.floor << 8 | (uint64_t)kernel.dtype};
    return sta__cuda_kernel_of(job, key, 1, write_text, &kernel);
}

bool sta__range_ready(struct sta__job *job)
{
    return find(job) != NULL;
}

sta_error_code sta__range_cuda(struct sta__job *job)
{
    const struct sta__range_arguments *a = job->arguments;
    const struct sta__memory *to = &job->memory[0];
    struct sta__cuda_kernel *kernel = find(job);
    struct parameters p = {
        .count = 1, .columns = to->shape[to->ndim - 1], .start = a->start, .step = a->step, .to = to->data};
    if (!kernel)
        return STA_ERROR_DEVICE;
    for (int axis = 0; axis < to->ndim; axis++)
        p.count *= to->shape[axis];
    for (int axis = 0; axis < to->ndim; axis++)
        p.first[axis] = a->box.from[axis];
    p.stop = a->stop;
    p.whole_start = a->whole_start;
    p.whole_step = a->whole_step;
    p.sections = a->sections;
    p.last = a->last;
    p.diagonal = a->diagonal;
    int64_t group = 16 / (int64_t)sta_itemsize(to->dtype), part = THREADS * group;
    return sta__cuda_launch(job, kernel, (p.count + part - 1) / part, THREADS, &p);
}
